package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialecttest"
)

// columns are the models that the rows of the matrix are tried with: some of each dialect, each with the page of
// docs/how-it-works/translation that has its table.
var columns = []struct{ name, provider, target, page string }{
	{"openai", "kind: openai, api_key: k", "openai, model: gpt-5, like: openai/gpt-5", ""},
	{"responses", "kind: openai, api_key: k, speaks: [responses]", "responses, model: gpt-5-pro", "responses"},
	{"anthropic", "kind: anthropic, api_key: k", "anthropic, model: claude-sonnet-4-5", "anthropic"},
	{"gemini", "kind: gemini, api_key: k", "gemini, model: gemini-2.5-flash", "gemini"},
	{"gemini-3", "kind: gemini, api_key: k", "gemini, model: gemini-3-flash-preview", ""},
	{"vertex", `kind: vertex, project: "12", region: global, headers: {Authorization: Bearer k}`, "vertex, model: gemini-2.5-flash", "gemini"},
	{"converse", "kind: bedrock, api_key: k", "converse, model: \"eu.anthropic.claude-sonnet-4-5-20250929-v1:0\"", "converse"},
	{"cohere", "kind: cohere, api_key: k", "cohere, model: command-a-reasoning-08-2025", "cohere"},
}

// newMatrix starts a Weir in which each column is a model, and returns its key. base is the upstream's, with /v1.
func newMatrix(t *testing.T, base string) (*apptest.Weir, string) {
	t.Helper()
	config, models := "providers:\n", "models:\n"
	for _, c := range columns {
		url := base
		if c.name == "cohere" { // their paths differ by version
			url = strings.TrimSuffix(base, "/v1")
		}
		config += fmt.Sprintf("  %s: {%s, base_url: %q}\n", c.name, c.provider, url)
		models += fmt.Sprintf("  %s: {targets: [{provider: %s}]}\n", c.name, c.target)
	}
	w := apptest.StartIn(t, config+models, nil)
	return w, w.NewKey(t, "matrix")
}

// row is a file of the matrix: what is put in, and what each column makes of it, under its name.
type row struct {
	file, name, input string
	sections          map[string]string
}

// rows are the files in a folder of the matrix.
func rows(t *testing.T, folder string, least int) (all []row) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "matrix", folder, "*.txt"))
	if err != nil || len(files) < least {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split("\n"+string(text), "\n-- ")
		r := row{file, strings.TrimSuffix(filepath.Base(file), ".txt"), strings.Trim(parts[0], "\n") + "\n", map[string]string{}}
		for _, part := range parts[1:] {
			name, section, ok := strings.Cut(part, " --\n")
			if _, again := r.sections[name]; !ok || again {
				t.Fatalf("%s: a section %q", file, name)
			}
			r.sections[name] = strings.TrimSuffix(section, "\n") + "\n"
		}
		all = append(all, r)
	}
	return all
}

// holds compares what a section says with what came out, or writes that there.
func (r *row) holds(t *testing.T, section, got string) {
	t.Helper()
	want := r.sections[section]
	r.sections[section] = got
	if diff := cmp.Diff(want, got); diff != "" && !dialecttest.Update() {
		t.Errorf("%s, %s: what came out (+) is not what the file says (-); -update writes it\n%s", r.file, section, diff)
	}
}

