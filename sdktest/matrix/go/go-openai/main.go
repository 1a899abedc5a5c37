// The program of go-openai, the oldest Go client, in the client matrix.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sashabaranov/go-openai"
	"github.com/sashabaranov/go-openai/jsonschema"

	"github.com/weirproxy/weir/sdktest/matrix/go/report"
)

func main() {
	report.Run("go-openai", "github.com/sashabaranov/go-openai", []report.Feature{
		{Name: "models", Run: models},
		{Name: "chat", Run: chat},
		{Name: "stream", Run: func(ctx context.Context) error { return stream(ctx, false) }},
		{Name: "stream-usage", Run: func(ctx context.Context) error { return stream(ctx, true) }},
		{Name: "tools", Run: tools},
		{Name: "parallel-tool-stream", Run: parallelTools},
		{Name: "structured", Run: structured},
		{Name: "reasoning", Run: reasoning},
		{Name: "image", Run: image},
		{Name: "cancel", Run: cancelled},
		{Name: "embeddings-float", Run: embeddings(openai.EmbeddingEncodingFormatFloat)},
		{Name: "embeddings-base64", Run: embeddings(openai.EmbeddingEncodingFormatBase64)},
		{Name: "embeddings-tokens", Run: embeddingsOfTokens},
		refused("error-400", "WEIR_KEY", "refused", 400, "upstream_says_so"),
		refused("error-401", "WEIR_BAD_KEY", "chat", 401, "invalid_api_key"),
		refused("error-404", "WEIR_KEY", "nope", 404, "model_not_found"),
		refused("error-429", "WEIR_KEY", "limited", 429, "upstream_rate_limited"),
		refused("error-502", "WEIR_KEY", "broken", 502, "upstream_failed"),
		refused("error-503", "WEIR_KEY", "overloaded", 503, "upstream_overloaded"),
		report.Without("retry-429", "never retries"),
		report.Without("retry-503", "never retries"),
		broken("truncated", "cut"),
		broken("error-in-stream", "breaks"),
	})
}

func client(key string) *openai.Client {
	config := openai.DefaultConfig(report.Env(key))
	config.BaseURL = report.Env("WEIR_BASE_URL")
	return openai.NewClientWithConfig(config)
}

func ask(model, text string) openai.ChatCompletionRequest {
	return openai.ChatCompletionRequest{
		Model: model, Messages: []openai.ChatCompletionMessage{{Role: openai.ChatMessageRoleUser, Content: text}},
	}
}

// complete asks, and checks that there is one choice and that the usage adds up.
func complete(ctx context.Context, request openai.ChatCompletionRequest) (openai.ChatCompletionChoice, error) {
	got, err := client("WEIR_KEY").CreateChatCompletion(ctx, request)
	if err != nil {
		return openai.ChatCompletionChoice{}, err
	}
	if len(got.Choices) != 1 {
		return openai.ChatCompletionChoice{}, fmt.Errorf("%d choices", len(got.Choices))
	}
	return got.Choices[0], report.CheckUsage(got.Usage.PromptTokens, got.Usage.CompletionTokens, got.Usage.TotalTokens)
}

func models(ctx context.Context) error {
	for key, want := range map[string][]string{"WEIR_KEY": report.Models(), "WEIR_SCOPED_KEY": {"chat"}} {
		list, err := client(key).ListModels(ctx)
		if err != nil {
			return err
		}
		var got []string
		for _, m := range list.Models {
			got = append(got, m.ID)
		}
		if err := report.CheckModels(got, want); err != nil {
			return err
		}
	}
	return nil
}

func chat(ctx context.Context) error {
	got, err := complete(ctx, ask("chat", report.Hello))
	if err == nil && (!strings.Contains(got.Message.Content, report.Hello) || got.FinishReason != "stop") {
		err = fmt.Errorf("%+v", got)
	}
	return err
}

// streamed is what a stream brought.
type streamed struct {
	chunks                int // with text
	text, thought, finish string
	usage                 *openai.Usage
	calls                 []openai.ToolCall
}

