package blocks_test

import (
	"errors"
	"testing"

	"github.com/weirproxy/weir/internal/dialect/blocks"
	"github.com/weirproxy/weir/internal/llm"
)

// step is an event about a block: its beginning as a kind, its end, or that it goes on.
type step struct {
	place int64
	begin llm.PartKind // if it begins
	does  string       // begin, go on, end
	name  string       // of a call
	kind  llm.PartKind // that it then is
	fails bool
}

func TestOpen(t *testing.T) {
	t.Parallel()
	for name, steps := range map[string][]step{
		"a text and a call": {
			{place: 0, does: "begin", begin: llm.Text, kind: llm.Text},
			{place: 0, does: "go on", kind: llm.Text},
			{place: 0, does: "end", kind: llm.Text},
			{place: 1, does: "begin", begin: llm.ToolCall, name: "f", kind: llm.ToolCall},
			{place: 1, does: "end", kind: llm.ToolCall},
		},
		"a second beginning changes nothing": {
			{place: 0, does: "begin", begin: llm.Text, kind: llm.Text},
			{place: 0, does: "begin", begin: llm.ToolCall, name: "f", kind: llm.Text},
		},
		"what has ended says nothing more": {
			{place: 0, does: "begin", begin: llm.Text, kind: llm.Text},
			{place: 0, does: "end", kind: llm.Text},
			{place: 0, does: "go on", kind: blocks.Unknown},
		},
		"texts may come in turns": {
			{place: 2, does: "begin", begin: llm.Text, kind: llm.Text},
			{place: 0, does: "begin", begin: llm.Text, kind: llm.Text},
			{place: 2, does: "go on", kind: llm.Text},
			{place: 1, does: "go on", kind: blocks.Unknown},
		},
		"calls may not": {
			{place: 0, does: "begin", begin: llm.ToolCall, name: "f", kind: llm.ToolCall},
			{place: 1, does: "begin", begin: llm.Text, kind: llm.Text},
			{place: 0, does: "go on", fails: true},
		},
		"a call has a name":            {{place: 0, does: "begin", begin: llm.ToolCall, fails: true}},
		"a block has a place":          {{place: -1, does: "begin", begin: llm.Text, fails: true}},
		"there are not endlessly many": {{place: 4096, does: "begin", begin: llm.Text, fails: true}},
		"what never began":             {{place: 7, does: "go on", kind: blocks.Unknown}, {place: -1, does: "go on", kind: blocks.Unknown}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var open blocks.Open
			for i, s := range steps {
				var err error
				if s.does == "begin" {
					ev := llm.Event{Part: s.begin, ID: llm.Quote("id"), Name: llm.Quote(s.name)}
					_, err = open.Begin(s.place, &ev)
				}
				number, kind, errAt := open.At(s.place)
				if err = errors.Join(err, errAt); (err != nil) != s.fails || err != nil && !errors.Is(err, llm.ErrNoAnswer) {
					t.Fatalf("step %d: %v", i, err)
				}
				if !s.fails && (kind != s.kind || kind != blocks.Unknown && int64(number) != s.place) {
					t.Errorf("step %d: block %d is %v, not %v", i, number, kind, s.kind)
				}
				if s.does == "end" {
					open.End(number)
				}
			}
		})
	}
}
