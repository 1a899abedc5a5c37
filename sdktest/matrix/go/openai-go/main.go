// The official Go SDK's program of the client matrix.
package main

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/shared"

	"github.com/weirproxy/weir/sdktest/matrix/go/report"
)

func main() {
	report.Run("openai-go", "github.com/openai/openai-go/v3", []report.Feature{
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
		{Name: "embeddings-float", Run: embeddings(openai.EmbeddingNewParamsEncodingFormatFloat)},
		{Name: "embeddings-base64", Run: embeddings(openai.EmbeddingNewParamsEncodingFormatBase64)},
		{Name: "embeddings-tokens", Run: embeddingsOfTokens},
		refused("error-400", "WEIR_KEY", "refused", 400, "upstream_says_so"),
		refused("error-401", "WEIR_BAD_KEY", "chat", 401, "invalid_api_key"),
		refused("error-404", "WEIR_KEY", "nope", 404, "model_not_found"),
		refused("error-429", "WEIR_KEY", "limited", 429, "upstream_rate_limited"),
		refused("error-502", "WEIR_KEY", "broken", 502, "upstream_failed"),
		refused("error-503", "WEIR_KEY", "overloaded", 503, "upstream_overloaded"),
		retried("retry-429", "limited-once"),
		retried("retry-503", "overloaded-once"),
		broken("truncated", "cut"),
		broken("error-in-stream", "breaks"),
	})
}

func client(key string, retries int) openai.Client {
	return openai.NewClient(option.WithBaseURL(report.Env("WEIR_BASE_URL")), option.WithAPIKey(report.Env(key)), option.WithMaxRetries(retries))
}

func ask(model, text string) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{Model: model, Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(text)}}
}

// complete asks, and checks that there is one choice and that the usage adds up.
func complete(ctx context.Context, params openai.ChatCompletionNewParams) (openai.ChatCompletionChoice, error) {
	api := client("WEIR_KEY", 0)
	got, err := api.Chat.Completions.New(ctx, params)
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
		api := client(key, 0)
		var got []string
		pages := api.Models.ListAutoPaging(ctx)
		for pages.Next() {
			got = append(got, pages.Current().ID)
		}
		if err := errors.Join(pages.Err(), report.CheckModels(got, want)); err != nil {
			return err
		}
	}
	return nil
}

func chat(ctx context.Context) error {
	got, err := complete(ctx, ask("chat", report.Hello))
	if err == nil && (!strings.Contains(got.Message.Content, report.Hello) || got.FinishReason != "stop") {
		err = fmt.Errorf("%s", got.RawJSON())
	}
	return err
}

// accumulate reads a stream to its end with the SDK's own accumulator.
func accumulate(ctx context.Context, params openai.ChatCompletionNewParams) (acc openai.ChatCompletionAccumulator, chunks int, err error) {
	api := client("WEIR_KEY", 0)
	stream := api.Chat.Completions.NewStreaming(ctx, params)
	for stream.Next() {
		if !acc.AddChunk(stream.Current()) {
			return acc, chunks, fmt.Errorf("the accumulator rejects %s", stream.Current().RawJSON())
		}
		chunks++
	}
	if stream.Err() == nil && len(acc.Choices) != 1 {
		return acc, chunks, fmt.Errorf("%d choices", len(acc.Choices))
	}
	return acc, chunks, stream.Err()
}

func stream(ctx context.Context, usage bool) error {
	whole, err := complete(ctx, ask("chat", report.Hello))
	if err != nil {
		return err
	}
	params := ask("chat", report.Hello)
	if usage {
		params.StreamOptions.IncludeUsage = param.NewOpt(true)
	}
	acc, chunks, err := accumulate(ctx, params)
	if err != nil {
		return err
	}
	if got := acc.Choices[0]; got.Message.Content != whole.Message.Content || got.FinishReason != "stop" || chunks < 4 {
		return fmt.Errorf("%d chunks, %q, finish reason %q", chunks, got.Message.Content, got.FinishReason)
	}
	if usage {
		return report.CheckUsage(acc.Usage.PromptTokens, acc.Usage.CompletionTokens, acc.Usage.TotalTokens)
	}
	if acc.Usage.TotalTokens != 0 {
		return errors.New("usage that was not asked for")
	}
	return nil
}

