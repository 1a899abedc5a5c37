package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// value is something that a line of a story compares: a JSON value, or plain text.
type value struct {
	name    string // as the story calls it, for messages
	present bool
	isJSON  bool
	text    string // the JSON as received, or the plain text
}

func textValue(name, text string) value { return value{name: name, present: true, text: text} }

func jsonValue(name string, raw json.RawMessage) value {
	return value{name: name, present: true, isJSON: true, text: string(raw)}
}

// comparison is what a line says about a value: an operator and its argument.
type comparison struct{ op, arg string }

var comparisonLine = regexp.MustCompile(`^ ?(=|!=|~|!~|->|length|absent|present)(?: (.*))?$`)

func parseComparison(s string) (comparison, error) {
	m := comparisonLine.FindStringSubmatch(s)
	if m == nil {
		return comparison{}, fmt.Errorf("cannot read %q: expected =, !=, ~, !~, ->, length, absent or present", strings.TrimSpace(s))
	}
	return comparison{op: m[1], arg: m[2]}, nil
}

// compare returns what is wrong, nil for nothing. An assignment is not compared.
func (v value) compare(c comparison) error {
	switch {
	case c.op == "absent":
		if v.present {
			return fmt.Errorf("%s is %s, but should be absent", v.name, shorten(v.text))
		}
		return nil
	case !v.present:
		return fmt.Errorf("%s is absent", v.name)
	case c.op == "present", c.op == "->":
		return nil
	case c.op == "=", c.op == "!=":
		return v.equal(c.arg, c.op == "=")
	case c.op == "~", c.op == "!~":
		return v.match(c.arg, c.op == "~")
	default:
		return v.hasLength(c.arg)
	}
}

func (v value) match(pattern string, wanted bool) error {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	text := v.plain()
	switch found := re.FindString(text); {
	case re.MatchString(text) == wanted:
		return nil
	case wanted:
		return fmt.Errorf("%s is %s, which does not match %s", v.name, shorten(text), pattern)
	default:
		return fmt.Errorf("%s holds %s, which it should not: %s", v.name, shorten(found), shorten(text))
	}
}

func (v value) equal(want string, wanted bool) error {
	got := v.text
	if v.isJSON {
		var err error
		if want, err = compact(want); err != nil {
			return fmt.Errorf("%s is compared with %s, which is not JSON: %v", v.name, shorten(want), err)
		}
		if got, err = compact(got); err != nil {
			return fmt.Errorf("%s is not JSON: %v", v.name, err)
		}
	}
	if (got == want) == wanted {
		return nil
	}
	if !wanted {
		return fmt.Errorf("%s is %s, which it should not be", v.name, shorten(got))
	}
	return fmt.Errorf("%s is\n\t\t%s\n\tnot\n\t\t%s", v.name, shorten(got), shorten(want))
}

func (v value) hasLength(arg string) error {
	want, err := strconv.Atoi(arg)
	if err != nil {
		return fmt.Errorf("length needs a number, not %q", arg)
	}
	got := len(v.text)
	if v.isJSON {
		switch v.text[0] {
		case '[':
			var list []json.RawMessage
			err = json.Unmarshal([]byte(v.text), &list)
			got = len(list)
		case '{':
			var members map[string]json.RawMessage
			err = json.Unmarshal([]byte(v.text), &members)
			got = len(members)
		default:
			got = len(v.plain())
		}
	}
	if err == nil && got != want {
		err = fmt.Errorf("%s has length %d, not %d: %s", v.name, got, want, shorten(v.text))
	}
	return err
}

// plain is the value's text: for a JSON string its contents, otherwise its spelling.
func (v value) plain() string {
	var s string
	if v.isJSON && json.Unmarshal([]byte(v.text), &s) == nil && v.text != "null" {
		return s
	}
	return v.text
}

func compact(s string) (string, error) {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(s)); err != nil {
		return s, err
	}
	return b.String(), nil
}

// shorten keeps reports readable.
func shorten(s string) string {
	const most = 2000
	if len(s) <= most {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes in all)", s[:most], len(s))
}

var (
	errNoMember = errors.New("absent")
	pathElement = regexp.MustCompile(`^(?:\.([\w$-]+)|\[(-?\d+)\]|\["([^"]*)"\])`)
)

// lookup follows a path such as .choices[0].delta["a b"] into a JSON value. What is not there is absent; a path that
// cannot be read or a value that is not JSON is an error.
func lookup(name string, raw json.RawMessage, path string) (value, error) {
	if !json.Valid(raw) {
		return value{}, fmt.Errorf("%s is not JSON: %q", name, shorten(string(raw)))
	}
	raw = bytes.TrimSpace(raw)
	name += path
	for path != "" {
		m := pathElement.FindStringSubmatch(path)
		if m == nil {
			return value{}, fmt.Errorf("cannot read the path at %q", path)
		}
		path = path[len(m[0]):]
		var err error
		switch {
		case m[2] != "":
			index, convErr := strconv.Atoi(m[2])
			if convErr != nil {
				return value{}, convErr
			}
			raw, err = element(raw, index)
		case m[1] != "":
			raw, err = member(raw, m[1])
		default:
			raw, err = member(raw, m[3])
		}
		if errors.Is(err, errNoMember) {
			return value{name: name}, nil
		}
		if err != nil {
			return value{}, fmt.Errorf("%s: %w", name, err)
		}
	}
	return jsonValue(name, raw), nil
}

func member(raw json.RawMessage, name string) (json.RawMessage, error) {
	if raw[0] != '{' {
		return nil, errNoMember
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, err
	}
	if v, ok := members[name]; ok {
		return v, nil
	}
	return nil, errNoMember
}

// element is a list's element; negative indexes count from the end.
func element(raw json.RawMessage, i int) (json.RawMessage, error) {
	if raw[0] != '[' {
		return nil, errNoMember
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	if i < 0 {
		i += len(list)
	}
	if i < 0 || i >= len(list) {
		return nil, errNoMember
	}
	return list[i], nil
}
