package gateway

import (
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/trace"
)

// fieldsOf are the fields of an event's line, in their order: "name=value".
func fieldsOf(t *testing.T, ev *Event) (all []string) {
	t.Helper()
	for _, a := range ev.attrs(nil) {
		value, err := json.Marshal(a.Value.Any())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a.Key+"="+string(value))
	}
	return all
}

// What is known of a request is in its line, and what is unknown is not.
func TestFieldsOfAnEvent(t *testing.T) {
	t.Parallel()
	began := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	one, two := &route.Target{Provider: "one", Model: "a"}, &route.Target{Provider: "two", Model: "b"}
	after := func(ms int) time.Time { return began.Add(time.Duration(ms) * time.Millisecond) }
	relayed := func(res *relay.Result) *Event {
		return &Event{
			ID: "req_1", Started: began, Ended: after(90), Method: "POST", Path: "/v1/chat/completions", Endpoint: "/chat/completions", KeyID: "k", KeyName: "svc",
			Model: "m", Route: "m", Stream: true, BytesIn: 12, Status: 200, Result: res,
		}
	}
	const head = `request_id="req_1" method="POST" path="/v1/chat/completions" endpoint="/chat/completions" key_id="k" key="svc" model="m" route="m" `
	for name, tt := range map[string]struct {
		ev   *Event
		want string
	}{
		"nothing is known": {&Event{ID: "req_1", Started: began, Ended: after(1), Status: 404}, `request_id="req_1" status=404 duration_ms=1`},
		"of a client": {&Event{
			ID: "req_1", ClientID: "mine", Started: began, Ended: began, Status: 200, client: client{address: "192.0.2.1", agent: "x/1"}, Trace: trace.Context{ID: trace.ID{1}, Parent: 2},
		}, `request_id="req_1" client_request_id="mine" trace_id="01000000000000000000000000000000" span_id="0000000000000002" client_address="192.0.2.1" user_agent="x/1" status=200 duration_ms=0`},
		"refused": {&Event{
			ID: "req_1", Started: began, Ended: after(2), Waited: 1500 * time.Microsecond, Status: 503, Endpoint: "/chat/completions", BytesIn: 3,
			Err: &llm.Error{Kind: llm.Overloaded, Message: "full"},
		}, `request_id="req_1" endpoint="/chat/completions" status=503 error="overloaded" reason="full" duration_ms=2 stream=false bytes_in=3 waited_ms=1.5`},
		"not JSON": {&Event{
			ID: "req_1", Started: began, Ended: after(2), Status: 400, Err: &llm.Error{Kind: llm.InvalidJSON, Message: "of the body"},
		}, `request_id="req_1" status=400 error="invalid_json" duration_ms=2`},
		"answered": {relayed(&relay.Result{
			Calls: []relay.Call{{Target: one, Attempt: 1, Outcome: "ok", Status: 200, RequestID: "theirs"}}, Attempts: 1, Answering: 1, Finish: "stop",
			Usage: llm.Usage{Fresh: 3, CacheRead: 2, CacheWrite: 1, Text: 4, Reasoning: 5, Tier: "flex"}, HasUsage: true, Ignored: []string{"seed"},
			Dispatched: after(10), FirstContent: after(50), BytesOut: 99,
		}), head + `status=200 duration_ms=90 stream=true bytes_in=12 provider="one" upstream_model="a" upstream_request_id="theirs" attempts=1 ignored_params=["seed"] ` +
			`input_tokens=6 cache_read_tokens=2 cache_write_tokens=1 output_tokens=9 reasoning_tokens=5 usage_source="provider" service_tier="flex" finish_reason="stop" ` +
			`ttft_ms=50 overhead_ms=10 bytes_out=99 cut=false`},
		"counted, by the second call, and cut": {relayed(&relay.Result{
			Calls: []relay.Call{
				{Target: one, Attempt: 1, Outcome: "failed", Status: 500, Duration: 7 * time.Millisecond, Err: errors.New("upstream status 500")},
				{Target: two, Attempt: 2, Outcome: "ok", Status: 200, Duration: 8 * time.Millisecond},
				{Target: two, Attempt: 2, Outcome: "ok", Status: 200, Duration: 9 * time.Millisecond},
			},
			Attempts: 2, Answering: 2, Usage: llm.Usage{Fresh: 1}, HasUsage: true, Estimated: true, Cut: true, Waited: 2 * time.Millisecond, Dispatched: after(10),
			Considered: []route.Step{{Target: two}, {Target: one, Skip: route.TargetDown}},
		}), head + `status=200 duration_ms=90 stream=true bytes_in=12 waited_ms=2 provider="two" upstream_model="b" attempts=2 calls=3 ` +
			`tried=["one/a failed 500 7ms (upstream status 500)","two/b ok 200 8ms","two/b ok 200 9ms"] skipped=["one/a down"] ` +
			`input_tokens=1 cache_read_tokens=0 cache_write_tokens=0 output_tokens=0 reasoning_tokens=0 usage_source="counted" overhead_ms=8 bytes_out=0 cut=true`},
		"nobody was asked": {relayed(&relay.Result{}), head + `status=200 duration_ms=90 stream=true bytes_in=12 bytes_out=0 cut=false`},
	} {
		if diff := cmp.Diff(tt.want, strings.Join(fieldsOf(t, tt.ev), " ")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A line's level depends on whose fault it reports.
func TestLevels(t *testing.T) {
	t.Parallel()
	for want, events := range map[slog.Level][]*Event{
		slog.LevelError: {{Status: 500, Err: &llm.Error{Kind: llm.Internal}}, {Status: 200, Quiet: true, Err: &llm.Error{Kind: llm.Internal}}},
		slog.LevelDebug: {{Status: 200, Quiet: true}, {Status: 503, Quiet: true}},
		slog.LevelWarn:  {{Status: 500}, {Status: 502}, {Status: 200, Result: &relay.Result{Cut: true}}},
		slog.LevelInfo:  {{Status: 200}, {Status: 499, Err: &llm.Error{Kind: llm.Canceled}}, {Status: 404}, {Status: 200, Result: &relay.Result{}}},
	} {
		for _, ev := range events {
			if got := ev.level(); got != want {
				t.Errorf("%+v: %v, want %v", ev, got, want)
			}
		}
	}
}
