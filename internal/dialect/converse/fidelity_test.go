package converse_test

import "github.com/weirproxy/weir/internal/dialecttest"

// fidelity is what becomes of each parameter: the table of docs/fidelity.md.
var fidelity = []dialecttest.Row{
	{Parameter: "`max_completion_tokens`, `max_tokens`", Examples: []string{`"max_completion_tokens":300`, `"max_tokens":300`}, Outcome: "exact", How: "`inferenceConfig.maxTokens`. If the caller does not say, nothing is sent, but with a thinking budget 16,384 and the budget"},
	{Parameter: "`temperature` up to 1", Examples: []string{`"temperature":0.3`}, Outcome: "exact", How: "for Claude as in [Anthropic's own API](#anthropic), as are `top_p` and `top_k`"},
	{Parameter: "`temperature` above 1", Examples: []string{`"temperature":1.5`}, Outcome: "left out", How: "1 is sent, and it is announced"},
	{Parameter: "`top_p`", Examples: []string{`"top_p":0.9`}, Outcome: "exact", How: "`topP`"},
	{Parameter: "`top_k`", Examples: []string{`"top_k":5`}, Outcome: "exact", How: "not OpenAI's, but taken: Claude `top_k`, Nova `inferenceConfig.topK`, both in `additionalModelRequestFields`; left out for others"},
	{Parameter: "`stop`", Examples: []string{`"stop":["END"]`}, Outcome: "exact", How: "`stopSequences`"},
	{Parameter: "`stop` of white space", Examples: []string{`"stop":["\n"]`}, Outcome: "left out", How: "models refuse such; others in the list are sent"},
	{Parameter: "`tools`", Examples: []string{`"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`}, Outcome: "exact", How: "`inputSchema.json` has the schema as it was spelled"},
	{Parameter: "`tools[].function.strict`", Examples: []string{`"tools":[{"type":"function","function":{"name":"f","strict":true}}]`}, Outcome: "exact", How: "left out for models without structured output, and for parameters that it refuses: bounds, open objects"},
	{Parameter: "custom tools", Examples: []string{`"tools":[{"type":"custom","custom":{"name":"f"}}]`}, Outcome: "approximated", How: "[as functions](#custom-tools), chosen and called likewise"},
	{Parameter: "`tools[].custom.format` of a grammar", Examples: []string{`"tools":[{"type":"custom","custom":{"name":"f","format":{"type":"grammar","grammar":{"syntax":"regex","definition":"a+"}}}}]`}, Outcome: "left out", How: "the tool's description tells of it"},
	{Parameter: "`tool_choice`", Examples: []string{`"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"required"`, `"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"none","top_p":0.9`, `"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":{"type":"function","function":{"name":"f"}}`}, Outcome: "exact", How: "Claude and Nova; left out for others"},
	{Parameter: "`tool_choice` of allowed tools", Examples: []string{`"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"f"}}]}}`}, Outcome: "approximated", How: "only these are sent"},
	{Parameter: "`parallel_tool_calls`", Examples: []string{`"tools":[{"type":"function","function":{"name":"f"}}],"parallel_tool_calls":false`}, Outcome: "exact", How: "Claude: `tool_choice.disable_parallel_tool_use` in `additionalModelRequestFields`; left out for others"},
	{Parameter: "`functions`, `function_call`", Examples: []string{`"functions":[]`, `"function_call":"auto"`}, Outcome: "impossible"},
	{Parameter: "`response_format` with a schema", Examples: []string{`"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object","properties":{"name":{"type":"string"}},"additionalProperties":false}}}`}, Outcome: "exact", How: "`outputConfig.textFormat`, the schema as it was spelled, and closed, `description` beside it: Claude 4.5 and 4.6, Qwen3, Mistral Large 3, GLM; one of a map, of itself or with a negation, and for other models of Claude [by a tool](#forms-by-a-tool), left out for all others"},
	{Parameter: "`response_format` with bounds", Examples: []string{`"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object","properties":{"age":{"type":"integer","minimum":1}},"additionalProperties":false}}}`}, Outcome: "left out", How: "structured output refuses `minimum`, `maxLength`, `pattern` and the like: they stand in the `description` of what they are about, announced as `response_format.json_schema.schema`"},
	{Parameter: "`response_format` `json_object`", Examples: []string{`"response_format":{"type":"json_object"}`}, Outcome: "approximated", How: "Claude only, [by a tool](#forms-by-a-tool)"},
	{Parameter: "`reasoning_effort`", Examples: []string{`"reasoning_effort":"low"`}, Outcome: "approximated", How: "Claude as in [Anthropic's own API](#anthropic), by budget or by effort; Nova 2 `reasoningConfig`, gpt-oss `reasoning_effort`, both low, medium or high; Qwen3 `reasoning_config`, low or high. Left out for others"},
	{Parameter: "`service_tier` `default`, `flex`, `priority`", Examples: []string{`"service_tier":"flex"`}, Outcome: "exact", How: "`serviceTier`; others are left out"},
	{Parameter: "`metadata`", Examples: []string{`"metadata":{"team":"a"}`}, Outcome: "exact", How: "`requestMetadata`, which the account's log of calls shows; left out if a name or value has letters that the API does not take"},
	{Parameter: "`user`, `safety_identifier`", Examples: []string{`"user":"u-1"`, `"safety_identifier":"u-1"`}, Outcome: "exact", How: "in `requestMetadata`, under its own name"},
	{Parameter: "`stream`, `stream_options`", Examples: []string{`"stream_options":{"include_usage":true},"stream":true,"top_p":0.9`}, Outcome: "exact", How: "another address, and binary frames (`application/vnd.amazon.eventstream`)"},
	{Parameter: "`cache_control` at the top", Examples: []string{`"cache_control":{"type":"ephemeral"}`}, Outcome: "left out", How: "see below for tools and parts of messages"},
	{Parameter: "`n`", Examples: []string{`"n":2`}, Outcome: "left out", How: "one choice is answered"},
	{Parameter: "`seed`", Examples: []string{`"seed":1`}, Outcome: "left out"},
	{Parameter: "`logprobs`, `top_logprobs`", Examples: []string{`"logprobs":true`, `"top_logprobs":2`}, Outcome: "left out"},
	{Parameter: "`logit_bias`", Examples: []string{`"logit_bias":{"1":2}`}, Outcome: "left out"},
	{Parameter: "`presence_penalty`, `frequency_penalty`", Examples: []string{`"presence_penalty":0.5`, `"frequency_penalty":0.5`}, Outcome: "left out"},
	{Parameter: "`prediction`", Examples: []string{`"prediction":{"type":"content","content":"x"}`}, Outcome: "left out"},
	{Parameter: "`modalities`, `audio`", Examples: []string{`"modalities":["text","audio"]`, `"audio":{"voice":"alloy","format":"wav"}`}, Outcome: "left out"},
	{Parameter: "`store`", Examples: []string{`"store":true`}, Outcome: "left out"},
	{Parameter: "`prompt_cache_key`, `prompt_cache_retention`, `prompt_cache_options`", Examples: []string{`"prompt_cache_key":"k"`, `"prompt_cache_retention":"24h"`, `"prompt_cache_options":{"mode":"explicit"}`}, Outcome: "left out"},
	{Parameter: "`verbosity`", Examples: []string{`"verbosity":"low"`}, Outcome: "left out"},
	{Parameter: "`web_search_options`", Examples: []string{`"web_search_options":{}`}, Outcome: "left out"},
	{Parameter: "`moderation`", Examples: []string{`"moderation":{"model":"omni-moderation-latest"}`}, Outcome: "left out"},
}

