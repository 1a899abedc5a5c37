package sim

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ids are the identifiers in answers; the golden answers below have ID instead.
var ids = regexp.MustCompile(`"(chatcmpl-|cmpl-|call_\d\d)[0-9a-f]{24}"`)

func plainIDs(s string) string { return ids.ReplaceAllString(s, `"ID"`) }

const noDetails = `"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}`

func TestChatAnswer(t *testing.T) {
	t.Parallel()
	r := ask(t, mustStart(t, Script{}), "/v1/chat/completions", hello)
	want := `{"id":"ID","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant",` +
		`"content":"This is a simulated answer from Weir's built-in provider. You said: hello","refusal":null,"annotations":[]},"logprobs":null,"finish_reason":"stop"}],` +
		`"usage":{"prompt_tokens":2,"completion_tokens":19,"total_tokens":21,` + noDetails + `},"service_tier":"default","system_fingerprint":"fp_simulated"}`
	if diff := cmp.Diff(want, plainIDs(r.body)); diff != "" {
		t.Error(diff)
	}
	if r.StatusCode != 200 || r.Header.Get("Content-Type") != typeJSON || !strings.HasPrefix(r.Header.Get("X-Request-Id"), "req_") {
		t.Errorf("%d %v", r.StatusCode, r.Header)
	}
}

func TestChatStream(t *testing.T) {
	t.Parallel()
	base := mustStart(t, Script{Tokens: 2})
	chunk := func(choices, usage string) string {
		return `{"id":"ID","object":"chat.completion.chunk","created":1,"model":"m","service_tier":"default","system_fingerprint":"fp_simulated","choices":[` + choices + `]` + usage + `}`
	}
	choice := func(i int, delta, finish string) string {
		return fmt.Sprintf(`{"index":%d,"delta":{%s},"logprobs":null,"finish_reason":%s}`, i, delta, finish)
	}
	const role = `"role":"assistant","content":"","refusal":null`

	r := ask(t, base, "/v1/chat/completions", streamed)
	want := []string{
		chunk(choice(0, role, "null"), ""), chunk(choice(0, `"content":"This"`, "null"), ""), chunk(choice(0, `"content":" is "`, "null"), ""),
		chunk(choice(0, "", `"stop"`), ""), doneMarker,
	}
	if diff := cmp.Diff(want, payloads(t, plainIDs(r.body))); diff != "" {
		t.Error(diff)
	}
	if r.Header.Get("Content-Type") != typeStream {
		t.Errorf("%v", r.Header)
	}

	body := strings.Replace(streamed, "{", `{"n":2,"max_tokens":1,"stream_options":{"include_usage":true},`, 1)
	const null = `,"usage":null`
	want = []string{
		chunk(choice(0, role, "null"), null), chunk(choice(1, role, "null"), null),
		chunk(choice(0, `"content":"This"`, "null"), null), chunk(choice(1, `"content":"This"`, "null"), null),
		chunk(choice(0, "", `"length"`), null), chunk(choice(1, "", `"length"`), null),
		chunk("", `,"usage":{"prompt_tokens":2,"completion_tokens":2,"total_tokens":4,`+noDetails+`}`), doneMarker,
	}
	if diff := cmp.Diff(want, payloads(t, plainIDs(ask(t, base, "/v1/chat/completions", body).body))); diff != "" {
		t.Error(diff)
	}
}

// assembled is what a client makes of a stream.
type assembled struct {
	Content, Reasoning string
	Tools              []chatToolCall
	Finish             string
	Usage              *openAIUsage
}

func assemble(t *testing.T, stream string) assembled {
	t.Helper()
	var a assembled
	for _, p := range payloads(t, stream) {
		if p == doneMarker {
			continue
		}
		chunk := into[struct {
			Choices []struct {
				Delta struct {
					Content          string
					ReasoningContent string     `json:"reasoning_content"`
					ToolCalls        []toolHead `json:"tool_calls"`
				}
				FinishReason string `json:"finish_reason"`
			}
			Usage *openAIUsage
		}](t, p)
		if chunk.Usage != nil {
			a.Usage = chunk.Usage
		}
		for _, choice := range chunk.Choices {
			a.Content += choice.Delta.Content
			a.Reasoning += choice.Delta.ReasoningContent
			a.Finish += choice.FinishReason
			for _, head := range choice.Delta.ToolCalls {
				if head.ID != "" {
					a.Tools = append(a.Tools, head.chatToolCall)
					continue
				}
				if f := a.Tools[head.Index].Function; f != nil {
					f.Arguments += head.Function.Arguments
				} else {
					a.Tools[head.Index].Custom.Input += head.Custom.Input
				}
			}
		}
	}
	return a
}

