package passthrough

import (
	"fmt"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// ReadAnswer reads a complete chat answer as the events of the stream that it would have been. It calls tell with all but the last,
// and returns that one. An error has what the answer took with it, if it says so.
func ReadAnswer(body []byte, tell func(*llm.Event)) (end llm.Event, err error) {
	chat := &Request{Scanned: dialect.Scanned{Endpoint: llm.Chat}}
	answer, err := chat.ParseAnswer(body, dialect.Stand{Name: nameOf(body)})
	end.Usage, end.Uncounted = answer.Usage, !answer.HasUsage
	switch {
	case answer.IsError:
		return end, llm.ErrError
	case err != nil:
		return end, fmt.Errorf("%w: %w", llm.ErrNoAnswer, err)
	}
	payloads, err := chat.StreamOf(jsonwalk.Apply(make([]byte, 0, len(body)+256), body, answer.Edits))
	if err != nil {
		return end, fmt.Errorf("%w: %w", llm.ErrNoAnswer, err)
	}
	r := AnswerReader{}
	keep := func(ev *llm.Event) {
		if ev.Kind == llm.End {
			end = *ev
			return
		}
		tell(ev)
	}
	for payload := range payloads {
		if err = r.Read(payload, keep); err != nil {
			return end, err
		}
	}
	if err = r.end(true, keep); err == nil && !r.ended {
		err = fmt.Errorf("%w: it does not end", llm.ErrNoAnswer)
	}
	return end, err
}
