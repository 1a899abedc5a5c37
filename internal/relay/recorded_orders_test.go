package relay

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

// usageOfEvents is what a stream of the events says that it took.
func usageOfEvents(d llm.Dialect, e llm.Endpoint, events []string) (u llm.Usage, ok bool) {
	c := codecs[d]
	if c == nil {
		st := &passthrough.Stream{WantUsage: true, Legacy: e == llm.Completions, Name: "r", Now: 1}
		for _, p := range events {
			if chunk, err := st.Walk([]byte(p)); err != nil || chunk.Error {
				return u, false
			}
		}
		return st.Usage, st.HasUsage
	}
	reader := c.Stream()
	keep := func(ev *llm.Event) {
		if ev.Kind == llm.End {
			u, ok = ev.Usage, !ev.Uncounted
		}
	}
	for _, p := range events {
		if reader.Read([]byte(p), keep) != nil {
			return u, false
		}
	}
	if end, has := reader.(dialect.Ender); has {
		end.Close(keep)
	}
	return u, ok
}

// apart takes the usage out of a stream's events, and returns the last that there was; nil if some event is no object, or none has it.
func apart(events []string, member string) (without []map[string]json.RawMessage, usage json.RawMessage) {
	for _, event := range events {
		var members map[string]json.RawMessage
		if json.Unmarshal([]byte(event), &members) != nil || members == nil {
			return nil, nil
		}
		if u := members[member]; len(u) > 0 && string(u) != "null" {
			usage = u
		}
		delete(members, member)
		without = append(without, members)
	}
	return without, usage
}

// joined are the events with a report at each of some places.
func joined(t *testing.T, without []map[string]json.RawMessage, member string, reports map[int]json.RawMessage) (events []string) {
	t.Helper()
	for i, members := range without {
		if u := reports[i]; u != nil {
			members[member] = u
		}
		raw, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		delete(members, member)
		events = append(events, string(raw))
	}
	return events
}

// orders are how many places of a stream are tried: of longer ones, those at the beginning and the end.
const orders = 24

// A recorded stream took what it reports, wherever in it that is, and whether or not less was reported before.
func TestRecordingsInOtherOrders(t *testing.T) {
	t.Parallel()
	tried := 0
	hold := func(d llm.Dialect, member, less string) func(*testing.T, llm.Endpoint, recorded.Interaction) {
		return func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
			t.Helper()
			if !r.Stream || r.Response.Status != 200 {
				return
			}
			events := slices.DeleteFunc(recorded.EventsOf(t, r), func(p string) bool { return p == "[DONE]" || p == "" })
			want, ok := usageOfEvents(d, e, events)
			without, usage := apart(events, member)
			if !ok || usage == nil {
				return
			}
			if again, _ := usageOfEvents(d, e, joined(t, without, member, map[int]json.RawMessage{len(without) - 1: usage})); again != want {
				return // it says elsewhere, too, what it took
			}
			tried++
			for at := range without {
				if at >= orders/2 && at < len(without)-orders/2 {
					continue
				}
				for _, before := range [...]bool{false, true} {
					reports := map[int]json.RawMessage{at: usage}
					for i := 0; before && i < at; i++ {
						reports[i] = json.RawMessage(less)
					}
					if got, _ := usageOfEvents(d, e, joined(t, without, member, reports)); got != want {
						t.Errorf("at %d of %d, less before it %v: %+v, want %+v", at, len(without), before, got, want)
					}
				}
			}
		}
	}
	recorded.Streams(t, hold(llm.OpenAI, "usage", `{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}`))
	for provider, d := range map[string]llm.Dialect{"gemini": llm.Gemini, "vertex": llm.Vertex} {
		law := hold(d, "usageMetadata", `{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}`)
		recorded.Chats(t, provider, 17, func(t *testing.T, r recorded.Interaction) { law(t, llm.Chat, r) })
	}
	if tried < 60 {
		t.Errorf("only %d recordings were tried", tried)
	}
}
