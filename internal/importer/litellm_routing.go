package importer

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// setting is the first of router_settings and litellm_settings that has a value of that name, and all of them.
func (l *litellm) setting(name string) (first *Node, all []*Node) {
	for _, section := range []string{"router_settings", "litellm_settings"} {
		if n := l.doc.Root.Get(section).Get(name); n != nil {
			all = append(all, n)
			if first.IsNull() {
				first = n
			}
		}
	}
	return first, all
}

// routing converts how targets are chosen, repeated and replaced.
func (l *litellm) routing() {
	l.aliases()
	l.policies()
	l.fallbacks()
	l.retries()
	l.timeouts()
}

// aliases makes a model of each other name of a model.
func (l *litellm) aliases() {
	section, _ := l.setting("model_group_alias")
	if section == nil {
		return
	}
	for _, f := range section.Fields {
		to := f.Value
		if to.IsMap() {
			to = to.Get("model")
			if hidden, _ := f.Value.Get("hidden").Bool(); hidden {
				l.Approximate(f.Value.Get("hidden"), "the name is in the list of models: Weir hides none")
			} else if n := f.Value.Get("hidden"); n != nil {
				l.Exact(n, "always so in Weir")
			}
		}
		of := l.to.Serves(to.Text())
		switch why := nameProblem(f.Name); {
		case of == nil:
			l.Manual(f.Value, fmt.Sprintf("no model is called %q: the other name for it was left out", to.Text()))
		case why != "":
			l.Unsupported(f.Value, "Weir takes no such name: "+why)
		case l.to.Model(f.Name) != nil:
			l.Approximate(f.Value, "a model has this name already, and stays: the other name was left out")
		case strings.HasSuffix(of.Name, "*") && !strings.HasSuffix(f.Name, "*"):
			l.Manual(f.Value, fmt.Sprintf("it names a model of the pattern %q: add a model with the provider's full name", of.Name))
		default:
			other := *of
			other.Name, other.At = f.Name, f.Value
			l.to.Add(&other)
			l.items[&other] = l.items[of]
			l.Exact(to, fmt.Sprintf("the model %q, with the same targets", f.Name))
		}
	}
}

// strategies are LiteLLM's ways to choose a deployment, and Weir's policies.
var strategies = map[string]string{
	"simple-shuffle": "weighted", "least-busy": "least_busy", "latency-based-routing": "fastest", "cost-based-routing": "cheapest",
	"usage-based-routing": "least_busy", "usage-based-routing-v2": "least_busy",
}

// policies sets how the targets of each model are ordered.
func (l *litellm) policies() {
	strategy, all := l.setting("routing_strategy")
	policy := "weighted"
	if strategy.Text() != "" {
		known, ok := strategies[strategy.Text()]
		switch {
		case !ok:
			l.Manual(strategy, fmt.Sprintf("Weir has no policy like %q: targets are drawn by weight", strategy.Text()))
		case strings.HasPrefix(strategy.Text(), "usage-based"):
			l.Approximate(strategy, "policy: least_busy, the attempts in flight for their capacity, in place of the tokens of the minute")
		default:
			l.Exact(strategy, "policy: "+known)
		}
		policy = cmp.Or(known, policy)
	}
	l.others(strategy, all)
	for _, m := range l.to.Models {
		l.policy(m, policy)
	}
}

// others reports the settings of a name that another counts before.
func (l *litellm) others(first *Node, all []*Node) {
	for _, n := range all {
		if n != first {
			l.Approximate(n, "left out: router_settings has another, which counts")
		}
	}
}

// policy sets that of one model.
func (l *litellm) policy(m *Model, policy string) {
	items := l.items[m]
	ordered := slices.ContainsFunc(items, func(d *deployment) bool { return d.params.Get("order") != nil })
	if len(m.Targets) > 1 && ordered {
		slices.SortStableFunc(items, func(a, b *deployment) int { return cmp.Compare(a.order, b.order) })
		for i, d := range items {
			m.Targets[i] = d.target
		}
		policy = ""
	}
	for i, d := range items {
		if n := d.params.Get("order"); n != nil && !n.said {
			if i > 0 && d.order == items[i-1].order {
				l.Approximate(n, "the order of the targets; those of one number are tried in the order of the file, and not shuffled")
			} else {
				l.Exact(n, "the order of the targets")
			}
		}
	}
	if len(m.Targets) < 2 {
		policy = ""
	}
	m.Policy = policy
	if policy == "weighted" && !slices.ContainsFunc(m.Targets, func(t *Target) bool { return t.Weight > 0 }) {
		weighByRate(m.Targets)
	}
	if policy != "weighted" && policy != "least_busy" {
		for i, t := range m.Targets {
			if t.Weight > 0 && i < len(items) {
				l.Approximate(items[i].params.Get("weight"), "left out: nothing is drawn by weight here")
			}
			t.Weight = 0
		}
	}
	if policy == "least_busy" {
		for _, t := range m.Targets {
			t.Weight = 0
		}
	}
}

