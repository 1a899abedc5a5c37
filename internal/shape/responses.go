package shape

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// responseEvents are the events of a response as they come. What they say piece by piece is held against what says it whole.
type responseEvents struct {
	named
	number int    // of the next event
	id     string // the response's, which does not change
	begun  bool
	items  []json.RawMessage // that are done
	open   *openItem         // nil without one
	last   json.RawMessage   // the response at the end
}

// openItem is an item of the output whose end has not come.
type openItem struct {
	ID, Type string
	content  []*openPart
	summary  []*openPart
	input    openPart // arguments of a call
	cited    int
}

// openPart is a text while it comes.
type openPart struct {
	text         string
	told, closed bool // the whole of it has come, and so has its end
	began        bool
}

// responseEvent is what is read of an event.
type responseEvent struct {
	Type             string
	Number           *int `json:"sequence_number"`
	Response, Item   json.RawMessage
	ItemID           string `json:"item_id"`
	Output           *int   `json:"output_index"`
	Content          int    `json:"content_index"`
	Summary          int    `json:"summary_index"`
	Delta            json.RawMessage
	Text, Refusal    *string
	Arguments, Input *string
	Part             responsePart
}

type responsePart struct {
	Type, Text, Refusal string
	Annotations         []json.RawMessage
}

// says is the part's text, whatever its kind.
func (p *responsePart) says() string { return p.Text + p.Refusal }

func (e *responseEvents) line(line []byte) (over bool, err error) {
	return e.named.line(line, e.payload)
}

func (e *responseEvents) payload(data []byte) (over bool, err error) {
	var ev responseEvent
	if err := json.Unmarshal(data, &ev); err != nil {
		return false, err
	}
	switch {
	case ev.Type == "keepalive":
		return false, nil
	case ev.Number == nil || *ev.Number != e.number:
		return false, fmt.Errorf("its number is not %d", e.number)
	}
	e.number++
	switch ev.Type {
	case "response.created", "response.in_progress", "response.queued", "response.completed", "response.incomplete", "response.failed":
		return e.whole(&ev)
	case "error":
		return true, errFailed
	case "response.output_item.added":
		return false, e.add(&ev)
	}
	return false, e.within(&ev)
}

// whole takes an event with the response in it.
func (e *responseEvents) whole(ev *responseEvent) (over bool, err error) {
	var of struct {
		ID     string
		Output []json.RawMessage
	}
	if err := json.Unmarshal(ev.Response, &of); err != nil || e.id != "" && of.ID != e.id {
		return false, fmt.Errorf("it is of another response: %q, not %q", of.ID, e.id)
	}
	e.id, e.last = of.ID, ev.Response
	switch ev.Type {
	case "response.failed":
		if err = orderly(e.begun); err == nil {
			err = errFailed
		}
		return true, err
	case "response.created":
		err = orderly(!e.begun)
		e.begun = true
	case "response.in_progress", "response.queued":
		err = orderly(e.begun && e.open == nil && len(e.items) == 0)
	default:
		over, err = true, orderly(e.begun && e.open == nil)
		if err == nil && !same(of.Output, e.items) {
			err = errors.New("its output is not that of the events before")
		}
	}
	if err == nil {
		err = has(Response, ev.Response, responseMembers...)
	}
	return over, err
}

// same reports whether two lists have the same JSON.
func same(a, b []json.RawMessage) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		var x, y any
		if json.Unmarshal(a[i], &x) != nil || json.Unmarshal(b[i], &y) != nil || !reflect.DeepEqual(x, y) {
			return false
		}
	}
	return true
}

func (e *responseEvents) add(ev *responseEvent) error {
	if !e.begun || e.open != nil || ev.Output == nil || *ev.Output != len(e.items) {
		return orderly(false)
	}
	e.open = &openItem{}
	return json.Unmarshal(ev.Item, e.open)
}

// within takes an event about the open item.
func (e *responseEvents) within(ev *responseEvent) error {
	typ, known := strings.CutPrefix(ev.Type, "response.")
	switch o := e.open; {
	case !known:
		return fmt.Errorf("its type is %q", ev.Type)
	case o == nil || ev.Output == nil || *ev.Output != len(e.items) || ev.ItemID != "" && ev.ItemID != o.ID:
		return errors.New("it is about no open item")
	case typ == "output_item.done":
		e.open = nil
		e.items = append(e.items, ev.Item)
		return o.end(ev.Item)
	default:
		return o.take(typ, ev)
	}
}

