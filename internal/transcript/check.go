package transcript

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// response holds the last exchange against the lines about it. All of them are reported, not just the first.
func (r *runner) response(s *responseStep) {
	x := r.current
	if x == nil {
		r.fault(s.checks[0].line, errors.New("no request comes before this"))
		return
	}
	if len(s.checks) == 1 && s.checks[0].text == "silence" {
		r.fault(s.checks[0].line, x.silence())
		return
	}
	if err := x.head(); err != nil {
		r.fault(s.checks[0].line, err)
		return
	}
	cut := false
	for _, c := range s.checks {
		cut = cut || c.text == "cut"
	}
	if !s.open {
		r.fault(s.checks[0].line, x.readUntil(nil))
		if !cut && x.bodyErr != io.EOF && len(r.faults) == 0 {
			r.fault(s.checks[0].line, fmt.Errorf("the body broke off: %w", x.bodyErr))
		}
	}
	for _, c := range s.checks {
		text, err := r.expand(c.text)
		if err == nil {
			c.text = text
			err = r.check(x, c)
		}
		var at lineError
		if errors.As(err, &at) {
			r.fault(at.line, at.err)
			continue
		}
		r.fault(c.line, err)
	}
}

// lineError is a fault in another line than the one that is being checked.
type lineError struct {
	line int
	err  error
}

func (e lineError) Error() string { return e.err.Error() }

var (
	statusLine  = regexp.MustCompile(`^\d{3}$`)
	subjectLine = regexp.MustCompile(`^(body|events|event(\[-?\d+\]))((?:\.[\w$-]+|\[-?\d+\]|\["[^"]*"\])*)( .*)$`)
	headerLine  = regexp.MustCompile(`^([\w-]+):(?: (.*))?$`)
	absentLine  = regexp.MustCompile(`^!([\w-]+)$`)
)

// check checks one line, its placeholders replaced.
func (r *runner) check(x *exchange, c check) error {
	reads, isReads := strings.CutPrefix(c.text, "reads ")
	problem, isError := strings.CutPrefix(c.text, "error: ")
	switch {
	case statusLine.MatchString(c.text):
		if got := strconv.Itoa(x.resp.StatusCode); got != c.text {
			return fmt.Errorf("the status is %s, not %s", got, c.text)
		}
		return nil
	case c.text == "body:":
		return r.exactBody(x, c)
	case c.text == "cut":
		if x.bodyErr == io.EOF {
			return errors.New("the body came to its proper end, but should have been cut")
		}
		return nil
	case c.text == "closed":
		return x.closedAfter()
	case isReads:
		re, err := regexp.Compile(reads)
		if err != nil {
			return err
		}
		return x.readUntil(re)
	case isError:
		return x.isError(strings.Fields(problem))
	case subjectLine.MatchString(c.text):
		return r.checkSubject(x, subjectLine.FindStringSubmatch(c.text))
	case absentLine.MatchString(c.text):
		return headerValue(x.resp.Header, c.text[1:]).compare(comparison{op: "absent"})
	case headerLine.MatchString(c.text):
		return r.checkHeader(x, headerLine.FindStringSubmatch(c.text))
	}
	return fmt.Errorf("cannot read %q", c.text)
}

func headerValue(h http.Header, name string) value {
	list := h.Values(name)
	if len(list) == 0 {
		return value{name: name}
	}
	return textValue(name, strings.Join(list, ", "))
}

func (r *runner) checkHeader(x *exchange, m []string) error {
	c := comparison{op: "=", arg: m[2]}
	if re, ok := strings.CutPrefix(m[2], "~ "); ok {
		c = comparison{op: "~", arg: re}
	} else if name, ok := strings.CutPrefix(m[2], "-> "); ok {
		c = comparison{op: "->", arg: name}
	}
	v := headerValue(x.resp.Header, m[1])
	if strings.EqualFold(m[1], "connection") && x.resp.Close { // net/http takes it out of the header
		v = textValue(m[1], "close")
	}
	return r.settle(v, c)
}

