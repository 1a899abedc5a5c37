package gemini_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect/gemini"
	"github.com/weirproxy/weir/internal/llm"
)

// path reads the model, and whether to stream, from the address of a call, or from a model's name. Without either it uses a model
// that accepts most.
func path(address string, r *llm.Request) {
	if u, err := url.Parse(address); err == nil && u.Path != "" {
		address = u.Path
	}
	address = address[strings.LastIndexByte(address, '/')+1:]
	r.Model, address, _ = strings.Cut(address, ":")
	if r.Stream = address == "streamGenerateContent"; r.Model == "" {
		r.Model = "gemini-3-flash"
	}
}

// same are the spellings that the API declares to mean the same. Each rule gets every value of a request, the inner ones first. path
// has the names of the members around it, with a * for each element of a list.
var same = []struct {
	why   string
	apply func(path string, value any) any
}{
	{"names are taken in snake_case, too", camel},
	{"an object is taken for a list of one", listed},
	{"parameters and responseSchema are the older words for what parametersJsonSchema and responseJsonSchema say, in a spelling of their own", schemas},
	{"a default says what holds without it", defaults},
	{"all functions are one list, wherever they are declared", declared},
	{"what one side says is one turn, in however many contents", turns},
}

// plain is a request as the rules have it.
func plain(request any) any { return spelled("", request) }

// nameless is a request without the ids of calls and results. Vertex AI is sent none, because its first version refuses them.
func nameless(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			if call, ok := inner.(map[string]any); ok && slices.Contains([]string{"functioncall", "functionresponse"}, loose(name)) {
				delete(call, "id")
			}
			nameless(inner)
		}
	case []any:
		for i := range v {
			nameless(v[i])
		}
	}
	return value
}

func spelled(path string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			v[name] = spelled(path+"."+name, inner)
		}
	case []any:
		for i := range v {
			v[i] = spelled(path+".*", v[i])
		}
	}
	for _, rule := range same {
		value = rule.apply(path, value)
	}
	return value
}

// loose is a path in one spelling.
func loose(path string) string { return strings.ToLower(strings.ReplaceAll(path, "_", "")) }

// callers reports whether the names of what is at a path are the caller's.
func callers(path string) bool {
	path = loose(path) + "."
	return strings.Contains(path, ".args.") || strings.Contains(path, ".response.") || strings.Contains(path, ".parameters") || strings.Contains(path, "schema.")
}

func camel(path string, value any) any {
	object, ok := value.(map[string]any)
	if !ok || callers(path) {
		return value
	}
	out := map[string]any{}
	for name, v := range object {
		words := strings.Split(name, "_")
		for i := 1; i < len(words); i++ {
			words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
		}
		out[strings.Join(words, "")] = v
	}
	return out
}

func listed(path string, value any) any {
	path = loose(path)
	_, one := value.(map[string]any)
	if one && !callers(path) && slices.Contains([]string{"contents", "parts", "tools", "functiondeclarations"}, path[strings.LastIndexByte(path, '.')+1:]) {
		return []any{value}
	}
	return value
}

func schemas(_ string, value any) any {
	if object, ok := value.(map[string]any); ok {
		for older, newer := range map[string]string{"parameters": "parametersJsonSchema", "responseSchema": "responseJsonSchema"} {
			if schema, ok := object[older].(map[string]any); ok {
				delete(object, older)
				object[newer] = jsonSchema(schema)
			}
		}
	}
	return value
}

// jsonSchema is another reading of the API's own schemas.
func jsonSchema(value any) any {
	schema, ok := value.(map[string]any)
	if !ok {
		return value
	}
	out := map[string]any{}
	for name, v := range schema {
		switch name {
		case "nullable":
		case "type":
			if n, ok := v.(json.Number); ok {
				i, _ := strconv.Atoi(n.String())
				v = []string{"", "string", "number", "integer", "boolean", "array", "object", "null"}[i]
			}
			if v = strings.ToLower(v.(string)); schema["nullable"] == true {
				v = []any{v, "null"}
			}
			out[name] = v
		case "properties":
			properties := map[string]any{}
			for name, property := range v.(map[string]any) {
				properties[name] = jsonSchema(property)
			}
			out[name] = properties
		case "items":
			out[name] = jsonSchema(v)
		case "anyOf":
			var list []any
			for _, one := range v.([]any) {
				list = append(list, jsonSchema(one))
			}
			out[name] = list
		case "minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties":
			if text, ok := v.(string); ok {
				v = json.Number(text)
			}
			out[name] = v
		default:
			out[name] = v
		}
	}
	return out
}

