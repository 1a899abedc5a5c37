package main

import (
	"context"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
)

// What the command line says of a correction is what is asked for, and what has become of it. What cannot be one is refused with an example.
func TestAdjust(t *testing.T) {
	var got ledger.Correction
	s := newAdminServerWith(t, func(o *admin.Options) {
		o.Correct = func(_ context.Context, c *ledger.Correction) (*ledger.Row, error) {
			if got = *c; c.Call != 17 {
				return nil, &llm.Error{Kind: llm.NotFound, Message: "There is no such call."}
			}
			return &ledger.Row{Seq: 20, Intent: ledger.Intent{Adjusts: 17, Reason: c.Reason, ClientID: c.ID}, Settlement: ledger.Settlement{Cost: c.Cost - 3e9}}, nil
		}
	})
	did := s.weir("adjust", "17", "--cost", "1.25", "--reason", "the invoice", "--id", "i-1")
	if want := (ledger.Correction{ID: "i-1", Call: 17, Cost: 1_250_000_000, Reason: "the invoice"}); got != want || did.code != 0 || did.stdout != "The call 17 costs $1.25: the row 20 has the difference, -$1.75.\n" {
		t.Errorf("%+v: %+v", got, did)
	}
	if did := s.weir("adjust", "17", "--cost", "7e-9", "--reason", "r", "--format=json"); did.code != 0 || got.Cost != 7 || got.ID == "" || !strings.Contains(did.stdout, `"reason": "r"`) {
		t.Errorf("%+v: %+v", got, did)
	}
	if did := s.weir("adjust", "18", "--cost=1", "--reason=r"); did.code != 1 || !strings.Contains(did.stderr, "There is no such call.") {
		t.Errorf("%+v", did)
	}
	for _, tt := range []struct {
		args, says string
	}{
		{"17 --cost -1 --reason r", "--cost"},
		{"17 --cost 1usd --reason r", "no amount in dollars from 0 to 1000000, such as 0.0125"},
		{"17 --cost 1000001 --reason r", "no amount in dollars from 0 to 1000000"},
		{"17 --cost 1 --reason r --id=", "--id"},
		{"17 --cost 1", "--reason"},
		{"17 --reason r", "--cost"},
		{"--cost 1 --reason r", "SEQ"},
		{"x --cost 1 --reason r", "x"},
	} {
		if did := s.weir(append([]string{"adjust"}, strings.Fields(tt.args)...)...); did.code != 2 || !strings.Contains(did.stderr, tt.says) {
			t.Errorf("%s: %+v", tt.args, did)
		}
	}
}
