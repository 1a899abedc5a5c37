package passthrough

import (
	"bytes"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai"
)

// choiceState is what a stream remembers of one choice.
type choiceState struct {
	index    int64
	role     bool // a role was sent
	finished bool
	ending   ending // the last reason that it got, even if it went on
	tools    []toolState
}

// choice finds or makes the state of a choice. The number of them bounds what an upstream can make us keep. Only completions of many
// prompts in one call have more.
func (st *Stream) choice(index int64) *choiceState {
	for _, c := range st.choices {
		if c.index == index {
			return c
		}
	}
	c := &choiceState{index: index}
	if len(st.choices) == openai.MaxChoices {
		st.more = true
		return c
	}
	st.choices = append(st.choices, c)
	return c
}

// walkChoices walks over the value of choices, whatever it is.
func (st *Stream) walkChoices(c *chunk) {
	s := &st.e.scan
	if !c.choices {
		s.Skip()
		return
	}
	list, ok := st.e.enterArray()
	for position := int64(0); ok && s.NextElement(); position++ {
		start := pos(s)
		if s.Kind() != '{' {
			s.Skip()
			list.tookElement(start)
			continue
		}
		index, present := st.peekIndex(position)
		state := st.choice(index)
		if state.finished && !st.reopens(state) {
			s.Skip()
			c.skipped++
			list.tookElement(start)
			list.cutLast(dialect.RepairAfterFinish)
			continue
		}
		c.counted++
		st.walkChoice(state, present, c)
		list.tookElement(start)
	}
	list.close()
}

// pos is where the value that comes next begins.
func pos(s *jsonwalk.Scanner) int {
	s.Kind()
	return s.Pos()
}

// peekIndex reads the index of the next choice. It decides whose state applies to the members before it; position
// replaces a missing one.
func (st *Stream) peekIndex(position int64) (index int64, present bool) {
	// Nearly everyone begins with a small one.
	if rest, first := bytes.CutPrefix(st.e.data[st.e.scan.Pos():], []byte(`{"index":`)); first && len(rest) > 1 &&
		'0' <= rest[0] && rest[0] <= '9' && rest[1] == ',' {
		return int64(rest[0] - '0'), true
	}
	look := st.e.scan // a copy: the scanner itself stays where it is
	for ok := look.EnterObject(); ok && look.NextMember(); {
		if string(look.Name()) == "index" && look.Kind() == '0' {
			return openai.ReadInt(&look, st.e.data), true
		}
		look.Skip()
	}
	return position, false
}

// reopens has a choice that ended go on, if what comes next says anything more and its end was not sent yet.
func (st *Stream) reopens(state *choiceState) bool {
	if st.e.held == nil || st.e.reopened.End > 0 || len(st.choices) > 1 || !st.peekContent() {
		return false
	}
	st.e.reopened = finishOf(st.e.held)
	state.finished = false
	st.Repairs[dialect.RepairAfterFinish]++
	return true
}

// peekContent reports whether the choice that comes next has anything but its end, even of an unknown kind.
func (st *Stream) peekContent() bool {
	look := st.e.scan // a copy: the scanner itself stays where it is
	for ok := look.EnterObject(); ok && look.NextMember(); {
		name, kind := look.NameSpan().Of(st.e.data), look.Kind()
		switch {
		case string(name) == `"delta"` && kind == '{':
			for ok := look.EnterObject(); ok && look.NextMember(); {
				role, kind := string(look.Name()) == "role", look.Kind()
				if value := look.Skip(); !role && !emptyValue(value.Of(st.e.data), kind) {
					return true
				}
			}
		case string(name) == `"text"`:
			if !emptyValue(look.Skip().Of(st.e.data), kind) {
				return true
			}
		default:
			look.Skip()
		}
	}
	return false
}

// finishOf finds the finish reason in a repaired payload with the end of one choice.
func finishOf(payload []byte) (reason jsonwalk.Span) {
	s := jsonwalk.NewScanner(payload, jsonwalk.Options{})
	for in := s.EnterObject(); in && s.NextMember(); {
		if string(s.Name()) != "choices" {
			s.Skip()
			continue
		}
		for in := s.EnterArray(); in && s.NextElement(); {
			if s.Kind() != '{' {
				s.Skip()
				continue
			}
			for in := s.EnterObject(); in && s.NextMember(); {
				is := string(s.Name()) == "finish_reason" && s.Kind() == '"'
				if span := s.Skip(); is {
					reason = span
				}
			}
		}
	}
	return reason
}

// choiceMembers are what was seen of a choice.
type choiceMembers struct {
	finish, delta, failed bool
}

func (st *Stream) walkChoice(state *choiceState, hasIndex bool, c *chunk) {
	s := &st.e.scan
	var seen choiceMembers
	var finishAt jsonwalk.Span
	choice, ok := st.e.enterObject()
	for ok && choice.next() {
		name, start := s.NameSpan(), pos(s)
		switch string(s.Name()) {
		case "index":
			kind := s.Kind()
			if span := s.Skip(); kind != '0' {
				st.e.replace(dialect.RepairIndex, span, strconv.FormatInt(state.index, 10))
				hasIndex = true
			}
		case "delta":
			seen.delta = true
			st.walkDelta(state, c)
			choice.took(name, start)
			continue
		case "text":
			kind := s.Kind()
			raw := s.Skip().Of(st.e.data)
			c.Content = !emptyValue(raw, kind) || c.Content
			st.e.said += len(raw)
		case "usage":
			st.usageAside(c)
		case "error":
			kind := s.Kind()
			seen.failed = isError(s.Skip().Of(st.e.data), kind)
		case "finish_reason":
			seen.finish = true
			finishAt = s.Skip()
		default:
			s.Skip()
		}
		choice.took(name, start)
	}
	if !hasIndex {
		choice.add(dialect.RepairIndex, `"index":`+strconv.FormatInt(state.index, 10))
	}
	if !seen.delta && !st.Legacy {
		choice.add(dialect.RepairDelta, `"delta":`+st.emptyDelta(state))
	}
	finishes := false
	if seen.finish { // judged last: the calls that it is about may follow it
		finishes = st.finish(state, finishAt, c)
	} else {
		choice.add(dialect.RepairFinish, `"finish_reason":null`)
	}
	choice.close()
	c.Error = c.Error || seen.failed && !finishes
	if finishes {
		state.finished, c.Content, c.Ends = true, true, len(st.choices) == 1
	}
}

