package cohere_test

import "github.com/weirproxy/weir/internal/dialecttest"

// fidelity is what becomes of each parameter: the table of docs/how-it-works/translation/cohere.md.
var fidelity = []dialecttest.Row{
	{Parameter: "`max_completion_tokens`, `max_tokens`", Examples: []string{`"max_completion_tokens":300`, `"max_tokens":300`}, Outcome: "exact", How: "`max_tokens`"},
	{Parameter: "`temperature`", Examples: []string{`"temperature":0.3`}, Outcome: "exact", How: "below 0 becomes 0, and it is announced. Without it the API's default is 0.3"},
	{Parameter: "`top_p` up to 0.99", Examples: []string{`"top_p":0.9`}, Outcome: "exact", How: "`p`. Without it the API's default is 0.75"},
	{Parameter: "`top_p` above 0.99", Examples: []string{`"top_p":1`}, Outcome: "left out", How: "0.99 is sent, and it is announced; likewise 0.01 for less than that"},
	{Parameter: "`top_k`", Examples: []string{`"top_k":5`}, Outcome: "exact", How: "`k`; not OpenAI's, but taken. 500 at most"},
	{Parameter: "`seed`", Examples: []string{`"seed":1`}, Outcome: "exact"},
	{Parameter: "`presence_penalty`, `frequency_penalty`", Examples: []string{`"presence_penalty":0.5`, `"frequency_penalty":0.5`}, Outcome: "exact"},
	{Parameter: "penalties beyond 0 to 1", Examples: []string{`"frequency_penalty":1.5`}, Outcome: "left out", How: "1 or 0 is sent, and it is announced"},
	{Parameter: "`stop`", Examples: []string{`"stop":["END"]`}, Outcome: "exact", How: "`stop_sequences`"},
	{Parameter: "`stop` of more than five", Examples: []string{`"stop":["1","2","3","4","5","6"]`}, Outcome: "left out", How: "the first five are sent"},
	{Parameter: "`tools`", Examples: []string{`"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`}, Outcome: "exact", How: "the schema as it was spelled"},
	{Parameter: "`tools[].function.strict`", Examples: []string{`"tools":[{"type":"function","function":{"name":"f","strict":true,"parameters":{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]}}}]`}, Outcome: "exact", How: "`strict_tools`, if all tools are strict and each has a parameter that is required"},
	{Parameter: "`strict` where the API refuses it", Examples: []string{`"tools":[{"type":"function","function":{"name":"f","strict":true}}]`}, Outcome: "left out"},
	{Parameter: "custom tools", Examples: []string{`"tools":[{"type":"custom","custom":{"name":"f"}}]`}, Outcome: "approximated", How: "[as functions](README.md#custom-tools), chosen and called likewise"},
	{Parameter: "`tools[].custom.format` of a grammar", Examples: []string{`"tools":[{"type":"custom","custom":{"name":"f","format":{"type":"grammar","grammar":{"syntax":"regex","definition":"a+"}}}}]`}, Outcome: "left out", How: "the tool's description mentions it"},
	{Parameter: "`tool_choice`", Examples: []string{`"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"required"`, `"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"none"`}, Outcome: "exact", How: "left out for Command R and R+ and older models, which choose freely; with `none` they are not shown the tools"},
	{Parameter: "`tool_choice` of one function", Examples: []string{`"tools":[{"type":"function","function":{"name":"f"}},{"type":"function","function":{"name":"g"}}],"tool_choice":{"type":"function","function":{"name":"g"}}`}, Outcome: "approximated", How: "only that tool is sent, with `REQUIRED`"},
	{Parameter: "`tool_choice` of allowed tools", Examples: []string{`"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"f"}}]}}`}, Outcome: "approximated", How: "only these are sent"},
	{Parameter: "`parallel_tool_calls`", Examples: []string{`"tools":[{"type":"function","function":{"name":"f"}}],"parallel_tool_calls":false`}, Outcome: "left out"},
	{Parameter: "`functions`, `function_call`", Examples: []string{`"functions":[]`, `"function_call":"auto"`}, Outcome: "impossible"},
	{Parameter: "`response_format` with a schema", Examples: []string{`"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}}`}, Outcome: "exact", How: "`json_object` with the schema as it was spelled, with its `description` in it"},
	{Parameter: "`response_format` `json_object`", Examples: []string{`"response_format":{"type":"json_object"}`}, Outcome: "exact"},
	{Parameter: "`response_format` beside tools", Examples: []string{`"tools":[{"type":"function","function":{"name":"f"}}],"response_format":{"type":"json_object"}`}, Outcome: "left out", How: "the API does not take both, nor a format beside `documents`"},
	{Parameter: "`reasoning_effort`", Examples: []string{`"reasoning_effort":"low"`, `"reasoning_effort":"high"`}, Outcome: "approximated", How: "`thinking` with a budget (minimal 1,024, low 2,048, medium 10,000, high 16,384, above 32,768 tokens; at most three quarters of `max_completion_tokens`). Left out for models that do not think: Command A of March 2025, its vision and translation, Command R and older"},
	{Parameter: "`reasoning_effort` `none`", Examples: []string{`"reasoning_effort":"none"`}, Outcome: "exact", How: "models that think do so unless asked not to"},
	{Parameter: "`documents`, `citation_options`, `safety_mode`, `priority`", Examples: []string{`"documents":["d"]`}, Outcome: "exact", How: "not OpenAI's, but taken"},
	{Parameter: "`stream`, `stream_options`", Examples: []string{`"stream":true,"stream_options":{"include_usage":true}`}, Outcome: "exact"},
	{Parameter: "`n`", Examples: []string{`"n":2`}, Outcome: "left out", How: "one choice is answered"},
	{Parameter: "`logprobs`, `top_logprobs`", Examples: []string{`"logprobs":true`, `"top_logprobs":2`}, Outcome: "left out", How: "the API reports them for pieces of several tokens"},
	{Parameter: "`logit_bias`", Examples: []string{`"logit_bias":{"1":2}`}, Outcome: "left out"},
	{Parameter: "`user`, `safety_identifier`", Examples: []string{`"user":"u-1"`, `"safety_identifier":"u-1"`}, Outcome: "left out"},
	{Parameter: "`service_tier`", Examples: []string{`"service_tier":"default"`}, Outcome: "left out"},
	{Parameter: "`cache_control`", Examples: []string{`"cache_control":{"type":"ephemeral"}`}, Outcome: "left out", How: "at tools, messages and their parts too"},
	{Parameter: "`prediction`", Examples: []string{`"prediction":{"type":"content","content":"x"}`}, Outcome: "left out"},
	{Parameter: "`modalities`, `audio`", Examples: []string{`"modalities":["text","audio"]`, `"audio":{"voice":"alloy","format":"wav"}`}, Outcome: "left out"},
	{Parameter: "`store`, `metadata`", Examples: []string{`"store":true`, `"metadata":{"a":"b"}`}, Outcome: "left out"},
	{Parameter: "`prompt_cache_key`, `prompt_cache_retention`, `prompt_cache_options`", Examples: []string{`"prompt_cache_key":"k"`, `"prompt_cache_retention":"24h"`, `"prompt_cache_options":{"mode":"explicit"}`}, Outcome: "left out"},
	{Parameter: "`verbosity`", Examples: []string{`"verbosity":"low"`}, Outcome: "left out"},
	{Parameter: "`web_search_options`", Examples: []string{`"web_search_options":{}`}, Outcome: "left out"},
	{Parameter: "`moderation`", Examples: []string{`"moderation":{"model":"omni-moderation-latest"}`}, Outcome: "left out"},
}