// write writes the row, its sections in that order, if it is to be written.
func (r *row) write(t *testing.T, order ...string) {
	t.Helper()
	text := r.input
	for _, name := range order {
		if section, ok := r.sections[name]; ok {
			text += "-- " + name + " --\n" + section
			delete(r.sections, name)
		}
	}
	for name := range r.sections {
		t.Errorf("%s: nothing makes a section %q", r.file, name)
	}
	if dialecttest.Update() && !t.Failed() {
		if err := os.WriteFile(r.file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// laid is JSON for people to read: short values are on one line, spelled as they came.
func laid(t *testing.T, body []byte) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, body); err != nil {
		t.Fatalf("%v in %q", err, body)
	}
	return lay(out.Bytes(), "") + "\n"
}

func lay(value []byte, margin string) string {
	const width = 140
	if len(margin)+len(value) <= width || value[0] != '{' && value[0] != '[' {
		return string(value)
	}
	var lines []string
	inner := margin + "  "
	if value[0] == '{' {
		for name, v := range jsonwalk.Members(value) {
			lines = append(lines, inner+`"`+string(name)+`": `+lay(v, inner))
		}
	} else {
		for _, v := range jsonwalk.Elements(value) {
			lines = append(lines, inner+lay(v, inner))
		}
	}
	return string(value[:1]) + "\n" + strings.Join(lines, ",\n") + "\n" + margin + string(value[len(value)-1:])
}

// The same requests go to every dialect. Each file has what is asked, what every provider is sent, and what is left out or
// refused. The provider is a simulated one that refuses what the real one refuses, and here refuses nothing. The tables of
// docs/how-it-works/translation agree, and in strict mode the first of what would be left out is refused by its name.
func TestMatrixOfRequests(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w, key := newMatrix(t, up.URL())
	for _, r := range rows(t, "requests", 30) {
		t.Run(r.name, func(t *testing.T) {
			var order []string
			for _, c := range columns {
				order = append(order, c.name)
				body := strings.Replace(r.input, "{", `{"model":"`+c.name+`",`, 1)
				lax := post(t, w, key, "/chat/completions", body)
				sent := last(up.Served())
				strict := post(t, w, key, "/chat/completions", body, "Weir-Strict", "true")
				if lax.status != http.StatusOK && lax.code() != "unsupported_parameter" {
					t.Fatalf("%s: %d %s", c.name, lax.status, lax.body)
				}
				var ignored []string
				if list := lax.header.Get("Weir-Ignored-Params"); list != "" {
					ignored = strings.Split(list, ", ")
				}
				switch {
				case lax.status != http.StatusOK:
					holds(t, "impossible", lax, strict)
				case len(ignored) > 0:
					holds(t, "left out", lax, strict)
				default:
					holds(t, "exact", lax, strict)
				}
				if c.page != "" {
					paged(t, c.name, c.page, r.input, ignored, lax.status != http.StatusOK)
				}
				text := "refused: " + param(t, lax) + "\n"
				if lax.status == http.StatusOK {
					text = sent.Method + " " + sent.Target + "\n"
					for _, header := range []string{"Weir-Ignored-Params", "Weir-Renamed-Params"} {
						if v := lax.header.Get(header); v != "" {
							text += header + ": " + v + "\n"
						}
					}
					text += laid(t, sent.Body)
				}
				r.holds(t, c.name, text)
			}
			r.write(t, order...)
		})
	}
}

// param is what a refusal names.
func param(t *testing.T, a answer) string {
	t.Helper()
	var body struct{ Error struct{ Param string } }
	if a.status == http.StatusOK {
		return ""
	}
	if err := json.Unmarshal([]byte(a.body), &body); err != nil {
		t.Fatal(err)
	}
	return body.Error.Param
}

// unless holds the sentences of docs/how-it-works/translation/anthropic.md that apply besides its tables: what they say of a
// parameter depends on the messages.
func unless() map[string]string {
	return map[string]string{"reasoning_effort": "where the reasoning behind the last tool calls was not sent back"}
}

// paged compares the outcome of a request with docs/how-it-works/translation. Exactly what the matching row says is left out, and
// what is impossible there is refused. Parts of messages have tables without examples.
func paged(t *testing.T, column, page, input string, ignored []string, refused bool) {
	t.Helper()
	outcomes := dialecttest.Outcomes(t, "../..", page)
	if column == "vertex" {
		outcomes = append(dialecttest.Outcomes(t, "../..", "vertex"), outcomes...)
	}
	request := members(t, input)
	for name := range request {
		if name == "messages" {
			continue
		}
		left := slices.ContainsFunc(ignored, func(p string) bool {
			return p == name || strings.HasPrefix(p, name+"[") || strings.HasPrefix(p, name+".")
		})
		switch says := outcomeOf(t, outcomes, name, request); says {
		case "impossible":
			if !refused {
				t.Errorf("%s: docs/how-it-works/translation says that %s is impossible", column, name)
			}
		case "left out":
			if !left && !refused {
				t.Errorf("%s: docs/how-it-works/translation says that %s is left out, but only %q were", column, name, ignored)
			}
		case "":
			t.Errorf("%s: docs/how-it-works/translation does not say what becomes of this %s", column, name)
		default:
			if left && (unless()[name] == "" || !strings.Contains(fidelityPage(t), unless()[name]) || !strings.Contains(input, `"tool_calls"`)) {
				t.Errorf("%s: %s is left out, but docs/how-it-works/translation says that it is %s", column, name, says)
			}
		}
	}
}

func fidelityPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/how-it-works/translation/anthropic.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// outcomeOf is what the page says of a parameter of a request: by the longest matching example, or because all its rows agree.
// What no row has is left out, as the page says.
func outcomeOf(t *testing.T, outcomes []dialecttest.Outcome, name string, request map[string]any) (is string) {
	t.Helper()
	longest, all := 0, []string{}
	for _, row := range outcomes {
		for _, example := range row.Examples {
			given := members(t, "{"+example+"}")
			if _, ok := given[name]; !ok {
				continue
			}
			all = append(all, row.Is)
			if len(example) > longest && contains(request, given) {
				longest, is = len(example), row.Is
			}
		}
	}
	switch all = slices.Compact(all); {
	case is != "":
		return is
	case len(all) == 0:
		return "left out"
	case len(all) == 1:
		return all[0]
	}
	return ""
}

func members(t *testing.T, text string) (object map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return object
}

// contains reports whether a value says all that an example says. Names of tools and of schemas are anyone's.
func contains(value, example any) bool {
	switch e := example.(type) {
	case map[string]any:
		v, ok := value.(map[string]any)
		for name, part := range e {
			ok = ok && (name == "name" && v[name] != nil || contains(v[name], part))
		}
		return ok
	case []any:
		v, ok := value.([]any)
		for _, part := range e {
			ok = ok && slices.ContainsFunc(v, func(one any) bool { return contains(one, part) })
		}
		return ok
	}
	return value == example
}
