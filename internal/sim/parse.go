package sim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// ParseScript reads a script file. Members that it does not know, and values that contradict each other, are
// errors that say where.
func ParseScript(data []byte) (Script, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var s Script
	if err := dec.Decode(&s); err != nil {
		return Script{}, located(data, dec.InputOffset(), err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return Script{}, located(data, dec.InputOffset(), errors.New("the file goes on after the script's closing brace"))
	}
	if err := s.Validate(); err != nil {
		return Script{}, err
	}
	return s, nil
}

const unknownField = "json: unknown field "

// located adds the line to a decoding error.
func located(data []byte, offset int64, err error) error {
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &typ):
		offset = typ.Offset
		err = fmt.Errorf("%s must be %s, not %s", typ.Field, withArticle(typ.Type.String()), withArticle(typ.Value))
	case strings.HasPrefix(err.Error(), unknownField):
		// The decoder does not say where; the first place that has the name will do.
		name := []byte(strings.TrimPrefix(err.Error(), unknownField))
		offset = int64(max(bytes.Index(data, name), 0))
	case err == io.EOF:
		err = errors.New("the file is empty; the smallest script is {}")
	}
	line := 1 + bytes.Count(data[:min(int(offset), len(data))], []byte("\n"))
	return fmt.Errorf("line %d: %s", line, strings.TrimPrefix(err.Error(), "json: "))
}

// withArticle puts the a or an that a noun asks for before it.
func withArticle(noun string) string {
	if strings.IndexAny(noun, "aeiou") == 0 {
		return "an " + noun
	}
	return "a " + noun
}

// Validate reports the first rule that cannot be carried out, and why.
func (s Script) Validate() error {
	if s.Tokens < 0 || s.Keep < 0 {
		return errors.New("tokens and keep cannot be negative")
	}
	for i := range s.Rules {
		if err := s.Rules[i].validate(); err != nil {
			return fmt.Errorf("rules[%d]: %w", i, err)
		}
	}
	return nil
}

// otherPaths are those of dialects other than OpenAI's that a rule can name.
var otherPaths = []string{pathMessages, pathCount, pathCohereChat, pathConverse, pathGenerate, pathResponses, pathInputTokens, pathCompact}

func (r *Rule) validate() error {
	m := r.Match
	if all := append(slices.Clone(paths), otherPaths...); m.Path != "" && !slices.Contains(all, m.Path) {
		return fmt.Errorf("match.path is %q; the paths are %s", m.Path, strings.Join(all, ", "))
	}
	if m.Nth < 0 || m.Times < 0 || r.Tokens < 0 || r.Huge < 0 {
		return errors.New("nth, times, tokens and huge cannot be negative")
	}
	if r.Status != 0 && (r.Status < 200 || r.Status > 999) {
		return fmt.Errorf("status is %d; a final status has three digits and is 200 or more", r.Status)
	}
	for _, c := range r.Calls {
		if c.Name == "" || len(c.Arguments) == 0 || c.Arguments[0] != '{' && c.Arguments[0] != '"' {
			return errors.New("each of calls has a name, and arguments that are an object or, for a custom tool, a string")
		}
	}
	if r.Answer != nil && !json.Valid(r.Answer) {
		return errors.New("answer must be JSON; text of any other kind is a body")
	}
	for _, n := range []*int{r.Cut, r.Truncate, r.ResetAfter, r.StallAfter, r.BadJSON, r.ErrorEvent} {
		if n != nil && *n < 0 {
			return errors.New("cut, truncate, reset_after, stall_after, bad_json and error_event cannot be negative")
		}
	}
	if _, ends, _ := r.breaks(); ends > 1 {
		return errors.New("truncate, reset_after and stall_after exclude each other")
	}
	for _, p := range []*Point{r.Reset, r.Stall} {
		if p != nil && *p < BeforeHeaders {
			return errors.New(`reset and stall are "headers" or a number of events`)
		}
	}
	return r.validateFraming()
}

// breaks returns after how many bytes of its body an answer breaks off, and how; -1 and nil if it does not. ends is
// how many of such ends the rule has.
func (r *Rule) breaks() (after, ends int, how error) {
	after = -1
	for _, end := range [...]struct {
		after *int
		how   error
	}{{r.Truncate, errAbort}, {r.ResetAfter, errReset}, {r.StallAfter, errStall}} {
		if end.after != nil {
			after, how = *end.after, end.how
			ends++
		}
	}
	return after, ends, how
}

func (r *Rule) validateFraming() error {
	for _, f := range r.Framing {
		if !slices.Contains(framings, f) {
			return fmt.Errorf("framing %q is unknown; there are %q", f, framings)
		}
	}
	if slices.Contains(r.Framing, CR) && slices.Contains(r.Framing, CRLF) {
		return errors.New("framing has cr as well as crlf; lines can end in one of them only")
	}
	return nil
}
