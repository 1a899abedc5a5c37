package gateway

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
)

// Overhead is what is left of the time before the first attempt without what Weir waited for: the caller's body, a place, a target's place.
func TestOverhead(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	ev := &Event{Started: began, BodyWait: 20 * time.Millisecond, Waited: 300 * time.Millisecond}
	if got := ev.Overhead(); got != 0 {
		t.Errorf("%v of a request that was refused", got)
	}
	ev.Result = &relay.Result{Waited: 4 * time.Second}
	if got := ev.Overhead(); got != 0 {
		t.Errorf("%v of a request for which nobody was asked", got)
	}
	ev.Result.Dispatched = began.Add(4*time.Second + 321*time.Millisecond)
	if got := ev.Overhead(); got != time.Millisecond {
		t.Errorf("%v, want 1ms", got)
	}
}

// An answer without a status is a 200, as net/http makes it; what a request waited for a place is logged if it did.
func TestFinish(t *testing.T) {
	t.Parallel()
	for _, waited := range []time.Duration{0, 1500 * time.Microsecond} {
		var log bytes.Buffer
		g := newGateway(&log, nil, nil)
		r := httptest.NewRequest(http.MethodPost, "/x", http.NoBody)
		var ev Event
		ev.begin(r, &Snapshot{})
		ev.Waited, ev.Result = waited, &relay.Result{Waited: waited}
		var w response
		w.begin(httptest.NewRecorder(), ev.Started, nil)
		g.finish(&w, r, &ev, nil)
		if got := log.String(); !strings.Contains(got, `"status":200`) || strings.Contains(got, `"waited_ms":3,`) != (waited > 0) || strings.Contains(got, "waited_ms") != (waited > 0) {
			t.Errorf("waited %v: %s", waited, got)
		}
	}
}

// The log has everything about what was tried that is not elsewhere in it: the usage of the answer has fields of
// its own.
func TestTried(t *testing.T) {
	t.Parallel()
	target := &route.Target{Provider: "a", Model: "x"}
	used := llm.Usage{Fresh: 2, CacheRead: 10, Text: 3}
	got := tried(&relay.Result{Answering: 1, Calls: []relay.Call{
		{Target: target, Outcome: route.Failed.String(), Status: 500, Duration: 12 * time.Millisecond, Err: errors.New("upstream status 500")},
		{Target: target, Outcome: route.Unreachable.String(), Duration: 1499 * time.Microsecond},
		{Target: target, Outcome: route.Lost.String(), Duration: time.Second, Err: errors.New("another was faster")},
		{Target: target, Outcome: route.Lost.String(), Status: 200, Duration: time.Second, Err: errors.New("another was faster"), Usage: used, HasUsage: true},
		{Target: target, Outcome: route.Lost.String(), Status: 200, Duration: time.Second, Usage: used, HasUsage: true},
		{Target: target, Outcome: route.Malformed.String(), Status: 200, Duration: time.Second, Err: errors.New("no answer"), Usage: used, HasUsage: true},
		{Target: target, Attempt: 1, Outcome: route.Answered.String(), Status: 200, Duration: time.Second, Usage: used, HasUsage: true},
	}})
	want := []string{
		"a/x failed 500 12ms (upstream status 500)",
		"a/x unreachable 1ms",
		"a/x lost 1s (another was faster)",
		"a/x lost 200 1s (another was faster; 12 input and 3 output tokens)",
		"a/x lost 200 1s (12 input and 3 output tokens)",
		"a/x malformed 200 1s (no answer; 12 input and 3 output tokens)",
		"a/x ok 200 1s",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// blocked is a log that is not read.
type blocked struct{ gate chan struct{} }

func (b blocked) Write(p []byte) (int, error) {
	<-b.gate
	return len(p), nil
}

// The client has its whole answer before the event is logged, whether it is a refusal or not.
func TestAnswerIsSentBeforeItsEventIsLogged(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	g := newGateway(blocked{gate}, func(string) (*auth.Principal, *llm.Error) { return &auth.Principal{KeyID: "k"}, nil }, nil)
	server := httptest.NewServer(g)
	defer server.Close()
	defer close(gate)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // the next request needs a connection of its own
	for path, want := range map[string]int{"/v1/models": http.StatusOK, "/nowhere": http.StatusNotFound} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer key")
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode != want {
			t.Errorf("%s: %d, %v", path, resp.StatusCode, err)
		}
	}
}
