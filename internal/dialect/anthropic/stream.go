package anthropic

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/blocks"
	"github.com/weirproxy/weir/internal/dialect/cited"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Stream reads the events of one streamed answer.
type Stream struct {
	usage   counts
	finish  string
	refusal llm.JSON
	started bool
	id      string // id of the message, as JSON
	blocks  blocks.Open
	input   []byte // arguments of the open call, if its block began with them; nil once a piece of them came
	said    cited.Block
	s       jsonwalk.Scanner
	ev      payload
	sent    llm.Event
}

// payload is what one event says. Everything in it aliases the event's bytes.
type payload struct {
	typ, message, block, delta, usage llm.JSON
	index                             int64
}

// errSpliced is the error of a stream in which another answer begins.
var errSpliced = fmt.Errorf("%w: another message begins in the same stream", llm.ErrNoAnswer)

// Read takes one event's data and calls tell with its events. Pings and unknown events have none. The event End comes
// with message_stop, so that a stream without it is one that was cut short.
func (st *Stream) Read(data []byte, tell func(*llm.Event)) error {
	ev, ok, err := st.read(data)
	if err != nil || !ok {
		return err
	}
	if ev.Kind == llm.BlockStop {
		st.tellInput(ev, tell)
		st.said.End(ev.Block, tell)
	}
	text := ev.Text
	if ev.Kind == llm.BlockStart {
		ev.Text = nil
	}
	st.sent = ev
	tell(&st.sent)
	if ev.Kind == llm.BlockStart && len(text.Inner()) > 0 { // the vendor begins blocks with none; its SDKs take what there is
		st.sent = llm.Event{Kind: llm.Delta, Block: ev.Block, Part: ev.Part, Text: text}
		tell(&st.sent)
	}
	return nil
}

// tellInput sends the arguments that a call began with, if no others came. The vendor begins calls with an empty object; its SDKs
// take what there is.
func (st *Stream) tellInput(stop llm.Event, tell func(*llm.Event)) {
	if stop.Part == llm.ToolCall && st.input != nil {
		st.sent = llm.Event{Kind: llm.Delta, Block: stop.Block, Part: stop.Part, Text: llm.AppendQuote(nil, st.input)}
		tell(&st.sent)
	}
}

func (st *Stream) read(data []byte) (ev llm.Event, ok bool, err error) {
	if err := st.parse(data); err != nil {
		return ev, false, err
	}
	switch string(st.ev.typ.Inner()) {
	case "content_block_delta":
		return st.delta()
	case "content_block_start":
		return st.begin()
	case "content_block_stop":
		return st.stop()
	case "message_start":
		return st.start()
	case "message_delta":
		st.messageDelta()
	case "message_stop":
		if !st.started {
			return ev, false, fmt.Errorf("%w: it ends before it began", llm.ErrNoAnswer)
		}
		end := llm.Event{Kind: llm.End, Finish: st.finish, Refusal: st.refusal, Usage: st.usage.usage()}
		if end.Finish == "" {
			end.Finish = finish("")
		}
		return end, true, nil
	case "error":
		return ev, false, llm.ErrError
	}
	return ev, false, nil
}

// Used is the usage that the stream has reported so far.
func (st *Stream) Used() llm.Usage { return st.usage.usage() }

// Held is about how many bytes are remembered of the answer.
func (st *Stream) Held() int { return cap(st.input) + st.said.Held() }

// parse walks over the event's data once.
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
		case "message":
			to = &st.ev.message
		case "content_block":
			to = &st.ev.block
		case "delta":
			to = &st.ev.delta
		case "usage":
			to = &st.ev.usage
		case "index":
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

// start reads message_start. A second one with the same id, which some proxies splice in, is not reported again. One with another id
// begins another answer, and the events of the two could not be separated any more.
func (st *Stream) start() (ev llm.Event, ok bool, err error) {
	ev.Kind = llm.Start
	for name, v := range jsonwalk.Members(st.ev.message) {
		switch string(name) {
		case "id":
			ev.ID = str(v)
		case "model":
			ev.Name = str(v)
		case "usage":
			st.usage.read(v)
		}
	}
	if st.started {
		if len(ev.ID.Inner()) > 0 && st.id != "" && string(ev.ID) != st.id {
			err = errSpliced
		}
		return ev, false, err
	}
	ev.Usage = st.usage.usage()
	st.started, st.id = true, string(ev.ID)
	return ev, true, nil
}

func (st *Stream) begin() (ev llm.Event, ok bool, err error) {
	if !st.started {
		return ev, false, fmt.Errorf("%w: a block before its beginning", llm.ErrNoAnswer)
	}
	b := readBlock(st.ev.block)
	ev = llm.Event{Kind: llm.BlockStart, Part: b.kind, ID: b.id, Name: b.name, Text: b.text}
	if fresh, err := st.blocks.Begin(st.ev.index, &ev); !fresh {
		return ev, false, err
	}
	if len(b.opaque.Inner()) > 0 {
		ev.Opaque = b.opaque
	}
	switch b.kind {
	case llm.ToolCall:
		st.input = nil
		if string(b.input) != "{}" {
			st.input = slices.Clone(b.input)
		}
	case llm.Text:
		st.said.Begin(ev.Block)
		st.said.Say(b.text)
	}
	return ev, !blocks.Silent(b.kind), nil
}

func (st *Stream) delta() (ev llm.Event, ok bool, err error) {
	ev = llm.Event{Kind: llm.Delta}
	ev.Block, ev.Part, err = st.blocks.At(st.ev.index)
	switch {
	case err != nil || ev.Part == blocks.Own:
		return ev, false, err
	case ev.Part == blocks.Unknown && !jsonwalk.Empty(st.ev.delta):
		return ev, false, blocks.ErrForeign
	}
	data := st.ev.delta
	s := &st.s
	s.Reset(data, jsonwalk.Options{})
	if s.Kind() != '{' {
		return ev, false, nil
	}
	for ok := s.EnterObject(); ok && s.NextMember(); {
		name := s.Name()
		switch {
		case string(name) == "text" && ev.Part == llm.Text, string(name) == "thinking" && ev.Part == llm.Reasoning,
			string(name) == "partial_json" && ev.Part == llm.ToolCall:
			ev.Text = str(s.Skip().Of(data))
		case string(name) == "citation" && ev.Part == llm.Text:
			cite(&st.said, ev.Block, s.Skip().Of(data))
		case string(name) == "signature" && ev.Part == llm.Reasoning:
			ev.Opaque = str(s.Skip().Of(data))
		default:
			s.Skip()
		}
	}
	switch {
	case ev.Part == llm.Text:
		st.said.Say(ev.Text)
	case ev.Part == llm.ToolCall && len(ev.Text.Inner()) > 0:
		st.input = nil
	}
	return ev, ev.Text != nil || ev.Opaque != nil, nil
}

func (st *Stream) stop() (ev llm.Event, ok bool, err error) {
	ev = llm.Event{Kind: llm.BlockStop}
	if ev.Block, ev.Part, err = st.blocks.At(st.ev.index); err != nil || ev.Part == blocks.Unknown {
		return ev, false, err
	}
	st.blocks.End(ev.Block)
	return ev, ev.Part != blocks.Own, nil
}

func (st *Stream) messageDelta() {
	st.usage.read(st.ev.usage)
	for name, v := range jsonwalk.Members(st.ev.delta) {
		switch string(name) {
		case "stop_reason":
			if reason := llm.JSON(v).Text(); reason != "" {
				st.finish = finish(reason)
			}
		case "stop_details":
			st.refusal = append(llm.JSON(nil), explanation(v)...)
		}
	}
}