func withTools(text string) openai.ChatCompletionNewParams {
	var schema openai.FunctionParameters
	if err := json.Unmarshal([]byte(report.ToolSchema), &schema); err != nil {
		panic(err)
	}
	params := ask("chat", text)
	params.Tools = []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
		Name: report.Tool, Description: param.NewOpt("The weather in a city."), Strict: param.NewOpt(true), Parameters: schema,
	})}
	return params
}

func tools(ctx context.Context) error {
	params := withTools(report.Weather)
	first, err := complete(ctx, params)
	if err != nil {
		return err
	}
	if first.FinishReason != "tool_calls" || len(first.Message.ToolCalls) != 1 {
		return fmt.Errorf("no tool call: %s", first.RawJSON())
	}
	call := first.Message.ToolCalls[0]
	if err := report.CheckCall(call.ID, call.Function.Name, call.Function.Arguments); err != nil {
		return err
	}
	params.Messages = append(params.Messages, first.Message.ToParam(), openai.ToolMessage("12 °C", call.ID))
	second, err := complete(ctx, params)
	if err == nil && (second.FinishReason != "stop" || second.Message.Content == "") {
		err = fmt.Errorf("after the tool's result: %s", second.RawJSON())
	}
	return err
}

func parallelTools(ctx context.Context) error {
	acc, _, err := accumulate(ctx, withTools(report.Both))
	if err != nil {
		return err
	}
	calls := acc.Choices[0].Message.ToolCalls
	if len(calls) != 2 || calls[0].ID == calls[1].ID || acc.Choices[0].FinishReason != "tool_calls" {
		return fmt.Errorf("calls %v, finish reason %s", calls, acc.Choices[0].FinishReason)
	}
	for _, c := range calls {
		err = errors.Join(err, report.CheckCall(c.ID, c.Function.Name, c.Function.Arguments))
	}
	return err
}

func structured(ctx context.Context) error {
	params := ask("chat", report.Hello)
	params.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
		JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: "answer", Strict: param.NewOpt(true), Schema: json.RawMessage(report.AnswerSchema),
		},
	}
	choice, err := complete(ctx, params)
	if err != nil {
		return err
	}
	var got report.Answer
	if err := json.Unmarshal([]byte(choice.Message.Content), &got); err != nil || got.City == nil || got.Degrees == nil {
		return fmt.Errorf("%q does not fit: %w", choice.Message.Content, err)
	}
	return nil
}

// reasoning looks among the members that the SDK does not know but keeps.
func reasoning(ctx context.Context) error {
	whole, err := complete(ctx, ask("reasoner", report.Hello))
	if err != nil {
		return err
	}
	thought := func(raw string) (text string) {
		if raw != "" {
			err = errors.Join(err, json.Unmarshal([]byte(raw), &text))
		}
		return text
	}
	got := thought(whole.Message.JSON.ExtraFields["reasoning_content"].Raw())
	api := client("WEIR_KEY", 0)
	stream := api.Chat.Completions.NewStreaming(ctx, ask("reasoner", report.Hello))
	streamed := ""
	for stream.Next() {
		for _, choice := range stream.Current().Choices {
			streamed += thought(choice.Delta.JSON.ExtraFields["reasoning_content"].Raw())
		}
	}
	if got != report.Thought || streamed != report.Thought {
		err = errors.Join(err, fmt.Errorf("whole %q, streamed %q", got, streamed))
	}
	return errors.Join(err, stream.Err())
}

func image(ctx context.Context) error {
	params := ask("chat", "")
	params.Messages = []openai.ChatCompletionMessageParamUnion{openai.UserMessage([]openai.ChatCompletionContentPartUnionParam{
		openai.TextContentPart(report.Hello),
		openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: report.Env("WEIR_IMAGE")}),
	})}
	got, err := complete(ctx, params)
	if err == nil && !strings.Contains(got.Message.Content, report.Hello) {
		err = fmt.Errorf("%s", got.RawJSON())
	}
	return err
}

