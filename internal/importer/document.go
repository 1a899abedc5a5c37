package importer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// maxSource is how large a file may be.
const maxSource = 32 << 20

// ReadFile reads a file that may be a source. Of one that is too large, or has no end, it reads enough that this is noticed.
func ReadFile(path string) (data []byte, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return io.ReadAll(io.LimitReader(file, maxSource+1))
}

// Document is the config of another gateway: YAML, or JSON, which is YAML too. Aliases and merges are resolved.
type Document struct {
	Name string
	Root *Node

	twice []*Node // fields that have the name of one before them
	read  func(path string) ([]byte, error)
	nodes int // of all its files
}

// Node is a value of a document, with its place. A nil Node is a value that is missing; its methods may be called.
type Node struct {
	File         string
	Line, Column int // from 1
	Path         string

	Fields []Field // of a mapping, in their order; of fields of one name the last counts, as for the gateways
	Items  []*Node // of a list

	kind   kind
	value  string // of a scalar
	said   bool   // a finding is about it
	sought bool   // it was looked for
	named  bool   // an alias elsewhere names it
}

// Field is a member of a mapping.
type Field struct {
	Name  string
	Value *Node
}

type kind uint8

const (
	null kind = iota
	text
	number
	boolean
	mapping
	list
)

// Get is the field of that name, nil if it is missing or n is no mapping.
func (n *Node) Get(name string) *Node {
	if n == nil {
		return nil
	}
	for i := range n.Fields {
		if f := &n.Fields[i]; f.Name == name {
			f.Value.sought = true
			return f.Value
		}
	}
	return nil
}

// First is the first of the fields that has a value.
func (n *Node) First(names ...string) *Node {
	for _, name := range names {
		if f := n.Get(name); !f.IsNull() {
			return f
		}
	}
	return nil
}

// IsNull reports whether there is no value: it is missing, or null.
func (n *Node) IsNull() bool { return n == nil || n.kind == null }

// IsMap reports whether n is a mapping.
func (n *Node) IsMap() bool { return n != nil && n.kind == mapping }

// IsList reports whether n is a list.
func (n *Node) IsList() bool { return n != nil && n.kind == list }

// IsText reports whether n is a text, and no number or boolean.
func (n *Node) IsText() bool { return n != nil && n.kind == text }

// Text is a scalar as the document spells it, without its quotes; "" for anything else.
func (n *Node) Text() string {
	if n == nil || n.kind == mapping || n.kind == list || n.kind == null {
		return ""
	}
	return n.value
}

// Bool is a boolean; ok is false for anything else.
func (n *Node) Bool() (value, ok bool) {
	switch strings.ToLower(n.Text()) {
	case "true", "yes", "on":
		return true, true
	case "false", "no", "off":
		return false, true
	}
	return false, false
}

// Int is a whole number, also one that is written as a text or with zeros after a point; ok is false for anything else.
func (n *Node) Int() (value int64, ok bool) {
	digits := strings.ReplaceAll(n.Text(), "_", "")
	if value, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return value, true
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || f != float64(int64(f)) || f > 1<<53 || f < -(1<<53) {
		return 0, false
	}
	return int64(f), true
}

// float is a number, also one that is written as a text; ok is false for anything else.
func (n *Node) float() (value float64, ok bool) {
	value, err := strconv.ParseFloat(n.Text(), 64)
	return value, err == nil && !math.IsNaN(value) && !math.IsInf(value, 0)
}

// Texts are the texts of a list, or the one text that n is.
func (n *Node) Texts() (all []string) {
	if n.Text() != "" {
		return []string{n.Text()}
	}
	if n.IsList() {
		for _, item := range n.Items {
			if item.Text() != "" {
				all = append(all, item.Text())
			}
		}
	}
	return all
}

// JSON is the value as JSON.
func (n *Node) JSON() string {
	switch {
	case n.IsNull():
		return "null"
	case n.kind == mapping:
		parts := make([]string, len(n.Fields))
		for i, f := range n.Fields {
			parts[i] = quote(f.Name) + ": " + f.Value.JSON()
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case n.kind == list:
		parts := make([]string, len(n.Items))
		for i, item := range n.Items {
			parts[i] = item.JSON()
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case n.kind == boolean:
		value, _ := n.Bool()
		return strconv.FormatBool(value)
	case n.kind == number && json.Valid([]byte(n.value)):
		return n.value
	case n.kind == number:
		if f, err := strconv.ParseFloat(strings.ReplaceAll(n.value, "_", ""), 64); err == nil {
			if text, err := json.Marshal(f); err == nil {
				return string(text)
			}
		}
	}
	return quote(n.value)
}

// quote is a text as a string of JSON, which is one of YAML too.
func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string can always be written
	return strings.TrimSuffix(b.String(), "\n")
}

// SourceError says why a file cannot be read as a config, where, and what to do.
type SourceError struct {
	File         string
	Line, Column int // 0 without a place
	Text         string
}

// Error is one line, as those of the report.
func (e *SourceError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Text)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Text)
}

