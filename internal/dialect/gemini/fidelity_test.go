package gemini_test

import "github.com/weirproxy/weir/internal/dialecttest"

// fidelity is what becomes of each parameter: the table of docs/how-it-works/translation/gemini.md.
var fidelity = []dialecttest.Row{
	{Parameter: "`max_completion_tokens`, `max_tokens`", Examples: []string{`"max_completion_tokens":300`, `"max_tokens":300`}, Outcome: "exact", How: "`maxOutputTokens`; as in OpenAI's API, reasoning counts"},
	{Parameter: "`temperature`", Examples: []string{`"temperature":1.5`}, Outcome: "exact"},
	{Parameter: "`top_p`", Examples: []string{`"top_p":0.9`}, Outcome: "exact"},
	{Parameter: "`top_k`", Examples: []string{`"top_k":5`}, Outcome: "exact", How: "not OpenAI's, but taken"},
	{Parameter: "`stop`", Examples: []string{`"stop":["END"]`}, Outcome: "exact", How: "`stopSequences`"},
	{Parameter: "`stop` of more than five", Examples: []string{`"stop":["1","2","3","4","5","6"]`}, Outcome: "left out", How: "the first five are sent, and it is announced"},
	{Parameter: "`seed`", Examples: []string{`"seed":1`}, Outcome: "exact"},
	{Parameter: "`seed` beyond 32 bits", Examples: []string{`"seed":3000000000`}, Outcome: "left out"},
	{Parameter: "`presence_penalty`, `frequency_penalty`", Examples: []string{`"presence_penalty":0.5`, `"frequency_penalty":0.5`}, Outcome: "exact", How: "some models refuse them"},
	{Parameter: "`tools`", Examples: []string{`"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`}, Outcome: "exact", How: "`parametersJsonSchema` has the schema as it was spelled"},
	{Parameter: "`tools[].function.strict`", Examples: []string{`"tools":[{"type":"function","function":{"name":"f","strict":true}}]`}, Outcome: "approximated", How: "the mode `VALIDATED`, which holds all tools to their schemas"},
	{Parameter: "custom tools", Examples: []string{`"tools":[{"type":"custom","custom":{"name":"f"}}]`}, Outcome: "approximated", How: "[as functions](README.md#custom-tools), chosen and called likewise"},
	{Parameter: "`tools[].custom.format` of a grammar", Examples: []string{`"tools":[{"type":"custom","custom":{"name":"f","format":{"type":"grammar","grammar":{"syntax":"regex","definition":"a+"}}}}]`}, Outcome: "left out", How: "the tool's description mentions it"},
	{Parameter: "`tool_choice`", Examples: []string{`"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"required"`, `"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"none"`}, Outcome: "exact", How: "the modes `AUTO`, `NONE`, `ANY`"},
	{Parameter: "`tool_choice` of one tool", Examples: []string{`"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":{"type":"function","function":{"name":"f"}}`}, Outcome: "exact", How: "`allowedFunctionNames`"},
	{Parameter: "`tool_choice` of allowed tools", Examples: []string{`"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"f"}}]}}`}, Outcome: "approximated", How: "only these are sent"},
	{Parameter: "`parallel_tool_calls` false", Examples: []string{`"tools":[{"type":"function","function":{"name":"f"}}],"parallel_tool_calls":false`}, Outcome: "left out"},
	{Parameter: "`functions`, `function_call`", Examples: []string{`"functions":[]`, `"function_call":"auto"`}, Outcome: "impossible"},
	{Parameter: "`response_format` with a schema", Examples: []string{`"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}}`}, Outcome: "exact", How: "`responseJsonSchema`, the schema as it was spelled, with its `description` in it; left out for models before Gemini 2.0, which are only told to answer in JSON"},
	{Parameter: "`response_format` `json_object`", Examples: []string{`"response_format":{"type":"json_object"}`}, Outcome: "exact", How: "`responseMimeType`"},
	{Parameter: "`response_format` beside tools", Examples: []string{`"response_format":{"type":"json_object"},"tools":[{"type":"function","function":{"name":"f"}}]`}, Outcome: "left out", How: "models before Gemini 3 refuse both together"},
	{Parameter: "`reasoning_effort`", Examples: []string{`"reasoning_effort":"low"`}, Outcome: "approximated", How: "by budget for Gemini 2.5 and for names that end in `-latest` (minimal and low 1,024, medium 8,192, above 24,576 tokens, within what the model takes and three quarters of `max_completion_tokens`), by level from Gemini 3 on (the next one above where a model lacks it). `none` turns thinking off, or as low as the model goes. Left out for models that do not think"},
	{Parameter: "`service_tier`", Examples: []string{`"service_tier":"flex"`}, Outcome: "exact", How: "`default` (`standard`), `flex` and `priority`; others are left out"},
	{Parameter: "`stream`, `stream_options`", Examples: []string{`"stream":true,"stream_options":{"include_usage":true}`}, Outcome: "without effect", How: "the path says it, and usage is always told"},
	{Parameter: "`safety_settings`", Examples: []string{`"safety_settings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_NONE"}]`}, Outcome: "exact", How: "not OpenAI's, but taken"},
	{Parameter: "`cached_content`", Examples: []string{`"cached_content":"cachedContents/x"`}, Outcome: "exact", How: "not OpenAI's, but taken"},
	{Parameter: "`n`", Examples: []string{`"n":2`}, Outcome: "exact", How: "`candidateCount`: Gemini 2.0 and 2.5, but for previews and models that draw; left out for others, which refuse it"},
	{Parameter: "`n` above 8", Examples: []string{`"n":9`}, Outcome: "left out", How: "8 are asked for, and it is announced"},
	{Parameter: "`logprobs`, `top_logprobs`", Examples: []string{`"logprobs":true`, `"top_logprobs":2`}, Outcome: "left out", How: "the Gemini API refuses to report them; [Vertex AI](vertex.md) does, for some models"},
	{Parameter: "`logit_bias`", Examples: []string{`"logit_bias":{"1":2}`}, Outcome: "left out"},
	{Parameter: "`user`, `safety_identifier`", Examples: []string{`"user":"u-1"`, `"safety_identifier":"u-1"`}, Outcome: "left out"},
	{Parameter: "`prediction`", Examples: []string{`"prediction":{"type":"content","content":"x"}`}, Outcome: "left out"},
	{Parameter: "`modalities`, `audio`", Examples: []string{`"modalities":["text","audio"]`, `"audio":{"voice":"alloy","format":"wav"}`}, Outcome: "left out"},
	{Parameter: "`store`, `metadata`", Examples: []string{`"store":true`, `"metadata":{"a":"b"}`}, Outcome: "left out"},
	{Parameter: "`prompt_cache_key`, `prompt_cache_retention`, `prompt_cache_options`", Examples: []string{`"prompt_cache_key":"k"`, `"prompt_cache_retention":"24h"`, `"prompt_cache_options":{"mode":"explicit"}`}, Outcome: "left out"},
	{Parameter: "`verbosity`", Examples: []string{`"verbosity":"low"`}, Outcome: "left out"},
	{Parameter: "`web_search_options`", Examples: []string{`"web_search_options":{}`}, Outcome: "left out"},
	{Parameter: "`moderation`", Examples: []string{`"moderation":{"model":"omni-moderation-latest"}`}, Outcome: "left out"},
}

