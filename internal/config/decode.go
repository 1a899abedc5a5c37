package config

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"go.yaml.in/yaml/v4"

	"github.com/weirproxy/weir/internal/secret"
)

// maxValues bounds the work that aliases of aliases can ask for; no real file comes near it.
const maxValues = 250_000

// place is a position in the file, both from 1.
type place struct{ line, column int }

// entry identifies a value of a map, which has no address of its own.
type entry struct {
	of  any // the map's address
	key string
}

// decoder fills a Config from YAML nodes. It goes on after an error, so that all errors are reported. It remembers
// each value's place for the checks that follow. Values are identified by their address (an entry for values of
// maps), which is why slices are made in full length before they are filled.
type decoder struct {
	file   string
	dir    string // what relative paths start from
	loader *Loader
	errs   Errors
	values int

	warnings Errors // reported only if there are no errors

	at     map[any]place  // place of the value
	key    map[any]place  // place of its key, if it has one
	failed map[any]bool   // has been reported, is missing although required, or is not looked at: nothing more to say about it
	source map[any]string // the source text of a value that had ${…} in it
	files  []string

	references []Reference           // that were found, each once
	readings   map[Reference]Reading // of these, so far
	wanted     []wanted              // those of them that are not read yet, and are to be
	inSecrets  bool                  // while the section secrets is read

	written map[any]string // the text of a value that is one scalar, as it is in the file
}

// defaulter is a part of the config whose zero value is not its default.
type defaulter interface{ setDefaults() }

// shorthand is a part of the config that may be written as one string. It returns the fields it has set.
type shorthand interface {
	setText(text string) (fields []any, err error)
}

// listed is a part of the config that may be written as a list: that of the field whose address it returns.
type listed interface{ list() any }

func (d *decoder) errorf(at place, format string, args ...any) {
	d.errs = append(d.errs, d.finding(at, format, args...))
}

// warnf reports what works and is hardly meant.
func (d *decoder) warnf(at place, format string, args ...any) {
	d.warnings = append(d.warnings, d.finding(at, format, args...))
}

func (d *decoder) finding(at place, format string, args ...any) *Error {
	// A finding is one line on a terminal, whatever the file holds.
	message := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, fmt.Sprintf(format, args...))
	return &Error{File: d.file, Line: at.line, Column: at.column, Message: message}
}

// where is the place of the first of these values that is in the file. A value such as a missing field has no
// place; for it, callers add the next best, such as its owner.
func (d *decoder) where(values ...any) place {
	for _, v := range values {
		if p, ok := d.at[v]; ok {
			return p
		}
	}
	return place{1, 1}
}

// name is the place of a value's key.
func (d *decoder) name(value any) place {
	if p, ok := d.key[value]; ok {
		return p
	}
	return d.where(value)
}

// fail reports an error about one value and remembers that the value is not to be used.
func (d *decoder) fail(value any, n *yaml.Node, format string, args ...any) {
	d.failed[value] = true
	d.errorf(placeOf(n), format, args...)
}

// usable reports whether value was read without an error.
func (d *decoder) usable(value any) bool { return !d.failed[value] }

// given reports whether the file sets value, and without an error.
func (d *decoder) given(value any) bool {
	_, ok := d.at[value]
	return ok && !d.failed[value]
}

// quote is how an error shows a value: as written in the file, because the value of ${…} may be a secret.
func (d *decoder) quote(value any, text string) string {
	if source, ok := d.source[value]; ok {
		text = source
	}
	return strconv.Quote(text)
}

// value reads n into v, which is addressable. label names it in errors.
func (d *decoder) value(n *yaml.Node, v reflect.Value, label string) {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	self := v.Addr().Interface()
	d.at[self] = placeOf(n)
	if d.values++; d.values > maxValues {
		if d.values == maxValues+1 {
			d.errorf(placeOf(n), "more than %d values, aliases counted each time: use fewer aliases", maxValues)
		}
		d.failed[self] = true
		return
	}
	if n.Style&yaml.TaggedStyle != 0 {
		d.fail(self, n, "%s: YAML tags such as %s are not used here: remove it", label, n.Tag)
		return
	}
	if raw, ok := self.(*JSON); ok {
		d.json(n, raw, label)
		return
	}
	if s, ok := self.(shorthand); ok && n.Kind == yaml.ScalarNode && !isNull(n) {
		d.short(n, s, label)
		return
	}
	if l, ok := self.(listed); ok && n.Kind == yaml.SequenceNode {
		if def, ok := self.(defaulter); ok {
			def.setDefaults()
		}
		d.value(n, reflect.ValueOf(l.list()).Elem(), label)
		return
	}
	switch kindOf(v) {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(n, v.Elem(), label)
	case reflect.Struct:
		d.structure(n, v, label)
	case reflect.Slice:
		d.list(n, v, label)
	case reflect.Map:
		d.table(n, v, label)
	default:
		d.scalar(n, v, label)
	}
}

