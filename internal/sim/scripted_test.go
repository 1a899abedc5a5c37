package sim

import (
	"strings"
	"testing"
)

// A rule says what the usual answer calls and says, in every dialect; only tools that are offered are called.
func TestScriptedAnswers(t *testing.T) {
	t.Parallel()
	base := mustStart(t, Script{Rules: []Rule{
		{Match: Match{Contains: "done-1"}, Text: "All of it is done."},
		{Calls: []Call{{Name: "read", Arguments: []byte(`{"path":"a"}`)}, {Name: "patch", Arguments: []byte(`"text"`)}}, Text: "No tool."},
	}})
	const chatTools = `,"tools":[{"type":"function","function":{"name":"read","parameters":{"type":"object"}}},{"type":"custom","custom":{"name":"patch"}}]`
	const tools = `,"max_tokens":99,"tools":[{"name":"read","input_schema":{"type":"object"}},{"name":"patch","input_schema":{"type":"object"}}]`
	for _, test := range []struct{ path, body, want string }{
		{"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"hi"}]` + chatTools + `}`, `"name":"read","arguments":"{\"path\":\"a\"}"`},
		{"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"hi"}]` + chatTools + `}`, `"custom":{"name":"patch","input":"text"}`},
		{"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"hi"}]}`, `"content":"No tool."`},
		{"/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"done-1"}]` + chatTools + `}`, `"content":"All of it is done."`},
		{"/v1/messages", `{"model":"m","messages":[{"role":"user","content":"hi"}]` + tools + `}`, `"name":"read","input":{"path":"a"}`},
		{"/v1/messages", `{"model":"m","messages":[{"role":"user","content":"hi"}]` + tools + `}`, `"name":"patch","input":{"input":"text"}`},
		{"/v1/messages", `{"model":"m","messages":[{"role":"user","content":"done-1"}]` + tools + `}`, `"text":"All of it is done."`},
	} {
		headers := []string{}
		if test.path == "/v1/messages" {
			headers = append(headers, "Anthropic-Version", "2023-06-01")
		}
		if r := ask(t, base, test.path, test.body, headers...); !strings.Contains(r.body, test.want) {
			t.Errorf("%s is answered %s, without %s", test.body, r.body, test.want)
		}
	}
}

func TestScriptedCallsAreChecked(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{`{"rules":[{"calls":[{"name":"","arguments":{}}]}]}`, `{"rules":[{"calls":[{"name":"f"}]}]}`, `{"rules":[{"calls":[{"name":"f","arguments":[1]}]}]}`} {
		if _, err := ParseScript([]byte(bad)); err == nil || !strings.Contains(err.Error(), "each of calls") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
