package main

import (
	"os"
	"testing"
)

// Output to nowhere is not read: a key printed there would be lost for good.
func TestNothingIsNoTerminal(t *testing.T) {
	t.Parallel()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if isTerminal(null) {
		t.Error("the null device counts as a terminal")
	}
}
