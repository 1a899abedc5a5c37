package responses

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// decoded is a body in the typed model, or what is wrong with it.
func decoded(t *testing.T, body string, omit ...string) (*llm.Request, *llm.Error) {
	t.Helper()
	r, err := Parse([]byte(body), dialect.ParseOptions{})
	if err != nil {
		return nil, err
	}
	return r.Decode(omit)
}

// told writes parts for a reader.
func told(parts []llm.Part) string {
	var all []string
	for i := range parts {
		p := &parts[i]
		switch p.Kind {
		case llm.Text:
			all = append(all, string(p.Text))
		case llm.Image:
			all = append(all, fmt.Sprintf("image %s %s%s", p.Media, p.Data, p.Detail))
		case llm.File:
			all = append(all, fmt.Sprintf("file %s %s %s", p.Name, p.Media, p.Data))
		case llm.ToolCall:
			all = append(all, fmt.Sprintf("%s calls %s(%s) %s", p.ID, p.Name.Text(), p.Args, p.Opaque))
		case llm.Result:
			all = append(all, fmt.Sprintf("%s gives %s", p.ID, told(p.Parts)))
		case llm.Reasoning, llm.Redacted:
			all = append(all, fmt.Sprintf("thought of %q: %s %s", p.Maker, p.Text, p.Opaque))
		}
	}
	return strings.Join(all, " + ")
}

func conversation(r *llm.Request) string {
	var all []string
	if len(r.System) > 0 {
		all = append(all, "system: "+told(r.System))
	}
	for i := range r.Messages {
		m := &r.Messages[i]
		all = append(all, fmt.Sprintf("%s %d: %s", [...]string{"user", "assistant", "system"}[m.Role], m.At, told(m.Parts)))
	}
	return strings.Join(all, "\n")
}

