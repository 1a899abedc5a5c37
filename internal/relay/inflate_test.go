package relay

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// What an answer says once does not make the caller's many times as long, even if it is repeated with every call, citation or chunk.
func TestAnswersAreNotInflated(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 200<<10)
	many := func(s string) string { return strings.TrimSuffix(strings.Repeat(s+",", 5000), ",") }
	gemini := func(parts, more string) string {
		return `{"responseId":"` + long + `","modelVersion":"` + long + `","candidates":[{"finishReason":"STOP","content":{"parts":[` + parts + `]}` + more + `}]}`
	}
	for name, body := range map[string]string{
		"calls without ids":  gemini(many(`{"functionCall":{"name":"f"}}`), ""),
		"pieces of two kind": gemini(many(`{"text":"a"},{"text":"b","thought":true}`), ""),
		"one page, cited again and again": gemini(`{"text":"hello"}`, `,"groundingMetadata":{"groundingChunks":[{"web":{"uri":"`+long+`","title":"`+long+`"}}],"groundingSupports":[{"segment":{"endIndex":3},"groundingChunkIndices":[`+
			many("0")+`]}]}`),
	} {
		const most = 2 << 20
		codec := codecs[llm.Gemini]
		whole := &openai.Producer{Asked: "m"}
		end, err := codec.Answer([]byte(body), whole.Collect)
		if err != nil {
			t.Fatal(err)
		}
		if out := whole.Answer(&end); len(out) > most {
			t.Errorf("%s: %d bytes become %d", name, len(body), len(out))
		}
		said := 0
		stream := &openai.Producer{Asked: "m"}
		if _, err := codec.Answer([]byte(body), func(ev *llm.Event) { said += len(stream.Chunk(nil, ev)) }); err != nil {
			t.Fatal(err)
		}
		if said > 2*most {
			t.Errorf("%s: %d bytes become chunks of %d", name, len(body), said)
		}
	}
}

// asked is a memory that notes what it was asked for, and has room for as much.
type asked struct {
	times int
	left  int
}

// Grow implements Memory.
func (m *asked) Grow(n int) bool {
	if m.times++; n > m.left {
		return false
	}
	m.left -= n
	return true
}

// What an answer grows to as it is translated is counted while it grows, not when it is there.
func TestAnswersThatGrowAreCounted(t *testing.T) {
	t.Parallel()
	body := `{"candidates":[{"finishReason":"STOP","content":{"parts":[` +
		strings.TrimSuffix(strings.Repeat(`{"functionCall":{"name":"f"},"thoughtSignature":"a"},`, 20_000), ",") + `]}}]}`
	translate := func(m *asked) ([]byte, error) {
		a := &attempt{run: &run{Request: &Request{Memory: m}}, target: &route.Target{Model: "m"}}
		x := &translated{codec: codecs[llm.Gemini]}
		_, out, err := x.read(a, []byte(body), &openai.Producer{Asked: "m"}, new(tally))
		return out, err
	}
	roomy := &asked{left: 100 << 20}
	out, err := translate(roomy)
	if err != nil {
		t.Fatal(err)
	}
	if took := 100<<20 - roomy.left; roomy.times < 5 || took < copies*len(out) {
		t.Errorf("%d bytes grow to %d, and %d are asked for in %d steps", len(body), len(out), took, roomy.times)
	}
	tight := &asked{left: copies * len(body) * 3 / 2}
	if _, err := translate(tight); !errors.Is(err, errNoRoom) || tight.left == copies*len(body)/2 {
		t.Errorf("there is room for one and a half: %v, with %d bytes left", err, tight.left)
	}
}

// What a reader remembers of a stream is counted. For a text whose characters alternate between one byte and two, Gemini's reader
// remembers where each begins.
func TestWhatReadersRememberIsCounted(t *testing.T) {
	t.Parallel()
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for range 100 {
			_, _ = fmt.Fprintf(w, `data: {"candidates":[{"content":{"parts":[{"text":"%s"}]}}]}`+"\n\n", strings.Repeat("aä", 100))
		}
		_, _ = fmt.Fprint(w, `data: {"candidates":[{"finishReason":"STOP"}]}`+"\n\n")
	}))
	t.Cleanup(upstream.Close)
	p, err := provider.New(config.Provider{Name: "p", Kind: "gemini", BaseURL: upstream.URL + "/v1beta"}, provider.Identity{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	call, refused := passthrough.ParseRequest(llm.Chat, []byte(`{"model":"m","stream":true,"messages":[{"role":"user","content":"a"}]}`), 64)
	if refused != nil {
		t.Fatal(refused)
	}
	memory := &counted{held: len(call.Raw)} // as the gateway has counted it
	result := Serve(t.Context(), httptest.NewRecorder(), &Request{
		Ingress: ingressOf(call), Asked: call, Route: route.Route{Board: route.NewBoard(), Model: &route.Model{MaxAttempts: 1}, Targets: []route.Target{{Provider: "p", Model: "gemini-2.5-flash"}}},
		Providers: map[string]*provider.Provider{"p": p}, Memory: memory, MaxAnswer: 10 << 20,
	})
	if result.Err != nil || result.Status != http.StatusOK {
		t.Fatalf("%d %+v", result.Status, result.Err)
	}
	if memory.peak < 300<<10 || memory.held != 0 {
		t.Errorf("%d bytes are counted at most, and %d in the end", memory.peak, memory.held)
	}
}
