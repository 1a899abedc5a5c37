package anthropic

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
	var typ, content, usage llm.JSON
	s := jsonwalk.NewScanner(body, jsonwalk.Options{})
	if s.Kind() != '{' {
		s.Skip()
	} else {
		for ok := s.EnterObject(); ok && s.NextMember(); {
			name := string(s.Name())
			v := llm.JSON(s.Skip().Of(body))
			switch name {
			case "type":
				typ = v
			case "content":
				content = v
			case "model":
				a.Model = v.Model()
			case "stop_reason":
				a.Finish = finish(v.Text())
			case "usage":
				usage = v
			case "error":
				a.IsError = v.Kind() != 'n'
			}
		}
	}
	if err := s.End(); err != nil {
		return nil, dialect.Answer{}, err
	}
	if a.IsError = typ.Text() == "error" || a.IsError && content == nil; a.IsError {
		return nil, a, fmt.Errorf("%w: it holds an error", llm.ErrNoAnswer)
	}
	if usage.Kind() == '{' {
		var u counts
		u.read(usage)
		a.Usage, a.HasUsage = u.usage(), true
	}
	if content.Kind() != '[' {
		return nil, a, fmt.Errorf("%w: it has no content", llm.ErrNoAnswer)
	}
	for _, block := range jsonwalk.Elements(content) {
		b := readBlock(block)
		a.Said += int64(len(b.text.Inner()) + len(b.input))
	}
	if a.Covered = a.Said; stand.Echo != "" {
		body = renamed(body, stand.Echo)
	}
	return body, a, nil
}

// renamed is an answer with another name of the model.
func renamed(body []byte, model string) []byte {
	s := jsonwalk.NewScanner(body, jsonwalk.Options{})
	for ok := s.EnterObject(); ok && s.NextMember(); {
		isModel := string(s.Name()) == "model"
		if span := s.Skip(); isModel {
			edit := jsonwalk.Edit{Span: span, New: string(llm.Quote(model))}
			return jsonwalk.Apply(make([]byte, 0, len(body)+len(edit.New)), body, []jsonwalk.Edit{edit})
		}
	}
	return body
}

// StreamOf implements dialect.Passing. A block of a kind that is not known begins with all that it has.
func (r *Request) StreamOf(body []byte) (iter.Seq[[]byte], error) {
	var content, reason, sequence, details, usage llm.JSON
	head := []byte(`{"type":"message_start","message":{`)
	for name, v := range jsonwalk.Members(body) {
		switch string(name) {
		case "content":
			content = v
			v = []byte("[]")
		case "stop_reason":
			reason = v
			v = []byte("null")
		case "stop_sequence":
			sequence = v
			v = []byte("null")
		case "stop_details":
			details = v
			continue
		case "usage":
			usage = v
		}
		head = append(append(append(llm.AppendQuote(head, name), ':'), v...), ',')
	}
	head = append(head[:len(head)-1], "}}"...) // content is there, as Pass saw
	return func(yield func([]byte) bool) {
		if !yield(head) {
			return
		}
		for i, block := range jsonwalk.Elements(content) {
			if !yieldBlock(i, block, yield) {
				return
			}
		}
		end := append([]byte(`{"type":"message_delta","delta":{"stop_reason":`), orNull(reason)...)
		end = append(append(end, `,"stop_sequence":`...), orNull(sequence)...)
		if details != nil {
			end = append(append(end, `,"stop_details":`...), details...)
		}
		end = append(end, '}')
		if usage != nil {
			end = append(append(end, `,"usage":`...), usage...)
		}
		yield(append(end, '}'))
	}, nil
}

func orNull(v llm.JSON) llm.JSON {
	if v == nil {
		return llm.JSON("null")
	}
	return v
}

// yieldBlock yields the payloads of a block of a complete answer.
func yieldBlock(i int, block llm.JSON, yield func([]byte) bool) bool {
	payload := func(typ, member string, value []byte) []byte {
		out := strconv.AppendInt([]byte(`{"type":"`+typ+`","index":`), int64(i), 10)
		if member != "" {
			out = append(append(out, `,"`+member+`":`...), value...)
		}
		return append(out, '}')
	}
	start := []byte{'{'}
	var deltas [][]byte
	delta := func(typ, member string, v []byte) {
		deltas = append(deltas, append(append([]byte(`{"type":"`+typ+`","`+member+`":`), v...), '}'))
	}
	typ := typeOf(block)
	for name, v := range jsonwalk.Members(block) {
		switch typ + " " + string(name) {
		case "text text":
			delta("text_delta", "text", v)
			v = []byte(`""`)
		case "thinking thinking":
			delta("thinking_delta", "thinking", v)
			v = []byte(`""`)
		case "thinking signature":
			delta("signature_delta", "signature", v)
			v = []byte(`""`)
		case "text citations":
			for _, c := range jsonwalk.Elements(v) {
				delta("citations_delta", "citation", c)
			}
			v = []byte("[]")
		case "tool_use input", "server_tool_use input":
			delta("input_json_delta", "partial_json", llm.AppendQuote(nil, v))
			v = []byte("{}")
		}
		start = append(append(append(llm.AppendQuote(start, name), ':'), v...), ',')
	}
	if len(start) > 1 {
		start = start[:len(start)-1]
	}
	if !yield(payload("content_block_start", "content_block", append(start, '}'))) {
		return false
	}
	for _, d := range deltas {
		if !yield(payload("content_block_delta", "delta", d)) {
			return false
		}
	}
	return yield(payload("content_block_stop", "", nil))
}
