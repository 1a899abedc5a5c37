package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// JSON on a terminal does nothing to it, whatever callers and upstreams chose, and means the same.
func TestJSONDoesNothingToATerminal(t *testing.T) {
	t.Parallel()
	const hostile = "\x1b[2J\u009b31m\x7f\u202e\U000e0001\u2028 é 世 <&>"
	var out strings.Builder
	if err := printJSON(&out, []string{hostile}); err != nil {
		t.Fatal(err)
	}
	if want := "[\n  \"\\u001b[2J\\u009b31m\\u007f\\u202e\\udb40\\udc01\\u2028 é 世 <&>\"\n]\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	var back []string
	if err := json.Unmarshal([]byte(out.String()), &back); err != nil || back[0] != hostile {
		t.Errorf("%q: %v", back, err)
	}
}
