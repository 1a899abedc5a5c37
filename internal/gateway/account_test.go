package gateway

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
)

// The ledger bounds what it keeps, and does so between letters. What is cut before may end within one.
func TestLongNamesOfModelsAreNotCutWithinALetter(t *testing.T) {
	t.Parallel()
	a := account{books: &books{}, ev: &Event{ID: newID(time.Unix(0, 0)).String()}}
	a.books.known.Store(&map[money.ID]bool{})
	in := a.intent(&relay.Call{Target: &route.Target{Model: strings.Repeat("x", 127) + "é"}}, 0, &budget.Take{})
	if !utf8.ValidString(in.Upstream) {
		t.Errorf("the model is %q", in.Upstream)
	}
}

// A target that a pattern made of the caller's words is recorded as one that the caller chose, and no other is.
func TestWhatACallerChoseIsRecordedAsThat(t *testing.T) {
	t.Parallel()
	a := account{books: &books{}, ev: &Event{ID: newID(time.Unix(0, 0)).String()}}
	a.books.known.Store(&map[money.ID]bool{})
	table := route.NewTable([]*route.Model{{Name: "p/*", Targets: []route.Target{{Provider: "p", Model: "*"}, {Provider: "q", Model: "fixed"}}}}, nil, nil)
	asked, ok := table.Resolve("p/x")
	if !ok {
		t.Fatal("the pattern does not match")
	}
	for i, want := range []ledger.Intent{{Upstream: "x", Chosen: true}, {Upstream: "fixed"}} {
		in := a.intent(&relay.Call{Target: &asked.Targets[i]}, 0, &budget.Take{})
		if in.Upstream != want.Upstream || in.Chosen != want.Chosen {
			t.Errorf("%+v", in)
		}
	}
}

// failing is a ledger that cannot record the first of the calls.
type failing struct {
	begun   int
	numbers []int // of the calls that it recorded
}

func (*failing) Know([]ledger.PricedAs) {}

func (f *failing) Begin(in *ledger.Intent, _ bool) (*ledger.Entry, error) {
	if f.begun++; f.begun == 1 {
		return nil, ledger.ErrUnavailable
	}
	f.numbers = append(f.numbers, in.Call)
	return &ledger.Entry{}, nil
}

// Sums count the calls with the number 0 as requests. If that call could not be recorded, the next one has its number.
func TestTheFirstCallThatIsRecordedStandsForItsRequest(t *testing.T) {
	t.Parallel()
	f := new(failing)
	a := account{books: &books{ledger: f}, ev: &Event{ID: newID(time.Unix(0, 0)).String()}, serve: true}
	a.books.known.Store(&map[money.ID]bool{})
	for range 3 {
		if _, why := a.Open(&relay.Call{Target: &route.Target{Model: "m"}}, relay.Sent{}); why != nil {
			t.Fatal(why.Err)
		}
	}
	if want := []int{0, 1}; !slices.Equal(f.numbers, want) || a.books.unrecorded.Load() != 1 {
		t.Errorf("calls %v, %d unrecorded", f.numbers, a.books.unrecorded.Load())
	}
}