// parts are the lines of docs/fidelity.md on parts of messages.
var parts = []dialecttest.Row{
	{Parameter: "system and developer messages", Examples: []string{`"messages":[{"role":"system","content":"a"},{"role":"user","content":"hi"},{"role":"developer","content":"b"}]`}, Outcome: "approximated", How: "all stand apart from the others, as `system`, in their order"},
	{Parameter: "texts", Examples: []string{`"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"\u00e4"}]}]`}, Outcome: "exact", How: "as they are spelled; empty ones, which the API refuses, are not sent"},
	{Parameter: "several messages of one side in a row", Examples: []string{`"messages":[{"role":"user","content":"hi"},{"role":"user","content":"ho"}]`}, Outcome: "exact", How: "one message, results of tools first: the sides have to take turns. Where one would have to say something but has nothing to say, it says `.`: the user before an assistant who begins (not with Claude and Qwen), the assistant between results of tools and a text with Mistral and Llama, which take results alone, and beside files without a text"},
	{Parameter: "tool calls and results", Examples: []string{`"messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_1","content":"r"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`}, Outcome: "exact", How: "ids that the API does not take, of other letters or longer than 64 (with Mistral: not of nine letters and digits), become others, the same ones the same. Mistral gets results as objects"},
	{Parameter: "earlier calls, but no `tools`", Examples: []string{`"messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_1","content":"r"}]`}, Outcome: "approximated", How: "the tools that were called are named, because the API insists on it; nothing forbids the model to call them, nor with `tool_choice` `none`, which is then left out"},
	{Parameter: "arguments that are no JSON object", Examples: []string{`"messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"[1]"}}]},{"role":"tool","tool_call_id":"call_1","content":"r"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`}, Outcome: "impossible", How: "400 `invalid_value`"},
	{Parameter: "images", Examples: []string{`"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}]`}, Outcome: "exact", How: "PNG, JPEG, GIF and WebP as `data:` URLs, or [fetched](#images-by-url); others are impossible; `detail` is left out"},
	{Parameter: "files", Examples: []string{`"messages":[{"role":"user","content":[{"type":"text","text":"x"},{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,aGk="}}]}]`}, Outcome: "exact", How: "PDF, CSV, Word, Excel, HTML, Markdown and text as `data:` URLs, named by the letters of their names that the API takes and a number; others and `file_id` are impossible"},
	{Parameter: "`cache_control` of texts, tools and results", Examples: []string{`"messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}]`}, Outcome: "exact", How: "a `cachePoint` behind it, with its `ttl`, for Claude; Nova without `ttl`; left out for others"},
	{Parameter: "reasoning of earlier answers", Examples: []string{`"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"a","thinking_blocks":[{"type":"thinking","thinking":"t","signature":"EqoB"}]},{"role":"user","content":"hi"}]`}, Outcome: "exact", How: "[as it was signed](#reasoning), by a model of the same maker; another's, and all for models that are not known to reason (Nova 1, Mistral, Llama, GLM, those without a row here), is left out, as `messages[].thinking_blocks`"},
	{Parameter: "audio", Examples: []string{`"messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"aGk=","format":"wav"}}]}]`}, Outcome: "impossible"},
	{Parameter: "`name`", Examples: []string{`"messages":[{"role":"user","name":"ann","content":"hi"}]`}, Outcome: "left out"},
}