// weighByRate gives targets the weights that LiteLLM takes from rpm, or else from tpm, where all have one.
func weighByRate(targets []*Target) {
	for _, rate := range []func(*Target) int64{func(t *Target) int64 { return t.RPM }, func(t *Target) int64 { return t.TPM }} {
		most, all := int64(0), true
		for _, t := range targets {
			most, all = max(most, rate(t)), all && rate(t) > 0
		}
		if !all {
			continue
		}
		by := (most + maxWeight - 1) / maxWeight
		for _, t := range targets {
			t.Weight = max(rate(t)/by, 1)
		}
		return
	}
}

// lists are the settings that name other models for failures, and the failures.
var lists = []struct{ name, cause string }{
	{"fallbacks", "error"}, {"context_window_fallbacks", "context"}, {"content_policy_fallbacks", "content_filter"},
}

// fallbacks converts what models fall back on.
func (l *litellm) fallbacks() {
	named := map[string]map[string][]string{} // by cause, by model
	places := map[string]*Node{}              // by model: where the last list is
	for _, list := range lists {
		named[list.cause] = map[string][]string{}
		first, all := l.setting(list.name)
		l.others(first, all)
		for _, item := range first.list() {
			for _, f := range item.Fields {
				if to := l.fallback(f); len(to) > 0 {
					named[list.cause][f.Name], places[f.Name] = to, f.Value
				}
			}
		}
		if first.IsList() && len(first.Items) == 0 {
			l.Exact(first, "always so in Weir")
		}
	}
	general := l.defaultFallbacks()
	for _, m := range l.to.Models {
		l.fallBack(m, named, general, places[m.Name])
	}
}

// fallback are the models that a list names for one.
func (l *litellm) fallback(f Field) (to []string) {
	if f.Name != "*" && l.to.Model(f.Name) == nil {
		l.Manual(f.Value, fmt.Sprintf("no model in the result is called %q: its fallbacks were left out", f.Name))
		return nil
	}
	items := f.Value.list()
	if f.Value.IsText() {
		items = []*Node{f.Value}
	}
	for _, item := range items {
		name := item.Text()
		if item.IsMap() {
			l.Manual(item, "a fallback with parameters of its own: make a model with these as params, and name that")
			continue
		}
		served := l.to.Serves(name)
		switch {
		case served == nil:
			l.Manual(item, fmt.Sprintf("no model in the result is called %q: this fallback was left out", name))
		case served.Name == f.Name:
			l.Approximate(item, "left out: the model would fall back on itself")
		case strings.Contains(name, "*"):
			l.Manual(item, "left out: a fallback is one model, and this is a pattern")
		case slices.Contains(to, name):
			l.Approximate(item, "left out: it is in the list already")
		default:
			to = append(to, name)
		}
	}
	return to
}

// defaultFallbacks are those of models that have no others.
func (l *litellm) defaultFallbacks() (to []string) {
	n, all := l.setting("default_fallbacks")
	l.others(n, all)
	for _, name := range n.Texts() {
		if l.to.Serves(name) == nil || strings.Contains(name, "*") {
			l.Manual(n, fmt.Sprintf("no model in the result is called %q: this fallback was left out", name))
			continue
		}
		to = append(to, name)
	}
	if len(to) > 0 && !n.said {
		l.Exact(n, "fallbacks of each model that has no others")
	}
	return to
}

