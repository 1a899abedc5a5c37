package cohere

import (
	"strconv"

	"github.com/weirproxy/weir/internal/llm"
)

// Writer words an answer as the API does: all its events as one body, or each as the payloads of a stream. It is used for one
// answer. The API has no members for the state by which a model recognises its reasoning, nor for the reason of a refusal.
type Writer struct {
	contents, calls, cited int // begun

	said  int  // the place of the first text among the contents, plus one; 0 if none came yet
	plan  bool // the reasoning that is open is a plan
	empty bool // nothing came of the arguments of the call that is open

	out []byte // a payload

	id                               llm.JSON // this and the rest belong to a complete answer
	content, plans, tools, citations []byte   // without brackets, and without quotes
}

// begin notes that a block begins, and returns its place among the contents, or among the calls.
func (w *Writer) begin(ev *llm.Event) (place int) {
	switch ev.Part {
	case llm.ToolCall:
		w.empty = true
		w.calls++
		return w.calls - 1
	case llm.Reasoning:
		if w.plan = string(ev.Name.Inner()) == toolPlan; w.plan {
			return 0
		}
	case llm.Text:
		if w.said == 0 {
			w.said = w.contents + 1
		}
	}
	w.contents++
	return w.contents - 1
}

// Collect takes an event of a complete answer; Answer makes one body of all.
func (w *Writer) Collect(ev *llm.Event) {
	if ev.Part == llm.Redacted {
		return
	}
	switch ev.Kind {
	case llm.Start:
		w.id = append(llm.JSON(nil), ev.ID...)
	case llm.BlockStart:
		w.collectStart(ev)
	case llm.Delta:
		to := w.open(ev.Part)
		*to = append(*to, ev.Text.Inner()...)
		w.empty = w.empty && len(ev.Text.Inner()) == 0
	case llm.BlockStop:
		switch to := w.open(ev.Part); {
		case to == &w.plans:
		case to == &w.content:
			*to = append(*to, `"}`...)
		case w.empty:
			*to = append(*to, `{}"}}`...)
		default:
			*to = append(*to, `"}}`...)
		}
	case llm.Cited:
		w.citations = w.citation(comma(w.citations), ev.Citation)
	}
}

func (w *Writer) collectStart(ev *llm.Event) {
	w.begin(ev)
	switch to := w.open(ev.Part); to {
	case &w.tools:
		*to = append(callHead(comma(*to), ev), '"')
	case &w.content:
		*to = append(comma(*to), contentHead(ev.Part)...)
	}
}

// open is where the block that is open is collected.
func (w *Writer) open(part llm.PartKind) *[]byte {
	switch {
	case part == llm.ToolCall:
		return &w.tools
	case part == llm.Reasoning && w.plan:
		return &w.plans
	default:
		return &w.content
	}
}

// comma is a list, ready for one more.
func comma(list []byte) []byte {
	if len(list) == 0 {
		return list
	}
	return append(list, ',')
}

// contentHead is an element of the content up to what it says.
func contentHead(part llm.PartKind) string {
	if part == llm.Reasoning {
		return `{"type":"thinking","thinking":"`
	}
	return `{"type":"text","text":"`
}

// callHead appends a call up to its arguments.
func callHead(dst []byte, ev *llm.Event) []byte {
	dst = append(append(dst, `{"id":`...), ev.ID...)
	dst = append(append(dst, `,"type":"function","function":{"name":`...), ev.Name...)
	return append(dst, `,"arguments":`...)
}

// citation appends a citation of the first text.
func (w *Writer) citation(dst []byte, c *llm.Citation) []byte {
	dst = strconv.AppendInt(append(dst, `{"start":`...), c.Start, 10)
	dst = strconv.AppendInt(append(dst, `,"end":`...), c.End, 10)
	dst = strconv.AppendInt(append(dst, `,"sources":[{"type":"document","id":"`...), int64(w.cited), 10)
	dst = append(append(dst, `","document":{"url":`...), c.URL...)
	if c.Title != nil {
		dst = append(append(dst, `,"title":`...), c.Title...)
	}
	w.cited++
	dst = strconv.AppendInt(append(dst, `}}],"content_index":`...), int64(max(w.said-1, 0)), 10)
	return append(dst, `,"type":"TEXT_CONTENT"}`...)
}

// Answer is the complete answer that was collected; end is its last event.
func (w *Writer) Answer(end *llm.Event) []byte {
	dst := make([]byte, 0, 512+len(w.content)+len(w.plans)+len(w.tools)+len(w.citations))
	dst = append(appendID(append(dst, '{'), w.id), `"message":{"role":"assistant"`...)
	for _, member := range [...]struct {
		name, end string
		list      []byte
	}{
		{`,"content":[`, "]", w.content},
		{`,"tool_plan":"`, `"`, w.plans},
		{`,"tool_calls":[`, "]", w.tools},
		{`,"citations":[`, "]", w.citations},
	} {
		if len(member.list) > 0 {
			dst = append(append(append(dst, member.name...), member.list...), member.end...)
		}
	}
	return append(appendEnd(append(dst, "},"...), end), '}')
}

// appendID appends the name of an answer, if it has one.
func appendID(dst []byte, id llm.JSON) []byte {
	if len(id.Inner()) == 0 {
		return dst
	}
	return append(append(append(dst, `"id":`...), id...), ',')
}

// appendEnd appends why an answer ended and what it took. What is billed is what was counted, unless something else is known.
func appendEnd(dst []byte, end *llm.Event) []byte {
	input, output := end.Usage.Input(), end.Usage.Output()
	dst = append(append(append(dst, `"finish_reason":"`...), reason(end.Finish)...), `","usage":{"billed_units":`...)
	if c := end.Usage.Charged; c.Known {
		dst = appendCounts(dst, c.Input, c.Output)
	} else {
		dst = appendCounts(dst, input, output)
	}
	dst = appendCounts(append(dst, `,"tokens":`...), input, output)
	if n := end.Usage.CacheRead; n > 0 {
		dst = strconv.AppendInt(append(dst, `,"cached_tokens":`...), n, 10)
	}
	return append(dst, '}')
}

func appendCounts(dst []byte, input, output int64) []byte {
	dst = strconv.AppendInt(append(dst, `{"input_tokens":`...), input, 10)
	return append(strconv.AppendInt(append(dst, `,"output_tokens":`...), output, 10), '}')
}

// reason is the API's word for why an answer ended.
func reason(finish string) string {
	switch finish {
	case "length":
		return "MAX_TOKENS"
	case "tool_calls":
		return "TOOL_CALL"
	case "content_filter":
		return "ERROR_TOXIC"
	default:
		return "COMPLETE"
	}
}
