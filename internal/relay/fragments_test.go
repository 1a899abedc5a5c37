package relay

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// upstreamEvent is one event as an upstream means it, whatever its framing.
type upstreamEvent struct{ typ, data string }

func untyped(payloads ...string) []upstreamEvent {
	var list []upstreamEvent
	for _, p := range payloads {
		list = append(list, upstreamEvent{"", p})
	}
	return list
}

// typed are events named by their type, as Anthropic's are.
func typed(payloads ...string) []upstreamEvent {
	var list []upstreamEvent
	for _, p := range payloads {
		name, _, _ := strings.Cut(strings.TrimPrefix(p, `{"type":"`), `"`)
		list = append(list, upstreamEvent{name, p})
	}
	return list
}

// fragmentStreams are streams with parts that depend on what came before: repairs, usage, tool calls, errors.
var fragmentStreams = map[string]struct {
	dialect llm.Dialect
	events  []upstreamEvent
}{
	"text": {llm.OpenAI, untyped(
		`{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`,
		`{"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"é世 👋🏽\u00e9\n"},"finish_reason":""}]}`,
		`{"id":"d","choices":[{"index":0,"delta":{},"finish_reason":"eos"}],"usage":{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}}`,
		`[DONE]`)},
	"tools": {llm.OpenAI, untyped(
		`{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"é\":"}}]}}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"1}"}}]}}]}`,
		`{"choices":[{"delta":{},"finish_reason":"stop"}]}`,
		`{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}`)},
	"an error behind content": {llm.OpenAI, untyped(
		`{"id":"c","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"ö"},"finish_reason":null}]}`,
		`{"error":{"message":"Überlastet","type":"server_error","code":503}}`)},
	"an error": {llm.OpenAI, []upstreamEvent{{"error", `{"message":"zu groß"}`}}},
	"cut short": {llm.OpenAI, untyped(
		`{"id":"c","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"ö"},"finish_reason":null}]}`)},
	"another dialect": {llm.Anthropic, typed(
		`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"c","content":[],"usage":{"input_tokens":9,"output_tokens":1}}}`,
		`{"type":"ping"}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"世界"}}`,
		`{"type":"content_block_stop","index":0}`,
		`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}`,
		`{"type":"message_stop"}`)},
}

// spaced has white space where a payload over several lines has its line ends.
func spaced(payload, space string) string {
	if !strings.HasPrefix(payload, "{") {
		return payload
	}
	return "{" + space + payload[1:len(payload)-1] + space + "}"
}

// fragmentFramings write events in every way in which they may come.
var fragmentFramings = map[string]framing{
	"CRLF":             {end: "\r\n"},
	"CR":               {end: "\r"},
	"byte order mark":  {before: "\ufeff", end: "\n"},
	"comments":         {before: ": hello\n\n", end: "\n", line: ": é\n"},
	"other fields":     {end: "\r\n", line: "id: 7\r\nretry: 10\r\nfoo\r\n"},
	"several lines":    {end: "\n", lines: true},
	"several, CR":      {end: "\r", lines: true},
	"several, CRLF":    {end: "\r\n", lines: true, line: ":\r\n"},
	"blank lines":      {before: "\n\r\n\r", end: "\n", behind: "\n\r\n\r\r"},
	"no last blank":    {end: "\r\n", open: 1},
	"no last line end": {end: "\n", open: 2},
	"no space":         {end: "\n", tight: true},
	"mark, CR, no end": {before: "\ufeff\r", end: "\r", open: 2, tight: true},
	"all three ends":   {end: "\r", behind: "\n\r\n"},
}

// framing is how a stream is written.
type framing struct {
	before, end, behind string // before the stream, the end of a line, after an event
	line                string // before each line of data
	lines, tight        bool   // data over several lines; no space after a colon
	open                int    // number of line ends missing after the last event
}

// write writes events.
func (f framing) write(events []upstreamEvent) string {
	var b strings.Builder
	b.WriteString(f.before)
	space := " "
	if f.tight {
		space = ""
	}
	for i, e := range events {
		if e.typ != "" {
			b.WriteString("event:" + space + e.typ + f.end)
		}
		data := e.data
		if f.lines {
			data = spaced(data, f.end+"data:"+space)
		}
		b.WriteString(f.line + "data:" + space + data)
		if i < len(events)-1 || f.open == 0 {
			b.WriteString(f.end + f.end + f.behind)
		} else if f.open == 1 {
			b.WriteString(f.end)
		}
	}
	return b.String()
}

// plain is the stream that the events have to be relayed like: white space between members stays.
func (f framing) plain(events []upstreamEvent) string {
	var b strings.Builder
	for _, e := range events {
		if f.lines {
			e.data = spaced(e.data, " ")
		}
		b.WriteString("event: " + e.typ + "\ndata: " + e.data + "\n\n")
	}
	return b.String()
}