// read reads a stream to its end; the client leaves assembling it to its caller.
func read(ctx context.Context, request openai.ChatCompletionRequest) (s streamed, err error) {
	stream, err := client("WEIR_KEY").CreateChatCompletionStream(ctx, request)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, stream.Close()) }()
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return s, err
		}
		if chunk.Usage != nil {
			s.usage = chunk.Usage
		}
		for _, choice := range chunk.Choices {
			if err := s.add(choice); err != nil {
				return s, err
			}
		}
	}
}

func (s *streamed) add(choice openai.ChatCompletionStreamChoice) error {
	if choice.Delta.Content != "" {
		s.chunks++
	}
	s.text += choice.Delta.Content
	s.thought += choice.Delta.ReasoningContent
	s.finish += string(choice.FinishReason)
	for _, piece := range choice.Delta.ToolCalls {
		if piece.Index == nil || *piece.Index > len(s.calls) {
			return fmt.Errorf("a piece of a call without place: %+v", piece)
		}
		if *piece.Index == len(s.calls) {
			s.calls = append(s.calls, openai.ToolCall{})
		}
		call := &s.calls[*piece.Index]
		call.ID += piece.ID
		call.Function.Name += piece.Function.Name
		call.Function.Arguments += piece.Function.Arguments
	}
	return nil
}

