package alert

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/logging/logtest"
)

// receiver answers in place of the network, so that time can be simulated.
type receiver struct {
	answer func(n int, id string) (status int, err error) // to the n-th try, from 1

	mu    sync.Mutex
	tries []time.Time
	ids   []string
	hosts []string
}

// RoundTrip implements http.RoundTripper.
func (r *receiver) RoundTrip(req *http.Request) (*http.Response, error) {
	r.mu.Lock()
	r.tries, r.ids = append(r.tries, time.Now()), append(r.ids, req.Header.Get("Webhook-Id"))
	r.hosts = append(r.hosts, req.URL.Host)
	n := len(r.tries)
	r.mu.Unlock()
	status, err := r.answer(n, req.Header.Get("Webhook-Id"))
	if err != nil {
		return nil, err
	}
	if status == 0 { // it hangs
		<-req.Context().Done()
		return nil, req.Context().Err()
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(""))}, nil
}

// at, names and to are when tries were made, for which events, and at which hosts.
func (r *receiver) at() []time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.tries)
}

func (r *receiver) names() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.ids)
}

func (r *receiver) to() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.hosts)
}

// counter implements Metrics.
type counter struct {
	mu sync.Mutex
	of map[Outcome]int
}

// Alert implements Metrics.
func (c *counter) Alert(o Outcome) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil {
		c.of = map[Outcome]int{}
	}
	c.of[o]++
}

func (c *counter) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return fmt.Sprintf("%d sent, %d failed, %d dropped", c.of[Sent], c.of[Failed], c.of[Dropped])
}

// testKey is that of the tests' terms.
var testKey = []byte("0123456789abcdef0123456789abcdef")

// start runs a sender until the test ends.
func start(t *testing.T, transport http.RoundTripper, terms *Terms) (s *Sender, c *counter, log *logtest.Buffer, stop func()) {
	t.Helper()
	c, log = &counter{}, &logtest.Buffer{}
	s = New(Options{Transport: transport, Agent: "weir/test", Log: slog.New(slog.NewTextHandler(log, nil)), Metrics: c, Now: time.Now})
	s.Set(terms)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Run(ctx)
	}()
	stop = func() { cancel(); <-ended }
	t.Cleanup(stop)
	return s, c, log, stop
}

func event(name string, percent int) *Event {
	return &Event{
		Time: time.Now(), Of: "key", OwnerID: "key_" + name, Name: name, Budget: "50usd/month", Unit: "nanodollars", Period: "month",
		Limit: 50e9, Used: 25e9, Percent: percent, Reset: time.Date(2100, 2, 1, 0, 0, 0, 0, time.UTC),
	}
}

// An event that the receiver does not take is sent again, after waits that grow, for an hour.
func TestTriesForAnHour(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer func(int, string) (int, error)
		each   time.Duration // that a try takes
	}{
		"unreachable": {func(int, string) (int, error) { return 0, errors.New("refused") }, 0},
		"failing":     {func(int, string) (int, error) { return 500, nil }, 0},
		"redirecting": {func(int, string) (int, error) { return 308, nil }, 0},
		"gone":        {func(int, string) (int, error) { return 410, nil }, 0},
		"hanging":     {func(int, string) (int, error) { return 0, nil }, within},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := &receiver{answer: tt.answer}
				s, c, log, stop := start(t, r, &Terms{URL: "http://receiver.test/path-of-mine", Key: testKey})
				began := time.Now()
				s.Send(event("app", 50))
				time.Sleep(2 * time.Hour)
				synctest.Wait()
				tries := r.at()
				for i := 1; i < len(tries); i++ {
					wait := min(firstWait<<(i-1), longestWait)
					if got := tries[i].Sub(tries[i-1]); got != wait+tt.each {
						t.Errorf("%v before try %d, want %v", got, i+1, wait)
					}
				}
				if last := tries[len(tries)-1].Sub(began); last > giveUp || last < giveUp-longestWait || len(tries) < 10 {
					t.Errorf("%d tries, the last after %v", len(tries), last)
				}
				if c.String() != "0 sent, 1 failed, 0 dropped" || !strings.Contains(log.String(), "is given up") || strings.Contains(log.String(), "path-of-mine") {
					t.Errorf("%v\n%s", c, log)
				}
				stop()
			})
		})
	}
}

// An event that is taken at last is not sent again. Others do not wait for one that fails.
func TestTakenAtLast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		bad := event("bad", 50)
		r := &receiver{answer: func(n int, id string) (int, error) {
			if id == bad.id() && n < 4 {
				return 503, nil
			}
			return 204, nil
		}}
		s, c, _, stop := start(t, r, &Terms{URL: "http://receiver.test", Key: testKey})
		s.Send(bad)
		s.Send(event("good", 50))
		s.Send(bad) // it waits already
		synctest.Wait()
		if want := []string{bad.id(), event("good", 50).id()}; !slices.Equal(r.names(), want) || c.String() != "1 sent, 0 failed, 0 dropped" {
			t.Errorf("at once: %v, %v", r.names(), c)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if len(r.names()) != 4 || c.String() != "2 sent, 0 failed, 0 dropped" {
			t.Errorf("later: %v, %v", r.names(), c)
		}
		time.Sleep(2 * time.Hour)
		if n := len(r.names()); n != 4 {
			t.Errorf("%d tries", n)
		}
		stop()
	})
}

