package limit_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/limit"
)

// clerk is a source that has a number of units and places of each limit, which do not come back by time.
type clerk struct {
	left     map[string]int64
	learned  int
	expected int
	silent   bool
}

func nameOf(w *limit.Want) string { return w.Of.String() + " " + w.ID + " " + w.What.String() }

func (c *clerk) of(w *limit.Want) int64 {
	if left, known := c.left[nameOf(w)]; known {
		return left
	}
	return w.Limit
}

// slip is what a clerk has granted.
type slip struct {
	clerk *clerk
	wants []limit.Want
}

func (c *clerk) Take(wants []limit.Want) (limit.Grant, limit.Lack) {
	for i := range wants {
		if w := &wants[i]; c.of(w) < min(w.Units, w.Limit) || c.silent && w.What == limit.Concurrent {
			return nil, limit.Lack{Of: i, Wait: 7 * time.Second, Unanswered: c.silent}
		}
	}
	for i := range wants {
		w := &wants[i]
		c.left[nameOf(w)] = c.of(w) - min(w.Units, w.Limit)
	}
	return slip{c, wants}, limit.Lack{}
}

func (s slip) Settle(used []int64) {
	for i := range s.wants {
		w := &s.wants[i]
		if w.What == limit.Concurrent {
			used[i] = 0
		}
		s.clerk.left[nameOf(w)] += min(w.Units, w.Limit) - used[i]
	}
}

func (c *clerk) Expect(wants []limit.Want) { c.expected += len(wants) }

func (c *clerk) Lacks(wants []limit.Want) time.Duration {
	for i := range wants {
		if w := &wants[i]; c.of(w) < min(w.Units, w.Limit) {
			return 7 * time.Second
		}
	}
	return 0
}

func (c *clerk) Left(want *limit.Want) (int64, time.Duration) { return c.of(want), time.Second }

func (c *clerk) Learn(_ context.Context, wants []limit.Want) { c.learned += len(wants) }

func (c *clerk) Weirs() int64 { return 2 }

// A table with a source takes all from that, and settles what was used: nothing, if the request never began.
func TestASourceCounts(t *testing.T) {
	t.Parallel()
	c := &clerk{left: map[string]int64{}}
	table := limit.NewShared(c)
	claims := limit.Claims{
		{ID: "k", Limits: limit.Limits{Requests: 2, Tokens: 1000, Concurrent: 5}},
		{},
		{ID: "m", Limits: limit.Limits{Concurrent: 1}},
	}
	remain := func() (left []int64) {
		for _, s := range table.States(nil, &claims, 0) {
			left = append(left, s.Remaining)
		}
		return left
	}
	for _, tt := range []struct {
		tokens int64
		begins bool
		used   int64
		during []int64
		after  []int64
	}{
		{300, false, 0, []int64{1, 700, 4, 0}, []int64{2, 1000, 5, 1}},
		{300, true, 40, []int64{1, 700, 4, 0}, []int64{1, 960, 5, 1}},
	} {
		var a, other limit.Admission
		if r, ok := table.Admit(&a, &claims, tt.tokens, 0); !ok {
			t.Fatalf("refused: %+v", r)
		}
		if diff := cmp.Diff(tt.during, remain()); diff != "" {
			t.Error(diff)
		}
		r, ok := table.Admit(&other, &claims, 1, 0)
		if want := (limit.Refusal{Of: limit.OfModel, What: limit.Concurrent, Limit: 1, Wait: 7 * time.Second}); ok || r != want {
			t.Errorf("another one: %v %+v", ok, r)
		}
		other.Settle(9, 0)
		if tt.begins {
			a.Begin(0)
		}
		a.Settle(tt.used, 0)
		a.Settle(tt.used, 0) // once is enough
		if diff := cmp.Diff(tt.after, remain()); diff != "" {
			t.Error(diff)
		}
	}
	if table.Expect(&claims); c.expected != 4 {
		t.Errorf("%d limits are expected to be used", c.expected)
	}
	if table.Learn(t.Context(), []limit.Claims{claims, {}}); c.learned != 4 {
		t.Errorf("%d limits are asked for", c.learned)
	}
	c.silent = true
	if r, ok := table.Admit(new(limit.Admission), &claims, 1, 0); ok || !r.Unanswered || r.Of != limit.OfKey || r.What != limit.Concurrent {
		t.Errorf("%v %+v", ok, r)
	}
}

// A quota with a source takes from that, and what an attempt used counts in the end, even if it is more or nothing.
func TestASourceCountsQuotas(t *testing.T) {
	t.Parallel()
	c := &clerk{left: map[string]int64{}}
	var q limit.Quota
	q.Share(c, "a/x")
	rates := limit.Rates{Requests: 3, Tokens: 100}
	for _, tt := range []struct{ calls, tokens, left, tokensLeft int64 }{{0, 0, 3, 100}, {2, 30, 1, 70}} {
		taken, ok := q.Take(rates, 60, 0)
		if !ok || q.Wait(rates, 60, 0) != 7*time.Second || q.Wait(rates, 10, 0) != 0 {
			t.Fatal(ok)
		}
		if _, ok := q.Take(rates, 60, 0); ok {
			t.Error("more than there is")
		}
		q.Settle(&taken, tt.calls, tt.tokens, 0)
		want := map[string]int64{"target a/x rpm": tt.left, "target a/x tpm": tt.tokensLeft}
		if diff := cmp.Diff(want, c.left); diff != "" || !q.Rests(0) {
			t.Error(diff)
		}
	}
}
