package tracing

import (
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	collector "go.opentelemetry.io/proto/slim/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/slim/otlp/common/v1"
	spans "go.opentelemetry.io/proto/slim/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/otlp"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/trace"
)

// began is when the requests of the tests begin.
var began = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// at is so many milliseconds after that.
func at(ms int) time.Time { return began.Add(time.Duration(ms) * time.Millisecond) }

// upstream is a provider for tests.
type upstream struct {
	name   string
	host   string
	port   int
	spoken llm.Dialect
}

func (u upstream) Convention() string         { return u.name }
func (u upstream) Server() (string, int)      { return u.host, u.port }
func (u upstream) Dialect(string) llm.Dialect { return u.spoken }

var upstreams = map[string]Upstream{
	"eu":     upstream{"azure.ai.openai", "r.openai.azure.com", 443, llm.OpenAI},
	"google": upstream{"gcp.gemini", "generativelanguage.googleapis.com", 443, llm.Gemini},
}

// streamed is a request that a second target answers after the first has failed.
func streamed(t *testing.T) *gateway.Event {
	t.Helper()
	parent, ok := trace.Parse("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	if !ok {
		t.Fatal("the traceparent is not valid")
	}
	parent.Span = 0x11
	failing, answering := &route.Target{Provider: "eu", Model: "gpt-5"}, &route.Target{Provider: "google", Model: "gemini-3-flash"}
	return &gateway.Event{
		ID: "req_1", ClientID: "mine", Started: began, Ended: at(900), Trace: parent, Method: http.MethodPost, Path: "/v1/chat/completions", Endpoint: "chat",
		Ingress: table.At("chat/completions"), KeyID: "key_1", KeyName: "app", TeamID: "team_1", TeamName: "research", Model: "smart", Route: "smart", Stream: true, Status: 200, Waited: 2 * time.Millisecond,
		Result: &relay.Result{
			Calls: []relay.Call{
				{
					Target: failing, Attempt: 1, Span: 0x12, Started: at(3), Duration: 100 * time.Millisecond, Outcome: route.Failed.String(), Status: 500, RequestID: "up-1",
					Err: errors.New("the upstream said what the prompt was"), Said: "what the prompt was",
				},
				{
					Target: answering, Attempt: 2, Span: 0x13, Started: at(104), First: 250 * time.Millisecond, Duration: 790 * time.Millisecond, Outcome: route.Answered.String(), Status: 200, AnsweredBy: "gemini-3-flash-001",
					Usage: llm.Usage{Fresh: 100, CacheRead: 40, CacheWrite: 7, ImageIn: 3, Text: 20, Reasoning: 5}, HasUsage: true, Charge: money.Charge{Cost: 1234, Listed: 1234},
				},
			},
			Attempts: 2, Answering: 2, Status: 200, Finish: "stop", HasUsage: true, Dispatched: at(3), FirstContent: at(354), BytesOut: 900,
		},
	}
}

// decoded is what the official decoder reads of what a Tracer sends for an event: a line for each span, and one for each attribute.
func decoded(t *testing.T, ev *gateway.Event) []string {
	t.Helper()
	var r record
	r.fill(ev)
	return lines(t, otlp.AppendTraces(nil, &otlp.Source{}, r.appendSpans(nil, upstreams)))
}

func lines(t *testing.T, body []byte) (all []string) {
	t.Helper()
	var got collector.ExportTraceServiceRequest
	if err := proto.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	for _, s := range got.GetResourceSpans()[0].GetScopeSpans()[0].GetSpans() {
		kind := strings.TrimPrefix(s.GetKind().String(), "SPAN_KIND_")
		ms := func(nanos uint64) string { return time.Unix(0, int64(nanos)).Sub(began).String() }
		all = append(all, fmt.Sprintf("%s %q trace %x span %x parent %x flags %x %s to %s", kind, s.GetName(), s.GetTraceId(), s.GetSpanId(), s.GetParentSpanId(), s.GetFlags(), ms(s.GetStartTimeUnixNano()), ms(s.GetEndTimeUnixNano())))
		if s.GetStatus().GetCode() == spans.Status_STATUS_CODE_ERROR {
			all = append(all, "  error")
		}
		for _, a := range s.GetAttributes() {
			all = append(all, "  "+a.GetKey()+" = "+value(a.GetValue()))
		}
	}
	return all
}