// parts are the lines of docs/how-it-works/translation/cohere.md on parts of messages.
var parts = []dialecttest.Row{
	{Parameter: "system and developer messages", Examples: []string{`"messages":[{"role":"system","content":"a"},{"role":"user","content":"hi"},{"role":"developer","content":"b"}]`}, Outcome: "approximated", How: "those before the first turn go before all others, as one message; they can hold text only; where there are no others, as the user's; what the system says after the first turn keeps its place as a turn of the user's, marked `<system-reminder>`"},
	{Parameter: "texts", Examples: []string{`"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"\u00e4"}]}]`}, Outcome: "exact", How: "as they are spelled; empty ones of the system and of the assistant are not sent"},
	{Parameter: "tool calls and results", Examples: []string{`"messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_1","content":"r"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`}, Outcome: "exact", How: "with their ids; a result can hold text only"},
	{Parameter: "images", Examples: []string{`"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}]`, `"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://a/b.png"}}]}]`}, Outcome: "exact", How: "of the user, `data:` URLs or others, with their `detail`; `original` is left out"},
	{Parameter: "files, audio", Examples: []string{`"messages":[{"role":"user","content":[{"type":"text","text":"x"},{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,aGk="}}]}]`, `"messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"aGk=","format":"wav"}}]}]`}, Outcome: "impossible"},
	{Parameter: "`thinking_blocks`", Examples: []string{`"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"a","thinking_blocks":[{"type":"thinking","thinking":"t","signature":"EqoB"}]},{"role":"user","content":"hi"}]`}, Outcome: "approximated", How: "sent to models that think, without their signatures; not sent to others, without an announcement"},
	{Parameter: "`name`", Examples: []string{`"messages":[{"role":"user","name":"ann","content":"hi"}]`}, Outcome: "left out"},
}
