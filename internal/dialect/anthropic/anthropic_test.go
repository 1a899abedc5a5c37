package anthropic_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect/anthropic"
	"github.com/weirproxy/weir/internal/dialecttest"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

var dialect = dialecttest.Dialect{
	Encode: anthropic.Encode, Answer: anthropic.ReadAnswer, Stream: func() dialecttest.Reader { return new(anthropic.Stream) },
	Last:   `"message_stop"`,
	Decode: anthropic.Decode, Writer: func() dialecttest.Writer { return new(anthropic.Writer) }, Path: model,
	Same: []dialecttest.Same{
		{
			Why: "a string may stand in place of a list of one text",
			Was: regexp.MustCompile(`"(content|system)":("(?:[^"\\]|\\.)*")`), Is: `"$1":[{"text":$2,"type":"text"}]`,
		},
		{Why: "false is the default of these", Was: regexp.MustCompile(`,"(?:stream|disable_parallel_tool_use|is_error)":false\b`)},
		{Why: "the same, of the first member", Was: regexp.MustCompile(`"(?:stream|disable_parallel_tool_use|is_error)":false\b,?`)},
		{
			Why: "output_config.format was called output_format at first",
			Was: regexp.MustCompile(`"output_format":(\{.*,"type":"json_schema"\})`), Is: `"output_config":{"format":$1}`,
		},
	},
}

// model reads the model from the address, where other hosts have it.
func model(url string, r *llm.Request) {
	if _, name, ok := strings.Cut(url, "/models/"); ok {
		r.Model, _, _ = strings.Cut(name, ":")
	}
	if _, name, ok := strings.Cut(url, ".anthropic.claude"); ok {
		name, _, _ = strings.Cut(name, "/")
		r.Model = "claude" + name
	}
}

// TestRoundTrips: what the one half writes, the other reads, and the other way round.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	for provider, least := range map[string]int{"anthropic": 31, "vertex-anthropic": 6} {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			dialect.RoundTrips(t, provider, least)
		})
	}
}

// TestInvoked: so it is where Amazon Bedrock carries the API's own bodies.
func TestInvoked(t *testing.T) {
	t.Parallel()
	recorded.Invoked(t, func(t *testing.T, r recorded.Interaction) {
		t.Parallel()
		dialect.RoundTrip(t, r)
		dialect.Recording(t, r, recorded.ReadMessages)
	})
}

// FuzzDecode: whatever is asked in this dialect, nothing of what it becomes is lost on the way back.
func FuzzDecode(f *testing.F) {
	for _, body := range requests() {
		f.Add(body)
	}
	f.Add(asked("claude-opus-4-8", `,"thinking":{"type":"enabled","budget_tokens":2000},"output_config":{"effort":"low"}`))
	dialect.Decodes(f)
}

// TestGolden holds translations against files that a person can read.
func TestGolden(t *testing.T) {
	t.Parallel()
	dialect.Golden(t)
}

// TestFidelityPage holds docs/how-it-works/translation/anthropic.md against what happens to each of its examples.
func TestFidelityPage(t *testing.T) {
	t.Parallel()
	dialect.Fidelity(t, "anthropic", `{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"hi"}]`, fidelity)
	dialect.Parts(t, "anthropic", "claude-sonnet-4-5", parts)
	t.Run("every parameter", func(t *testing.T) { dialecttest.Complete(t, fidelity) })
}

// FuzzRequest: whatever is asked, what goes upstream is JSON that names no member of it twice.
func FuzzRequest(f *testing.F) { dialect.Requests(f) }

// FuzzAnswer: whatever is answered, what goes to the caller is an answer that needs no mending.
func FuzzAnswer(f *testing.F) { dialect.Answers(f) }

// FuzzStream: whatever is streamed, every chunk is JSON, and a whole stream has a finish reason.
func FuzzStream(f *testing.F) { dialect.Streams(f) }