// kindOf is v's kind, but for the types that are written as one scalar.
func kindOf(v reflect.Value) reflect.Kind {
	switch v.Addr().Interface().(type) {
	case *secret.Text, *time.Time, encoding.TextUnmarshaler:
		return reflect.String
	}
	return v.Kind()
}

func placeOf(n *yaml.Node) place { return place{max(n.Line, 1), max(n.Column, 1)} }

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// shape names what a node is, for errors.
func shape(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case isNull(n):
		return "nothing"
	}
	return "a single value"
}

// pair is one entry of a mapping, with a key that is a plain string.
type pair struct {
	name       string
	key, value *yaml.Node
}

// pairs returns a mapping's entries, each name once, and reports those that cannot be used.
func (d *decoder) pairs(n *yaml.Node) []pair {
	list := make([]pair, 0, len(n.Content)/2)
	first := make(map[string]place, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, at := n.Content[i], placeOf(n.Content[i])
		switch {
		case key.Kind != yaml.ScalarNode:
			d.errorf(at, "a key must be a plain name")
		case key.Tag == "!!merge":
			d.errorf(at, "merge keys (<<) are not supported: repeat the fields, or give the whole value as an alias (timeouts: *t)")
		case key.Style&yaml.TaggedStyle != 0:
			d.errorf(at, "YAML tags such as %s are not used here: remove it", key.Tag)
		case strings.Contains(key.Value, "${"):
			d.errorf(at, "%q: ${…} is replaced in values only, not in keys: write the name itself", key.Value)
		default:
			if earlier, ok := first[key.Value]; ok {
				d.errorf(at, "%q is here twice (first on line %d): remove one", key.Value, earlier.line)
				continue
			}
			first[key.Value] = at
			list = append(list, pair{key.Value, key, n.Content[i+1]})
		}
	}
	return list
}

// mapping reports whether n is a mapping; nothing at all is as good as an empty one. like is what one
// may look like.
func (d *decoder) mapping(n *yaml.Node, self any, label, like string) bool {
	if n.Kind == yaml.MappingNode || isNull(n) {
		return true
	}
	switch self.(type) {
	case shorthand:
		label += " must be a single value or a mapping"
	case listed:
		label += " must be a list or a mapping"
	default:
		label += " must be a mapping"
	}
	d.fail(self, n, "%s such as {%s}, not %s", label, like, shape(n))
	return false
}

func (d *decoder) structure(n *yaml.Node, v reflect.Value, label string) {
	self := v.Addr().Interface()
	if def, ok := self.(defaulter); ok {
		def.setDefaults()
	}
	if _, ok := self.(*Secrets); ok {
		d.inSecrets = true
		defer func() { d.inSecrets = false }()
	}
	fields := fieldsOf(v.Type())
	if !d.mapping(n, self, label, likeness(fields)) {
		return
	}
	for _, p := range d.pairs(n) {
		i := indexOf(fields, p.name)
		if i < 0 {
			d.errorf(placeOf(p.key), "unknown field %q%s", p.name, suggest(p.name, names(fields), "the fields here are"))
			continue
		}
		target := v.FieldByIndex(fields[i].index)
		d.key[target.Addr().Interface()] = placeOf(p.key)
		if fields[i].named {
			d.named(p.value, target, p.name)
		} else {
			d.value(p.value, target, p.name)
		}
	}
	for _, f := range fields {
		field := v.FieldByIndex(f.index).Addr().Interface()
		if _, ok := d.at[field]; f.required && !ok {
			d.failed[field] = true
			d.errorf(d.name(self), "%s lacks %q: add it, for example %s: %s", label, f.name, f.name, f.example)
		}
	}
}

// named reads a mapping of name to struct into a slice in the file's order, each element's Name set.
func (d *decoder) named(n *yaml.Node, v reflect.Value, label string) {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	self := v.Addr().Interface()
	d.at[self] = placeOf(n)
	if !d.mapping(n, self, label, "name: {…}") {
		return
	}
	pairs := d.pairs(n)
	v.Set(reflect.MakeSlice(v.Type(), len(pairs), len(pairs)))
	for i, p := range pairs {
		element := v.Index(i)
		d.key[element.Addr().Interface()] = placeOf(p.key)
		d.value(p.value, element, fmt.Sprintf("%s %q", strings.TrimSuffix(label, "s"), p.name))
		element.FieldByName("Name").SetString(p.name)
	}
}

