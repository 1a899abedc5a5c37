package openai

import (
	"errors"
	"fmt"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Answer is what Weir learned from a complete answer as it passed.
type Answer struct {
	Usage    llm.Usage
	HasUsage bool
	Finish   string          // the finish reason of the first choice
	IsError  bool            // the body holds an error instead of an answer
	Edits    []jsonwalk.Edit // what has to change before the caller sees it
}

// ErrNoAnswer is wrapped by the errors of bodies that are JSON but no answer.
var ErrNoAnswer = errors.New("the body is no answer")

// ParseAnswer walks over a complete answer to a chat or completions call and finds its usage, finish reason
// and whether it is an answer at all. A non-empty echo replaces the model's name.
func ParseAnswer(body []byte, echo string) (Answer, error) {
	var a Answer
	choices := 0
	s := jsonwalk.NewScanner(body, jsonwalk.Options{})
	if s.Kind() != '{' {
		return a, fmt.Errorf("%w: it is not a JSON object", ErrNoAnswer)
	}
	for ok := s.EnterObject(); ok && s.NextMember(); {
		switch string(s.Name()) {
		case "choices":
			choices = a.choices(s, body)
		case "usage":
			if u, ok := readUsage(s, body); ok {
				a.Usage, a.HasUsage = u, true
			}
		case "model":
			a.model(s, echo)
		case "error":
			a.IsError = a.IsError || s.Kind() != 'n'
			s.Skip()
		default:
			s.Skip()
		}
	}
	switch err := s.End(); {
	case err != nil:
		return a, err
	case a.IsError:
		return a, fmt.Errorf("%w: it holds an error", ErrNoAnswer)
	case choices == 0:
		return a, fmt.Errorf("%w: it has no choices", ErrNoAnswer)
	}
	return a, nil
}

// choices consumes the array of choices and counts them.
func (a *Answer) choices(s *jsonwalk.Scanner, body []byte) int {
	if s.Kind() != '[' {
		s.Skip()
		return 0
	}
	n := 0
	for ok := s.EnterArray(); ok && s.NextElement(); {
		if n++; n > 1 || s.Kind() != '{' {
			s.Skip()
			continue
		}
		for ok := s.EnterObject(); ok && s.NextMember(); {
			finish := string(s.Name()) == "finish_reason"
			raw := s.Skip().Of(body)
			if finish {
				a.Finish, _ = jsonwalk.Text(raw)
			}
		}
	}
	return n
}

// model consumes the model's name and replaces it if asked to.
func (a *Answer) model(s *jsonwalk.Scanner, echo string) {
	if span := s.Skip(); echo != "" && s.Err() == nil {
		a.Edits = append(a.Edits, jsonwalk.Edit{Span: span, New: quote(echo)})
	}
}
