package passthrough

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

// toolState is what a stream remembers of one tool call.
type toolState struct {
	choice int64
	given  int64  // the index that the upstream gave it
	index  int64  // the one that the caller sees
	id     string // as JSON text without quotes, or ""
	name   string // as JSON text, "" until it comes
	whole  bool   // its first delta held all of its arguments
}

// Bounds on the state that an upstream can make us keep: the calls of a stream, and how much of their ids and names
// distinguishes them.
const (
	maxTools    = 1024
	maxToolName = 256
)

// walkTools walks over the tool calls of a delta. An empty list is cut: clients take it for a call.
func (st *Stream) walkTools(state *choiceState, delta *container, name jsonwalk.Span, c *chunk) {
	s := &st.e.scan
	start := s.Pos()
	list, ok := st.e.enterArray()
	n := 0
	for ok && s.NextElement() {
		n++
		if s.Kind() != '{' {
			s.Skip()
			continue
		}
		st.walkTool(state)
	}
	list.close()
	delta.took(name, start)
	if n == 0 {
		delta.cutLast(dialect.RepairToolsEmpty)
		return
	}
	c.Content = true
}

// toolMembers are what a tool call's delta was seen to hold.
type toolMembers struct {
	hasIndex, id, typed, custom bool
	typeAt                      jsonwalk.Span // of an empty type
}

// typeName is the type of a call that does not name it.
func (m toolMembers) typeName() string {
	if m.custom {
		return `"custom"`
	}
	return `"function"`
}

// walkTool walks over one tool call of a delta. The first delta holds index, id, type and name; later ones hold
// the index and a piece of the arguments.
func (st *Stream) walkTool(state *choiceState) {
	tool, first, named := st.toolOf(state)
	s := &st.e.scan
	var seen toolMembers
	call, ok := st.e.enterObject()
	for ok && call.next() {
		name, start, kind := s.NameSpan(), pos(s), s.Kind()
		switch string(s.Name()) {
		case "index":
			seen.hasIndex = true
			if span := s.Skip(); s.Err() == nil && string(span.Of(st.e.data)) != strconv.FormatInt(tool.index, 10) {
				st.e.replace(dialect.RepairToolIndex, span, strconv.FormatInt(tool.index, 10))
			}
			call.took(name, start)
		case "id":
			seen.id = true
			span := s.Skip()
			call.took(name, start)
			st.toolID(&call, span, tool, first)
		case "type":
			seen.typed = true
			span := s.Skip()
			call.took(name, start)
			switch {
			case !first:
				call.cutLast(dialect.RepairToolRepeat)
			case kind != '"' || span.Len() == len(`""`):
				seen.typeAt = span // its kind may follow it
			}
		case "function", "custom":
			seen.custom = seen.custom || string(s.Name()) == "custom" && kind == '{'
			st.e.walkFunction(first, named)
			call.took(name, start)
		default:
			s.Skip()
			call.took(name, start)
		}
	}
	st.completeTool(&call, seen, tool, first)
	call.close()
}

// completeTool puts in what the first delta of a call lacks, and the index that every delta needs.
func (st *Stream) completeTool(call *container, seen toolMembers, tool toolState, first bool) {
	switch {
	case first && !seen.typed:
		call.add(dialect.RepairToolType, `"type":`+seen.typeName())
	case seen.typeAt.End > 0:
		st.e.replace(dialect.RepairToolType, seen.typeAt, seen.typeName())
	}
	if first && !seen.id {
		call.add(dialect.RepairToolID, `"id":`+quote(st.mintedID(tool)))
	}
	if !seen.hasIndex {
		call.add(dialect.RepairToolIndex, `"index":`+strconv.FormatInt(tool.index, 10))
	}
}

// toolID keeps the id of a call's first delta, makes one if it is missing, and cuts it from later deltas.
func (st *Stream) toolID(call *container, span jsonwalk.Span, tool toolState, first bool) {
	switch {
	case st.e.scan.Err() != nil:
	case !first:
		call.cutLast(dialect.RepairToolRepeat)
	case tool.id == "":
		st.e.replace(dialect.RepairToolID, span, quote(st.mintedID(tool)))
	}
}

// mintedID is an id for a call that the upstream gave none.
func (st *Stream) mintedID(tool toolState) string {
	return fmt.Sprintf("call_%s_%d_%d", st.Name, tool.choice, tool.index)
}

// toolOf finds which call the next delta belongs to, whether it is that call's first, and whether an earlier delta had its name.
// A new id with a name begins a new call even under an index that another call has: some vendors count every call as 0. Without a
// name it does not: others make up an id for every delta. A delta without index belongs to the call of its id, or to the last
// one. A delta without id that cannot continue that call, by its name or its arguments, begins another.
func (st *Stream) toolOf(state *choiceState) (tool toolState, first, named bool) {
	delta := st.peekTool()
	id, known := delta.id, state.knows(delta.id)
	if !known && delta.goesOn() {
		id = ""
	}
	for i, t := range slices.Backward(state.tools) {
		if delta.hasIndex && t.given != delta.index || (known || !delta.hasIndex) && id != "" && t.id != id {
			continue
		}
		if id != "" && t.id != "" && t.id != id || id == "" && delta.another(t) {
			break
		}
		if t.name == "" {
			state.tools[i].name = string(delta.name)
		}
		return t, false, t.name != "" && (len(delta.name) == 0 || string(delta.name) == t.name)
	}
	t := toolState{choice: state.index, given: delta.index, index: int64(len(state.tools)), id: delta.id, name: string(delta.name), whole: delta.whole()}
	if !delta.hasIndex {
		t.given = -1 - t.index // no delta will name it by index
	}
	if st.tools < maxTools {
		st.tools++
		state.tools = append(state.tools, t)
	}
	return t, true, false
}

