// Package sdk holds the official Go SDK against a running Weir. The parent folder's sdk_test.go starts both; see
// there for the models.
package sdk

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/packages/ssestream"
)

const hello = "Grüße, 世界 👋"

func client(t *testing.T, keyVariable string, options ...option.RequestOption) openai.Client {
	t.Helper()
	base := os.Getenv("WEIR_BASE_URL")
	if base == "" {
		t.Fatal("WEIR_BASE_URL is not set: run these tests through the parent folder's, go test ./sdktest")
	}
	return openai.NewClient(append([]option.RequestOption{
		option.WithBaseURL(base), option.WithAPIKey(os.Getenv(keyVariable)), option.WithMaxRetries(0),
	}, options...)...)
}

// model is the name of a model, after the prefix that the parent folder's test chose.
func model(name string) string { return os.Getenv("WEIR_PREFIX") + name }

func weir(t *testing.T) openai.Client { return client(t, "WEIR_KEY") }

func ask(name, text string) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{
		Model:    model(name),
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(text)},
	}
}

func weather() []openai.ChatCompletionToolUnionParam {
	return []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
		Name:        "get_weather",
		Description: param.NewOpt("The weather in a city."),
		Strict:      param.NewOpt(true),
		Parameters: openai.FunctionParameters{
			"type": "object",
			"properties": map[string]any{
				"city": map[string]any{"type": "string"},
				"unit": map[string]any{"type": "string", "enum": []string{"celsius", "fahrenheit"}},
			},
			"required":             []string{"city", "unit"},
			"additionalProperties": false,
		},
	})}
}

func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// refused checks that err is the SDK's own error with that status and code.
func refused(t *testing.T, err error, status int, code string) *openai.Error {
	t.Helper()
	var e *openai.Error
	if !errors.As(err, &e) {
		t.Fatalf("the error is %T %v, not *openai.Error", err, err)
	}
	if e.StatusCode != status || e.Code != code || e.Message == "" || e.Response.Header.Get("X-Request-Id") == "" {
		t.Errorf("the error is %d %q %q, expected %d %q", e.StatusCode, e.Code, e.Message, status, code)
	}
	return e
}

func TestModelsList(t *testing.T) {
	api := weir(t)
	page := must(api.Models.List(t.Context()))(t)
	ids := map[string]bool{}
	for _, m := range page.Data {
		ids[m.ID] = m.Object == "model" && m.JSON.Created.Valid() && m.JSON.OwnedBy.Valid()
	}
	for _, name := range []string{model("chat"), model("embed"), model("team/chat")} {
		if !ids[name] {
			t.Errorf("%s is not listed well: %s", name, page.RawJSON())
		}
	}
}

func TestModelsRetrieve(t *testing.T) {
	api := weir(t)
	for _, name := range []string{model("chat"), model("team/chat")} {
		if got := must(api.Models.Get(t.Context(), name))(t); got.ID != name {
			t.Errorf("asked for %s, got %s", name, got.ID)
		}
	}
	_, err := api.Models.Get(t.Context(), "nope")
	refused(t, err, http.StatusNotFound, "model_not_found")
}

func TestScopedKey(t *testing.T) {
	api := client(t, "WEIR_SCOPED_KEY")
	page := must(api.Models.List(t.Context()))(t)
	if len(page.Data) != 1 || page.Data[0].ID != model("chat") {
		t.Errorf("the scoped key sees %s", page.RawJSON())
	}
	must(api.Chat.Completions.New(t.Context(), ask("chat", hello)))(t)
	_, err := api.Embeddings.New(t.Context(), openai.EmbeddingNewParams{
		Model: model("embed"), Input: openai.EmbeddingNewParamsInputUnion{OfString: param.NewOpt("x")},
	})
	refused(t, err, http.StatusNotFound, "model_not_found")
}

