package load

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/weirproxy/weir/internal/dialect/sse"
)

// errCutShort is a stream that ends before the answer does.
var errCutShort = errors.New("the stream ended before the answer did")

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

// readError takes code and message from an error of any of the dialects; else the message is how the text begins.
func (a *answer) readError(text []byte) {
	type envelope struct {
		Message string `json:"message"`
		Type    string `json:"type"`
		Status  string `json:"status"` // of Google's
		Code    any    `json:"code"`   // text or a number
	}
	var read struct {
		envelope
		Error    envelope                 `json:"error"`
		Response struct{ Error envelope } `json:"response"`
	}
	if json.Unmarshal(text, &read) == nil {
		for _, e := range [...]envelope{read.Error, read.Response.Error, read.envelope} {
			if e.Message == "" {
				continue
			}
			a.message, a.code = e.Message, cmp.Or(e.Status, e.Type)
			if e.Code != nil && e.Status == "" {
				a.code = fmt.Sprint(e.Code)
			}
			return
		}
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
	done, form := false, c.plan.Endpoint.form()
	var last time.Time
	for {
		event, err := c.sse.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		m := form.event(event.Data)
		done = done || m.done
		switch {
		case m.fails:
			a.readError(event.Data)
			continue
		case string(event.Data) == "[DONE]":
			continue
		}
		a.events++
		rec.events.Add(1)
		now := time.Now()
		switch {
		case !a.first.IsZero():
			rec.between.Add(now.Sub(last))
		case m.token:
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