// defaults takes out what holds anyway.
func defaults(path string, value any) any {
	object, ok := value.(map[string]any)
	if !ok || callers(path) {
		return value
	}
	drop := func(name string, values ...any) {
		if list, ok := object[name].([]any); ok && len(list) == 1 && slices.Contains(values, list[0]) || !ok && slices.Contains(values, object[name]) {
			delete(object, name)
		}
	}
	switch at := loose(path); {
	case strings.HasSuffix(at, "config"):
		drop("includeThoughts", false)
		drop("responseLogprobs", false)
		drop("responseModalities", "TEXT") // a list of it
		drop("responseMimeType", "text/plain", "")
		drop("candidateCount", json.Number("1"))
		for _, inner := range []string{"thinkingConfig", "functionCallingConfig"} {
			if o, ok := object[inner].(map[string]any); ok && len(o) == 0 {
				delete(object, inner)
			}
		}
	case at == "":
		for _, inner := range []string{"generationConfig", "toolConfig", "tools"} {
			o, _ := object[inner].(map[string]any)
			list, _ := object[inner].([]any)
			if len(o)+len(list) == 0 {
				delete(object, inner)
			}
		}
		if _, ok := object["contents"]; !ok {
			object["contents"] = []any{}
		}
	case at == ".systeminstruction":
		delete(object, "role") // no other vendor says it
	case strings.HasPrefix(at, ".contents.") && object["parts"] != nil && object["role"] == nil:
		object["role"] = "user"
	case strings.HasSuffix(at, ".functioncall") && object["args"] == nil:
		object["args"] = map[string]any{}
	case strings.HasSuffix(at, ".functionresponse") && object["response"] == nil:
		object["response"] = map[string]any{}
	}
	return value
}

func declared(path string, value any) any {
	list, ok := value.([]any)
	if path != ".tools" || !ok {
		return value
	}
	var functions, others []any
	for _, tool := range list {
		object := tool.(map[string]any)
		more, _ := object["functionDeclarations"].([]any)
		functions = append(functions, more...)
		if delete(object, "functionDeclarations"); len(object) > 0 {
			others = append(others, object)
		}
	}
	if functions != nil {
		others = append([]any{map[string]any{"functionDeclarations": functions}}, others...)
	}
	return others
}

func turns(path string, value any) any {
	list, ok := value.([]any)
	if path != ".contents" || !ok {
		return value
	}
	var out []any
	for _, content := range list {
		if len(out) > 0 && out[len(out)-1].(map[string]any)["role"] == content.(map[string]any)["role"] {
			before := out[len(out)-1].(map[string]any)
			before["parts"] = append(before["parts"].([]any), content.(map[string]any)["parts"].([]any)...)
			continue
		}
		out = append(out, content)
	}
	return out
}

// Reading and writing together lose nothing of any recorded request or answer, nor of those in the golden files.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	t.Run("gemini", func(t *testing.T) { unbilled(dialect).RoundTrips(t, "gemini", 22) })
	t.Run("vertex", func(t *testing.T) { unbilled(vertex).RoundTrips(t, "vertex", 17) })
}

// FuzzDecode: what decodes and can be asked for encodes to what decodes and encodes to the same again.
func FuzzDecode(f *testing.F) {
	for _, tt := range own {
		f.Add([]byte(tt))
	}
	dialect.Decodes(f)
}