func TestInput(t *testing.T) {
	t.Parallel()
	thought := wrap(wrapsThinking, "claude", llm.Quote("Hm."), llm.Quote("sig"))
	signed := string(appendID(nil, llm.Quote("c1"), llm.Quote("s/g+")))
	for name, tt := range map[string]struct{ input, want string }{
		"a text":  {`"hi"`, `user 0: "hi"`},
		"strings": {`[{"role":"user","content":"hi"},{"type":"message","role":"assistant","content":"yes","phase":"final_answer"}]`, "user 0: \"hi\"\nassistant 1: \"yes\""},
		"roles": {
			`[{"role":"developer","content":"a"},{"role":"system","content":[{"type":"input_text","text":"b"}]},{"role":"user","content":"c"},{"role":"developer","content":"d"}]`,
			"system: \"a\" + \"b\"\nuser 2: \"c\"\nsystem 3: \"d\"",
		},
		"parts": {
			`[{"role":"user","content":[{"type":"input_text","text":"a"},{"type":"input_image","image_url":"data:image/jpg;base64,aGk=","detail":"high"},{"type":"input_file","filename":"f","file_data":"data:application/pdf;base64,aGk="}]},{"role":"assistant","content":[{"type":"output_text","text":"b","annotations":[]},{"type":"refusal","refusal":"no"}]}]`,
			"user 0: \"a\" + image image/jpeg aGk=\"high\" + file \"f\" application/pdf aGk=\nassistant 1: \"b\" + \"no\"",
		},
		"calls": {
			`[{"role":"user","content":"a"},{"type":"function_call","call_id":"c1","name":"f","arguments":"{\"a\": 1}"},{"type":"function_call","call_id":"c2","name":"close","namespace":"ns","arguments":""},{"type":"function_call_output","call_id":"c1","output":"x"},{"type":"function_call_output","call_id":"c2","output":[{"type":"input_text","text":"y"}]}]`,
			"user 0: \"a\"\nassistant 1: c1 calls f({\"a\": 1}) \nassistant 2: c2 calls ns__close({}) \nuser 3: c1 gives \"x\"\nuser 4: c2 gives \"y\"",
		},
		"a custom call": {
			`[{"type":"custom_tool_call","call_id":"c","name":"apply_patch","input":"*** Begin\n"},{"type":"custom_tool_call_output","call_id":"c","output":"done"}]`,
			"assistant 0: c calls apply_patch({\"input\":\"*** Begin\\n\"}) \nuser 1: c gives \"done\"",
		},
		"a search for tools": {
			`[{"type":"tool_search_call","call_id":"c","execution":"client","arguments":{"query":"q"}},{"type":"tool_search_output","call_id":"c","tools":[{"type":"namespace","name":"ns","tools":[{"type":"function","name":"spawn"}]},{"type":"function","name":"f"}]}]`,
			"assistant 0: c calls tool_search({\"query\":\"q\"}) \nuser 1: c gives \"These tools can be called now: ns__spawn, f\"",
		},
		"a call that was cut off":      {`[{"type":"function_call","call_id":"c","name":"f","arguments":"{\"a","status":"incomplete"}]`, "assistant 0: c calls f({}) "},
		"a signed call":                {`[{"type":"function_call","call_id":` + signed + `,"name":"f","arguments":"{}"},{"type":"function_call_output","call_id":` + signed + `,"output":"x"}]`, "assistant 0: c1 calls f({}) \"s/g+\"\nuser 1: c1 gives \"x\""},
		"reasoning that Weir wrapped":  {`[{"type":"reasoning","id":"rs","summary":[],"content":null,"encrypted_content":` + string(thought) + `},{"role":"user","content":"a"}]`, "assistant 0: thought of \"claude\": \"Hm.\" \"sig\"\nuser 1: \"a\""},
		"reasoning of its own":         {`[{"type":"reasoning","summary":[{"type":"summary_text","text":"x"}],"encrypted_content":"gAAA"},{"role":"user","content":"a"}]`, `user 1: "a"`},
		"reasoning that was shown":     {`[{"type":"reasoning","summary":[{"type":"summary_text","text":"x"},{"type":"summary_text","text":"y"}]},{"role":"user","content":"a"}]`, "assistant 0: thought of \"?\": \"xy\" \nuser 1: \"a\""},
		"what a built-in tool did":     {`[{"role":"user","content":"a"},{"type":"web_search_call","id":"ws","status":"completed"}]`, `user 0: "a"`},
		"a summary in place of others": {`[{"type":"compaction","encrypted_content":` + string(wrap(wrapsSummary, "", llm.Quote("All."), nil)) + `}]`, `user 0: "What came before this was replaced by a summary of it:\n\nAll."`},
		"only the system":              {`[{"role":"system","content":"a"}]`, `user 0: "a"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := decoded(t, `{"model":"m","input":`+tt.input+`}`)
			if err != nil {
				t.Fatal(err)
			}
			if got := conversation(r); got != tt.want {
				t.Errorf("is read as\n%s\nand not as\n%s", got, tt.want)
			}
		})
	}
}

func TestBadRequests(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ body, code, param string }{
		"no JSON":               {`{"model":"m"`, "invalid_json", ""},
		"a list":                {`[]`, "invalid_json", ""},
		"another case":          {`{"model":"m","Input":"x"}`, "invalid_json", ""},
		"no model":              {`{"input":"x"}`, "missing_required_parameter", "model"},
		"a number as the model": {`{"model":1,"input":"x"}`, "invalid_type", "model"},
		"a word for stream":     {`{"model":"m","input":"x","stream":"yes"}`, "invalid_type", "stream"},
		"no input":              {`{"model":"m"}`, "missing_required_parameter", "input"},
		"an object as input":    {`{"model":"m","input":{}}`, "invalid_type", "input"},
		"an empty input":        {`{"model":"m","input":[]}`, "missing_required_parameter", "input"},
		"a text as an item":     {`{"model":"m","input":["x"]}`, "invalid_type", "input[0]"},
		"an unknown role":       {`{"model":"m","input":[{"role":"tool","content":"x"}]}`, "invalid_value", "input[0].role"},
		"no content":            {`{"model":"m","input":[{"role":"user"}]}`, "missing_required_parameter", "input[0].content"},
		"an unknown item":       {`{"model":"m","input":[{"role":"user","content":"x"},{"type":"computer_call"}]}`, "unsupported_parameter", "input[1].type"},
		"an unknown part":       {`{"model":"m","input":[{"role":"user","content":[{"type":"input_audio"}]}]}`, "unsupported_parameter", "input[0].content[0].type"},
		"a file of the vendor":  {`{"model":"m","input":[{"role":"user","content":[{"type":"input_image","file_id":"f"}]}]}`, "unsupported_parameter", "input[0].content[0].file_id"},
		"a file elsewhere":      {`{"model":"m","input":[{"role":"user","content":[{"type":"input_file","file_id":"file_1"}]}]}`, "unsupported_parameter", "input[0].content[0].file_id"},
		"broken arguments":      {`{"model":"m","input":[{"type":"function_call","call_id":"c","name":"f","arguments":"{"}]}`, "invalid_value", "input[0].arguments"},
		"a call without an id":  {`{"model":"m","input":[{"type":"function_call","name":"f","arguments":"{}"}]}`, "missing_required_parameter", "input[0].call_id"},
		"a call of nothing":     {`{"model":"m","input":[{"type":"function_call","call_id":"c","arguments":"{}"}]}`, "missing_required_parameter", "input[0].name"},
		"a result alone":        {`{"model":"m","input":[{"type":"function_call_output","call_id":"c","output":"x"}]}`, "invalid_value", "input[0].call_id"},
		"another's compaction":  {`{"model":"m","input":[{"type":"compaction","encrypted_content":"gAAA"}]}`, "unsupported_parameter", "input[0].encrypted_content"},
		"a reference":           {`{"model":"m","input":[{"type":"item_reference","id":"x"}]}`, "unsupported_parameter", "input[0]"},
		"an earlier response":   {`{"model":"m","input":"x","previous_response_id":"resp_1"}`, "unsupported_parameter", "previous_response_id"},
		"a conversation":        {`{"model":"m","input":"x","conversation":"conv_1"}`, "unsupported_parameter", "conversation"},
		"a prompt":              {`{"model":"m","input":"x","prompt":{"id":"p"}}`, "unsupported_parameter", "prompt"},
		"in the background":     {`{"model":"m","input":"x","background":true}`, "unsupported_parameter", "background"},
		"tools that clash": {
			`{"model":"m","input":"x","tools":[{"type":"function","name":"a__b"},{"type":"namespace","name":"a","tools":[{"type":"function","name":"b"}]}]}`,
			"invalid_value", "tools[1].tools[0]",
		},
		"a namespace in another":       {`{"model":"m","input":"x","tools":[{"type":"namespace","name":"a","tools":[{"type":"namespace","name":"b","tools":[]}]}]}`, "invalid_value", "tools[0].tools[0]"},
		"a tool without a name":        {`{"model":"m","input":"x","tools":[{"type":"function"}]}`, "missing_required_parameter", "tools[0].name"},
		"a tool without a type":        {`{"model":"m","input":"x","tools":[{"name":"f"}]}`, "missing_required_parameter", "tools[0].type"},
		"an object as tools":           {`{"model":"m","input":"x","tools":{}}`, "invalid_type", "tools"},
		"a built-in tool alone":        {`{"model":"m","input":"x","tools":[{"type":"file_search"}]}`, "unsupported_parameter", "tools[0]"},
		"a built-in tool, forced":      {`{"model":"m","input":"x","tools":[{"type":"file_search"},{"type":"function","name":"f"}],"tool_choice":{"type":"file_search"}}`, "unsupported_parameter", "tool_choice"},
		"a search that is not offered": {`{"model":"m","input":"x","tools":[{"type":"function","name":"f"}],"tool_choice":{"type":"web_search"}}`, "unsupported_parameter", "tool_choice"},
		"a choice of no tool":          {`{"model":"m","input":"x","tools":[{"type":"function","name":"f"}],"tool_choice":{"type":"function","name":"g"}}`, "invalid_value", "tool_choice"},
		"an unknown effort":            {`{"model":"m","input":"x","reasoning":{"effort":"huge"}}`, "invalid_value", "reasoning.effort"},
		"a format without a schema":    {`{"model":"m","input":"x","text":{"format":{"type":"json_schema","name":"n"}}}`, "missing_required_parameter", "text.format.schema"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := decoded(t, tt.body)
			if err == nil || err.Code() != tt.code || err.Param != tt.param {
				t.Errorf("%v, with the code %q and the parameter %q", err, err.Code(), err.Param)
			}
		})
	}
}

func TestTools(t *testing.T) {
	t.Parallel()
	const function = `{"type":"function","name":"f","description":"d","parameters":{"type":"object"},"strict":true}`
	for name, tt := range map[string]struct{ members, tools, left string }{
		"of each kind": {
			`"input":"x","tools":[` + function + `,{"type":"custom","name":"p"},{"type":"namespace","name":"n","tools":[{"type":"function","name":"g"}]},{"type":"web_search"},{"type":"image_generation"}]`,
			`f "d" strict, p  custom, n__g `, "tools[4].image_generation",
		},
		"with a grammar": {`"input":"x","tools":[{"type":"custom","name":"p","description":"d","format":{"type":"grammar","syntax":"lark","definition":"start: x"}}]`, `p "d\n\nThe input has to follow this grammar (lark):\nstart: x" custom`, ""},
		"of the history": {
			`"input":[{"type":"additional_tools","tools":[` + function + `]},{"role":"user","content":"x"},{"type":"tool_search_call","call_id":"c","arguments":{}},{"type":"tool_search_output","call_id":"c","tools":[{"type":"function","name":"late","defer_loading":true}]}]`,
			`f "d" strict, late `, "",
		},
		"that are deferred":        {`"input":"x","tools":[{"type":"function","name":"late","defer_loading":true},{"type":"tool_search","execution":"client","description":"s","parameters":{"type":"object"}}]`, `tool_search "s"`, ""},
		"that nothing searches":    {`"input":"x","tools":[{"type":"function","name":"late","defer_loading":true}]`, `late `, ""},
		"the last one of a name":   {`"input":[{"type":"additional_tools","tools":[{"type":"function","name":"f","description":"new"}]},{"role":"user","content":"x"}],"tools":[` + function + `]`, `f "new"`, ""},
		"that are allowed":         {`"input":"x","tools":[` + function + `,{"type":"custom","name":"p"}],"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"custom","name":"p"}]}`, `p  custom`, ""},
		"with a name that is long": {`"input":"x","tools":[{"type":"namespace","name":"` + strings.Repeat("n", 40) + `","tools":[{"type":"function","name":"` + strings.Repeat("f", 40) + `"}]}]`, "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn__fffffffffffff_6680485b ", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := decoded(t, `{"model":"m",`+tt.members+`}`)
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for i := range r.Tools {
				tool := &r.Tools[i]
				text := tool.Name.Text() + " " + string(tool.Description)
				if tool.Custom {
					text += " custom"
				}
				if tool.Strict {
					text += " strict"
				}
				all = append(all, text)
			}
			if got, left := strings.Join(all, ", "), strings.Join(r.Left, " "); got != tt.tools || left != tt.left {
				t.Errorf("the tools are %s, left out is %q", got, left)
			}
		})
	}
}

func TestParameters(t *testing.T) {
	t.Parallel()
	r, err := decoded(t, `{"model":"m","input":"x","stream":true,"max_output_tokens":7,"temperature":0.5,"top_p":1,"parallel_tool_calls":false,"reasoning":{"effort":"low","summary":"auto"},
		"text":{"verbosity":"low","format":{"type":"json_schema","name":"n","schema":{"type":"object"},"strict":true}},"user":"u","safety_identifier":"s","prompt_cache_key":"k","service_tier":"auto",
		"store":true,"include":["reasoning.encrypted_content"],"truncation":"auto","client_metadata":{"a":1},"metadata":{"a":"b"},"max_tool_calls":3,"background":false,"prompt":null,"new":true,"other":false}`, "temperature")
	if err != nil {
		t.Fatal(err)
	}
	params := ""
	for _, p := range r.Params {
		params += p.Name + "=" + string(p.Value) + " "
	}
	if !r.Stream || r.MaxToken != 7 || !r.Serial || r.Effort != "low" || r.Format.Kind != llm.FormatSchema || !r.Format.Strict || r.Format.Name.Text() != "n" || r.UserName != "safety_identifier" {
		t.Errorf("%+v", r)
	}
	if want := `top_p=1 verbosity="low" prompt_cache_key="k" `; params != want {
		t.Errorf("parameters: %s", params)
	}
	if want := "temperature metadata max_tool_calls new"; strings.Join(r.Left, " ") != want {
		t.Errorf("left out: %q", r.Left)
	}
}

// What a target's config adds is named as in OpenAI's chats.
func TestAdded(t *testing.T) {
	t.Parallel()
	r, err := Parse([]byte(`{"model":"m","input":"x","reasoning":{"effort":"low"},"temperature":0.5}`), dialect.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	added := &llm.Added{
		Default: []llm.Param{{Name: "reasoning_effort", Value: llm.JSON(`"high"`)}, {Name: "max_tokens", Value: llm.JSON("9")}},
		Set:     []llm.Param{{Name: "temperature", Value: llm.JSON("1")}, {Name: "stop", Value: llm.JSON(`["a"]`)}},
	}
	with, replaced, err := r.With(added, llm.Chat, nil)
	if err != nil || replaced != "temperature" {
		t.Fatalf("replaced %q, %v", replaced, err)
	}
	out, err := with.(*Request).Decode(nil)
	if err != nil {
		t.Fatal(err)
	}
	if out.Effort != "low" || out.MaxToken != 9 || len(out.Stop) != 1 || len(out.Params) != 1 || string(out.Params[0].Value) != "1" {
		t.Errorf("%+v", out)
	}
	if !with.Ours("max_tokens") || with.Ours("reasoning_effort") || with.Ours("temperature") {
		t.Error("what is the config's is not known")
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for chat, want := range map[string]string{
		"max_tokens": "max_output_tokens", "messages[3].content": "input[3].content", "response_format": "text.format", "reasoning_effort": "reasoning.effort",
		"messages[].thinking_blocks": "input[].encrypted_content", "messages[].content[].image_url.detail": "input[].content[].detail", "tools": "tools", "tools[2].custom": "tools[2].custom",
	} {
		if got := nameOf(chat); got != want {
			t.Errorf("%s is %s", chat, got)
		}
	}
}
