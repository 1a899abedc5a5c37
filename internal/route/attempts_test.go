package route

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/llm"
)

// script is what becomes of each call: by target, the outcomes in turn, the last for good.
type script map[string][]Outcome

// walk makes the attempts of one request at now, and lists them as "target outcome".
func (s script) walk(b *Board, m *Model, now time.Time) (told []string, a *Attempts) {
	return s.walkFor(b, m, 0, now)
}

// walkFor does so where targets ask to be left alone for a while.
func (s script) walkFor(b *Board, m *Model, wait time.Duration, now time.Time) (told []string, a *Attempts) {
	a = new(Attempts)
	a.Begin(Route{Model: m, Targets: m.Targets, Board: b}, &Ask{Caller: 1, Seed: 1}, now)
	for try, ok := a.Next(now); ok; try, ok = a.Next(now) {
		name := try.Target.String()
		if try.Target.Credentials > 1 {
			name += fmt.Sprintf("#%d", try.Credential)
		}
		outcomes := s[name]
		outcome := outcomes[0]
		if len(outcomes) > 1 {
			s[name] = outcomes[1:]
		}
		a.Ended(try, outcome, wait, now)
		told = append(told, name+" "+outcome.String())
	}
	return told, a
}

func inOrder(targets ...string) *Model {
	m := &Model{Name: "m", MaxAttempts: 10, Repeats: 0.1}
	for _, t := range targets {
		provider, model, _ := strings.Cut(t, "/")
		m.Targets = append(m.Targets, Target{Provider: provider, Model: model})
	}
	return m
}

