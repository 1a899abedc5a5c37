package responses

import (
	"fmt"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// input reads the conversation.
func (d *decoder) input(v llm.JSON) {
	if v.Kind() == '"' {
		d.say(llm.User, 0, llm.Part{Kind: llm.Text, Text: v})
		return
	}
	for i, item := range jsonwalk.Elements(v) {
		path := fmt.Sprintf("input[%d]", i)
		if d.Is(item, '{', path) {
			d.item(i, path, item)
		}
	}
}

// say adds something that was said.
func (d *decoder) say(role llm.Role, at int, parts ...llm.Part) {
	d.Out.Messages = append(d.Out.Messages, llm.Message{Role: role, At: at, Parts: parts})
}

func (d *decoder) item(i int, path string, v llm.JSON) {
	typ := memberOf(v, "type").Text()
	switch typ {
	case "message", "":
		d.message(i, path, v)
	case "function_call":
		d.call(i, path, v, flat(memberOf(v, "namespace").Text(), memberOf(v, "name").Text()), d.arguments(path, v))
	case "custom_tool_call":
		input := given(memberOf(v, "input"))
		if input == nil {
			input = llm.JSON(`""`)
		}
		d.Is(input, '"', path+".input")
		args := append(append(llm.JSON(`{"`+customInput+`":`), input...), '}')
		d.call(i, path, v, flat(memberOf(v, "namespace").Text(), memberOf(v, "name").Text()), args)
	case "tool_search_call":
		args := memberOf(v, "arguments")
		if args.Kind() != '{' {
			args = llm.JSON("{}")
		}
		d.call(i, path, v, searchTool, args)
	case "function_call_output", "custom_tool_call_output":
		d.result(i, path, v, d.output(path+".output", memberOf(v, "output")))
	case "tool_search_output":
		d.result(i, path, v, []llm.Part{{Kind: llm.Text, Text: llm.Quote(found(memberOf(v, "tools")))}})
	case "reasoning":
		d.reasoning(i, v)
	case "compaction":
		d.compaction(i, path, v)
	case "compaction_trigger":
		d.sumUp(i)
	case "additional_tools": // among the tools
	case "web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "configuration_update":
		d.Leave("input[]." + typ) // what came of it is in the messages
	default:
		d.impossible(path+".type", "an item of the type "+llm.Clip(typ))
	}
}

// impossible refuses what no other dialect can carry, and without which the answer would be to another question.
func (d *decoder) impossible(param, what string) {
	d.Wrong(llm.UnsupportedParameter, param, fmt.Sprintf("Unsupported parameter: '%s' is %s, which cannot be carried to this model's provider. Remove it, or use another model.", param, what))
}

func (d *decoder) message(i int, path string, v llm.JSON) {
	role, parts := memberOf(v, "role").Text(), d.content(path+".content", memberOf(v, "content"))
	switch role {
	case "user":
		d.say(llm.User, i, parts...)
	case "assistant":
		d.say(llm.Assistant, i, parts...)
	case "system", "developer":
		if len(d.Out.Messages) == 0 {
			d.Out.System = append(d.Out.System, parts...)
			return
		}
		d.say(llm.System, i, parts...)
	case "":
		d.Missing(path + ".role")
	default:
		d.Wrong(llm.InvalidValue, path+".role", fmt.Sprintf("'%s.role' must be user, assistant, system or developer.", path))
	}
}

// content is what a message says: a string, or a list of parts.
func (d *decoder) content(path string, v llm.JSON) []llm.Part {
	switch v.Kind() {
	case '"':
		return []llm.Part{{Kind: llm.Text, Text: v}}
	case 0, 'n':
		d.Missing(path)
		return nil
	}
	if !d.Is(v, '[', path) {
		return nil
	}
	var parts []llm.Part
	for i, part := range jsonwalk.Elements(v) {
		at := fmt.Sprintf("%s[%d]", path, i)
		if d.Is(part, '{', at) {
			parts = append(parts, d.part(at, part))
		}
	}
	return parts
}

func (d *decoder) part(path string, v llm.JSON) (p llm.Part) {
	switch typ := memberOf(v, "type").Text(); typ {
	case "input_text", "output_text", "text", "refusal", "summary_text", "reasoning_text":
		name := "text"
		if typ == "refusal" {
			name = typ
		}
		if p.Text = memberOf(v, name); d.Is(p.Text, '"', path+"."+name) {
			p.Kind = llm.Text
		}
	case "input_image":
		d.image(path, &p, v)
	case "input_file":
		d.file(path, &p, v)
	case "":
		d.Missing(path + ".type")
	default:
		d.impossible(path+".type", "a part of the type "+llm.Clip(typ))
	}
	return p
}

func (d *decoder) image(path string, p *llm.Part, v llm.JSON) {
	p.Kind, p.URL = llm.Image, given(memberOf(v, "image_url"))
	if p.URL == nil && given(memberOf(v, "file_id")) != nil {
		d.impossible(path+".file_id", "a file that only its vendor has")
		return
	}
	if detail := given(memberOf(v, "detail")); detail != nil && string(detail) != `"auto"` {
		p.Detail = detail
	}
	if d.Is(p.URL, '"', path+".image_url") {
		p.Media, p.Data = draft.DataURL(p.URL)
	}
	if p.Media == "image/jpg" { // which clients say, and the API takes; others know the right name alone
		p.Media = "image/jpeg"
	}
}

func (d *decoder) file(path string, p *llm.Part, v llm.JSON) {
	p.Kind, p.Name = llm.File, given(memberOf(v, "filename"))
	if given(memberOf(v, "file_id")) != nil {
		d.impossible(path+".file_id", "a file that is not in the request")
		return
	}
	if p.URL = given(memberOf(v, "file_url")); p.URL != nil {
		d.Is(p.URL, '"', path+".file_url")
		return
	}
	if p.Media, p.Data = draft.DataURL(memberOf(v, "file_data")); p.Data == nil {
		d.Wrong(llm.InvalidValue, path+".file_data", fmt.Sprintf("'%s.file_data' must be a data: URL in base64, such as data:application/pdf;base64,….", path))
	}
}

// arguments are those of an earlier call: an object in a string. Weir itself writes others only of a call that was cut off.
func (d *decoder) arguments(path string, v llm.JSON) llm.JSON {
	text := strings.TrimSpace(memberOf(v, "arguments").Text())
	switch whole := len(text) > 0 && text[0] == '{' && jsonwalk.Valid([]byte(text), jsonwalk.Options{}) == nil; {
	case whole:
		return llm.JSON(text)
	case text != "" && memberOf(v, "status").Text() != "incomplete":
		d.Wrong(llm.InvalidValue, path+".arguments", fmt.Sprintf("'%s.arguments' must be a JSON object, as a string.", path))
	}
	return llm.JSON("{}")
}

// call reads an earlier call of a tool.
func (d *decoder) call(i int, path string, v llm.JSON, name string, args llm.JSON) {
	id, named := memberOf(v, "call_id").Text(), name
	switch {
	case id == "":
		d.Missing(path + ".call_id")
	case named == "":
		d.Missing(path + ".name")
	}
	d.calls[id] = true
	own, signature := splitID(id)
	d.say(llm.Assistant, i, llm.Part{Kind: llm.ToolCall, ID: own, Name: llm.Quote(name), Args: args, Opaque: signature})
}

// result reads what a tool answered. It has to follow the call.
func (d *decoder) result(i int, path string, v llm.JSON, parts []llm.Part) {
	id := memberOf(v, "call_id").Text()
	switch {
	case id == "":
		d.Missing(path + ".call_id")
	case !d.calls[id]:
		d.Wrong(llm.InvalidValue, path+".call_id", fmt.Sprintf(
			"'%s.call_id' names a call that is not in the input. Weir keeps no responses for 'previous_response_id': send the whole history.", path))
	}
	own, _ := splitID(id)
	d.say(llm.User, i, llm.Part{Kind: llm.Result, ID: own, Parts: parts})
}

// output is what a tool answered: a string, or a list of parts.
func (d *decoder) output(path string, v llm.JSON) []llm.Part { return d.content(path, v) }

// found is what a search for tools found, in words for the model.
func found(tools llm.JSON) string {
	var found []string
	add := func(namespace string, tool llm.JSON) {
		if name := memberOf(tool, "name").Text(); name != "" {
			found = append(found, flat(namespace, name))
		}
	}
	for _, tool := range jsonwalk.Elements(tools) {
		if memberOf(tool, "type").Text() != "namespace" {
			add("", tool)
		}
		for _, inner := range jsonwalk.Elements(memberOf(tool, "tools")) { // of a namespace
			add(memberOf(tool, "name").Text(), inner)
		}
	}
	if len(found) == 0 {
		return "No tools were found."
	}
	return "These tools can be called now: " + strings.Join(found, ", ")
}

// reasoning reads earlier reasoning: what Weir wrapped for its maker, or else a text. What the vendor encrypted no other can read.
func (d *decoder) reasoning(i int, v llm.JSON) {
	opaque := memberOf(v, "encrypted_content")
	if d.own && len(opaque.Inner()) > 0 {
		d.encrypted(i, v, opaque)
		return
	}
	if part, ok := unwrapThought(opaque); ok {
		d.say(llm.Assistant, i, part)
		return
	}
	if len(opaque.Inner()) > 0 {
		d.Leave("input[].encrypted_content")
		return
	}
	var texts []llm.JSON
	for _, name := range [...]string{"content", "summary"} {
		for _, part := range jsonwalk.Elements(memberOf(v, name)) {
			if text := memberOf(part, "text"); len(text.Inner()) > 0 {
				texts = append(texts, text)
			}
		}
		if len(texts) > 0 {
			d.say(llm.Assistant, i, llm.Part{Kind: llm.Reasoning, Text: inText(texts...), Maker: llm.UnsaidMaker})
			return
		}
	}
}

// encrypted reads earlier reasoning of the model's own.
func (d *decoder) encrypted(i int, v, opaque llm.JSON) {
	p := llm.Part{Kind: llm.Redacted, Opaque: opaque, Maker: Maker(d.Out.Model, "")}
	for n, part := range jsonwalk.Elements(memberOf(v, "summary")) {
		text := memberOf(part, "text")
		if p.Kind = llm.Reasoning; n > 0 {
			text = inText(p.Text, between, text)
		}
		p.Text = text
	}
	d.say(llm.Assistant, i, p)
}
