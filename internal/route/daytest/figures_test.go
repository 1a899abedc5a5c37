package daytest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/route"
)

// figures are what a run comes to in a part of the day. The poisonous prompts count in none but poisoned.
type figures struct {
	requests, failed, gaveUp int
	attempts, wasted         int
	onFirst                  int // attempts at the first provider
	begunOnFirst             int // requests whose first attempt was there
	firsts                   []time.Duration
	prompt, cached           int // tokens of what was answered
	cost                     int64
	poisoned                 int // the most targets that one poisonous prompt reached
}

// during sums up the requests that came from then on until then.
func (r *run) during(from, to time.Duration) *figures {
	f := new(figures)
	first, _ := slices.BinarySearchFunc(r.stories, from, func(s *story, at time.Duration) int { return int(s.at - at) })
	for _, s := range r.stories[first:] {
		switch {
		case s.at >= to:
			slices.Sort(f.firsts)
			return f
		case s.poison:
			f.poisoned = max(f.poisoned, s.reached())
		default:
			f.add(s)
		}
	}
	slices.Sort(f.firsts)
	return f
}

// reached is how many providers a poisonous prompt broke down.
func (s *story) reached() int {
	n := 0
	for _, a := range s.attempts {
		if a.outcome == route.Failed {
			n++
		}
	}
	return n
}

func (f *figures) add(s *story) {
	f.requests++
	f.attempts += len(s.attempts)
	for i, a := range s.attempts {
		if a.outcome != route.Answered {
			f.wasted++
		}
		if a.provider == 0 {
			f.onFirst++
			if i == 0 {
				f.begunOnFirst++
			}
		}
	}
	switch {
	case s.answered:
		f.firsts = append(f.firsts, s.first)
		f.prompt += s.ask.Prompt
		f.cached += s.cached
		f.cost += s.cost
	case s.gaveUp:
		f.gaveUp++
	default:
		f.failed++
	}
}

// errors are those that callers see, who lost patience included.
func (f *figures) errors() int { return f.failed + f.gaveUp }

func (f *figures) errorRate() float64 { return share(f.errors(), f.requests) }

func (f *figures) perRequest() float64 { return share(f.attempts, f.requests) }

func (f *figures) wastedRate() float64 { return share(f.wasted, f.requests) }

func (f *figures) cacheHits() float64 { return share(f.cached, f.prompt) }

func (f *figures) firstRate() float64 { return share(f.begunOnFirst, f.requests) }

func share(part, whole int) float64 { return float64(part) / float64(max(whole, 1)) }

// within is the time to the first content, in seconds, that a share of the answers did not exceed.
func (f *figures) within(share float64) float64 {
	if len(f.firsts) == 0 {
		return 0
	}
	return f.firsts[min(int(share*float64(len(f.firsts))), len(f.firsts)-1)].Seconds()
}

func (r *run) in(i incident) *figures { return r.during(i.from, i.to) }

// tables are the figures as Markdown.
func tables(runs []*run) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d requests, seed %d.\n", runs[0].sum.requests, *seed)
	head(&b, "the whole day", "errors", "", "p50, s", "p99, s", "cost, $", "from a cache", "attempts per request")
	for _, r := range runs {
		f := r.sum
		fmt.Fprintf(&b, "| %s | %d | %.2f %% | %.2f | %.2f | %.0f | %.0f %% | %.3f |\n",
			r.name, f.errors(), 100*f.errorRate(), f.within(0.5), f.within(0.99), float64(f.cost)/1e12, 100*f.cacheHits(), f.perRequest())
	}
	var names []string
	for _, i := range incidents {
		names = append(names, i.name)
	}
	head(&b, "errors", names...)
	for _, r := range runs {
		fmt.Fprintf(&b, "| %s |", r.name)
		for _, i := range incidents {
			fmt.Fprintf(&b, " %d |", r.in(i).errors())
		}
		b.WriteString("\n")
	}
	head(&b, "at the provider that is ill", "brown-out: attempts per request", "outage: known after, s", "calls", "p99, s", "slow: requests that begin there", "p50, s", "p99, s", "quota: attempts per request")
	for _, r := range runs {
		out, brown, slow, poor := r.in(outage), r.in(brownOut), r.in(slowness), r.in(quota)
		known := "never"
		if r.known > 0 {
			known = fmt.Sprintf("%.0f", (r.known - outage.from).Seconds())
		}
		fmt.Fprintf(&b, "| %s | %.3f | %s | %d | %.1f | %.0f %% | %.2f | %.2f | %.3f |\n",
			r.name, brown.perRequest(), known, out.onFirst, out.within(0.99), 100*slow.firstRate(), slow.within(0.5), slow.within(0.99), poor.perRequest())
	}
	return b.String()
}

func head(b *strings.Builder, first string, columns ...string) {
	fmt.Fprintf(b, "\n| %s | %s |\n|---|%s\n", first, strings.Join(columns, " | "), strings.Repeat("--:|", len(columns)))
}