func TestAttempts(t *testing.T) {
	t.Parallel()
	keys := inOrder("a/x", "b/y")
	keys.Targets[0].Credentials = 2
	few := inOrder("a/x", "b/y", "c/z")
	few.MaxAttempts = 2
	falling := func(on Causes) *Model {
		m := inOrder("a/x")
		m.Fallbacks = []Fallback{{On: on, To: []*Model{inOrder("b/y")}}}
		return m
	}
	common, same := inOrder("a/x"), inOrder("a/x")
	common.Fallbacks = []Fallback{{On: OnError, To: []*Model{inOrder("a/x", "b/y", "c/z")}}}
	same.Fallbacks = []Fallback{{On: OnError, To: []*Model{inOrder("a/x"), inOrder("b/y")}}}
	for _, tt := range []struct {
		name   string
		model  *Model
		script script
		want   string
	}{
		{"the first answers", inOrder("a/x", "b/y"), script{"a/x": {Answered}}, "a/x ok"},
		{"the next does", inOrder("a/x", "b/y"), script{"a/x": {Failed}, "b/y": {Answered}}, "a/x failed, b/y ok"},
		{"each once", inOrder("a/x", "b/y"), script{"a/x": {TimedOut}, "b/y": {RateLimited}}, "a/x timeout, b/y rate_limited"},
		{"nobody is asked again who refuses the request", inOrder("a/x", "b/y"), script{"a/x": {Refused}}, "a/x refused"},
		{
			"what could not be reached is tried once more, last", inOrder("a/x", "b/y"),
			script{"a/x": {Unreachable, Unreachable}, "b/y": {Overloaded}},
			"a/x unreachable, b/y overloaded, a/x unreachable",
		},
		{"the other credential", keys, script{"a/x#0": {RateLimited}, "a/x#1": {BadCredential}, "b/y": {Answered}}, "a/x#0 rate_limited, a/x#1 credential, b/y ok"},
		{"a fresh credential", inOrder("a/x", "b/y"), script{"a/x": {StaleCredential, Answered}}, "a/x stale_credential, a/x ok"},
		{
			"one fresh credential", inOrder("a/x", "b/y"),
			script{"a/x": {StaleCredential}, "b/y": {StaleCredential, Answered}},
			"a/x stale_credential, a/x stale_credential, b/y stale_credential, b/y ok",
		},
		{"no more than allowed", few, script{"a/x": {Malformed}, "b/y": {Malformed}}, "a/x malformed, b/y malformed"},
		{
			"what two broke down over goes to no third", inOrder("a/x", "b/y", "c/z"),
			script{"a/x": {Failed}, "b/y": {Failed}},
			"a/x failed, b/y failed",
		},
		{"being busy is not breaking down", inOrder("a/x", "b/y", "c/z"), script{"a/x": {Overloaded}, "b/y": {Overloaded}, "c/z": {Answered}}, "a/x overloaded, b/y overloaded, c/z ok"},
		{"another model", falling(OnError), script{"a/x": {Failed}, "b/y": {Answered}}, "a/x failed, b/y ok"},
		{"a target of both models is tried once", common, script{"a/x": {Failed}, "b/y": {Answered}}, "a/x failed, b/y ok"},
		{"and breaks down once", common, script{"a/x": {Failed}, "b/y": {Failed}}, "a/x failed, b/y failed"},
		{"a model of nothing else is passed over", same, script{"a/x": {Overloaded}, "b/y": {Answered}}, "a/x overloaded, b/y ok"},
		{"not for that cause", falling(OnRateLimit), script{"a/x": {Failed}}, "a/x failed"},
		{"a long prompt goes elsewhere", falling(OnContext), script{"a/x": {TooLong}, "b/y": {Answered}}, "a/x too_long, b/y ok"},
		{"what is forbidden stays so", falling(OnError), script{"a/x": {Moderated}}, "a/x moderated"},
		{"unless the operator says where it is allowed", falling(OnContentFilter), script{"a/x": {Moderated}, "b/y": {Answered}}, "a/x moderated, b/y ok"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			told, _ := tt.script.walk(NewBoard(), tt.model, time.Unix(1000, 0))
			if got := strings.Join(told, ", "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// A credential whose place a fresh one has taken is not parked; if that one is refused as well, it is.
func TestFreshCredential(t *testing.T) {
	t.Parallel()
	b, m, now := NewBoard(), inOrder("a/x", "b/y"), time.Unix(1000, 0)
	for _, tt := range []struct {
		script script
		want   string
	}{
		{script{"a/x": {StaleCredential, Answered}}, "a/x stale_credential, a/x ok"},
		{script{"a/x": {StaleCredential, StaleCredential}, "b/y": {Answered}}, "a/x stale_credential, a/x stale_credential, b/y ok"},
		{script{"a/x": {Answered}, "b/y": {Answered}}, "a/x ok"}, // one request a second tries it
		{script{"a/x": {StaleCredential, BadCredential}, "b/y": {Answered}}, "a/x stale_credential, a/x credential, b/y ok"},
		{script{"a/x": {BadCredential}, "b/y": {Answered}}, "a/x credential, b/y ok"}, // it was answered since the last such try
		{script{"b/y": {Answered}}, "b/y ok"},
	} {
		told, _ := tt.script.walk(b, m, now)
		if got := strings.Join(told, ", "); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

// If all credentials of a provider are at their limit, it is asked after the others. However many credentials there are, no request
// fails for that while another target is healthy.
func TestLimitsOfManyCredentials(t *testing.T) {
	t.Parallel()
	spared, falling, lone := inOrder("a/x", "b/y"), inOrder("a/x"), inOrder("a/x")
	falling.Fallbacks = []Fallback{{On: OnRateLimit, To: []*Model{inOrder("b/y")}}}
	for _, tt := range []struct {
		name  string
		model *Model
		want  []string
	}{
		{"another target", spared, []string{"a/x#0 rate_limited, a/x#1 rate_limited, b/y ok", "a/x#2 rate_limited, a/x#0 rate_limited, b/y ok", "b/y ok", "b/y ok"}},
		{"another model", falling, []string{"a/x#0 rate_limited, a/x#1 rate_limited, b/y ok", "a/x#2 rate_limited, a/x#0 rate_limited, b/y ok"}},
		{"alone", lone, []string{"a/x#0 rate_limited, a/x#1 rate_limited, a/x#2 rate_limited"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b, now := NewBoard(), time.Unix(1000, 0)
			tt.model.MaxAttempts, tt.model.Targets[0].Credentials = 3, 3
			limited := script{"a/x#0": {RateLimited}, "a/x#1": {RateLimited}, "a/x#2": {RateLimited}, "b/y": {Answered}}
			for i, want := range tt.want {
				told, _ := limited.walkFor(b, tt.model, 20*time.Second, now.Add(time.Duration(i)*time.Second))
				if got := strings.Join(told, ", "); got != want {
					t.Errorf("request %d: %s\nwant %s", i+1, got, want)
				}
			}
			well := script{"a/x#0": {Answered}, "a/x#1": {Answered}, "a/x#2": {Answered}}
			if told, _ := well.walk(b, tt.model, now.Add(time.Minute)); len(told) != 1 || !strings.HasPrefix(told[0], "a/x") {
				t.Errorf("when the limits are over: %v", told)
			}
		})
	}
}

// A rate-limited target that does not say for how long is tried after the others for a while. The limited key does so, and all keys
// do when most are limited.
func TestLimitsOfWhichNothingIsSaid(t *testing.T) {
	t.Parallel()
	for _, credentials := range []int{1, 2} {
		b, m, now := NewBoard(), inOrder("a/x", "b/y"), time.Unix(1000, 0)
		m.Targets[0].Credentials = credentials
		limits := true
		ask := func(caller uint64, want string, after time.Duration) {
			t.Helper()
			now := now.Add(after)
			a := new(Attempts)
			a.Begin(Route{Model: m, Targets: m.Targets, Board: b}, &Ask{Caller: caller}, now)
			try, _ := a.Next(now)
			for next, ok := try, true; ok; next, ok = a.Next(now) {
				outcome := Answered
				if next.Target.Provider == "a" && limits {
					outcome = RateLimited
				}
				a.Ended(next, outcome, 0, now)
			}
			if got := try.Target.String(); got != want {
				t.Errorf("%d credentials, key %d, after %v: %s comes first, not %s", credentials, caller, after, got, want)
			}
		}
		limits = false
		ask(7, "a/x", 0)
		ask(8, "a/x", 0)
		limits = true
		for range enoughOfOne {
			ask(1, "a/x", 0)
			b.Credentials("a", credentials).release() // the limits of credentials are another test's
		}
		ask(1, "b/y", 0)
		limits = false
		ask(7, "a/x", 0) // it may be due to what the one asks for
		limits = true
		ask(2, "a/x", 0)
		ask(3, "b/y", usualRest-1)
		limits = false
		ask(7, "b/y", usualRest-1)
		ask(7, "a/x", usualRest)
	}
}

// If no other credential exists, no repeat is made, and its share stays for requests that need one.
func TestRepeatsThatAreNotMade(t *testing.T) {
	t.Parallel()
	b, m, now := NewBoard(), inOrder("a/x", "b/y"), time.Unix(1000, 0)
	m.Targets[0].Credentials = 2
	b.Credentials("a", 2).Refused(1, 1, now)
	b.Credentials("a", 2).Refused(1, 2, now)
	limited := script{"a/x#0": {RateLimited}, "b/y": {Answered}}
	for range 50 {
		if told, _ := limited.walk(b, m, now); !slices.Equal(told, []string{"a/x#0 rate_limited", "b/y ok"}) {
			t.Fatal(told)
		}
		b.Health("a", "x").breaker.keys.find(1).limits = 0 // so that it is not tried after the other
	}
	told, _ := script{"a/x#0": {Unreachable}, "b/y": {Overloaded}}.walk(b, m, now)
	if want := []string{"a/x#0 unreachable", "b/y overloaded", "a/x#0 unreachable"}; !slices.Equal(told, want) {
		t.Errorf("%q, not %q", told, want)
	}
}

// What cannot be used now is reported as skipped, though no attempt was needed.
func TestParkedTargetIsTold(t *testing.T) {
	t.Parallel()
	b, m, now := NewBoard(), inOrder("a/x", "b/y"), time.Unix(1000, 0)
	s := script{"a/x": {BadCredential}, "b/y": {Answered}}
	for i, want := range []string{"a/x , b/y ", "a/x , b/y ", "b/y , a/x no_credential"} { // the second is the one of this second
		if _, a := s.walk(b, m, now); reasons(a) != want {
			t.Errorf("request %d: %s", i+1, reasons(a))
		}
	}
}

// While all credentials are parked, each is tried at most once for one request.
func TestHopeIsTriedOnce(t *testing.T) {
	t.Parallel()
	b, m, now := NewBoard(), inOrder("a/x"), time.Unix(1000, 0)
	m.Targets[0].Credentials = 2
	refused := script{"a/x#0": {BadCredential}, "a/x#1": {BadCredential}}
	refused.walk(b, m, now)
	var a Attempts
	a.Begin(Route{Model: m, Targets: m.Targets, Board: b}, &Ask{Caller: 1}, now)
	tried := map[int]int{}
	for try, ok := a.Next(now); ok; try, ok = a.Next(now) {
		tried[try.Credential]++
		now = now.Add(2 * time.Second) // a refusal that takes its time
		a.Ended(try, BadCredential, 0, now)
	}
	if len(tried) != 2 || tried[0] != 1 || tried[1] != 1 {
		t.Errorf("tried so often: %v", tried)
	}
}

func TestAttemptsSkipWhatIsDown(t *testing.T) {
	t.Parallel()
	b, now := NewBoard(), time.Unix(1000, 0)
	m := inOrder("a/x", "b/y")
	for range enoughOfOne {
		script{"a/x": {Failed}, "b/y": {Answered}}.walk(b, m, now)
	}
	told, a := script{"b/y": {Answered}}.walk(b, m, now)
	if !slices.Equal(told, []string{"b/y ok"}) {
		t.Fatal(told)
	}
	if _, down := a.Down(now); down { // b/y was well, so the other was not looked at
		t.Error("a target is skipped that would have come later")
	}
	lone := inOrder("a/x")
	told, a = script{}.walk(b, lone, now)
	wait, down := a.Down(now)
	if len(told) > 0 || !down || wait != time.Second || a.Steps()[0].Skip != TargetDown {
		t.Fatal(told, wait, down, a.Steps()[0].Skip)
	}
	told, _ = script{"a/x": {Answered}}.walk(b, lone, now.Add(wait))
	if !slices.Equal(told, []string{"a/x ok"}) {
		t.Fatal(told)
	}
}

// A target that was down may be well again and be killed by the prompt. But two that are down in a row say nothing of it.
func TestPoisonAndProbes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		down   []string
		script script
		want   []string
	}{
		{"the second was down", []string{"b/y"}, script{"a/x": {Failed}, "b/y": {Failed}}, []string{"a/x failed", "b/y failed"}},
		{"the first was down", []string{"a/x"}, script{"a/x": {Failed}, "b/y": {Failed}}, []string{"a/x failed", "b/y failed"}},
		{"both were down", []string{"a/x", "b/y"}, script{"a/x": {Failed}, "b/y": {Failed}, "c/z": {Answered}}, []string{"a/x failed", "b/y failed", "c/z ok"}},
	} {
		b, now := NewBoard(), time.Unix(1000, 0)
		for _, target := range tt.down {
			for range enoughOfOne {
				script{target: {Failed}}.walk(b, inOrder(target), now)
			}
		}
		told, _ := tt.script.walk(b, inOrder("a/x", "b/y", "c/z"), now.Add(time.Second))
		if !slices.Equal(told, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, told, tt.want)
		}
	}
}

// At an upstream that fails for all keys, attempts are at most 1.1 times the requests, beyond the few that are free.
func TestAttemptsDoNotMultiplyLoad(t *testing.T) {
	t.Parallel()
	b, now := NewBoard(), time.Unix(1000, 0)
	m := inOrder("a/x")
	attempts := 0
	const requests = 5000
	for i := range requests {
		told, _ := script{"a/x": {Unreachable}}.walk(b, m, now.Add(time.Duration(i)*2*time.Millisecond))
		attempts += len(told)
	}
	if attempts > requests*11/10 || attempts == 0 {
		t.Errorf("%d attempts for %d requests", attempts, requests)
	}
}

// Whatever happens, attempts end and are no more than allowed. An attempt is repeated only if nothing was sent or the credential is
// fresh. At the end no attempt is in flight.
func TestAttemptsEnd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b, now := NewBoard(), time.Unix(1000, 0)
		m := inOrder("a/x", "b/y", "a/z")
		m.MaxAttempts = rapid.IntRange(1, 6).Draw(t, "most")
		m.Targets[0].Credentials = rapid.IntRange(1, 3).Draw(t, "credentials")
		m.Fallbacks = []Fallback{{On: Causes(rapid.IntRange(0, 15).Draw(t, "on")), To: []*Model{inOrder("c/w"), inOrder("a/x")}}}
		for range rapid.IntRange(1, 20).Draw(t, "requests") {
			now = now.Add(time.Duration(rapid.IntRange(0, 3000).Draw(t, "pause")) * time.Millisecond)
			var a Attempts
			a.Begin(Route{Model: m, Targets: m.Targets, Board: b}, &Ask{Caller: 1}, now)
			made, tried := 0, map[string]Outcome{}
			for try, ok := a.Next(now); ok; try, ok = a.Next(now) {
				if made++; made > m.MaxAttempts {
					t.Fatalf("%d attempts", made)
				}
				name := fmt.Sprintf("%s#%d", try.Target, try.Credential)
				if o, ok := tried[name]; ok && o != Unreachable && o != StaleCredential && o != Skipped {
					t.Fatalf("%s was %s and is tried again", name, o)
				}
				if try.Wait < 0 || try.Wait > mostWait {
					t.Fatal(try.Wait)
				}
				o := Outcome(rapid.IntRange(int(Answered), int(Lost)).Draw(t, "outcome"))
				if o == Skipped {
					made--
				}
				tried[name] = o
				a.Ended(try, o, 0, now)
			}
		}
		for _, name := range []string{"x", "z"} {
			if n := b.Health("a", name).InFlight(); n != 0 {
				t.Fatalf("%d in flight", n)
			}
		}
	})
}

