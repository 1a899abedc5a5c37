package importer

import "fmt"

// conditional converts a strategy that chooses a target by conditions. Those that ask for the model that a caller names become models of these names;
// for any other each target is a model of its own name, which callers name. The default target is for all other names.
func (p *portkey) conditional(n *Node, name string, in passed) {
	strategy := member(n, "strategy")
	p.aside(n)
	in = p.pass(n, in)
	targets := map[string]*Node{}
	for _, target := range member(n, "targets").list() {
		targets[target.Get("name").Text()] = target
	}
	others := map[string]bool{}
	for _, condition := range strategy.Get("conditions").list() {
		then := condition.Get("then")
		if targets[then.Text()] == nil {
			p.Manual(condition, fmt.Sprintf("left out: there is no target %q", then.Text()))
			continue
		}
		names, ok := asked(condition.Get("query"))
		if !ok {
			others[then.Text()] = true
			p.Manual(condition, fmt.Sprintf("Weir chooses by the name of a model alone: have callers that meet this condition name a model as %q", chosen(targets[then.Text()], in)))
			continue
		}
		p.Exact(condition, "models of these names")
		for _, asked := range names {
			p.branch(targets[then.Text()], asked, in)
		}
	}
	for _, target := range member(n, "targets").list() {
		if others[target.Get("name").Text()] {
			p.branch(target, chosen(target, in), in)
		}
	}
	p.Exact(strategy.Get("mode"), "a model for each condition")
	if otherwise := strategy.Get("default"); targets[otherwise.Text()] != nil {
		p.Exact(otherwise, "the model of all other names")
		p.branch(targets[otherwise.Text()], name, in)
	} else if otherwise != nil {
		p.Manual(otherwise, fmt.Sprintf("left out: there is no target %q", otherwise.Text()))
	}
	legs := int64(1)
	if m := p.to.Model(name); m != nil {
		legs = int64(len(m.Targets))
	}
	p.retries(n, &Model{}, legs)
	for _, m := range p.to.Models {
		p.again(n, m)
	}
}

// again gives what conditional's retries said to a model.
func (p *portkey) again(n *Node, m *Model) {
	if attempts, ok := member(n, "retry").Get("attempts").Int(); ok && attempts >= 0 && attempts <= 100 && m.Attempts == 0 {
		m.Attempts = attempts + int64(len(m.Targets))
	}
	if timeout, ok := member(n, "request_timeout").Int(); ok && timeout > 0 && timeout <= maxLimit && m.Total == "" {
		m.Total = decimal(timeout) + "ms"
	}
}

// chosen is the name of the model that a target is, for callers to choose it by. One that passes on what callers name is a pattern.
func chosen(target *Node, in passed) string {
	name := target.Get("name").Text()
	if in.override["model"] == nil && !fixed(target) {
		return name + "/*"
	}
	return name
}

// fixed reports whether all that a target stands for has a model of its own.
func fixed(target *Node) bool {
	if member(target, "override_params").Get("model") != nil || member(target, "deployment_id") != nil || member(target, "azure_deployment_id") != nil {
		return true
	}
	inner := member(target, "targets").list()
	for _, t := range inner {
		if !fixed(t) {
			return false
		}
	}
	return len(inner) > 0
}

// branch adds the model of a condition, unless one before it has the name: the first condition that holds counts.
func (p *portkey) branch(target *Node, name string, in passed) {
	if why := nameProblem(name); why != "" {
		p.Manual(target, "left out, because Weir takes no model of that name: "+why)
		return
	}
	if p.to.Model(name) == nil {
		p.model(target, name, in)
	}
}

// asked are the names of models that a condition asks for and nothing else.
func asked(query *Node) (names []string, ok bool) {
	if query == nil || len(query.Fields) != 1 || query.Fields[0].Name != "params.model" {
		return nil, false
	}
	value := query.Fields[0].Value
	if value.IsText() {
		return value.Texts(), true
	}
	if len(value.fields()) == 1 && (value.Fields[0].Name == "$eq" || value.Fields[0].Name == "$in") {
		names = value.Fields[0].Value.Texts()
	}
	return names, len(names) > 0
}
