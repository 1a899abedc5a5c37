package app_test

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/slim/otlp/collector/trace/v1"
	spans "go.opentelemetry.io/proto/slim/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/sim"
)

const collectorToken = "Bearer otlp-token-of-the-tests"

// gatherer is a collector on a port of its own. It keeps all spans.
type gatherer struct {
	*httptest.Server
	mu      sync.Mutex
	got     []*spans.Span
	text    strings.Builder // of every request, readable
	refused int             // posts without the credential
}

func newGatherer(t *testing.T) *gatherer {
	t.Helper()
	g := &gatherer{}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if r.URL.Path != "/v1/traces" || r.Header.Get("Authorization") != collectorToken {
			g.refused++
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		unzipped, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		body, err := io.ReadAll(unzipped)
		if err != nil {
			t.Error(err)
		}
		var all collector.ExportTraceServiceRequest
		if err := proto.Unmarshal(body, &all); err != nil {
			t.Error(err)
		}
		g.text.WriteString(prototext.Format(&all))
		for _, from := range all.GetResourceSpans() {
			for _, scope := range from.GetScopeSpans() {
				g.got = append(g.got, scope.GetSpans()...)
			}
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(g.Close)
	return g
}

// all are the spans so far, and what they say.
func (g *gatherer) all() ([]*spans.Span, string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.got), g.text.String()
}

// attribute is the text of a span's attribute, "" without it.
func attribute(s *spans.Span, name string) string {
	for _, a := range s.GetAttributes() {
		if a.GetKey() == name {
			return a.GetValue().GetStringValue()
		}
	}
	return ""
}

// tracing is a config whose spans go to a collector, and whose upstream gets traceparent.
func tracing(up *apptest.Upstream, g *gatherer, more string) string {
	return fmt.Sprintf("traces: {endpoint: \"%s/v1/traces\", headers: {Authorization: %q}%s}\n", g.URL, collectorToken, more) + passAll(up, ", traceparent: true")
}

// chatCalls waits until an upstream has had so many chats, which are not model lists.
func chatCalls(t *testing.T, up *apptest.Upstream, n int) (all []sim.Served) {
	t.Helper()
	served(t, up, func(s []sim.Served) bool {
		all = slices.DeleteFunc(slices.Clone(s), func(one sim.Served) bool { return one.Endpoint != "/chat/completions" })
		return len(all) == n
	})
	return all
}

// A request is a span of its caller's trace, and a call to an upstream one below it, which the upstream hears of.
func TestARequestInATrace(t *testing.T) {
	t.Parallel()
	up, g := apptest.NewUpstream(t, nil), newGatherer(t)
	w := apptest.StartWith(t, tracing(up, g, ", ratio: 0%"))
	const trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	key := w.NewKey(t, "app")
	if a := post(t, w, key, "/v1/chat/completions", streamBody("chat"), "Traceparent", "00-"+trace+"-"+parent+"-01", "Tracestate", "vendor=1", "Baggage", "user=ada"); a.status != 200 {
		t.Fatal(a.body)
	}
	if a := post(t, w, key, "/v1/chat/completions", chatBody("chat")); a.status != 200 { // of no trace, and nothing is special about it
		t.Fatal(a.body)
	}
	sent := chatCalls(t, up, 2)
	until(t, "the spans are sent", func() bool { got, _ := g.all(); return len(got) == 2 })
	got, _ := g.all()
	server, client := got[0], got[1]
	if fmt.Sprintf("%x %x", server.GetTraceId(), server.GetParentSpanId()) != trace+" "+parent || server.GetName() != "POST /v1/chat/completions" || server.GetKind() != spans.Span_SPAN_KIND_SERVER {
		t.Errorf("%v", server)
	}
	if fmt.Sprintf("%x", client.GetTraceId()) != trace || string(client.GetParentSpanId()) != string(server.GetSpanId()) || client.GetKind() != spans.Span_SPAN_KIND_CLIENT || client.GetName() != "chat chat" {
		t.Errorf("%v", client)
	}
	if h := sent[0].Header; h.Get("Traceparent") != fmt.Sprintf("00-%s-%x-01", trace, client.GetSpanId()) || h.Get("Tracestate") != "vendor=1" || h.Get("Baggage") != "" {
		t.Errorf("%v", h)
	}
	if h := sent[1].Header; !strings.HasSuffix(h.Get("Traceparent"), "-02") || h.Get("Tracestate") != "" { // not sampled
		t.Errorf("%v", h)
	}
	if server.GetStartTimeUnixNano() > client.GetStartTimeUnixNano() || client.GetEndTimeUnixNano() > server.GetEndTimeUnixNano() || attribute(server, "weir.request.id") == "" {
		t.Errorf("%v, %v", server, client)
	}
	until(t, "they are counted", func() bool { return figure(t, w, `weir_trace_spans_total{outcome="sent"}`) == "2" }) // which is after they were answered
}

// Without traces in the config a caller's context reaches the upstream as it is. Vendors hear nothing of it.
func TestContextIsPassedOnWhereAsked(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, fmt.Sprintf(`
providers:
  own: {kind: openai, base_url: %q, traceparent: true}
  vendor: {kind: openai, base_url: %q}
models:
  "own/*": {targets: ["own/*"]}
  "vendor/*": {targets: ["vendor/*"]}
`, up.URL(), up.URL()))
	const header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	key := w.NewKey(t, "app")
	for _, model := range []string{"own/chat", "vendor/chat"} {
		post(t, w, key, "/v1/chat/completions", chatBody(model), "Traceparent", header, "Tracestate", "vendor=1")
		post(t, w, key, "/v1/chat/completions", chatBody(model), "Traceparent", "none", "Tracestate", "vendor=1")
	}
	sent := chatCalls(t, up, 4)
	for i, want := range []string{header + " vendor=1", " ", " ", " "} {
		if got := sent[i].Header.Get("Traceparent") + " " + sent[i].Header.Get("Tracestate"); got != want {
			t.Errorf("call %d: %q, want %q", i, got, want)
		}
	}
}

