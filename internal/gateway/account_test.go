package gateway

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
)

// The ledger bounds what it keeps, and does so between letters. What is cut before may end within one.
func TestLongNamesOfModelsAreNotCutWithinALetter(t *testing.T) {
	t.Parallel()
	a := account{books: &books{}, ev: &Event{ID: newID(time.Unix(0, 0))}}
	a.books.known.Store(&map[money.ID]bool{})
	in := a.intent(&relay.Call{Target: &route.Target{Model: strings.Repeat("x", 127) + "é"}}, 0)
	if !utf8.ValidString(in.Upstream) {
		t.Errorf("the model is %q", in.Upstream)
	}
}
