package openai

import (
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Stream follows one stream of one attempt. It is pure: payloads in, findings and edits out.
type Stream struct {
	// AskedUsage says that Weir asked for usage on its own account: what that adds is cut out again.
	AskedUsage bool
	// WantUsage says that the caller asked for the usage chunk.
	WantUsage bool
	// EchoModel, if not empty, replaces the model's name.
	EchoModel string

	Usage    llm.Usage // of the last chunk that told it
	HasUsage bool
	Finish   string // the last finish reason seen

	seen, finished [2]uint64 // choices by index, as bits
	tool           bool      // a tool call was begun and no finish reason followed

	scan  jsonwalk.Scanner
	edits []jsonwalk.Edit
}

// Chunk is what one payload of a stream is.
type Chunk struct {
	Content bool            // the caller would see content, or the end of a choice
	Error   bool            // the payload is an error
	Drop    bool            // the payload is not for the caller
	Edits   []jsonwalk.Edit // valid until the next call of Walk
}

// Walk takes the next payload. The error is about JSON that cannot be relayed.
func (st *Stream) Walk(payload []byte) (Chunk, error) {
	var c Chunk
	st.edits = st.edits[:0]
	s := &st.scan
	s.Reset(payload, jsonwalk.Options{})
	usage := usageMember{prevEnd: -1}
	hasChoices, noChoices, flat := false, true, false
	end, cut := -1, false // where the last member ended; whether the one before has to go
	for ok := s.EnterObject(); ok && s.NextMember(); {
		name := s.NameSpan()
		if cut && usage.nextStart == 0 {
			usage.nextStart = name.Start
		}
		switch string(s.Name()) {
		case "choices":
			hasChoices, noChoices = true, st.choices(s, payload, &c) == 0
		case "usage":
			usage.present, usage.null = true, s.Kind() == 'n'
			usage.name, usage.prevEnd, cut = name, end, true
			if u, ok := readUsage(s, payload); ok {
				st.Usage, st.HasUsage = u, true
			}
			usage.end = s.Pos()
		case "model":
			if span := s.Skip(); st.EchoModel != "" && s.Err() == nil {
				st.edits = append(st.edits, jsonwalk.Edit{Span: span, New: quote(st.EchoModel)})
			}
		case "error":
			c.Error = c.Error || s.Kind() != 'n'
			s.Skip()
		case "message", "detail": // the flat shapes of errors: vLLM's, FastAPI's
			flat = true
			s.Skip()
		default:
			s.Skip()
		}
		end = s.Pos()
	}
	if err := s.End(); err != nil {
		return c, err
	}
	c.Error = c.Error || flat && !hasChoices && !usage.present
	c.Drop = end < 0 // a ping
	if !st.WantUsage && usage.present && !c.Error {
		st.hideUsage(&c, usage, noChoices)
	}
	c.Edits = st.edits
	return c, nil
}

// hideUsage takes the usage out of a chunk for a caller who did not ask: all of a chunk that has nothing else, and
// otherwise what came only because Weir asked.
func (st *Stream) hideUsage(c *Chunk, usage usageMember, noChoices bool) {
	switch {
	case noChoices && !usage.null:
		c.Drop = true
	case st.AskedUsage:
		st.edits = usage.cutFrom(st.edits)
	}
}

// usageMember is where a chunk's usage stands, to cut it out with one comma.
type usageMember struct {
	present, null bool
	name          jsonwalk.Span
	prevEnd, end  int // end of the member before (-1: none), end of the value
	nextStart     int // start of the member behind (0: none)
}

// cutFrom adds the cut to the edits, in order of position.
func (u usageMember) cutFrom(edits []jsonwalk.Edit) []jsonwalk.Edit {
	span := jsonwalk.Span{Start: u.prevEnd, End: u.end}
	switch {
	case u.prevEnd >= 0:
	case u.nextStart > 0:
		span = jsonwalk.Span{Start: u.name.Start, End: u.nextStart}
	default:
		span.Start = u.name.Start
	}
	i := len(edits)
	for i > 0 && edits[i-1].Start >= span.End {
		i--
	}
	edits = append(edits, jsonwalk.Edit{})
	copy(edits[i+1:], edits[i:])
	edits[i] = jsonwalk.Edit{Span: span}
	return edits
}

// choices consumes the array of choices, notes what each brings, and counts them.
func (st *Stream) choices(s *jsonwalk.Scanner, payload []byte, c *Chunk) int {
	if s.Kind() != '[' {
		s.Skip()
		return 0
	}
	n := 0
	for ok := s.EnterArray(); ok && s.NextElement(); {
		n++
		if s.Kind() != '{' {
			s.Skip()
			continue
		}
		st.choice(s, payload, c)
	}
	return n
}

func (st *Stream) choice(s *jsonwalk.Scanner, payload []byte, c *Chunk) {
	index, finish := int64(0), false
	for ok := s.EnterObject(); ok && s.NextMember(); {
		switch string(s.Name()) {
		case "index":
			index = readInt(s, payload)
		case "delta":
			st.delta(s, payload, c)
		case "text":
			kind := s.Kind()
			c.Content = !emptyValue(s.Skip().Of(payload), kind) || c.Content
		case "finish_reason":
			if raw := s.Skip().Of(payload); len(raw) > 2 && raw[0] == '"' {
				st.Finish, _ = jsonwalk.Text(raw)
				finish = true
			}
		default:
			s.Skip()
		}
	}
	index = min(index, 127)
	st.seen[index/64] |= 1 << (index % 64)
	if finish {
		st.finished[index/64] |= 1 << (index % 64)
	}
	if finish {
		c.Content, st.tool = true, false
	}
}

// delta consumes a delta and notes whether it holds content.
func (st *Stream) delta(s *jsonwalk.Scanner, payload []byte, c *Chunk) {
	if s.Kind() != '{' {
		s.Skip()
		return
	}
	for ok := s.EnterObject(); ok && s.NextMember(); {
		name, kind := s.Name(), s.Kind()
		tool := string(name) == "tool_calls" || string(name) == "function_call"
		content := tool || isContent(name)
		raw := s.Skip().Of(payload)
		if content && !emptyValue(raw, kind) {
			c.Content = true
			st.tool = st.tool || tool
		}
	}
}

// isContent reports whether a member of a delta is something that the caller reads.
func isContent(name []byte) bool {
	switch string(name) {
	case "content", "refusal", "audio":
		return true
	}
	return len(name) >= len("reasoning") && string(name[:len("reasoning")]) == "reasoning"
}

// emptyValue reports whether a validated value is null, or an empty string, array or object.
func emptyValue(raw []byte, kind byte) bool {
	switch kind {
	case 'n':
		return true
	case '"':
		return len(raw) == 2
	case '[', '{':
		return emptyContainer(raw)
	}
	return false
}

// Complete reports whether a stream that ended here was whole: there was a choice, and every choice seen has its
// finish reason, or the upstream said [DONE] itself and no tool call is open.
func (st *Stream) Complete(done bool) bool {
	switch {
	case st.seen == [2]uint64{}:
		return false
	case done:
		return !st.tool
	}
	return st.seen == st.finished
}
