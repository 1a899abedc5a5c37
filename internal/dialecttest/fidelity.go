package dialecttest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

// Outcome is a line of a table of parameters in docs/how-it-works/translation: what becomes of each of some examples.
type Outcome struct {
	Examples []string // members of a request, as JSON
	Is       string   // exact, approximated, left out, impossible, without effect
}

var (
	outcomes = regexp.MustCompile("(?m)^(\\| .*? \\| (`\".*`) \\| )([a-z ]+)( \\|.*)$")
	examples = regexp.MustCompile("`(\".*?)`(?:, |$)")
)

// pageFile is the page of a dialect, from the repository's root.
func pageFile(dialect string) string { return "docs/how-it-works/translation/" + dialect + ".md" }

// page is the page of a dialect; root is the repository.
func page(t *testing.T, root, dialect string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, pageFile(dialect)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Outcomes are what the page of a dialect says of parameters. root is the repository.
func Outcomes(t *testing.T, root, dialect string) (all []Outcome) {
	t.Helper()
	for _, row := range outcomes.FindAllStringSubmatch(page(t, root, dialect), -1) {
		all = append(all, Outcome{examplesOf(row), row[3]})
	}
	return all
}

func examplesOf(row []string) (list []string) {
	for _, m := range examples.FindAllStringSubmatch(row[2], -1) {
		list = append(list, m[1])
	}
	return list
}

// Row is a line of a table in docs/how-it-works/translation. The tables are next to the tests of their dialects.
type Row struct {
	Parameter string
	Examples  []string // members of a request, as JSON
	Outcome   string
	How       string // or why
}

// Fidelity tries each example of a table, and holds the table on the page of that name against the rows; -update writes it there.
// start is a request without its last brace.
func (d Dialect) Fidelity(t *testing.T, page, start string, rows []Row) {
	t.Helper()
	bare, _, _ := d.Request(start + "}")
	for _, row := range rows {
		for _, example := range row.Examples {
			if got := d.outcome(start+","+example+"}", bare); got != row.Outcome && (row.Outcome != "approximated" || got != "exact") {
				t.Errorf("%s is %s, not %s", example, got, row.Outcome)
			}
		}
	}
	onPage(t, page, tableHead, written(rows))
}

// Parts does so with what becomes of the parts of messages. The examples have the messages too, and are too long for the page. The
// first form of a part that is not sent is shown without it.
func (d Dialect) Parts(t *testing.T, page, model string, rows []Row) {
	t.Helper()
	out := partsHead
	for _, row := range rows {
		var bare []byte
		for i, example := range row.Examples {
			request := `{"model":"` + model + `",` + example + "}"
			if i == 0 && row.Outcome == "not sent" {
				bare, _, _ = d.Request(request)
				continue
			}
			if got := d.part(request, bare); got != row.Outcome && (row.Outcome != "approximated" || got != "exact") {
				t.Errorf("%s is %s, not %s", example, got, row.Outcome)
			}
		}
		out += "| " + row.Parameter + " | " + row.Outcome + " |" + row.how() + " |\n"
	}
	onPage(t, page, partsHead, out)
}

// part is what becomes of a part of a message. One that is refused cannot be sent, by whatever name.
func (d Dialect) part(request string, bare []byte) string {
	if _, _, refusal := d.Request(request); refusal != nil {
		return "impossible"
	}
	if got := d.outcome(request, bare); got != "without effect" {
		return got
	}
	return "not sent"
}

// onPage holds the table with a head on a dialect's page against want; -update writes it there.
func onPage(t *testing.T, dialect, head, want string) {
	t.Helper()
	const root = "../../.."
	whole := page(t, root, dialect)
	table := regexp.MustCompile(regexp.QuoteMeta(beginMark+head) + `(?:\|.*\n)*` + regexp.QuoteMeta(endMark))
	is := table.ReplaceAllLiteralString(whole, beginMark+want+endMark)
	switch {
	case !table.MatchString(whole):
		t.Fatalf("%s has no such table", pageFile(dialect))
	case is == whole:
	case *update:
		if err := os.WriteFile(filepath.Join(root, pageFile(dialect)), []byte(is), 0o600); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table of %s is another; -update writes it:\n%s", pageFile(dialect), cmp.Diff(whole, is))
	}
}

// The text around the tables, and the head of the two: parameters, and parts of messages.
const (
	beginMark = "<!-- written by go test ./internal/dialect/... -update: begin -->\n"
	endMark   = "<!-- written by go test ./internal/dialect/... -update: end -->\n"
	tableHead = "| parameter | example | outcome | how |\n|---|---|---|---|\n"
	partsHead = "| part | outcome | how |\n|---|---|---|\n"
)

// how is how a line ends, before the last bar.
func (r Row) how() string {
	if r.How == "" {
		return ""
	}
	return " " + r.How
}

// written is a table as the page has it.
func written(rows []Row) string {
	out := tableHead
	for _, row := range rows {
		out += "| " + row.Parameter + " | `" + strings.Join(row.Examples, "`, `") + "` | " + row.Outcome + " |" + row.how() + " |\n"
	}
	return out
}

// Complete has a table name every parameter that OpenAI's specification has.
func Complete(t *testing.T, rows []Row) {
	t.Helper()
	examples := written(rows)
	for _, name := range parameters(t) {
		if !strings.Contains(examples, "`\""+name+"\":") && !strings.Contains(examples, ",\""+name+"\":") {
			t.Errorf("no example says what becomes of %s", name)
		}
	}
}

// outcome is what becomes of a request that says more than a bare one.
func (d Dialect) outcome(request string, bare []byte) string {
	body, left, refusal := d.Request(request)
	switch {
	case refusal != nil && refusal.Kind == llm.UnsupportedParameter:
		return "impossible"
	case refusal != nil:
		return refusal.Message
	case len(left) > 0:
		return "left out"
	case string(body) == string(bare):
		return "without effect"
	}
	return "exact"
}

// parameters are those of a chat request in OpenAI's own specification, if that is next to the repository, without those that
// every request has.
func parameters(t *testing.T) (names []string) {
	t.Helper()
	path, ok, err := recorded.Beside("specs/openai.openapi.json")
	switch {
	case err != nil:
		t.Fatal(err)
	case !ok:
		t.Skip("no specification next to the repository")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var spec struct {
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal(data, &spec); err != nil {
		t.Fatal(err)
	}
	schema{Ref: "/CreateChatCompletionRequest"}.properties(spec.Components.Schemas, func(name string) {
		if name != "model" && name != "messages" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	})
	if len(names) < 30 {
		t.Fatalf("only %q", names)
	}
	return names
}

// schema is what is read of a schema of the specification.
type schema struct {
	Ref        string `json:"$ref"`
	AllOf      []schema
	Properties map[string]json.RawMessage
}

// properties names those of an object, and of all that it is made of.
func (s schema) properties(all map[string]schema, name func(string)) {
	if s.Ref != "" {
		all[s.Ref[strings.LastIndex(s.Ref, "/")+1:]].properties(all, name)
	}
	for _, part := range s.AllOf {
		part.properties(all, name)
	}
	for property := range s.Properties {
		name(property)
	}
}
