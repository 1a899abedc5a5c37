package relay

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
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

// streamedCall is answeredCall of a request for a stream, which has the events.
func streamedCall(t *testing.T, kind, path string, events []string) (*Call, int64) {
	t.Helper()
	contentType, wire := wired(kind, events)
	return answeredCall(t, kind, path, streamPrompts[path], contentType, wire)
}

// answeredCall is the one call of a request at a path, whose target of the kind gives the answer; and the bytes of the prompt.
func answeredCall(t *testing.T, kind, path, body, contentType string, answer []byte) (*Call, int64) {
	t.Helper()
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(answer)
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
	asked, refused := in.Parse([]byte(body), dialect.ParseOptions{MaxDepth: 64, Model: "m"})
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

// usageAt gives the events of a stream usage, at the places in which so many bits are set: each report has more than those before it. What
// the last one says is returned.
func usageAt(events []string, places int, report func(event string, n int64) string) (with []string, last int64) {
	for i, event := range events {
		if places&(1<<i) == 0 {
			with = append(with, event)
			continue
		}
		last++
		with = append(with, report(event, last))
	}
	return with, last
}

// inserted are the events with one more at a place.
func inserted(events []string, at int, event string) []string {
	return slices.Insert(slices.Clone(events), at, event)
}

// Where a dialect may report usage in any event, in several, or in one of its own anywhere, the last report is what is recorded: it is
// never added to those before it, and nothing is counted.
func TestUsageInAnyEvent(t *testing.T) {
	t.Parallel()
	member := func(format string) func(string, int64) string {
		return func(event string, n int64) string {
			return event[:len(event)-1] + fmt.Sprintf(","+format+"}", 100+n, 10+n, 110+2*n)
		}
	}
	text, more, stop := fmt.Sprintf(chunkOf, `{"role":"assistant","content":"1234"}`, "null")+"}", fmt.Sprintf(chunkOf, `{"content":"5678"}`, "null")+"}", fmt.Sprintf(chunkOf, "{}", `"stop"`)+"}"
	said := func(text, finish string) string {
		return `{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"` + text + `"}]}` + finish + `}],"modelVersion":"up"}`
	}
	for kind, stream := range map[string]struct {
		events []string
		own    string // an event that says nothing but the usage
		end    []string
		report func(event string, n int64) string
	}{
		"openai": {
			events: []string{text, more, stop}, own: `{"id":"c","object":"chat.completion.chunk","created":1,"model":"up","choices":[]}`, end: []string{"[DONE]"},
			report: member(`"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}`),
		},
		"gemini": {
			events: []string{said("1234", ""), said("5678", ""), said("", `,"finishReason":"STOP"`)}, own: `{"modelVersion":"up"}`,
			report: member(`"usageMetadata":{"promptTokenCount":%d,"candidatesTokenCount":%d,"totalTokenCount":%d}`),
		},
	} {
		for _, path := range sayings[kind].paths {
			for at := range len(stream.events) + 1 {
				all := inserted(stream.events, at, stream.own)
				for places := 1; places < 1<<len(all); places++ {
					events, last := usageAt(all, places, stream.report)
					c, _ := streamedCall(t, kind, path, append(events, stream.end...))
					if want := (llm.Usage{Fresh: 100 + last, Text: 10 + last}); c.Usage != want || c.Estimated || !c.HasUsage {
						t.Errorf("%s at %s, usage at %b of %d events, the empty one at %d: %+v, counted %v", path, kind, places, len(all), at, c.Usage, c.Estimated)
					}
				}
			}
		}
	}
}

// In dialects that report usage in events of a certain kind, each figure is the last that was reported.
func TestUsageInSeveralEvents(t *testing.T) {
	t.Parallel()
	begins := func(usage string) string {
		return `{"type":"message_start","message":{"id":"a","type":"message","role":"assistant","model":"up","content":[],"stop_reason":null` + usage + `}}`
	}
	said := sayings["anthropic"].events[1:4]
	delta := func(reason, usage string) string {
		return `{"type":"message_delta","delta":{"stop_reason":` + reason + `}` + usage + `}`
	}
	const full = `,"usage":{"input_tokens":102,"output_tokens":12}`
	ends := delta(`"end_turn"`, `,"usage":{"output_tokens":12}`)
	converse := []string{`messageStart {"role":"assistant"}`, `contentBlockDelta {"contentBlockIndex":0,"delta":{"text":"1234"}}`, `contentBlockStop {"contentBlockIndex":0}`, `messageStop {"stopReason":"end_turn"}`}
	const metadata = `metadata {"usage":{"inputTokens":102,"outputTokens":12,"totalTokens":114}}`
	response := func(places int) []string {
		events := slices.Clone(sayings["openai responses"].events)
		events = slices.Insert(events, 1, fmt.Sprintf(responseOf, "in_progress", 1, "in_progress", "")+"null}}")
		for i, at := range [...]int{0, 1} {
			if places&(1<<i) != 0 {
				events[at] = strings.Replace(events[at], `"usage":null`, `"usage":{"input_tokens":100,"output_tokens":1,"total_tokens":101}`, 1)
			}
		}
		for i := range events {
			events[i] = regexp.MustCompile(`"sequence_number":\d+`).ReplaceAllString(events[i], fmt.Sprintf(`"sequence_number":%d`, i))
		}
		end := &events[len(events)-1]
		*end = (*end)[:strings.LastIndex(*end, `{"input_tokens"`)] + `{"input_tokens":102,"output_tokens":12,"total_tokens":114}}}`
		return events
	}
	for name, stream := range map[string]struct {
		kind   string
		events []string
	}{
		"the prompt first, the answer last":   {"anthropic", slices.Concat([]string{begins(`,"usage":{"input_tokens":102,"output_tokens":1}`)}, said, []string{ends, `{"type":"message_stop"}`})},
		"both last, as well":                  {"anthropic", slices.Concat([]string{begins(`,"usage":{"input_tokens":100,"output_tokens":1}`)}, said, []string{delta(`"end_turn"`, full), `{"type":"message_stop"}`})},
		"zeros first":                         {"anthropic", slices.Concat([]string{begins(`,"usage":{"input_tokens":0,"output_tokens":0}`)}, said, []string{delta(`"end_turn"`, full), `{"type":"message_stop"}`})},
		"both last alone":                     {"anthropic", slices.Concat([]string{begins("")}, said, []string{delta(`"end_turn"`, full), `{"type":"message_stop"}`})},
		"twice on the way":                    {"anthropic", slices.Concat([]string{begins(`,"usage":{"input_tokens":102,"output_tokens":1}`)}, said, []string{delta("null", `,"usage":{"output_tokens":7}`), ends, `{"type":"message_stop"}`})},
		"before the end of the message":       {"bedrock", inserted(converse, 3, metadata)},
		"before the end of the block":         {"bedrock", inserted(converse, 2, metadata)},
		"after the end of the message":        {"bedrock", inserted(converse, 4, metadata)},
		"a response that is complete":         {"openai responses", response(0)},
		"a response that began, too":          {"openai responses", response(1)},
		"a response that is in progress, too": {"openai responses", response(2)},
		"a response whenever it is spoken of": {"openai responses", response(3)},
	} {
		for _, path := range sayings[stream.kind].paths {
			c, _ := streamedCall(t, stream.kind, path, stream.events)
			if want := (llm.Usage{Fresh: 102, Text: 12}); c.Usage != want || c.Estimated || !c.HasUsage {
				t.Errorf("%s at %s, %s: %+v, counted %v", path, stream.kind, name, c.Usage, c.Estimated)
			}
		}
	}
}

// A request for several answers takes its prompt once, and all of the answers: as reported, or counted of them all.
func TestUsageOfSeveralChoices(t *testing.T) {
	t.Parallel()
	const usage = `,"usage":{"prompt_tokens":100,"completion_tokens":33,"total_tokens":133}`
	var choices, chunks []string
	for i := range 3 {
		choices = append(choices, fmt.Sprintf(`{"index":%d,"message":{"role":"assistant","content":"1234"},"finish_reason":"stop"}`, i))
		chunks = append(chunks, fmt.Sprintf(`{"id":"c","object":"chat.completion.chunk","created":1,"model":"up","choices":[{"index":%d,"delta":{"role":"assistant","content":"1234"},"finish_reason":"stop"}]}`, i))
	}
	for _, tail := range []string{"", usage} {
		whole := `{"id":"c","object":"chat.completion","created":1,"model":"up","choices":[` + strings.Join(choices, ",") + `]` + tail + `}`
		_, stream := wired("openai", slices.Concat(chunks, []string{`{"id":"c","object":"chat.completion.chunk","created":1,"model":"up","choices":[]` + tail + `}`, "[DONE]"}))
		for contentType, answer := range map[string][]byte{"application/json": []byte(whole), "text/event-stream": stream} {
			body := strings.Replace(streamPrompts["chat/completions"], "{", `{"n":3,`, 1)
			if contentType == "application/json" {
				body = strings.Replace(body, `"stream":true,`, "", 1)
			}
			c, heard := answeredCall(t, "openai", "chat/completions", body, contentType, answer)
			want := llm.Usage{Fresh: 100, Text: 33}
			if tail == "" {
				want = llm.Usage{Fresh: tokensOf(heard), Text: 3}
			}
			if c.Usage != want || c.Estimated != (tail == "") || !c.HasUsage {
				t.Errorf("%s, %q: %+v, counted %v", contentType, tail, c.Usage, c.Estimated)
			}
		}
	}
}
