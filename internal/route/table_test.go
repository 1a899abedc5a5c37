package route

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func model(name string, targets ...string) *Model {
	m := &Model{Name: name}
	for _, t := range targets {
		provider, upstream, _ := strings.Cut(t, "/")
		m.Targets = append(m.Targets, Target{Provider: provider, Model: upstream})
	}
	return m
}

func TestResolve(t *testing.T) {
	t.Parallel()
	table := NewTable([]*Model{
		model("*", "local/llama"),
		model("openai/*", "openai/*"),
		model("openai/gpt-*", "openai/gpt-*", "azure/deploy-*"),
		model("openai/gpt-5", "openai/gpt-5-2026", "azure/gpt5"),
		model("fast", "groq/meta/llama-3"),
	}, nil, nil)
	for _, tt := range []struct{ name, model, targets string }{
		{"fast", "fast", "groq/meta/llama-3"},
		{"openai/gpt-5", "openai/gpt-5", "openai/gpt-5-2026 azure/gpt5"},
		{"openai/gpt-4.1", "openai/gpt-*", "openai/gpt-4.1 azure/deploy-4.1"},
		{"openai/gpt-", "openai/gpt-*", "openai/gpt- azure/deploy-"},
		{"openai/o3/mini", "openai/*", "openai/o3/mini"},
		{"fas", "*", "local/llama"},
		{"anything", "*", "local/llama"},
	} {
		r, ok := table.Resolve(tt.name)
		if !ok {
			t.Errorf("%s: not found", tt.name)
			continue
		}
		var targets []string
		for _, target := range r.Targets {
			targets = append(targets, target.String())
		}
		if r.Model.Name != tt.model || strings.Join(targets, " ") != tt.targets {
			t.Errorf("%s: %s %v, want %s %s", tt.name, r.Model.Name, targets, tt.model, tt.targets)
		}
	}
	if _, ok := NewTable(nil, nil, nil).Resolve("x"); ok {
		t.Error("an empty table resolved a name")
	}
}

// What is known of a target is looked up under the name that the upstream is asked for, and only where it may matter.
func TestKnow(t *testing.T) {
	t.Parallel()
	var asked []string
	know := func(t *Target) {
		asked = append(asked, t.String())
		t.Facts.Context = len(t.Model)
	}
	table := NewTable([]*Model{model("both/*", "a/*", "b/x-*", "c/fixed"), model("one/*", "a/*")}, nil, know)
	if got := strings.Join(asked, " "); got != "c/fixed" {
		t.Errorf("a new table asks for %q", got)
	}
	asked = nil
	r, _ := table.Resolve("both/gpt")
	if got := strings.Join(asked, " "); got != "a/gpt b/x-gpt" || r.Targets[1].Facts.Context != len("x-gpt") || r.Targets[2].Facts.Context != len("fixed") {
		t.Errorf("asks for %q, knows %+v", got, r.Targets)
	}
	asked = nil
	if r, _ = table.Resolve("one/gpt"); asked != nil || r.Targets[0].Facts.Context != 0 {
		t.Errorf("asks for %q though there is nothing to choose", asked)
	}
	if m := table.Models()[0]; m.Targets[0].Facts.Context != 0 || m.Targets[0].Model != "*" {
		t.Errorf("the table changed: %+v", m.Targets[0])
	}
}

// What a pass-through lists must lead back to the very model that was listed.
func TestPassThroughLeadsBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-c/-]{0,3}`)
		logical, upstream := word.Draw(t, "logical"), word.Draw(t, "upstream")
		table := NewTable([]*Model{model(logical+"*", "p/"+upstream+"*")}, nil, nil)
		listed := word.Draw(t, "listed")
		for _, p := range table.PassThroughs() {
			name, ok := p.Logical(listed)
			if ok != (strings.HasPrefix(listed, upstream) && name != "") {
				t.Fatalf("listed %v", ok)
			}
			if !ok {
				continue
			}
			r, found := table.Resolve(name)
			if !found || r.Targets[0].Model != listed {
				t.Fatalf("%q is listed as %q, which leads to %v", listed, name, r.Targets)
			}
		}
	})
}
