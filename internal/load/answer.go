package load

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/weirproxy/weir/internal/dialect/sse"
)

// errCutShort is a stream that ends without [DONE].
var errCutShort = errors.New("the stream ended without [DONE]")

// dialError is a failure to connect.
type dialError struct{ err error }

func (e *dialError) Error() string { return e.err.Error() }
func (e *dialError) Unwrap() error { return e.err }

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// maxRefusal is how much of an error's body is read for its code.
const maxRefusal = 64 << 10

// refusal reads an answer that is an error.
func (a *answer) refusal(body io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(body, maxRefusal))
	if err == nil {
		_, err = io.Copy(io.Discard, body)
	}
	a.readError(text)
	return err
}

// readError takes code and message from an error in OpenAI's shape; else the message is how the text begins.
func (a *answer) readError(text []byte) {
	var envelope struct {
		Error struct {
			Message string `json:"message"`
			Type    string `json:"type"`
			Code    any    `json:"code"` // text or a number
		} `json:"error"`
	}
	if json.Unmarshal(text, &envelope) == nil && envelope.Error.Message != "" {
		a.message, a.code = envelope.Error.Message, envelope.Error.Type
		if envelope.Error.Code != nil {
			a.code = fmt.Sprint(envelope.Error.Code)
		}
		return
	}
	a.message = string(text[:min(len(text), 200)])
}

// stream reads a stream's events and their times.
func (c *conn) stream(a *answer, body io.Reader, rec *recorder) error {
	if c.sse == nil {
		c.sse = sse.NewReader(body, maxEvent)
	} else {
		c.sse.Reset(body)
	}
	done := false
	var last time.Time
	for {
		event, err := c.sse.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		switch {
		case string(event.Data) == "[DONE]":
			done = true
			continue
		case bytes.HasPrefix(event.Data, []byte(`{"error":`)):
			a.readError(event.Data)
			continue
		}
		a.events++
		rec.events.Add(1)
		now := time.Now()
		switch {
		case !a.first.IsZero():
			rec.between.Add(now.Sub(last))
		case isToken(event.Data):
			a.first = now
			rec.begun.Add(1)
		}
		last = now
	}
	if !done && a.message == "" {
		return errCutShort
	}
	return nil
}

// isToken reports whether a chunk brings anything that a user would see.
func isToken(data []byte) bool {
	var chunk struct {
		Choices []struct {
			Text  string `json:"text"`
			Delta struct {
				Content          string            `json:"content"`
				Reasoning        string            `json:"reasoning"`
				ReasoningContent string            `json:"reasoning_content"`
				Refusal          string            `json:"refusal"`
				ToolCalls        []json.RawMessage `json:"tool_calls"`
			} `json:"delta"`
		} `json:"choices"`
	}
	if json.Unmarshal(data, &chunk) != nil {
		return false
	}
	for _, choice := range chunk.Choices {
		d := choice.Delta
		if choice.Text+d.Content+d.Reasoning+d.ReasoningContent+d.Refusal != "" || len(d.ToolCalls) > 0 {
			return true
		}
	}
	return false
}