func value(v *common.AnyValue) string {
	switch v := v.GetValue().(type) {
	case *common.AnyValue_StringValue:
		return fmt.Sprintf("%q", v.StringValue)
	case *common.AnyValue_IntValue:
		return fmt.Sprint(v.IntValue)
	case *common.AnyValue_DoubleValue:
		return fmt.Sprintf("%g", v.DoubleValue)
	case *common.AnyValue_BoolValue:
		return fmt.Sprint(v.BoolValue)
	case *common.AnyValue_ArrayValue:
		var list []string
		for _, one := range v.ArrayValue.GetValues() {
			list = append(list, value(one))
		}
		return "[" + strings.Join(list, " ") + "]"
	}
	return "?"
}

// All that is known of a request is in its spans, and nothing that it or an upstream said.
func TestSpansOfARequest(t *testing.T) {
	t.Parallel()
	want := []string{
		`SERVER "POST /v1/chat/completions" trace 4bf92f3577b34da6a3ce929d0e0e4736 span 0000000000000011 parent 00f067aa0ba902b7 flags 301 0s to 900ms`,
		`  http.request.method = "POST"`,
		`  http.route = "/v1/chat/completions"`,
		`  http.response.status_code = 200`,
		`  url.path = "/v1/chat/completions"`,
		`  weir.request.id = "req_1"`,
		`  weir.client_request.id = "mine"`,
		`  weir.key.id = "key_1"`,
		`  weir.team = "research"`,
		`  weir.model = "smart"`,
		`  weir.stream = true`,
		`  weir.waited_ms = 2`,
		`  weir.attempts = 2`,
		`  weir.overhead_ms = 1`,
		`  weir.first_content_ms = 354`,
		`  weir.cost.nanodollars = 1234`,
		`  weir.usage.source = "provider"`,
		`CLIENT "chat gpt-5" trace 4bf92f3577b34da6a3ce929d0e0e4736 span 0000000000000012 parent 0000000000000011 flags 101 3ms to 103ms`,
		`  error`,
		`  server.address = "r.openai.azure.com"`,
		`  server.port = 443`,
		`  gen_ai.operation.name = "chat"`,
		`  gen_ai.provider.name = "azure.ai.openai"`,
		`  gen_ai.request.model = "gpt-5"`,
		`  gen_ai.request.stream = true`,
		`  error.type = "failed"`,
		`  http.response.status_code = 500`,
		`  weir.provider = "eu"`,
		`  weir.attempt = 1`,
		`  weir.outcome = "failed"`,
		`  weir.upstream_request.id = "up-1"`,
		`CLIENT "generate_content gemini-3-flash" trace 4bf92f3577b34da6a3ce929d0e0e4736 span 0000000000000013 parent 0000000000000011 flags 101 104ms to 894ms`,
		`  server.address = "generativelanguage.googleapis.com"`,
		`  server.port = 443`,
		`  gen_ai.operation.name = "generate_content"`,
		`  gen_ai.provider.name = "gcp.gemini"`,
		`  gen_ai.request.model = "gemini-3-flash"`,
		`  gen_ai.request.stream = true`,
		`  gen_ai.response.model = "gemini-3-flash-001"`,
		`  gen_ai.response.finish_reasons = ["stop"]`,
		`  gen_ai.response.time_to_first_chunk = 0.25`,
		`  gen_ai.usage.input_tokens = 150`,
		`  gen_ai.usage.cache_read.input_tokens = 40`,
		`  gen_ai.usage.cache_creation.input_tokens = 7`,
		`  gen_ai.usage.image.input_tokens = 3`,
		`  gen_ai.usage.output_tokens = 25`,
		`  gen_ai.usage.reasoning.output_tokens = 5`,
		`  weir.usage.source = "provider"`,
		`  weir.cost.nanodollars = 1234`,
		`  http.response.status_code = 200`,
		`  weir.provider = "google"`,
		`  weir.attempt = 2`,
		`  weir.outcome = "ok"`,
	}
	if diff := cmp.Diff(want, decoded(t, streamed(t))); diff != "" {
		t.Error(diff)
	}
}

