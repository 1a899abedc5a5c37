package relay

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/route"
)

// answerer is an upstream that gives every request one answer.
func answerer(t *testing.T, answer string) string {
	t.Helper()
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, answer) }))
	t.Cleanup(upstream.Close)
	return upstream.URL + "/v1"
}

const answeredWhole = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"A"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}`

// A target whose call must not be made is passed over, and another one answers. It is no attempt.
func TestBarredTargetsArePassedOver(t *testing.T) {
	t.Parallel()
	url := answerer(t, answeredWhole)
	b := &books{bar: map[string]*Refused{"dear": {Err: &llm.Error{Kind: llm.Overloaded}, Skip: route.BudgetFull}}}
	w := httptest.NewRecorder()
	res := b.serve(t.Context(), t, w, askedWhole, &route.Model{MaxAttempts: 1}, upstreamCfg("dear", "openai", url), upstreamCfg("cheap", "openai", url))
	if res.Err != nil || res.Attempts != 1 || res.Answering != 1 || len(res.Calls) != 1 || res.Calls[0].Target.Provider != "cheap" || len(b.settled) != 1 {
		t.Fatalf("%v, %d attempts, the %d. answers, calls %+v", res.Err, res.Attempts, res.Answering, res.Calls)
	}
	if i := slices.IndexFunc(res.Considered, func(s route.Step) bool { return s.Provider == "dear" }); i < 0 || res.Considered[i].Skip.String() != "budget" {
		t.Errorf("considered: %+v", res.Considered)
	}
}

// If all targets are passed over, the caller gets the error of the least rank. Nothing was sent, so nothing was an attempt.
func TestAllTargetsBarred(t *testing.T) {
	t.Parallel()
	url := answerer(t, answeredWhole)
	soon, never := &llm.Error{Kind: llm.Overloaded, Message: "soon"}, &llm.Error{Kind: llm.InvalidValue, Message: "never"}
	for _, request := range []string{askedWhole, askedStream} {
		b := &books{bar: map[string]*Refused{"one": {never, route.BudgetFull, 2}, "two": {soon, route.BudgetFull, 1}, "three": {never, route.Unpriced, 3}}}
		res := b.serve(t.Context(), t, httptest.NewRecorder(), request, &route.Model{MaxAttempts: 3},
			upstreamCfg("one", "openai", url), upstreamCfg("two", "openai", url), upstreamCfg("three", "openai", url))
		if res.Err != soon || res.Attempts != 0 || len(res.Calls) != 0 || !res.Dispatched.IsZero() || len(b.settled) != 0 {
			t.Errorf("%v, %d attempts, calls %+v, sent at %v", res.Err, res.Attempts, res.Calls, res.Dispatched)
		}
	}
}

// A stream is stopped when its record says so: the caller gets the error as an event, the call is settled as cut with what was sent, and
// the upstream is asked for nothing more.
func TestStreamsAreStopped(t *testing.T) {
	t.Parallel()
	const (
		told  = `event: message_start` + "\n" + `data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"up","content":[],"stop_reason":null,"usage":{"input_tokens":3,"output_tokens":1}}}` + "\n\n" + `event: content_block_start` + "\n" + `data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` + "\n\n"
		delta = `event: content_block_delta` + "\n" + `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"1234"}}` + "\n\n"
	)
	for kind, answer := range map[string]string{
		"openai":    strings.Repeat(word, 10) + "data: [DONE]\n\n",
		"anthropic": told + strings.Repeat(delta, 10),
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			spent := &llm.Error{Kind: llm.Overloaded, Message: "the budget is used up"}
			var asked []int64
			b := &books{grow: func(tokens int64) (int64, *llm.Error) {
				asked = append(asked, tokens)
				if tokens >= 6 {
					return 0, spent
				}
				return tokens + 3, nil
			}}
			w := httptest.NewRecorder()
			res := b.serve(t.Context(), t, w, askedStream, &route.Model{MaxAttempts: 2}, upstreamCfg("p", kind, answerer(t, answer)), upstreamCfg("other", kind, answerer(t, answer)))
			if !slices.Equal(asked, []int64{1, 4, 7}) {
				t.Errorf("asked at %d tokens", asked)
			}
			if res.Err != spent || !res.Cut || len(b.settled) != 1 {
				t.Fatalf("%v, %d calls", res.Err, len(b.settled))
			}
			if c := b.settled[0]; c.Outcome != "budget" || c.Ends != Cut || c.Usage.Text < 7 || c.Usage.Text > 8 || !c.Estimated {
				t.Errorf("%s %s, %+v", c.Outcome, c.Ends, c.Usage)
			}
			if sent := w.Body.String(); strings.Count(sent, "1234") != 7 || !strings.Contains(sent, spent.Message) {
				t.Errorf("sent: %s", sent)
			}
		})
	}
}

// The calls that a request makes for several prompts are asked for one by one. One that must not be made after the caller has content ends
// the stream.
func TestBarredAfterContent(t *testing.T) {
	t.Parallel()
	spent := &llm.Error{Kind: llm.Overloaded, Message: "the budget is used up"}
	p := &pump{attempt: &attempt{run: &run{committed: true}}}
	if f := p.attempt.barred(&Refused{Err: spent, Skip: route.BudgetFull}); f.outcome != route.OutOfBudget || f.own != spent {
		t.Errorf("%+v", f)
	}
}