func (d *decoder) list(n *yaml.Node, v reflect.Value, label string) {
	self := v.Addr().Interface()
	if isNull(n) && v.Type().Elem().Kind() == reflect.Struct && kindOf(reflect.New(v.Type().Elem()).Elem()) == reflect.Struct {
		return // a section whose entries are all commented out
	}
	if n.Kind != yaml.SequenceNode {
		d.fail(self, n, "%s must be a list such as [a, b], not %s", label, shape(n))
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
	for i, item := range n.Content {
		d.value(item, v.Index(i), label+"["+strconv.Itoa(i)+"]")
	}
}

// table reads a mapping of name to scalar into a map.
func (d *decoder) table(n *yaml.Node, v reflect.Value, label string) {
	self := v.Addr().Interface()
	if n.Kind != yaml.MappingNode {
		d.fail(self, n, "%s must be a mapping such as {name: value}, not %s", label, shape(n))
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, p := range d.pairs(n) {
		slot := reflect.New(v.Type().Elem()).Elem()
		d.value(p.value, slot, label+"."+p.name)
		id := entry{self, p.name}
		d.key[id], d.at[id] = placeOf(p.key), d.at[slot.Addr().Interface()]
		if text, ok := d.written[slot.Addr().Interface()]; ok {
			d.written[id] = text
		}
		if d.failed[slot.Addr().Interface()] {
			d.failed[id] = true
		}
		v.SetMapIndex(reflect.ValueOf(p.name), slot)
	}
}

func (d *decoder) short(n *yaml.Node, s shorthand, label string) {
	if def, ok := s.(defaulter); ok {
		def.setDefaults()
	}
	text, _, ok := d.text(n, s, label)
	if !ok {
		return
	}
	fields, err := s.setText(text)
	for _, f := range fields {
		d.at[f] = placeOf(n)
		if source, ok := d.source[s]; ok {
			d.source[f] = source
		}
	}
	if err != nil {
		d.fail(s, n, "%s %v", label, err)
	}
}

// text is the value of a scalar that is a string, ${…} replaced; replaced reports whether there was any.
func (d *decoder) text(n *yaml.Node, self any, label string) (text string, replaced, ok bool) {
	if n.Kind != yaml.ScalarNode || isNull(n) {
		d.fail(self, n, "%s must have a single value, not %s", label, shape(n))
		return "", false, false
	}
	text, unknown, problems := d.expand(n.Value, placeOf(n))
	for _, p := range problems {
		d.fail(self, n, "%s: %s", label, p)
	}
	if unknown { // so no more findings about it follow
		d.failed[self] = true
	}
	if unknown || len(problems) > 0 {
		return "", false, false
	}
	if strings.TrimSpace(text) == "" {
		d.fail(self, n, "%s is empty: give it a value, or remove the line", label)
		return "", false, false
	}
	d.written[self] = n.Value
	if text != n.Value {
		d.source[self] = n.Value
	}
	return text, text != n.Value, true
}

// wholeNumber leaves out what YAML versions read differently (010, 0x10, 1_000).
var wholeNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)

func (d *decoder) scalar(n *yaml.Node, v reflect.Value, label string) {
	self := v.Addr().Interface()
	text, replaced, ok := d.text(n, self, label)
	if !ok {
		return
	}
	// A quoted number or boolean is a string, unless the quotes are there for ${…}.
	quoted := n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 && !replaced
	var err error
	switch p := self.(type) {
	case *secret.Text:
		*p = secret.New(text)
		if problem := notSecret(n.Value); problem != "" && !replaced {
			d.fail(self, n, "%s %s", label, problem)
			return
		}
	case *time.Time:
		*p, err = parseTime(text)
	case encoding.TextUnmarshaler:
		err = p.UnmarshalText([]byte(text))
	case *bool:
		if *p = text == "true"; quoted || text != "true" && text != "false" {
			err = errors.New("must be true or false, without quotes")
		}
	case *int:
		if *p, err = strconv.Atoi(text); quoted || err != nil || !wholeNumber.MatchString(text) {
			err = errors.New("must be a whole number such as 256, without quotes")
		}
	default:
		if n.Tag == "!!bool" {
			err = fmt.Errorf("must be a string: if %s is meant, put it in quotes", n.Value)
		}
		v.SetString(text)
	}
	if err != nil {
		d.fail(self, n, "%s %v", label, err)
	}
}
