// OpenAI's SDK for Go, with its Responses API.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"

	"github.com/weirproxy/weir/sdktest/callers/go/report"
)

func main() {
	report.Run("github.com/openai/openai-go/v3", []report.Feature{
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

func client(key string) openai.Client {
	return openai.NewClient(option.WithBaseURL(report.Env("WEIR_URL")+"/v1"), option.WithAPIKey(report.Env(key)), option.WithMaxRetries(0))
}

func input(items ...responses.ResponseInputItemUnionParam) responses.ResponseNewParamsInputUnion {
	return responses.ResponseNewParamsInputUnion{OfInputItemList: items}
}

func ask(model, question string) responses.ResponseNewParams {
	return responses.ResponseNewParams{Model: model, Store: openai.Bool(false), Input: input(responses.ResponseInputItemParamOfMessage(question, "user"))}
}

// collect reads a stream to its end.
func collect(ctx context.Context, params responses.ResponseNewParams) (whole *responses.Response, said string, err error) {
	api := client("WEIR_KEY")
	stream := api.Responses.NewStreaming(ctx, params)
	defer stream.Close()
	for stream.Next() {
		switch ev := stream.Current().AsAny().(type) {
		case responses.ResponseTextDeltaEvent:
			said += ev.Delta
		case responses.ResponseFailedEvent:
			return nil, said, errors.New(ev.Response.Error.Message)
		case responses.ResponseCompletedEvent:
			whole = &ev.Response
		}
	}
	if err = stream.Err(); err == nil && whole == nil {
		err = errors.New("the stream ended too soon")
	}
	return whole, said, err
}

func text(ctx context.Context, model, _ string) error {
	api := client("WEIR_KEY")
	got, err := api.Responses.New(ctx, ask(model, report.Question))
	if err != nil {
		return err
	}
	return errors.Join(report.SaysBack(got.OutputText()), report.CheckUsage(got.Usage.InputTokens, got.Usage.OutputTokens))
}

func streamed(ctx context.Context, model, _ string) error {
	got, said, err := collect(ctx, ask(model, report.Question))
	if err != nil {
		return err
	}
	if said != got.OutputText() {
		return fmt.Errorf("%q in pieces, %q as a whole", said, got.OutputText())
	}
	return errors.Join(report.SaysBack(said), report.CheckUsage(got.Usage.InputTokens, got.Usage.OutputTokens))
}

func loop(ctx context.Context, params responses.ResponseNewParams, count int) error {
	tool := responses.ToolParamOfFunction(report.Tool, report.Schema(report.ToolSchema), true)
	tool.OfFunction.Description = openai.String(report.Description)
	params.Tools = []responses.ToolUnionParam{tool}
	first, _, err := collect(ctx, params)
	if err != nil {
		return err
	}
	items := params.Input.OfInputItemList
	var results []responses.ResponseInputItemUnionParam
	ids := map[string]bool{}
	for _, item := range first.Output {
		items = append(items, param.Override[responses.ResponseInputItemUnionParam](json.RawMessage(item.RawJSON())))
		if item.Type != "function_call" {
			continue
		}
		call := item.AsFunctionCall()
		if err := report.CheckArguments(call.Arguments); err != nil {
			return err
		}
		ids[call.CallID] = true
		results = append(results, responses.ResponseInputItemUnionParam{OfFunctionCallOutput: &responses.ResponseInputItemFunctionCallOutputParam{
			CallID: openai.String(call.CallID),
			Output: responses.ResponseInputItemFunctionCallOutputOutputUnionParam{OfString: openai.String(report.Result)},
		}})
	}
	if len(ids) != count {
		return fmt.Errorf("%d calls: %s", len(ids), first.RawJSON())
	}
	params.Input = input(append(items, results...)...)
	api := client("WEIR_KEY")
	second, err := api.Responses.New(ctx, params)
	if err != nil {
		return err
	}
	return report.SaysResult(second.OutputText())
}

func image(ctx context.Context, model, _ string) error {
	picture := responses.ResponseInputContentParamOfInputImage("auto")
	picture.OfInputImage.ImageURL = openai.String(report.Env("WEIR_IMAGE"))
	content := responses.ResponseInputMessageContentListParam{responses.ResponseInputContentParamOfInputText(report.Question), picture}
	params := ask(model, "")
	params.Input = input(responses.ResponseInputItemParamOfMessage(content, "user"))
	api := client("WEIR_KEY")
	got, err := api.Responses.New(ctx, params)
	if err != nil {
		return err
	}
	return report.SaysBack(got.OutputText())
}

func structured(ctx context.Context, model, _ string) error {
	params := ask(model, report.Question)
	format := responses.ResponseFormatTextConfigParamOfJSONSchema("report", report.Schema(report.ReportSchema))
	format.OfJSONSchema.Strict = openai.Bool(true)
	params.Text = responses.ResponseTextConfigParam{Format: format}
	api := client("WEIR_KEY")
	got, err := api.Responses.New(ctx, params)
	if err != nil {
		return err
	}
	return report.CheckReport(got.OutputText())
}

func reasoning(ctx context.Context, model, target string) error {
	if target == "chat" {
		return report.NoThoughts
	}
	params := ask(model, report.Question)
	params.Reasoning = shared.ReasoningParam{Effort: "low", Summary: "auto"}
	params.Include = []responses.ResponseIncludable{"reasoning.encrypted_content"}
	return loop(ctx, params, 1)
}

// status checks that an error is the client's own, with a status.
func status(err error, want int, words string) error {
	var e *openai.Error
	if !errors.As(err, &e) || e.StatusCode != want || e.Message == "" || !strings.Contains(e.Message, words) {
		return fmt.Errorf("not %d: %v", want, err)
	}
	return nil
}

func refused(ctx context.Context, model, _ string) error {
	api, stranger := client("WEIR_KEY"), client("WEIR_BAD_KEY")
	_, refusal := api.Responses.New(ctx, ask(model, report.Question))
	_, key := stranger.Responses.New(ctx, ask(model, report.Question))
	_, unknown := api.Responses.New(ctx, ask("nope", report.Question))
	return errors.Join(status(refusal, 400, "The upstream's own words"), status(key, 401, ""), status(unknown, 404, ""))
}

func hangup(ctx context.Context, model, _ string) error {
	api := client("WEIR_KEY")
	stream := api.Responses.NewStreaming(ctx, ask(model, report.Question))
	for stream.Next() {
		if stream.Current().Type == "response.output_text.delta" {
			return stream.Close()
		}
	}
	return fmt.Errorf("nothing came: %w", stream.Err())
}

func breaks(ctx context.Context, model, _ string) error {
	_, said, err := collect(ctx, ask(model, report.Question))
	if err == nil || said == "" {
		return fmt.Errorf("it said %q: %v", said, err)
	}
	return nil
}
