package spend

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/secret"
)

// nothing is a source that knows of no spending.
type nothing struct{}

func (nothing) Spent(_ context.Context, spans []budget.Span) ([]budget.Amount, error) {
	return make([]budget.Amount, len(spans)), nil
}

// shop is an upstream, and a book with the budgets of one key.
type shop struct {
	url  string
	book *budget.Book
	seen budget.Seen
}

func open(t *testing.T, policy budget.Policy, answer http.HandlerFunc) *shop {
	t.Helper()
	upstream := httptest.NewServer(answer)
	t.Cleanup(upstream.Close)
	s := &shop{url: upstream.URL + "/v1", book: budget.New(time.UTC, nothing{}, func(budget.Warning) {})}
	if err := s.book.Set(t.Context(), time.Now(), map[budget.Owner]budget.Policy{{Kind: budget.Key, ID: "k"}: policy}); err != nil {
		t.Fatal(err)
	}
	return s
}

// state is how the key's budget stands.
func (s *shop) state() budget.State {
	return s.book.States(budget.Owner{Kind: budget.Key, ID: "k"}, time.Now())[0]
}

// serve serves a request whose answer may have 10 tokens from targets with these prices, in order.
func (s *shop) serve(t *testing.T, w http.ResponseWriter, stream bool, account Recorder, prices ...*money.Price) *relay.Result {
	t.Helper()
	body := `{"model":"m","messages":[{"role":"user","content":"12345678"}],"max_tokens":10}`
	if stream {
		body = strings.Replace(body, "{", `{"stream":true,`, 1)
	}
	asked, refused := passthrough.ParseRequest(llm.Chat, []byte(body), 64)
	if refused != nil {
		t.Fatal(refused)
	}
	providers, targets := map[string]*provider.Provider{}, []route.Target{}
	for i, price := range prices {
		name := string(rune('a' + i))
		p, err := provider.New(config.Provider{Name: name, Kind: "openai", BaseURL: s.url, APIKeys: []secret.Text{secret.New("a-key-of-ours")}}, provider.Identity{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		providers[name], targets = p, append(targets, route.Target{Provider: name, Model: "up", Facts: route.Facts{Price: price}})
	}
	return relay.Serve(t.Context(), w, &relay.Request{
		ID: "id", Ingress: passthrough.Chat, Asked: asked, Providers: providers, MaxAnswer: 10 << 20, Started: time.Now(),
		Route: route.Route{Board: route.NewBoard(), Model: &route.Model{MaxAttempts: 3}, Targets: targets},
		Account: &Request{
			Account: account, Book: s.book, Seen: &s.seen, Key: "k", Model: "m",
		},
	})
}

func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
}

const (
	whole = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"A"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}`
	word  = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"up","choices":[{"index":0,"delta":{"content":"1234"},"finish_reason":null}]}` + "\n\n"
)

func strict(text string) budget.Policy {
	spec, _ := budget.Parse(text)
	return budget.Policy{Strict: true, Budgets: []budget.Spec{spec}}
}

// A target for whose price there is no room is passed over, and a cheaper one answers. What it cost is used then, and nothing is held.
func TestACheaperTargetServes(t *testing.T) {
	t.Parallel()
	s := open(t, strict("0.01usd/day"), says(whole))
	res := s.serve(t, httptest.NewRecorder(), false, nil, money.Plain(1e8, 1e8), nil, money.Plain(1e6, 1e6))
	if res.Err != nil || len(res.Calls) != 1 || res.Calls[0].Target.Provider != "c" {
		t.Fatalf("%v, %+v", res.Err, res.Calls)
	}
	var skipped []string
	for _, step := range res.Considered {
		skipped = append(skipped, step.Provider+" "+step.Skip.String())
	}
	if got := strings.Join(skipped, ", "); got != "a budget, b no_price, c " {
		t.Errorf("considered: %s", got)
	}
	if got := s.state(); got.Used != 7000 || got.Held != 0 {
		t.Errorf("%+v", got)
	}
}

// Refusals have their errors. Nothing is called, and nothing stays held.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		budget  string
		spent   int64
		held    int64
		price   *money.Price
		kind    llm.Kind
		noRetry bool
		after   time.Duration
	}{
		"larger than the whole": {"0.0001usd/day", 0, 0, money.Plain(1e6, 1e6), llm.ExceedsLimit, false, 0},
		"used up":               {"0.001usd/day", 900_000, 0, money.Plain(1e6, 1e6), llm.BudgetUsedUp, true, 0},
		"only reserved":         {"0.001usd/day", 0, 900_000, money.Plain(1e6, 1e6), llm.RequestLimit, false, time.Second},
		"no price":              {"0.001usd/day", 0, 0, nil, llm.PriceUnknown, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var called atomic.Bool
			s := open(t, strict(tt.budget), func(http.ResponseWriter, *http.Request) { called.Store(true) })
			for _, amount := range [...]int64{tt.spent, tt.held} {
				var h budget.Hold
				if refusal := s.book.Hold(&h, "k", "", &budget.Need{Answers: 1, Worst: budget.Take{Money: amount}}, time.Now()); refusal != nil {
					t.Fatal(refusal)
				}
				if amount != tt.held {
					s.book.Settle(&h, budget.Amount{Money: amount})
				}
			}
			res := s.serve(t, httptest.NewRecorder(), false, nil, tt.price)
			if res.Err == nil || res.Err.Kind != tt.kind || res.Err.NoRetry != tt.noRetry || res.Err.RetryAfter != tt.after {
				t.Errorf("%+v", res.Err)
			}
			if got := s.state(); called.Load() || got.Used != tt.spent || got.Held != tt.held {
				t.Errorf("called: %v; %+v", called.Load(), got)
			}
		})
	}
}

