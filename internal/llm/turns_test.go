package llm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/llm"
)

func TestTurns(t *testing.T) {
	t.Parallel()
	start := func(block int) llm.Event { return llm.Event{Kind: llm.BlockStart, Block: block, Part: llm.Text} }
	delta := func(block int) llm.Event { return llm.Event{Kind: llm.Delta, Block: block, Part: llm.Text} }
	stop := func(block int) llm.Event { return llm.Event{Kind: llm.BlockStop, Block: block, Part: llm.Text} }
	end := llm.Event{Kind: llm.End}
	for name, tt := range map[string]struct {
		events []llm.Event
		want   string
	}{
		"in order":              {[]llm.Event{start(0), delta(0), stop(0), start(1), stop(1), end}, "start 0, delta 0, stop 0, start 1, stop 1, end"},
		"an end is missing":     {[]llm.Event{start(0), delta(0), start(1), stop(1), end}, "start 0, delta 0, stop 0, start 1, stop 1, end"},
		"the last is missing":   {[]llm.Event{start(0), delta(0), end}, "start 0, delta 0, stop 0, end"},
		"texts come in turns":   {[]llm.Event{start(0), delta(0), start(1), delta(1), delta(0), stop(0), stop(1), end}, "start 0, delta 0, stop 0, start 1, delta 1, stop 1, start 0, delta 0, stop 0, end"},
		"an end comes twice":    {[]llm.Event{start(0), stop(0), stop(0), end}, "start 0, stop 0, end"},
		"an answer has nothing": {[]llm.Event{end}, "end"},
	} {
		var turns llm.Turns
		var got []string
		write := func(ev *llm.Event) {
			word := map[llm.EventKind]string{llm.BlockStart: "start", llm.Delta: "delta", llm.BlockStop: "stop"}[ev.Kind]
			if ev.Kind == llm.End {
				got = append(got, "end")
				return
			}
			got = append(got, fmt.Sprint(word, " ", ev.Block))
		}
		for i := range tt.events {
			before, ok := turns.Take(&tt.events[i])
			for j := range before {
				write(&before[j])
			}
			if ok {
				write(&tt.events[i])
			}
		}
		if got := strings.Join(got, ", "); got != tt.want {
			t.Errorf("%s: %s, not %s", name, got, tt.want)
		}
	}
}
