package llm

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInterjected(t *testing.T) {
	t.Parallel()
	text := func(s string) []Part { return []Part{{Kind: Text, Text: Quote(s)}} }
	call, result := []Part{{Kind: ToolCall, ID: "a"}}, []Part{{Kind: Result, ID: "a"}}
	r := &Request{Messages: []Message{
		{Role: User, Parts: text("hi")},
		{Role: System, Parts: text("be \"brief\"")},
		{Role: Assistant, Parts: call},
		{Role: System, Parts: text("one")},
		{Role: System, Parts: text("two")},
		{Role: User, Parts: result},
		{Role: User, Parts: result},
		{Role: User, Parts: text("and?")},
	}}
	want := []Message{
		{Role: User, Parts: text("hi")},
		{Role: User, Parts: text("<system-reminder>\nbe \"brief\"\n</system-reminder>")},
		{Role: Assistant, Parts: call},
		{Role: User, Parts: result},
		{Role: User, Parts: result},
		{Role: User, Parts: text("<system-reminder>\none\n</system-reminder>")},
		{Role: User, Parts: text("<system-reminder>\ntwo\n</system-reminder>")},
		{Role: User, Parts: text("and?")},
	}
	if diff := cmp.Diff(want, r.Interjected().Messages); diff != "" {
		t.Error(diff)
	}
	if r.Messages[3].Role != System || string(r.Messages[1].Parts[0].Text) != `"be \"brief\""` {
		t.Error("the request itself was changed")
	}
	plain := &Request{Messages: []Message{{Role: User, Parts: text("hi")}, {Role: Assistant, Parts: call}, {Role: User, Parts: result}}}
	if plain.Interjected() != plain {
		t.Error("a request without turns of the system was copied")
	}
}

// System turns in a row before as many tool results are moved in one go: a caller may send a million of either.
func TestManyTurnsOfTheSystemBeforeResults(t *testing.T) {
	t.Parallel()
	const many = 200_000
	r := &Request{Messages: []Message{{Role: User}, {Role: Assistant}}}
	for i := range 2 * many {
		m := Message{Role: System, At: i}
		if i >= many {
			m = Message{Role: User, At: i, Parts: []Part{{Kind: Result}}}
		}
		r.Messages = append(r.Messages, m)
	}
	settled := r.Settled().Messages
	roles := slices.CompactFunc(slices.Clone(settled), func(a, b Message) bool { return a.Role == b.Role })
	if len(roles) != 4 || roles[2].Role != User || settled[2].At != many || settled[2+many].At != 0 || r.Messages[2].At != 0 {
		t.Errorf("%d runs of roles", len(roles))
	}
	if r.Placed().Messages[2+many].Role != System {
		t.Error("the turns of the system after the results do not stay")
	}
}
