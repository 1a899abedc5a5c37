// Anthropic's own SDK for Go.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/weirproxy/weir/sdktest/callers/go/report"
)

func main() {
	report.Run("github.com/anthropics/anthropic-sdk-go", []report.Feature{
		{Name: "text", Run: text},
		{Name: "stream", Run: streamed},
		{Name: "tools", Run: func(ctx context.Context, model, _ string) error { return loop(ctx, ask(model, report.Question), 1) }},
		{Name: "parallel", Run: func(ctx context.Context, model, _ string) error { return loop(ctx, ask(model, report.Parallel), 2) }},
		{Name: "image", Run: image},
		{Name: "structured", Run: structured},
		{Name: "reasoning", Run: reasoning},
		{Name: "errors", Run: refused},
		{Name: "hangup", Run: hangup},
		{Name: "cut", Run: breaks},
		{Name: "breaks", Run: breaks},
	})
}

func client(key string) anthropic.Client {
	return anthropic.NewClient(option.WithBaseURL(report.Env("WEIR_URL")), option.WithAPIKey(report.Env(key)), option.WithMaxRetries(0))
}

func ask(model, question string) anthropic.MessageNewParams {
	return anthropic.MessageNewParams{
		Model: anthropic.Model(model), MaxTokens: 500,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(question))},
	}
}

func said(m *anthropic.Message) string {
	var b strings.Builder
	for _, block := range m.Content {
		if block.Type == "text" {
			b.WriteString(block.Text)
		}
	}
	return b.String()
}

// collect reads a stream to its end.
func collect(ctx context.Context, params anthropic.MessageNewParams) (*anthropic.Message, int, error) {
	api := client("WEIR_KEY")
	stream := api.Messages.NewStreaming(ctx, params)
	defer stream.Close()
	var m anthropic.Message
	pieces := 0
	for stream.Next() {
		ev := stream.Current()
		if ev.Type == "content_block_delta" {
			pieces++
		}
		if err := m.Accumulate(ev); err != nil {
			return nil, pieces, err
		}
	}
	if err := stream.Err(); err != nil {
		return nil, pieces, err
	}
	if m.StopReason == "" {
		return nil, pieces, errors.New("the stream ended without a reason")
	}
	return &m, pieces, nil
}

func text(ctx context.Context, model, _ string) error {
	api := client("WEIR_KEY")
	m, err := api.Messages.New(ctx, ask(model, report.Question))
	if err != nil {
		return err
	}
	return errors.Join(report.SaysBack(said(m)), report.CheckUsage(m.Usage.InputTokens, m.Usage.OutputTokens))
}

func streamed(ctx context.Context, model, _ string) error {
	m, pieces, err := collect(ctx, ask(model, report.Question))
	if err != nil || pieces < 2 {
		return fmt.Errorf("%d pieces, %w", pieces, err)
	}
	return errors.Join(report.SaysBack(said(m)), report.CheckUsage(m.Usage.InputTokens, m.Usage.OutputTokens))
}

func loop(ctx context.Context, params anthropic.MessageNewParams, count int) error {
	schema := report.Schema(report.ToolSchema)
	params.Tools = []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{
		Name: report.Tool, Description: anthropic.String(report.Description),
		InputSchema: anthropic.ToolInputSchemaParam{Properties: schema["properties"], Required: []string{"city", "unit"}, ExtraFields: map[string]any{"additionalProperties": false}},
	}}}
	first, _, err := collect(ctx, params)
	if err != nil {
		return err
	}
	var results []anthropic.ContentBlockParamUnion
	ids := map[string]bool{}
	for _, block := range first.Content {
		if block.Type == "tool_use" {
			if err := report.CheckArguments(string(block.Input)); err != nil {
				return err
			}
			ids[block.ID] = true
			results = append(results, anthropic.NewToolResultBlock(block.ID, report.Result, false))
		}
	}
	if len(ids) != count || len(results) != count || first.StopReason != "tool_use" {
		return fmt.Errorf("%d calls, ended with %s", len(results), first.StopReason)
	}
	params.Messages = append(params.Messages, first.ToParam(), anthropic.NewUserMessage(results...))
	api := client("WEIR_KEY")
	second, err := api.Messages.New(ctx, params)
	if err != nil {
		return err
	}
	return report.SaysResult(said(second))
}

func image(ctx context.Context, model, _ string) error {
	_, data, _ := strings.Cut(report.Env("WEIR_IMAGE"), ",")
	params := ask(model, report.Question)
	params.Messages[0].Content = append(params.Messages[0].Content, anthropic.NewImageBlockBase64("image/png", data))
	api := client("WEIR_KEY")
	m, err := api.Messages.New(ctx, params)
	if err != nil {
		return err
	}
	return report.SaysBack(said(m))
}

func structured(ctx context.Context, model, _ string) error {
	params := ask(model, report.Question)
	params.OutputConfig = anthropic.OutputConfigParam{Format: anthropic.JSONOutputFormatParam{Schema: report.Schema(report.ReportSchema)}}
	api := client("WEIR_KEY")
	m, err := api.Messages.New(ctx, params)
	if err != nil {
		return err
	}
	return report.CheckReport(said(m))
}

func reasoning(ctx context.Context, model, target string) error {
	if target == "chat" {
		return report.NoThoughts
	}
	params := ask(model, report.Question)
	params.MaxTokens, params.Thinking = 4000, anthropic.ThinkingConfigParamOfEnabled(1024)
	return loop(ctx, params, 1)
}

// status checks that an error is the client's own, with a status.
func status(err error, want int, words string) error {
	var e *anthropic.Error
	if !errors.As(err, &e) || e.StatusCode != want || !strings.Contains(e.Error(), words) || !json.Valid([]byte(e.RawJSON())) {
		return fmt.Errorf("not %d: %v", want, err)
	}
	return nil
}

func refused(ctx context.Context, model, _ string) error {
	api, stranger := client("WEIR_KEY"), client("WEIR_BAD_KEY")
	_, refusal := api.Messages.New(ctx, ask(model, report.Question))
	_, key := stranger.Messages.New(ctx, ask(model, report.Question))
	_, unknown := api.Messages.New(ctx, ask("nope", report.Question))
	return errors.Join(status(refusal, 400, "The upstream's own words"), status(key, 401, ""), status(unknown, 404, ""))
}

func hangup(ctx context.Context, model, _ string) error {
	api := client("WEIR_KEY")
	stream := api.Messages.NewStreaming(ctx, ask(model, report.Question))
	for stream.Next() {
		if stream.Current().Type == "content_block_delta" {
			return stream.Close()
		}
	}
	return fmt.Errorf("nothing came: %w", stream.Err())
}

func breaks(ctx context.Context, model, _ string) error {
	_, pieces, err := collect(ctx, ask(model, report.Question))
	if err == nil || pieces == 0 {
		return fmt.Errorf("%d pieces, %v", pieces, err)
	}
	return nil
}
