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

// Settings are the values of the config in the file's order of fields. Of lists, such as providers and models, they are those that were written.
func (c *Config) Settings() []Setting { return slices.Clone(c.settings) }

// overridden notes that a value is not what the file says.
func (c *Config) overridden(name, value, from string) {
	if i := slices.IndexFunc(c.settings, func(s Setting) bool { return s.Name == name }); i >= 0 {
		c.settings[i].Value, c.settings[i].Set, c.settings[i].From = &value, true, from
	}
}

// leaf is a value that has no parts.
type leaf struct {
	name   string
	value  reflect.Value
	id     any  // by which the decoder knows it
	hidden bool // by its field
	listed bool // it is in a list or a table
}

// setting is the leaf with where it is from, "" for a default, and how it is written there, if that is known.
func (l *leaf) setting(from, written string) Setting {
	s := Setting{Name: l.name, From: from, Hidden: l.hidden || hides(l.value)}
	if written == "" || l.value.Type() == reflect.TypeFor[Store]() { // which may be written with a password
		written = textOf(l.value)
	}
	s.Set = written != "" || from != ""
	if s.Set && !s.Hidden {
		s.Value = &written
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

// walker visits the leaves of a config.
type walker struct {
	visit  func(*leaf)
	fields map[reflect.Type][]field // of the structs so far
}

// walk visits the leaves of a value, which may be one itself.
func (w *walker) walk(v reflect.Value, at leaf) {
	at.value, at.id = v, v.Addr().Interface()
	switch kind := kindOf(v); {
	case kind == reflect.Struct && !isFreeOrDenied(at.id):
		w.structure(v, at)
	case kind == reflect.Pointer && !v.IsNil():
		w.walk(v.Elem(), at)
	case kind == reflect.Slice && v.Len() > 0 && v.Type() != reflect.TypeFor[JSON]():
		for i := range v.Len() {
			part := at
			part.name, part.listed = at.name+"["+strconv.Itoa(i)+"]", true
			if name := nameIn(v.Index(i)); name != "" {
				part.name = at.name + "." + quoted(name)
			}
			w.walk(v.Index(i), part)
		}
	case kind == reflect.Map && v.Len() > 0:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, key := range keys {
			name := key.String()
			w.visit(&leaf{name: at.name + "." + quoted(name), value: v.MapIndex(key), id: entry{at.id, name}, hidden: at.hidden, listed: true})
		}
	default:
		w.visit(&at)
	}
}

func (w *walker) structure(v reflect.Value, at leaf) {
	fields, known := w.fields[v.Type()]
	if !known {
		fields = fieldsOf(v.Type())
		w.fields[v.Type()] = fields
	}
	for i := range fields {
		part := at
		part.name, part.hidden = strings.TrimPrefix(at.name+"."+fields[i].name, "."), at.hidden || fields[i].hidden
		w.walk(v.FieldByIndex(fields[i].index), part)
	}
}

// isFreeOrDenied reports whether this is a price_unknown in its short form, which sets no field.
func isFreeOrDenied(part any) bool {
	short, ok := part.(*PriceUnknown)
	return ok && short.Hold == nil
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

// remember lists the values of c, for Settings.
func (d *decoder) remember(c *Config) {
	w := walker{fields: map[reflect.Type][]field{}, visit: func(l *leaf) {
		at, given := d.at[l.id]
		switch {
		case given:
			written := d.written[l.id]
			if source, ok := d.source[l.id]; ok {
				written = source
			}
			c.settings = append(c.settings, l.setting(fmt.Sprintf("%s:%d:%d", d.file, at.line, at.column), written))
		case !l.listed:
			c.settings = append(c.settings, l.setting("", ""))
		}
	}}
	w.walk(reflect.ValueOf(c).Elem(), leaf{})
}