// The queue is bounded: the oldest event falls out. It may be the one that is being sent.
func TestTooMany(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{answer: func(n int, _ string) (int, error) {
			if n == 1 {
				return 0, nil // it hangs
			}
			return 200, nil
		}}
		s, c, log, stop := start(t, r, &Terms{URL: "http://receiver.test", Key: testKey})
		s.Send(event("first", 50))
		synctest.Wait()
		for i := range most + 2 {
			s.Send(event(fmt.Sprint("app", i), 50))
		}
		time.Sleep(within)
		synctest.Wait()
		if want := fmt.Sprintf("%d sent, 0 failed, 3 dropped", most); c.String() != want || strings.Count(log.String(), "an alert was dropped") != 3 {
			t.Errorf("%v, want %s\n%s", c, want, log)
		}
		stop()
	})
}

// What waits goes where new terms say, and nowhere without terms.
func TestTermsChange(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var up atomic.Bool
		r := &receiver{answer: func(int, string) (int, error) {
			if !up.Load() {
				return 0, errors.New("refused")
			}
			return 200, nil
		}}
		s, c, _, stop := start(t, r, &Terms{URL: "http://one.test", Key: testKey})
		s.Send(event("app", 50))
		synctest.Wait()
		up.Store(true)
		s.Set(&Terms{URL: "http://two.test", Key: testKey})
		time.Sleep(time.Minute)
		synctest.Wait()
		if !slices.Equal(r.to(), []string{"one.test", "two.test"}) || c.String() != "1 sent, 0 failed, 0 dropped" {
			t.Errorf("%v, %v", r.to(), c)
		}
		up.Store(false)
		s.Send(event("app", 90))
		synctest.Wait()
		s.Set(nil)
		s.Send(event("app", 100))
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(r.to()) != 3 || c.String() != "1 sent, 0 failed, 1 dropped" {
			t.Errorf("%v, %v", r.to(), c)
		}
		stop()
	})
}

// The end does not wait for a receiver that hangs. What was not sent is counted and logged.
func TestTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{answer: func(int, string) (int, error) { return 0, nil }}
		s, c, log, stop := start(t, r, &Terms{URL: "http://receiver.test", Key: testKey})
		s.Send(event("a", 50))
		s.Send(event("b", 50))
		synctest.Wait()
		began := time.Now()
		stop()
		if took := time.Since(began); took != 0 || c.String() != "0 sent, 2 failed, 0 dropped" || strings.Count(log.String(), "before Weir stopped") != 2 {
			t.Errorf("%v, %v\n%s", took, c, log)
		}
		s.Send(event("c", 50)) // of a request that ends as late
		if c.String() != "0 sent, 2 failed, 0 dropped" {
			t.Error(c)
		}
	})
}

// The body is that of docs/guides/alerts.md. The id depends on what is said, and on nothing else.
func TestBody(t *testing.T) {
	t.Parallel()
	e := event("app", 50)
	e.Time = time.Date(2100, 1, 17, 9, 30, 0, 5e8, time.FixedZone("", 3600))
	const want = `{"id":"evt_t0spUuGhem8nqnnx0qju8kqR","type":"budget.share_spent","timestamp":"2100-01-17T08:30:00.5Z",` +
		`"data":{"of":"key","id":"key_app","name":"app","budget":"50usd/month","unit":"nanodollars","period":"month","limit":50000000000,"used":25000000000,"percent":50,"reset":"2100-02-01T00:00:00Z"}}`
	if got := string(e.body()); got != want {
		t.Error(got)
	}
	same, other := *e, *e
	same.Time, same.Used, same.Name = time.Now(), 26e9, "renamed"
	if same.id() != e.id() {
		t.Error("the id differs for what is the same")
	}
	for name, change := range map[string]func(*Event){
		"owner": func(e *Event) { e.OwnerID = "other" }, "kind": func(e *Event) { e.Of = "team" }, "share": func(e *Event) { e.Percent = 90 },
		"period": func(e *Event) { e.Reset = e.Reset.AddDate(0, 1, 0) }, "limit": func(e *Event) { e.Limit++ }, "unit": func(e *Event) { e.Unit = "tokens" },
	} {
		other = *e
		if change(&other); other.id() == e.id() {
			t.Errorf("the id is the same for another %s", name)
		}
	}
	other = *e
	other.Percent, other.Reset = 100, time.Time{}
	var body struct {
		Type string
		Data struct{ Reset *string }
	}
	if err := json.Unmarshal(other.body(), &body); err != nil || body.Type != "budget.used_up" || body.Data.Reset != nil {
		t.Errorf("%+v, %v", body, err)
	}
}