// fidelityOnVertex is what Vertex AI does otherwise.
var fidelityOnVertex = []dialecttest.Row{
	{Parameter: "`logprobs`", Examples: []string{`"logprobs":true`}, Outcome: "exact", How: "`responseLogprobs`: Gemini 2.0, 2.5 Flash and 2.5 Pro; left out for others"},
	{Parameter: "`top_logprobs`", Examples: []string{`"logprobs":true,"top_logprobs":2`}, Outcome: "exact", How: "`logprobs`, which has 20 as its bound too"},
	{Parameter: "`top_logprobs` alone", Examples: []string{`"top_logprobs":2`}, Outcome: "left out"},
	{Parameter: "`logprobs` of a stream", Examples: []string{`"logprobs":true,"stream":true`}, Outcome: "left out", How: "the API refuses them together"},
}

// parts are the lines of docs/how-it-works/translation/gemini.md on parts of messages.
var parts = []dialecttest.Row{
	{Parameter: "system and developer messages", Examples: []string{`"messages":[{"role":"system","content":"a"},{"role":"user","content":"hi"},{"role":"developer","content":"b"}]`}, Outcome: "approximated", How: "those before the first turn go before all others, as `systemInstruction`, in their order; for Gemma, which refuses that, at the head of the user's first turn; where there are no others, as the user's; what the system says after the first turn keeps its place as a turn of the user's, marked `<system-reminder>`"},
	{Parameter: "texts", Examples: []string{`"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"\u00e4"}]}]`}, Outcome: "exact", How: "as they are spelled; empty ones are not sent"},
	{Parameter: "several messages of one side in a row", Examples: []string{`"messages":[{"role":"user","content":"hi"},{"role":"user","content":"ho"}]`}, Outcome: "exact", How: "one turn; results of tools are a turn by themselves"},
	{Parameter: "tool calls and results", Examples: []string{`"messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_1","content":"r"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`}, Outcome: "exact", How: "a result that is a JSON object goes as it is, anything else as `output`. A result of no call is refused with 400 `invalid_value`"},
	{Parameter: "images in results", Examples: []string{`"messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_1","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`}, Outcome: "exact", How: "from Gemini 3 on, as `data:` URLs, on Vertex AI also as others; impossible before"},
	{Parameter: "images", Examples: []string{`"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}]`, `"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://a/b.png"}}]}]`}, Outcome: "exact", How: "`data:` URLs as bytes, others as URIs, which the vendor fetches; `detail` is left out"},
	{Parameter: "files, audio", Examples: []string{`"messages":[{"role":"user","content":[{"type":"text","text":"x"},{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,aGk="}}]}]`, `"messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"aGk=","format":"wav"}}]}]`}, Outcome: "exact", How: "as `data:` URLs of any media type; `file_id` is impossible"},
	{Parameter: "`name`", Examples: []string{`"messages":[{"role":"user","name":"ann","content":"hi"}]`}, Outcome: "left out"},
	{Parameter: "`cache_control`", Examples: []string{`"messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}]`}, Outcome: "left out", How: "the vendor decides what is cached"},
	{Parameter: "reasoning of other vendors", Examples: []string{`"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"a"},{"role":"user","content":"hi"}]`, `"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"a","thinking_blocks":[{"type":"thinking","thinking":"t","signature":"EqoB"}]},{"role":"user","content":"hi"}]`}, Outcome: "not sent", How: "no model can read another's"},
}
