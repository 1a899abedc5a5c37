package relay

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/anthropic"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/dialect/responses"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// quitter hangs up as soon as it has read the event that ends a stream, as Codex and others do.
type quitter struct {
	*httptest.ResponseRecorder
	last  string
	leave func()
}

// Write implements http.ResponseWriter.
func (l quitter) Write(p []byte) (int, error) {
	n, err := l.ResponseRecorder.Write(p)
	if bytes.Contains(p, []byte(l.last)) {
		l.leave()
	}
	return n, err
}

// FlushError implements what http.ResponseController asks for.
func (l quitter) FlushError() error { return nil }

// Grow implements Memory.
func (l quitter) Grow(int) bool { return true }

// A caller who leaves when the last event is there has the whole answer, and the target has not failed.
func TestACallerMayLeaveAfterTheLastEvent(t *testing.T) {
	t.Parallel()
	const (
		begun = `data: {"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","created_at":1,"model":"m","status":"in_progress","output":[],"usage":null}}` + "\n\n"
		said  = `data: {"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"message","id":"i","role":"assistant","content":[]}}` + "\n\n" + `data: {"type":"response.content_part.added","sequence_number":2,"item_id":"i","output_index":0,"content_index":0,"part":{"type":"output_text","text":""}}` + "\n\n" + `data: {"type":"response.output_text.delta","sequence_number":3,"item_id":"i","output_index":0,"content_index":0,"delta":"A"}` + "\n\n" + `data: {"type":"response.content_part.done","sequence_number":4,"item_id":"i","output_index":0,"content_index":0,"part":{"type":"output_text","text":"A"}}` + "\n\n" + `data: {"type":"response.output_item.done","sequence_number":5,"output_index":0,"item":{"type":"message","id":"i","role":"assistant","content":[{"type":"output_text","text":"A"}]}}` + "\n\n"
		fully = `data: {"type":"response.completed","sequence_number":6,"response":{"id":"r","object":"response","created_at":1,"model":"m","status":"completed","output":[{"type":"message","id":"i","role":"assistant","content":[{"type":"output_text","text":"A"}]}],"usage":{"input_tokens":3,"output_tokens":4,"total_tokens":7}}}` + "\n\n"
		chunk = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"A"},"finish_reason":null}]}` + "\n\n"
		stop  = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
		used  = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}` + "\n\ndata: [DONE]\n\n"
	)
	for name, tt := range map[string]struct {
		in                    *dialect.Ingress
		request, answer, last string
		speaks                []config.API
	}{
		"passed":            {responses.Responses, `{"model":"m","stream":true,"input":"hi"}`, begun + said + fully, "response.completed", []config.API{config.APIChat, config.APIResponses}},
		"Responses to chat": {responses.Responses, `{"model":"m","stream":true,"input":"hi"}`, chunk + stop + used, "response.completed", nil},
		"Messages to chat":  {anthropic.Messages, `{"model":"m","stream":true,"max_tokens":9,"messages":[{"role":"user","content":"hi"}]}`, chunk + stop + used, "message_stop", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			final, sent := quits(t, tt.in, tt.request, tt.answer, tt.last, tt.speaks)
			if final.Err != nil || final.Cut || final.Calls[0].Outcome != "ok" {
				t.Errorf("error %v, cut %v, the call's outcome %q; the caller was sent\n%s", final.Err, final.Cut, final.Calls[0].Outcome, sent)
			}
		})
	}
}

// quits is what becomes of a request whose caller hangs up when it has read a text of the answer, and what the caller was sent.
func quits(t *testing.T, in *dialect.Ingress, request, answer, last string, speaks []config.API) (final *Result, sent string) {
	t.Helper()
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(answer))
	}))
	t.Cleanup(upstream.Close)
	p, err := provider.New(config.Provider{Name: "p", Kind: "openai", BaseURL: upstream.URL, Speaks: speaks}, provider.Identity{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	call, refused := in.Parse([]byte(request), dialect.ParseOptions{})
	if refused != nil {
		t.Fatal(refused)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := quitter{httptest.NewRecorder(), last, cancel}
	Serve(ctx, w, &Request{
		ID: "id", Ingress: in, Asked: call, Providers: map[string]*provider.Provider{"p": p}, MaxAnswer: 10 << 20, Memory: w, Started: time.Now(),
		Route:  route.Route{Board: route.NewBoard(), Model: &route.Model{MaxAttempts: 1, Timeouts: route.Timeouts{Hold: time.Hour}}, Targets: []route.Target{{Provider: "p", Model: "m"}}},
		Settle: func(r *Result) { final = r },
	})
	return final, w.Body.String()
}

// A caller who leaves before the last event is not its target's failure, also if the target has ended the stream by then.
func TestACallerWhoLeavesAtTheEndIsNoFailureOfTheTarget(t *testing.T) {
	t.Parallel()
	const (
		chunk = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"A"},"finish_reason":null}]}` + "\n\n"
		stop  = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
		done  = "data: [DONE]\n\n"
	)
	for name, tt := range map[string]struct {
		in                    *dialect.Ingress
		request, answer, last string
	}{
		"passed":                {passthrough.Chat, `{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}`, chunk + stop + done, `"A"`},
		"passed, cut":           {passthrough.Chat, `{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}`, chunk, `"A"`},
		"Messages to chat":      {anthropic.Messages, `{"model":"m","stream":true,"max_tokens":9,"messages":[{"role":"user","content":"hi"}]}`, chunk + stop + done, `"A"`},
		"Messages to chat, cut": {anthropic.Messages, `{"model":"m","stream":true,"max_tokens":9,"messages":[{"role":"user","content":"hi"}]}`, chunk, `"A"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			final, sent := quits(t, tt.in, tt.request, tt.answer, tt.last, nil)
			if c := final.Calls[0]; final.Err == nil || final.Err.Kind != llm.Canceled || c.Outcome != route.Canceled.String() || c.Ends != Cancelled {
				t.Errorf("error %v, the call's outcome %q, %s; the caller was sent\n%s", final.Err, c.Outcome, c.Ends, sent)
			}
		})
	}
}
