package gemini_test

import (
	"testing"

	"github.com/weirproxy/weir/internal/recorded"
)

// Every recorded answer and stream says to OpenAI's client what it says to one of its own.
func TestRecordings(t *testing.T) {
	t.Parallel()
	for provider, least := range map[string]int{"gemini": 22, "vertex": 17} {
		recorded.Chats(t, provider, least, func(t *testing.T, r recorded.Interaction) {
			t.Parallel()
			dialect.Recording(t, r, recorded.ReadGemini)
		})
	}
}
