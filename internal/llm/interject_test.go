package llm

import (
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
