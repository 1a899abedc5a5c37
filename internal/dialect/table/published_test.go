package table

import (
	"testing"

	"github.com/weirproxy/weir/internal/dialect/anthropic"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
	"github.com/weirproxy/weir/internal/shape"
)

// What a caller of Anthropic's API gets of every recorded answer fits the vendor's own schema, each event and the whole.
func TestMessagesFitThePublishedSchema(t *testing.T) {
	t.Parallel()
	o := shape.MessagesOrSkip(t)
	a := apis["messages"]
	everyRecording(t, func(t *testing.T, read func(tell func(*llm.Event)) error) {
		_, payloads, body := written(t, a.asks(t), read)
		for _, p := range append(payloads, a.end()...) {
			if err := o.Check(shape.MessageEvent, []byte(p)); err != nil {
				t.Errorf("%v: %s", err, p)
			}
		}
		if err := o.Check(shape.Message, body); err != nil {
			t.Errorf("%v: %s", err, body)
		}
	})
}

// The vendor's own recorded answers fit the schema as it is read here: a member that may be null may be left out.
func TestRecordingsFitThePublishedSchema(t *testing.T) {
	t.Parallel()
	o := shape.MessagesOrSkip(t)
	recorded.Messages(t, func(t *testing.T, r recorded.Interaction) {
		form := map[bool]shape.Form{false: shape.Message, true: shape.MessageEvent}[r.Stream]
		for _, p := range recorded.EventsOf(t, r) {
			if r.Response.Status != 200 || string(anthropic.TypeOf([]byte(p))) == "ping" {
				continue
			}
			if err := o.Check(form, []byte(p)); err != nil {
				t.Errorf("%v: %s", err, p)
			}
		}
	})
}

// Errors fit it, too, whatever they are about.
func TestErrorsFitThePublishedSchema(t *testing.T) {
	t.Parallel()
	o := shape.MessagesOrSkip(t)
	for kind := llm.Internal; kind < llm.NotFound; kind++ {
		body := anthropic.Errors.Body(&llm.Error{Kind: kind, Message: "No."}, "req_1")
		switch kind {
		case llm.TooLarge, llm.IdempotencyInProgress: // the schema lacks request_too_large and conflict_error, which the vendor's pages have
			continue
		}
		if err := o.Check(shape.MessageError, body); err != nil {
			t.Errorf("%v: %s", err, body)
		}
	}
	if err := o.Check(shape.MessageTokens, anthropic.CountTokens.Counting.Write(7)); err != nil {
		t.Error(err)
	}
}
