package anthropic_test

import (
	"testing"

	"github.com/weirproxy/weir/internal/recorded"
)

// Every recorded answer and stream says to OpenAI's client what it says to one of its own.
func TestRecordings(t *testing.T) {
	t.Parallel()
	recorded.Messages(t, func(t *testing.T, r recorded.Interaction) {
		t.Parallel()
		dialect.Recording(t, r, recorded.ReadMessages)
	})
}
