package importer

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// The most that a source may have. Ten thousand models are a few hundred thousand values.
const (
	maxMarks = 3_000_000 // before the parser reads it, which takes a few hundred bytes for each
	maxNodes = 2_000_000 // values, with what aliases name
	maxNamed = 500_000   // of these, what aliases name
	maxPaths = 128 << 20 // bytes of all their paths
	maxDepth = 100
)

// marks is at least how many values a source has, but for one: each has one of these before it.
func marks(data []byte) (n int) {
	for _, mark := range []string{",", "\n", ":", "[", "{", "- ", "? "} {
		n += bytes.Count(data, []byte(mark))
	}
	return n
}

// size is what a value takes when its aliases are followed.
type size struct{ nodes, named, paths, height int }

// measure finds the size of a document before any of it is made. What an alias names is measured once, however often it is named.
type measure struct {
	builder
	known map[*yaml.Node]size // of what has an anchor
	open  map[*yaml.Node]bool // what has an anchor, and is being measured
}

func (m *measure) of(y *yaml.Node) (s size, err error) {
	if y.Kind == yaml.AliasNode {
		return m.alias(y)
	}
	if y.Anchor != "" {
		m.open[y] = true
		defer func() { m.known[y] = s; delete(m.open, y) }()
	}
	s = size{nodes: 1}
	step := 1
	if y.Kind == yaml.MappingNode {
		step = 2
	}
	for i := step - 1; i < len(y.Content); i += step {
		below, err := m.of(y.Content[i])
		if err != nil {
			return s, err
		}
		segment := len("[123456]")
		if step == 2 {
			segment = len(".") + len(y.Content[i-1].Value)
		}
		s.nodes += below.nodes
		s.named += below.named
		s.paths += below.paths + below.nodes*segment
		s.height = max(s.height, below.height+1)
		switch {
		case s.height > maxDepth:
			return s, m.wrong(y.Content[i], fmt.Sprintf("more than %d values are in one another here: no config is so deep", maxDepth))
		case s.nodes > maxNodes || s.named > maxNamed || s.paths > maxPaths:
			return s, m.wrong(y.Content[i], "the values, and the aliases (*name), up to here make the file too large: write out what they name")
		}
	}
	return s, nil
}

func (m *measure) alias(y *yaml.Node) (size, error) {
	if m.open[y.Alias] {
		return size{}, m.wrong(y, "the alias names what it is in: write out what is meant")
	}
	m.named[y.Alias] = true
	s := m.known[y.Alias]
	s.named = s.nodes
	s.height++
	return s, nil
}

// builder makes nodes of what the parser has, with aliases and merges resolved.
type builder struct {
	doc    *Document
	file   string
	before int                 // lines of the file before the first of the config
	named  map[*yaml.Node]bool // what an alias names
}

// build makes nodes of a file's root, unless they would be too many.
func build(doc *Document, file string, before int, root *yaml.Node) (*Node, error) {
	b := builder{doc: doc, file: file, before: before, named: map[*yaml.Node]bool{}}
	m := measure{builder: b, known: map[*yaml.Node]size{}, open: map[*yaml.Node]bool{}}
	s, err := m.of(root)
	if err != nil {
		return nil, err
	}
	if doc.nodes += s.nodes; doc.nodes > maxNodes {
		return nil, b.wrong(root, "with this file, those that are included make the config too large: is each the right one?")
	}
	return b.node(root, "")
}

// wrong is an error about a value.
func (b *builder) wrong(y *yaml.Node, text string) error {
	return &SourceError{b.file, b.before + y.Line, y.Column, text}
}

func (b *builder) node(y *yaml.Node, path string) (*Node, error) {
	n := &Node{File: b.file, Line: b.before + y.Line, Column: y.Column, Path: path, value: y.Value, named: b.named[y]}
	switch y.Kind {
	case yaml.AliasNode:
		made, err := b.node(y.Alias, path)
		if err == nil {
			made.named = false // it is what names
		}
		return made, err
	case yaml.MappingNode:
		n.kind, n.value = mapping, ""
		return n, b.fields(n, y)
	case yaml.SequenceNode:
		n.kind, n.value = list, ""
		for i, item := range y.Content {
			made, err := b.node(item, fmt.Sprintf("%s[%d]", path, i))
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, made)
		}
		return n, nil
	}
	switch y.ShortTag() {
	case "!!null":
		n.kind = null
	case "!!int", "!!float":
		n.kind = number
	case "!!bool":
		n.kind = boolean
	default:
		n.kind = text
	}
	return n, nil
}

// fields reads a mapping. What it merges (<<) goes after what it says itself.
func (b *builder) fields(n *Node, y *yaml.Node) error {
	places := make(map[string]int, len(y.Content)/2)
	var merged []*yaml.Node
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		if key.ShortTag() == "!!merge" {
			merged = append(merged, value)
			continue
		}
		made, err := b.node(value, below(n.Path, key.Value))
		if err != nil {
			return err
		}
		if made.kind == mapping || made.kind == list || made.kind == null {
			made.Line, made.Column = b.before+key.Line, key.Column
		}
		if at, twice := places[key.Value]; twice {
			b.doc.twice = append(b.doc.twice, made)
			n.Fields[at].Value = made
			continue
		}
		places[key.Value] = len(n.Fields)
		n.Fields = append(n.Fields, Field{key.Value, made})
	}
	for _, m := range merged {
		if err := b.merge(n, m, places); err != nil {
			return err
		}
	}
	return nil
}

// merge adds the fields of a mapping, or of a list of mappings, that n does not have.
func (b *builder) merge(n *Node, from *yaml.Node, places map[string]int) error {
	if from.Kind == yaml.AliasNode {
		from = from.Alias
	}
	sources := []*yaml.Node{from}
	if from.Kind == yaml.SequenceNode {
		sources = from.Content
	}
	for _, y := range sources {
		source, err := b.node(y, n.Path)
		if err != nil {
			return err
		}
		if !source.IsMap() {
			return b.wrong(y, "<< takes a mapping, or a list of mappings: write out what it is to add")
		}
		for _, f := range source.Fields {
			if _, there := places[f.Name]; !there {
				places[f.Name] = len(n.Fields)
				n.Fields = append(n.Fields, f)
			}
		}
	}
	return nil
}

// below is the path of a field.
func below(path, name string) string {
	if strings.ContainsAny(name, ". []\"") || name == "" {
		return path + "[" + quote(name) + "]"
	}
	if path == "" {
		return name
	}
	return path + "." + name
}
