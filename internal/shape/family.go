package shape

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// family is how the answers of an API are held against what its clients need, where OpenAI's description of chats says nothing of them.
type family struct {
	form   func(path string, status int, stream bool) Form
	check  func(f Form, body []byte) error
	stream stream
}

// stream follows one stream line by line. over says that it has had its last event.
type stream interface {
	line(line []byte) (over bool, err error)
}

// familyOf is the family of a request's answer, nil for chats and their like.
func familyOf(path string, h http.Header) *family {
	switch {
	case isMessages(path, h):
		return &family{formOf, checkMessage, new(events)}
	case path == "responses" || strings.HasPrefix(path, "responses/"):
		return &family{responseForm, checkResponse, new(responseEvents)}
	case strings.HasPrefix(path, "v1beta/models") || h.Get("X-Goog-Api-Key") != "" && strings.HasPrefix(path, "models"):
		return &family{googleForm, checkGoogle, new(pieces)}
	case strings.HasSuffix(path, ":generateContent"), strings.HasSuffix(path, ":streamGenerateContent"), strings.HasSuffix(path, ":countTokens"),
		strings.HasSuffix(path, ":embedContent"), strings.HasSuffix(path, ":batchEmbedContents"):
		return &family{googleForm, checkGoogle, new(pieces)}
	}
	return nil
}

// The forms of these APIs.
const (
	Response           Form = "Response"
	ResponseEvent      Form = "ResponseStreamEvent"
	ResponseTokens     Form = "TokenCountsResource"
	ResponseCompaction Form = "CompactResource"
	ResponseError      Form = "ResponseErrorResponse"
	Generated          Form = "GenerateContentResponse"
	GeneratedArray     Form = "Array of GenerateContentResponse" // a stream without alt=sse
	GeneratedCount     Form = "CountTokensResponse"
	Embedded           Form = "EmbedContentResponse"
	EmbeddedBatch      Form = "BatchEmbedContentsResponse"
	GoogleModels       Form = "Google.ListModelsResponse" // or one of them
	GoogleError        Form = "Status"
)

// has reports a member that is missing.
func has(f Form, body []byte, names ...string) error {
	var found object
	if err := json.Unmarshal(body, &found); err != nil {
		return fmt.Errorf("it is no JSON object: %w", err)
	}
	for _, name := range names {
		if _, ok := found[name]; !ok {
			return fmt.Errorf("it is no %s: %q is missing", f, name)
		}
	}
	return nil
}

func responseForm(path string, status int, stream bool) Form {
	switch {
	case status >= http.StatusBadRequest:
		return ResponseError
	case stream:
		return ResponseEvent
	case path == "responses/input_tokens":
		return ResponseTokens
	case path == "responses/compact":
		return ResponseCompaction
	}
	return Response
}

// responseMembers are those that the types of OpenAI's SDKs require of a response.
var responseMembers = []string{
	"id", "object", "created_at", "status", "error", "incomplete_details", "instructions", "metadata", "model", "output", "parallel_tool_calls", "temperature", "tool_choice",
	"tools", "top_p", "usage",
}

func checkResponse(f Form, body []byte) error {
	switch f {
	case ResponseError:
		return has(f, body, "error")
	case ResponseCompaction:
		return has(f, body, "id", "object", "created_at", "output", "usage")
	case ResponseTokens:
		return has(f, body, "object", "input_tokens")
	}
	return has(f, body, responseMembers...)
}

// responseEvents are the events of a response as they come.
type responseEvents struct {
	name   string // that was announced for the next payload
	number int    // of the next event
	id     string // the response's, which does not change
	open   bool   // an item is
}

func (e *responseEvents) line(line []byte) (over bool, err error) {
	if name, ok := bytes.CutPrefix(line, []byte("event: ")); ok {
		e.name = string(name)
		return false, nil
	}
	data, ok := bytes.CutPrefix(line, []byte("data: "))
	if !ok {
		return false, errors.New("it is neither a name nor data")
	}
	var ev struct {
		Type     string
		Number   int `json:"sequence_number"`
		Response json.RawMessage
	}
	if err := json.Unmarshal(data, &ev); err != nil || ev.Type != e.name {
		return false, fmt.Errorf("its name is %q, but its type %q (%w)", e.name, ev.Type, err)
	}
	if ev.Type == "keepalive" {
		return false, nil
	}
	if ev.Number != e.number {
		return false, fmt.Errorf("its number is %d, not %d", ev.Number, e.number)
	}
	e.number++
	return e.take(ev.Type, ev.Response)
}

