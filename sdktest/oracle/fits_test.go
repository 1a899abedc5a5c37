package oracle

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// reader holds JSON against Go types of a vendor. What does not fit is noted with its place.
type reader struct {
	// unions are the members of interface types that may be one of several types, by the names of these.
	unions map[reflect.Type][]reflect.Type
	wrong  []string
}

func (r *reader) note(at, format string, args ...any) {
	r.wrong = append(r.wrong, at+": "+fmt.Sprintf(format, args...))
}

// fits notes what of a value a type does not have.
func (r *reader) fits(at string, value any, t reflect.Type) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if allowed, ok := enum(t); ok && !slices.Contains(allowed, fmt.Sprint(value)) {
		r.note(at, "%v is not one of %v", value, allowed)
	}
	switch t.Kind() {
	case reflect.Interface:
		r.union(at, value, t)
	case reflect.Struct:
		r.object(at, value, t)
	case reflect.Map:
		for name, v := range entries(r, at, value) {
			r.fits(at+"."+name, v, t.Elem())
		}
	case reflect.Slice:
		r.list(at, value, t)
	default:
		r.scalar(at, value, t)
	}
}

func entries(r *reader, at string, value any) map[string]any {
	object, ok := value.(map[string]any)
	if !ok {
		r.note(at, "%v is no object", value)
	}
	return object
}

func (r *reader) scalar(at string, value any, t reflect.Type) {
	ok := false
	switch v := value.(type) {
	case string:
		ok = t.Kind() == reflect.String
	case bool:
		ok = t.Kind() == reflect.Bool
	case json.Number:
		_, err := v.Int64()
		ok = t.Kind() == reflect.Float64 || t.Kind() == reflect.Float32 || (t.Kind() == reflect.Int64 || t.Kind() == reflect.Int32) && err == nil
	}
	if !ok {
		r.note(at, "%v is no %s", value, t)
	}
}

func (r *reader) list(at string, value any, t reflect.Type) {
	text, isText := value.(string)
	if t.Elem().Kind() == reflect.Uint8 {
		if _, err := base64.StdEncoding.DecodeString(text); !isText || err != nil {
			r.note(at, "no base64: %v", value)
		}
		return
	}
	if isText && blocks(t.Elem()) {
		return
	}
	list, ok := value.([]any)
	if !ok {
		r.note(at, "%v is no list", value)
	}
	for i, v := range list {
		r.fits(fmt.Sprintf("%s[%d]", at, i), v, t.Elem())
	}
}

// blocks reports whether a type is one of Anthropic's blocks. A string may replace a list of these with one text: the
// API's reference says so, the types of its SDK do not.
func blocks(t reflect.Type) bool {
	_, has := t.FieldByName("OfText")
	return has || t.Name() == "TextBlockParam"
}

// object is a struct: one of a union of Anthropic's, a value that may be absent, or the members of an object.
func (r *reader) object(at string, value any, t reflect.Type) {
	if strings.HasPrefix(t.Name(), "Opt[") {
		field, _ := t.FieldByName("Value")
		r.fits(at, value, field.Type)
		return
	}
	known := map[string]reflect.StructField{}
	var variants []reflect.Type
	extra := false
	for _, f := range reflect.VisibleFields(t) {
		tag, more, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Tag.Get("api") == "extrafields":
			extra = true
		case strings.Contains(more, "inline"):
			variants = append(variants, f.Type)
		case tag == "-" || !f.IsExported() || f.Anonymous:
		case tag == "": // AWS: the wire's names begin small
			known[lower(f.Name)] = f
		default:
			known[tag] = f
		}
	}
	if len(variants) > 0 {
		r.variant(at, value, variants)
		return
	}
	object := entries(r, at, value)
	for name, v := range object {
		f, ok := known[name]
		switch {
		case ok && f.Tag.Get("default") != "" && v != f.Tag.Get("default"):
			r.note(at, "%s is %v, not %s", name, v, f.Tag.Get("default"))
		case ok:
			r.fits(at+"."+name, v, f.Type)
		case !extra:
			r.note(at, "%s has no %q", t, name)
		}
	}
	for name, f := range known {
		if _, has := object[name]; !has && (f.Tag.Get("api") == "required" || f.Tag.Get("default") != "") {
			r.note(at, "%s lacks %q", t, name)
		}
	}
}

// variant is one of several: the errors are those of the one that fits best.
func (r *reader) variant(at string, value any, variants []reflect.Type) {
	var best []string
	for i, t := range variants {
		one := reader{unions: r.unions}
		one.fits(at, value, t)
		if i == 0 || len(one.wrong) < len(best) {
			best = one.wrong
		}
	}
	r.wrong = append(r.wrong, best...)
}

// union is an object with one member, whose name says what it is; any value at all where nothing is known of the type.
func (r *reader) union(at string, value any, t reflect.Type) {
	members, ok := r.unions[t]
	if !ok {
		if t.NumMethod() > 0 && t.Name() != "Interface" { // a document of AWS is any JSON
			r.note(at, "the members of %s are not listed", t)
		}
		return
	}
	object := entries(r, at, value)
	if len(object) != 1 {
		r.note(at, "%d members in place of one", len(object))
	}
	for name, v := range object {
		i := slices.IndexFunc(members, func(m reflect.Type) bool { return lower(strings.TrimPrefix(m.Name(), t.Name()+"Member")) == name })
		if i < 0 {
			r.note(at, "%s has no %q", t, name)
			continue
		}
		field, _ := members[i].FieldByName("Value")
		r.fits(at+"."+name, v, field.Type)
	}
}

// enum are the values of an AWS type that lists them.
func enum(t reflect.Type) ([]string, bool) {
	method, ok := t.MethodByName("Values")
	if !ok || t.Kind() != reflect.String {
		return nil, false
	}
	var out []string
	values := method.Func.Call([]reflect.Value{reflect.Zero(t)})[0]
	for i := range values.Len() {
		out = append(out, values.Index(i).String())
	}
	return out, true
}

func lower(name string) string {
	return string(unicode.ToLower(rune(name[0]))) + name[1:]
}
