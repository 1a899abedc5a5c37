package config

import (
	"reflect"
	"slices"
	"strings"
)

// field is one field of a config struct, as its tags describe it.
type field struct {
	name     string // in the file
	index    []int  // in the struct, through those that are inline
	named    bool   // a mapping of name to struct in the file, a slice with Name set here
	required bool
	hidden   bool   // it may hold a credential, so Settings do not show it
	example  string // what to write for it, if required
}

// fieldsOf lists the fields of a config struct that a file may set, in the struct's order.
func fieldsOf(t reflect.Type) []field {
	fields := make([]field, 0, t.NumField())
	for i := range t.NumField() {
		tag := t.Field(i).Tag
		name, options, _ := strings.Cut(tag.Get("yaml"), ",")
		if options == "inline" {
			for _, f := range fieldsOf(t.Field(i).Type) {
				f.index = slices.Concat([]int{i}, f.index)
				fields = append(fields, f)
			}
		}
		if name == "" || name == "-" {
			continue
		}
		fields = append(fields, field{
			name: name, index: []int{i}, named: options == "named",
			required: tag.Get("jsonschema") == "required", hidden: tag.Get("settings") == "hidden", example: tag.Get("example"),
		})
	}
	return fields
}

func indexOf(fields []field, name string) int {
	return slices.IndexFunc(fields, func(f field) bool { return f.name == name })
}

// likeness is an example of a struct in the file: what it requires, else its first field.
func likeness(fields []field) string {
	var parts []string
	for _, f := range fields {
		if f.required {
			parts = append(parts, f.name+": "+f.example)
		}
	}
	if len(parts) == 0 && len(fields) > 0 {
		return fields[0].name + ": …"
	}
	return strings.Join(parts, ", ")
}

func names(fields []field) []string {
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = f.name
	}
	return list
}
