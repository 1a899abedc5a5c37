package table

const (
	messagesBare = `{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"hi"}]}`
	messagesTool = `{"model":"m","max_tokens":100,"tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"hi"}]}`
	responseBare = `{"model":"m","input":"hi"}`
	responseTool = `{"model":"m","tools":[{"type":"function","name":"f","parameters":{"type":"object"}}],"input":"hi"}`
	googleBare   = `{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`
	googleTool   = `{"tools":[{"functionDeclarations":[{"name":"f"}]}],"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`
)

// Why nothing is said.
const (
	onlyForm  = "it says how the answer is written, and Weir writes it"
	ofVendor  = "it is about the vendor's own books, and changes no answer"
	inPath    = "the path says it there"
	noThought = "the model does not think unless it is asked to"
	ofMaker   = "only its maker can read it, and the turn is over"
)

func inMessages(blocks string) string {
	return `{"model":"m","max_tokens":100,"messages":[{"role":"user","content":[{"type":"text","text":"hi"},` + blocks + `]}]}`
}

func afterCall(result string) string {
	return `{"model":"m","max_tokens":100,"tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"hi"},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[` + result + `]}]}`
}

func inInput(items string) string {
	return `{"model":"m","input":[{"role":"user","content":"hi"},` + items + `]}`
}

func inContents(parts string) string {
	return `{"contents":[{"role":"user","parts":[{"text":"hi"},` + parts + `]}]}`
}

var carryings = []carrying{
	{title: "Messages", at: "messages", bare: messagesBare, rows: messagesRows},
	{title: "Responses", at: "responses", bare: responseBare, rows: responsesRows},
	{title: "generateContent", at: "generateContent", bare: googleBare, rows: googleRows},
}

