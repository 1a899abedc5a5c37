package converse

import (
	"fmt"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/blocks"
	"github.com/weirproxy/weir/internal/dialect/cited"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Stream reads the payloads of one streamed answer, as Frames gives them.
type Stream struct {
	usage            counts
	finish           string
	failed           error // error of a failed answer
	started, metered bool
	blocks           blocks.Open
	said             cited.Block
	s                jsonwalk.Scanner
	ev               payload
}

// payload is what one event says. Everything in it aliases the event's bytes.
type payload struct {
	typ, start, delta, usage, reason llm.JSON
	index                            int64
}

// Read takes one payload. The event End is reported once both messageStop, which says why the answer ended, and metadata, which says what
// it used, have come.
func (st *Stream) Read(data []byte, tell func(*llm.Event)) error {
	if err := st.parse(data); err != nil {
		return err
	}
	switch string(st.ev.typ.Inner()) {
	case "contentBlockDelta":
		return st.delta(tell)
	case "contentBlockStart":
		return st.start(tell)
	case "contentBlockStop":
		st.said.End(int(st.ev.index), tell)
		n, kind, err := st.blocks.At(st.ev.index)
		if err != nil || kind == blocks.Unknown {
			return err
		}
		if st.blocks.End(n); kind == blocks.Own {
			return nil
		}
		tell(&llm.Event{Kind: llm.BlockStop, Block: n, Part: kind})
	case "messageStart":
		if !st.started {
			st.started = true
			tell(&llm.Event{Kind: llm.Start})
		}
	case "messageStop":
		st.finish, st.failed = finish(st.ev.reason.Text())
		return st.end(tell)
	case "metadata":
		st.metered = true
		st.usage.read(st.ev.usage)
		return st.end(tell)
	case "error":
		return llm.ErrError
	}
	return nil
}

// Used is the usage that the stream has reported so far.
func (st *Stream) Used() llm.Usage { return st.usage.usage() }

// Held is about how many bytes are remembered of the answer.
func (st *Stream) Held() int { return st.said.Held() }

// parse walks over the payload once.
func (st *Stream) parse(data []byte) error {
	s := &st.s
	st.ev = payload{index: -1}
	if err := dialect.WalkEvent(s, data); err != nil {
		return err
	}
	for ok := s.EnterObject(); ok && s.NextMember(); {
		to := (*llm.JSON)(nil)
		switch string(s.Name()) {
		case "type":
			to = &st.ev.typ
		case "start":
			to = &st.ev.start
		case "delta":
			to = &st.ev.delta
		case "usage":
			to = &st.ev.usage
		case "stopReason":
			to = &st.ev.reason
		case "contentBlockIndex":
			if n, err := strconv.ParseInt(string(s.Skip().Of(data)), 10, 64); err == nil {
				st.ev.index = n
			}
			continue
		}
		if value := s.Skip().Of(data); to != nil {
			*to = value
		}
	}
	return s.End()
}

// start reads the start of a block. One that does not say of what kind is left to the first delta: some models start a text with {}, most
// not at all.
func (st *Stream) start(tell func(*llm.Event)) error {
	ev := llm.Event{Kind: llm.BlockStart, Part: blocks.Unknown}
	for name, v := range jsonwalk.Members(st.ev.start) {
		switch string(name) {
		case "toolUse":
			ev.Part, ev.ID, ev.Name = called(v)
		case "toolResult":
			ev.Part = blocks.Own
		}
	}
	if ev.Part == blocks.Unknown && jsonwalk.Empty(st.ev.start) {
		return nil
	}
	return st.begin(ev, tell)
}

// begin begins the event's block, and sends ev unless it has begun already.
func (st *Stream) begin(ev llm.Event, tell func(*llm.Event)) error {
	if !st.started {
		return fmt.Errorf("%w: a block before its beginning", llm.ErrNoAnswer)
	}
	if fresh, err := st.blocks.Begin(st.ev.index, &ev); !fresh {
		return err
	}
	if ev.Part == llm.Text {
		st.said.Begin(ev.Block)
	}
	if !blocks.Silent(ev.Part) {
		tell(&ev)
	}
	return nil
}

// delta reads a piece of a block. Only tool blocks have a start event.
func (st *Stream) delta(tell func(*llm.Event)) error {
	ev, citation := readDelta(st.ev.delta)
	if citation != nil { // it does not say whether its block will have a text
		citePage(&st.said, int(st.ev.index), citation)
		if ev.Part == blocks.Unknown {
			return nil
		}
	}
	if err := st.begin(llm.Event{Kind: llm.BlockStart, Part: ev.Part}, tell); err != nil {
		return err
	}
	number, kind, err := st.blocks.At(st.ev.index)
	switch ev.Block = number; {
	case err != nil:
		return err
	case kind == blocks.Own:
	case ev.Part != kind || kind == blocks.Unknown:
		if !jsonwalk.Empty(st.ev.delta) {
			return blocks.ErrForeign
		}
	case ev.Text != nil || ev.Opaque != nil:
		if kind == llm.Text {
			st.said.Say(ev.Text)
		}
		tell(&ev)
	}
	return nil
}

// readDelta is what a delta says, and what it cites.
func readDelta(delta llm.JSON) (ev llm.Event, citation llm.JSON) {
	ev = llm.Event{Kind: llm.Delta, Part: blocks.Unknown}
	for name, v := range jsonwalk.Members(delta) {
		switch string(name) {
		case "text":
			ev.Part, ev.Text = llm.Text, str(v)
		case "citation":
			citation = v
		case "toolUse":
			ev.Part, ev.Text = llm.ToolCall, str(member(v, "input"))
		case "reasoningContent":
			ev.Part = llm.Reasoning
			for inner, v := range jsonwalk.Members(v) {
				switch string(inner) {
				case "text":
					ev.Text = str(v)
				case "signature":
					ev.Opaque = str(v)
				case "redactedContent":
					ev.Part, ev.Opaque = llm.Redacted, str(v)
				}
			}
		}
	}
	return ev, citation
}

// Close reports the end of a stream that ended without metadata: what it used stays unknown. Without messageStop it was cut short.
func (st *Stream) Close(tell func(*llm.Event)) {
	if st.started && !st.metered && st.finish != "" && st.failed == nil {
		tell(&llm.Event{Kind: llm.End, Finish: st.finish, Uncounted: true})
	}
}

// end sends the end of the answer once all its events have come.
func (st *Stream) end(tell func(*llm.Event)) error {
	switch {
	case !st.started:
		return fmt.Errorf("%w: it ends before it began", llm.ErrNoAnswer)
	case st.failed != nil && st.metered:
		return st.failed
	case st.finish != "" && st.metered:
		tell(&llm.Event{Kind: llm.End, Finish: st.finish, Usage: st.usage.usage()})
	}
	return nil
}
