package relay

import (
	"fmt"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

// usageOf reads the usage of a recorded answer as relay does.
func usageOf(t *testing.T, d llm.Dialect, e llm.Endpoint, r recorded.Interaction) (u llm.Usage, ok bool) {
	t.Helper()
	c := codecs[d]
	switch {
	case r.Stream:
		return usageOfEvents(d, e, recorded.EventsOf(t, r))
	case c != nil:
		end, err := c.Answer(r.Response.Body.Bytes(), func(*llm.Event) {})
		return end.Usage, err == nil && !end.Uncounted
	default:
		if e == llm.Embeddings {
			_, a, err := openai.MendEmbeddings(r.Response.Body.Bytes(), openai.VectorsAsked{Inputs: -1})
			return a.Usage, err == nil && a.HasUsage
		}
		a, err := scanned(dialect.Scanned{Endpoint: e}).ParseAnswer(r.Response.Body.Bytes(), dialect.Stand{Name: "r", Now: 1})
		return a.Usage, err == nil && a.HasUsage
	}
}

// Every recorded usage splits into disjoint classes. They add up to the vendor's own totals, and each figure that the vendor names
// is in its class.
func TestRecordedUsageAddsUp(t *testing.T) {
	t.Parallel()
	hold := func(d llm.Dialect) func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
		return func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
			if r.Response.Status != 200 {
				return
			}
			u, ok := usageOf(t, d, e, r)
			b := recorded.ReadBilled(t, r)
			if !ok {
				return
			}
			if !b.Found {
				if u != (llm.Usage{}) {
					t.Errorf("nothing was reported, %+v read", u)
				}
				return
			}
			output := u.Output()
			beside := b.Output < b.Reasoning || b.Total == b.Input+b.Output+b.Reasoning // xAI and Vercel count reasoning separately from the completion
			if beside {
				output -= u.Reasoning
			} else if hidden := b.Total - b.Input - b.Output; hidden > 0 { // Google counts it in the total alone
				b.Output, b.Reasoning = b.Output+hidden, b.Reasoning+hidden
			}
			if d == llm.Responses { // no figure has them: each is an item
				b.Searches = u.Searches
			}
			got := fmt.Sprint(u.Input(), output, u.CacheRead, u.CacheWrites(), u.CacheWrite1h, u.Reasoning, u.AudioIn, u.Searches)
			want := fmt.Sprint(b.Input, b.Output, b.CacheRead, b.CacheWrite, b.Hour, b.Reasoning, b.Audio, b.Searches)
			if got != want {
				t.Errorf("input, output, cache read, written, for an hour, reasoning, audio, searches: %s, want %s\n%+v", got, want, u)
			}
			if b.Total >= 0 && u.Input()+u.Output() != b.Total && !(beside && b.Total == b.Input+b.Output) { // Vercel's total lacks the reasoning
				t.Errorf("%d and %d tokens, %d in total", u.Input(), u.Output(), b.Total)
			}
			if charged := (llm.Charged{Input: b.ChargedInput, Output: b.ChargedOutput, Known: true}); u.Charged != charged && (u.Charged.Known || charged.Input >= 0) {
				t.Errorf("%+v is charged, want %+v", u.Charged, charged)
			}
			if u.Absurd {
				t.Error("it is taken for absurd")
			}
			cost := ""
			if u.Cost.Known {
				cost = fmt.Sprintf("%d.%09d", u.Cost.Nanodollars/1e9, u.Cost.Nanodollars%1e9)
			}
			if cost != b.Cost {
				t.Errorf("costs %q, want %q", cost, b.Cost)
			}
		}
	}
	of := func(d llm.Dialect) func(t *testing.T, r recorded.Interaction) {
		return func(t *testing.T, r recorded.Interaction) { hold(d)(t, llm.Chat, r) }
	}
	recorded.Streams(t, hold(llm.OpenAI))
	recorded.Answers(t, hold(llm.OpenAI))
	recorded.Embeddings(t, hold(llm.OpenAI))
	recorded.Responses(t, 15, of(llm.Responses))
	recorded.Messages(t, of(llm.Anthropic))
	recorded.Invoked(t, of(llm.Anthropic))
	recorded.Chats(t, "cohere", 7, of(llm.Cohere))
	recorded.Chats(t, "gemini", 22, of(llm.Gemini))
	recorded.Chats(t, "vertex", 17, of(llm.Vertex))
	recorded.Chats(t, "bedrock", 31, of(llm.Converse))
}
