package usual

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Nine answers in ten are as long as one another, the others are longer: what is usual lies between them, and follows what changes.
func TestMost(t *testing.T) {
	t.Parallel()
	var a Answers
	for range fewest - 1 {
		a.Ended(10, 1)
	}
	if n := a.Most(); n != 0 {
		t.Errorf("%d before enough are known", n)
	}
	rapid.Check(t, func(rt *rapid.T) {
		var a Answers
		length := rapid.Int64Range(1, math.MaxUint32).Draw(rt, "length")
		for i := range int64(200) {
			if i%32 == 0 {
				a.Ended(math.MaxInt64, 1)
			} else {
				a.Ended(length*(1+i%3), 1+i%3)
			}
		}
		if n := a.Most(); n != length {
			rt.Errorf("%d, of %d", n, length)
		}
		for range len(a.last) { // what is long ago is forgotten
			a.Ended(7, 0)
		}
		if n := a.Most(); n != 7 {
			rt.Errorf("%d", n)
		}
	})
}

// The lengths are in order, whatever comes and goes.
func TestSorted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var a Answers
		for range rapid.IntRange(0, 200).Draw(rt, "answers") {
			a.Ended(rapid.Int64Range(1, 20).Draw(rt, "tokens"), 1)
			want := a.last
			slices.Sort(want[:a.known()])
			if a.sorted != want {
				rt.Fatalf("%v, want %v", a.sorted, want)
			}
		}
	})
}

func TestRequest(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ prompt, usual, most, answers, want int64 }{
		{10, 0, 0, 0, 1034},
		{10, 0, 50, 0, 60},
		{10, 30, 50, 2, 70},
		{10, 30, 20, 3, 70},
	} {
		if got := Request(tt.prompt, tt.usual, tt.most, tt.answers); got != tt.want {
			t.Errorf("%+v: %d", tt, got)
		}
	}
}
