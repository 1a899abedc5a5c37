package config

import (
	"encoding"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/secret"
)

// Setting is one value of a config and where it is from.
type Setting struct {
	Name   string  // as in limits.body or models.fast.targets[0].model
	Value  *string // as it is written, ${…} included; nil if nothing is set, or if it is hidden
	Hidden bool    // it is a secret, or may hold one
	Set    bool    // there is a value
	From   string  // FILE:LINE:COLUMN, a variable of the environment, or a flag; "" for a default
}

// origin is where a value is from that is no default.
type origin struct {
	from    string
	written string // "" if the value itself says it
}

// Settings are the values of the config in the file's order of fields. Of lists, such as providers and models, they are those that were written.
func (c *Config) Settings() []Setting {
	var all []Setting
	walk(reflect.ValueOf(c).Elem(), leaf{}, func(l leaf) {
		from, given := c.origins[l.name]
		if l.listed && !given {
			return
		}
		all = append(all, l.setting(from))
	})
	return all
}

// leaf is a value that has no parts.
type leaf struct {
	name   string
	value  reflect.Value
	id     any  // by which the decoder knows it
	hidden bool // by its field
	listed bool // it is in a list or a table
}

func (l leaf) setting(o origin) Setting {
	s := Setting{Name: l.name, From: o.from, Hidden: l.hidden || hides(l.value)}
	text := o.written
	if text == "" || l.value.Type() == reflect.TypeFor[Store]() { // which may be written with a password
		text = textOf(l.value)
	}
	s.Set = text != "" || o.from != ""
	if s.Set && !s.Hidden {
		s.Value = &text
	}
	return s
}

// hides reports whether values of this type are secrets or may hold some.
func hides(v reflect.Value) bool {
	switch v.Type() {
	case reflect.TypeFor[secret.Text](), reflect.TypeFor[Digest](), reflect.TypeFor[JSON]():
		return true
	}
	return false
}

// textOf writes a value as a file would; "" if it has none.
func textOf(v reflect.Value) string {
	switch value := v.Interface().(type) {
	case secret.Text:
		return value.Reveal() // only whether there is one is shown
	case JSON:
		return string(value)
	case Store:
		return value.String()
	case encoding.TextMarshaler:
		if text, err := value.MarshalText(); err == nil {
			return string(text)
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return "" // it is nil or empty
	case reflect.Int:
		if v.Int() == 0 { // then there is no such limit
			return ""
		}
	}
	return fmt.Sprint(v.Interface())
}

// walk visits the leaves of a config, or of a part of one.
func walk(v reflect.Value, at leaf, visit func(leaf)) {
	at.value = v
	if v.CanAddr() {
		at.id = v.Addr().Interface()
	}
	if v.CanAddr() && kindOf(v) == reflect.String || v.Type() == reflect.TypeFor[JSON]() {
		visit(at)
		return
	}
	walkParts(v, at, visit)
}

// walkParts visits the parts of a value, or the value itself if it has none.
func walkParts(v reflect.Value, at leaf, visit func(leaf)) {
	switch kind := v.Kind(); {
	case kind == reflect.Pointer && !v.IsNil():
		walk(v.Elem(), at, visit)
	case kind == reflect.Struct:
		if short, ok := at.id.(*PriceUnknown); ok && short.Hold == nil {
			visit(at) // its short form sets no field
			return
		}
		for _, f := range fieldsOf(v.Type()) {
			part := at
			part.name, part.hidden = strings.TrimPrefix(at.name+"."+f.name, "."), at.hidden || f.hidden
			walk(v.FieldByIndex(f.index), part, visit)
		}
	case kind == reflect.Slice && v.Len() > 0:
		for i := range v.Len() {
			part := at
			part.name, part.listed = at.name+"["+strconv.Itoa(i)+"]", true
			if name := nameIn(v.Index(i)); name != "" {
				part.name = at.name + "." + quoted(name)
			}
			walk(v.Index(i), part, visit)
		}
	case kind == reflect.Map && v.Len() > 0:
		self := at.id
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, key := range keys {
			part := at
			part.name, part.listed, part.id = at.name+"."+quoted(key.String()), true, entry{self, key.String()}
			part.value = v.MapIndex(key)
			visit(part)
		}
	default:
		visit(at)
	}
}

// nameIn is the name of an element whose list is a mapping in the file; "" for others.
func nameIn(v reflect.Value) string {
	if v.Kind() != reflect.Struct {
		return ""
	}
	if field, ok := v.Type().FieldByName("Name"); !ok || field.Tag.Get("yaml") != "-" {
		return ""
	}
	return v.FieldByName("Name").String()
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// quoted is a name of the file's own, in quotes unless it is plain.
func quoted(name string) string {
	if plainName.MatchString(name) {
		return name
	}
	return strconv.Quote(name)
}

// remember notes where the values of c are from, for Settings.
func (d *decoder) remember(c *Config) {
	c.origins = map[string]origin{}
	walk(reflect.ValueOf(c).Elem(), leaf{}, func(l leaf) {
		at, ok := d.at[l.id]
		if !ok {
			return
		}
		o := origin{from: fmt.Sprintf("%s:%d:%d", d.file, at.line, at.column), written: d.written[l.id]}
		if source, ok := d.source[l.id]; ok {
			o.written = source
		}
		c.origins[l.name] = o
	})
}