// Which spans fail, what they are called, and what is left out that is not known.
func TestSpansOfOtherRequests(t *testing.T) {
	t.Parallel()
	gemini, model := table.Verb("models/x:generateContent")
	if gemini == nil || model != "x" {
		t.Fatal("the path is not known")
	}
	with := func(change func(ev *gateway.Event)) *gateway.Event {
		ev := streamed(t)
		change(ev)
		return ev
	}
	call := func(outcome route.Outcome) func(*gateway.Event) {
		return func(ev *gateway.Event) {
			ev.Result.Calls = ev.Result.Calls[1:]
			ev.Result.Calls[0].Outcome, ev.Result.Attempts = outcome.String(), 1
		}
	}
	for _, tt := range []struct {
		name      string
		ev        *gateway.Event
		has, lack []string
	}{
		{
			"refused before it is relayed", with(func(ev *gateway.Event) {
				ev.Result, ev.Status, ev.Err, ev.Waited = nil, 404, &llm.Error{Kind: llm.ModelNotFound, Message: "The model `sesame` does not exist"}, 0
			}),
			[]string{`  error.type = "model_not_found"`, `  http.response.status_code = 404`},
			[]string{"CLIENT", "sesame", "  error\n", "weir.attempts", "weir.cost", "weir.waited"},
		},
		{"a failure of the server", with(func(ev *gateway.Event) { ev.Status, ev.Err = 502, &llm.Error{Kind: llm.UpstreamFailed} }), []string{"  error", `  error.type = "upstream_failed"`}, nil},
		{"a stream that was cut", with(func(ev *gateway.Event) { ev.Result.Cut = true }), []string{"  error", "  weir.cut = true"}, nil},
		{"the loser of a race", with(call(route.Lost)), []string{`  weir.outcome = "lost"`}, []string{"  error\n", "error.type"}},
		{"a time limit", with(call(route.TimedOut)), []string{"  error", `  error.type = "timeout"`}, nil},
		{
			"a path with the model in it", with(func(ev *gateway.Event) { ev.Ingress, ev.Path = gemini, "/v1beta/models/x:generateContent" }),
			[]string{`  http.route = "/v1beta/models/{model}:generateContent"`, `  url.path = "/v1beta/models/x:generateContent"`},
			nil,
		},
		{"a provider that was removed", with(func(ev *gateway.Event) { ev.Result.Calls[1].Target = &route.Target{Provider: "gone", Model: "m"} }), []string{`  gen_ai.provider.name = "gone"`}, nil},
		{"a call without a price", with(func(ev *gateway.Event) { ev.Result.Calls[1].Charge = money.Charge{Source: money.Unpriced} }), nil, []string{"weir.cost"}},
		{"usage that Weir counted", with(func(ev *gateway.Event) { ev.Result.Calls[1].Estimated = true }), []string{`  weir.usage.source = "counted"`}, []string{`"provider"`}},
		{"embeddings", with(func(ev *gateway.Event) { ev.Ingress, ev.Stream = table.At("embeddings"), false }), []string{`  gen_ai.operation.name = "embeddings"`}, []string{"request.stream", "weir.stream", "first_chunk"}},
		{"a legacy prompt", with(func(ev *gateway.Event) { ev.Ingress = table.At("completions") }), []string{`  gen_ai.operation.name = "text_completion"`}, nil},
	} {
		got := decoded(t, tt.ev)
		for _, line := range tt.has {
			if !slices.Contains(got, line) {
				t.Errorf("%s: %s is missing:\n%s", tt.name, line, strings.Join(got, "\n"))
			}
		}
		for _, part := range tt.lack {
			if strings.Contains(strings.Join(got, "\n")+"\n", part) {
				t.Errorf("%s: %s is there:\n%s", tt.name, part, strings.Join(got, "\n"))
			}
		}
	}
}

