package budget

import (
	"fmt"
	"testing"
)

func TestHabits(t *testing.T) {
	t.Parallel()
	var s Seen
	if h := s.Habit("k", "m"); h != (Habit{}) {
		t.Errorf("at first there is %+v", h)
	}
	prompt := &Prompt{Bytes: 416, Estimate: 100}
	note := func(key string, output int64) {
		s.Began(key, "m")
		s.Ended(key, "m", &Call{Target: TargetName{"p", "x"}, Prompt: prompt, Answers: 1, Input: 150, Output: output})
	}
	for i := range int64(fewest) {
		if h := s.Habit("k", "m"); h != (Habit{}) {
			t.Fatalf("after %d calls there is %+v", i, h)
		}
		note("k", 100*(i+1))
	}
	if h, want := s.Habit("k", "m"), (Habit{Output: 1900, Told: 3000, Reckoned: 2000}); h != want {
		t.Errorf("%+v, want %+v", h, want)
	}
	for range 80 {
		note("other", 7)
	}
	if h := s.Habit("k", "m"); h.Output != 1900 {
		t.Errorf("the key's own answers: %d", h.Output)
	}
	if h := s.Habit("new", "m"); h.Output != 7 {
		t.Errorf("the last answers of the model: %d", h.Output)
	}
}

// Of calls that begin at once, the short ones end first. They do not make it seem that all are short.
func TestRunningCallsCountAsLong(t *testing.T) {
	t.Parallel()
	var s Seen
	for range 100 {
		s.Began("k", "m")
	}
	usual := func(want int64) {
		t.Helper()
		if h := s.Habit("k", "m"); h.Output != want {
			t.Errorf("usual is %d, want %d", h.Output, want)
		}
	}
	end := func(calls int, output int64) {
		for range calls {
			s.Ended("k", "m", &Call{Prompt: &Prompt{}, Answers: 1, Output: output})
		}
	}
	end(19, 10)
	usual(0)
	end(41, 10)
	usual(unknownOutput)
	end(1, 900)
	usual(900)
	for range 37 {
		s.Ended("k", "m", nil) // they did not come to their end
	}
	usual(10) // two run, and 61 are known
	end(1, 10)
	s.Ended("k", "m", nil)
	s.Ended("k", "m", nil) // one more than began
	usual(10)
}

func TestSeveralAnswers(t *testing.T) {
	t.Parallel()
	var s Seen
	for range fewest {
		s.Ended("k", "m", &Call{Prompt: &Prompt{}, Answers: 3, Output: 100})
	}
	if h := s.Habit("k", "m"); h.Output != 34 || h.Reckoned != 0 {
		t.Errorf("%+v", h)
	}
}

func TestAdded(t *testing.T) {
	t.Parallel()
	var s Seen
	target := TargetName{"p", "x"}
	for _, c := range []struct {
		input  int64
		opaque bool
		want   int64
	}{{100, false, 0}, {117, false, 1}, {116 + 900, false, 900}, {500, false, 900}, {1e6, true, 900}} {
		s.Ended("k", "m", &Call{Target: target, Prompt: &Prompt{Bytes: 116, Opaque: c.opaque}, Answers: 1, Input: c.input})
		if got := s.Added(target); got != c.want {
			t.Errorf("after %d tokens: %d added, want %d", c.input, got, c.want)
		}
	}
}

// Many keys, models and targets, and prompts of any length, do not make what is remembered grow.
func TestSeenIsBounded(t *testing.T) {
	t.Parallel()
	var s Seen
	for i := range int64(3 * maxPairs) {
		name := fmt.Sprint(i)
		s.Began(name, name)
		s.Ended(name, name, &Call{Target: TargetName{name, name}, Prompt: &Prompt{Estimate: 1 << 40}, Answers: 1, Input: 1 << 40, Output: 1 << 50})
		s.Ended("k", "m", &Call{Prompt: &Prompt{Estimate: 1 << 21}, Answers: 1, Input: 1 << 20})
	}
	if len(s.pairs) > maxPairs || len(s.models) > maxModels || len(s.targets) > maxTargets {
		t.Errorf("%d pairs, %d models, %d targets", len(s.pairs), len(s.models), len(s.targets))
	}
	if m := s.models["m"]; m != nil && (m.told > remembered || m.reckoned > remembered) {
		t.Errorf("%d and %d tokens of prompts", m.told, m.reckoned)
	}
}
