package passthrough

import (
	"fmt"
	"iter"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

// maxRepeated bounds, in bytes, what the payloads of one answer may repeat.
const maxRepeated = 64 << 20

// StreamOf turns a complete answer, which ParseAnswer accepted, into the payloads of a stream. It is for an upstream
// that answers JSON where a stream was asked. All members pass, unknown ones included; usage comes last, in a chunk
// of its own. Every payload repeats what the answer has besides its choices. So they are made one by one, and not
// for an answer that would become many times as long.
func (r *Request) StreamOf(body []byte) (iter.Seq[[]byte], error) {
	a := splitAnswer(body)
	if len(a.head)*len(a.choices) > maxRepeated && r.Endpoint != llm.Completions {
		return nil, fmt.Errorf("%w: a stream would repeat what the answer has besides its %d choices for each of them", openai.ErrNoAnswer, len(a.choices))
	}
	return func(yield func([]byte) bool) {
		object := "chat.completion.chunk"
		if r.Endpoint == llm.Completions {
			object = "text_completion"
			if !yield(a.chunk(object, a.list)) {
				return
			}
			a.choices = nil
		}
		for i, choice := range a.choices {
			content, finish := splitChoice(choice, i)
			if !yield(a.chunk(object, content)) || !yield(a.chunk(object, finish)) {
				return
			}
		}
		if a.usage != nil {
			yield(a.usageChunk(object))
		}
	}, nil
}

// parts are the pieces of a complete answer.
type parts struct {
	head    []byte   // the members that every chunk repeats, each followed by a comma
	list    []byte   // the array of choices
	choices [][]byte // its elements
	usage   []byte   // nil if absent
}

func splitAnswer(body []byte) parts {
	var a parts
	s := jsonwalk.NewScanner(body, jsonwalk.Options{})
	for ok := s.EnterObject(); ok && s.NextMember(); {
		name := s.NameSpan().Of(body)
		switch string(s.Name()) {
		case "choices":
			s.Kind()
			start := s.Pos()
			for ok := s.EnterArray(); ok && s.NextElement(); {
				a.choices = append(a.choices, s.Skip().Of(body))
			}
			a.list = body[start:s.Pos()]
		case "usage":
			if null := s.Kind() == 'n'; !null {
				a.usage = s.Skip().Of(body)
			} else {
				s.Skip()
			}
		case "object", "error":
			s.Skip()
		default:
			a.head = append(append(a.head, name...), ':')
			a.head = append(append(a.head, s.Skip().Of(body)...), ',')
		}
	}
	return a
}

// chunk is a payload with the given array of choices.
func (a parts) chunk(object string, choices []byte) []byte {
	out := make([]byte, 0, len(a.head)+len(choices)+len(object)+32)
	out = append(append(out, '{'), a.head...)
	out = append(append(append(out, `"object":"`...), object...), `","choices":`...)
	return append(append(out, choices...), '}')
}

// usageChunk has the usage; the walk that follows drops it if the caller did not ask.
func (a parts) usageChunk(object string) []byte {
	last := a.chunk(object, []byte("[]"))
	last = append(append(last[:len(last)-1], `,"usage":`...), a.usage...)
	return append(last, '}')
}

// splitChoice makes two arrays of one choice each: the message as a delta, and the finish reason.
func splitChoice(choice []byte, position int) (content, finish []byte) {
	index, reason, delta := strconv.Itoa(position), []byte("null"), []byte("{}")
	var rest []byte // the other members, each with a comma before it
	s := jsonwalk.NewScanner(choice, jsonwalk.Options{})
	for ok := s.Kind() == '{' && s.EnterObject(); ok && s.NextMember(); {
		name := s.NameSpan().Of(choice)
		switch string(s.Name()) {
		case "index":
			index = string(s.Skip().Of(choice))
		case "finish_reason":
			reason = s.Skip().Of(choice)
		case "message":
			delta = indexTools(s.Skip().Of(choice))
		default:
			rest = append(append(append(rest, ','), name...), ':')
			rest = append(rest, s.Skip().Of(choice)...)
		}
	}
	head := `[{"index":` + index + `,"delta":`
	content = append([]byte(head), delta...)
	content = append(append(content, `,"finish_reason":null`...), rest...)
	content = append(content, "}]"...)
	finish = append([]byte(head+`{},"finish_reason":`), reason...)
	return content, append(finish, "}]"...)
}

// indexTools gives each tool call of a message, as many as there can be, the index that deltas need, and leaves all else
// unchanged.
func indexTools(message []byte) []byte {
	var edits []jsonwalk.Edit
	s := jsonwalk.NewScanner(message, jsonwalk.Options{})
	for ok := s.Kind() == '{' && s.EnterObject(); ok && s.NextMember(); {
		if string(s.Name()) != "tool_calls" || s.Kind() != '[' {
			s.Skip()
			continue
		}
		n := 0
		for ok := s.EnterArray(); ok && s.NextElement(); {
			call := s.Kind() == '{'
			span := s.Skip()
			if call && n < maxTools && !hasIndex(span.Of(message)) {
				at := jsonwalk.Span{Start: span.Start + 1, End: span.Start + 1}
				comma := ","
				if jsonwalk.Hollow(span.Of(message)) {
					comma = ""
				}
				edits = append(edits, jsonwalk.Edit{Span: at, New: `"index":` + strconv.Itoa(n) + comma})
			}
			n++
		}
	}
	return jsonwalk.Apply(nil, message, edits)
}

func hasIndex(call []byte) bool {
	found := false
	s := jsonwalk.NewScanner(call, jsonwalk.Options{})
	for ok := s.EnterObject(); ok && s.NextMember(); {
		found = found || string(s.Name()) == "index"
		s.Skip()
	}
	return found
}