// emptyDelta is the delta of a chunk without one.
func (st *Stream) emptyDelta(state *choiceState) string {
	if state.role {
		return "{}"
	}
	state.role = true
	return `{"role":"assistant"}`
}

// finish reads a finish reason and reports whether it ends the choice.
func (st *Stream) finish(state *choiceState, span jsonwalk.Span, c *chunk) bool {
	if st.e.scan.Err() != nil {
		return false
	}
	raw := span.Of(st.e.data)
	told, text := jsonwalk.Text(raw)
	switch {
	case !text && string(raw) != "null", text && told == "":
		st.e.replace(dialect.RepairFinish, span, "null")
		return false
	case !text:
		return false
	}
	reason, fails := finishReason(told)
	if fails {
		c.Error = true
		return false
	}
	kind := dialect.RepairFinish
	if (reason == "stop" || reason == "function_call") && len(state.tools) > 0 {
		reason, kind = "tool_calls", dialect.RepairFinishTools
	}
	if reason != told {
		st.e.replace(kind, span, quote(reason))
	}
	st.Finish, state.ending = reason, endingOf(reason)
	return true
}

// walkDelta walks over a delta and notes whether it holds content.
func (st *Stream) walkDelta(state *choiceState, c *chunk) {
	s := &st.e.scan
	if s.Kind() != '{' {
		span := s.Skip()
		if s.Err() == nil {
			st.e.replace(dialect.RepairDelta, span, st.emptyDelta(state))
		}
		return
	}
	hasRole := false
	delta, ok := st.e.enterObject()
	for ok && delta.next() {
		name, start, kind := s.NameSpan(), pos(s), s.Kind()
		member := s.Name()
		switch {
		case string(member) == "role":
			hasRole = true
			span := s.Skip()
			delta.took(name, start)
			st.role(state, &delta, span)
			continue
		case string(member) == "tool_calls" && kind == '[':
			st.walkTools(state, &delta, name, c)
			continue
		case string(member) == "content" && kind == '[':
			c.Content = delta.flatten(s.Skip()) || c.Content
		default:
			content := string(member) == "function_call" || isContent(member)
			if raw := s.Skip().Of(st.e.data); content && !emptyValue(raw, kind) {
				c.Content = true
				st.e.hear(member, raw)
			}
		}
		delta.took(name, start)
	}
	if !hasRole && !state.role {
		state.role = true
		delta.add(dialect.RepairRole, `"role":"assistant"`)
	}
	delta.close()
}

// role keeps the first role of a choice and makes it one that can be read; the later ones are cut.
func (st *Stream) role(state *choiceState, delta *container, span jsonwalk.Span) {
	if st.e.scan.Err() != nil {
		return
	}
	if state.role {
		delta.cutLast(dialect.RepairRole)
		return
	}
	state.role = true
	if text, ok := jsonwalk.Text(span.Of(st.e.data)); !ok || text == "" {
		st.e.replace(dialect.RepairRole, span, `"assistant"`)
	}
}

// flatten makes a string of content that came as a list of parts. Thinking parts become reasoning_content, unless
// the upstream sends that itself. It reports whether there was anything in them.
func (c *container) flatten(span jsonwalk.Span) (content bool) {
	if c.e.scan.Err() != nil {
		return false
	}
	text, thinking := textOfParts(span.Of(c.e.data), false)
	c.e.said += len(text) + len(thinking)
	flat := quote(text)
	if thinking != "" && !c.hasReasoning() {
		flat += `,"reasoning_content":` + quote(thinking)
	}
	c.e.replace(dialect.RepairContent, span, flat)
	return text != "" || thinking != ""
}

// hear counts a member of a delta, or of a message, that the model said. Some servers tell their reasoning under two names.
func (e *editor) hear(member, raw []byte) {
	switch string(member) {
	case "content", "refusal":
		e.said += len(raw) - len(`""`)
	case "reasoning_content", "reasoning":
		e.thought = max(e.thought, len(raw)-len(`""`))
	}
}

// heard is what was counted of one payload.
func (e *editor) heard() int64 { return int64(e.said + e.thought) }

// isContent reports whether a member of a delta is something that the caller reads.
func isContent(name []byte) bool {
	switch string(name) {
	case "content", "refusal", "audio":
		return true
	}
	return len(name) >= len("reasoning") && string(name[:len("reasoning")]) == "reasoning"
}

// isError reports whether the error member of a choice says anything. It counts where the choice has no finish reason that
// says otherwise.
func isError(raw []byte, kind byte) bool {
	return (kind == '{' || kind == '"') && !emptyValue(raw, kind)
}

// emptyValue reports whether a validated value is null, or an empty string, array or object.
func emptyValue(raw []byte, kind byte) bool {
	switch kind {
	case 'n':
		return true
	case '"':
		return len(raw) == 2
	case '[', '{':
		return jsonwalk.Hollow(raw)
	}
	return false
}
