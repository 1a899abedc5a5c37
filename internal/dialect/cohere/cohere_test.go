package cohere_test

import (
	"regexp"
	"testing"

	"github.com/weirproxy/weir/internal/dialect/cohere"
	"github.com/weirproxy/weir/internal/dialecttest"
)

var dialect = dialecttest.Dialect{
	Encode: cohere.Encode, Answer: cohere.ReadAnswer, Stream: func() dialecttest.Reader { return new(cohere.Stream) },
	Last:   `"message-end"`,
	Decode: cohere.Decode, Writer: func() dialecttest.Writer { return new(cohere.Writer) },
	Same: []dialecttest.Same{
		{
			Why: "a content may be a string in the place of one text",
			Was: regexp.MustCompile(`"content":("(?:[^"\\]|\\.)*")`), Is: `"content":[{"text":$1,"type":"text"}]`,
		},
	},
}

// TestRoundTrips: what the one half writes, the other reads, and the other way round.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	dialect.RoundTrips(t, "cohere", 7)
}

// FuzzDecode: whatever is asked in this dialect, nothing of what it becomes is lost on the way back.
func FuzzDecode(f *testing.F) { dialect.Decodes(f) }

// TestGolden holds translations against files that a person can read.
func TestGolden(t *testing.T) {
	t.Parallel()
	dialect.Golden(t)
}

// TestFidelityPage holds docs/how-it-works/translation/cohere.md against what happens to each of its examples.
func TestFidelityPage(t *testing.T) {
	t.Parallel()
	dialect.Fidelity(t, "cohere", `{"model":"command-a-reasoning-08-2025","messages":[{"role":"user","content":"hi"}]`, fidelity)
	dialect.Parts(t, "cohere", "command-a-reasoning-08-2025", parts)
	t.Run("every parameter", func(t *testing.T) { dialecttest.Complete(t, fidelity) })
}

// FuzzRequest: whatever is asked, what goes upstream is JSON that names no member of it twice.
func FuzzRequest(f *testing.F) { dialect.Requests(f) }

// FuzzAnswer: whatever is answered, what goes to the caller is an answer that needs no mending.
func FuzzAnswer(f *testing.F) { dialect.Answers(f) }

// FuzzWrite: whatever is answered, what can be read of it can be written, and says the same.
func FuzzWrite(f *testing.F) { dialect.Writes(f) }

// FuzzStream: whatever is streamed, every chunk is JSON, and a whole stream has a finish reason.
func FuzzStream(f *testing.F) { dialect.Streams(f) }
