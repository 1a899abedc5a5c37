package shape

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Answers of Anthropic's API are held against what its clients need of them: the framing of streams, the order of their events, and the
// members that the clients read.

// The forms of that API.
const (
	Message       Form = "Message"
	MessageEvent  Form = "MessageStreamEvent"
	MessageTokens Form = "MessageTokensCount"
	MessageModels Form = "ListResponse_ModelInfo_"
	MessageModel  Form = "ModelInfo"
	MessageError  Form = "MessageErrorResponse"
)

// required are the members that each form must have.
var required = map[Form][]string{
	Message:       {"id", "type", "role", "model", "content", "stop_reason", "stop_sequence", "usage"},
	MessageTokens: {"input_tokens"},
	MessageModels: {"data", "has_more", "first_id", "last_id"},
	MessageModel:  {"id", "type", "display_name", "created_at"},
	MessageError:  {"type", "error", "request_id"},
	MessageEvent:  {"type"},
}

// isMessages reports whether a request is one of that API, by its path or its header.
func isMessages(path string, h http.Header) bool {
	switch path {
	case "messages":
		return true
	case "chat/completions", "completions", "embeddings":
		return false
	}
	return strings.HasPrefix(path, "messages/") || h.Get("Anthropic-Version") != ""
}

// formOf is the form of an answer of that API.
func formOf(path string, status int, stream bool) Form {
	switch {
	case status >= http.StatusBadRequest:
		return MessageError
	case stream && path == "messages":
		return MessageEvent
	case stream:
		return ""
	case strings.HasPrefix(path, "models/"):
		return MessageModel
	}
	return map[string]Form{"messages": Message, "messages/count_tokens": MessageTokens, "models": MessageModels}[path]
}

// checkMessage holds a body against one of these forms.
func checkMessage(f Form, body []byte) error {
	var has object
	if err := json.Unmarshal(body, &has); err != nil {
		return fmt.Errorf("it is no JSON object: %w", err)
	}
	for _, name := range required[f] {
		if _, ok := has[name]; !ok {
			return fmt.Errorf("it is no %s: %q is missing", f, name)
		}
	}
	if f != MessageError {
		return nil
	}
	var inner struct{ Type, Message string }
	if err := json.Unmarshal(has["error"], &inner); err != nil || inner.Type == "" || inner.Message == "" || string(has["type"]) != `"error"` {
		return fmt.Errorf("it is no %s", f)
	}
	return nil
}

// events follows the events of one stream, and puts together what they say.
type events struct {
	named
	begun  bool
	open   []int // the places of the open blocks, plus one
	late   bool  // blocks may end after others have begun
	blocks []object
	inputs map[int]string // of the open blocks, as far as they came
	ending bool
	ends   string // why
	usage  object
}

func (e *events) line(line []byte) (over bool, err error) { return e.named.line(line, e.payload) }

// messageEvent is what is read of an event.
type messageEvent struct {
	Type    string
	Index   *int
	Message struct {
		Content []json.RawMessage
		Usage   object
	}
	Block object `json:"content_block"`
	Delta object
	Usage object
}

func (e *events) payload(data []byte) (over bool, err error) {
	var ev messageEvent
	if err := json.Unmarshal(data, &ev); err != nil {
		return false, err
	}
	at := 0
	if ev.Index != nil {
		at = *ev.Index + 1
	}
	ok := e.begun
	switch ev.Type {
	case "ping":
		ok = true
	case "error":
		return true, errFailed
	case "message_start":
		ok, e.begun = !e.begun && len(ev.Message.Content) == 0, true
		e.usage = ev.Message.Usage
	case "content_block_start":
		e.blocks = append(e.blocks, ev.Block)
		ok = ok && (e.late || len(e.open) == 0) && at == len(e.blocks) && !e.ending
		e.open = append(e.open, at)
	case "content_block_delta":
		if ok = ok && slices.Contains(e.open, at); ok {
			return false, e.add(at, ev.Delta)
		}
	case "content_block_stop":
		i := slices.Index(e.open, at)
		if ok = ok && i >= 0; ok {
			e.open = slices.Delete(e.open, i, i+1)
			e.end(at)
		}
	case "message_delta":
		ok = ok && len(e.open) == 0
		e.ending = true
		e.ends = fmt.Sprintf("ends with %s %s", ev.Delta["stop_reason"], ev.Delta["stop_sequence"])
		e.usage = ev.Usage
	case "message_stop":
		return true, orderly(ok && e.ending)
	}
	return false, orderly(ok)
}

// add adds what a delta says to the block at a place.
func (e *events) add(at int, delta object) error {
	block := e.blocks[at-1]
	for name, value := range delta {
		switch name {
		case "type":
		case "partial_json":
			if e.inputs == nil {
				e.inputs = map[int]string{}
			}
			e.inputs[at] += text(value)
		case "citation":
			list := strings.TrimSuffix(string(block["citations"]), "]")
			if len(list) > len("[") {
				list += ","
			}
			block["citations"] = json.RawMessage("[" + strings.TrimPrefix(list, "[") + string(value) + "]")
		case "signature":
			block[name] = value
		default:
			if block[name] == nil {
				return fmt.Errorf("it adds to %q, which the block does not have", name)
			}
			block[name] = quoted(text(block[name]) + text(value))
		}
	}
	return nil
}

// text is a string, "" for anything else.
func text(v json.RawMessage) (s string) {
	_ = json.Unmarshal(v, &s)
	return s
}

func quoted(s string) json.RawMessage {
	v, _ := json.Marshal(s) // strings always marshal
	return v
}

// plain is JSON with everything spelled alike.
func plain(v json.RawMessage) string {
	var value any
	_ = json.Unmarshal(v, &value)
	out, _ := json.Marshal(value) // it was read of JSON
	return string(out)
}

// end puts the arguments of a call together. They may have been cut, or be none.
func (e *events) end(at int) {
	input := json.RawMessage(e.inputs[at])
	if len(input) == 0 {
		return
	}
	if !json.Valid(input) {
		input = quoted(string(input))
	}
	e.blocks[at-1]["input"] = input
}

func (e *events) said() (lines []string) {
	for _, block := range e.blocks {
		if list := string(block["citations"]); list == "null" || list == "[]" {
			delete(block, "citations")
		}
		line, _ := json.Marshal(block) // it was read of JSON
		lines = append(lines, plain(line))
	}
	return append(lines, e.ends, "took "+string(e.usage["output_tokens"]))
}

// saidBy is said of a whole answer.
func (e *events) saidBy(body []byte) ([]string, error) {
	var whole struct {
		Content []object
		Reason  json.RawMessage `json:"stop_reason"`
		Text    json.RawMessage `json:"stop_sequence"`
		Usage   object
	}
	err := json.Unmarshal(body, &whole)
	e.blocks, e.usage, e.ends = whole.Content, whole.Usage, fmt.Sprintf("ends with %s %s", whole.Reason, whole.Text)
	return e.said(), err
}

func orderly(ok bool) error {
	if !ok {
		return errors.New("it comes out of order")
	}
	return nil
}
