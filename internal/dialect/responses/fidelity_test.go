package responses_test

import (
	"testing"

	"github.com/weirproxy/weir/internal/dialecttest"
)

// TestFidelityPage holds docs/how-it-works/translation/responses.md against what happens to each of its examples.
func TestFidelityPage(t *testing.T) {
	t.Parallel()
	codec.Fidelity(t, "responses", `{"model":"gpt-5-pro","messages":[{"role":"user","content":"hi"}]`, fidelity)
	codec.Parts(t, "responses", "gpt-5-pro", parts)
	t.Run("every parameter", func(t *testing.T) { dialecttest.Complete(t, fidelity) })
}

const aTool = `"tools":[{"type":"function","function":{"name":"f"}}]`

// fidelity is what becomes of each parameter: the table of docs/how-it-works/translation/responses.md.
var fidelity = []dialecttest.Row{
	{Parameter: "`max_completion_tokens`, `max_tokens`", Examples: []string{`"max_completion_tokens":300`, `"max_tokens":300`}, Outcome: "exact", How: "`max_output_tokens`"},
	{Parameter: "the same below 16", Examples: []string{`"max_tokens":5`}, Outcome: "left out", How: "16 is sent, the API's least, and it is announced"},
	{Parameter: "`temperature`, `top_p`", Examples: []string{`"temperature":0.3`, `"top_p":0.9`}, Outcome: "exact"},
	{Parameter: "`reasoning_effort`", Examples: []string{`"reasoning_effort":"low"`}, Outcome: "exact", How: "`reasoning.effort`"},
	{Parameter: "`verbosity`", Examples: []string{`"verbosity":"low"`}, Outcome: "exact", How: "`text.verbosity`"},
	{Parameter: "`tools`", Examples: []string{`"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`}, Outcome: "exact", How: "the schema as it was spelled; a tool without `strict` is sent with `\"strict\":false`"},
	{Parameter: "`tools[].function.strict`", Examples: []string{`"tools":[{"type":"function","function":{"name":"f","strict":true,"parameters":{"type":"object"}}}]`}, Outcome: "exact"},
	{Parameter: "custom tools", Examples: []string{`"tools":[{"type":"custom","custom":{"name":"f"}}]`, `"tools":[{"type":"custom","custom":{"name":"f","format":{"type":"grammar","grammar":{"syntax":"regex","definition":"a+"}}}}]`}, Outcome: "exact", How: "with their grammars"},
	{Parameter: "`tool_choice`", Examples: []string{aTool + `,"tool_choice":"required"`, aTool + `,"tool_choice":"none"`, aTool + `,"tool_choice":{"type":"function","function":{"name":"f"}}`}, Outcome: "exact"},
	{Parameter: "`tool_choice` of allowed tools", Examples: []string{`"tools":[{"type":"function","function":{"name":"f"}},{"type":"function","function":{"name":"g"}}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"f"}}]}}`}, Outcome: "approximated", How: "only these are sent"},
	{Parameter: "`parallel_tool_calls`", Examples: []string{aTool + `,"parallel_tool_calls":false`}, Outcome: "exact"},
	{Parameter: "`functions`, `function_call`", Examples: []string{`"functions":[]`, `"function_call":"auto"`}, Outcome: "impossible"},
	{Parameter: "`response_format`", Examples: []string{`"response_format":{"type":"json_schema","json_schema":{"name":"n","description":"d","strict":true,"schema":{"type":"object"}}}`, `"response_format":{"type":"json_object"}`}, Outcome: "exact", How: "`text.format`"},
	{Parameter: "`logprobs`, `top_logprobs`", Examples: []string{`"logprobs":true`, `"top_logprobs":2`}, Outcome: "exact", How: "`include`, `top_logprobs`"},
	{Parameter: "`user`, `safety_identifier`", Examples: []string{`"user":"u-1"`, `"safety_identifier":"u-1"`}, Outcome: "exact"},
	{Parameter: "`service_tier`, `metadata`", Examples: []string{`"service_tier":"flex"`, `"metadata":{"a":"b"}`}, Outcome: "exact"},
	{Parameter: "`prompt_cache_key`, `prompt_cache_retention`", Examples: []string{`"prompt_cache_key":"k"`, `"prompt_cache_retention":"24h"`}, Outcome: "exact"},
	{Parameter: "`prompt_cache_options`", Examples: []string{`"prompt_cache_options":{"mode":"explicit"}`}, Outcome: "left out"},
	{Parameter: "`stream`, `stream_options`", Examples: []string{`"stream":true,"stream_options":{"include_usage":true}`}, Outcome: "exact"},
	{Parameter: "`stop`", Examples: []string{`"stop":["END"]`}, Outcome: "left out"},
	{Parameter: "`n`", Examples: []string{`"n":2`}, Outcome: "left out", How: "one choice is answered"},
	{Parameter: "`seed`, `logit_bias`", Examples: []string{`"seed":1`, `"logit_bias":{"1":2}`}, Outcome: "left out"},
	{Parameter: "`presence_penalty`, `frequency_penalty`", Examples: []string{`"presence_penalty":0.5`, `"frequency_penalty":0.5`}, Outcome: "left out"},
	{Parameter: "`store`", Examples: []string{`"store":true`}, Outcome: "left out", How: "`\"store\":false` is sent"},
	{Parameter: "`cache_control`", Examples: []string{`"cache_control":{"type":"ephemeral"}`}, Outcome: "left out", How: "at tools, messages and their parts too"},
	{Parameter: "`prediction`", Examples: []string{`"prediction":{"type":"content","content":"x"}`}, Outcome: "left out"},
	{Parameter: "`modalities`, `audio`", Examples: []string{`"modalities":["text","audio"]`, `"audio":{"voice":"alloy","format":"wav"}`}, Outcome: "left out"},
	{Parameter: "`web_search_options`", Examples: []string{`"web_search_options":{}`}, Outcome: "left out"},
	{Parameter: "`moderation`", Examples: []string{`"moderation":{"model":"omni-moderation-latest"}`}, Outcome: "left out"},
}

