package anthropic

import (
	"fmt"
	"slices"
	"strconv"

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
	blocks  []open // by the upstream's index
	last    int    // the block that began last
	said    cited.Block
	s       jsonwalk.Scanner
	ev      payload
	told    llm.Event
}

// open is a block that has begun.
type open struct {
	kind  llm.PartKind
	begun bool
	input []byte // of a call, where the block began with it; nil once a piece of it came by itself
}

// maxBlocks bounds what an answer can make us remember.
const maxBlocks = 4096

// payload is what one event says. Everything in it aliases the event's bytes.
type payload struct {
	typ, message, block, delta, usage llm.JSON
	index                             int64
}

// Read takes one event's data and tells what it says, which is nothing of pings and what it does not know. The event End
// comes with message_stop, so that a stream without it is one that was cut short.
func (st *Stream) Read(data []byte, tell func(*llm.Event)) error {
	ev, told, err := st.read(data)
	if err != nil || !told {
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
	st.told = ev
	tell(&st.told)
	if ev.Kind == llm.BlockStart && len(text.Inner()) > 0 { // the vendor begins blocks with none; its SDKs take what there is
		st.told = llm.Event{Kind: llm.Delta, Block: ev.Block, Part: ev.Part, Text: text}
		tell(&st.told)
	}
	return nil
}

// tellInput tells what a call began with, if that was all. The vendor begins calls with an empty object; its SDKs take what there is.
func (st *Stream) tellInput(stop llm.Event, tell func(*llm.Event)) {
	if b := &st.blocks[stop.Block]; b.input != nil {
		st.told = llm.Event{Kind: llm.Delta, Block: stop.Block, Part: stop.Part, Text: llm.AppendQuote(nil, b.input)}
		b.input = nil
		tell(&st.told)
	}
}

func (st *Stream) read(data []byte) (ev llm.Event, told bool, err error) {
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

// Used is what the stream told so far that it takes.
func (st *Stream) Used() llm.Usage { return st.usage.usage() }

// parse walks over the event's data once.
func (st *Stream) parse(data []byte) error {
	s := &st.s
	s.Reset(data, jsonwalk.Options{})
	st.ev = payload{index: -1}
	if s.Kind() != '{' {
		s.Skip()
		if err := s.End(); err != nil {
			return err
		}
		return fmt.Errorf("%w: an event is no object", llm.ErrNoAnswer)
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

// start reads message_start. A second one, which some proxies splice in, is not told again.
func (st *Stream) start() (ev llm.Event, told bool, err error) {
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
	ev.Usage = st.usage.usage()
	told, st.started = !st.started, true
	return ev, told, nil
}

func (st *Stream) begin() (ev llm.Event, told bool, err error) {
	i := st.ev.index
	if i < 0 || i >= maxBlocks || !st.started {
		return ev, false, fmt.Errorf("%w: a block without a place", llm.ErrNoAnswer)
	}
	for int64(len(st.blocks)) <= i {
		st.blocks = append(st.blocks, open{kind: unknownBlock})
	}
	b := readBlock(st.ev.block)
	switch {
	case st.blocks[i].begun:
		return ev, false, nil
	case b.nameless():
		return ev, false, llm.ErrNameless
	}
	st.blocks[i], st.last = open{kind: b.kind, begun: true}, int(i)
	if string(b.input) != "{}" {
		st.blocks[i].input = slices.Clone(b.input)
	}
	ev = llm.Event{Kind: llm.BlockStart, Block: int(i), Part: b.kind, ID: b.id, Name: b.name}
	if len(b.opaque.Inner()) > 0 {
		ev.Opaque = b.opaque
	}
	if ev.Text = b.text; b.kind == llm.Text {
		st.said.Begin(int(i))
		st.said.Say(b.text)
	}
	return ev, b.kind != unknownBlock, nil
}

// at is the kind of the block that the event is about, unknownBlock if it is none that a chat answer has.
func (st *Stream) at() (int, llm.PartKind) {
	if i := st.ev.index; i >= 0 && i < int64(len(st.blocks)) {
		return int(i), st.blocks[i].kind
	}
	return 0, unknownBlock
}

// errInTurns is calls of tools that go on behind the beginning of the next: which arguments are whose would be a guess.
var errInTurns = fmt.Errorf("%w: calls of tools come in turns", llm.ErrNoAnswer)

// inTurns reports whether an event is about a call of a tool behind which another block has begun.
func (st *Stream) inTurns(ev *llm.Event) bool {
	return ev.Part == llm.ToolCall && ev.Block != st.last
}

func (st *Stream) delta() (ev llm.Event, told bool, err error) {
	ev = llm.Event{Kind: llm.Delta}
	ev.Block, ev.Part = st.at()
	switch {
	case ev.Part == unknownBlock:
		return ev, false, nil
	case st.inTurns(&ev):
		return ev, false, errInTurns
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
		case string(name) == "signature":
			ev.Opaque = str(s.Skip().Of(data))
		default:
			s.Skip()
		}
	}
	if len(ev.Text.Inner()) > 0 {
		st.blocks[ev.Block].input = nil
	}
	if ev.Part == llm.Text {
		st.said.Say(ev.Text)
	}
	return ev, ev.Text != nil || ev.Opaque != nil, nil
}

func (st *Stream) stop() (ev llm.Event, told bool, err error) {
	ev = llm.Event{Kind: llm.BlockStop}
	ev.Block, ev.Part = st.at()
	if st.inTurns(&ev) {
		return ev, false, errInTurns
	}
	if ev.Part != unknownBlock {
		st.blocks[ev.Block].kind = unknownBlock // it says nothing more
	}
	return ev, ev.Part != unknownBlock, nil
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
