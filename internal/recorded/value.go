package recorded

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// value is JSON as it is written: the order and the spelling of everything count.
type value struct {
	kind  byte // as jsontext.Kind has it: n f t " 0 { [
	raw   string
	names []string // names of an object's members
	items []value  // values of an object or a list
}

func parse(text string) (value, error) {
	d := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	v, err := read(d, text)
	if err != nil {
		return v, fmt.Errorf("%w in %s", err, text)
	}
	v.raw = text
	return v, nil
}

func parseBoth(a, b string) (x, y value, err error) {
	if x, err = parse(a); err == nil {
		y, err = parse(b)
	}
	return x, y, err
}

// read takes the next value of d, which reads text.
func read(d *jsontext.Decoder, text string) (value, error) {
	v := value{kind: byte(d.PeekKind())}
	if v.kind != '{' && v.kind != '[' {
		raw, err := d.ReadValue()
		v.raw = string(raw)
		return v, err
	}
	_, err := d.ReadToken()
	start := d.InputOffset() - 1
	for err == nil && d.PeekKind() != '}' && d.PeekKind() != ']' {
		if v.kind == '{' {
			var name jsontext.Token
			if name, err = d.ReadToken(); err != nil {
				return v, err
			}
			v.names = append(v.names, name.String())
		}
		var item value
		item, err = read(d, text)
		v.items = append(v.items, item)
	}
	if err == nil {
		_, err = d.ReadToken()
	}
	v.raw = text[start:d.InputOffset()]
	return v, err
}

// member is an object's member, or nil.
func (v *value) member(name string) *value {
	if i := slices.Index(v.names, name); i >= 0 {
		return &v.items[i]
	}
	return nil
}

// difference is one place at which two bodies differ.
type difference struct {
	path    string
	was, is string // "" where there is nothing
}

// String describes it for people.
func (d difference) String() string {
	switch {
	case d.was == "":
		return fmt.Sprintf("%s was put in: %s", d.path, d.is)
	case d.is == "":
		return fmt.Sprintf("%s was taken out: %s", d.path, d.was)
	}
	return fmt.Sprintf("%s was %s and is %s", d.path, d.was, d.is)
}

// differences are the places at which two values differ, as deep as possible.
func differences(path string, was, is value) []difference {
	switch {
	case was.kind == '{' && is.kind == '{':
		return inObjects(path, was, is)
	case was.kind == '[' && is.kind == '[' && len(was.items) == len(is.items):
		var all []difference
		for i := range was.items {
			all = append(all, differences(fmt.Sprintf("%s/%d", path, i), was.items[i], is.items[i])...)
		}
		return all
	case was.raw != is.raw:
		return []difference{{path, was.raw, is.raw}}
	}
	return nil
}

func inObjects(path string, was, is value) []difference {
	var all []difference
	if order := inBoth(was.names, is.names); !slices.Equal(order, inBoth(is.names, was.names)) {
		all = append(all, difference{path, "in the order " + strings.Join(was.names, " "), "in the order " + strings.Join(is.names, " ")})
	}
	for i, name := range was.names {
		if now := is.member(name); now != nil {
			all = append(all, differences(path+"/"+name, was.items[i], *now)...)
		} else {
			all = append(all, difference{path: path + "/" + name, was: was.items[i].raw})
		}
	}
	for i, name := range is.names {
		if was.member(name) == nil {
			all = append(all, difference{path: path + "/" + name, is: is.items[i].raw})
		}
	}
	return all
}

// inBoth are the names that others has too.
func inBoth(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !slices.Contains(others, n) })
}
