package importer

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// deployment is an item of model_list that became a target.
type deployment struct {
	at, params, info *Node
	target           *Target
	order            int64
}

// modelList converts model_list.
func (l *litellm) modelList() {
	section := l.doc.Root.Get("model_list")
	for _, item := range section.list() {
		l.deployment(item)
	}
	if section != nil && len(section.Items) == 0 {
		l.Manual(section, "the list is empty: models that LiteLLM keeps in its database, added in its web pages, are not in the file")
	}
}

// maxName is how long a name of Weir's may be, in bytes.
const maxName = 256

// nameProblem says why a logical model, or a provider's, cannot have a name, "" if it can.
func nameProblem(name string) string {
	switch {
	case name == "":
		return "it is empty"
	case len(name) > maxName:
		return fmt.Sprintf("it has more than %d bytes", maxName)
	case strings.Contains(strings.TrimSuffix(name, "*"), "*"):
		return "a pattern of Weir's has one * only, at its end"
	case strings.TrimSpace(name) != name:
		return "it begins or ends with a space"
	case strings.ContainsFunc(name, func(r rune) bool {
		return r != ' ' && !unicode.IsGraphic(r) || r == unicode.ReplacementChar || unicode.IsSpace(r) && r != ' '
	}):
		return "it has characters that cannot be printed"
	}
	return ""
}

func (l *litellm) deployment(item *Node) {
	d := &deployment{at: item, params: item.Get("litellm_params"), info: item.Get("model_info")}
	name := item.Get("model_name")
	if name.Text() == "" || d.params.Get("model").Text() == "" {
		l.Unsupported(item, "a model has a model_name, and litellm_params with a model: this one lacks one of them and was left out")
		return
	}
	if why := nameProblem(name.Text()); why != "" {
		l.leaveOut(item, fmt.Sprintf("the model was left out, because Weir takes no such name: %s", why))
		return
	}
	if mode := d.mode(); litellmUnserved(mode) {
		l.leaveOut(item, fmt.Sprintf("the model was left out, because Weir does not serve the mode %s", mode))
		return
	}
	target, ok := l.target(d)
	if !ok {
		return
	}
	model := l.to.Model(name.Text())
	if model == nil {
		model = &Model{Name: name.Text(), At: item}
		l.to.Add(model)
	}
	if !l.place(model, d, target) {
		return
	}
	l.Exact(name, fmt.Sprintf("target %d of the model %q", len(model.Targets), model.Name))
	l.access(d, model.Name)
}

// leaveOut reports an item of which nothing is in the result.
func (l *litellm) leaveOut(item *Node, why string) { l.Unsupported(item, why) }

// mode is what the model is for, as the file or its name says.
func (d *deployment) mode() string {
	if mode := d.info.Get("mode").Text(); mode != "" {
		return mode
	}
	return litellmModeOf(d.params.Get("model").Text())
}

// place adds the target to the model, unless it is there already.
func (l *litellm) place(model *Model, d *deployment, target *Target) bool {
	for i, other := range model.Targets {
		if other.Provider != target.Provider || other.Model != target.Model {
			continue
		}
		l.Approximate(d.at, fmt.Sprintf("the same model with the same credentials is target %d of %q already: it is there once", i+1, model.Name))
		return false
	}
	name := target.Provider.Name + "/" + target.Model
	switch first := l.allowed[name]; {
	case first == nil:
		l.allowed[name] = target
	case first.RPM != target.RPM || first.TPM != target.TPM:
		target.RPM, target.TPM = 0, 0
		l.Approximate(d.params.First("rpm", "tpm", "model"), fmt.Sprintf("rpm and tpm of %s are those of its first mention, on line %d: they hold wherever it is used", name, first.At.Line))
	}
	d.target = target
	model.Targets = append(model.Targets, target)
	l.items[model] = append(l.items[model], d)
	return true
}