func embeddings(format openai.EmbeddingNewParamsEncodingFormat) func(context.Context) error {
	return func(ctx context.Context) error {
		return embed(ctx, openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: []string{report.Hello, "two"}}, format)
	}
}

func embeddingsOfTokens(ctx context.Context) error {
	return errors.Join(
		embed(ctx, openai.EmbeddingNewParamsInputUnion{OfArrayOfTokens: []int64{1, 2, 3}}, ""),
		embed(ctx, openai.EmbeddingNewParamsInputUnion{OfArrayOfTokenArrays: [][]int64{{1, 2}, {3}}}, ""))
}

func embed(ctx context.Context, input openai.EmbeddingNewParamsInputUnion, format openai.EmbeddingNewParamsEncodingFormat) error {
	api := client("WEIR_KEY", 0)
	got, err := api.Embeddings.New(ctx, openai.EmbeddingNewParams{Model: "embed", Input: input, EncodingFormat: format})
	if err != nil {
		return err
	}
	if want := max(1, len(input.OfArrayOfStrings), len(input.OfArrayOfTokenArrays)); len(got.Data) != want || got.Usage.TotalTokens == 0 {
		return fmt.Errorf("%d embeddings, not %d; usage %s", len(got.Data), want, got.Usage.RawJSON())
	}
	for i, d := range got.Data {
		vector := d.Embedding
		if format == openai.EmbeddingNewParamsEncodingFormatBase64 { // the SDK leaves decoding to its caller
			if vector, err = decode(d.JSON.Embedding.Raw()); err != nil {
				return err
			}
		}
		if err := report.CheckVector(vector); err != nil || d.Index != int64(i) {
			return fmt.Errorf("%d has index %d: %w", i, d.Index, err)
		}
	}
	return nil
}

func decode(raw string) ([]float64, error) {
	var text string
	if err := json.Unmarshal([]byte(raw), &text); err != nil {
		return nil, err
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	vector := make([]float64, len(data)/4)
	for i := range vector {
		vector[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
	}
	return vector, nil
}

func refused(feature, key, model string, status int, code string) report.Feature {
	return report.Feature{Name: feature, Run: func(ctx context.Context) error {
		api := client(key, 0)
		_, err := api.Chat.Completions.New(ctx, ask(model, report.Hello))
		var e *openai.Error
		if !errors.As(err, &e) {
			return fmt.Errorf("the error is %T %w", err, err)
		}
		return report.CheckError(e.StatusCode, status, e.Code, code, e.Message)
	}}
}

func retried(feature, model string) report.Feature {
	return report.Feature{Name: feature, Run: func(ctx context.Context) error {
		api := client("WEIR_KEY", 2)
		got, err := api.Chat.Completions.New(ctx, ask(model, report.Hello))
		if err == nil && !strings.Contains(got.Choices[0].Message.Content, report.Hello) {
			err = fmt.Errorf("%s", got.RawJSON())
		}
		return err
	}}
}

func cancelled(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	api := client("WEIR_KEY", 0)
	stream := api.Chat.Completions.NewStreaming(ctx, ask("endless", report.Hello))
	if !stream.Next() {
		return stream.Err()
	}
	cancel()
	for stream.Next() { // what was under way
	}
	if !errors.Is(stream.Err(), context.Canceled) {
		return fmt.Errorf("the stream ended with %w", stream.Err())
	}
	return nil
}

func broken(feature, model string) report.Feature {
	return report.Feature{Name: feature, Run: func(ctx context.Context) error {
		acc, chunks, err := accumulate(ctx, ask(model, report.Hello))
		var e *ssestream.StreamError
		if !errors.As(err, &e) || !strings.Contains(string(e.Event.Data), "upstream_error") || chunks == 0 || acc.Choices[0].FinishReason != "" {
			return fmt.Errorf("after %d chunks: %w", chunks, err)
		}
		return nil
	}}
}
