package anthropic

import (
	"strconv"

	"github.com/weirproxy/weir/internal/llm"
)

// Payloads sends the payloads for an event of a stream; each is valid until the next one.
func (w *Writer) Payloads(ev *llm.Event, send func([]byte)) {
	w.out = w.out[:0]
	w.said.Hear(ev)
	w.spoken += int64(len(ev.Text.Inner()))
	switch ev.Kind {
	case llm.Start:
		w.add(`{"type":"message_start","message":`)
		w.message(ev.ID, ev.Name)
		w.add(`],"stop_reason":null,"stop_sequence":null,"stop_details":null,"usage":`)
		w.usage(w.took(ev))
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
		switch {
		case ev.Part == llm.Redacted && !w.shown:
			w.redacted(ev.Block, llm.JSON(`""`))
			w.flush(send)
		case ev.Part == llm.Reasoning && w.foreign:
			w.sign(ev.Block, w.signed(w.opaque))
			w.flush(send)
		}
		w.head("content_block_stop", ev.Block)
		w.add("}")
	case llm.End:
		w.add(`{"type":"message_delta","delta":{`)
		w.stopReason(ev)
		w.add(`},"usage":`)
		w.usage(w.took(ev))
		w.add("}")
		if !w.foreign { // there it is part of the framing
			w.flush(send)
			w.add(`{"type":"message_stop"}`)
		}
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
		if w.foreign {
			w.opaque, signature = append(w.opaque[:0], signature...), nil
		}
		if signature == nil {
			signature = llm.JSON(`""`)
		}
		w.add(`,"thinking":"","signature":`, string(signature), "}}")
	default:
		w.add(`,"text":""}}`)
	}
}

func (w *Writer) redacted(block int, data llm.JSON) {
	data = w.signed(data)
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
	if ev.Text != nil && (!w.foreign || len(ev.Text.Inner()) > 0) {
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
	switch {
	case ev.Opaque == nil || ev.Part != llm.Reasoning:
	case w.foreign:
		w.opaque = append(w.opaque[:0], ev.Opaque...)
	default:
		w.flush(send)
		w.sign(ev.Block, ev.Opaque)
	}
}

func (w *Writer) sign(block int, signature llm.JSON) {
	w.head("content_block_delta", block)
	w.add(`,"delta":{"type":"signature_delta","signature":`, string(signature), "}}")
}
