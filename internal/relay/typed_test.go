package relay

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// manyParts is a request of parts that are as small as they can be.
func manyParts(n int) []byte {
	return []byte(`{"model":"m","messages":[{"role":"user","content":[` + strings.TrimSuffix(strings.Repeat(`{"type":"text","text":"a"},`, n), ",") + `]}]}`)
}

// Memory for the parts of a request is counted before it is translated. A body of very many small parts takes more than ten times
// its own size.
func TestRequestsOfManyPartsAreCounted(t *testing.T) {
	t.Parallel()
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `{"type":"message","id":"msg_1","model":"claude","content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`)
	}))
	t.Cleanup(upstream.Close)
	p, err := provider.New(config.Provider{Name: "p", Kind: "anthropic", BaseURL: upstream.URL + "/v1"}, provider.Identity{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	for _, tt := range []struct {
		parts, most int
		kind        llm.Kind
	}{
		{parts: 100, most: 512 << 10},
		{parts: 10_000, most: 64 << 20},
		{parts: 10_000, most: 2 << 20, kind: llm.Overloaded},
	} {
		call, refused := passthrough.ParseRequest(llm.Chat, manyParts(tt.parts), 64)
		if refused != nil {
			t.Fatal(refused)
		}
		memory := &counted{most: tt.most}
		result := Serve(t.Context(), httptest.NewRecorder(), &Request{
			Ingress: ingressOf(call), Asked: call, Route: route.Route{Board: route.NewBoard(), Model: &route.Model{MaxAttempts: 1}, Targets: []route.Target{{Provider: "p", Model: "claude-haiku-4-5"}}},
			Providers: map[string]*provider.Provider{"p": p}, Memory: memory, MaxAnswer: 10 << 20,
		})
		var kind llm.Kind
		if result.Err != nil {
			kind = result.Err.Kind
		}
		if kind != tt.kind {
			t.Errorf("%d parts, room for %d bytes: %v", tt.parts, tt.most, result.Err)
		}
		if memory.held > 0 {
			t.Errorf("%d parts leave %d bytes counted", tt.parts, memory.held)
		}
	}
}

// No shape of a request takes more than is counted for it.
func TestTypedRequestsTakeWhatIsCounted(t *testing.T) { // not parallel: the heap is measured
	many := func(s string) string { return strings.TrimSuffix(strings.Repeat(s+",", 20_000), ",") }
	user := `{"role":"user","content":""}`
	for name, members := range map[string]string{
		"parts":    `"messages":[{"role":"user","content":[` + many(`{"type":"text","text":"a"}`) + `]}]`,
		"messages": `"messages":[` + many(user) + `]`,
		"tools":    `"messages":[` + user + `],"tools":[` + many(`{"type":"function","function":{"name":"f"}}`) + `]`,
		"calls":    `"messages":[` + user + `,{"role":"assistant","tool_calls":[` + many(`{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}`) + `]}]`,
		"stops":    `"messages":[` + user + `],"stop":[` + many(`""`) + `]`,
	} {
		r, refused := passthrough.ParseRequest(llm.Chat, []byte(`{"model":"m",`+members+`}`), 64)
		if refused != nil {
			t.Fatal(refused)
		}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		request, refused := r.Decode(nil)
		if refused != nil {
			t.Fatal(refused)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if took := int(after.HeapAlloc) - int(before.HeapAlloc); 2*took > r.Typed() { // lists that grow are there twice
			t.Errorf("%s: %d bytes take %d, and %d are counted", name, len(r.Raw), took, r.Typed())
		}
		runtime.KeepAlive(request)
	}
	prompt := `{"model":"m","messages":[{"role":"user","content":"` + strings.Repeat(`func f() {\n\tg({\"x\": 1})\n}\n`, 1000) + `"}]}`
	r, refused := passthrough.ParseRequest(llm.Chat, []byte(prompt), 64)
	if refused != nil {
		t.Fatal(refused)
	}
	if n := r.Typed(); n > freeBuffer {
		t.Errorf("%d bytes are counted for a prompt that holds a program", n)
	}
}
