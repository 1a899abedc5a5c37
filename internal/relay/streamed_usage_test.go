package relay

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/eventstream"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// streamPrompts are requests for a stream, by their path.
var streamPrompts = map[string]string{
	"chat/completions":                      `{"model":"m","stream":true,"max_tokens":9,"messages":[{"role":"user","content":"12345678"}]}`,
	"messages":                              `{"model":"m","stream":true,"max_tokens":9,"messages":[{"role":"user","content":"12345678"}]}`,
	"responses":                             `{"model":"m","stream":true,"input":"12345678"}`,
	"v1beta/models/m:streamGenerateContent": `{"contents":[{"role":"user","parts":[{"text":"12345678"}]}]}`,
}

// wired is a stream as a provider sends it. Its events are payloads; those of AWS begin with their types.
func wired(kind string, events []string) (contentType string, wire []byte) {
	if kind != "bedrock" {
		return "text/event-stream", []byte("data: " + strings.Join(events, "\n\ndata: ") + "\n\n")
	}
	for _, event := range events {
		typ, payload, _ := strings.Cut(event, " ")
		wire = eventstream.Append(wire, []byte(payload), eventstream.Header{Name: ":message-type", Value: "event"}, eventstream.Header{Name: ":event-type", Value: typ})
	}
	return "application/vnd.amazon.eventstream", wire
}

// streamedCall is the one call of a request at a path, whose target of the kind answers with the events; and the bytes of the prompt.
func streamedCall(t *testing.T, kind, path string, events []string) (*Call, int64) {
	t.Helper()
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		contentType, wire := wired(kind, events)
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(wire)
	}))
	defer upstream.Close()
	cfg := upstreamCfg("p", strings.TrimSuffix(kind, " responses"), upstream.URL+"/v1")
	if cfg.Kind != kind {
		cfg.Speaks = []config.API{config.APIResponses}
	}
	in := table.At(path)
	if in == nil {
		in, _ = table.Verb(path)
	}
	asked, refused := in.Parse([]byte(streamPrompts[path]), dialect.ParseOptions{MaxDepth: 64, Model: "m"})
	if refused != nil {
		t.Fatal(refused)
	}
	res := Serve(t.Context(), httptest.NewRecorder(), &Request{
		ID: "id", Ingress: in, Asked: asked, MaxAnswer: 10 << 20, Providers: map[string]*provider.Provider{"p": upstreamOf(t, cfg)},
		Route: route.Route{Board: route.NewBoard(), Model: &route.Model{MaxAttempts: 1}, Targets: []route.Target{{Provider: "p", Model: "up", Facts: route.Facts{Price: money.Plain(1_000_000, 2_000_000)}}}},
	})
	if res.Err != nil || len(res.Calls) != 1 {
		t.Errorf("%s at %s: %v, %+v", path, kind, res.Err, res.Calls)
		return new(Call), 0
	}
	return &res.Calls[0], int64(asked.Scan().Heard)
}

