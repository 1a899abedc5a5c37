package app_test

import (
	"bufio"
	"fmt"
	"net"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/sim"
)

// waiting is a trial in which an upstream falls silent, or never ends, and a check that it has come so far.
type waiting struct {
	trial
	second  bool                  // it is the second target
	there   func(sim.Served) bool // the call has come as far as the trial wants it
	content bool                  // the caller has read content by then
}

func called(sim.Served) bool      { return true }
func answering(s sim.Served) bool { return s.Status == 200 }
func events(n int) func(sim.Served) bool {
	return func(s sim.Served) bool { return s.Events >= n }
}

// emptyEvents is how many events of a kind's stream come before the first with content.
var emptyEvents = map[string]int{"openai": 1, "anthropic": 3, "gemini": 0, "bedrock": 1, "cohere": 2}

// silences are every phase in which a request can wait for its first target, in one dialect.
func silences(kind string) []waiting {
	n := emptyEvents[kind]
	list := []waiting{
		{trial{what: "before the headers", first: sim.Rule{Stall: new(sim.BeforeHeaders)}}, false, called, false},
		{trial{what: "behind the headers", first: sim.Rule{Stall: new(sim.Point(0))}}, false, answering, false},
		{trial{what: "within the body", first: sim.Rule{StallAfter: new(40)}}, false, answering, false},
		{trial{what: "before the headers", stream: true, first: sim.Rule{Stall: new(sim.BeforeHeaders)}}, false, called, false},
		{trial{what: "behind the headers", stream: true, first: sim.Rule{Stall: new(sim.Point(0))}}, false, answering, false},
		{trial{what: "mid-stream", stream: true, first: sim.Rule{Stall: new(sim.Point(n + 2))}}, false, events(n + 2), true},
	}
	if n > 0 {
		list = append(list, waiting{trial{what: "before content", stream: true, first: sim.Rule{Stall: new(sim.Point(n))}}, false, events(n), false})
	}
	for i := range list {
		list[i].kind = kind
	}
	return list
}

// phases are those of silences, the same with the second target after the first has failed and with both while they race, and
// streams without end.
func phases() []waiting {
	var list []waiting
	for _, kind := range kinds {
		for _, c := range silences(kind) {
			list = append(list, c)
			if c.stream && !c.content {
				list = append(list, c.whileHedging())
			}
			silent := c.first
			c.what, c.first, c.trial.second, c.second = "the second target, "+c.what, sim.Rule{Status: 500}, &silent, true
			list = append(list, c)
		}
		endless := sim.Rule{Tokens: 20_000, Interval: new(sim.Duration(time.Millisecond))}
		list = append(list, waiting{trial{kind: kind, what: "while it goes on", stream: true, first: endless}, false, events(emptyEvents[kind] + 2), true})
	}
	return list
}

// whileHedging is the same with both targets, which race.
func (c waiting) whileHedging() waiting {
	silent := c.first
	c.what, c.trial.second, c.hedge = "while hedging, "+c.what, &silent, mostlyThere
	return c
}

// bounded are the trials with one place at each target.
func bounded(list []waiting) []waiting {
	for i := range list {
		list[i].places = 1
	}
	return list
}

// otherEndpoints are some phases of calls that are no chats, or that become several.
func otherEndpoints() []waiting {
	var list []waiting
	for _, kind := range kinds {
		for _, c := range silences(kind) {
			c.path = completions
			list = append(list, c)
			if c.stream && !c.content && (kind != "openai" || c.what != "before content") { // whose first event has some
				list = append(list, c.whileHedging())
			}
			if c.path = embeddings; !c.stream && slices.Contains([]string{"openai", "gemini", "cohere"}, kind) {
				list = append(list, c)
			}
		}
	}
	return list
}

// newWaiting starts a torture, and gives the trials their models' names.
func newWaiting(t *testing.T, proto int, list []waiting) *torture {
	t.Helper()
	trials := make([]trial, len(list))
	for i := range list {
		trials[i] = list[i].trial
	}
	w := newTorture(t, proto, trials)
	for i := range list {
		list[i].trial = trials[i]
	}
	return w
}

// upstream is the one that the trial waits for.
func (w *torture) upstream(c waiting) *apptest.Upstream {
	if c.second {
		return w.second
	}
	return w.first
}

// raced reports whether both targets are asked at the same time.
func (c waiting) raced() bool { return c.hedge != "" }

// each does something for every upstream that the trial waits for.
func (w *torture) each(c waiting, do func(waiting)) {
	if c.raced() {
		c.second = !c.second
		do(c)
		c.second = !c.second
	}
	do(c)
}

// vacant waits until no attempt is in flight at the trial's targets, which have one place each.
func (w *torture) vacant(t *testing.T, c waiting) {
	t.Helper()
	until(t, "the places at "+c.String()+" are free", func() bool {
		return !slices.ContainsFunc(explain(t, w.Weir, "model="+c.model, "").Plans[0].Targets, func(p admin.Prospect) bool {
			return p.InFlight > 0 || p.Skip != nil && *p.Skip == "full"
		})
	})
}

// reached reports whether the trial's last call has come as far as it should.
func (w *torture) reached(all []sim.Served, c waiting) bool {
	calls := callsOf(all, c.model)
	return len(calls) > 0 && c.there(calls[len(calls)-1])
}

