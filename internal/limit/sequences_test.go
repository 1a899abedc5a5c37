package limit_test

import (
	"flag"
	"os"
	"testing"

	"pgregory.net/rapid"
)

// sequences are how many of each sort are drawn.
const sequences = "10000"

// Ten thousand sequences of requests, tokens and places, on several limits at once, agree with a plain reference.
func TestLongSequences(t *testing.T) { //nolint:paralleltest // it sets how much rapid draws, which is the process's
	if os.Getenv("WEIR_LONG") == "" {
		t.Skip("it takes minutes: set WEIR_LONG=1, as make long does")
	}
	if err := flag.Set("rapid.checks", sequences); err != nil {
		t.Fatal(err)
	}
	for name, law := range map[string]func(*rapid.T){
		"limits": limitsFollowTheReference, "waiting": waitingIsTruthful, "quota": quotaFollowsTheReference,
	} {
		t.Run(name, func(t *testing.T) { rapid.Check(t, law) }) //nolint:paralleltest // as above
	}
}
