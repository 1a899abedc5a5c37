package relay

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// bomb panics at the step whose number it has.
type bomb struct{ left int }

func (b *bomb) step() {
	if b.left--; b.left == 0 {
		panic(http.ErrAbortHandler)
	}
}

// fragile is a caller's side, and a memory, that count every use as a step.
type fragile struct {
	*httptest.ResponseRecorder
	bomb *bomb
}

// Header implements http.ResponseWriter.
func (f fragile) Header() http.Header {
	f.bomb.step()
	return f.ResponseRecorder.Header()
}

// Write implements http.ResponseWriter.
func (f fragile) Write(p []byte) (int, error) {
	f.bomb.step()
	n, err := f.ResponseRecorder.Write(p)
	f.bomb.step()
	return n, err
}

// FlushError implements what http.ResponseController asks for.
func (f fragile) FlushError() error {
	f.bomb.step()
	return nil
}

// Grow implements Memory.
func (f fragile) Grow(int) bool {
	f.bomb.step()
	return true
}

// Wherever a panic takes the handler away, the account is handed over once, and every call that was made is in it with its end.
// Whatever the caller got whole was recorded before.
func TestPanicsLoseNoCall(t *testing.T) {
	t.Parallel()
	const (
		chunk = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"A"},"finish_reason":%s}]}` + "\n\n"
		usage = `"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}`
		last  = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[],` + usage + "}\n\ndata: [DONE]\n\n"
		whole = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"A"},"finish_reason":"stop"}],` + usage + `}`
		texts = `{"id":"c","message":{"role":"assistant","content":[{"type":"text","text":"A"}]},"finish_reason":"COMPLETE","usage":{"tokens":{"input_tokens":3,"output_tokens":4}}}`
		more  = `data: {"id":"c","type":"message-start","delta":{"message":{"role":"assistant"}}}` + "\n\n" + `data: {"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"A"}}}}` + "\n\n" +
			`data: {"type":"message-end","delta":{"finish_reason":"COMPLETE","usage":{"tokens":{"input_tokens":3,"output_tokens":4}}}}` + "\n\n"
	)
	stream := fmt.Sprintf(chunk, "null") + fmt.Sprintf(chunk, `"stop"`) + last
	pad := strings.Repeat("a", 2*freeBuffer)
	for name, tt := range map[string]struct {
		kind, answer, request string
		endpoint              llm.Endpoint
		calls                 int
		cut                   bool
	}{
		"whole":                {"openai", whole, `{"model":"m","messages":[{"role":"user","content":"` + pad + `"}]}`, llm.Chat, 1, false},
		"a stream":             {"openai", stream, `{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}`, llm.Chat, 1, false},
		"a stream that breaks": {"openai", fmt.Sprintf(chunk, "null"), `{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}`, llm.Chat, 1, true},
		"translated":           {"cohere", texts, `{"model":"m","messages":[{"role":"user","content":"` + pad + `"}]}`, llm.Chat, 1, false},
		"a translated stream":  {"cohere", more, `{"model":"m","stream":true,"messages":[{"role":"user","content":"` + pad + `"}]}`, llm.Chat, 1, false},
		"prompts":              {"cohere", texts, `{"model":"m","prompt":["a","b","c"]}`, llm.Completions, 3, false},
		"prompts, as a stream": {"cohere", more, `{"model":"m","stream":true,"prompt":["a","b","c"]}`, llm.Completions, 3, false},
		"inputs":               {"cohere", `{"embeddings":{"float":[[1]]},"meta":{"billed_units":{"input_tokens":3}}}`, `{"model":"m","input":["a"]}`, llm.Embeddings, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write([]byte(tt.answer))
			}))
			t.Cleanup(upstream.Close)
			p, err := provider.New(config.Provider{Name: "p", Kind: tt.kind, BaseURL: upstream.URL}, provider.Identity{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.Close)
			broken := 0
			for step := 1; ; step++ {
				call, refused := passthrough.ParseRequest(tt.endpoint, []byte(tt.request), 64)
				if refused != nil {
					t.Fatal(refused)
				}
				var settled []Result
				var final *Result
				books := &books{}
				w := fragile{httptest.NewRecorder(), &bomb{left: step}}
				sent := -1
				panicked := func() (panicked bool) {
					defer func() { panicked = recover() != nil }()
					Serve(t.Context(), w, &Request{
						ID: "id", Ingress: ingressOf(call), Asked: call, Providers: map[string]*provider.Provider{"p": p}, MaxAnswer: 10 << 20, Memory: w, Started: time.Now(),
						Route:   route.Route{Board: route.NewBoard(), Model: &route.Model{MaxAttempts: 1, Timeouts: route.Timeouts{Hold: time.Hour}}, Targets: []route.Target{{Provider: "p", Model: "m"}}},
						Account: books,
						Settle:  func(r *Result) { settled, final, sent = append(settled, *r), r, w.Body.Len() },
					})
					return false
				}()
				if len(settled) != 1 {
					t.Fatalf("step %d: the account was handed over %d times", step, len(settled))
				}
				if books.opened != len(final.Calls) || len(books.settled) != books.opened {
					t.Fatalf("step %d: of %d calls %d were recorded, and %d settled", step, len(final.Calls), books.opened, len(books.settled))
				}
				for _, c := range final.Calls {
					if c.Outcome == "" || c.Outcome == "ok" && !c.HasUsage {
						t.Fatalf("step %d: a call ended with %q, and %+v", step, c.Outcome, c.Usage)
					}
				}
				if r := settled[0]; r.Answering > 0 && r.HasUsage && len(r.Calls) != tt.calls && !panicked {
					t.Fatalf("step %d: %d calls", step, len(r.Calls))
				}
				if body := w.Body.String(); sent >= 0 && (strings.Contains(body[:sent], "[DONE]") || strings.Contains(body[:sent], `"error"`) || tt.endpoint != llm.Embeddings && !call.Stream && sent > 0) {
					t.Fatalf("step %d: the end of the answer went out before the account", step)
				}
				if r := settled[0]; strings.Contains(w.Body.String(), `"error"`) && (!r.Cut || r.Status != http.StatusOK || r.Err == nil) {
					t.Fatalf("step %d: the account of a stream that broke was %+v", step, r)
				}
				if !panicked && tt.cut {
					if final.Err == nil || !strings.Contains(w.Body.String(), `"error"`) || final.Calls[0].Outcome != "failed" {
						t.Fatalf("%+v", final)
					}
					break
				}
				if !panicked {
					if final.Err != nil || len(final.Calls) != tt.calls || final.Usage.Input() != int64(3*tt.calls) {
						t.Fatalf("%+v", final)
					}
					break
				}
				broken++
			}
			if broken < 3 {
				t.Errorf("it broke at %d steps only", broken)
			}
		})
	}
}

