package responses

import (
	"github.com/weirproxy/weir/internal/llm"
)

// order is what the events of one stream must agree on: none may be missing. Items of the output may come in turns, as one vendor's do. A server's own
// habits pass, if no event that is missing could look like them: items without places (llama.cpp), a summary whose parts are not announced, and an
// item in the place of one that does not end (both Ollama).
type order struct {
	begun  bool
	last   int64 // number of the last event
	counts bool  // events are numbered, one by one
	items  []passingItem
	open   int // items that have not ended
}

type passingItem struct {
	open         bool
	parts, ended int
}

// mostItems bounds what a stream can make us remember.
const mostItems = 4096

// follows takes an event, and reports whether it can come after those before it. output is the place of its item, -1 if it is not said.
func (o *order) follows(typ []byte, number llm.JSON, output int64) bool {
	if n, ok := number.Count(); ok {
		missing := o.counts && n > o.last+1
		o.counts, o.last = n == o.last+1 && o.counts || !o.begun, n
		if missing {
			return false
		}
	}
	switch string(typ) {
	case "response.created":
		first := !o.begun
		o.begun = true
		return first
	case "response.in_progress", "response.queued":
		return o.begun
	case "response.completed":
		return o.begun && o.open == 0
	case "response.incomplete": // an item may be what was cut
		return o.begun
	case "response.output_item.done": // some servers send items whole, without their beginnings
		if o.begun && output == int64(len(o.items)) && output < mostItems {
			o.items = append(o.items, passingItem{})
			return true
		}
	case "response.output_item.added":
		return o.begun && o.adds(output)
	}
	return output < 0 || output < int64(len(o.items)) && o.within(&o.items[output], string(typ))
}

// adds takes the beginning of an item. Those without a place are not followed.
func (o *order) adds(output int64) bool {
	switch n := int64(len(o.items)); {
	case output < 0:
		return true
	case output > n || output == mostItems:
		return false
	case output == n:
		o.items = append(o.items, passingItem{})
	}
	i := &o.items[output]
	if !i.open {
		o.open++
	}
	*i = passingItem{open: true}
	return true
}

// within takes an event about an item.
func (o *order) within(i *passingItem, typ string) bool {
	if !i.open {
		return false
	}
	switch typ {
	case "response.output_item.done":
		i.open = false
		o.open--
		return i.parts == i.ended
	case "response.content_part.added", "response.reasoning_summary_part.added":
		i.parts++
	case "response.content_part.done", "response.reasoning_summary_part.done":
		i.ended++
	case "response.reasoning_summary_text.delta":
		return i.parts > i.ended || i.parts == 0
	case "response.output_text.delta", "response.refusal.delta":
		return i.parts > i.ended
	default:
		return true
	}
	return i.parts >= i.ended
}
