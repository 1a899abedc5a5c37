package anthropic_test

import "github.com/weirproxy/weir/internal/dialecttest"

// fidelity is what becomes of each parameter: the table of docs/how-it-works/translation/anthropic.md.
var fidelity = []dialecttest.Row{
	{Parameter: "`max_completion_tokens`, `max_tokens`", Examples: []string{`"max_completion_tokens":300`, `"max_tokens":300`}, Outcome: "exact", How: "`max_tokens`. The API requires it: if the caller sets none, it is 16,384, or less where the model cannot do so much, and the thinking budget on top"},
	{Parameter: "`temperature` up to 1", Examples: []string{`"temperature":0.3`}, Outcome: "exact", How: "models since Claude Opus 4.7 take no sampling parameters: left out for them, as it is while the model thinks, unless it is 1"},
	{Parameter: "`temperature` above 1", Examples: []string{`"temperature":1.5`}, Outcome: "left out", How: "1 is sent, and it is announced"},
	{Parameter: "`top_p`", Examples: []string{`"top_p":0.9`}, Outcome: "exact", How: "left out as `temperature` is, and next to it for Claude 4.1 to 4.6, which refuse both together"},
	{Parameter: "`top_k`", Examples: []string{`"top_k":5`}, Outcome: "exact", How: "not OpenAI's, but taken"},
	{Parameter: "`stop`", Examples: []string{`"stop":["END"]`}, Outcome: "exact", How: "`stop_sequences`"},
	{Parameter: "`stop` of white space", Examples: []string{`"stop":["\n"]`}, Outcome: "left out", How: "the API refuses such; others in the list are sent"},
	{Parameter: "`tools`", Examples: []string{`"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`}, Outcome: "exact", How: "`input_schema` has the schema as it was spelled"},
	{Parameter: "`tools[].function.strict`", Examples: []string{`"tools":[{"type":"function","function":{"name":"f","strict":true}}]`}, Outcome: "exact", How: "left out for models without structured output, and for parameters that it refuses: bounds, open objects"},
	{Parameter: "custom tools", Examples: []string{`"tools":[{"type":"custom","custom":{"name":"f"}}]`}, Outcome: "approximated", How: "[as functions](README.md#custom-tools), chosen and called likewise"},
	{Parameter: "`tools[].custom.format` of a grammar", Examples: []string{`"tools":[{"type":"custom","custom":{"name":"f","format":{"type":"grammar","grammar":{"syntax":"regex","definition":"a+"}}}}]`}, Outcome: "left out", How: "the tool's description mentions it"},
	{Parameter: "`tool_choice`", Examples: []string{`"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"required"`, `"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"none"`, `"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":{"type":"function","function":{"name":"f"}}`}, Outcome: "exact", How: "models that cannot be forced (Fable, Mythos) choose freely: left out"},
	{Parameter: "`tool_choice` of allowed tools", Examples: []string{`"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"f"}}]}}`}, Outcome: "approximated", How: "only these are sent"},
	{Parameter: "`parallel_tool_calls`", Examples: []string{`"tools":[{"type":"function","function":{"name":"f"}}],"parallel_tool_calls":false`}, Outcome: "exact", How: "`disable_parallel_tool_use`"},
	{Parameter: "`functions`, `function_call`", Examples: []string{`"functions":[]`, `"function_call":"auto"`}, Outcome: "impossible"},
	{Parameter: "`response_format` with a schema", Examples: []string{`"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object","properties":{"name":{"type":"string"}},"additionalProperties":false}}}`}, Outcome: "exact", How: "`output_config.format`, the schema as it was spelled, with its `description` in it, and closed; one of a map, of itself or with a negation, and for models before Claude Opus 4.1 [by a tool](#forms-by-a-tool), left out for those of other vendors"},
	{Parameter: "`response_format` with bounds", Examples: []string{`"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object","properties":{"age":{"type":"integer","minimum":1}},"additionalProperties":false}}}`}, Outcome: "left out", How: "structured output refuses `minimum`, `maxLength`, `pattern` and the like: they go into the `description` of what they are about, announced as `response_format.json_schema.schema`"},
	{Parameter: "`response_format` `json_object`", Examples: []string{`"response_format":{"type":"json_object"}`}, Outcome: "approximated", How: "Claude only, [by a tool](#forms-by-a-tool)"},
	{Parameter: "`reasoning_effort`", Examples: []string{`"reasoning_effort":"low"`}, Outcome: "approximated", How: "by budget up to Claude 4.5 (minimal 1,024, low 2,048, medium 10,000, high 16,384, above 32,768 tokens; at most three quarters of `max_completion_tokens`), by effort from 4.6 on. Left out for models that do not think, with a forced tool (an effort is sent all the same, and says how much to say), with no more than 1,024 tokens to spend, and where the reasoning behind the last tool calls was not sent back"},
	{Parameter: "`user`, `safety_identifier`", Examples: []string{`"user":"u-1"`, `"safety_identifier":"u-1"`}, Outcome: "exact", How: "`metadata.user_id`"},
	{Parameter: "`user` with an @", Examples: []string{`"user":"bob@example.com"`}, Outcome: "left out", How: "the API refuses addresses of people"},
	{Parameter: "`service_tier` `default`", Examples: []string{`"service_tier":"default"`}, Outcome: "exact", How: "`standard_only`; others are left out"},
	{Parameter: "`stream`, `stream_options`", Examples: []string{`"stream":true,"stream_options":{"include_usage":true}`}, Outcome: "exact"},
	{Parameter: "`cache_control`", Examples: []string{`"cache_control":{"type":"ephemeral"}`}, Outcome: "exact", How: "not OpenAI's, but taken: at the top, at tools, at messages and at their parts"},
	{Parameter: "`n`", Examples: []string{`"n":2`}, Outcome: "left out", How: "one choice is answered"},
	{Parameter: "`seed`", Examples: []string{`"seed":1`}, Outcome: "left out"},
	{Parameter: "`logprobs`, `top_logprobs`", Examples: []string{`"logprobs":true`, `"top_logprobs":2`}, Outcome: "left out"},
	{Parameter: "`logit_bias`", Examples: []string{`"logit_bias":{"1":2}`}, Outcome: "left out"},
	{Parameter: "`presence_penalty`, `frequency_penalty`", Examples: []string{`"presence_penalty":0.5`, `"frequency_penalty":0.5`}, Outcome: "left out"},
	{Parameter: "`prediction`", Examples: []string{`"prediction":{"type":"content","content":"x"}`}, Outcome: "left out"},
	{Parameter: "`modalities`, `audio`", Examples: []string{`"modalities":["text","audio"]`, `"audio":{"voice":"alloy","format":"wav"}`}, Outcome: "left out"},
	{Parameter: "`store`, `metadata`", Examples: []string{`"store":true`, `"metadata":{"a":"b"}`}, Outcome: "left out"},
	{Parameter: "`prompt_cache_key`, `prompt_cache_retention`, `prompt_cache_options`", Examples: []string{`"prompt_cache_key":"k"`, `"prompt_cache_retention":"24h"`, `"prompt_cache_options":{"mode":"explicit"}`}, Outcome: "left out"},
	{Parameter: "`verbosity`", Examples: []string{`"verbosity":"low"`}, Outcome: "left out"},
	{Parameter: "`web_search_options`", Examples: []string{`"web_search_options":{}`}, Outcome: "left out"},
	{Parameter: "`moderation`", Examples: []string{`"moderation":{"model":"omni-moderation-latest"}`}, Outcome: "left out"},
}

