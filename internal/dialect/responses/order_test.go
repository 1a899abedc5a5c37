package responses

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/weirproxy/weir/internal/llm"
)

// Whatever is streamed, its events come in the order that writers of every dialect rely on: a start, one block after the other, an end.
func FuzzOrder(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "streams", "*.txt"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no streams: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var st Stream
		var open *llm.Event
		begun, ended, next := false, false, 0
		tell := func(ev *llm.Event) {
			switch {
			case ended:
				t.Fatalf("%+v after the end", ev)
			case ev.Kind == llm.Start:
				if begun {
					t.Fatal("it begins twice")
				}
				begun = true
			case ev.Kind == llm.BlockStart:
				if open != nil || ev.Block != next || ev.Nameless() {
					t.Fatalf("%+v within %+v, or not the block %d", ev, open, next)
				}
				one := *ev
				open = &one
			case ev.Kind == llm.Delta, ev.Kind == llm.BlockStop:
				if open == nil || open.Block != ev.Block || open.Part != ev.Part {
					t.Fatalf("%+v within %+v", ev, open)
				}
				if ev.Kind == llm.BlockStop {
					open, next = nil, next+1
				}
			case ev.Kind == llm.End:
				if ended = true; open != nil || !begun || ev.Finish == "" {
					t.Fatalf("%+v within %+v, begun: %v", ev, open, begun)
				}
			}
		}
		for line := range bytes.Lines(text) {
			data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data: "))
			if !ok || ended {
				continue
			}
			if st.Read(data, tell) != nil {
				return
			}
		}
	})
}

// A piece of a text takes no memory.
func TestDeltasAllocateNothing(t *testing.T) {
	var st Stream
	said := 0
	tell := func(ev *llm.Event) { said += len(ev.Text) }
	delta := []byte(`{"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_1","output_index":0,"content_index":0,"delta":" simulated","logprobs":[]}`)
	if n := testing.AllocsPerRun(100, func() { _ = st.Read(delta, tell) }); n > 0 || said == 0 {
		t.Errorf("%v allocations, %d bytes", n, said)
	}
}