func BenchmarkAttempts(b *testing.B) {
	for _, n := range []int{1, 4, 20} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m := inOrder()
			for i := range n {
				m.Targets = append(m.Targets, Target{Provider: fmt.Sprint("p", i), Model: "m"})
			}
			now, ask := time.Now(), &Ask{Caller: 1}
			r := resolve(m)
			b.ReportAllocs()
			for b.Loop() {
				var a Attempts
				a.Begin(r, ask, now)
				try, _ := a.Next(now)
				a.Ended(try, Answered, 0, now)
			}
		})
	}
}

// A 503 may come from a machine before the one that looks at credentials: it does not show that one is good.
func TestOverloadReleasesNoCredential(t *testing.T) {
	t.Parallel()
	b, m := NewBoard(), inOrder("a/x")
	s := script{"a/x": {BadCredential, Overloaded, Answered}}
	for i, want := range []bool{true, true, false} { // the second is the one that may try it in this second
		if told, _ := s.walk(b, m, start); len(told) > 0 != want {
			t.Errorf("request %d: %v", i+1, told)
		}
	}
}

// When all that were asked want to be left alone, it matters who was not asked, and when he may be.
func TestUntried(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	limited := script{"a/x": {RateLimited}, "b/y": {RateLimited}}
	few := inOrder("a/x", "b/y", "c/z")
	few.MaxAttempts = 2
	lacking := inOrder("a/x", "c/z")
	lacking.Targets[1].Facts.Lacks = llm.TakesImages
	for _, tt := range []struct {
		name string
		m    *Model
		do   func(*Health)
		want time.Duration // -1 if no wait is expected
	}{
		{"all were asked", inOrder("a/x", "b/y"), nil, -1},
		{"one is beyond the attempts", few, nil, 0},
		{"and wants to be left alone", few, func(h *Health) { h.restUntil(start, now.Add(9*time.Second), Pass{}) }, 9 * time.Second},
		{"one is down", inOrder("a/x", "b/y", "c/z"), func(h *Health) {
			for i := range uint64(10) {
				_, pass := h.Begin(now, i%5, true)
				h.End(now, Failed, pass)
			}
		}, firstPause},
		{"one cannot serve the request", lacking, nil, -1},
	} {
		b := NewBoard()
		if tt.do != nil {
			tt.do(b.Health("c", "z"))
		}
		a := new(Attempts)
		a.Begin(Route{Model: tt.m, Targets: tt.m.Targets, Board: b}, &Ask{Profile: llm.Profile{Needs: llm.TakesImages}, Caller: 1, Seed: 1}, now)
		for try, ok := a.Next(now); ok; try, ok = a.Next(now) {
			a.Ended(try, limited[try.Target.String()][0], time.Minute, now)
		}
		if wait, ok := a.Untried(now); ok != (tt.want >= 0) || ok && wait != tt.want {
			t.Errorf("%s: %v, %v", tt.name, wait, ok)
		}
	}
}