// The parts of streams that say "1234".
const (
	chunkOf     = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"up","choices":[{"index":0,"delta":%s,"finish_reason":%s}]`
	responseOf  = `{"type":"response.%s","sequence_number":%d,"response":{"id":"r","object":"response","created_at":1,"model":"up","status":"%s","output":[%s],"usage":`
	messageItem = `{"type":"message","id":"i","role":"assistant","content":[{"type":"output_text","text":"1234"}]}`
)

// sayings are streams of each kind that say "1234", and the callers that they are sent to. $ is a figure of the usage.
var sayings = map[string]struct{ paths, events []string }{
	"openai": {
		[]string{"chat/completions", "messages", "responses"},
		[]string{
			fmt.Sprintf(chunkOf, `{"role":"assistant","content":"1234"}`, "null") + "}", fmt.Sprintf(chunkOf, "{}", `"stop"`) + "}",
			`{"id":"c","object":"chat.completion.chunk","created":1,"model":"up","choices":[],"usage":{"prompt_tokens":$,"completion_tokens":3,"total_tokens":4,"prompt_tokens_details":{"cached_tokens":$,"audio_tokens":$},"completion_tokens_details":{"reasoning_tokens":$}}}`,
			"[DONE]",
		},
	},
	"openai responses": {
		[]string{"responses", "chat/completions"},
		[]string{
			fmt.Sprintf(responseOf, "created", 0, "in_progress", "") + "null}}",
			`{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"message","id":"i","role":"assistant","content":[]}}`,
			`{"type":"response.content_part.added","sequence_number":2,"item_id":"i","output_index":0,"content_index":0,"part":{"type":"output_text","text":""}}`,
			`{"type":"response.output_text.delta","sequence_number":3,"item_id":"i","output_index":0,"content_index":0,"delta":"1234"}`,
			`{"type":"response.content_part.done","sequence_number":4,"item_id":"i","output_index":0,"content_index":0,"part":{"type":"output_text","text":"1234"}}`,
			`{"type":"response.output_item.done","sequence_number":5,"output_index":0,"item":` + messageItem + `}`,
			fmt.Sprintf(responseOf, "completed", 6, "completed", messageItem) + `{"input_tokens":5,"output_tokens":$,"total_tokens":$,"input_tokens_details":{"cached_tokens":$},"output_tokens_details":{"reasoning_tokens":$}}}}`,
		},
	},
	"anthropic": {
		[]string{"messages", "chat/completions"},
		[]string{
			`{"type":"message_start","message":{"id":"a","type":"message","role":"assistant","model":"up","content":[],"stop_reason":null,"usage":{"input_tokens":$,"cache_creation_input_tokens":$,"cache_read_input_tokens":$,"output_tokens":1,"cache_creation":{"ephemeral_1h_input_tokens":$}}}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"1234"}}`,
			`{"type":"content_block_stop","index":0}`,
			`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":$}}`,
			`{"type":"message_stop"}`,
		},
	},
	"gemini": {
		[]string{"v1beta/models/m:streamGenerateContent", "chat/completions"},
		[]string{
			`{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"1234"}]}}],"modelVersion":"up"}`,
			`{"candidates":[{"index":0,"finishReason":"STOP","content":{"role":"model","parts":[{"text":""}]}}],"modelVersion":"up","usageMetadata":{"promptTokenCount":7,"toolUsePromptTokenCount":$,"candidatesTokenCount":$,"thoughtsTokenCount":$,"promptTokensDetails":[{"modality":"AUDIO","tokenCount":$}]}}`,
		},
	},
	"bedrock": {
		[]string{"chat/completions", "messages"},
		[]string{
			`messageStart {"role":"assistant"}`, `contentBlockDelta {"contentBlockIndex":0,"delta":{"text":"1234"}}`, `contentBlockStop {"contentBlockIndex":0}`, `messageStop {"stopReason":"end_turn"}`,
			`metadata {"usage":{"inputTokens":$,"cacheReadInputTokens":$,"cacheWriteInputTokens":$,"outputTokens":$,"cacheDetails":[{"ttl":"1h","inputTokens":$}]}}`,
		},
	},
	"cohere": {
		[]string{"chat/completions", "responses"},
		[]string{
			`{"type":"message-start","id":"c","delta":{"message":{"role":"assistant"}}}`,
			`{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":""}}}}`,
			`{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"1234"}}}}`,
			`{"type":"content-end","index":0}`,
			`{"type":"message-end","delta":{"finish_reason":"COMPLETE","usage":{"cached_tokens":$,"tokens":{"input_tokens":$,"output_tokens":$},"billed_units":{"input_tokens":$}}}}`,
		},
	},
}

// The same holds for streams as for whole answers: figures that cannot be true are flagged, and what the call took is counted instead.
func TestAbsurdUsageOfStreams(t *testing.T) {
	t.Parallel()
	for kind, stream := range sayings {
		for _, path := range stream.paths {
			for _, figure := range absurdFigures {
				events := make([]string, len(stream.events))
				for i, event := range stream.events {
					events[i] = strings.ReplaceAll(event, "$", figure)
				}
				c, heard := streamedCall(t, kind, path, events)
				if want := (llm.Usage{Fresh: tokensOf(heard), Text: 1, Absurd: true}); c.Usage != want || !c.Estimated || !c.HasUsage {
					t.Errorf("%s at %s, %s: %+v, counted %v", path, kind, figure, c.Usage, c.Estimated)
				}
				if want := (money.Charge{Cost: 1000*c.Usage.Fresh + 2000, Listed: 1000*c.Usage.Fresh + 2000, Doubt: money.Absurd}); c.Charge != want {
					t.Errorf("%s at %s, %s: %+v, want %+v", path, kind, figure, c.Charge, want)
				}
			}
		}
	}
}