// abandoned waits until the upstream has seen all of the trial's calls end, checks that Weir ended them, and returns the last.
// Embeddings in several calls are made side by side.
func (w *torture) abandoned(t *testing.T, c waiting) sim.Served {
	t.Helper()
	var calls []sim.Served
	served(t, w.upstream(c), func(all []sim.Served) bool {
		calls = callsOf(all, c.model)
		return len(calls) > 0 && !slices.ContainsFunc(calls, func(s sim.Served) bool { return !s.Done })
	})
	for _, gone := range calls {
		if !gone.ClientGone || gone.Completed || gone.Proto != w.proto {
			t.Errorf("the upstream's call ended otherwise: %+v", gone)
		}
	}
	return calls[len(calls)-1]
}

// untouched checks that no target after the one that the trial waits for was called.
func (w *torture) untouched(t *testing.T, c waiting) {
	t.Helper()
	if n := len(callsOf(w.second.Served(), c.model)); n > 0 && !c.second && !c.raced() {
		t.Errorf("the second target was called %d times", n)
	}
}

// A caller that hangs up, in whatever phase and dialect, ends the upstream's call, and nothing is left of the request.
func TestHangingUpReachesTheUpstream(t *testing.T) { // not in parallel: it looks at the goroutines
	eachProto(t, hangUps)
}

func hangUps(t *testing.T, proto int) {
	var list []waiting
	for _, c := range slices.Concat(phases(), otherEndpoints()) {
		list = append(list, c, c)
		list[len(list)-1].what += ", by a reset"
	}
	w := newWaiting(t, proto, bounded(list))
	w.rests(t)
	var mu sync.Mutex // guards last
	var last slowest
	t.Run("trials", func(t *testing.T) {
		for i, c := range list {
			t.Run(c.String(), func(t *testing.T) {
				t.Parallel()
				took := w.hangUp(t, c, i%2 == 1)
				mu.Lock()
				defer mu.Unlock()
				last.note(took, c.String())
			})
		}
	})
	t.Logf("%d trials; the upstream knew after %v at most: %s", len(list), last.took, last.what)
	w.rests(t)
}

// someContent is content in a line of a stream.
var someContent = regexp.MustCompile(`"(content|text)":"[^"]`)

// hangUp makes a trial's call, hangs up when it waits, and returns how long it took until the upstream's call was
// over.
func (w *torture) hangUp(t *testing.T, c waiting, reset bool) time.Duration {
	t.Helper()
	conn, err := net.Dial("tcp", w.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	body := c.body()
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: w\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s", c.endpoint(), w.key, len(body), body)
	if err != nil {
		t.Fatal(err)
	}
	for r := bufio.NewReader(conn); c.content; {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if someContent.MatchString(line) {
			break
		}
	}
	w.each(c, func(c waiting) {
		served(t, w.upstream(c), func(all []sim.Served) bool { return w.reached(all, c) })
	})
	if reset {
		_ = conn.(*net.TCPConn).SetLinger(0) // it cannot fail on an open connection
	}
	began := time.Now()
	conn.Close()
	var last time.Duration
	w.each(c, func(c waiting) { last = max(last, w.abandoned(t, c).Ended.Sub(began)) })
	w.untouched(t, c)
	w.vacant(t, c)
	return last
}

// asked is an answer, and when its call began.
type asked struct {
	answer
	began time.Time
}

// together makes the trials' calls, many at the same time.
func (w *torture) together(t *testing.T, list []waiting, header ...string) []asked {
	t.Helper()
	answers := make([]asked, len(list))
	slots := make(chan struct{}, 50)
	var wg sync.WaitGroup
	for i, c := range list {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			began := time.Now()
			answers[i] = asked{w.ask(t, c.trial, header...), began}
		})
	}
	wg.Wait()
	return answers
}

// A caller's own limit also ends the upstream's call, and the caller gets an error.
func TestDeadlinesReachTheUpstream(t *testing.T) { // not in parallel: it looks at the goroutines
	eachProto(t, deadlines)
}

func deadlines(t *testing.T, proto int) {
	list := bounded(phases())
	w := newWaiting(t, proto, list)
	w.rests(t)
	var last slowest
	// How long it takes to reach a phase can only be guessed: where the limit was too short a longer one is tried.
	for limit := 400 * time.Millisecond; len(list) > 0; limit *= 3 {
		if limit > patience {
			t.Fatalf("the phase of %v is never reached", list)
		}
		answers := w.together(t, list, "X-Request-Timeout", limit.String())
		var again []waiting
		for i, c := range list {
			a := answers[i]
			there := true
			w.each(c, func(c waiting) { there = there && w.reached(w.upstream(c).Served(), c) })
			if !there || c.content && a.status != 200 {
				again = append(again, c)
				continue
			}
			t.Run(c.String(), func(t *testing.T) {
				timedOut(t, c, a.answer)
				w.each(c, func(c waiting) { last.note(w.abandoned(t, c).Ended.Sub(a.began)-limit, c.String()) })
				w.untouched(t, c)
				w.vacant(t, c)
			})
		}
		list = again
	}
	t.Logf("the upstream knew %v after the deadline at most: %s", last.took, last.what)
	w.rests(t)
}

// timedOut checks what a caller gets when its time is up.
func timedOut(t *testing.T, c waiting, a answer) {
	t.Helper()
	if !c.content {
		if a.status != 504 || a.code() != "timeout" || a.err != nil {
			t.Errorf("%d %s %v", a.status, a.body, a.err)
		}
		return
	}
	if h := hear(t, c.trial, a); a.status != 200 || h.failed != "timeout" || h.text == "" || h.finish || h.done || len(h.ids) != 1 {
		t.Errorf("%d %+v: %.2000s", a.status, h, a.body)
	}
}
