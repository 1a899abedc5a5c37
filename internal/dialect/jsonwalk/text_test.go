package jsonwalk

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestClassify holds what this machine uses, and the portable one, against the definition.
func TestClassify(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same blocks each time
	for range 2000 {
		var block [blockSize]byte
		for i := range block {
			block[i] = byte(random.Uint32())
		}
		var want masks
		for i, c := range block {
			bit := uint64(1) << i
			if c == '"' {
				want.quote |= bit
			}
			if c == '\\' {
				want.slash |= bit
			}
			if c < 0x20 || c >= 0x80 {
				want.odd |= bit
			}
			if strings.IndexByte(`"\/bfnrt`, c) >= 0 {
				want.simple |= bit
			}
		}
		if got := classify(&block); got != want {
			t.Fatalf("classify(%q) = %+v, want %+v", block, got, want)
		}
		if got := classifyWords(&block); got != want {
			t.Fatalf("classifyWords(%q) = %+v, want %+v", block, got, want)
		}
	}
}

// TestLongStrings puts everything that matters in a string at every place of a long one. Blocks, words and single bytes
// must give the same verdict, at the same offset.
func TestLongStrings(t *testing.T) {
	t.Parallel()
	pieces := []struct {
		text string
		bad  int // the offset of the fault within text, -1 for none
	}{
		{`\n`, -1},
		{`\\`, -1},
		{`\\\\\\\"`, -1},
		{`\u00e9`, -1},
		{`\ud83d`, -1},
		{"é", -1},
		{"日本語", -1},
		{"🎉", -1},
		{`\u00g0`, 0},
		{`\x`, 0},
		{"\\\x01", 0},
		{"\\é", 0},
		{"\x1f", 0},
		{"\xff", 0},
		{"é\xc3", 2},
		{`\\\q`, 2},
	}
	for _, p := range pieces {
		for before := range 200 {
			for _, after := range []int{0, 1, 7, 8, 40, 63, 64, 65, 200} {
				data := `"` + strings.Repeat("x", before) + p.text + strings.Repeat("y", after) + `"`
				err := Valid([]byte(data), Options{})
				switch fault, bad := err.(*SyntaxError); { //nolint:errorlint // the package's own
				case p.bad < 0 && err != nil:
					t.Fatalf("%s: %v", data, err)
				case p.bad >= 0 && (!bad || fault.Offset != 1+before+p.bad):
					t.Fatalf("%s: %v, want a fault at %d", data, err, 1+before+p.bad)
				}
			}
		}
	}
}

// TestBackslashes counts: an even number of backslashes before a quote leaves the quote the end of the string.
func TestBackslashes(t *testing.T) {
	t.Parallel()
	for before := range 140 {
		for n := range 140 {
			data := `"` + strings.Repeat("x", before) + strings.Repeat(`\`, n) + `"` + strings.Repeat(" ", 80)
			if err := Valid([]byte(data), Options{}); (err == nil) != (n%2 == 0) {
				t.Fatalf("%d backslashes behind %d bytes: %v", n, before, err)
			}
			var s Scanner
			s.Reset([]byte(data), Options{})
			s.Skip()
			if s.escape != (n > 0) {
				t.Fatalf("%d backslashes behind %d bytes: escape is %v", n, before, s.escape)
			}
		}
	}
}
