package openai

import (
	"fmt"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// message is one element of messages as it was found, before its role says what it means.
type message struct {
	path                             string
	role                             string
	content, refusal, calls, thought llm.JSON
	reasoning                        llm.JSON // a text, which is not signed
	callID, signature                llm.JSON
	cache                            llm.JSON
}

func (d *decoder) message(i int, value llm.JSON) {
	m := message{path: fmt.Sprintf("messages[%d]", i)}
	if !d.Is(value, '{', m.path) {
		return
	}
	for name, v := range jsonwalk.Members(value) {
		v := given(v)
		switch string(name) {
		case "role":
			m.role = v.Text()
		case "content":
			m.content = v
		case "refusal":
			m.refusal = v
		case "tool_calls":
			m.calls = v
		case "tool_call_id":
			m.callID = v
		case "reasoning_content", "reasoning":
			if v.Kind() == '"' && len(v.Inner()) > 0 {
				m.reasoning = v
			}
		case ThinkingBlocks:
			m.thought = v
			if signature := readSignature(v); signature != nil {
				m.signature = signature
			}
		case ExtraContent:
			if signature := readExtra(v); signature != nil {
				m.signature = signature
			}
		case CacheControl:
			m.cache = v
		case "name":
			if v != nil {
				d.Leave("messages[].name")
			}
		case "audio", "function_call":
			if v != nil {
				d.impossible(m.path + "." + string(name))
			}
		}
	}
	d.speak(i, m)
}

// speak adds a message as its role has it.
func (d *decoder) speak(i int, m message) {
	switch m.role {
	case "system", "developer":
		if parts := d.marked(d.content(m), m.cache); len(d.Out.Messages) == 0 {
			d.Out.System = append(d.Out.System, parts...)
		} else {
			d.Out.Messages = append(d.Out.Messages, llm.Message{Role: llm.System, At: i, Parts: parts})
		}
	case "user":
		d.Out.Messages = append(d.Out.Messages, llm.Message{Role: llm.User, At: i, Parts: d.marked(d.content(m), m.cache)})
	case "assistant":
		d.Out.Messages = append(d.Out.Messages, llm.Message{Role: llm.Assistant, At: i, Parts: d.marked(d.assistant(m), m.cache)})
	case "tool":
		if m.callID.Kind() != '"' {
			d.Missing(m.path + ".tool_call_id")
		}
		id, _, _ := splitID(m.callID.Text())
		result := llm.Part{Kind: llm.Result, ID: id, Parts: d.content(m), Cache: m.cache}
		d.Out.Messages = append(d.Out.Messages, llm.Message{Role: llm.User, At: i, Parts: []llm.Part{result}})
	case "function":
		d.impossible(m.path + ".role")
	default:
		d.Wrong(llm.InvalidValue, m.path+".role", fmt.Sprintf("'%s.role' must be system, developer, user, assistant or tool.", m.path))
	}
}

// marked returns the parts of a message, after which a prompt cache may end. The mark goes to the last of them, unless it has its
// own: each mark counts, and vendors take few.
func (d *decoder) marked(parts []llm.Part, cache llm.JSON) []llm.Part {
	switch last := len(parts) - 1; {
	case cache == nil:
	case last < 0 || parts[last].Thought(): // which cannot be marked
		d.Leave(CacheControl)
	case parts[last].Cache == nil:
		parts[last].Cache = cache
	}
	return parts
}

// assistant is what an earlier answer said, its reasoning first.
func (d *decoder) assistant(m message) []llm.Part {
	var said, calls []llm.Part
	if m.content != nil || m.refusal != nil {
		if m.content == nil {
			m.content = m.refusal
		}
		said = d.content(m)
	}
	for i := len(said) - 1; i >= 0 && m.signature != nil; i-- {
		if said[i].Kind == llm.Text {
			said[i].Opaque, m.signature = m.signature, nil
		}
	}
	thoughts := readThoughts(m.thought)
	for i, call := range jsonwalk.Elements(m.calls) {
		part, carried := d.toolCall(fmt.Sprintf("%s.tool_calls[%d]", m.path, i), call)
		if thoughts == nil {
			thoughts = carried
		}
		calls = append(calls, part)
	}
	if thoughts == nil && m.reasoning != nil {
		thoughts = []llm.Part{{Kind: llm.Reasoning, Text: m.reasoning, Maker: llm.UnsaidMaker}}
	}
	return append(append(thoughts, said...), calls...)
}

func (d *decoder) toolCall(path string, value llm.JSON) (part llm.Part, thoughts []llm.Part) {
	part.Kind = llm.ToolCall
	function := llm.JSON(nil)
	for name, v := range jsonwalk.Members(value) {
		switch string(name) {
		case "id":
			var signature llm.JSON
			if part.ID, signature, thoughts = splitID(llm.JSON(v).Text()); part.Opaque == nil {
				part.Opaque = signature
			}
		case ExtraContent:
			if signature := readExtra(v); signature != nil {
				part.Opaque = signature
			}
		case "function":
			function = v
		case "custom":
			if v := given(v); v != nil {
				d.customCall(path+".custom", &part, v)
			}
		}
	}
	args := string(part.Args)
	for name, v := range jsonwalk.Members(function) {
		switch string(name) {
		case "name":
			part.Name = v
		case "arguments":
			args = strings.TrimSpace(llm.JSON(v).Text())
		}
	}
	switch {
	case part.ID == "" || part.Name.Kind() != '"':
		d.Wrong(llm.MissingParameter, path, fmt.Sprintf("'%s' must have an id and a function or custom tool with a name.", path))
	case args == "":
		args = "{}"
	case args[0] != '{' || jsonwalk.Valid([]byte(args), jsonwalk.Options{}) != nil:
		d.Wrong(llm.InvalidValue, path+".function.arguments", fmt.Sprintf("'%s.function.arguments' must be a JSON object, as a string.", path))
	}
	part.Args = llm.JSON(args)
	return part, thoughts
}

// content is the content of a message: a string or a list of parts.
func (d *decoder) content(m message) []llm.Part {
	path := m.path + ".content"
	switch m.content.Kind() {
	case '"':
		return []llm.Part{{Kind: llm.Text, Text: m.content}}
	case 0:
		d.Missing(path)
		return nil
	}
	if !d.Is(m.content, '[', path) {
		return nil
	}
	var parts []llm.Part
	for i, value := range jsonwalk.Elements(m.content) {
		at := fmt.Sprintf("%s[%d]", path, i)
		if d.Is(value, '{', at) {
			parts = append(parts, d.part(at, value))
		}
	}
	return parts
}

func (d *decoder) part(path string, value llm.JSON) llm.Part {
	var typ string
	var part llm.Part
	var image, file, audio llm.JSON
	for name, v := range jsonwalk.Members(value) {
		switch string(name) {
		case "type":
			typ = llm.JSON(v).Text()
		case "text", "refusal":
			part.Text = given(v)
		case "image_url":
			image = v
		case "file":
			file = v
		case "input_audio":
			audio = v
		case CacheControl:
			part.Cache = given(v)
		}
	}
	switch typ {
	case "text", "refusal":
		d.Is(part.Text, '"', path+"."+typ)
	case "image_url":
		d.image(path+".image_url", &part, image)
	case "file":
		d.file(path+".file", &part, file)
	case "input_audio":
		d.audio(path+".input_audio", &part, audio)
	default: // what came after
		d.impossible(path + "." + llm.Clip(typ))
	}
	return part
}

func (d *decoder) image(path string, part *llm.Part, value llm.JSON) {
	part.Kind = llm.Image
	if value.Kind() == '"' { // as Ollama's and Mistral's clients spell it
		part.URL = value
	}
	for name, v := range jsonwalk.Members(value) {
		switch string(name) {
		case "url":
			part.URL = v
		case "detail":
			if s := string(v); s != `"auto"` && s != "null" {
				part.Detail = v
			}
		}
	}
	if d.Is(part.URL, '"', path+".url") {
		part.Media, part.Data = draft.DataURL(part.URL)
	}
	if part.Media == "image/jpg" { // which clients say, and OpenAI's API takes; others know the right name alone
		part.Media = "image/jpeg"
	}
}

func (d *decoder) file(path string, part *llm.Part, value llm.JSON) {
	part.Kind = llm.File
	var data llm.JSON
	for name, v := range jsonwalk.Members(value) {
		switch string(name) {
		case "file_data":
			data = v
		case "filename":
			part.Name = given(v)
		case "file_id": // known to OpenAI alone
			if given(v) != nil {
				d.impossible(path + ".file_id")
			}
		}
	}
	if part.Media, part.Data = draft.DataURL(data); part.Data == nil {
		d.Wrong(llm.InvalidValue, path+".file_data", fmt.Sprintf("'%s.file_data' must be a data: URL in base64, such as data:application/pdf;base64,….", path))
	}
}

// audio is a file like others.
func (d *decoder) audio(path string, part *llm.Part, value llm.JSON) {
	part.Kind = llm.File
	for name, v := range jsonwalk.Members(value) {
		switch string(name) {
		case "data":
			part.Data = llm.JSON(v).Inner()
		case "format":
			part.Media = "audio/" + llm.JSON(v).Text()
		}
	}
	if !draft.Base64(part.Data) || part.Media != "audio/wav" && part.Media != "audio/mp3" {
		d.Wrong(llm.InvalidValue, path, fmt.Sprintf("'%s' must have data in base64 and the format wav or mp3.", path))
	}
}