var messagesRows = []carried{
	{member: "`max_tokens`", instead: `{"model":"m","max_tokens":300,"messages":[{"role":"user","content":"hi"}]}`},
	{member: "`system`", example: `"system":"be brief"`},
	{member: "`temperature`", example: `"temperature":0.3`},
	{member: "`top_p`", example: `"top_p":0.9`},
	{member: "`top_k`", example: `"top_k":5`},
	{member: "`stop_sequences`", example: `"stop_sequences":["END"]`},
	{member: "`stream`", example: `"stream":true`, quiet: inPath},
	{member: "`thinking` by a budget", instead: `{"model":"m","max_tokens":9000,"thinking":{"type":"enabled","budget_tokens":2048},"messages":[{"role":"user","content":"hi"}]}`, bare: `{"model":"m","max_tokens":9000,"messages":[{"role":"user","content":"hi"}]}`},
	{member: "`thinking` `adaptive`", example: `"thinking":{"type":"adaptive"}`},
	{member: "`thinking` `disabled`", example: `"thinking":{"type":"disabled"}`, quiet: noThought},
	{member: "`output_config.effort`", example: `"output_config":{"effort":"low"}`},
	{member: "`output_config.format`", example: `"output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}}}`},
	{member: "`output_format`", example: `"output_format":{"type":"json_schema","schema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}}`},
	{member: "`tools`", example: `"tools":[{"name":"f","description":"d","input_schema":{"type":"object"}}]`},
	{member: "`tools[].strict`", example: `"tools":[{"name":"f","strict":true,"input_schema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}}]`},
	{member: "tools of the vendor beside others", instead: `{"model":"m","max_tokens":100,"tools":[{"name":"f","input_schema":{"type":"object"}},{"type":"web_search_20250305","name":"web_search"}],"messages":[{"role":"user","content":"hi"}]}`, bare: messagesTool},
	{member: "`tools[].defer_loading`", instead: `{"model":"m","max_tokens":100,"tools":[{"name":"f","input_schema":{"type":"object"}},{"name":"late","input_schema":{"type":"object"},"defer_loading":true}],"messages":[{"role":"user","content":"hi"}]}`, bare: messagesTool, quiet: "the model is not shown the tool yet"},
	{member: "`web_search_20250305` alone", example: `"tools":[{"type":"web_search_20250305","name":"web_search"}]`},
	{member: "tools of the vendor alone", example: `"tools":[{"type":"code_execution_20250522","name":"code_execution"}]`},
	{member: "`tool_choice` `any`", bare: messagesTool, example: `"tool_choice":{"type":"any"}`},
	{member: "`tool_choice` `tool`", bare: messagesTool, example: `"tool_choice":{"type":"tool","name":"f"}`},
	{member: "`tool_choice` `none`", bare: messagesTool, example: `"tool_choice":{"type":"none"}`},
	{member: "`tool_choice.disable_parallel_tool_use`", bare: messagesTool, example: `"tool_choice":{"type":"auto","disable_parallel_tool_use":true}`},
	{member: "`metadata.user_id`", example: `"metadata":{"user_id":"u-1"}`},
	{member: "`service_tier`", example: `"service_tier":"standard_only"`},
	{member: "`cache_control`", example: `"cache_control":{"type":"ephemeral"}`},
	{member: "`context_management`", example: `"context_management":{"edits":[{"type":"clear_tool_uses_20250919"}]}`},
	{member: "`container`", example: `"container":"c"`},
	{member: "`inference_geo`", example: `"inference_geo":"us"`},
	{member: "`mcp_servers`", example: `"mcp_servers":[{"type":"url","name":"s","url":"https://example.com"}]`},
	{member: "`speed`", example: `"speed":"fast"`},
	{member: "`fallbacks`", example: `"fallbacks":[{"model":"claude-haiku-4-5"}]`},
	{member: "`fallback_credit_token`", example: `"fallback_credit_token":"t"`},
	{member: "`diagnostics`", example: `"diagnostics":{"a":true}`},
	{member: "a role `system` between turns", instead: `{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"ho"},{"role":"system","content":"be brief"},{"role":"user","content":"so"}]}`},
	{member: "`cache_control` of a block", instead: inMessages(`{"type":"text","text":"so","cache_control":{"type":"ephemeral"}}`), bare: inMessages(`{"type":"text","text":"so"}`)},
	{member: "`image` of bytes", instead: inMessages(`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}`)},
	{member: "`image` by its address", instead: inMessages(`{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}`)},
	{member: "`document` of bytes", instead: inMessages(`{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"aGk="}}`)},
	{member: "`document` of text", instead: inMessages(`{"type":"document","source":{"type":"text","media_type":"text/plain","data":"hi"}}`)},
	{member: "`document` by its address", instead: inMessages(`{"type":"document","source":{"type":"url","url":"https://example.com/a.pdf"}}`)},
	{member: "`image` of a stored file", instead: inMessages(`{"type":"image","source":{"type":"file","file_id":"f"}}`)},
	{member: "`search_result`", instead: inMessages(`{"type":"search_result","source":"s","title":"t","content":[{"type":"text","text":"r"}]}`)},
	{member: "`container_upload`", instead: inMessages(`{"type":"container_upload","file_id":"f"}`)},
	{member: "`tool_use` and `tool_result`", instead: afterCall(`{"type":"tool_result","tool_use_id":"toolu_1","content":"r"}`)},
	{member: "`tool_result` with `is_error`", instead: afterCall(`{"type":"tool_result","tool_use_id":"toolu_1","is_error":true,"content":"r"}`), bare: afterCall(`{"type":"tool_result","tool_use_id":"toolu_1","content":"r"}`)},
	{member: "`tool_result` with an image", instead: afterCall(`{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]}`)},
	{member: "`thinking` of this maker", instead: `{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"EqoB"},{"type":"text","text":"ho"}]},{"role":"user","content":"so"}]}`, bare: `{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"text","text":"ho"}]},{"role":"user","content":"so"}]}`, quiet: ofMaker},
	{member: "`tool_reference` in a `tool_result`", instead: afterCall(`{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"tool_reference","tool_name":"f"}]}`)},
	{member: "`server_tool_use` with its result", instead: `{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]},{"type":"text","text":"ho"}]},{"role":"user","content":"so"}]}`},
	{member: "`compaction`", instead: `{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"compaction","content":"all of it"}]},{"role":"user","content":"so"}]}`},
}