// A model to fall back on is tried also at a provider that was asked already, for another model.
func TestFallbackAtTheSameProvider(t *testing.T) {
	t.Parallel()
	m := inOrder("a/x")
	m.Fallbacks = []Fallback{{On: OnError, To: []*Model{inOrder("a/x", "a/y")}}}
	told, a := script{"a/x": {Failed}, "a/y": {Answered}}.walk(NewBoard(), m, start)
	if want := []string{"a/x failed", "a/y ok"}; !slices.Equal(told, want) {
		t.Errorf("%v, want %v", told, want)
	}
	if a.Skipped(NoCredential) || a.Skipped(Full) || !a.Skipped(NotSkipped) {
		t.Errorf("%+v", a.Steps())
	}
}

// What is tried once more waits for a while drawn by lot, which may be twice as long each time, up to two seconds.
func TestPausesAreDrawn(t *testing.T) {
	t.Parallel()
	for waits, most := range []time.Duration{firstWait, 2 * firstWait, 4 * firstWait, 8 * firstWait, 16 * firstWait, mostWait, mostWait, mostWait, mostWait, mostWait, mostWait} {
		sum, longest := time.Duration(0), time.Duration(0)
		const n = 2000
		for seed := range uint64(n) {
			a := &Attempts{ask: &Ask{Seed: seed * 7919}, waits: waits}
			d := a.pause()
			if d < 0 || d >= most || a.waits != waits+1 {
				t.Fatalf("pause %d is %v of %v", waits, d, most)
			}
			sum, longest = sum+d, max(longest, d)
		}
		if mean := sum / n; mean < most*45/100 || mean > most*55/100 || longest < most*9/10 {
			t.Errorf("pause %d: %v on average and %v at most, of %v", waits, mean, longest, most)
		}
	}
}
