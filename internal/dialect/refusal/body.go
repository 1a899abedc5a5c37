// Package refusal reads upstreams' errors. It parses an error's body in any shape, and says what it means for the request, for the
// next attempt and for the caller. It is pure: what it is given decides what it returns.
package refusal

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
)

// Error is what the error body of an upstream says, in whatever shape it came.
type Error struct {
	Message, Type, Param, Code string

	RPC        string        // the status next to the code in Google's APIs, such as RESOURCE_EXHAUSTED
	RetryAfter time.Duration // how long the body asks to wait, 0 if it does not
	KeyRefused bool          // Google's details say that the key is invalid or expired

	// Conventional says that the body has exactly OpenAI's envelope, so that it can pass as it is.
	Conventional bool
}

// maxMessage is how much of a text that is no JSON is kept as a message.
const maxMessage = 2048

// Parse reads an error body. Vendors put the message at error.message, error (a string), message, detail (a string or
// FastAPI's list), errors[0].message or title; the first one present counts. Without any of these, Parse looks for
// all of them in detail (FastAPI's of an object), in the first choice (OpenRouter's in the middle of an answer) or in a response that failed. A
// text that is not JSON is the message itself, unless it is HTML.
func Parse(body []byte) Error {
	body = bytes.TrimSpace(body)
	listed := false
	if len(body) > 0 && body[0] == '[' { // some vendors wrap the error in a list
		if first := firstOfList(body); first != nil {
			body, listed = first, true
		}
	}
	var top errorBody
	if json.Unmarshal(body, &top) != nil {
		if IsHTML(body) {
			return Error{}
		}
		return Error{Message: strings.ToValidUTF8(string(body[:min(len(body), maxMessage)]), "\uFFFD")}
	}
	e := top.read()
	e.Conventional = e.Conventional && !listed
	for _, inner := range []json.RawMessage{top.Detail, firstOfList(top.Choices), top.Response} {
		var nested errorBody
		if e.Message == "" && json.Unmarshal(inner, &nested) == nil {
			if inner := nested.read(); inner.Message != "" {
				inner.Conventional = false
				e = inner
			}
		}
	}
	return e
}

// read reads what the body says at its own level.
func (b errorBody) read() Error {
	e := b.fields()
	if e.Message == "" {
		e.Message = firstOf(stringOf(b.Detail), detailList(b.Detail), b.Message.text, firstError(b.Errors), b.Title.text, statusMessage(b.Resp))
	}
	return e
}

// errorBody is the union of the shapes seen. Members of unexpected types are ignored, never an error.
type errorBody struct {
	Error   json.RawMessage `json:"error"`
	Message looseString     `json:"message"`
	Type    looseString     `json:"type"`
	Param   looseString     `json:"param"`
	Code    looseString     `json:"code"`
	Detail  json.RawMessage `json:"detail"`
	Errors  json.RawMessage `json:"errors"`
	Title   looseString     `json:"title"`
	Choices json.RawMessage `json:"choices"`
	Resp    json.RawMessage `json:"base_resp"`

	Response json.RawMessage `json:"response"` // that failed, in an event of the Responses API
}

// fields reads the envelope if there is one, else the flat members.
func (b errorBody) fields() Error {
	flat := Error{Message: b.Message.text, Type: b.Type.text, Param: b.Param.text, Code: b.Code.text}
	if text := stringOf(b.Error); text != "" {
		flat.Message = text
		return flat
	}
	var inner struct {
		Message looseString `json:"message"`
		Type    looseString `json:"type"`
		Param   looseString `json:"param"`
		Code    looseString `json:"code"`
		Status  looseString `json:"status"`
		Details json.RawMessage
	}
	if len(b.Error) == 0 || b.Error[0] != '{' || json.Unmarshal(b.Error, &inner) != nil {
		return flat
	}
	details := readDetails(inner.Details)
	return Error{
		Message: inner.Message.text, Type: inner.Type.text, Param: inner.Param.text, Code: inner.Code.text,
		RPC: inner.Status.text, RetryAfter: details.wait, KeyRefused: details.keyRefused,
		Conventional: inner.Message.text != "" && inner.Message.str && inner.Type.str &&
			inner.Param.present && (inner.Param.str || inner.Param.null) && inner.Code.present && (inner.Code.str || inner.Code.null),
	}
}