var responsesRows = []carried{
	{member: "`instructions`", example: `"instructions":"be brief"`},
	{member: "`max_output_tokens`", example: `"max_output_tokens":300`},
	{member: "`temperature`", example: `"temperature":0.3`},
	{member: "`top_p`", example: `"top_p":0.9`},
	{member: "`top_logprobs`", example: `"top_logprobs":2`},
	{member: "`stream`", example: `"stream":true`, quiet: inPath},
	{member: "`stream_options`", example: `"stream_options":{"include_obfuscation":false}`, quiet: onlyForm},
	{member: "`reasoning.effort`", example: `"reasoning":{"effort":"low"}`},
	{member: "`reasoning.summary`", example: `"reasoning":{"summary":"auto"}`, quiet: onlyForm},
	{member: "`text.format`", example: `"text":{"format":{"type":"json_schema","name":"n","strict":true,"schema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}}}`},
	{member: "`text.verbosity`", example: `"text":{"verbosity":"low"}`},
	{member: "`tools` of functions", example: `"tools":[{"type":"function","name":"f","parameters":{"type":"object"}}]`},
	{member: "`tools[].strict`", instead: `{"model":"m","tools":[{"type":"function","name":"f","strict":true,"parameters":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}}],"input":"hi"}`},
	{member: "`custom` tools", example: `"tools":[{"type":"custom","name":"f"}]`},
	{member: "`custom` tools with a grammar", example: `"tools":[{"type":"custom","name":"f","format":{"type":"grammar","syntax":"regex","definition":"a+"}}]`},
	{member: "`namespace`", example: `"tools":[{"type":"namespace","name":"n","tools":[{"type":"function","name":"f","parameters":{"type":"object"}}]}]`},
	{member: "`tool_search`", example: `"tools":[{"type":"tool_search","execution":"client"}]`},
	{member: "built-in tools beside others", instead: `{"model":"m","tools":[{"type":"function","name":"f","parameters":{"type":"object"}},{"type":"file_search","vector_store_ids":["v"]}],"input":"hi"}`, bare: responseTool},
	{member: "`web_search` alone", example: `"tools":[{"type":"web_search"}]`},
	{member: "built-in tools alone", example: `"tools":[{"type":"code_interpreter","container":{"type":"auto"}}]`},
	{member: "`tool_choice` `required`", bare: responseTool, example: `"tool_choice":"required"`},
	{member: "`tool_choice` `none`", bare: responseTool, example: `"tool_choice":"none"`},
	{member: "`tool_choice` of a function", bare: responseTool, example: `"tool_choice":{"type":"function","name":"f"}`},
	{member: "`tool_choice` of allowed tools", bare: `{"model":"m","tools":[{"type":"function","name":"f"},{"type":"function","name":"g"}],"input":"hi"}`, example: `"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[{"type":"function","name":"f"}]}`},
	{member: "`parallel_tool_calls`", bare: responseTool, example: `"parallel_tool_calls":false`},
	{member: "`max_tool_calls`", example: `"max_tool_calls":3`},
	{member: "`user`", example: `"user":"u-1"`},
	{member: "`safety_identifier`", example: `"safety_identifier":"u-1"`},
	{member: "`prompt_cache_key`", example: `"prompt_cache_key":"k"`},
	{member: "`prompt_cache_retention`", example: `"prompt_cache_retention":"24h"`},
	{member: "`service_tier`", example: `"service_tier":"priority"`},
	{member: "`metadata`", example: `"metadata":{"a":"b"}`},
	{member: "`store`", example: `"store":true`, quiet: "Weir answers `store: false`"},
	{member: "`include`", example: `"include":["reasoning.encrypted_content"]`, quiet: onlyForm},
	{member: "`truncation`", example: `"truncation":"auto"`, quiet: "a prompt that is too long is refused"},
	{member: "`client_metadata`", example: `"client_metadata":{"a":"b"}`, quiet: ofVendor},
	{member: "`context_management`", example: `"context_management":[{"type":"compaction","compact_threshold":1000}]`},
	{member: "`previous_response_id`", example: `"previous_response_id":"resp_1"`},
	{member: "`conversation`", example: `"conversation":"conv_1"`},
	{member: "`prompt`", example: `"prompt":{"id":"pmpt_1"}`},
	{member: "`background`", example: `"background":true`},
	{member: "system and developer messages between turns", instead: inInput(`{"role":"assistant","content":"ho"},{"role":"developer","content":"be brief"},{"role":"user","content":"so"}`)},
	{member: "`input_image` of bytes", instead: inInput(`{"role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgo="}]}`)},
	{member: "`input_image` by its address", instead: inInput(`{"role":"user","content":[{"type":"input_image","image_url":"https://example.com/a.png"}]}`)},
	{member: "`input_image` of a stored file", instead: inInput(`{"role":"user","content":[{"type":"input_image","file_id":"f"}]}`)},
	{member: "`input_file` of bytes", instead: inInput(`{"role":"user","content":[{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,aGk="}]}`)},
	{member: "`input_file` by its address", instead: inInput(`{"role":"user","content":[{"type":"input_file","file_url":"https://example.com/a.pdf"}]}`)},
	{member: "`function_call` and its output", instead: `{"model":"m","tools":[{"type":"function","name":"f"}],"input":[{"role":"user","content":"hi"},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"r"}]}`},
	{member: "`custom_tool_call` and its output", instead: `{"model":"m","tools":[{"type":"custom","name":"f"}],"input":[{"role":"user","content":"hi"},{"type":"custom_tool_call","call_id":"c","name":"f","input":"i"},{"type":"custom_tool_call_output","call_id":"c","output":"r"}]}`},
	{member: "`tool_search_call` and its output", instead: `{"model":"m","tools":[{"type":"tool_search","execution":"client"}],"input":[{"role":"user","content":"hi"},{"type":"tool_search_call","call_id":"c","execution":"client","arguments":{"query":"q"}},{"type":"tool_search_output","call_id":"c","execution":"client","tools":[{"type":"function","name":"g"}]}]}`},
	{member: "`additional_tools`", instead: inInput(`{"type":"additional_tools","tools":[{"type":"function","name":"g"}]}`)},
	{member: "`reasoning` of OpenAI", instead: inInput(`{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA"},{"role":"assistant","content":"ho"},{"role":"user","content":"so"}`)},
	{member: "`compaction` of OpenAI", instead: inInput(`{"type":"compaction","encrypted_content":"gAAAA"}`)},
	{member: "`compaction` of Weir", instead: inInput(`{"type":"compaction","encrypted_content":"weir1.eyJraW5kIjoic3VtbWFyeSIsInRleHQiOiJoaSJ9"}`)},
	{member: "`compaction_trigger`", instead: inInput(`{"type":"compaction_trigger"}`)},
	{member: "calls of built-in tools", instead: inInput(`{"type":"web_search_call","id":"ws_1","status":"completed"}`)},
	{member: "`local_shell_call`", instead: inInput(`{"type":"local_shell_call","id":"l","call_id":"c","status":"completed","action":{"type":"exec","command":["ls"],"env":{}}}`)},
	{member: "`mcp_call`", instead: inInput(`{"type":"mcp_call","id":"mcp_1","name":"f","server_label":"s","arguments":"{}"}`)},
	{member: "`item_reference`", instead: inInput(`{"type":"item_reference","id":"msg_1"}`)},
}