// Every endpoint has a route that callers cannot make up.
func TestRoutes(t *testing.T) {
	t.Parallel()
	for _, path := range table.Paths() {
		if got := routeOf(table.At(path)); got != "/v1/"+path {
			t.Errorf("%s: %s", path, got)
		}
	}
	if got := routeOf(&dialect.Ingress{Path: "streamGenerateContent"}); got != "/v1beta/models/{model}:streamGenerateContent" {
		t.Error(got)
	}
}

// Of a request that made very many calls the last are kept, and how many there were. Its cost is not known then.
func TestManyCalls(t *testing.T) {
	t.Parallel()
	ev := streamed(t)
	ev.Result.Calls = slices.Repeat(ev.Result.Calls[1:], 3*mostCalls)
	ev.Path = "/" + strings.Repeat("x", 2*mostPath)
	var r record
	r.fill(ev)
	got := decoded(t, ev)
	if r.size() != 1+mostCalls || !slices.Contains(got, fmt.Sprintf("  weir.calls = %d", 3*mostCalls)) || strings.Contains(got[0]+got[13], "weir.cost") || len(r.path) > mostPath+3 {
		t.Errorf("%d spans, a path of %d bytes:\n%s", r.size(), len(r.path), strings.Join(got[:20], "\n"))
	}
}

// A record keeps no more of a request's line than it shows: the query of one may be as long as a header.
func TestRecordsLetGoOfLines(t *testing.T) { // not parallel: it measures the heap
	const n, long = 64, 1 << 20
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, kept := heap(), make([]record, n)
	for i := range kept {
		ev := streamed(t)
		line := http.MethodPost + " /v1/chat/completions?" + strings.Repeat("x", long)
		var target string
		ev.Method, target, _ = strings.Cut(line, " ")
		ev.Path, _, _ = strings.Cut(target, "?")
		kept[i].fill(ev)
	}
	if after := heap(); after > before+n*long/4 {
		t.Errorf("%d records hold %d bytes", n, after-before)
	}
	if path := string(kept[n-1].path); path != "/v1/chat/completions" {
		t.Errorf("the path is %q", path)
	}
}

// What is kept, of requests whose trace is not recorded anyway.
func TestKeeps(t *testing.T) {
	t.Parallel()
	const slow = time.Second
	failed := &llm.Error{Kind: llm.UpstreamFailed}
	for _, tt := range []struct {
		name string
		ev   gateway.Event
		want bool
	}{
		{"a quick one", gateway.Event{Ended: at(999), KeyID: "key_1", Result: &relay.Result{Attempts: 1}}, false},
		{"one whose trace is recorded", gateway.Event{Ended: at(1), KeyID: "key_1", Trace: trace.Context{Parent: 1, Flags: trace.Sampled}}, true},
		{"a slow one", gateway.Event{Ended: at(1000), KeyID: "key_1", Result: &relay.Result{Attempts: 1}}, true},
		{"a failed one", gateway.Event{Ended: at(1), KeyID: "key_1", Err: failed}, true},
		{"one without a key", gateway.Event{Ended: at(1), Err: &llm.Error{Kind: llm.InvalidKey}}, false},
		{"one without a key that the ratio takes", gateway.Event{Ended: at(1), Trace: trace.Context{Flags: trace.Sampled}}, true},
		{"one without a key that says its trace is recorded", gateway.Event{Ended: at(1), Trace: trace.Context{Parent: 1, Flags: trace.Sampled}}, false},
		{"a retried one", gateway.Event{Ended: at(1), KeyID: "key_1", Result: &relay.Result{Attempts: 2}}, true},
		{"one that was cut", gateway.Event{Ended: at(1), KeyID: "key_1", Result: &relay.Result{Attempts: 1, Cut: true}}, true},
	} {
		tt.ev.Started = began
		if got := keeps(&tt.ev, slow); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	if keeps(&gateway.Event{Started: began, Ended: at(1e6), KeyID: "key_1"}, 0) {
		t.Error("0 is never slow")
	}
}
