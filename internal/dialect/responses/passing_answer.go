package responses

import (
	"fmt"
	"iter"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Pass implements dialect.Passing.
func (r *Request) Pass(body []byte, _ *dialect.Changes, stand dialect.Stand) ([]byte, dialect.Answer, error) {
	var a dialect.Answer
	var has walked
	s := jsonwalk.NewScanner(body, jsonwalk.Options{})
	if s.Kind() == '{' {
		has.scan(s, body)
	} else {
		s.Skip()
	}
	if err := s.End(); err != nil {
		return nil, a, err
	}
	has.found(&a.Found, body)
	if a.IsError = has.failed; a.IsError {
		return nil, a, fmt.Errorf("%w: it holds an error", llm.ErrNoAnswer)
	}
	if has.output.Len() == 0 {
		return nil, a, fmt.Errorf("%w: it has no output", llm.ErrNoAnswer)
	}
	output := llm.JSON(has.output.Of(body))
	a.Said = said(output)
	a.Covered = a.Said
	a.Finish = finishOf(has.status, has.reason, output)
	own := ownership(r, stand.Echo)
	if edits := own.edits(nil, &has, body, 0); len(edits) > 0 {
		body = jsonwalk.Apply(make([]byte, 0, len(body)+128), body, edits)
	}
	return body, a, nil
}

// walked is what a response object has, with places in the bytes that were walked over.
type walked struct {
	id, model, output jsonwalk.Span
	store, previous   jsonwalk.Span
	status, reason    string
	tier              string
	some              bool // it has a member
	failed            bool
	usage             counts
}

// scan walks over a response object of data, whose beginning is next.
func (w *walked) scan(s *jsonwalk.Scanner, data []byte) {
	for ok := s.EnterObject(); ok && s.NextMember(); {
		w.some = true
		name := string(s.Name())
		span := s.Skip()
		v := llm.JSON(span.Of(data))
		switch name {
		case "id":
			w.id = span
		case "store":
			w.store = span
		case previousMember:
			w.previous = span
		case "model":
			if v.Kind() == '"' {
				w.model = span
			}
		case "status":
			w.status = v.Text()
			w.failed = w.failed || w.status == "failed" || w.status == "cancelled"
		case "error":
			w.failed = w.failed || v.Kind() != 'n'
		case "incomplete_details":
			w.reason = memberOf(v, "reason").Text()
		case "output":
			if v.Kind() == '[' {
				w.output = span
			}
		case "service_tier":
			w.tier = v.Tier()
		case "usage":
			w.usage = countsOf(v)
		}
	}
}

// found notes the usage, and who answers.
func (w *walked) found(f *dialect.Found, data []byte) {
	if f.Model == "" {
		f.Model = llm.JSON(w.model.Of(data)).Model()
	}
	if w.usage.told {
		w.usage.tier, w.usage.searches = w.tier, searchesIn(w.output.Of(data))
		f.Usage, f.HasUsage = w.usage.usage(), true
	}
}

// said is how many bytes of text, reasoning and arguments there are in items.
func said(output llm.JSON) (n int64) {
	for _, item := range jsonwalk.Elements(output) {
		n += saidIn(item)
	}
	return n
}

// saidIn is said for one item.
func saidIn(item llm.JSON) (n int64) {
	for name, v := range jsonwalk.Members(item) {
		v := llm.JSON(v)
		switch string(name) {
		case "arguments", "input":
			n += int64(len(v.Inner()))
		case "content", "summary":
			for _, part := range jsonwalk.Elements(v) {
				n += int64(len(memberOf(part, "text").Inner()) + len(memberOf(part, "refusal").Inner()))
			}
		}
	}
	return n
}

// finishOf is why an answer ended, in the words of OpenAI's chats.
func finishOf(status, reason string, output llm.JSON) string {
	switch {
	case status == "incomplete" && reason == "content_filter":
		return reason
	case status == "incomplete":
		return "length"
	}
	for _, item := range jsonwalk.Elements(output) {
		switch memberOf(item, "type").Text() {
		case "function_call", "custom_tool_call":
			return "tool_calls"
		}
	}
	return "stop"
}

// StreamOf implements dialect.Passing. Each item comes at once, when it is whole, and the response at the end has all of them.
func (r *Request) StreamOf(body []byte) (iter.Seq[[]byte], error) {
	var has walked
	has.scan(jsonwalk.NewScanner(body, jsonwalk.Options{}), body)
	empty := replaced(body, map[string]string{"output": "[]", "status": `"in_progress"`, "usage": "null", "incomplete_details": "null"})
	number := 0
	event := func(typ, more string, v []byte) []byte {
		out := strconv.AppendInt([]byte(`{"type":"response.`+typ+`","sequence_number":`), int64(number), 10)
		number++
		return append(append(append(out, more...), v...), '}')
	}
	return func(yield func([]byte) bool) {
		if !yield(event("created", `,"response":`, empty)) {
			return
		}
		for i, item := range jsonwalk.Elements(has.output.Of(body)) {
			at := `,"output_index":` + strconv.Itoa(i) + `,"item":`
			if !yield(event("output_item.added", at, begun(item))) || !yieldTexts(i, item, event, yield) || !yield(event("output_item.done", at, item)) {
				return
			}
		}
		yield(event(typeOfEnd(has.status), `,"response":`, body))
	}, nil
}

// begun is an item as it begins: a message without what comes in deltas.
func begun(item llm.JSON) llm.JSON {
	if memberOf(item, "type").Text() != "message" {
		return item
	}
	return replaced(item, map[string]string{"content": "[]", "status": `"in_progress"`})
}

// replaced is an object with other values for some of its members.
func replaced(object llm.JSON, values map[string]string) llm.JSON {
	var edits []jsonwalk.Edit
	s := jsonwalk.NewScanner(object, jsonwalk.Options{})
	for ok := s.EnterObject(); ok && s.NextMember(); {
		value, other := values[string(s.Name())]
		if at := s.Skip(); other {
			edits = append(edits, jsonwalk.Edit{Span: at, New: value})
		}
	}
	return jsonwalk.Apply(nil, object, edits)
}

// typeOfEnd is the last event of a response with a status, without its prefix.
func typeOfEnd(status string) string {
	if status == "incomplete" {
		return status
	}
	return "completed"
}

// yieldTexts yields the parts of a message: clients show what comes as deltas.
func yieldTexts(i int, item llm.JSON, event func(typ, more string, v []byte) []byte, yield func([]byte) bool) bool {
	if memberOf(item, "type").Text() != "message" {
		return true
	}
	for j, part := range jsonwalk.Elements(memberOf(item, "content")) {
		at := fmt.Sprintf(`,"item_id":%s,"output_index":%d,"content_index":%d`, orEmpty(memberOf(item, "id")), i, j)
		text, typ := memberOf(part, "text"), "output_text"
		if text == nil {
			text, typ = memberOf(part, "refusal"), "refusal"
		}
		if text.Kind() != '"' {
			continue
		}
		member := map[string]string{"output_text": "text", "refusal": "refusal"}[typ]
		empty := replaced(part, map[string]string{member: `""`})
		if !yield(event("content_part.added", at+`,"part":`, empty)) || !yield(event(typ+".delta", at+`,"delta":`, text)) ||
			!yield(event(typ+".done", at+`,"`+member+`":`, text)) || !yield(event("content_part.done", at+`,"part":`, part)) {
			return false
		}
	}
	return true
}

func orEmpty(v llm.JSON) llm.JSON {
	if v == nil {
		return llm.JSON(`""`)
	}
	return v
}
