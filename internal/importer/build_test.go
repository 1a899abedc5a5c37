package importer

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// allocated is how many bytes f has allocated.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// bombOf is a config whose aliases name ten values each, of aliases of ten.
func bombOf(levels int, value string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "a0: &a0 [%s]\n", strings.TrimSuffix(strings.Repeat(value+",", 10), ","))
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 10), ","))
	}
	return b.String() + "model_list: []\n"
}

// TestAliasesAreMeasured: what aliases of aliases ask for is known before any of it is made, so a hostile file costs no memory.
func TestAliasesAreMeasured(t *testing.T) {
	long := strings.Repeat("k", 1<<20)
	deep := strings.Repeat("{a: ", 200) + "1" + strings.Repeat("}", 200)
	for name, test := range map[string]struct{ text, want string }{
		"aliases of aliases":       {bombOf(8, "1"), "make the file too large"},
		"aliases of much":          {"a0: &a0 [" + strings.Repeat("1,", 9_999) + "1]\nmodel_list: [" + strings.Repeat("*a0,", 99) + "*a0]\n", "make the file too large"},
		"long names, often":        {"a0: &a0 {" + long + ": [" + strings.Repeat("1,", 999) + "1]}\nmodel_list: []\n", "make the file too large"},
		"merges of merges":         {strings.NewReplacer("[", "{<<: [", "]", "]}", "{<<: []}", "[]").Replace(bombOf(8, "{b: 1}")), "make the file too large"},
		"an alias in its anchor":   {"model_list: &a [*a]\n", "names what it is in"},
		"a merge in its anchor":    {"model_list: &a {b: 1, <<: *a}\n", "names what it is in"},
		"a deep value":             {"model_list: " + deep + "\n", "more than 100 values are in one another here"},
		"a merge of what is none":  {"model_list: []\nx: &x 1\nrouter_settings: {<<: *x}\n", "<< takes a mapping"},
		"a merge of a list of one": {"model_list: []\nrouter_settings: {<<: [1]}\n", "<< takes a mapping"},
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			bytes := allocated(func() { _, err = Convert(LiteLLM{}, input("c.yaml", test.text)) })
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "c.yaml:") {
				t.Errorf("%.200v", err)
			}
			if bytes > 48<<20 {
				t.Errorf("it took %d MiB", bytes>>20)
			}
		})
	}
}

// TestManyValues: a file of values, and not of aliases, that no config has is refused before it is read.
func TestManyValues(t *testing.T) {
	var err error
	bytes := allocated(func() {
		_, err = Convert(LiteLLM{}, input("c.yaml", "model_list: ["+strings.Repeat("a,", 8<<20)+"a]\n"))
	})
	if err == nil || !strings.Contains(err.Error(), "it has more values than any config") {
		t.Errorf("%v", err)
	}
	if bytes > 100<<20 {
		t.Errorf("it took %d MiB", bytes>>20)
	}
}

// TestAnchoredSections: a section is converted, and what is not is reported, whether it has an anchor, is an alias, or comes by a merge.
func TestAnchoredSections(t *testing.T) {
	const model = "{model_name: a, litellm_params: {model: openai/a, api_key: os.environ/A, weird: 1}}"
	for name, text := range map[string]string{
		"plain":            "model_list: [" + model + "]\nrouter_settings: {odd: 2}\n",
		"anchors":          "model_list: &m [" + model + "]\nrouter_settings: &r {odd: 2}\n",
		"anchors in use":   "model_list: &m [" + model + "]\nrouter_settings: &r {odd: 2}\nx-again: *r\n",
		"aliases":          "x-m: &m [" + model + "]\nx-r: &r {odd: 2}\nmodel_list: *m\nrouter_settings: *r\n",
		"merges":           "x-all: &all {model_list: [" + model + "], router_settings: {odd: 2}}\n<<: *all\n",
		"merges of a list": "x-m: &m {model_list: [" + model + "]}\nx-r: &r {router_settings: {odd: 2}}\n<<: [*m, *r]\n",
		"anchors within":   "x-parts: {m: &m [" + model + "], r: &r {odd: 2}}\nmodel_list: *m\nrouter_settings: *r\n",
	} {
		t.Run(name, func(t *testing.T) {
			draft := convert(t, LiteLLM{}, "c.yaml", text)
			if draft.Model("a") == nil {
				t.Error("the model is missing")
			}
			got := map[string]Class{}
			for _, f := range draft.Report.Findings {
				got[f.Path] = f.Class
			}
			for _, path := range []string{"model_list[0].litellm_params.weird", "router_settings.odd"} {
				if class, said := got[path]; !said || class != Unsupported {
					t.Errorf("%s: %v, %v", path, class, said)
				}
			}
			for path, class := range got {
				if strings.HasPrefix(path, "x-") && !strings.HasPrefix(path, "x-again") && class != Exact {
					t.Errorf("%s is %v", path, class)
				}
			}
		})
	}
	draft := convert(t, LiteLLM{}, "c.yaml", "model_list: []\nlost: &unused {deep: {a: 1}}\n")
	if !strings.Contains(fmt.Sprint(draft.Report.Findings), "lost.deep.a") {
		t.Error("a section with an anchor that nothing names is passed over")
	}
}
