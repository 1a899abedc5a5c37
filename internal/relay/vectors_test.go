package relay

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// counted is a memory that notes what is taken of it.
type counted struct{ held, peak, most int }

// Grow implements Memory.
func (c *counted) Grow(n int) bool {
	if c.most > 0 && c.held+n > c.most {
		return false
	}
	c.held += n
	c.peak = max(c.peak, c.held)
	return true
}

// newEmbedding is an attempt at an upstream that takes most inputs in one call.
func newEmbedding(t testing.TB, upstream string, texts []string, most int) (*attempt, *vectors, *httptest.ResponseRecorder, *counted) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"model": "m", "input": texts})
	if err != nil {
		t.Fatal(err)
	}
	call, refused := passthrough.ParseRequest(llm.Embeddings, body, 64)
	if refused != nil {
		t.Fatal(refused)
	}
	p, err := provider.New(config.Provider{Name: "p", Kind: "qwen", BaseURL: upstream}, provider.Identity{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	w, memory := httptest.NewRecorder(), &counted{}
	r := &run{
		Request: &Request{Ingress: ingressOf(call), Asked: call, Route: route.Route{Model: &route.Model{MaxAttempts: 1}}, Memory: memory, MaxAnswer: 10 << 20},
		ctx:     t.Context(), w: w, result: new(Result), calls: new(calls),
	}
	r.race = &r.handlers
	r.race.begin(r)
	target := &route.Target{Provider: "p", Model: "up"}
	o := &order{run: r, provider: p, target: target, body: call, changes: p.Changes(call, "up", "", nil)}
	if !o.splits(call) {
		t.Fatalf("%d inputs go out in one call", len(texts))
	}
	x, refused := o.inputs(call)
	if refused != nil {
		t.Fatal(refused)
	}
	v := x.(*vectors)
	v.most = most
	return &attempt{run: r, provider: p, target: target, exchange: v, refusals: own}, v, w, memory
}

// numbered answers each text, which is a number, with that number, in an order of its own.
func numbered(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Input []string }
	if json.NewDecoder(r.Body).Decode(&asked) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var data []string
	for i := range asked.Input {
		i = len(asked.Input) - 1 - i
		data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[%s]}`, i, asked.Input[i]))
	}
	_, _ = fmt.Fprintf(w, `{"data":[%s],"model":"theirs","usage":{"prompt_tokens":%d}}`, strings.Join(data, ","), len(data))
}

// Into however many calls the inputs are split, each has its own vector, and every token is counted.
func TestBatchesKeepTheOrder(t *testing.T) {
	t.Parallel()
	upstream := httptest.NewServer(http.HandlerFunc(numbered))
	t.Cleanup(upstream.Close)
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(11, 60).Draw(rt, "inputs")
		texts := make([]string, n)
		for i := range texts {
			texts[i] = fmt.Sprint(1000 + i)
		}
		a, x, w, memory := newEmbedding(t, upstream.URL, texts, rapid.IntRange(1, 70).Draw(rt, "most"))
		x.maxTokens = rapid.Int64Range(0, 40).Draw(rt, "tokens")
		for _, p := range x.parts() {
			if p.to-p.from > x.most || x.maxTokens > 0 && p.to-p.from > 1 && x.tokens(p.from, p.to) > x.maxTokens {
				rt.Fatalf("inputs %d to %d are one call", p.from, p.to)
			}
		}
		if f := a.do(); f != nil {
			rt.Fatal(f.reason, f.cause)
		}
		var answer struct {
			Model string
			Data  []struct {
				Index     int
				Embedding []int
			}
			Usage struct {
				Prompt int `json:"prompt_tokens"`
			}
		}
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			rt.Fatal(err)
		}
		used, _, estimated := a.run.calls.used(a.number)
		if len(answer.Data) != n || answer.Usage.Prompt != n || answer.Model != "theirs" || used.Input() != int64(n) || estimated {
			rt.Fatalf("%d inputs: %s", n, w.Body)
		}
		for i, v := range answer.Data {
			if v.Index != i || len(v.Embedding) != 1 || v.Embedding[0] != 1000+i {
				rt.Fatalf("vector %d is %+v", i, v)
			}
		}
		if memory.held != 0 || memory.peak < w.Body.Len() {
			rt.Fatalf("%d bytes are left, of %d for %d", memory.held, memory.peak, w.Body.Len())
		}
	})
}

// The first failure is the attempt's. The other calls are cancelled, and no further ones are made.
func TestOneBatchFails(t *testing.T) {
	t.Parallel()
	var calls, cancelled atomic.Int64
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		calls.Add(1)
		if bytes.Contains(body, []byte(`"1000"`)) {
			for calls.Load() < sideBySide { // the others are on their way
				select {
				case <-r.Context().Done():
					return
				default:
				}
			}
			w.Header().Set("X-Request-Id", "theirs")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		<-r.Context().Done()
		cancelled.Add(1)
	}))
	texts := make([]string, 40)
	for i := range texts {
		texts[i] = fmt.Sprint(1000 + i)
	}
	a, _, w, memory := newEmbedding(t, upstream.URL, texts, 2)
	f := a.do()
	upstream.Close() // waits for its handlers
	if f == nil || f.outcome != route.Overloaded || w.Body.Len() > 0 {
		t.Fatalf("%+v, %s", f, w.Body)
	}
	outcomes := map[string]int{}
	for _, c := range a.run.calls.tried(0) {
		outcomes[fmt.Sprint(c.Outcome, c.Status, c.RequestID)]++
	}
	if want := map[string]int{"overloaded503theirs": 1, "canceled0": sideBySide - 1}; !maps.Equal(outcomes, want) {
		t.Errorf("%v", outcomes)
	}
	if calls.Load() != sideBySide || cancelled.Load() != sideBySide-1 || memory.held != 0 {
		t.Errorf("%d calls, %d cancelled, %d bytes held", calls.Load(), cancelled.Load(), memory.held)
	}
}

// A request that ends, and memory that runs out, end all calls; a fault of Weir is reported like any other.
func TestBatchesEnd(t *testing.T) {
	t.Parallel()
	upstream := httptest.NewServer(http.HandlerFunc(numbered))
	t.Cleanup(upstream.Close)
	texts := strings.Fields(strings.Repeat("7 ", 30))

	gone, _, _, _ := newEmbedding(t, upstream.URL, texts, 3)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	gone.run.ctx = ctx
	if f := gone.do(); f == nil || f.outcome != route.Canceled {
		t.Errorf("a request that is over: %+v", f)
	}

	full, _, _, memory := newEmbedding(t, upstream.URL, texts, 3)
	memory.most = 2*inputSize*len(texts) + 1000
	if f := full.do(); f == nil || f.outcome != route.Crowded || memory.held != 0 {
		t.Errorf("no room: %+v, %d bytes held", f, memory.held)
	}

	faulty, x, _, _ := newEmbedding(t, upstream.URL, texts, 3)
	x.read = func([]byte, int) (llm.Vectors, error) { panic("fault") }
	defer func() {
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "fault") {
			t.Errorf("the fault became %v", p)
		}
	}()
	faulty.do()
}

func TestEstimates(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]int64{
		`""`: 1, `"a"`: 1, `"four and four"`: 4, `"日本語"`: 3, `"\u65e5"`: 1, `"привет"`: 3, `"a\n\"b"`: 1, `[1,2,3]`: 3, `[1]`: 1, `{"a":1}`: 1, `"😀"`: 1, `"\u00"`: 1,
	} {
		if got := (&vectors{input: func(int) llm.JSON { return llm.JSON(input) }}).tokens(0, 1); got != want {
			t.Errorf("%s: %d, not %d", input, got, want)
		}
	}
}