// settle compares, or keeps the value under a name.
func (r *runner) settle(v value, c comparison) error {
	err := v.compare(c)
	if err == nil && c.op == "->" {
		r.vars[c.arg] = v.plain()
	}
	return err
}

// checkSubject checks a line about the body or an event; m is subjectLine's match.
func (r *runner) checkSubject(x *exchange, m []string) error {
	c, err := parseComparison(m[4])
	if err != nil {
		return err
	}
	v, err := x.subject(m[1], m[2], m[3])
	if err != nil {
		return err
	}
	return r.settle(v, c)
}

// subject finds what a line is about: the body, the list of events, or one event, and there the path.
func (x *exchange) subject(name, index, path string) (value, error) {
	if name == "body" {
		body, err := x.decoded()
		if err != nil {
			return value{}, err
		}
		if path == "" {
			return value{name: "body", present: len(body) > 0, text: string(body)}, nil
		}
		return lookup("body", body, path)
	}
	list := "[" + strings.Join(x.events(), ",") + "]"
	return lookup("events", []byte(list), index+path)
}

// exactBody compares the body with the lines that the story gives.
func (r *runner) exactBody(x *exchange, c check) error {
	body, err := x.decoded()
	if err != nil {
		return err
	}
	got := strings.SplitAfter(string(body), "\n")
	if got[len(got)-1] == "" {
		got = got[:len(got)-1]
	}
	for i, want := range c.exact {
		text, err := r.expand(want.text)
		if err != nil {
			return lineError{want.line, err}
		}
		if i >= len(got) {
			return lineError{want.line, errors.New("the body ends before this line")}
		}
		line, whole := strings.CutSuffix(got[i], "\n")
		if !whole {
			return lineError{want.line, fmt.Errorf("the body's last line has no newline: %q", line)}
		}
		v := textValue(fmt.Sprintf("line %d of the body", i+1), line)
		how := comparison{op: "=", arg: text}
		if want.regexp {
			how = comparison{op: "~", arg: "^(?:" + text + ")$"}
		}
		if err := v.compare(how); err != nil {
			return lineError{want.line, err}
		}
	}
	if len(got) > len(c.exact) {
		return fmt.Errorf("the body goes on: %q", shorten(strings.Join(got[len(c.exact):], "")))
	}
	return nil
}

// isError checks that the body is the error envelope with just these: type, code, and the param, null if left out.
func (x *exchange) isError(want []string) error {
	if len(want) == 2 {
		want = append(want, "null")
	}
	if len(want) != 3 {
		return errors.New(`expected "error: TYPE CODE" or "error: TYPE CODE PARAM"`)
	}
	var errs []error
	errs = append(errs, headerValue(x.resp.Header, "Content-Type").compare(comparison{op: "=", arg: "application/json"}))
	quoted := func(s string) string {
		if s == "null" {
			return s
		}
		return strconv.Quote(s)
	}
	for _, c := range []struct{ path, op, arg string }{
		{"", "length", "1"},
		{".error", "length", "4"},
		{".error.message", "~", "."},
		{".error.type", "=", quoted(want[0])},
		{".error.code", "=", quoted(want[1])},
		{".error.param", "=", quoted(want[2])},
	} {
		body, err := x.decoded()
		if err != nil {
			return err
		}
		v, err := lookup("body", body, c.path)
		if err != nil {
			return err
		}
		errs = append(errs, v.compare(comparison{op: c.op, arg: c.arg}))
	}
	return errors.Join(errs...)
}

// silence checks that the connection is closed without any response.
func (x *exchange) silence() error {
	if x.head() == nil {
		return fmt.Errorf("there is a response, %s", x.resp.Status)
	}
	if timedOut(x.noResp) {
		return errors.New("the server keeps the connection open")
	}
	return nil
}