// fallBack sets the fallbacks of one model. LiteLLM has a list for each sort of failure; Weir has one, and the failures that it is for.
func (l *litellm) fallBack(m *Model, named map[string]map[string][]string, general []string, at *Node) {
	of := func(cause string) []string {
		if to := named[cause][m.Name]; to != nil {
			return to
		}
		if to := named[cause]["*"]; to != nil {
			return to
		}
		return nil
	}
	plain, context, content := of("error"), of("context"), of("content_filter")
	if plain == nil {
		plain = general
	}
	var on, to []string
	add := func(list []string, causes ...string) {
		for _, name := range list {
			if served := l.to.Serves(name); served != m && !slices.Contains(to, name) {
				to = append(to, name)
			}
		}
		if len(list) > 0 {
			on = append(on, causes...)
		}
	}
	add(plain, "error", "rate_limit")
	if context == nil && plain != nil {
		on = append(on, "context")
	}
	add(context, "context")
	add(content, "content_filter")
	if len(to) == 0 {
		return
	}
	m.Fallbacks = Fallbacks{on, to}
	lists := 0
	for _, list := range [][]string{plain, context, content} {
		if len(list) > 0 && !slices.Equal(list, to) {
			lists++
		}
	}
	switch {
	case at == nil:
	case lists > 0:
		l.Approximate(at, fmt.Sprintf("fallbacks of %q: Weir has one list of them for all failures, so all that the lists name are tried for each", m.Name))
	case !at.said:
		l.Exact(at, fmt.Sprintf("fallbacks of %q", m.Name))
	}
	l.sayLists(m.Name)
}

// sayLists says of the lists that name a model, and of their items, that they were used.
func (l *litellm) sayLists(model string) {
	for _, list := range lists {
		first, _ := l.setting(list.name)
		for _, item := range first.list() {
			for _, name := range []string{model, "*"} {
				if n := item.Get(name); n != nil && !n.said {
					l.Exact(n, fmt.Sprintf("fallbacks of %q", model))
				}
			}
		}
	}
}

// retries converts how often a request is tried.
func (l *litellm) retries() {
	n, all := l.setting("num_retries")
	l.others(n, all)
	count, ok := n.Int()
	switch {
	case n == nil:
		return
	case !ok || count < 0 || count > 100:
		l.Manual(n, "it is no number of repeats: it was left out")
		return
	}
	for _, m := range l.to.Models {
		m.Attempts = count + int64(len(m.Targets))
	}
	l.Approximate(n, "retries.max_attempts of each model: so many repeats, and one attempt for each target; LiteLLM repeats at each level again")
}

// timeouts converts how long requests may take.
func (l *litellm) timeouts() {
	total := l.general("timeout", "request_timeout")
	first := l.general("stream_timeout")
	for _, m := range l.to.Models {
		m.Total, m.First = total, first
		for _, f := range []struct {
			name string
			to   *string
		}{{"timeout", &m.Total}, {"stream_timeout", &m.First}} {
			for i, d := range l.items[m] {
				n := d.params.Get(f.name)
				if n.IsNull() {
					continue
				}
				said := n.said // of a model with another name
				span, ok := duration(n.Text())
				switch {
				case !ok && said:
				case !ok:
					l.Manual(n, "it is no number of seconds: it was left out")
				case i > 0 && !said && *f.to != span && *f.to != total:
					l.Approximate(n, "left out: another target of the model has another")
				case said:
					*f.to = span
				default:
					*f.to = span
					l.Approximate(n, whole(f.name))
				}
			}
		}
	}
}

// whole says what a time of LiteLLM's is here.
func whole(name string) string {
	if name == "stream_timeout" {
		return "timeouts.first_token of the model: from an attempt to its first content"
	}
	return "timeouts.total of the model: Weir counts the whole request with all attempts, LiteLLM each attempt"
}

// general is a time that holds for all models, "" for none. Of several names the first counts.
func (l *litellm) general(names ...string) (span string) {
	for _, name := range names {
		n, all := l.setting(name)
		l.others(n, all)
		if n.IsNull() {
			continue
		}
		said, ok := duration(n.Text())
		switch {
		case !ok:
			l.Manual(n, "it is no number of seconds: it was left out")
		case span != "":
			l.Approximate(n, fmt.Sprintf("left out: %s counts", names[0]))
		default:
			span = said
			l.Approximate(n, whole(name))
		}
	}
	return span
}

// duration is a number of seconds, as Weir spells it.
func duration(seconds string) (string, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(seconds), 64)
	if err != nil || !(f > 0) || f > 1e7 {
		return "", false
	}
	if f == math.Trunc(f) {
		return decimal(int64(f)) + "s", true
	}
	return decimal(int64(math.Ceil(f*1000))) + "ms", true
}
