package admin

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what the routes say of openapi.json into it")

// everything is an admin API with all its routes.
func everything() *Handler {
	return New(Options{Console: func(unknown http.Handler) http.Handler { return unknown }})
}

// What each call needs, how its caller shows who it is, how it is refused, and in which forms a list comes: all of that is written into openapi.json
// from the table of routes. The rest of it is written by hand.
func TestWhatRoutesSayIsInTheDescription(t *testing.T) {
	t.Parallel()
	doc := parse(t, openAPI)
	doc.set("security", schemes(ReadKeys))
	paths := doc.object("paths")
	for _, r := range everything().routes() {
		item := paths.object(r.pattern)
		for _, method := range slices.Sorted(maps.Keys(r.methods)) {
			name := strings.ToLower(method)
			if !item.has(name) {
				item.set(name, newObject("operationId", "", "summary", "", "responses", newObject()))
			}
			describeOperation(item.object(name), r.methods[method].needs, r.list && method == http.MethodGet)
		}
	}
	text := doc.text(t)
	if bytes.Equal(text, openAPI) {
		return
	}
	if !*update {
		t.Error("openapi.json says other things of its routes than their table: go test ./internal/admin -run WhatRoutesSay -update")
		return
	}
	if err := os.WriteFile("openapi.json", text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// describeOperation writes what follows from the permission that a call needs, and from that it gives a list.
func describeOperation(op *object, needs Permission, list bool) {
	op.remove("security")
	op.remove("x-weir-permission")
	responses := op.object("responses")
	if needs == open {
		op.set("security", []any{})
	} else {
		op.set("x-weir-permission", string(needs))
		if who := schemes(needs); len(who) < len(schemes(ReadKeys)) {
			op.set("security", who)
		}
		responses.set("401", reference("responses", "Unauthorized"))
		responses.set("403", reference("responses", "Forbidden"))
	}
	responses.sort()
	if !list {
		return
	}
	responses.object("200").object("content").set("text/csv", newObject("schema", newObject("type", "string")))
	format := reference("parameters", "format")
	parameters, _ := op.values["parameters"].([]any)
	if !slices.ContainsFunc(parameters, func(p any) bool { return fmt.Sprint(p.(*object).values) == fmt.Sprint(format.values) }) {
		op.set("parameters", append(parameters, format))
	}
}

// schemes are the ways in which callers with a permission show who they are.
func schemes(needs Permission) []any {
	who := []any{newObject("token", []any{})}
	if (&operator{session: &session{}}).may(needs) {
		who = append(who, newObject("session", []any{}))
	}
	return who
}

func reference(kind, name string) *object {
	return newObject("$ref", "#/components/"+kind+"/"+name)
}

// object is one of JSON whose members keep their order.
type object struct {
	names  []string
	values map[string]any
}

func newObject(members ...any) *object {
	o := &object{values: map[string]any{}}
	for i := 0; i < len(members); i += 2 {
		o.set(members[i].(string), members[i+1])
	}
	return o
}

func (o *object) has(name string) bool { return slices.Contains(o.names, name) }

func (o *object) set(name string, value any) {
	if !o.has(name) {
		o.names = append(o.names, name)
	}
	o.values[name] = value
}

func (o *object) remove(name string) {
	o.names = slices.DeleteFunc(o.names, func(n string) bool { return n == name })
	delete(o.values, name)
}

// object is the member with a name, which is made if it is missing.
func (o *object) object(name string) *object {
	if !o.has(name) {
		o.set(name, newObject())
	}
	return o.values[name].(*object)
}

func (o *object) sort() { slices.Sort(o.names) }

func (o *object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, name := range o.names {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := encoder.Encode(name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := encoder.Encode(o.values[name]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func (o *object) text(t *testing.T) []byte {
	t.Helper()
	var compact, b bytes.Buffer
	encoder := json.NewEncoder(&compact)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(o); err != nil {
		t.Fatal(err)
	}
	if err := json.Indent(&b, compact.Bytes(), "", "  "); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func parse(t *testing.T, text []byte) *object {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	value := parseValue(t, decoder)
	return value.(*object)
}

func parseValue(t *testing.T, decoder *json.Decoder) any {
	t.Helper()
	token, err := decoder.Token()
	if err != nil {
		t.Fatal(err)
	}
	switch token {
	case json.Delim('{'):
		o := newObject()
		for decoder.More() {
			name := parseValue(t, decoder).(string)
			o.set(name, parseValue(t, decoder))
		}
		_, _ = decoder.Token()
		return o
	case json.Delim('['):
		list := []any{}
		for decoder.More() {
			list = append(list, parseValue(t, decoder))
		}
		_, _ = decoder.Token()
		return list
	}
	return token
}
