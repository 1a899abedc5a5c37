package main

import (
	"strings"
	"testing"
)

// Without a command the help says which there are, and the status that something was lacking.
func TestWithoutCommand(t *testing.T) {
	did := runIn(t, t.TempDir(), nil, "")
	if did.code != 2 || did.stdout != "" || !strings.Contains(did.stderr, "Usage: weir <command>") || !strings.Contains(did.stderr, "Run the gateway.") {
		t.Errorf("%d %q %q", did.code, did.stdout, did.stderr)
	}
	if did = runIn(t, t.TempDir(), nil, "", "--help"); did.code != 0 || did.stderr != "" || !strings.Contains(did.stdout, "Usage: weir <command>") {
		t.Errorf("asked for: %d %q %q", did.code, did.stdout, did.stderr)
	}
	if did = runIn(t, t.TempDir(), nil, "", "keys"); did.code != 2 {
		t.Errorf("half a command: %d %q", did.code, did.stderr)
	}
}
