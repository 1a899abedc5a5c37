package transcript

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	logLine   = regexp.MustCompile(`^log((?:\.[\w-]+|\[-?\d+\]|\["[^"]*"\])+)( .*)$`)
	callsLine = regexp.MustCompile(`^upstream (\w+(?:\.lists)?) calls (\d+)$`)
	goneLine  = regexp.MustCompile(`^upstream (\w+(?:\.lists)?)\[(-?\d+)\] hung up$`)
	callLine  = regexp.MustCompile(`^upstream (\w+(?:\.lists)?)\[(-?\d+)\]\.(method|path|headers|header\.[\w-]+|body)((?:\.[\w$-]+|\[-?\d+\]|\["[^"]*"\])*)( .*)$`)
	keyLine   = regexp.MustCompile(`^key ([\w-]+)(?: models=(\S+))?$`)
	copyLine  = regexp.MustCompile(`^copy (\S+) (\S+)$`)
)

// command runs a statement that is neither a request nor about a response.
func (r *runner) command(text string) error {
	text, err := r.expand(text)
	if err != nil {
		return err
	}
	if text == "hang up" {
		return r.hangUp()
	}
	for _, c := range []struct {
		line *regexp.Regexp
		run  func(m []string) error
	}{
		{logLine, r.checkLog},
		{callsLine, r.checkCalls},
		{goneLine, r.checkGone},
		{callLine, r.checkCall},
		{keyLine, r.makeKey},
		{copyLine, r.copyFile},
	} {
		if m := c.line.FindStringSubmatch(text); m != nil {
			return c.run(m)
		}
	}
	return fmt.Errorf("cannot read %q; statements are requests (>), lines about responses (<), hang up, upstream, log, key, copy", text)
}

func (r *runner) hangUp() error {
	if r.current == nil {
		return errors.New("no request comes before this")
	}
	return r.current.conn.Close()
}

func (r *runner) makeKey(m []string) error {
	var models []string
	if m[2] != "" {
		models = strings.Split(m[2], ",")
	}
	r.vars[m[1]] = r.instance.NewKey(r.t, m[1], models)
	return nil
}

func (r *runner) copyFile(m []string) error {
	data, err := os.ReadFile(filepath.Join(r.dir, filepath.Base(m[1])))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.dir, filepath.Base(m[2])), data, 0o600)
}

func (r *runner) checkLog(m []string) error {
	event, err := r.logEvent()
	if err != nil {
		return err
	}
	c, err := parseComparison(m[2])
	if err != nil {
		return err
	}
	v, err := lookup("log", event, m[1])
	if err != nil {
		return err
	}
	if err := r.settle(v, c); err != nil {
		return fmt.Errorf("%w\n\tthe event: %s", err, event)
	}
	return nil
}

// calls waits until the named upstream's calls, or those for its model list, are as wanted.
func (r *runner) calls(name string, done func([]Call) bool) ([]Call, error) {
	name, lists := strings.CutSuffix(name, ".lists")
	up, ok := r.upstreams[name]
	if !ok {
		return nil, fmt.Errorf("no section of the story mentions {{%s}}", name)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var wanted []Call
	_, err := up.Wait(ctx, func(all []Call) bool {
		wanted = slices.DeleteFunc(slices.Clone(all), func(c Call) bool { return (c.Method == http.MethodGet) != lists })
		return done(wanted)
	})
	return wanted, err
}

func (r *runner) checkCalls(m []string) error {
	want, err := strconv.Atoi(m[2])
	if err != nil {
		return err
	}
	calls, err := r.calls(m[1], func(c []Call) bool { return len(c) >= want })
	if len(calls) != want {
		return fmt.Errorf("%s saw %d calls, not %d%s", m[1], len(calls), want, describe(calls))
	}
	return err
}

// describe lists calls for a report.
func describe(calls []Call) string {
	var b strings.Builder
	for i, c := range calls {
		fmt.Fprintf(&b, "\n\t[%d] %s %s %s", i, c.Method, c.Path, shorten(string(c.Body)))
	}
	return b.String()
}

// at finds the call with the index, which counts from the end if it is negative.
func at(calls []Call, index string) (Call, bool) {
	i, err := strconv.Atoi(index)
	if i < 0 {
		i += len(calls)
	}
	if err != nil || i < 0 || i >= len(calls) {
		return Call{}, false
	}
	return calls[i], true
}

func (r *runner) checkGone(m []string) error {
	calls, err := r.calls(m[1], func(c []Call) bool {
		call, ok := at(c, m[2])
		return ok && call.Gone
	})
	if err != nil {
		return fmt.Errorf("%s has not noticed that its caller went away%s", m[1], describe(calls))
	}
	return nil
}

func (r *runner) checkCall(m []string) error {
	c, err := parseComparison(m[5])
	if err != nil {
		return err
	}
	calls, err := r.calls(m[1], func(c []Call) bool {
		_, ok := at(c, m[2])
		return ok
	})
	call, ok := at(calls, m[2])
	if !ok {
		return fmt.Errorf("%s has no such call: %w%s", m[1], err, describe(calls))
	}
	v, err := call.field(m[3], m[4])
	if err != nil {
		return err
	}
	return r.settle(v, c)
}

// field is what a line about a call compares.
func (c Call) field(name, path string) (value, error) {
	header, isHeader := strings.CutPrefix(name, "header.")
	switch {
	case isHeader:
		return headerValue(c.Header, header), nil
	case name == "method":
		return textValue(name, c.Method), nil
	case name == "path":
		return textValue(name, c.Path), nil
	case name == "headers":
		var names []string
		for n := range c.Header {
			names = append(names, strings.ToLower(n))
		}
		slices.Sort(names)
		return textValue(name, strings.Join(names, ", ")), nil
	case path == "":
		return value{name: "body", present: len(c.Body) > 0, text: string(c.Body)}, nil
	}
	return lookup("body", json.RawMessage(c.Body), path)
}
