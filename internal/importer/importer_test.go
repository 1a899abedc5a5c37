package importer

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/config"
)

var update = flag.Bool("update", false, "write the results of the configs in testdata, instead of comparing them")

// noon is the time of conversions.
var noon = time.Date(2026, 3, 11, 12, 0, 0, 0, time.UTC)

// sources are all.
var sources = []Source{LiteLLM{}, Bifrost{Now: noon}, NewAPI{Now: noon}, Portkey{}}

// convert converts a config that must be one.
func convert(t *testing.T, from Source, name, text string) *Draft {
	t.Helper()
	draft, err := Convert(from, input(name, text))
	if err != nil {
		t.Fatal(err)
	}
	return draft
}

func input(name, text string) Input {
	return Input{Name: name, Data: []byte(text), Known: catalog.Known, Read: func(path string) ([]byte, error) {
		return nil, fmt.Errorf("%s: %w", path, os.ErrNotExist)
	}}
}

// check is what weir check does with a result, in an environment without the secrets.
func check(draft *Draft) (*config.Config, error) {
	return config.Loader{Kinds: catalog.ConfigKinds(), Known: catalog.Known, WithoutSecrets: true}.Parse("weir.yaml", draft.YAML())
}

// TestResults compares the results of the configs in testdata with what they were, and has weir check read them.
func TestResults(t *testing.T) {
	for _, from := range sources {
		var files []string
		for _, end := range []string{".yaml", ".json"} {
			found, err := filepath.Glob(filepath.Join("testdata", from.Name(), "*"+end))
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, found...)
		}
		if len(files) == 0 {
			t.Fatal("no configs")
		}
		for _, file := range files {
			t.Run(file, func(t *testing.T) {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				draft := convert(t, from, filepath.Base(file), string(text))
				if _, err := check(draft); err != nil {
					t.Errorf("weir check: %v\n%s", err, draft.YAML())
				}
				var report strings.Builder
				if err := draft.Report.Write(&report, Exact); err != nil {
					t.Fatal(err)
				}
				compare(t, strings.TrimSuffix(file, filepath.Ext(file))+".golden", report.String()+"\n"+string(draft.YAML()))
				if strings.Contains(string(draft.YAML())+report.String(), "hidden-") {
					t.Error("a secret is in the result or in the report")
				}
				doc, err := parse(file, text, nil)
				if err != nil {
					t.Fatal(err)
				}
				wantSaid(t, draft, doc.Root)
			})
		}
	}
}

func compare(t *testing.T, golden, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-update writes it anew):\n%s", golden, diff)
	}
}

// wantSaid: the report says of each value, or of one that it is in, what became of it.
func wantSaid(t *testing.T, draft *Draft, n *Node) {
	t.Helper()
	for _, f := range n.Fields {
		wantSaid(t, draft, f.Value)
	}
	for _, item := range n.Items {
		wantSaid(t, draft, item)
	}
	if len(n.Fields)+len(n.Items) > 0 {
		return
	}
	for i := range draft.Report.Findings {
		if path := draft.Report.Findings[i].Path; path == n.Path || strings.HasPrefix(n.Path, path+".") || strings.HasPrefix(n.Path, path+"[") {
			return
		}
	}
	t.Errorf("nothing is said of %s", n.Path)
}

