package relay

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/route"
)

func TestTale(t *testing.T) {
	t.Parallel()
	target := func(name string) *route.Target { return &route.Target{Provider: "p", Model: name} }
	attempts := []Call{
		{Target: target("a"), Attempt: 1, Outcome: "failed", Status: 500, Duration: 312_400 * time.Microsecond},
		{Target: target("b"), Attempt: 2, Outcome: "unreachable", Duration: 9_990 * time.Millisecond, Said: "not to be told"},
		{Target: target("c"), Attempt: 3, Outcome: "ok", Status: 200, Duration: 75 * time.Second},
	}
	steps := []route.Step{{Target: target("c")}, {Target: target("d"), Skip: route.TargetDown}, {Target: target("e"), Skip: route.LacksTools}}
	want := "p/a failed 500 312ms; p/b unreachable 10s; p/c ok 1m15s; p/d skipped down; p/e skipped no_tools"
	if got := summary(attempts, steps); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	for len(attempts) < 100 {
		attempts = append(attempts, attempts[0])
		attempts[len(attempts)-1].Attempt = len(attempts)
	}
	got := summary(attempts, steps)
	if len(got) > maxSummary+len("; and 100 more") || !strings.HasPrefix(got, "p/a failed 500 312ms; p/b") || !strings.HasSuffix(got, " more") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	if got := summary([]Call{{Target: target(strings.Repeat("x", 2*maxSummary)), Outcome: "ok"}}, nil); got != "and 1 more" {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}

// What is known when the hold ends goes out with the status, and is not changed any more.
func TestTaleOfAStreamThatIsHeld(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	r := newRun(t.Context(), w, &Request{Explain: true})
	r.sink = newSink(w, &passthrough.Chat.Framing, time.Hour)
	defer r.sink.close()
	r.tell(nil)
	if _, told := w.Header()["Weir-Explain"]; told {
		t.Error("nothing has happened")
	}
	failed := Call{Target: &route.Target{Provider: "p", Model: "a"}, Outcome: "failed", Status: 500}
	added(r.calls, failed)
	r.tell(nil)
	r.sink.mu.Lock()
	r.sink.start(0)
	r.sink.mu.Unlock()
	added(r.calls, failed)
	r.tell(nil)
	if got := w.Header().Get("Weir-Explain"); got != "p/a failed 500 0ms" {
		t.Errorf("told %q", got)
	}
}

func TestBrief(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0ms", 499 * time.Microsecond: "0ms", 999 * time.Millisecond: "999ms", time.Second: "1s", 1250 * time.Millisecond: "1.3s",
		9940 * time.Millisecond: "9.9s", 10 * time.Second: "10s", 10400 * time.Millisecond: "10s", 90 * time.Second: "1m30s",
	} {
		if got := brief(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}