// target converts litellm_params and model_info.
func (l *litellm) target(d *deployment) (*Target, bool) {
	named := d.params.Get("model")
	vendor, model := l.vendorOf(d)
	kind, known := litellmKindOf(vendor)
	if !known && vendor == "*" && !d.based(l) {
		l.Manual(d.at, "callers' names choose the provider here, and Weir has a pattern for each: add the providers, and models such as \"openai/*\": {targets: [\"openai/*\"]}")
		return nil, false
	}
	if !known {
		if d.param(l, "api_base", "base_url").Text() == "" {
			l.leaveOut(d.at, fmt.Sprintf("the model was left out, because Weir has no kind of provider like %q", vendor))
			return nil, false
		}
		kind = litellmKind{kind: openaiKind}
		l.Approximate(named, fmt.Sprintf("Weir has no kind of provider like %q: its api_base is taken to speak as OpenAI does", vendor))
	}
	model = modelOf(kind.kind, model)
	if why := nameProblem(model); why != "" {
		l.leaveOut(d.at, "the model was left out, because the provider's name of it cannot be used: "+why)
		return nil, false
	}
	if strings.HasSuffix(model, "*") && !strings.HasSuffix(d.at.Get("model_name").Text(), "*") {
		l.leaveOut(d.at, "the model was left out, because its name has no * that could replace the * of litellm_params.model")
		return nil, false
	}
	provider, ok := l.provider(d, vendor, kind, model)
	if !ok {
		return nil, false
	}
	t := &Target{At: d.at, Provider: provider, Model: model}
	if !named.said {
		l.Exact(named, fmt.Sprintf("the target %s/%s", provider.Name, model))
	}
	l.limits(d, t)
	l.price(d, t)
	l.info(d, t)
	l.defaults(d, t)
	return t, true
}

// vendorOf splits the model's name into LiteLLM's name of the provider and the provider's of the model.
func (l *litellm) vendorOf(d *deployment) (vendor, model string) {
	named := d.params.Get("model")
	model = named.Text()
	if name, ok := strings.CutPrefix(model, environment); ok {
		l.Manual(named, fmt.Sprintf("the model's name is in the variable %s, and Weir needs it in the file: write it there", name))
		model = name
	}
	if custom := d.params.Get("custom_llm_provider"); custom.Text() != "" {
		l.Exact(custom, "part of the provider's kind")
		return custom.Text(), strings.TrimPrefix(model, custom.Text()+"/")
	}
	if first, rest, ok := strings.Cut(model, "/"); ok {
		if _, known := litellmKindOf(first); known || !d.based(l) {
			return first, rest
		}
	}
	if bare := litellmBare(model); bare != "" {
		if !strings.HasPrefix(model, "gpt-") && bare != anthropicKind {
			l.Approximate(named, fmt.Sprintf("it names no provider, and LiteLLM takes it for one of %s: so does this", bare))
		}
		return bare, model
	}
	if d.based(l) {
		if !named.said {
			l.Approximate(named, "it names no provider: its api_base is taken to speak as OpenAI does")
		}
		return openaiKind, model
	}
	return model, model
}

func (d *deployment) based(l *litellm) bool { return d.param(l, "api_base", "base_url").Text() != "" }

// param is the first of the parameters that has a value, in litellm_params or in the credential that they name.
func (d *deployment) param(l *litellm, names ...string) *Node {
	if n := d.params.First(names...); n != nil {
		return n
	}
	return l.credentials[d.params.Get("litellm_credential_name").Text()].First(names...)
}

// modelOf is a provider's own name of a model, without what LiteLLM adds.
func modelOf(kind, model string) string {
	var added []string
	switch kind {
	case bedrockKind:
		added = []string{"converse/", "invoke/", "converse_like/"}
	case openaiKind, azureKind:
		added = []string{"responses/", "chat/", "openai/"}
	case vertexKind, geminiKind:
		added = []string{"gemini/", "models/"}
	}
	for _, begin := range added {
		if rest, ok := strings.CutPrefix(model, begin); ok {
			return rest
		}
	}
	return model
}

// access notes the groups of models that keys may name.
func (l *litellm) access(d *deployment, model string) {
	groups := d.info.Get("access_groups")
	if groups == nil {
		return
	}
	for _, group := range groups.Texts() {
		if !slices.Contains(l.groups[group], model) {
			l.groups[group] = append(l.groups[group], model)
		}
	}
	l.Approximate(groups, "Weir has no groups: keys that name one get the names of its models")
}