// relayed is all that the caller and the log get of a stream.
func relayed(t *testing.T, upstream *provider.Provider, d llm.Dialect, body io.Reader) string {
	t.Helper()
	w := httptest.NewRecorder()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	call := scanned(dialect.Scanned{Stream: true, WantUsage: true, Model: "m"})
	r := &run{
		Request: &Request{ID: "id", Ingress: ingressOf(call), Asked: call, Hide: true, Route: route.Route{Model: new(route.Model)}, Started: time.Unix(1, 0), MaxAnswer: 10 << 20},
		ctx:     ctx, w: w, result: new(Result), calls: new(calls), sink: newSink(w, &passthrough.Chat.Framing, time.Hour),
	}
	r.race = &r.handlers
	r.race.begin(r)
	defer r.sink.close()
	a := &attempt{run: r, provider: upstream, target: new(route.Target), call: added(r.calls, Call{Attempt: 1}), number: 1, cancel: cancel, watch: newWatch(time.Hour, time.Hour, cancel, nil)}
	var made stream = &passing{pass: &pass{order: order{run: r}, asked: r.Asked.(dialect.Passing)}}
	a.exchange = &pass{order: order{run: r}}
	a.refusals = table.Refusals(d)
	if a.codec = table.Codec(d); a.codec != nil {
		made = &translating{codec: a.codec, produce: call.Writer(a.writing(a.codec, nil)), last: true, forget: func() {}}
	}
	defer a.watch.stop()
	told := "whole"
	if f := a.stream(ctx, &http.Response{Header: http.Header{}, Body: io.NopCloser(body)}, made); f != nil {
		told = fmt.Sprintf("%v %d %s (%s) %v", f.outcome, f.status, f.reason, f.said, f.cause)
	}
	r.account()
	res := r.result
	return fmt.Sprintf("%s\n%s\n%+v %v %q %v", told, w.Body, res.Usage, res.HasUsage, res.Finish, res.Repairs)
}

func nameless(t *testing.T) *provider.Provider {
	t.Helper()
	p, err := provider.New(config.Provider{Kind: "openai", BaseURL: "http://upstream.test/v1"}, provider.Identity{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// inTwo are the two pieces of a text, each read separately.
func inTwo(text string, at int) io.Reader {
	return io.MultiReader(strings.NewReader(text[:at]), strings.NewReader(text[at:]))
}

// Whatever its framing and wherever it is cut, a stream is relayed the same: the caller's bytes, the reported usage, and
// the failure if it failed.
func TestFragments(t *testing.T) {
	t.Parallel()
	upstream := nameless(t)
	for name, stream := range fragmentStreams {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for name, framing := range fragmentFramings {
				want := relayed(t, upstream, stream.dialect, strings.NewReader(framing.plain(stream.events)))
				text := framing.write(stream.events)
				hold := func(how string, body io.Reader) {
					if got := relayed(t, upstream, stream.dialect, body); got != want {
						t.Fatalf("%s, %s: %q:\n%s\nnot\n%s", name, how, text, got, want)
					}
				}
				hold("whole", strings.NewReader(text))
				hold("its end with the last byte", iotest.DataErrReader(strings.NewReader(text)))
				hold("byte by byte", iotest.OneByteReader(strings.NewReader(text)))
				for at := range text {
					hold(fmt.Sprint("cut at ", at), inTwo(text, at))
				}
			}
		})
	}
}

// Answers other than event streams are recognised by their first bytes, which may come one by one.
func TestFragmentsOfOtherAnswers(t *testing.T) {
	t.Parallel()
	upstream := nameless(t)
	for name, text := range map[string]string{
		"an answer":                 `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"é"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`,
		"an error":                  `{"error":{"message":"é","type":"x","code":"429"}}`,
		"a list":                    `[{"error":{"message":"é","code":429}}]`,
		"a web page":                "<!DOCTYPE html><html>é</html>",
		"white space":               strings.Repeat(" \r\n", 40),
		"nothing":                   "",
		"words":                     "Internal Server Error",
		"a mark and an error":       "\ufeff" + `{"error":{"message":"é","type":"x","code":"429"}}`,
		"a mark and a web page":     "\ufeff<html>é</html>",
		"space and an answer":       strings.Repeat("\r\n", 50) + `{"error":{"message":"é","type":"x","code":"429"}}`,
		"half a mark":               "\xef\xbb",
		"a mark, space and a list":  "\ufeff \n" + `[{"error":{"message":"é","code":429}}]`,
		"a mark and nothing behind": "\ufeff",
	} {
		want := relayed(t, upstream, llm.OpenAI, strings.NewReader(strings.TrimLeft(text, insignificant)))
		hold := func(how string, body io.Reader) {
			if got := relayed(t, upstream, llm.OpenAI, body); got != want {
				t.Errorf("%s, %s:\n%s\nnot\n%s", name, how, got, want)
			}
		}
		hold("byte by byte", iotest.OneByteReader(strings.NewReader(text)))
		hold("its end with the last byte", iotest.DataErrReader(bytes.NewReader([]byte(text))))
		for at := range text {
			hold(fmt.Sprint("cut at ", at), inTwo(text, at))
		}
	}
}
