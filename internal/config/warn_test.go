package config

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPatternsOverlapIfANameMatchesBoth(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"smart", "smart", true},
		{"smartt", "smart", false},
		{"smart", "smart-2", false},
		{"embed-*", "embed", false},
		{"openai/gpt-5", "openai/*", true},
		{"*/gpt-5", "openai/*", true},
		{"groq/*", "openai/*", false},
		{"*", "", true},
		{"*a", "b*", true},
		{"a*b", "a*c", false},
	} {
		if got := overlap(tt.a, tt.b); got != tt.want || overlap(tt.b, tt.a) != got {
			t.Errorf("%q and %q: %v", tt.a, tt.b, got)
		}
	}
	text, pattern := rapid.StringMatching("[ab/]{0,6}"), rapid.StringMatching("[ab/*]{0,5}")
	rapid.Check(t, func(t *rapid.T) {
		a, b, name := pattern.Draw(t, "a"), pattern.Draw(t, "b"), text.Draw(t, "name")
		match := func(pattern string) bool {
			return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") + "$").MatchString(name)
		}
		if match(a) && match(b) && !overlap(a, b) {
			t.Fatalf("%q matches both %q and %q", name, a, b)
		}
		if match(a) != overlap(a, name) {
			t.Fatalf("%q and %q", a, name)
		}
	})
}