func TestChat(t *testing.T) {
	api := weir(t)
	got := must(api.Chat.Completions.New(t.Context(), ask("chat", hello)))(t)
	choice := got.Choices[0]
	if !strings.Contains(choice.Message.Content, hello) || choice.FinishReason != "stop" {
		t.Errorf("unexpected choice %s", choice.RawJSON())
	}
	if u := got.Usage; u.TotalTokens == 0 || u.TotalTokens != u.PromptTokens+u.CompletionTokens {
		t.Errorf("unexpected usage %s", u.RawJSON())
	}
}

func TestChatHeaders(t *testing.T) {
	api := weir(t)
	var resp *http.Response
	must(api.Chat.Completions.New(t.Context(), ask("chat", hello),
		option.WithHeader("X-Request-Id", "go-1"), option.WithResponseInto(&resp)))(t)
	if id, n := resp.Header.Get("X-Request-Id"), resp.Header.Get("Weir-Attempts"); id != "go-1" || n != "1" {
		t.Errorf("x-request-id %q, weir-attempts %q", id, n)
	}
}

func TestChatUnknownParameters(t *testing.T) {
	// What arrives upstream is checked by sdk_test.go.
	api := weir(t)
	must(api.Chat.Completions.New(t.Context(), ask("chat", hello),
		option.WithJSONSet("x_unknown", json.RawMessage(`{"b":1.5,"a":[null,"ü"]}`))))(t)
}

func TestStream(t *testing.T) {
	api := weir(t)
	whole := must(api.Chat.Completions.New(t.Context(), ask("chat", hello)))(t).Choices[0].Message.Content
	stream := api.Chat.Completions.NewStreaming(t.Context(), ask("chat", hello))
	var acc openai.ChatCompletionAccumulator
	finished := false
	for stream.Next() {
		chunk := stream.Current()
		if !acc.AddChunk(chunk) {
			t.Fatalf("the SDK's accumulator rejects %s", chunk.RawJSON())
		}
		if chunk.JSON.Usage.Valid() || chunk.Usage.TotalTokens != 0 {
			t.Errorf("usage was not asked for: %s", chunk.RawJSON())
		}
		if content, ok := acc.JustFinishedContent(); ok {
			finished = content == whole
		}
	}
	if err := stream.Err(); err != nil {
		t.Fatal(err)
	}
	if got := acc.Choices[0]; got.Message.Content != whole || got.FinishReason != "stop" || !finished {
		t.Errorf("streamed %q, whole %q, finish reason %s", got.Message.Content, whole, got.FinishReason)
	}
}

func TestStreamUsage(t *testing.T) {
	api := weir(t)
	params := ask("chat", hello)
	params.StreamOptions.IncludeUsage = param.NewOpt(true)
	chunks := collect(t, api.Chat.Completions.NewStreaming(t.Context(), params))
	for i, c := range chunks {
		if last := i == len(chunks)-1; last != (len(c.Choices) == 0) || last != (c.Usage.CompletionTokens > 0) {
			t.Errorf("chunk %d of %d: %s", i+1, len(chunks), c.RawJSON())
		}
	}
}

