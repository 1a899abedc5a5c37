package converse

import (
	"bytes"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect/eventstream"
	"github.com/weirproxy/weir/internal/llm"
)

// Payloads sends the payloads for an event of a stream; each is valid until the next one. They are such as Frames reads;
// AppendFrame makes a frame of one.
func (w *Writer) Payloads(ev *llm.Event, send func([]byte)) {
	w.said.Hear(ev)
	switch ev.Kind {
	case llm.Start:
		w.send(send, `{"type":"messageStart","role":"assistant"}`)
	case llm.BlockStart:
		w.blocks++
		if w.silent = true; ev.Part == llm.ToolCall {
			w.head("contentBlockStart", `,"start":{"toolUse":{`)
			w.out = appendCall(w.out, ev)
			w.send(send, "}}}")
		}
		w.opaquely(ev, send)
	case llm.Delta:
		w.delta(ev.Part, ev.Text, send)
		w.opaquely(ev, send)
	case llm.Cited:
		w.cited(ev.Citation, send)
	case llm.BlockStop:
		if w.silent && ev.Part != llm.ToolCall { // only a block with content has begun
			w.delta(ev.Part, llm.JSON(`""`), send)
		}
		w.head("contentBlockStop", "")
		w.send(send, "}")
	case llm.End:
		w.out = append(append(w.out, `{"type":"messageStop","stopReason":"`...), w.reason(ev.Finish)...)
		w.send(send, `"}`)
		w.out = append(w.appendMetrics(append(w.out, `{"type":"metadata",`...)), ',')
		w.out = appendUsage(w.out, ev.Usage)
		w.send(send, "}")
	}
}

// cited sends a citation: with the open text, or in a block of its own after one.
func (w *Writer) cited(c *llm.Citation, send func([]byte)) {
	if !w.said.Is(c) {
		return
	}
	_, open := w.said.Open()
	if !open {
		w.blocks++
	}
	w.head("contentBlockDelta", `,"delta":{"citation":`)
	w.out = appendCitation(w.out, c)
	if w.send(send, "}}"); !open {
		w.head("contentBlockStop", "")
		w.send(send, "}")
	}
}

// send sends the payload that was written up to its end.
func (w *Writer) send(send func([]byte), end string) {
	w.out = append(w.out, end...)
	send(w.out)
	w.out = w.out[:0]
}

// head begins a payload about the block that is open.
func (w *Writer) head(typ, behind string) {
	w.out = append(w.out, `{"type":"`+typ+`","contentBlockIndex":`...)
	w.out = append(strconv.AppendInt(w.out, int64(w.blocks-1), 10), behind...)
}

// delta sends a piece of the block that is open.
func (w *Writer) delta(part llm.PartKind, text llm.JSON, send func([]byte)) {
	name, end := `,"delta":{"text":`, "}}"
	switch {
	case text == nil || part == llm.Redacted:
		return
	case part == llm.ToolCall:
		name, end = `,"delta":{"toolUse":{"input":`, "}}}"
	case part == llm.Reasoning:
		name, end = `,"delta":{"reasoningContent":{"text":`, "}}}"
	}
	w.silent = false
	w.head("contentBlockDelta", name)
	w.out = append(w.out, text...)
	w.send(send, end)
}

// opaquely sends by what the model knows its reasoning again.
func (w *Writer) opaquely(ev *llm.Event, send func([]byte)) {
	if len(ev.Opaque) == 0 || ev.Part != llm.Reasoning && ev.Part != llm.Redacted {
		return
	}
	name := `,"delta":{"reasoningContent":{"signature":`
	if ev.Part == llm.Redacted {
		name = `,"delta":{"reasoningContent":{"redactedContent":`
	}
	w.silent = false
	w.head("contentBlockDelta", name)
	w.out = append(w.out, ev.Opaque...)
	w.send(send, "}}}")
}

// AppendFrame appends the frame of a payload, which names its type first, as those of Frames do. The type goes into the head of the
// frame; the type of an error becomes that of an exception.
func AppendFrame(dst, payload []byte) []byte {
	typ, body := cutType(payload)
	message := "event"
	if typ == "error" {
		message = "exception"
		typ, body = cutType(member(body, "error"))
	}
	return eventstream.Append(dst, body, eventstream.Header{Name: ":" + message + "-type", Value: typ},
		eventstream.Header{Name: ":content-type", Value: "application/json"}, eventstream.Header{Name: ":message-type", Value: message})
}

// cutType takes the type, which comes first, out of an object.
func cutType(object []byte) (typ string, rest []byte) {
	name, rest, _ := bytes.Cut(bytes.TrimPrefix(object, []byte(`{"type":"`)), []byte(`"`))
	return string(name), append([]byte("{"), bytes.TrimPrefix(rest, []byte(","))...)
}
