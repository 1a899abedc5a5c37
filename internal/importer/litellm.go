package importer

import (
	"fmt"
	"slices"
	"strings"
)

// LiteLLM is LiteLLM's proxy: the YAML file that it is started with, and the tables of its keys and teams.
type LiteLLM struct{}

// Name implements Source.
func (LiteLLM) Name() string { return "litellm" }

// litellm is one conversion.
type litellm struct {
	doc *Document
	to  *Draft
	*Report

	credentials map[string]*Node    // credential_list, by name
	variables   map[string]string   // of secrets that stand in the file: the variables that hold them from now on
	taken       map[string]bool     // names of variables
	allowed     map[string]*Target  // the first target of a provider's model
	groups      map[string][]string // names of models by access group
	items       map[*Model][]*deployment
}

// Convert implements Source.
func (LiteLLM) Convert(doc *Document, to *Draft) error {
	l := &litellm{
		doc: doc, to: to, Report: to.Report, credentials: map[string]*Node{}, variables: map[string]string{}, taken: map[string]bool{},
		allowed: map[string]*Target{}, groups: map[string][]string{}, items: map[*Model][]*deployment{},
	}
	if err := l.include(); err != nil {
		return err
	}
	if !l.known() {
		return &SourceError{doc.Name, doc.Root.Line, doc.Root.Column, "this is no config of LiteLLM's: it has neither model_list nor litellm_settings, router_settings or general_settings"}
	}
	l.namesIn(doc.Root)
	l.readCredentials()
	l.modelList()
	to.groups = l.groups
	l.routing()
	l.settings()
	return nil
}

// sections are the names by which a config of LiteLLM's is known.
var sections = []string{"model_list", "litellm_settings", "router_settings", "general_settings", "credential_list"}

func (l *litellm) known() bool {
	return slices.ContainsFunc(sections, func(name string) bool { return l.doc.Root.Get(name) != nil })
}

// include adds what other files have: lists grow, and what the file says itself goes first.
func (l *litellm) include() error {
	named := l.doc.Root.Get("include")
	if named == nil {
		return nil
	}
	for _, path := range named.Texts() {
		root, err := l.doc.Include(path)
		if err != nil {
			return &SourceError{named.File, named.Line, named.Column, fmt.Sprintf("cannot include %s: %v", path, err)}
		}
		for _, f := range root.Fields {
			there := l.doc.Root.Get(f.Name)
			switch {
			case there == nil:
				l.doc.Root.Fields = append(l.doc.Root.Fields, f)
			case there.IsList() && f.Value.IsList():
				there.Items = append(there.Items, f.Value.Items...)
			default:
				l.Manual(f.Value, "the file that includes this one has the same section, and its own counts")
			}
		}
	}
	l.Exact(named, "read: what these files have is here, too")
	return nil
}

const environment = "os.environ/"

// namesIn notes the variables that the config refers to.
func (l *litellm) namesIn(n *Node) {
	if name, ok := strings.CutPrefix(n.Text(), environment); ok {
		l.taken[name] = true
	}
	for _, f := range n.Fields {
		l.namesIn(f.Value)
	}
	for _, item := range n.Items {
		l.namesIn(item)
	}
}

// value is a value of the config, as Weir spells it.
func (l *litellm) value(n *Node) Text {
	if name, ok := strings.CutPrefix(n.Text(), environment); ok {
		return l.variable(n, name)
	}
	return Literal(n.Text())
}

// variable refers to a variable of the environment. One that Weir's config cannot name is reported.
func (l *litellm) variable(n *Node, name string) Text {
	plain := variableName(name)
	if plain != name {
		l.Manual(n, fmt.Sprintf("the variable %q has a name that no shell takes: set %s to its value", name, plain))
	}
	return Variable(plain)
}

// shortest is how long a secret is at least: what is shorter, or one of these words, fills a field that must not be empty.
const shortest = 8

var fillers = []string{"anything", "fake-key", "dummy-key", "not-needed", "no-key-required", "sk-no-key-required", "placeholder", "not-used", "local-key"}

// fills reports whether a text only fills a field for a credential. What begins as keys do is one, however short.
func fills(text string) bool {
	text = strings.ToLower(text)
	return slices.Contains(fillers, text) || len(text) < shortest && !strings.HasPrefix(text, "sk-") && !strings.ContainsAny(text, "*.<")
}

// secret is a credential. One that stands in the file moves into a variable, by the given name if that is free.
func (l *litellm) secret(n *Node, name string) Text {
	text := n.Text()
	if text == "" || strings.HasPrefix(text, environment) {
		return l.value(n)
	}
	if fills(text) {
		return Literal(text)
	}
	variable, known := l.variables[text]
	if !known {
		variable = variableName(Unused(name, func(name string) bool { return l.taken[variableName(name)] }))
		l.variables[text], l.taken[variable] = variable, true
	}
	l.Manual(n, fmt.Sprintf("the secret stands in the file, and is not copied: set the variable %s to it", variable))
	return Variable(variable)
}

func (l *litellm) readCredentials() {
	for _, item := range l.doc.Root.Get("credential_list").list() {
		name := item.Get("credential_name")
		if name.Text() == "" {
			continue
		}
		l.credentials[name.Text()] = item.Get("credential_values")
		l.Exact(name, "used by the models that name it")
		if info := item.Get("credential_info"); info != nil {
			l.Exact(info, "not needed: it only describes the credential")
		}
	}
}

// list are the items of a list, none for anything else.
func (n *Node) list() []*Node {
	if n == nil {
		return nil
	}
	return n.Items
}