// TestFilesThatCannotBeRead: the error names the line, the reason and what to do, and there is no result.
func TestFilesThatCannotBeRead(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "c.yaml: it is empty"},
		{"comments", "# nothing\n", "c.yaml: it is empty"},
		{"a list", "- a\n- b\n", "c.yaml:1:1: a config has names with values here"},
		{"another file", "services:\n  web: {}\n", "c.yaml:1:1: this is no config of LiteLLM's"},
		{"a template", "model_list:\n  # {{ a comment }}\n  - model_name: {{ .Values.name }}\n", "c.yaml:3:17: this is a template"},
		{"another template", "model_list:\n{% for m in models %}\n  - x\n{% endfor %}\n", "c.yaml:2:1: this is a template"},
		{"cut off in a text", "model_list:\n  - model_name: \"gpt\n", "The file seems to be cut off here"},
		{"cut off in a list", "model_list: [{model_name: a\n", "The file seems to be cut off here"},
		{"tabs", "model_list:\n\t- model_name: a\n  - model_name: b\n", "c.yaml:2:"},
		{"an unknown anchor", "model_list:\n  - *nothing\n", "not valid YAML"},
		{"aliases of aliases", bombOf(6, "x"), "the aliases (*name), up to here make the file too large"},
		{"an include that is missing", "include: [models.yaml]\nmodel_list: []\n", "c.yaml:1:"},
		{"two documents", "model_list: []\n---\nmodel_list: []\n", "c.yaml:3:1: a second document begins here"},
		{"a ConfigMap of another program", "kind: ConfigMap\ndata:\n  app.yaml: |\n    a: 1\n", "c.yaml:4:1: this is no config of LiteLLM's"},
	} {
		t.Run(test.name, func(t *testing.T) {
			draft, err := Convert(LiteLLM{}, input("c.yaml", test.text))
			var source *SourceError
			if !errors.As(err, &source) || draft != nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestManyModels: ten thousand models make a config that weir check takes, each with its line.
func TestManyModels(t *testing.T) {
	var b strings.Builder
	b.WriteString("model_list:\n")
	for i := range 10_000 {
		fmt.Fprintf(&b, "  - model_name: model-%d\n    litellm_params: {model: openai/gpt-%d, api_key: os.environ/KEY_%d, rpm: %d, timeout: 60, made_up: 1, made_up_too: 2, and_this: 3}\n", i, i, i%100, 1+i)
	}
	draft := convert(t, LiteLLM{}, "many.yaml", b.String())
	cfg, err := check(draft)
	if err != nil {
		t.Fatal(err)
	}
	if len(cfg.Models) != 10_000 || len(cfg.Providers) != 100 || draft.Report.Count(Exact) != 40_000 {
		t.Errorf("%d models, %d providers, %s", len(cfg.Models), len(cfg.Providers), draft.Report.Summary())
	}
}

// TestDuplicateNames: of fields with one name the last counts, as for LiteLLM, and the report says so.
func TestDuplicateNames(t *testing.T) {
	draft := convert(t, LiteLLM{}, "c.yaml", "model_list:\n  - model_name: a\n    litellm_params: {model: openai/x, api_key: os.environ/A}\nrouter_settings: {num_retries: 1}\nrouter_settings: {num_retries: 2}\n")
	if draft.Models[0].Attempts != 3 {
		t.Errorf("%d attempts", draft.Models[0].Attempts)
	}
	if !slices.ContainsFunc(draft.Report.Findings, func(f Finding) bool {
		return f.Class == Manual && f.Line == 5 && strings.Contains(f.Text, "here twice")
	}) {
		t.Error(draft.Report.Findings)
	}
}

// TestConfigMaps: the config in what helm template writes is found, and its lines are those of the file.
func TestConfigMaps(t *testing.T) {
	const text = "kind: Service\n---\nkind: ConfigMap\ndata:\n  config.yaml: |\n    model_list:\n    - model_name: a\n      litellm_params: {model: openai/x, api_key: os.environ/A}\n---\nkind: Deployment\n"
	draft := convert(t, LiteLLM{}, "rendered.yaml", text)
	if len(draft.Models) != 1 || draft.Models[0].At.Line != 7 || draft.Report.Findings[0].Line != 7 {
		t.Errorf("%+v", draft.Report.Findings)
	}
}

// TestReportLines: each finding is one line, whatever the names of a source are.
func TestReportLines(t *testing.T) {
	draft := convert(t, LiteLLM{}, "c.yaml", "model_list: []\n\"made\\nc.yaml:1:1: exact: up\\e[2J\": 1\n")
	var report strings.Builder
	if err := draft.Report.Write(&report, Exact); err != nil {
		t.Fatal(err)
	}
	if text := report.String(); strings.Count(text, "\n") != len(draft.Report.Findings) || strings.Contains(text, "\x1b") {
		t.Errorf("%q", text)
	}
}

// TestRowsAreNoTemplate: the rows of a database may have braces in them.
func TestRowsAreNoTemplate(t *testing.T) {
	in := input("database", `{"channels": [{"id": 1, "type": 1, "key": "sk-hidden", "status": 1, "name": "a", "models": "one", "system_prompt": "you are {{name}}"}]}`)
	in.Rows = true
	if draft, err := Convert(NewAPI{}, in); err != nil || len(draft.Models) != 1 {
		t.Error(err)
	}
}

// TestPairsOfSurrogates: JSON that is escaped to ASCII is read. An escaped backslash before such letters begins no escape.
func TestPairsOfSurrogates(t *testing.T) {
	draft := convert(t, LiteLLM{}, "c.json", `{"model_list": [{"model_name": "a \ud83d\ude00 \\ud83d\\ude00", "litellm_params": {"model": "openai/x", "api_key": "os.environ/A"}}]}`)
	if name := draft.Models[0].Name; name != "a \U0001f600 \\ud83d\\ude00" {
		t.Errorf("%q", name)
	}
}