// parse reads a file. read reads those that it includes.
func parse(name string, data []byte, read func(string) ([]byte, error)) (*Document, error) {
	doc := &Document{Name: name, read: read}
	var err error
	doc.Root, err = doc.parse(name, data)
	return doc, err
}

// Include reads another file, whose path is relative to the document.
func (d *Document) Include(path string) (*Node, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(d.Name), path)
	}
	data, err := d.read(path)
	if err != nil {
		return nil, err
	}
	if err := checkTemplate(path, data); err != nil {
		return nil, err
	}
	return d.parse(path, data)
}

// parse reads one file into nodes.
func (d *Document) parse(name string, data []byte) (*Node, error) {
	if len(data) > maxSource {
		return nil, &SourceError{File: name, Text: fmt.Sprintf("it is larger than %d MiB: is it the right file?", maxSource>>20)}
	}
	if marks(data) > maxMarks {
		return nil, &SourceError{name, 1, 1, "it has more values than any config: is it the right file?"}
	}
	all, err := documents(withoutPairs(data))
	if err != nil {
		return nil, syntaxError(name, data, err)
	}
	before := 0
	if text, line, there := inConfigMap(all); there {
		if all, err = documents([]byte(text)); err != nil {
			wrong := syntaxError(name, []byte(text), err)
			wrong.Line += line
			return nil, wrong
		}
		before = line
	}
	switch {
	case len(all) == 0:
		return nil, &SourceError{File: name, Text: "it is empty: is it the right file, and was it copied whole?"}
	case len(all) > 1:
		return nil, &SourceError{name, before + all[1].Line, all[1].Column, "a second document begins here: a config has one, so remove what is not of it"}
	}
	root, err := build(d, name, before, all[0])
	if err != nil {
		return nil, err
	}
	if !root.IsMap() {
		return nil, &SourceError{name, root.Line, root.Column, "a config has names with values here, and this file has not: is it the right file?"}
	}
	return root, nil
}

// escapes are those of JSON; of a character by a pair of surrogates, both.
var escapes = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\.`)

// withoutPairs writes out the characters that JSON escapes by pairs of surrogates, as many programs do for all that is not ASCII: YAML has no such
// pairs.
func withoutPairs(data []byte) []byte {
	if !json.Valid(data) {
		return data
	}
	return escapes.ReplaceAllFunc(data, func(escape []byte) []byte {
		var char string
		if len(escape) <= len(`\n`) || json.Unmarshal(slices.Concat([]byte{'"'}, escape, []byte{'"'}), &char) != nil {
			return escape
		}
		return []byte(char)
	})
}

// checkTemplate refuses a template: its values are not known before it is rendered.
func checkTemplate(name string, data []byte) error {
	for i, line := range strings.Split(string(data), "\n") {
		code, _, _ := strings.Cut(line, " #")
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, mark := range []string{"{{", "{%"} {
			if at := strings.Index(code, mark); at >= 0 && strings.Contains(code[at:], map[string]string{"{{": "}}", "{%": "%}"}[mark]) {
				return &SourceError{name, i + 1, at + 1, "this is a template, whose values are known only when it is rendered: render it first (helm template … > rendered.yaml), and import the config in the result"}
			}
		}
	}
	return nil
}

// syntaxError explains what is no YAML.
func syntaxError(name string, data []byte, err error) *SourceError {
	e := &SourceError{File: name, Line: 1, Column: 1, Text: "not valid YAML: " + err.Error()}
	var load *yaml.LoadError
	if errors.As(err, &load) {
		e.Line, e.Column, e.Text = max(load.Mark.Line, 1), max(load.Mark.Column, 1), "not valid YAML: "+load.Message
	}
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	switch {
	case e.Line >= len(lines):
		e.Line = min(e.Line, len(lines))
		e.Text += ". The file seems to be cut off here: copy it again"
	case strings.HasPrefix(strings.TrimLeft(lines[e.Line-1], " "), "\t"):
		e.Text += ". Indent with spaces, not tabs"
	}
	return e
}