// knows reports whether a call of the choice has that id.
func (c *choiceState) knows(id string) bool {
	return id != "" && slices.ContainsFunc(c.tools, func(t toolState) bool { return t.id == id })
}

// callDelta is what a delta says about its tool call.
type callDelta struct {
	index           int64
	hasIndex        bool
	id              string // likewise
	name, arguments []byte // JSON text, or empty; a name is not empty
}

// goesOn reports whether a delta has a piece of arguments and no name, as only later ones of a call have.
func (delta callDelta) goesOn() bool { return len(delta.name) == 0 && len(delta.arguments) > 0 }

// another reports whether a delta without an id cannot belong to call t. Either it has another name, or t had all of
// its arguments and here are more. Under the index of a call that has an id another name is the next piece of that
// call's.
func (delta callDelta) another(t toolState) bool {
	if len(delta.name) == 0 || t.name == "" {
		return false
	}
	if string(delta.name) != t.name {
		return t.id == "" || !delta.hasIndex
	}
	return t.whole && len(delta.arguments) > 0 && string(delta.arguments) != `""`
}

// whole reports whether the arguments are a whole JSON object, or the text of one.
func (delta callDelta) whole() bool {
	if len(delta.arguments) == 0 || delta.arguments[0] == '{' {
		return len(delta.arguments) > 0
	}
	text, _ := jsonwalk.Text(delta.arguments)
	return strings.HasPrefix(strings.TrimSpace(text), "{") && jsonwalk.Valid([]byte(text), jsonwalk.Options{}) == nil
}

// peekTool reads what identifies the next tool call.
func (st *Stream) peekTool() callDelta {
	var delta callDelta
	look := st.e.scan // a copy: the scanner itself stays where it is
	for ok := look.EnterObject(); ok && look.NextMember(); {
		switch kind := look.Kind(); {
		case string(look.Name()) == "index" && kind == '0':
			delta.index, delta.hasIndex = openai.ReadInt(&look, st.e.data), true
		case string(look.Name()) == "id" && kind == '"':
			id := llm.JSON(look.Skip().Of(st.e.data)).Inner()
			delta.id = string(id[:min(len(id), maxToolName)]) // an upstream spells it alike each time
		case kind == '{' && (string(look.Name()) == "function" || string(look.Name()) == "custom"):
			delta.peekFunction(&look, st.e.data)
		default:
			look.Skip()
		}
	}
	return delta
}

func (delta *callDelta) peekFunction(look *jsonwalk.Scanner, data []byte) {
	for ok := look.EnterObject(); ok && look.NextMember(); {
		name, kind := string(look.Name()), look.Kind()
		switch value := look.Skip().Of(data); {
		case name == "name" && kind == '"' && len(value) > len(`""`):
			delta.name = value[:min(len(value), maxToolName)]
		case name == "arguments" && (kind == '"' || kind == '{'):
			delta.arguments = value
		}
	}
}

// walkFunction walks over the function of a tool call. The name stays in the first delta that has it. The
// arguments are a string, which the first delta has even if it is empty.
func (e *editor) walkFunction(first, named bool) {
	s := &e.scan
	if s.Kind() != '{' {
		s.Skip()
		return
	}
	custom := string(s.Name()) == "custom"
	hasArguments := false
	function, ok := e.enterObject()
	for ok && function.next() {
		name, start, kind := s.NameSpan(), pos(s), s.Kind()
		switch string(s.Name()) {
		case "name":
			span := s.Skip()
			function.took(name, start)
			if named || !first && (kind != '"' || span.Len() <= len(`""`)) {
				function.cutLast(dialect.RepairToolRepeat)
			}
		case "arguments":
			hasArguments = true
			e.stringArguments(s.Skip(), kind)
			function.took(name, start)
		default:
			s.Skip()
			function.took(name, start)
		}
	}
	if first && !hasArguments && !custom {
		function.add(dialect.RepairArguments, `"arguments":""`)
	}
	function.close()
}

// stringArguments makes a string of arguments that came as an object or as null.
func (e *editor) stringArguments(span jsonwalk.Span, kind byte) {
	e.said += span.Len()
	switch {
	case e.scan.Err() != nil || kind == '"':
	case kind == 'n':
		e.replace(dialect.RepairArguments, span, `""`)
	default:
		e.replace(dialect.RepairArguments, span, quote(string(span.Of(e.data))))
	}
}