// A stream is ended when its budget has no room for more, if the key wants that. What was sent is charged.
func TestStreamsAreCut(t *testing.T) {
	t.Parallel()
	spec, _ := budget.Parse("300tok/day")
	for _, cut := range []bool{true, false} {
		s := open(t, budget.Policy{Cut: cut, Budgets: []budget.Spec{spec}}, says(strings.Repeat(word, 600)+"data: [DONE]\n\n"))
		w := httptest.NewRecorder()
		res := s.serve(t, w, true, nil, money.Plain(1e6, 1e6))
		if cut != (res.Err != nil && res.Err.Kind == llm.BudgetUsedUp) || cut != strings.Contains(w.Body.String(), "insufficient_quota") {
			t.Errorf("cut is %v: %v", cut, res.Err)
		}
		got := s.state()
		if got.Held != 0 || cut && (got.Used < 250 || got.Used > 300) || !cut && got.Used < 600 {
			t.Errorf("cut is %v: %+v", cut, got)
		}
	}
}

// counter records calls, and panics with the last byte if it shall.
type counter struct {
	refuse          *relay.Refused
	panics          bool
	opened, settled atomic.Int32
}

// Record implements Recorder.
func (c *counter) Record(*relay.Call, budget.Take) (relay.Entry, *relay.Refused) {
	if c.refuse != nil {
		return nil, c.refuse
	}
	c.opened.Add(1)
	return c, nil
}

// Settle implements relay.Entry.
func (c *counter) Settle(*relay.Call) {
	c.settled.Add(1)
	if c.panics {
		panic(http.ErrAbortHandler)
	}
}

// What is recorded beside budgets is asked after them. If it refuses a call, nothing is held; if it panics, what the call took is charged.
func TestTheAccountBehind(t *testing.T) {
	t.Parallel()
	s := open(t, strict("0.01usd/day"), says(whole))
	price := money.Plain(1e6, 1e6)
	why := &relay.Refused{Err: &llm.Error{Kind: llm.Overloaded}}
	if res := s.serve(t, httptest.NewRecorder(), false, &counter{refuse: why}, price); res.Err != why.Err || s.state().Held != 0 {
		t.Errorf("%v, %+v", res.Err, s.state())
	}
	c := &counter{panics: true}
	func() {
		defer func() { _ = recover() }()
		s.serve(t, httptest.NewRecorder(), false, c, price)
	}()
	if got := s.state(); got.Held != 0 || got.Used != 7000 || c.settled.Load() != 1 {
		t.Errorf("after a panic: %+v, settled %d times", got, c.settled.Load())
	}
}

// Many requests at once never exceed a strict budget, and all that they took is used in the end.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	s := open(t, strict("0.005usd/day"), says(whole))
	var served atomic.Int64
	var all sync.WaitGroup
	for range 60 {
		all.Go(func() {
			res := s.serve(t, httptest.NewRecorder(), false, nil, money.Plain(1e6, 1e6))
			switch {
			case res.Err == nil:
				served.Add(1)
			case res.Err.Kind != llm.RequestLimit:
				t.Error(res.Err)
			}
		})
	}
	all.Wait()
	if got := s.state(); got.Held != 0 || got.Used != served.Load()*7000 || served.Load() == 0 {
		t.Errorf("%+v, %d served", got, served.Load())
	}
}

// brittle is a client that breaks at one of the writes to it: by a panic of the code that writes, or by hanging up.
type brittle struct {
	*httptest.ResponseRecorder
	left   int
	panics bool
}

func (b *brittle) Write(p []byte) (int, error) {
	b.left--
	switch {
	case b.left > 0:
		return b.ResponseRecorder.Write(p)
	case b.panics:
		panic(http.ErrAbortHandler)
	}
	return 0, io.ErrClosedPipe
}

// Wherever an answer breaks off, nothing stays held, and what it took is used.
func TestNothingStaysHeld(t *testing.T) {
	t.Parallel()
	for _, stream := range []bool{false, true} {
		answer := whole
		if stream {
			answer = strings.Repeat(word, 5) + "data: [DONE]\n\n"
		}
		for _, panics := range []bool{false, true} {
			s := open(t, strict("1usd/day"), says(answer))
			used := int64(0)
			for step, broke := 1, true; broke; step++ {
				w := &brittle{httptest.NewRecorder(), step, panics}
				func() {
					defer func() { _ = recover() }()
					s.serve(t, w, stream, nil, money.Plain(1e6, 1e6))
				}()
				broke = w.left <= 0
				got := s.state()
				if got.Held != 0 || got.Used <= used {
					t.Fatalf("streamed %v, panics %v, step %d: %+v, %d used before", stream, panics, step, got, used)
				}
				used = got.Used
			}
		}
	}
}
