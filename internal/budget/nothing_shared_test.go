package budget

import (
	"testing"
	"time"
)

// deaf are shares that cannot be asked.
type deaf struct{ pot }

func (*deaf) Hold([]Want) (why Why, of int) { return Unanswered, 0 }

// A call that no budget binds holds nothing, and asks no other.
func TestCallsWithoutBudgetsAskNoOther(t *testing.T) {
	t.Parallel()
	b := NewShared(time.UTC, new(deaf), func(Warning) {})
	var h Hold
	if r := b.Hold(&h, "k", "t", &Need{Worst: Take{Tokens: 5}}, time.Unix(0, 0)); r != nil {
		t.Errorf("it is refused: %+v", r)
	}
	if !b.Grow(&h, 100) {
		t.Error("it is ended")
	}
	b.Settle(&h, Amount{Tokens: 5})
}
