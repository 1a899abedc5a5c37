package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/sim"
)

// racingCuts are races in which one of the two upstreams breaks off after or within each of its events: the one that leads, or
// the other.
func racingCuts(kind string, ends []int) []trial {
	begin := 0
	var list []trial
	for n, end := range ends {
		for _, rule := range []sim.Rule{{Reset: new(sim.Point(n))}, {Cut: new(n)}, {Truncate: new((begin + end) / 2)}} {
			what := fmt.Sprintf("reset after %d events", n)
			switch {
			case rule.Cut != nil:
				what = fmt.Sprintf("ended after %d events", n)
			case rule.Truncate != nil:
				what = fmt.Sprintf("closed in the middle of event %d", n)
			}
			for _, second := range []bool{false, true} {
				for _, leads := range []bool{false, true} {
					const soon, late = sim.Duration(10 * time.Millisecond), sim.Duration(30 * time.Millisecond)
					broken, other, place := rule, sim.Rule{Latency: soon}, "behind"
					if broken.Latency = late; leads {
						broken.Latency, other.Latency, place = soon, late, "in front"
					}
					c := trial{kind: kind, stream: true, hedge: atOnce, what: "the first, " + place + ", " + what, first: broken, second: &other}
					if second {
						c.what, c.first, c.second = "the second, "+place+", "+what, other, &broken
					}
					list = append(list, c)
				}
			}
		}
		begin = end
	}
	return list
}

// Wherever one of two racing upstreams breaks off, the caller has the whole answer of one of them, or the beginning of the
// broken one's and then an error. It never has parts of both, and nothing comes twice.
func TestRacesAreNeverSpliced(t *testing.T) { // not in parallel: it looks at the goroutines
	known := learn(t)
	eachProto(t, func(t *testing.T, proto int) {
		var trials []trial
		for _, kind := range kinds {
			trials = append(trials, racingCuts(kind, known[kind].ends)...)
		}
		w := newTorture(t, proto, trials)
		var mu sync.Mutex // guards ends
		ends := map[string]int{}
		t.Run("trials", func(t *testing.T) {
			for _, c := range trials {
				t.Run(c.String(), func(t *testing.T) {
					t.Parallel()
					end := w.oneOfTwo(t, c, known[c.kind].text)
					mu.Lock()
					defer mu.Unlock()
					ends[c.kind+" "+end]++
				})
			}
		})
		w.rests(t)
		if raced := len(w.second.Served()); raced < len(trials)/2 {
			t.Errorf("of %d streams %d were asked for twice", len(trials), raced)
		}
		t.Logf("%d trials: %v", len(trials), ends)
		for _, kind := range kinds {
			if ends[kind+" "+byFirst] == 0 || ends[kind+" "+bySecond] == 0 || ends[kind+" "+cutOff] == 0 {
				t.Errorf("%s: not every end was seen", kind)
			}
		}
	})
}

// oneOfTwo makes the call of a race, checks the answer and returns which end it had.
func (w *torture) oneOfTwo(t *testing.T, c trial, text string) (end string) {
	t.Helper()
	a := w.ask(t, c)
	h := hear(t, c, a)
	if t.Failed() || a.status != http.StatusOK || len(h.ids) != 1 {
		t.Fatalf("%d, ids %q: %s", a.status, h.ids, a.body)
	}
	name, _, _ := strings.Cut(a.header.Get("Weir-Provider"), "-")
	up, rule, end := w.first, &c.first, byFirst
	if name == secondName {
		up, rule, end = w.second, c.second, bySecond
	}
	want := strings.Replace(text, firstName, name, 1)
	if h.failed == "" {
		if h.text != want || !h.finish || !h.done {
			t.Errorf("%s did not answer wholly: %s", name, a.body)
		}
		return end
	}
	breaks := rule.Reset != nil || rule.Cut != nil || rule.Truncate != nil
	if !breaks || h.failed != "upstream_failed" || h.done || h.text == "" || !strings.HasPrefix(want, h.text) {
		t.Errorf("%s was told to break %v; told was %q behind %q:\n%s", name, breaks, h.failed, h.text, a.body)
	}
	calls := callsOf(up.Served(), c.model)
	if sent := calls[len(calls)-1].CompletionTokens; h.pieces > sent || h.pieces < sent-1 {
		t.Errorf("%d of %d pieces arrived: %s", h.pieces, sent, a.body)
	}
	return cutOff
}
