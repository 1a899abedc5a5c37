package cohere_test

import (
	"testing"

	"github.com/weirproxy/weir/internal/dialect/cohere"
	"github.com/weirproxy/weir/internal/llm"
)

// A fault in a request is reported with the name of the member.
func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	const head = `{"model":"m","stream":false,`
	said := func(message string) string { return head + `"messages":[` + message + `]}` }
	more := func(member string) string {
		return head + `"messages":[{"role":"user","content":"hi"}],` + member + `}`
	}
	for body, param := range map[string]string{
		`[]`:                                       "",
		`{"model":"m","model":"n"}`:                "",
		`{"stream":true}`:                          "model",
		`{"model":7}`:                              "model",
		`{"model":"m","messages":[]}`:              "stream",
		`{"model":"m","stream":"yes"}`:             "stream",
		`{"model":"m","stream":false}`:             "messages",
		said(`7`):                                  "messages[0]",
		said(`{"role":"user"}`):                    "messages[0].content",
		said(`{"role":"user","content":7}`):        "messages[0].content",
		said(`{"role":"user","content":[7]}`):      "messages[0].content[0]",
		said(`{"role":"developer","content":"x"}`): "messages[0].role",

		said(`{"role":"user","content":"x","tool_plan":"y"}`):                                            "messages[0]",
		said(`{"role":"tool","content":"x"}`):                                                            "messages[0].tool_call_id",
		said(`{"role":"assistant","tool_calls":{}}`):                                                     "messages[0].tool_calls",
		said(`{"role":"assistant","tool_calls":[{"id":"a"}]}`):                                           "messages[0].tool_calls[0]",
		said(`{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"[1]"}}]}`): "messages[0].tool_calls[0].function.arguments",

		more(`"tools":{}`): "tools",

		more(`"tools":[{"type":"function","function":{}}]`):                          "tools[0].function.name",
		more(`"tools":[{"type":"function","function":{"name":"f","parameters":7}}]`): "tools[0].function.parameters",
		more(`"tool_choice":"auto"`):                                                 "tool_choice",
		more(`"tools":[{"type":"function","function":{"name":"","parameters":{}}}]`): "tools[0].function.name",
		more(`"temperature":"hot"`):                                                  "temperature",
		more(`"p":[]`):                                                               "p",
		more(`"max_tokens":0`):                                                       "max_tokens",
		more(`"stop_sequences":["a",7]`):                                             "stop_sequences[1]",
		more(`"response_format":{"type":"xml"}`):                                     "response_format.type",
		more(`"thinking":{"type":"enabled","token_budget":-1}`):                      "thinking.token_budget",
		more(`"thinking":{"type":"disabled","token_budget":1}`):                      "thinking",
	} {
		r, err := cohere.Decode([]byte(body))
		if err == nil || r != nil || err.Param != param {
			t.Errorf("%s: %v, %v", body, r, err)
		}
	}
}

// What only this API knows comes back to it as it was, and to no other.
func TestDecodeKeepsItsOwn(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"model":"command-r7b-12-2024","stream":true,"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.com/a.png","detail":"low"}}]}]}`,
		`{"model":"command-r7b-12-2024","stream":true,"messages":[{"role":"assistant","content":"x","tool_plan":"I will.","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\": 1}"}}],"citations":[{"start":0}]},{"role":"tool","tool_call_id":"a","content":[{"type":"document","document":{"data":"y"}}]}]}`,
		`{"model":"command-a-reasoning-08-2025","stream":true,"messages":[{"role":"user","content":"hi"}],"thinking":{"type":"enabled","token_budget":77},"logprobs":true}`,
		`{"model":"command-a-reasoning-08-2025","stream":true,"messages":[{"role":"user","content":"hi"}],"thinking":{"type":"enabled"},"temperature":0.30,"p":0.5,"k":3}`,
	} {
		dialect.SameRequest(t, "", []byte(body))
	}
	r, err := cohere.Decode([]byte(`{"model":"m","stream":true,"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"hm"}]}],"thinking":{"type":"enabled","token_budget":77}}`))
	if err != nil || r.Budget != 77 || r.Effort != "minimal" || r.Messages[0].Parts[0].Kind != llm.Reasoning || r.Messages[0].Parts[0].Maker == "" {
		t.Errorf("%+v, %v", r, err)
	}
}

// What has no place in the typed model, and none of its own either, is named: it is not lost in silence.
func TestDecodeLeaves(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		`{"role":"user","content":"x","tool_call_id":"a"}`:                                                                        "messages[].tool_call_id",
		`{"role":"assistant","tool_calls":[{"id":"a","type":"custom","function":{"name":"f","arguments":"{}"}}]}`:                 "messages[].tool_calls[].type",
		`{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}","strict":true}}]}`: "messages[].tool_calls[].function.strict",
		`{"role":"assistant","tool_calls":[{"id":"a","type":"function","x":1,"function":{"name":"f","arguments":"{}"}}]}`:         "messages[].tool_calls[].x",
	} {
		r, err := cohere.Decode([]byte(`{"model":"m","stream":false,"messages":[` + message + `]}`))
		if err != nil || len(r.Left) != 1 || r.Left[0] != want {
			t.Errorf("%s: %+v, %v", message, r, err)
		}
	}
	const mixed = `{"model":"command-a-reasoning-08-2025","stream":true,"messages":[{"role":"user","content":[{"type":"text","thinking":"x"}]}]}`
	dialect.SameRequest(t, "", []byte(mixed)) // a value of one type with members of another
}