var googleRows = []carried{
	{member: "`systemInstruction`", example: `"systemInstruction":{"parts":[{"text":"be brief"}]}`},
	{member: "`maxOutputTokens`", example: `"generationConfig":{"maxOutputTokens":300}`},
	{member: "`temperature`", example: `"generationConfig":{"temperature":0.3}`},
	{member: "`topP`", example: `"generationConfig":{"topP":0.9}`},
	{member: "`topK`", example: `"generationConfig":{"topK":5}`},
	{member: "`candidateCount`", example: `"generationConfig":{"candidateCount":2}`},
	{member: "`stopSequences`", example: `"generationConfig":{"stopSequences":["END"]}`},
	{member: "`seed`", example: `"generationConfig":{"seed":1}`},
	{member: "`presencePenalty`, `frequencyPenalty`", example: `"generationConfig":{"presencePenalty":0.5,"frequencyPenalty":0.5}`},
	{member: "`responseLogprobs`, `logprobs`", example: `"generationConfig":{"responseLogprobs":true,"logprobs":2}`},
	{member: "`responseMimeType` of JSON", example: `"generationConfig":{"responseMimeType":"application/json"}`},
	{member: "`responseSchema`", example: `"generationConfig":{"responseMimeType":"application/json","responseSchema":{"type":"OBJECT","properties":{"a":{"type":"STRING"}},"required":["a"]}}`},
	{member: "`responseJsonSchema`", example: `"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}}`},
	{member: "`responseFormat`", example: `"generationConfig":{"responseFormat":{"text":{"mimeType":"application/json"}}}`},
	{member: "`responseModalities`", example: `"generationConfig":{"responseModalities":["TEXT","IMAGE"]}`},
	{member: "`imageConfig`", example: `"generationConfig":{"imageConfig":{"aspectRatio":"1:1"}}`},
	{member: "`speechConfig`", example: `"generationConfig":{"speechConfig":{"languageCode":"en-US"}}`},
	{member: "`mediaResolution`", example: `"generationConfig":{"mediaResolution":"MEDIA_RESOLUTION_LOW"}`},
	{member: "`thinkingConfig.thinkingLevel`", example: `"generationConfig":{"thinkingConfig":{"thinkingLevel":"LOW"}}`},
	{member: "`thinkingConfig.thinkingBudget`", example: `"generationConfig":{"maxOutputTokens":9000,"thinkingConfig":{"thinkingBudget":2048}}`},
	{member: "`thinkingConfig.includeThoughts`", example: `"generationConfig":{"thinkingConfig":{"includeThoughts":true}}`},
	{member: "`enableAffectiveDialog`", example: `"generationConfig":{"enableAffectiveDialog":true}`},
	{member: "`enableEnhancedCivicAnswers`", example: `"generationConfig":{"enableEnhancedCivicAnswers":true}`},
	{member: "`translationConfig`", example: `"generationConfig":{"translationConfig":{"targetLanguageCode":"de"}}`},
	{member: "`tools[].functionDeclarations`", example: `"tools":[{"functionDeclarations":[{"name":"f","description":"d","parameters":{"type":"OBJECT"}}]}]`},
	{member: "`parametersJsonSchema`", example: `"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":{"type":"object"}}]}]`},
	{member: "`response`, `responseJsonSchema` of a function", bare: googleTool, instead: `{"tools":[{"functionDeclarations":[{"name":"f","response":{"type":"OBJECT"},"responseJsonSchema":{"type":"object"}}]}],"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`},
	{member: "`behavior` of a function", bare: googleTool, instead: `{"tools":[{"functionDeclarations":[{"name":"f","behavior":"NON_BLOCKING"}]}],"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`},
	{member: "built-in tools beside functions", bare: googleTool, instead: `{"tools":[{"functionDeclarations":[{"name":"f"}]},{"googleSearch":{}},{"googleSearchRetrieval":{}},{"googleMaps":{}},{"urlContext":{}},{"codeExecution":{}},{"computerUse":{}},{"fileSearch":{}},{"mcpServers":[]}],"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`},
	{member: "`googleSearch` alone", example: `"tools":[{"googleSearch":{}}]`},
	{member: "built-in tools alone", example: `"tools":[{"codeExecution":{}}]`},
	{member: "`toolConfig` `ANY`", bare: googleTool, example: `"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}`},
	{member: "`toolConfig` `NONE`", bare: googleTool, example: `"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}`},
	{member: "`toolConfig` of allowed functions", bare: `{"tools":[{"functionDeclarations":[{"name":"f"},{"name":"g"}]}],"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`, example: `"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]}}`},
	{member: "`retrievalConfig`", bare: googleTool, example: `"toolConfig":{"retrievalConfig":{"languageCode":"de"}}`},
	{member: "`includeServerSideToolInvocations`", bare: googleTool, example: `"toolConfig":{"includeServerSideToolInvocations":true}`},
	{member: "`safetySettings`", example: `"safetySettings":[{"category":"HARM_CATEGORY_HATE_SPEECH","threshold":"BLOCK_NONE"}]`},
	{member: "`cachedContent`", example: `"cachedContent":"cachedContents/1"`},
	{member: "`serviceTier`", example: `"serviceTier":"priority"`},
	{member: "`store`", example: `"store":true`},
	{member: "`inlineData`", instead: inContents(`{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}`)},
	{member: "`fileData` by its address", instead: inContents(`{"fileData":{"mimeType":"image/png","fileUri":"https://example.com/a.png"}}`)},
	{member: "`fileData` of a PDF by its address", instead: inContents(`{"fileData":{"mimeType":"application/pdf","fileUri":"https://example.com/a.pdf"}}`)},
	{member: "`videoMetadata`, `mediaResolution` of a part", instead: inContents(`{"inlineData":{"mimeType":"video/mp4","data":"aGk="},"videoMetadata":{"fps":1},"mediaResolution":{"level":"MEDIA_RESOLUTION_LOW"},"partMetadata":{"a":"b"}}`)},
	{member: "`functionCall` and `functionResponse`", instead: `{"tools":[{"functionDeclarations":[{"name":"f"}]}],"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"functionCall":{"id":"c","name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"id":"c","name":"f","response":{"output":"r"}}}]}]}`},
	{member: "`thoughtSignature` of Google", instead: `{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"text":"t","thought":true},{"text":"ho","thoughtSignature":"AAAA"}]},{"role":"user","parts":[{"text":"so"}]}]}`, bare: `{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"text":"ho"}]},{"role":"user","parts":[{"text":"so"}]}]}`, quiet: ofMaker},
	{member: "`executableCode`, `codeExecutionResult`", instead: `{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"1"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}},{"text":"ho"}]},{"role":"user","parts":[{"text":"so"}]}]}`},
	{member: "`toolCall`, `toolResponse`", instead: `{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"toolCall":{"toolType":"GOOGLE_SEARCH"}},{"toolResponse":{"toolType":"GOOGLE_SEARCH"}},{"text":"ho"}]},{"role":"user","parts":[{"text":"so"}]}]}`},
}
