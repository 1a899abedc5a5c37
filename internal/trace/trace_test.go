package trace

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"
)

const (
	traceText = "4bf92f3577b34da6a3ce929d0e0e4736"
	spanText  = "00f067aa0ba902b7"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for header, valid := range map[string]bool{
		"00-" + traceText + "-" + spanText + "-01":                  true,
		"cc-" + traceText + "-" + spanText + "-01-more":             true,
		"cc-" + traceText + "-" + spanText + "-01":                  true,
		"cc-" + traceText + "-" + spanText + "-01more":              false,
		"00-" + traceText + "-" + spanText + "-01-more":             false,
		"ff-" + traceText + "-" + spanText + "-01":                  false,
		"0x-" + traceText + "-" + spanText + "-01":                  false,
		"00-" + strings.ToUpper(traceText) + "-" + spanText + "-01": false,
		"00-" + strings.Repeat("0", 32) + "-" + spanText + "-01":    false,
		"00-" + traceText + "-" + strings.Repeat("0", 16) + "-01":   false,
		"00-" + traceText + "-" + spanText:                          false,
		"00_" + traceText + "-" + spanText + "-01":                  false,
		"00-" + traceText + "_" + spanText + "-01":                  false,
		"00-" + traceText + "-" + spanText + "_01":                  false,
		"00-" + traceText + "-" + spanText + "-0g":                  false,
		"00-" + traceText + "-" + spanText + "-é":                   false,
		"": false,
	} {
		c, ok := Parse(header)
		if ok != valid || ok && (c.ID.String() != traceText || c.Parent.String() != spanText || c.Flags != Sampled) || !ok && c != (Context{}) {
			t.Errorf("%s: %+v, %v", header, c, ok)
		}
	}
}

// A header that Weir writes reads as what was written. Flags without a meaning are not passed on.
func TestTraceparent(t *testing.T) {
	t.Parallel()
	c, _ := Parse("00-" + traceText + "-" + spanText + "-ff")
	if got := c.Traceparent(0xb7ad6b7169203331); got != "00-"+traceText+"-b7ad6b7169203331-03" {
		t.Error(got)
	}
	if back, ok := Parse(c.Traceparent(1)); !ok || back.ID != c.ID || back.Parent != 1 || back.Flags != Sampled|Random {
		t.Errorf("%+v", back)
	}
}

// A share takes as many traces as it says, and a larger one takes all that a smaller one does.
func TestRatio(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var taken [3]int
	ratios := [...]Ratio{RatioOf(10_000), RatioOf(100_000), RatioOf(1_000_000)}
	const n = 100_000
	for range n {
		var id ID
		binary.BigEndian.PutUint64(id[8:], r.Uint64())
		before := false
		for i, ratio := range ratios {
			takes := ratio.Takes(id)
			if before && !takes {
				t.Fatalf("%x", id)
			}
			if before = takes; takes {
				taken[i]++
			}
		}
		if RatioOf(0).Takes(id) {
			t.Fatalf("none takes %x", id)
		}
	}
	if taken[0] < 850 || taken[0] > 1150 || taken[1] < 9600 || taken[1] > 10400 || taken[2] != n {
		t.Error(taken)
	}
	if ratios[2] != All {
		t.Error("100 % is not all")
	}
}

func BenchmarkParse(b *testing.B) {
	header := "00-" + traceText + "-" + spanText + "-01"
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := Parse(header); !ok {
			b.Fatal("not read")
		}
	}
}
