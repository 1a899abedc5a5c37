package main

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/ledger"
)

func TestReportsInCSVHaveNoFormulas(t *testing.T) {
	t.Parallel()
	const evil = `=HYPERLINK("http://x")`
	name := evil
	var text strings.Builder
	usage := ledger.UsageRow{Key: &name, Name: &name, Figures: ledger.Figures{Cost: -5}}
	if err := usageCSV(&text, []ledger.Grouping{ledger.ByKey}, []ledger.UsageRow{usage}); err != nil {
		t.Fatal(err)
	}
	attempt := admin.Attempt{ClientID: &name, KeyName: name, Tags: []string{"=a"}, UpstreamModel: &name, UpstreamID: &name, Cost: -7}
	if err := admin.WriteTable(&text, []admin.Attempt{attempt}); err != nil {
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