// own are requests that say what Weir itself never sends.
var own = map[string]string{
	"snake_case": `{"contents":[{"parts":[{"inline_data":{"mime_type":"image/png","data":"eA=="}},{"file_data":{"mime_type":"image/png","file_uri":"https://x.example/y"}}]}],
		"system_instruction":{"parts":{"text":"s"}},"generation_config":{"max_output_tokens":5,"top_p":0.5,"stop_sequences":["x"],"response_mime_type":"application/json"},
		"safety_settings":[{"category":"X"}],"cached_content":"c","service_tier":"flex","tool_config":{"function_calling_config":{}}}`,
	"calls without ids": `{"contents":[{"parts":[{"text":"x"}]},{"role":"model","parts":[{"functionCall":{"name":"f"},"thoughtSignature":"c2ln"},{"functionCall":{"name":"f","args":{"a":1}}}]},
		{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"a"}}},{"functionResponse":{"name":"f"}}]}]}`,
	"calls with ids": `{"contents":[{"parts":[{"text":"x"}]},{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}},"thoughtSignature":"c2ln"}]},
		{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{"output":"{\"a\":1}","x":[{}]}}}]}]}`,
	"what tools answer": `{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"error":"bad"}}},{"functionResponse":{"name":"f","response":{"error":{"code":1}}}},
		{"functionResponse":{"name":"f","response":{"output":"{}"}}},{"functionResponse":{"name":"f","response":{"error":"{}"}}},{"functionResponse":{"name":"f","response":{"result":"x"}}},
		{"functionResponse":{"name":"f","response":{"output":"x"},"parts":[{"inlineData":{"mimeType":"image/png","data":"eA=="}}]}},
		{"functionResponse":{"name":"f","response":{},"willContinue":true}},{"functionResponse":{"name":"f","response":{},"parts":[{"inlineData":{"mimeType":"audio/wav","data":"eA=="}}]}}]}]}`,
	"thoughts": `{"contents":[{"role":"user","parts":[{"text":"x"}]},{"role":"model","parts":[{"text":"hm","thought":true},{"text":"hm","thought":true,"thoughtSignature":"c2ln"},{"text":"","thoughtSignature":"c2ln"},{"text":"y"}]},
		{"parts":[{"inlineData":{"mimeType":"image/png","data":"eA=="},"thoughtSignature":"c2ln"}]}]}`,
	"parts of its own": `{"contents":[{"role":"user","parts":[{"executableCode":{"language":"PYTHON","code":"1"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}},
		{"text":"x","partMetadata":{"a":1}},{"fileData":{"mimeType":"video/mp4","fileUri":"https://x.example/y"},"videoMetadata":{"fps":1}},{"fileData":{"fileUri":"gs://b/x.png","mimeType":"image/png"}},
		{"inlineData":{"mimeType":"image/png","data":"eA==","displayName":"n"}},{"fileData":{"mimeType":"image/png","fileUri":"https://generativelanguage.googleapis.com/v1beta/files/x"}}]}]}`,
	"tools": `{"contents":[{"parts":[{"text":"x"}]}],"tools":[{"functionDeclarations":[{"name":"f","description":"","parameters":{"type":"OBJECT","properties":{"a":{"type":"STRING","nullable":true},"max_items":{"type":3},
		"b":{"type":"ARRAY","items":{"anyOf":[{"type":"NUMBER"},{"type":"BOOLEAN"}]},"maxItems":"4"}},"required":["a"],"propertyOrdering":["b","a"]}}]},{"googleSearch":{}},
		{"functionDeclarations":[{"name":"g","parametersJsonSchema":{"type":"object","properties":{"a_b":{"type":"string"}}}},{"name":"h","behavior":"NON_BLOCKING"}],"codeExecution":{}},{"urlContext":{}}],
		"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]}}}`,
	"two that are allowed": `{"contents":[{"parts":[{"text":"x"}]}],"tools":{"functionDeclarations":{"name":"f"}},"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f","g"]},"retrievalConfig":{"languageCode":"en"}}}`,
	"held to the schema":   `{"contents":[{"parts":[{"text":"x"}]}],"tools":[{"functionDeclarations":[{"name":"f"}]}],"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED"}}}`,
	"no tools to choose":   `{"contents":[{"parts":[{"text":"x"}]}],"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}}`,
	"config": `{"contents":[{"parts":[{"text":"x"}]}],"generationConfig":{"temperature":1,"topK":40,"seed":7,"presencePenalty":0.1,"frequencyPenalty":0.1,"candidateCount":1,"responseLogprobs":false,
		"responseModalities":["TEXT","IMAGE"],"mediaResolution":"MEDIA_RESOLUTION_LOW","speechConfig":{"voiceConfig":{}},"responseMimeType":"text/x.enum","responseSchema":{"type":"STRING","enum":["a"]}},
		"labels":{"a":"b"},"store":false}`,
	"an older schema":           `{"contents":[{"parts":[{"text":"x"}]}],"generationConfig":{"responseMimeType":"application/json","responseSchema":{"type":"OBJECT","properties":{"type":{"type":"INTEGER"}}}}}`,
	"a schema without its type": `{"contents":[{"parts":[{"text":"x"}]}],"generationConfig":{"responseJsonSchema":{"type":"object"}}}`,
	"thoughts alone":            `{"contents":[{"parts":[{"text":"x"}]}],"generationConfig":{"thinkingConfig":{"includeThoughts":true}}}`,
	"a level alone":             `{"contents":[{"parts":[{"text":"x"}]}],"generationConfig":{"thinkingConfig":{"thinkingLevel":"LOW"}}}`,
	"a level and thoughts":      `{"contents":[{"parts":[{"text":"x"}]}],"generationConfig":{"thinkingConfig":{"thinkingLevel":"HIGH","includeThoughts":true}}}`,
	"a budget alone":            `{"contents":[{"parts":[{"text":"x"}]}],"generationConfig":{"thinkingConfig":{"thinkingBudget":500,"includeThoughts":false}}}`,
	"a budget of the model's":   `{"contents":[{"parts":[{"text":"x"}]}],"generationConfig":{"thinkingConfig":{"thinkingBudget":-1,"includeThoughts":true}}}`,
}