// added is a call that nothing records.
func added(c *calls, call Call) *Call {
	begun := c.room()
	*begun = call
	if why := c.begin(nil, begun, Sent{}); why != nil {
		panic(why.Err)
	}
	return begun
}

// books are an Account that remembers what it gets.
type books struct {
	mu      sync.Mutex                             // guards what follows
	refuse  *llm.Error                             // why no call must be made, nil if any may
	bar     map[string]*Refused                    // why no call must be made at a provider
	grow    func(tokens int64) (int64, *llm.Error) // what Wrote does; nil lets everything pass
	opened  int
	settled []Call
	watch   func(*Call) // is called with each call that is settled; nil does nothing
}

// Open implements Account.
func (b *books) Open(c *Call, _ Sent) (Entry, *Refused) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.refuse != nil {
		return nil, &Refused{Err: b.refuse}
	}
	if why := b.bar[c.Target.Provider]; why != nil {
		return nil, why
	}
	b.opened++
	return b, nil
}

// Wrote implements Growing.
func (b *books) Wrote(tokens int64) (int64, *llm.Error) {
	if b.grow == nil {
		return math.MaxInt64, nil
	}
	return b.grow(tokens)
}

// Settle implements Entry.
func (b *books) Settle(c *Call) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settled = append(b.settled, *c)
	if b.watch != nil {
		b.watch(c)
	}
}