func stream(ctx context.Context, usage bool) error {
	whole, err := complete(ctx, ask("chat", report.Hello))
	if err != nil {
		return err
	}
	request := ask("chat", report.Hello)
	if usage {
		request.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	got, err := read(ctx, request)
	switch {
	case err != nil:
		return err
	case got.text != whole.Message.Content || got.finish != "stop" || got.chunks < 2:
		return fmt.Errorf("%d chunks, %q, finish reason %q", got.chunks, got.text, got.finish)
	case usage != (got.usage != nil):
		return fmt.Errorf("usage %+v", got.usage)
	case usage:
		return report.CheckUsage(got.usage.PromptTokens, got.usage.CompletionTokens, got.usage.TotalTokens)
	}
	return nil
}

func withTools(text string) openai.ChatCompletionRequest {
	request := ask("chat", text)
	request.Tools = []openai.Tool{{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{
		Name: report.Tool, Description: "The weather in a city.", Strict: true, Parameters: json.RawMessage(report.ToolSchema),
	}}}
	return request
}

func tools(ctx context.Context) error {
	request := withTools(report.Weather)
	first, err := complete(ctx, request)
	if err != nil {
		return err
	}
	if first.FinishReason != openai.FinishReasonToolCalls || len(first.Message.ToolCalls) != 1 {
		return fmt.Errorf("no tool call: %+v", first)
	}
	call := first.Message.ToolCalls[0]
	if err := report.CheckCall(call.ID, call.Function.Name, call.Function.Arguments); err != nil {
		return err
	}
	request.Messages = append(request.Messages, first.Message,
		openai.ChatCompletionMessage{Role: openai.ChatMessageRoleTool, Content: "12 °C", ToolCallID: call.ID})
	second, err := complete(ctx, request)
	if err == nil && (second.FinishReason != openai.FinishReasonStop || second.Message.Content == "") {
		err = fmt.Errorf("after the tool's result: %+v", second)
	}
	return err
}

func parallelTools(ctx context.Context) error {
	got, err := read(ctx, withTools(report.Both))
	if err != nil {
		return err
	}
	if len(got.calls) != 2 || got.calls[0].ID == got.calls[1].ID || got.finish != "tool_calls" {
		return fmt.Errorf("calls %+v, finish reason %s", got.calls, got.finish)
	}
	for _, c := range got.calls {
		err = errors.Join(err, report.CheckCall(c.ID, c.Function.Name, c.Function.Arguments))
	}
	return err
}

// structured uses the client's own schema of a type, and its own check against it.
func structured(ctx context.Context) error {
	var got report.Answer
	schema, err := jsonschema.GenerateSchemaForType(got)
	if err != nil {
		return err
	}
	request := ask("chat", report.Hello)
	request.ResponseFormat = &openai.ChatCompletionResponseFormat{
		Type:       openai.ChatCompletionResponseFormatTypeJSONSchema,
		JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{Name: "answer", Schema: schema, Strict: true},
	}
	choice, err := complete(ctx, request)
	if err != nil {
		return err
	}
	if err := schema.Unmarshal(choice.Message.Content, &got); err != nil || got.City == nil || got.Degrees == nil {
		return fmt.Errorf("%q does not fit: %w", choice.Message.Content, err)
	}
	return nil
}

func reasoning(ctx context.Context) error {
	whole, err := complete(ctx, ask("reasoner", report.Hello))
	if err != nil {
		return err
	}
	got, err := read(ctx, ask("reasoner", report.Hello))
	if err == nil && (whole.Message.ReasoningContent != report.Thought || got.thought != report.Thought || got.text != whole.Message.Content) {
		err = fmt.Errorf("whole %q, streamed %q", whole.Message.ReasoningContent, got.thought)
	}
	return err
}

func image(ctx context.Context) error {
	request := ask("chat", "")
	request.Messages[0].MultiContent = []openai.ChatMessagePart{
		{Type: openai.ChatMessagePartTypeText, Text: report.Hello},
		{Type: openai.ChatMessagePartTypeImageURL, ImageURL: &openai.ChatMessageImageURL{URL: report.Env("WEIR_IMAGE")}},
	}
	got, err := complete(ctx, request)
	if err == nil && !strings.Contains(got.Message.Content, report.Hello) {
		err = fmt.Errorf("%+v", got)
	}
	return err
}

func embeddings(format openai.EmbeddingEncodingFormat) func(context.Context) error {
	return func(ctx context.Context) error {
		return embed(ctx, openai.EmbeddingRequestStrings{Model: "embed", Input: []string{report.Hello, "two"}, EncodingFormat: format})
	}
}

func embeddingsOfTokens(ctx context.Context) error {
	return embed(ctx, openai.EmbeddingRequestTokens{Model: "embed", Input: [][]int{{1, 2}, {3}}})
}

// embed expects two vectors.
func embed(ctx context.Context, request openai.EmbeddingRequestConverter) error {
	got, err := client("WEIR_KEY").CreateEmbeddings(ctx, request)
	if err != nil {
		return err
	}
	if len(got.Data) != 2 || got.Usage.TotalTokens == 0 {
		return fmt.Errorf("%d embeddings, usage %+v", len(got.Data), got.Usage)
	}
	for i, d := range got.Data {
		if err := report.CheckVector(d.Embedding); err != nil || d.Index != i {
			return fmt.Errorf("%d has index %d: %w", i, d.Index, err)
		}
	}
	return nil
}

func refused(feature, key, model string, status int, code string) report.Feature {
	return report.Feature{Name: feature, Run: func(ctx context.Context) error {
		_, err := client(key).CreateChatCompletion(ctx, ask(model, report.Hello))
		var e *openai.APIError
		if !errors.As(err, &e) {
			return fmt.Errorf("the error is %T %w", err, err)
		}
		return report.CheckError(e.HTTPStatusCode, status, fmt.Sprint(e.Code), code, e.Message)
	}}
}

func cancelled(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := client("WEIR_KEY").CreateChatCompletionStream(ctx, ask("endless", report.Hello))
	if err != nil {
		return err
	}
	defer stream.Close()
	if _, err := stream.Recv(); err != nil {
		return err
	}
	cancel()
	for err == nil { // what was under way
		_, err = stream.Recv()
	}
	if !errors.Is(err, context.Canceled) {
		return fmt.Errorf("the stream ended with %w", err)
	}
	return nil
}

func broken(feature, model string) report.Feature {
	return report.Feature{Name: feature, Run: func(ctx context.Context) error {
		got, err := read(ctx, ask(model, report.Hello))
		var e *openai.APIError
		if !errors.As(err, &e) || e.Type != "upstream_error" || got.text == "" || got.finish != "" {
			return fmt.Errorf("after %q: %w", got.text, err)
		}
		return nil
	}}
}
