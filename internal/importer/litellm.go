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
	*secrets

	credentials map[string]*Node    // credential_list, by name
	allowed     map[string]*Target  // the first target of a provider's model
	groups      map[string][]string // names of models by access group
	items       map[*Model][]*deployment
}

// Convert implements Source.
func (LiteLLM) Convert(doc *Document, to *Draft) error {
	l := &litellm{
		doc: doc, to: to, Report: to.Report, credentials: map[string]*Node{},
		allowed: map[string]*Target{}, groups: map[string][]string{}, items: map[*Model][]*deployment{},
	}
	if err := l.include(); err != nil {
		return err
	}
	if !l.known() {
		return &SourceError{doc.Name, doc.Root.Line, doc.Root.Column, "this is no config of LiteLLM's: it has neither model_list nor litellm_settings, router_settings or general_settings"}
	}
	l.secrets = newSecrets(to.Report, doc.Root, refersTo)
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

// refersTo is the variable of the environment that a text of the config stands for.
func refersTo(text string) (variable string, ok bool) { return strings.CutPrefix(text, environment) }

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