// Whatever a request says comes out again.
func TestItsOwn(t *testing.T) {
	t.Parallel()
	for name, body := range own {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dialect.SameRequest(t, "gemini-3-flash:generateContent", []byte(body))
		})
	}
}

// A fault in a request is reported with the name of the member.
func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	content := func(parts string) string { return `{"contents":[{"parts":[` + parts + `]}]}` }
	config := func(members string) string { return `{"contents":[],"generationConfig":{` + members + `}}` }
	for body, param := range map[string]string{
		`[]`:                            "",
		`{"contents":[],"contents":[]}`: "",
		`{"contents":"x"}`:              "contents",
		`{"contents":[1]}`:              "contents[0]",
		`{"contents":[{}]}`:             "contents[0].parts",
		`{"contents":[],"a.b":1}`:       "a.b",
		`{"systemInstruction":"x"}`:     "systemInstruction",
		`{"tools":[1]}`:                 "tools[0]",
		`{"contents":[{"role":"system","parts":[{"text":"x"}]}]}`: "contents[0].role",
		content(``):           "contents[0].parts",
		content(`{}`):         "contents[0].parts[0]",
		content(`{"text":1}`): "contents[0].parts[0].text",
		content(`{"text":"x","inlineData":{"mimeType":"image/png","data":"eA=="}}`):                     "contents[0].parts[0]",
		content(`{"inlineData":{"mimeType":"image/png"}}`):                                              "contents[0].parts[0].inlineData",
		content(`{"inlineData":{"data":"eA=="}}`):                                                       "contents[0].parts[0].inlineData.mimeType",
		content(`{"inlineData":{"mimeType":"image/png","data":"?"}}`):                                   "contents[0].parts[0].inlineData.data",
		content(`{"inlineData":{"mimeType":"image/\"","data":"eA=="}}`):                                 "contents[0].parts[0].inlineData.mimeType",
		content(`{"functionCall":{"args":{}}}`):                                                         "contents[0].parts[0].functionCall.name",
		content(`{"functionCall":{"name":"f","args":[]}}`):                                              "contents[0].parts[0].functionCall.args",
		content(`{"functionResponse":{"response":{}}}`):                                                 "contents[0].parts[0].functionResponse.name",
		content(`{"functionResponse":{"name":"f","response":"x"}}`):                                     "contents[0].parts[0].functionResponse.response",
		config(`"temperature":"warm"`):                                                                  "generationConfig.temperature",
		config(`"maxOutputTokens":0`):                                                                   "generationConfig.maxOutputTokens",
		config(`"stopSequences":[""]`):                                                                  "generationConfig.stopSequences[0]",
		config(`"a.b":1`):                                                                               "generationConfig.a.b",
		config(`"thinkingConfig":{"thinkingBudget":0.5}`):                                               "generationConfig.thinkingConfig.thinkingBudget",
		config(`"thinkingConfig":{"thinkingBudget":5,"thinkingLevel":"LOW"}`):                           "generationConfig.thinkingConfig",
		`{"tools":[{"functionDeclarations":[{}]}]}`:                                                     "tools[0].functionDeclarations[0].name",
		`{"tools":[{"functionDeclarations":[{"name":"f","parameters":{"maxItems":1,"max_items":1}}]}]}`: "tools[0].functionDeclarations[0].parameters",
		`{"toolConfig":{"functionCallingConfig":{"mode":"SOME"}}}`:                                      "toolConfig.functionCallingConfig.mode",
		`{"toolConfig":{"functionCallingConfig":{"mode":"AUTO","allowedFunctionNames":["f"]}}}`:         "toolConfig.functionCallingConfig.allowedFunctionNames",
	} {
		if r, err := gemini.Decode([]byte(body)); err == nil || err.Param != param {
			t.Errorf("%s: %+v, %+v", body, r, err)
		}
	}
}