// However it is asked for, the answer is the same, and the log counts what the usage says.
func TestStreamSaysWhatTheAnswerSays(t *testing.T) {
	t.Parallel()
	const tools = `"tools":[{"type":"function","function":{"name":"weather","parameters":{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","minimum":3}}}}},{"type":"custom","custom":{"name":"shell"}}],`
	for name, test := range map[string]struct {
		extra, user string
		content     string
		reasons     bool
		calls       []string // name and arguments
		finish      string
	}{
		"plain":       {``, "hi", simulated + " You said: hi", false, nil, "stop"},
		"empty":       {``, "", simulated + " You said nothing.", false, nil, "stop"},
		"emoji":       {``, "Grüße 👋🏽👋🏽", simulated + " You said: Grüße 👋🏽👋🏽", false, nil, "stop"},
		"limit":       {`"max_completion_tokens":3,`, "hi", "This is a si", false, nil, "length"},
		"stop":        {`"stop":["You"],`, "hi", simulated + " ", false, nil, "stop"},
		"one stop":    {`"stop":" is",`, "hi", "This", false, nil, "stop"},
		"reasoning":   {`"reasoning_effort":"low",`, "hi", simulated + " You said: hi", true, nil, "stop"},
		"no effort":   {`"reasoning_effort":"none",`, "hi", simulated + " You said: hi", false, nil, "stop"},
		"all thought": {`"reasoning_effort":"high","max_tokens":2,`, "hi", "", true, nil, "length"},
		"tool":        {tools, "hi", "", false, []string{`weather {"city":"simulated","days":3}`}, "tool_calls"},
		"named":       {tools + `"tool_choice":{"type":"custom","custom":{"name":"shell"}},`, "hi", "", false, []string{"shell simulated input"}, "tool_calls"},
		"parallel":    {tools, "in parallel!", "", false, []string{`weather {"city":"simulated","days":3}`, "shell simulated input"}, "tool_calls"},
		"one by one":  {tools + `"parallel_tool_calls":false,`, "in parallel!", "", false, []string{`weather {"city":"simulated","days":3}`}, "tool_calls"},
		"no tool":     {tools + `"tool_choice":"none",`, "hi", simulated + " You said: hi", false, nil, "stop"},
		"cut tool":    {tools + `"max_tokens":2,`, "hi", "", false, []string{`weather {"city":`}, "length"},
		"json":        {`"response_format":{"type":"json_object"},`, "hi", `{"simulated":true,"answer":"` + simulated + ` You said: hi"}`, false, nil, "stop"},
		"schema":      {`"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":{"type":"object","properties":{"z":{"enum":["b"]},"a":{"type":"array","items":{"type":"boolean"}}}}}},`, "hi", `{"z":"b","a":[true]}`, false, nil, "stop"},
		"nulls":       {`"stop":null,"tools":null,"max_tokens":null,"n":null,"tool_choice":null,"response_format":null,"reasoning_effort":null,`, "hi", simulated + " You said: hi", false, nil, "stop"},
	} {
		s, base := start(t, Script{})
		body := fmt.Sprintf(`{%s"model":"m","messages":[{"role":"user","content":%s}]}`, test.extra, marshal(test.user))
		full := into[chatCompletion](t, ask(t, base, "/v1/chat/completions", body).body)
		got := assemble(t, ask(t, base, "/v1/chat/completions", strings.Replace(body, "{", `{"stream":true,"stream_options":{"include_usage":true},`, 1)).body)
		m := full.Choices[0].Message
		var calls []string
		for _, call := range got.Tools {
			if call.Function != nil {
				calls = append(calls, call.Function.Name+" "+call.Function.Arguments)
			} else {
				calls = append(calls, call.Custom.Name+" "+call.Custom.Input)
			}
		}
		if got.Content != test.content || (got.Reasoning != "") != test.reasons || got.Finish != test.finish || !cmp.Equal(calls, test.calls) {
			t.Errorf("%s: %+v %q", name, got, calls)
		}
		if (m.Content == nil) != (calls != nil) || m.Content != nil && *m.Content != got.Content || m.ReasoningContent != got.Reasoning || full.Choices[0].FinishReason != got.Finish {
			t.Errorf("%s: the complete answer differs: %+v", name, m)
		}
		for i, call := range m.ToolCalls {
			call.ID, got.Tools[i].ID = "", ""
			if diff := cmp.Diff(call, got.Tools[i]); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
		if diff := cmp.Diff(&full.Usage, got.Usage); diff != "" {
			t.Errorf("%s: usage: %s", name, diff)
		}
		if (full.Usage.CompletionTokensDetails.ReasoningTokens > 0) != test.reasons || full.Usage.TotalTokens != full.Usage.PromptTokens+full.Usage.CompletionTokens {
			t.Errorf("%s: %+v", name, full.Usage)
		}
		for _, c := range ended(t, s, 2) {
			if c.PromptTokens != full.Usage.PromptTokens || c.CompletionTokens != full.Usage.CompletionTokens || !c.Completed {
				t.Errorf("%s: the log has %d, %d, completed %v; the usage says %+v", name, c.PromptTokens, c.CompletionTokens, c.Completed, full.Usage)
			}
		}
	}
}

func TestChatConversation(t *testing.T) {
	t.Parallel()
	base := mustStart(t, Script{})
	const turn = `{"model":"m","tools":[{"type":"function","function":{"name":"f"}}],"messages":[
		{"role":"system","content":"be brief"},
		{"role":"user","content":[{"type":"text","text":"look: "},{"type":"image_url","image_url":{"url":"x"}},{"type":"text","text":"there"},{"type":"image_url","image_url":{"url":"y"}}]},
		{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"1","content":"sunny"}]}`
	got := into[chatCompletion](t, ask(t, base, "/v1/chat/completions", turn).body)
	if text := *got.Choices[0].Message.Content; text != simulated+" The tool answered: sunny (with 2 images)" || got.Choices[0].FinishReason != "stop" {
		t.Errorf("%q", text)
	}
	// be brief 2, look: there 3, two images 170, call 1+1, sunny 2, tool's name 1
	if got.Usage.PromptTokens != 180 {
		t.Errorf("%+v", got.Usage)
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	base := mustStart(t, Script{Tokens: 1000, Rules: []Rule{{Match: Match{Model: "short"}, Tokens: 1}}})
	for model, want := range map[string]int{"m": 1000, "short": 1} {
		r := ask(t, base, "/v1/chat/completions", strings.Replace(hello, `"m"`, `"`+model+`"`, 1))
		if got := into[chatCompletion](t, r.body).Usage.CompletionTokens; got != want {
			t.Errorf("%s: %d tokens", model, got)
		}
	}
}

func TestLegacyCompletions(t *testing.T) {
	t.Parallel()
	base := mustStart(t, Script{})
	type answer struct {
		Object  string
		Choices []textValue
		Usage   openAIUsage
	}
	r := ask(t, base, "/v1/completions", `{"model":"m","prompt":"one"}`)
	want := `{"id":"ID","object":"text_completion","created":1,"model":"m","choices":[{"text":" This is a simulated answer from Weir's built-in provider. You s","index":0,"logprobs":null,"finish_reason":"length"}],` +
		`"usage":{"prompt_tokens":1,"completion_tokens":16,"total_tokens":17},"system_fingerprint":"fp_simulated"}`
	if diff := cmp.Diff(want, plainIDs(r.body)); diff != "" {
		t.Error(diff)
	}
	for _, test := range []struct {
		body  string
		texts []string
		usage openAIUsage
	}{
		{`{"model":"m","prompt":["one","two"],"n":2,"echo":true,"max_tokens":1}`, []string{"one Thi", "one Thi", "two Thi", "two Thi"}, openAIUsage{PromptTokens: 2, CompletionTokens: 4, TotalTokens: 6}},
		{`{"model":"m","prompt":[1,2,3],"max_tokens":2,"echo":true}`, []string{"[1 2 3] This is"}, openAIUsage{PromptTokens: 3, CompletionTokens: 2, TotalTokens: 5}},
		{`{"model":"m","prompt":[[1],[2,3]],"max_tokens":0}`, []string{"", ""}, openAIUsage{PromptTokens: 3, TotalTokens: 3}},
		{`{"model":"m","prompt":"x","stop":" answer"}`, []string{" This is a simulated"}, openAIUsage{PromptTokens: 1, CompletionTokens: 5, TotalTokens: 6}},
	} {
		full := into[answer](t, ask(t, base, "/v1/completions", test.body).body)
		pieces := payloads(t, ask(t, base, "/v1/completions", strings.Replace(test.body, "{", `{"stream":true,"stream_options":{"include_usage":true},`, 1)).body)
		texts := make([]string, len(full.Choices))
		var usage *openAIUsage
		for _, p := range pieces[:len(pieces)-1] {
			chunk := into[struct {
				Choices []textValue
				Usage   *openAIUsage
			}](t, p)
			usage = chunk.Usage
			for _, choice := range chunk.Choices {
				texts[choice.Index] += choice.Text
			}
		}
		for i, choice := range full.Choices {
			if choice.Index != i || choice.Text != test.texts[i] || texts[i] != test.texts[i] {
				t.Errorf("%s: %q, streamed %q", test.body, choice.Text, texts[i])
			}
		}
		if len(texts) != len(test.texts) || !cmp.Equal(full.Usage, test.usage) || usage == nil || !cmp.Equal(*usage, test.usage) || pieces[len(pieces)-1] != doneMarker {
			t.Errorf("%s: %+v, streamed %+v", test.body, full.Usage, usage)
		}
	}
}

func TestEmbeddings(t *testing.T) {
	t.Parallel()
	base := mustStart(t, Script{})
	type list struct {
		Object string
		Model  string
		Data   []struct {
			Object    string
			Index     int
			Embedding json.RawMessage
		}
		Usage openAIUsage
	}
	get := func(body string) list { return into[list](t, ask(t, base, "/v1/embeddings", body).body) }

	floats := get(`{"model":"m","input":["one","three"],"dimensions":8}`)
	coded := get(`{"model":"m","input":["three"],"dimensions":8,"encoding_format":"base64"}`)
	vector := into[[]float32](t, string(floats.Data[1].Embedding))
	raw, err := base64.StdEncoding.DecodeString(into[string](t, string(coded.Data[0].Embedding)))
	if err != nil || len(raw) != 4*8 || len(vector) != 8 {
		t.Fatalf("%v: %d bytes, %d numbers", err, len(raw), len(vector))
	}
	var square float64
	for i, x := range vector {
		square += float64(x) * float64(x)
		if got := math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])); got != x {
			t.Errorf("number %d is %v, in base64 %v", i, x, got)
		}
	}
	if math.Abs(square-1) > 1e-6 {
		t.Errorf("the length is %v", math.Sqrt(square))
	}
	if string(floats.Data[0].Embedding) == string(floats.Data[1].Embedding) || floats.Data[1].Index != 1 || floats.Object != "list" || floats.Data[0].Object != "embedding" {
		t.Errorf("%+v", floats)
	}
	if floats.Usage.PromptTokens != 3 || floats.Usage.TotalTokens != 3 {
		t.Errorf("%+v", floats.Usage)
	}
	for body, want := range map[string]int{
		`{"model":"m","input":"x"}`:                                 1,
		`{"model":"m","input":[7,8,9]}`:                             3,
		`{"model":"m","input":[[7,8],[9]],"encoding_format":null}`:  3,
		`{"model":"m","input":["a","b"],"encoding_format":"float"}`: 2,
	} {
		got := get(body)
		if got.Usage.PromptTokens != want || len(into[[]float32](t, string(got.Data[0].Embedding))) != defaultDimensions {
			t.Errorf("%s: %+v", body, got.Usage)
		}
	}
}

