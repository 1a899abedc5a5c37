package cohere

import (
	"strconv"

	"github.com/weirproxy/weir/internal/llm"
)

// Payloads sends the payloads for an event of a stream; each is valid until the next one. After the last one the API
// sends [DONE].
func (w *Writer) Payloads(ev *llm.Event, send func([]byte)) {
	if ev.Part == llm.Redacted {
		return
	}
	w.out = w.out[:0]
	switch ev.Kind {
	case llm.Start:
		w.text("{")
		w.out = appendID(w.out, ev.ID)
		w.text(`"type":"message-start","delta":{"message":{"role":"assistant","content":[],"tool_plan":"","tool_calls":[],"citations":[]}}}`)
	case llm.BlockStart:
		w.start(ev)
	case llm.Delta:
		w.delta(ev.Part, ev.Text)
	case llm.BlockStop:
		if ev.Part == llm.ToolCall && w.empty {
			w.delta(ev.Part, llm.JSON(`"{}"`))
			w.flush(send)
		}
		w.stop(ev.Part)
	case llm.Cited:
		w.head("citation-start", w.cited)
		w.text(`,"delta":{"message":{"citations":`)
		w.out = w.citation(w.out, ev.Citation)
		w.text("}}}")
		w.flush(send)
		w.head("citation-end", w.cited-1)
		w.text("}")
	case llm.End:
		w.text(`{"type":"message-end","delta":{`)
		w.out = appendEnd(w.out, ev)
		w.text("}}")
	}
	w.flush(send)
}

// flush sends the payload that was written, if there is one.
func (w *Writer) flush(send func([]byte)) {
	if len(w.out) > 0 {
		send(w.out)
		w.out = w.out[:0]
	}
}

func (w *Writer) text(s string) { w.out = append(w.out, s...) }

// head begins a payload about something that has a place.
func (w *Writer) head(typ string, place int) {
	w.text(`{"type":"` + typ + `","index":`)
	w.out = strconv.AppendInt(w.out, int64(place), 10)
}

// start writes that a block begins. Plans begin with what they say.
func (w *Writer) start(ev *llm.Event) {
	switch place := w.begin(ev); {
	case ev.Part == llm.ToolCall:
		w.head("tool-call-start", place)
		w.text(`,"delta":{"message":{"tool_calls":`)
		w.out = callHead(w.out, ev)
		w.text(`""}}}}}`)
	case !w.planned(ev.Part):
		w.head("content-start", place)
		w.text(`,"delta":{"message":{"content":` + contentHead(ev.Part) + `"}}}}`)
	}
}

// planned reports whether the block that is open is a plan.
func (w *Writer) planned(part llm.PartKind) bool { return part == llm.Reasoning && w.plan }

// delta writes a piece of the open block.
func (w *Writer) delta(part llm.PartKind, text llm.JSON) {
	if len(text.Inner()) == 0 {
		return
	}
	switch {
	case part == llm.ToolCall:
		w.empty = false
		w.head("tool-call-delta", w.calls-1)
		w.text(`,"delta":{"message":{"tool_calls":{"function":{"arguments":`)
		w.out = append(w.out, text...)
		w.text("}}}}}")
	case w.planned(part):
		w.text(`{"type":"tool-plan-delta","delta":{"message":{"tool_plan":`)
		w.out = append(w.out, text...)
		w.text("}}}")
	default:
		name := `{"text":`
		if part == llm.Reasoning {
			name = `{"thinking":`
		}
		w.head("content-delta", w.contents-1)
		w.text(`,"delta":{"message":{"content":` + name)
		w.out = append(w.out, text...)
		w.text("}}}}")
	}
}

func (w *Writer) stop(part llm.PartKind) {
	switch {
	case part == llm.ToolCall:
		w.head("tool-call-end", w.calls-1)
		w.text("}")
	case !w.planned(part):
		w.head("content-end", w.contents-1)
		w.text("}")
	}
}