// parts are the lines of docs/how-it-works/translation/anthropic.md on parts of messages.
var parts = []dialecttest.Row{
	{Parameter: "system and developer messages", Examples: []string{`"messages":[{"role":"system","content":"a"},{"role":"user","content":"hi"},{"role":"developer","content":"b"}]`}, Outcome: "approximated", How: "those before the first turn go before all others, as `system`, in their order; where there are no others, as the user's; what the system says after the first turn keeps its place, as a turn of the system's for Claude Opus 4.8 and later models where it comes after one of the user's and before one of the assistant's or the end, which these demand, else as one of the user's, marked `<system-reminder>`"},
	{Parameter: "a beginning of the answer", Examples: []string{`"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"a"}]`}, Outcome: "exact", How: "a last message of the assistant's, which models up to Claude 4.5 continue; impossible for later ones, which refuse it"},
	{Parameter: "texts", Examples: []string{`"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"\u00e4"}]}]`}, Outcome: "exact", How: "as they are spelled; empty ones, which the API refuses, are not sent"},
	{Parameter: "several messages of one side in a row", Examples: []string{`"messages":[{"role":"user","content":"hi"},{"role":"user","content":"ho"}]`}, Outcome: "exact", How: "one message; all results of tools in the one that follows the calls"},
	{Parameter: "tool calls and results", Examples: []string{`"messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_1","content":"r"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`}, Outcome: "exact", How: "ids of other vendors with characters that the API does not take have `_` in their place. If earlier calls are in the conversation but no `tools`, the tools are named, with the choice `none`"},
	{Parameter: "arguments that are no JSON object", Examples: []string{`"messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"[1]"}}]},{"role":"tool","tool_call_id":"call_1","content":"r"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`}, Outcome: "impossible", How: "400 `invalid_value`"},
	{Parameter: "images", Examples: []string{`"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}]`, `"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://a/b.png"}}]}]`}, Outcome: "exact", How: "`data:` URLs as bytes, others as URLs, or [fetched](README.md#images-by-url), which Claude on Vertex AI needs; `detail` is left out"},
	{Parameter: "files", Examples: []string{`"messages":[{"role":"user","content":[{"type":"text","text":"x"},{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,aGk="}}]}]`}, Outcome: "exact", How: "PDF and text as `data:` URLs; `file_id` and other types are impossible"},
	{Parameter: "audio", Examples: []string{`"messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"aGk=","format":"wav"}}]}]`}, Outcome: "impossible"},
	{Parameter: "reasoning of earlier answers", Examples: []string{`"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"a","thinking_blocks":[{"type":"thinking","thinking":"t","signature":"EqoB"}]},{"role":"user","content":"hi"}]`}, Outcome: "exact", How: "[as it was signed](#reasoning), by a model of the same maker; another's is left out, as `messages[].thinking_blocks`"},
	{Parameter: "`name`", Examples: []string{`"messages":[{"role":"user","name":"ann","content":"hi"}]`}, Outcome: "left out"},
}