// take takes an event about the item.
func (o *openItem) take(typ string, ev *responseEvent) error {
	thing, step, _ := cutLast(typ, ".")
	switch thing {
	case "content_part":
		return part(&o.content, ev.Content, step, &ev.Part)
	case "reasoning_summary_part":
		return part(&o.summary, ev.Summary, step, &ev.Part)
	case "output_text", "reasoning_text":
		return o.piece(at(o.content, ev.Content), step, ev.Delta, ev.Text)
	case "refusal":
		return o.piece(at(o.content, ev.Content), step, ev.Delta, ev.Refusal)
	case "reasoning_summary_text":
		return o.piece(at(o.summary, ev.Summary), step, ev.Delta, ev.Text)
	case "function_call_arguments", "mcp_call_arguments":
		return o.piece(&o.input, step, ev.Delta, ev.Arguments)
	case "custom_tool_call_input":
		return o.piece(&o.input, step, ev.Delta, ev.Input)
	case "output_text.annotation":
		o.cited++
	}
	return nil
}

// cutLast is strings.Cut at the last separator.
func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// at is the part at a place of the list that is open, nil without one.
func at(list []*openPart, i int) *openPart {
	if i != len(list)-1 || list[i].closed {
		return nil
	}
	return list[i]
}

// part takes the beginning or the end of a part.
func part(list *[]*openPart, i int, step string, whole *responsePart) error {
	if step == "added" {
		if i != len(*list) || i > 0 && !(*list)[i-1].closed {
			return orderly(false)
		}
		*list = append(*list, &openPart{began: true, text: whole.says()})
		return nil
	}
	p := at(*list, i)
	if p == nil || !p.told || p.text != whole.says() {
		return errors.New("it is not the end of an open part, or says something else")
	}
	p.closed = true
	return nil
}

// piece takes a delta of a text, or all of it.
func (o *openItem) piece(p *openPart, step string, delta json.RawMessage, whole *string) error {
	if p == nil || p.told {
		return errors.New("it is about no open part")
	}
	if step == "delta" {
		var text string
		err := json.Unmarshal(delta, &text)
		p.text += text
		return err
	}
	p.told = true
	if whole == nil || *whole != p.text {
		return errors.New("it does not say what the pieces before said")
	}
	return nil
}

// end holds the whole item against what was said of it.
func (o *openItem) end(item json.RawMessage) error {
	var whole struct {
		ID, Type         string
		Content, Summary []responsePart
		Arguments        json.RawMessage
		Input            *string
	}
	if err := json.Unmarshal(item, &whole); err != nil {
		return err
	}
	if whole.ID != o.ID || whole.Type != o.Type {
		return fmt.Errorf("the item that began was %s %q", o.Type, o.ID)
	}
	named := 0
	for _, lists := range [...]struct {
		open  []*openPart
		whole []responsePart
	}{{o.content, whole.Content}, {o.summary, whole.Summary}} {
		if len(lists.open) != len(lists.whole) {
			return fmt.Errorf("it has %d parts, of which %d were announced", len(lists.whole), len(lists.open))
		}
		for i, p := range lists.open {
			if !p.closed || p.text != lists.whole[i].says() {
				return errors.New("a part is open yet, or says something else")
			}
			named += len(lists.whole[i].Annotations)
		}
	}
	if named != o.cited {
		return fmt.Errorf("it names %d sources, and %d were", named, o.cited)
	}
	var arguments string
	_ = json.Unmarshal(whole.Arguments, &arguments) // those of a search of tools are an object
	if whole.Input != nil {
		arguments = *whole.Input
	}
	if arguments != o.input.text || arguments != "" && !o.input.told {
		return errors.New("its arguments are not those that were said")
	}
	return nil
}

func (e *responseEvents) said() []string {
	var whole struct {
		Status string
		Output []json.RawMessage
		Usage  json.RawMessage
	}
	_ = json.Unmarshal(e.last, &whole) // it was read before
	var lines []string
	for _, item := range whole.Output {
		lines = append(lines, string(item))
	}
	return append(lines, whole.Status, string(whole.Usage))
}
