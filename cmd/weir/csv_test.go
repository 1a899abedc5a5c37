package main

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/ledger"
)

// No cell of CSV is a formula, whatever callers and upstreams chose. Numbers and all other texts stay as they are.
func TestCSVHasNoFormulas(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"": "", "plain": "plain", "a=b": "a=b", "job=-1": "job=-1", "-5": "-5", "-12.50": "-12.50", "12": "12", "'quoted": "'quoted", "0": "0",
		"=1+1": "'=1+1", "+1": "'+1", "-1+1": "'-1+1", "-": "'-", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "\r=1": "'\r=1", "\n=1": "'\n=1", "-1e5": "'-1e5",
	} {
		if got := harmless(cell); got != want {
			t.Errorf("%q: %q, want %q", cell, got, want)
		}
	}
}

func TestReportsInCSVHaveNoFormulas(t *testing.T) {
	t.Parallel()
	const evil = `=HYPERLINK("http://x")`
	name := evil
	var text strings.Builder
	usage := ledger.UsageRow{Key: &name, Name: &name, Figures: ledger.Figures{Cost: -5}}
	if err := usageCSV(&text, "key", []ledger.UsageRow{usage}); err != nil {
		t.Fatal(err)
	}
	attempt := admin.Attempt{ClientID: &name, KeyName: name, Tags: []string{"=a"}, UpstreamModel: &name, UpstreamID: &name, Cost: -7}
	if err := attemptsCSV(&text, []admin.Attempt{attempt}); err != nil {
		t.Fatal(err)
	}
	reader := csv.NewReader(strings.NewReader(text.String()))
	reader.FieldsPerRecord = -1
	rows, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, row := range rows {
		for _, cell := range row {
			if strings.HasPrefix(cell, "=") {
				t.Errorf("a formula: %q", cell)
			}
			if strings.HasPrefix(cell, "'") || strings.HasPrefix(cell, "-") {
				found[cell]++
			}
		}
	}
	if diff := cmp.Diff(map[string]int{"'" + evil: 6, "'=a": 1, "-5": 1, "-7": 1}, found); diff != "" {
		t.Error(diff)
	}
}
