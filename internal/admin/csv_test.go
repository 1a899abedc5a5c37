package admin

import "testing"

// No cell of CSV is a formula, whatever callers and upstreams chose. Numbers and all other texts stay as they are.
func TestCSVHasNoFormulas(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"": "", "plain": "plain", "a=b": "a=b", "job=-1": "job=-1", "-5": "-5", "-12.50": "-12.50", "12": "12", "'quoted": "'quoted", "0": "0",
		"=1+1": "'=1+1", "+1": "'+1", "-1+1": "'-1+1", "-": "'-", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t'=1", "\r=1": "'\r=1", "\n=1": "'\n=1", "-1e5": "'-1e5",
		"＝1": "'＝1", "＠x": "'＠x", "a;=1": "a;'=1", "a\t@x;;-1": "a\t'@x;;'-1", "a; b": "a; b", "\x1b[2Ja\u009b;=1": "\uFFFD[2Ja\uFFFD;'=1", "two\nlines": "two\nlines",
	} {
		if got := harmless(cell); got != want {
			t.Errorf("%q: %q, want %q", cell, got, want)
		}
	}
}