// Spans hold no key, no credential and nothing that a caller or a model said.
func TestNoSecretIsInASpan(t *testing.T) {
	t.Parallel()
	up, g := apptest.NewUpstream(t, []byte(`{"rules":[{"match":{"model":"bad"},"status":400,"body":"{\"error\":{\"message\":\"you said PROMPTWORD\",\"type\":\"x\",\"param\":null,\"code\":null}}"}]}`)), newGatherer(t)
	const own = "plain-key-without-a-form"
	w := apptest.StartWith(t, tracing(up, g, "")+fmt.Sprintf("keys: [{name: own, digest: \"sha256:%x\"}]\n", sha256.Sum256([]byte(own))))
	minted := w.NewKey(t, "caller")
	secrets := []string{own, minted, "upstream-credential", "otlp-token", "PROMPTWORD", "ANSWERWORD", w.AdminToken().Reveal()}
	for _, key := range []string{own, minted} {
		post(t, w, key, "/v1/chat/completions", `{"model":"bad","messages":[{"role":"user","content":"PROMPTWORD"}]}`, "User-Agent", "app/"+key, "X-Request-Id", "id-"+key)
		post(t, w, key, "/v1beta/models/"+key+":generateContent", `{"contents":[{"parts":[{"text":"PROMPTWORD"}]}]}`)
		post(t, w, key, "/v1/chat/completions", `{"model":"x/`+key+`","messages":[{"role":"user","content":"PROMPTWORD"}],"x":`)
	}
	post(t, w, "wrong", "/v1/chat/completions", chatBody("bad"))
	until(t, "the spans are sent", func() bool {
		_, text := g.all()
		return strings.Count(text, "SPAN_KIND_SERVER") == 7
	})
	_, text := g.all()
	for _, s := range secrets {
		if strings.Contains(text, s) {
			t.Errorf("%s is in the spans:\n%s", s, text)
		}
	}
	for _, s := range []string{own, minted} {
		if strings.Contains(w.Requests.String(), s) {
			t.Errorf("%s is in the log", s)
		}
	}
}