// Bounds on the details of an error: how many are looked at, and how long at least a limit holds that counts by days.
const (
	maxDetails = 16
	nextDay    = time.Hour
)

// details are the parts of a Google error's details that Weir reads.
type details struct {
	wait       time.Duration
	keyRefused bool
}

// readDetails reads how long they ask to wait, and whether the key is at fault. If a day's quota is used up, the delay that comes
// with it does not help.
func readDetails(raw json.RawMessage) (found details) {
	for i, detail := range jsonwalk.Elements(raw) {
		if i == maxDetails {
			break
		}
		var d struct {
			RetryDelay looseString `json:"retryDelay"`
			Reason     looseString `json:"reason"`
			Violations []struct {
				QuotaID looseString `json:"quotaId"`
			} `json:"violations"`
		}
		if json.Unmarshal(detail, &d) != nil {
			continue
		}
		found.keyRefused = found.keyRefused || d.Reason.text == "API_KEY_INVALID" || d.Reason.text == "API_KEY_EXPIRED"
		if delay, err := time.ParseDuration(d.RetryDelay.text); err == nil {
			found.wait = max(found.wait, delay)
		}
		for _, v := range d.Violations {
			if strings.Contains(v.QuotaID.text, "PerDay") {
				found.wait = max(found.wait, nextDay)
			}
		}
	}
	return found
}

// looseString is a string, a number as a string, or empty; it never fails to decode.
type looseString struct {
	text               string
	present, str, null bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (l *looseString) UnmarshalJSON(raw []byte) error {
	l.present = true
	switch {
	case string(raw) == "null":
		l.null = true
	case raw[0] == '"':
		l.str = true
		return json.Unmarshal(raw, &l.text)
	case raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9':
		l.text = string(raw)
	}
	return nil
}

func stringOf(raw json.RawMessage) string {
	var text string
	_ = json.Unmarshal(raw, &text) // not a string: stays empty
	return text
}

// firstOfList is the first element of a JSON array, or nil. The others are not read: there may be millions.
func firstOfList(raw []byte) json.RawMessage {
	s := jsonwalk.NewScanner(raw, jsonwalk.Options{})
	if s.Kind() != '[' || !s.EnterArray() || !s.NextElement() {
		return nil
	}
	return json.RawMessage(s.Skip().Of(raw))
}

// maxLoc is how many parts of a fault's place are reported.
const maxLoc = 16

func detailList(raw json.RawMessage) string {
	var first struct {
		Msg string          `json:"msg"`
		Loc json.RawMessage `json:"loc"`
	}
	if json.Unmarshal(firstOfList(raw), &first) != nil {
		return ""
	}
	var where []string
	s := jsonwalk.NewScanner(first.Loc, jsonwalk.Options{})
	for ok := s.Kind() == '[' && s.EnterArray(); ok && len(where) < maxLoc && s.NextElement(); {
		where = append(where, strings.Trim(string(s.Skip().Of(first.Loc)), `"`))
	}
	if len(where) == 0 {
		return first.Msg
	}
	return strings.Join(where, ".") + ": " + first.Msg
}

func firstError(raw json.RawMessage) string {
	var first struct {
		Message string `json:"message"`
	}
	_ = json.Unmarshal(firstOfList(raw), &first) // no list of errors: stays empty
	return first.Message
}

// statusMessage is MiniMax's message, which comes inside a 200.
func statusMessage(raw json.RawMessage) string {
	var resp struct {
		Message string `json:"status_msg"`
	}
	_ = json.Unmarshal(raw, &resp) // no such object: stays empty
	return resp.Message
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// IsHTML reports whether a body is a web page instead of an API's answer.
func IsHTML(body []byte) bool {
	body = bytes.TrimSpace(body)
	return len(body) > 0 && body[0] == '<'
}