// parts are the lines of docs/how-it-works/translation/responses.md on parts of messages.
var parts = []dialecttest.Row{
	{Parameter: "system and developer messages", Examples: []string{`"messages":[{"role":"system","content":"a"},{"role":"user","content":"hi"},{"role":"developer","content":"b"},{"role":"user","content":"ho"}]`}, Outcome: "approximated", How: "as items of the role system, each in its place; those before the first turn as one"},
	{Parameter: "texts", Examples: []string{`"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"\u00e4"}]}]`}, Outcome: "exact", How: "as they are spelled"},
	{Parameter: "tool calls and results", Examples: []string{`"messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_1","content":"r"}],` + aTool}, Outcome: "exact", How: "with their ids; one of more than 64 characters becomes another, always the same"},
	{Parameter: "images", Examples: []string{`"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo=","detail":"low"}}]}]`, `"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://a/b.png"}}]}]`}, Outcome: "exact", How: "of the user, and in results of tools"},
	{Parameter: "files", Examples: []string{`"messages":[{"role":"user","content":[{"type":"text","text":"x"},{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,aGk="}}]}]`}, Outcome: "exact"},
	{Parameter: "audio", Examples: []string{`"messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"aGk=","format":"wav"}}]}]`}, Outcome: "impossible"},
	{Parameter: "`thinking_blocks` of the same maker", Examples: []string{`"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"a","thinking_blocks":[{"type":"thinking","vendor":"openai","thinking":"t","signature":"EqoB"}]},{"role":"user","content":"hi"}]`}, Outcome: "exact", How: "as `encrypted_content`"},
	{Parameter: "`thinking_blocks` of another", Examples: []string{`"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"a","thinking_blocks":[{"type":"thinking","thinking":"t","signature":"EqoB"}]},{"role":"user","content":"hi"}]`}, Outcome: "left out"},
	{Parameter: "`name`", Examples: []string{`"messages":[{"role":"user","name":"ann","content":"hi"}]`}, Outcome: "left out"},
}
