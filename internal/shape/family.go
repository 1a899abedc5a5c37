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

// stream follows one stream line by line, or payload by payload. over says that it has had its last event.
type stream interface {
	line(line []byte) (over bool, err error)
	payload(data []byte) (over bool, err error)
	said() []string // see Said
}

// errFailed is the end of a stream that failed as its API has it.
var errFailed = errors.New("it failed")

// Together puts the payloads of one stream together as clients do, and returns what Said does of the whole answer. The error says how the stream breaks
// the order of its API, or that it is not whole. failed says that it ended with the API's own failure.
func Together(path string, payloads []string) (said []string, failed bool, err error) {
	var of stream
	if f := familyOf(path, nil); f != nil {
		of = f.stream
	}
	if e, ok := of.(*events); ok { // clients go by the places of blocks
		e.late = true
	}
	over := false
	for i, p := range payloads {
		if over {
			return nil, false, fmt.Errorf("after the last event comes %s", p)
		}
		if over, err = of.payload([]byte(p)); errors.Is(err, errFailed) {
			failed, err = true, nil
		}
		if err != nil {
			return nil, false, fmt.Errorf("event %d: %w: %s", i, err, p)
		}
	}
	if !over {
		return nil, false, errors.New("it has no end")
	}
	return of.said(), failed, nil
}

// Said is what a whole answer of an API says: a line for each thing.
func Said(path string, body []byte) ([]string, error) {
	var of stream
	switch f := familyOf(path, nil); s := f.stream.(type) {
	case *events:
		return s.saidBy(body)
	case *responseEvents:
		s.last = body
		of = s
	case *pieces:
		if _, err := s.payload(body); err != nil {
			return nil, err
		}
		of = s
	}
	return of.said(), nil
}

// named are the lines of streams whose events have names: that of their type.
type named struct {
	name string // that was announced for the next payload
}

func (n *named) line(line []byte, payload func([]byte) (bool, error)) (over bool, err error) {
	if name, ok := bytes.CutPrefix(line, []byte("event: ")); ok {
		if n.name != "" {
			return false, errors.New("two names come for one event")
		}
		n.name = string(name)
		return false, nil
	}
	data, ok := bytes.CutPrefix(line, []byte("data: "))
	if !ok {
		return false, errors.New("it is neither a name nor data")
	}
	var ev struct{ Type string }
	if err := json.Unmarshal(data, &ev); err != nil || ev.Type != n.name {
		return false, fmt.Errorf("its name is %q, but its type %q (%w)", n.name, ev.Type, err)
	}
	n.name = ""
	if over, err = payload(data); errors.Is(err, errFailed) {
		err = nil
	}
	return over, err
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
	ResponseItems      Form = "ResponseItemList"
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
	case strings.HasSuffix(path, "/input_items"):
		return ResponseItems
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
	case ResponseItems:
		return has(f, body, "object", "data", "first_id", "last_id", "has_more")
	}
	if has(f, body, "deleted") == nil { // answers a DELETE
		return has(f, body, "id", "object")
	}
	return has(f, body, responseMembers...)
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
	over, all := false, new(pieces)
	for _, piece := range list {
		if over {
			return errors.New("a piece comes after the last one")
		}
		var err error
		if over, err = all.line(append([]byte("data: "), piece...)); err != nil {
			return err
		}
	}
	if !over {
		return errors.New("it has no last piece")
	}
	return nil
}
