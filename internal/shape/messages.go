package shape

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
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

// events follows the events of one stream.
type events struct {
	name   string // that was announced for the next payload
	begun  bool
	open   int // the place of the open block, plus one; 0 without one
	blocks int // that have begun
	ending bool
}

// line takes one line of a stream. over says that the stream has had its last event.
func (e *events) line(line []byte) (over bool, err error) {
	if name, ok := bytes.CutPrefix(line, []byte("event: ")); ok {
		if e.name != "" {
			return false, errors.New("two names come for one event")
		}
		e.name = string(name)
		return false, nil
	}
	data, ok := bytes.CutPrefix(line, []byte("data: "))
	if !ok {
		return false, errors.New("it is neither a name nor data")
	}
	var ev struct {
		Type  string
		Index *int
	}
	if err := json.Unmarshal(data, &ev); err != nil {
		return false, err
	}
	if ev.Type != e.name {
		return false, fmt.Errorf("its name is %q, but its type %q", e.name, ev.Type)
	}
	e.name = ""
	return e.take(ev.Type, ev.Index)
}

func (e *events) take(typ string, index *int) (over bool, err error) {
	at := 0
	if index != nil {
		at = *index + 1
	}
	ok := e.begun
	switch typ {
	case "ping":
		ok = true
	case "error":
		return true, nil
	case "message_start":
		ok, e.begun = !e.begun, true
	case "content_block_start":
		e.blocks++
		ok = ok && e.open == 0 && at == e.blocks && !e.ending
		e.open = at
	case "content_block_delta":
		ok = ok && e.open == at && at > 0
	case "content_block_stop":
		ok = ok && e.open == at && at > 0
		e.open = 0
	case "message_delta":
		ok = ok && e.open == 0
		e.ending = true
	case "message_stop":
		return true, orderly(ok && e.ending)
	}
	return false, orderly(ok)
}

func orderly(ok bool) error {
	if !ok {
		return errors.New("it comes out of order")
	}
	return nil
}