func collect[T any](t *testing.T, stream *ssestream.Stream[T]) []T {
	t.Helper()
	var out []T
	for stream.Next() {
		out = append(out, stream.Current())
	}
	if err := stream.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestStreamChoices(t *testing.T) {
	api := weir(t)
	params := ask("chat", hello)
	params.N = param.NewOpt[int64](2)
	var acc openai.ChatCompletionAccumulator
	for _, c := range collect(t, api.Chat.Completions.NewStreaming(t.Context(), params)) {
		acc.AddChunk(c)
	}
	if len(acc.Choices) != 2 || acc.Choices[0].Message.Content == "" || acc.Choices[1].Message.Content == "" {
		t.Errorf("choices %v", acc.Choices)
	}
}

func TestStreamCancelled(t *testing.T) {
	// That the upstream notices is checked by sdk_test.go.
	api := weir(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stream := api.Chat.Completions.NewStreaming(ctx, ask("endless", hello))
	if !stream.Next() {
		t.Fatal(stream.Err())
	}
	cancel()
	for stream.Next() { // what was under way
	}
	if !errors.Is(stream.Err(), context.Canceled) {
		t.Errorf("the stream ended with %v", stream.Err())
	}
}

// arguments checks a call's arguments.
func arguments(t *testing.T, text string) {
	t.Helper()
	var args struct{ City, Unit *string }
	if err := json.Unmarshal([]byte(text), &args); err != nil || args.City == nil || args.Unit == nil {
		t.Errorf("arguments %q: %v", text, err)
	}
}

func TestTools(t *testing.T) {
	api := weir(t)
	params := ask("chat", "How is the weather?")
	params.Tools = weather()
	first := must(api.Chat.Completions.New(t.Context(), params))(t).Choices[0]
	if first.FinishReason != "tool_calls" || len(first.Message.ToolCalls) != 1 {
		t.Fatalf("no tool call: %s", first.RawJSON())
	}
	call := first.Message.ToolCalls[0]
	if call.Function.Name != "get_weather" {
		t.Errorf("calls %s", call.Function.Name)
	}
	arguments(t, call.Function.Arguments)
	params.Messages = append(params.Messages, first.Message.ToParam(), openai.ToolMessage("12 °C", call.ID))
	if second := must(api.Chat.Completions.New(t.Context(), params))(t).Choices[0]; second.FinishReason != "stop" {
		t.Errorf("after the tool's result: %s", second.RawJSON())
	}
}

func TestToolsStreamedInParallel(t *testing.T) {
	api := weir(t)
	params := ask("chat", "The weather in two cities, in parallel.")
	params.Tools = weather()
	var acc openai.ChatCompletionAccumulator
	for _, c := range collect(t, api.Chat.Completions.NewStreaming(t.Context(), params)) {
		if !acc.AddChunk(c) {
			t.Fatalf("the SDK's accumulator rejects %s", c.RawJSON())
		}
	}
	calls := acc.Choices[0].Message.ToolCalls
	if len(calls) != 2 || calls[0].ID == "" || calls[0].ID == calls[1].ID {
		t.Fatalf("calls %v", calls)
	}
	for _, c := range calls {
		if c.Function.Name != "get_weather" {
			t.Errorf("calls %q", c.Function.Name)
		}
		arguments(t, c.Function.Arguments)
	}
}

func TestStructuredOutput(t *testing.T) {
	api := weir(t)
	params := ask("chat", hello)
	params.ResponseFormat.OfJSONSchema = &openai.ResponseFormatJSONSchemaParam{
		JSONSchema: openai.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: "answer", Strict: param.NewOpt(true),
			Schema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"degrees":{"type":"integer"}},"required":["city","degrees"],"additionalProperties":false}`),
		},
	}
	text := must(api.Chat.Completions.New(t.Context(), params))(t).Choices[0].Message.Content
	var got struct {
		City    *string
		Degrees *int
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || got.City == nil || got.Degrees == nil {
		t.Errorf("the answer %q does not fit the schema: %v", text, err)
	}
}

// embed checks the embeddings of an input: so many, each of that length.
func embed(t *testing.T, input openai.EmbeddingNewParamsInputUnion, count, dimensions int) {
	t.Helper()
	api := weir(t)
	params := openai.EmbeddingNewParams{Model: model("embed"), Input: input, Dimensions: param.NewOpt(int64(dimensions))}
	got := must(api.Embeddings.New(t.Context(), params))(t)
	if len(got.Data) != count {
		t.Fatalf("%d embeddings, not %d", len(got.Data), count)
	}
	for i, d := range got.Data {
		sum := 0.0
		for _, x := range d.Embedding {
			sum += x * x
		}
		if d.Index != int64(i) || len(d.Embedding) != dimensions || math.Abs(sum-1) > 1e-4 {
			t.Errorf("index %d, %d dimensions, length %f", d.Index, len(d.Embedding), sum)
		}
	}
}

func TestEmbeddings(t *testing.T) {
	embed(t, openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: []string{"one", "two"}}, 2, 1536)
}

func TestEmbeddingsOfTokens(t *testing.T) {
	embed(t, openai.EmbeddingNewParamsInputUnion{OfArrayOfTokens: []int64{1, 2, 3}}, 1, 16)
	embed(t, openai.EmbeddingNewParamsInputUnion{OfArrayOfTokenArrays: [][]int64{{1, 2}, {3}}}, 2, 16)
}

func TestCompletion(t *testing.T) {
	api := weir(t)
	params := openai.CompletionNewParams{
		Model: openai.CompletionNewParamsModel(model("chat")), Prompt: openai.CompletionNewParamsPromptUnion{OfString: param.NewOpt("Once upon a time")},
	}
	whole := must(api.Completions.New(t.Context(), params))(t).Choices[0].Text
	var streamed strings.Builder
	for _, c := range collect(t, api.Completions.NewStreaming(t.Context(), params)) {
		streamed.WriteString(c.Choices[0].Text)
	}
	if whole == "" || streamed.String() != whole {
		t.Errorf("whole %q, streamed %q", whole, streamed.String())
	}
}

func TestErrors(t *testing.T) {
	api := weir(t)
	wrong := client(t, "", option.WithAPIKey("sk-weir-wrong"))
	_, err := wrong.Models.List(t.Context())
	if e := refused(t, err, http.StatusUnauthorized, "invalid_api_key"); strings.Contains(e.Message, "sk-weir-wrong") {
		t.Errorf("the message repeats the key: %s", e.Message)
	}
	for _, c := range []struct {
		model  string
		status int
		code   string
	}{
		{"nope", http.StatusNotFound, "model_not_found"},
		{"refused", http.StatusBadRequest, os.Getenv("WEIR_REFUSED_CODE")},
		{"limited", http.StatusTooManyRequests, "upstream_rate_limited"},
		{"broken", http.StatusBadGateway, "upstream_failed"},
	} {
		_, err := api.Chat.Completions.New(t.Context(), ask(c.model, hello))
		e := refused(t, err, c.status, c.code)
		if n, err := strconv.Atoi(e.Response.Header.Get("Retry-After")); c.model == "limited" && (err != nil || n < 1) {
			t.Errorf("retry-after is %q", e.Response.Header.Get("Retry-After"))
		}
	}
	_, err = api.Chat.Completions.New(t.Context(), ask("chat", hello), option.WithJSONDel("messages"))
	if e := refused(t, err, http.StatusBadRequest, "missing_required_parameter"); e.Param != "messages" {
		t.Errorf("param is %q", e.Param)
	}
}

func TestRetry(t *testing.T) {
	api := client(t, "WEIR_KEY", option.WithMaxRetries(2))
	must(api.Chat.Completions.New(t.Context(), ask("limited-once", hello)))(t)
}

func TestAbsentModel(t *testing.T) {
	api := client(t, "WEIR_KEY", option.WithMaxRetries(2))
	_, err := api.Chat.Completions.New(t.Context(), ask("absent", hello))
	refused(t, err, http.StatusBadGateway, "upstream_misconfigured")
}

func TestErrorInStream(t *testing.T) {
	api := weir(t)
	for _, model := range []string{"breaks", "cut"} {
		stream := api.Chat.Completions.NewStreaming(t.Context(), ask(model, hello))
		var chunks []openai.ChatCompletionChunk
		for stream.Next() {
			chunks = append(chunks, stream.Current())
		}
		var e *ssestream.StreamError
		if !errors.As(stream.Err(), &e) || !strings.Contains(string(e.Event.Data), "upstream_error") {
			t.Errorf("%s: the stream ended with %v", model, stream.Err())
		}
		ended := func(c openai.ChatCompletionChunk) bool { return c.Choices[0].FinishReason != "" }
		if len(chunks) == 0 || slices.ContainsFunc(chunks, ended) {
			t.Errorf("%s: before the error came %d chunks, one with a finish reason", model, len(chunks))
		}
	}
}

func TestErrorBeforeStream(t *testing.T) {
	api := weir(t)
	stream := api.Chat.Completions.NewStreaming(t.Context(), ask("broken", hello))
	if stream.Next() {
		t.Error("a chunk came")
	}
	refused(t, stream.Err(), http.StatusBadGateway, "upstream_failed")
}
