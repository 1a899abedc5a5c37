package ledger_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/ledger"
)

func TestPassedOver(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 12 {
		many = append(many, fmt.Sprintf("provider-%d/a model down", i))
	}
	long := "p/" + strings.Repeat("m", 128) + " full"
	for _, tc := range []struct{ list, kept []string }{
		{nil, nil},
		{many[:1], many[:1]},
		{many[:3], many[:3]},
		{many, append(slices.Clone(many[:5]), "+7")},
		{[]string{long}, []string{"+1"}},
		{[]string{many[0], long}, []string{many[0], "+1"}},
	} {
		text := ledger.PassedOver(tc.list)
		if len(text) > 128 {
			t.Errorf("%d bytes: %q", len(text), text)
		}
		row := ledger.Row{Intent: ledger.Intent{Reason: text}}
		if got := row.Passed(); !slices.Equal(got, tc.kept) {
			t.Errorf("%q became %q, not %q", tc.list, got, tc.kept)
		}
		correction := ledger.Row{Intent: ledger.Intent{Adjusts: 7, Reason: text}}
		if got := correction.Passed(); got != nil {
			t.Errorf("the reason of a correction became %q", got)
		}
	}
}

// A row that passed nothing over is not a byte longer, and one that did has only these bytes more.
func TestPassedOverTakesRoomOnlyWhereItIs(t *testing.T) {
	t.Parallel()
	row := ledger.Row{Intent: ledger.Intent{Request: "0123456789ABCDEFGHIJKLMNOP", Try: 1, Model: "m", Provider: "p", Upstream: "u"}, Settlement: ledger.Settlement{UpstreamModel: "u"}}
	plain := len(row.AppendFacts(nil, true))
	row.Reason = ledger.PassedOver([]string{"q/v down"})
	if more := len(row.AppendFacts(nil, true)) - plain; more < len(row.Reason) || more > len(row.Reason)+6 {
		t.Errorf("%d bytes more for %q", more, row.Reason)
	}
}
