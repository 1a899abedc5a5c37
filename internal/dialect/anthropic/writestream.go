package anthropic

import (
	"strconv"

	"github.com/weirproxy/weir/internal/llm"
)

// Payloads sends the payloads for an event of a stream; each is valid until the next one.
func (w *Writer) Payloads(ev *llm.Event, send func([]byte)) {
	w.out = w.out[:0]
	w.said.Hear(ev)
	switch ev.Kind {
	case llm.Start:
		w.add(`{"type":"message_start","message":`)
		w.message(ev.ID, ev.Name)
		w.add(`],"stop_reason":null,"stop_sequence":null,"stop_details":null,"usage":`)
		w.usage(ev.Usage)
		w.add("}}")
	case llm.BlockStart:
		w.place(ev.Block)
		w.start(ev)
	case llm.Delta:
		w.delta(ev, send)
	case llm.Cited:
		if block, ok := w.said.Open(); ok && w.said.Is(ev.Citation) {
			w.head("content_block_delta", block)
			w.add(`,"delta":{"type":"citations_delta","citation":`)
			w.out = append(appendCitation(w.out, ev.Citation), "}}"...)
		}
	case llm.BlockStop:
		if ev.Part == llm.Redacted && !w.shown {
			w.redacted(ev.Block, llm.JSON(`""`))
			w.flush(send)
		}
		w.head("content_block_stop", ev.Block)
		w.add("}")
	case llm.End:
		w.add(`{"type":"message_delta","delta":{`)
		w.stopReason(ev)
		w.add(`},"usage":`)
		w.usage(ev.Usage)
		w.add("}")
		w.flush(send)
		w.add(`{"type":"message_stop"}`)
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

// place gives a block the next place: clients take the places of blocks for those in a list.
func (w *Writer) place(block int) {
	for len(w.places) <= block {
		w.places = append(w.places, 0)
	}
	w.places[block] = w.blocks
	w.blocks++
}

// head begins a payload about a block.
func (w *Writer) head(typ string, block int) {
	w.add(`{"type":"`, typ, `","index":`)
	w.out = strconv.AppendInt(w.out, int64(w.places[block]), 10)
}

// start writes that a block begins. A redacted block is sent whole, as soon as it is known.
func (w *Writer) start(ev *llm.Event) {
	if ev.Part == llm.Redacted {
		if w.shown = len(ev.Opaque.Inner()) > 0; w.shown {
			w.redacted(ev.Block, ev.Opaque)
		}
		return
	}
	w.head("content_block_start", ev.Block)
	w.add(`,"content_block":{"type":"`, typeOfPart(ev.Part), `"`)
	switch ev.Part {
	case llm.ToolCall:
		w.call(ev)
		w.add(`,"input":{}}}`)
	case llm.Reasoning:
		signature := ev.Opaque
		if signature == nil {
			signature = llm.JSON(`""`)
		}
		w.add(`,"thinking":"","signature":`, string(signature), "}}")
	default:
		w.add(`,"text":""}}`)
	}
}

func (w *Writer) redacted(block int, data llm.JSON) {
	w.head("content_block_start", block)
	w.add(`,"content_block":{"type":"redacted_thinking","data":`, string(data), "}}")
}

// delta writes a piece of what a block says, and the signature of it in a payload of its own.
func (w *Writer) delta(ev *llm.Event, send func([]byte)) {
	if ev.Part == llm.Redacted {
		if ev.Opaque != nil && !w.shown {
			w.redacted(ev.Block, ev.Opaque)
			w.shown = true
		}
		return
	}
	if ev.Text != nil {
		w.head("content_block_delta", ev.Block)
		switch ev.Part {
		case llm.ToolCall:
			w.add(`,"delta":{"type":"input_json_delta","partial_json":`)
		case llm.Reasoning:
			w.add(`,"delta":{"type":"thinking_delta","thinking":`)
		default:
			w.add(`,"delta":{"type":"text_delta","text":`)
		}
		w.add(string(ev.Text), "}}")
	}
	if ev.Opaque != nil && ev.Part == llm.Reasoning {
		w.flush(send)
		w.head("content_block_delta", ev.Block)
		w.add(`,"delta":{"type":"signature_delta","signature":`, string(ev.Opaque), "}}")
	}
}
