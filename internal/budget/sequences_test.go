package budget

import (
	"flag"
	"os"
	"testing"

	"pgregory.net/rapid"
)

// sequences are how many of each sort are drawn.
const sequences = "10000"

// Ten thousand sequences of holds, growth, ends, budgets that are set and periods that end agree with a list of all calls.
func TestLongSequences(t *testing.T) { //nolint:paralleltest // it sets how much rapid draws, which is the process's
	if os.Getenv("WEIR_LONG") == "" {
		t.Skip("it takes minutes: set WEIR_LONG=1, as make long does")
	}
	if err := flag.Set("rapid.checks", sequences); err != nil {
		t.Fatal(err)
	}
	for name, law := range map[string]func(*rapid.T){
		"the book": bookAgainstAList, "strict": strictIsNeverOver, "expected": expectedIsBounded,
	} {
		t.Run(name, func(t *testing.T) { rapid.Check(t, law) }) //nolint:paralleltest // as above
	}
}