// What waits when Weir stops is sent before it has stopped. A collector that is not there delays nothing.
func TestSpansAtTheEnd(t *testing.T) {
	t.Parallel()
	up, g := apptest.NewUpstream(t, nil), newGatherer(t)
	w := apptest.StartWith(t, tracing(up, g, ""))
	if a := post(t, w, w.NewKey(t, "app"), "/v1/chat/completions", chatBody("chat")); a.status != 200 {
		t.Fatal(a.body)
	}
	ctx, skip := context.WithCancel(t.Context())
	skip()
	if err := w.Stop(ctx); err != nil {
		t.Error(err)
	}
	if got, _ := g.all(); len(got) != 2 {
		t.Errorf("%d spans", len(got))
	}
}

// What a collector repeats of its credential is not logged, even without the scheme.
func TestACollectorRepeatsItsCredential(t *testing.T) {
	t.Parallel()
	token := strings.TrimPrefix(collectorToken, "Bearer ")
	said, err := proto.Marshal(&collector.ExportTraceServiceResponse{PartialSuccess: &collector.ExportTracePartialSuccess{RejectedSpans: 1, ErrorMessage: token + " has no room"}})
	if err != nil {
		t.Fatal(err)
	}
	up, g := apptest.NewUpstream(t, nil), &gatherer{}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/x-protobuf")
		_, _ = w.Write(said)
	}))
	t.Cleanup(g.Close)
	w := apptest.StartWith(t, tracing(up, g, ""))
	post(t, w, w.NewKey(t, "app"), "/v1/chat/completions", chatBody("chat"))
	logTells(t, w, "has no room")
	if strings.Contains(w.Requests.String(), token) {
		t.Errorf("the log has it:\n%s", w.Requests)
	}
}

// A reload has spans go elsewhere, or nowhere, and takes back the credential.
func TestTracesFollowTheConfig(t *testing.T) {
	t.Parallel()
	up, g, other := apptest.NewUpstream(t, nil), newGatherer(t), newGatherer(t)
	path := filepath.Join(t.TempDir(), "weir.yaml")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(tracing(up, g, ""))
	w := apptest.Start(t, path)
	key := w.NewKey(t, "app")
	for _, step := range []struct {
		config string
		g      *gatherer
	}{{tracing(up, g, ""), g}, {passAll(up, ""), nil}, {tracing(up, other, ""), other}} {
		write(step.config)
		if _, err := w.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
		if a := post(t, w, key, "/v1/chat/completions", chatBody("chat")); a.status != 200 {
			t.Fatal(a.body)
		}
		if step.g != nil {
			until(t, "the spans are sent", func() bool { got, _ := step.g.all(); return len(got) == 2 })
		}
	}
	write(strings.Replace(tracing(up, other, ""), collectorToken, "Bearer another-token-here", 1))
	if _, err := w.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	post(t, w, key, "/v1/chat/completions", chatBody("chat"))
	logTells(t, w, "see traces.headers")
	if got, _ := g.all(); len(got) != 2 {
		t.Errorf("%d spans", len(got))
	}
}

// A collector that hangs delays no request, and the end by two seconds at most.
func TestACollectorThatHangs(t *testing.T) {
	t.Parallel()
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then is the end of the connection seen
		<-r.Context().Done()
	}))
	t.Cleanup(func() {
		hangs.CloseClientConnections()
		hangs.Close()
	})
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, tracing(up, &gatherer{Server: hangs}, ""))
	key := w.NewKey(t, "app")
	for range 5 {
		if a := post(t, w, key, "/v1/chat/completions", chatBody("chat")); a.status != 200 {
			t.Fatal(a.body)
		}
	}
	ctx, skip := context.WithTimeout(t.Context(), time.Minute)
	skip()
	if err := w.Stop(ctx); err != nil {
		t.Error(err)
	}
	logTells(t, w, "spans were not delivered before Weir stopped")
}