func (e *responseEvents) take(typ string, response json.RawMessage) (over bool, err error) {
	switch typ {
	case "response.output_item.added":
		err, e.open = orderly(!e.open), true
	case "response.output_item.done":
		err, e.open = orderly(e.open), false
	case "response.created", "response.in_progress", "response.completed", "response.incomplete", "response.failed":
		var of struct{ ID string }
		if err := json.Unmarshal(response, &of); err != nil || e.id != "" && of.ID != e.id {
			return false, fmt.Errorf("it is of another response: %q, not %q", of.ID, e.id)
		}
		e.id = of.ID
		if typ == "response.failed" {
			return true, nil
		}
		if over = !strings.HasSuffix(typ, "ed") || typ == "response.completed"; typ == "response.in_progress" {
			over = false
		}
		if err = has(Response, response, responseMembers...); err == nil {
			err = orderly(!e.open)
		}
	}
	return over, err
}

func googleForm(path string, status int, sse bool) Form {
	switch {
	case status >= http.StatusBadRequest:
		return GoogleError
	case strings.HasSuffix(path, ":streamGenerateContent") && !sse:
		return GeneratedArray
	case strings.HasSuffix(path, ":countTokens"):
		return GeneratedCount
	case strings.HasSuffix(path, ":embedContent"):
		return Embedded
	case strings.HasSuffix(path, ":batchEmbedContents"):
		return EmbeddedBatch
	case strings.Contains(path, ":"):
		return Generated
	}
	return GoogleModels
}

func checkGoogle(f Form, body []byte) error {
	switch f {
	case GeneratedCount:
		return has(f, body, "totalTokens")
	case Embedded:
		return has(f, body, "embedding", "usageMetadata")
	case EmbeddedBatch:
		return has(f, body, "embeddings", "usageMetadata")
	case GoogleModels:
		if has(f, body, "models") == nil {
			return nil
		}
		return has(f, body, "name", "supportedGenerationMethods")
	case Generated:
		return has(f, body, "modelVersion", "usageMetadata")
	case GeneratedArray:
		return checkArray(body)
	}
	if in, ok := bytes.CutPrefix(body, []byte("[")); ok { // in place of an array
		body = bytes.TrimSuffix(in, []byte("]"))
	}
	var e struct {
		Error struct {
			Code            int
			Message, Status string
		}
	}
	if err := json.Unmarshal(body, &e); err != nil || e.Error.Code == 0 || e.Error.Message == "" || e.Error.Status == "" {
		return fmt.Errorf("it is no %s", f)
	}
	return nil
}

// checkArray holds a stream that is one array against what holds for its pieces.
func checkArray(body []byte) error {
	var list []json.RawMessage
	if err := json.Unmarshal(body, &list); err != nil {
		return fmt.Errorf("it is no %s: %w", GeneratedArray, err)
	}
	over := false
	for _, piece := range list {
		if over {
			return errors.New("a piece comes after the last one")
		}
		var err error
		if over, err = (*pieces)(nil).line(append([]byte("data: "), piece...)); err != nil {
			return err
		}
	}
	if !over {
		return errors.New("it has no last piece")
	}
	return nil
}

// pieces are those of a stream of Google's. The last one has the usage, or is an error.
type pieces struct{}

func (*pieces) line(line []byte) (over bool, err error) {
	if len(line) == 0 {
		return false, nil
	}
	data, ok := bytes.CutPrefix(line, []byte("data: "))
	if !ok {
		return false, errors.New("it is no data")
	}
	if has(GoogleError, data, "error") == nil {
		return true, checkGoogle(GoogleError, data)
	}
	return has(Generated, data, "usageMetadata") == nil, has(Generated, data, "modelVersion")
}