func TestModels(t *testing.T) {
	t.Parallel()
	base := mustStart(t, Script{Models: []string{"b", "org/a"}})
	r := do(t, http.MethodGet, base+"/v1/models", "")
	want := `{"object":"list","data":[{"id":"b","object":"model","created":1,"owned_by":"weir-sim"},{"id":"org/a","object":"model","created":1,"owned_by":"weir-sim"}]}`
	if r.body != want {
		t.Error(r.body)
	}
	for _, path := range []string{"/v1/models/org/a", "/models/org%2Fa", "/openai/v1/models/org/a"} {
		if r := do(t, http.MethodGet, base+path, ""); r.body != `{"id":"org/a","object":"model","created":1,"owned_by":"weir-sim"}` {
			t.Errorf("%s: %s", path, r.body)
		}
	}
	if r := do(t, http.MethodGet, base+"/v1/models/c", ""); r.StatusCode != 404 || !strings.Contains(r.body, "model_not_found") {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	r = do(t, http.MethodGet, mustStart(t, Script{})+"/models", "")
	if !strings.Contains(r.body, `"chat"`) || !strings.Contains(r.body, `"embed"`) {
		t.Error(r.body)
	}
}

func TestPathsAndAzure(t *testing.T) {
	t.Parallel()
	s, base := start(t, Script{Models: []string{"m", "deployed"}})
	for path, want := range map[string]int{
		"/v1/chat/completions": 200, "/chat/completions": 200, "/openai/v1/chat/completions": 200,
		"/openai/deployments/deployed/chat/completions?api-version=2024-10-21": 200,
		"/openai/deployments/deployed/chat/completions":                        404,
		"/openai/deployments/missing/chat/completions?api-version=2024-10-21":  404,
		"/openai/deployments/deployed/models?api-version=2024-10-21":           404,
		"/v1/responses/resp_1": 404, "/": 404,
	} {
		if r := ask(t, base, path, hello); r.StatusCode != want {
			t.Errorf("%s: %d %s", path, r.StatusCode, r.body)
		}
	}
	for _, c := range ended(t, s, 9) {
		if strings.Contains(c.Target, "deployments/deployed/chat") && c.Model != "deployed" {
			t.Errorf("the deployment is the model: %+v", c)
		}
	}
	r := do(t, http.MethodGet, base+"/v1/chat/completions", "")
	if r.StatusCode != 405 || r.Header.Get("Allow") != "POST" {
		t.Errorf("%d %v", r.StatusCode, r.Header)
	}
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	base := mustStart(t, Script{Key: "sk-right-and-long"})
	const chat, dated = "/v1/chat/completions", "/openai/deployments/m/chat/completions?api-version=1"
	for _, test := range []struct {
		path, header, value string
		status              int
		code                string
	}{
		{chat, "Authorization", "Bearer sk-right-and-long", 200, ""},
		{chat, "Authorization", "bearer  sk-right-and-long ", 200, ""},
		{chat, "Api-Key", "sk-right-and-long", 200, ""},
		{chat, "X-Nothing", "x", 401, ""},
		{chat, "Authorization", "sk-right-and-long", 401, ""},
		{chat, "Authorization", "Bearer sk-wrong-and-long", 401, "invalid_api_key"},
		{dated, "Api-Key", "sk-right-and-long", 200, ""},
		{dated, "Api-Key", "no", 401, "401"},
		{"/v1/models", "X-Nothing", "x", 401, ""},
	} {
		r := ask(t, base, test.path, hello, test.header, test.value)
		got := into[struct{ Error struct{ Code string } }](t, r.body)
		if r.StatusCode != test.status || got.Error.Code != test.code || strings.Contains(r.body, "and-long") {
			t.Errorf("%s %s: %q gives %d %s", test.path, test.header, test.value, r.StatusCode, r.body)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	base := mustStart(t, Script{Models: []string{"m"}})
	const messages = `"messages":[{"role":"user","content":"x"}]`
	for _, test := range []struct {
		path, body  string
		status      int
		param, code string
	}{
		{pathChat, ``, 400, "", ""},
		{pathChat, `{"model":"m",`, 400, "", ""},
		{pathChat, `[]`, 400, "", ""},
		{pathChat, `null`, 400, "", ""},
		{pathChat, `{` + messages + `}`, 400, "model", "missing_required_parameter"},
		{pathChat, `{"model":"x",` + messages + `}`, 404, "", "model_not_found"},
		{pathChat, `{"model":"m"}`, 400, "messages", "missing_required_parameter"},
		{pathChat, `{"model":"m","messages":[]}`, 400, "messages", "empty_array"},
		{pathChat, `{"model":"m","messages":"x"}`, 400, "messages", "invalid_type"},
		{pathChat, `{"model":"m","stream":"yes",` + messages + `}`, 400, "stream", "invalid_type"},
		{pathChat, `{"model":"m","stream_options":{},` + messages + `}`, 400, "stream_options", ""},
		{pathChat, `{"model":"m","stream":false,"stream_options":{"include_usage":true},` + messages + `}`, 400, "stream_options", ""},
		{pathChat, `{"model":"m","n":0,` + messages + `}`, 400, "n", "integer_below_min_value"},
		{pathChat, `{"model":"m","n":129,` + messages + `}`, 400, "n", "integer_above_max_value"},
		{pathChat, `{"model":"m","max_tokens":0,` + messages + `}`, 400, "max_tokens", "integer_below_min_value"},
		{pathChat, `{"model":"m","max_tokens":1,"max_completion_tokens":1,` + messages + `}`, 400, "max_tokens", "invalid_parameter_combination"},
		{pathChat, `{"model":"m","parallel_tool_calls":true,` + messages + `}`, 400, "parallel_tool_calls", ""},
		{pathChat, `{"model":"m","messages":[{"content":"x"}]}`, 400, "messages[0].role", "missing_required_parameter"},
		{pathChat, `{"model":"m","messages":[{"role":"boss","content":"x"}]}`, 400, "messages[0].role", "invalid_value"},
		{pathChat, `{"model":"m","messages":[{"role":"user","content":null}]}`, 400, "messages[0].content", "invalid_type"},
		{pathChat, `{"model":"m","messages":[{"role":"user","content":7}]}`, 400, "messages.content", "invalid_type"},
		{pathChat, `{"model":"m","messages":[{"role":"tool","content":"x"}]}`, 400, "messages[0].role", ""},
		{pathChat, `{"model":"m","tools":[{"type":"function"}],` + messages + `}`, 400, "tools[0].function.name", "missing_required_parameter"},
		{pathChat, `{"model":"m","tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":{"type":"function","function":{"name":"g"}},` + messages + `}`, 400, "tool_choice", ""},
		{pathCompletions, `{"model":"m"}`, 400, "prompt", "missing_required_parameter"},
		{pathCompletions, `{"model":"m","prompt":[]}`, 400, "prompt", "empty_array"},
		{pathCompletions, `{"model":"m","prompt":"x","max_tokens":-1}`, 400, "max_tokens", "integer_below_min_value"},
		{pathCompletions, `{"model":"m","prompt":{}}`, 400, "input", "invalid_type"},
		{pathEmbeddings, `{"model":"m"}`, 400, "input", "missing_required_parameter"},
		{pathEmbeddings, `{"model":"m","input":[]}`, 400, "input", "empty_array"},
		{pathEmbeddings, `{"model":"m","input":["a",""]}`, 400, "input", ""},
		{pathEmbeddings, `{"model":"m","input":[[]]}`, 400, "input", ""},
		{pathEmbeddings, `{"model":"m","input":"x","encoding_format":"hex"}`, 400, "encoding_format", "invalid_value"},
		{pathEmbeddings, `{"model":"m","input":"x","dimensions":-1}`, 400, "", ""},
		{pathEmbeddings, `{"model":"m","input":"x","dimensions":9999}`, 400, "dimensions", ""},
		{pathEmbeddings, `{"model":"m","input":[` + strings.Repeat(`"x",`, maxInputs) + `"x"]}`, 400, "input", "array_above_max_length"},
	} {
		r := ask(t, base, "/v1"+test.path, test.body)
		got := into[struct {
			Error struct{ Message, Type, Param, Code string }
		}](t, r.body).Error
		if r.StatusCode != test.status || got.Param != test.param || got.Code != test.code || got.Type != invalidRequest || got.Message == "" {
			t.Errorf("%s %.200s gives %d %s", test.path, test.body, r.StatusCode, r.body)
		}
	}
}

// The same calls in the same order get the same answers; another seed changes the ids and nothing else.
func TestDeterminism(t *testing.T) {
	t.Parallel()
	run := func(seed uint64) string {
		base := mustStart(t, Script{Seed: seed})
		var all strings.Builder
		for _, body := range []string{hello, streamed} {
			all.WriteString(ask(t, base, "/v1/chat/completions", body).body)
		}
		all.WriteString(ask(t, base, "/v1/embeddings", `{"model":"m","input":"x"}`).body)
		return all.String()
	}
	a, b, c := run(1), run(1), run(2)
	if a != b {
		t.Error("the same seed gives other answers")
	}
	if a == c || plainIDs(a) != plainIDs(c) {
		t.Error("another seed does not change the ids alone")
	}
}
