package matrix

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// said is the output of a program for which all works, except for the given outcomes.
func said(t *testing.T, other ...outcome) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("noise\n" + `{"client":"litellm","version":"1.2.3","language":"Python 3.11"}` + "\n")
	for _, feature := range features() {
		o := outcome{feature, works, ""}
		for _, each := range other {
			if each.Feature == feature {
				o = each
			}
		}
		line, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n", line)
	}
	return b.String()
}

// TestRead holds that no program passes by saying too little or the wrong thing.
func TestRead(t *testing.T) {
	t.Parallel()
	whole := said(t)
	for _, c := range []struct{ name, output, wrong string }{
		{"all works", whole, ""},
		{"a feature is absent", said(t, outcome{"retry-429", absent, "never retries"}), ""},
		{"a feature fails", said(t, outcome{"tools", fails, "no arguments"}), "tools: no arguments"},
		{"nothing", "", "it calls itself"},
		{"another client", strings.Replace(whole, "litellm", "llm", 1), `it calls itself "llm"`},
		{"no version", strings.Replace(whole, "1.2.3", "", 1), `version ""`},
		{"a feature is left out", strings.Replace(whole, `{"feature":"tools","result":"ok","note":""}`, "", 1), "tools: it says nothing"},
		{"a feature comes twice", whole + `{"feature":"tools","result":"ok","note":""}`, "the feature came before"},
		{"an unknown feature", whole + `{"feature":"tool","result":"ok","note":""}`, "no such feature"},
		{"an unknown result", said(t, outcome{"tools", "fine", ""}), "no such result"},
		{"absent without a note", said(t, outcome{"tools", absent, ""}), "needs a note"},
		{"a line that is not JSON", whole + `{"feature":"tools"`, "unexpected end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			which := client{python, "litellm"}
			r, wrong := which.read([]byte(c.output))
			wrong = append(wrong, which.judge(r)...)
			if c.wrong == "" && len(wrong) > 0 || c.wrong != "" && !slices.ContainsFunc(wrong, func(w string) bool { return strings.Contains(w, c.wrong) }) {
				t.Errorf("complaints %q, expected %q", wrong, c.wrong)
			}
		})
	}
}

// TestPageIsCompared holds that a page shows its own results, and that another result is noticed.
func TestPageIsCompared(t *testing.T) {
	t.Parallel()
	results := map[string]*result{}
	for _, c := range clients {
		r, _ := c.read([]byte(said(t, outcome{"retry-429", absent, "never | retries"})))
		results[c.name()] = r
	}
	page := render(results, time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
	for name, r := range results {
		if lines := missing(page, name, r); len(lines) > 0 {
			t.Errorf("the page of these results lacks %q", lines)
		}
	}
	const name = "go/go-openai"
	for _, change := range []func(*result){
		func(r *result) { r.Version = "1.2" },
		func(r *result) { r.features["tools"] = outcome{"tools", absent, "no tools"} },
		func(r *result) { r.features["retry-429"] = outcome{"retry-429", absent, "other words"} },
		func(r *result) { r.features["retry-429"] = outcome{"retry-429", works, ""} },
	} {
		r, _ := client{golang, "go-openai"}.read([]byte(said(t, outcome{"retry-429", absent, "never | retries"})))
		change(r)
		if len(missing(page, name, r)) == 0 {
			t.Errorf("a change of %+v goes unnoticed", r)
		}
	}
	results[name].Language = "another"
	if lines := missing(page, name, results[name]); len(lines) > 0 {
		t.Errorf("another machine's interpreter is taken for a change: %q", lines)
	}
}

// TestKnownFailures holds that the table of known failures names clients and features that are there.
func TestKnownFailures(t *testing.T) {
	t.Parallel()
	for _, k := range known {
		if !slices.ContainsFunc(clients, func(c client) bool { return c.name() == k.client }) || !slices.Contains(features(), k.feature) || k.why == "" {
			t.Errorf("no such client or feature, or no reason: %+v", k)
		}
	}
}
