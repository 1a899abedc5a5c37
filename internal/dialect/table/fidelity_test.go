package table

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

var update = flag.Bool("update", false, "write the tables into the docs")

// carrying is a table of docs/how-it-works/translation/callers.md: what becomes of the members of one dialect's requests at targets of each.
type carrying struct {
	title string
	at    string // the path below /v1/, or the verb
	bare  string // a request without what the rows add; a row's members go in front of the last brace
	rows  []carried
}

// carried is what becomes of one member.
type carried struct {
	member  string
	example string // members in addition to the bare request
	instead string // the whole request, for what is within the conversation
	bare    string // the same without it, "" for the table's
	quiet   string // why nothing is said of it where it has no effect, "" if it has or is announced everywhere
}

// reached are the targets, in the order of the columns.
var reached = []struct {
	heading, model string
	dialect        llm.Dialect
}{
	{"OpenAI's chats", "gpt-5.5", llm.OpenAI},
	{"Responses", "gpt-5.5", llm.Responses},
	{"Anthropic", "claude-sonnet-4-6", llm.Anthropic},
	{"Gemini", "gemini-3-pro", llm.Gemini},
	{"Cohere", "command-a-03-2025", llm.Cohere},
	{"Bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", llm.Converse},
}

// The words of the tables.
const (
	asSent  = "same bytes"
	asChat  = "by a chat"
	isSent  = "carried"
	isLeft  = "left out"
	refused = "refused"
	nothing = "no effect"
)

func (c *carrying) in(t *testing.T) *dialect.Ingress {
	t.Helper()
	if in := At(c.at); in != nil {
		return in
	}
	in, _ := Verb("v1beta/models/m:" + c.at)
	if in == nil {
		t.Fatalf("there is no %s", c.at)
	}
	return in
}

// sent is what a target is sent of a request.
func sent(t *testing.T, in *dialect.Ingress, body, model string, d llm.Dialect) (out []byte, left []string, refused *llm.Error) {
	t.Helper()
	asked, refused := in.Parse([]byte(body), dialect.ParseOptions{Model: "m"})
	if refused != nil {
		return nil, nil, refused
	}
	typed, refused := asked.(dialect.Chat).Decode(nil)
	if refused != nil {
		return nil, nil, refused
	}
	typed.Model = model
	return Codec(d).Encode(typed)
}

// cell is what becomes of a row at a target.
func (c *carrying) cell(t *testing.T, row *carried, model string, d llm.Dialect) string {
	t.Helper()
	in, bare, body := c.in(t), c.bare, row.instead
	if row.bare != "" {
		bare = row.bare
	}
	if body == "" {
		body = strings.TrimSuffix(bare, "}") + "," + row.example + "}"
	}
	asked, bad := in.Parse([]byte(body), dialect.ParseOptions{Model: "m"})
	switch {
	case bad != nil && bad.Kind == llm.UnsupportedParameter:
		return refused
	case bad != nil:
		t.Fatalf("%s: %v", body, bad)
	}
	if _, passes := asked.(dialect.Passing); passes && in.Dialect == d {
		return asSent
	}
	if Codec(d).Encode == nil {
		return asChat
	}
	without, _, bad := sent(t, in, bare, model, d)
	if bad != nil {
		t.Fatalf("%s: %v", bare, bad)
	}
	with, left, bad := sent(t, in, body, model, d)
	switch {
	case bad != nil && bad.Kind != llm.UnsupportedParameter && bad.Kind != llm.InvalidValue:
		t.Errorf("%s: %v", body, bad)
		return refused
	case bad != nil:
		return refused
	case len(left) > 0:
		return isLeft
	case string(with) == string(without):
		return nothing
	}
	return isSent
}

// table writes the table.
func (c *carrying) table(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	out.WriteString("| member |")
	for _, target := range reached {
		out.WriteString(" " + target.heading + " |")
	}
	out.WriteString(" |\n|---|" + strings.Repeat("---|", len(reached)+1) + "\n")
	for i := range c.rows {
		row := &c.rows[i]
		out.WriteString("| " + row.member + " |")
		silent := false
		for _, target := range reached {
			word := c.cell(t, row, target.model, target.dialect)
			silent = silent || word == nothing
			out.WriteString(" " + word + " |")
		}
		if silent != (row.quiet != "") {
			t.Errorf("%s, %s: without effect is %t, and the reason is %q", c.title, row.member, silent, row.quiet)
		}
		out.WriteString(" " + row.quiet + " |\n")
	}
	return out.String()
}

const callersPage = "../../../docs/how-it-works/translation/callers.md"

// TestCarrying: the page says what becomes of each member; nothing goes without a word or a reason.
func TestCarrying(t *testing.T) {
	text, err := os.ReadFile(callersPage)
	if err != nil {
		t.Fatal(err)
	}
	is := string(text)
	for i := range carryings {
		c := &carryings[i]
		begin := "\n## " + c.title + "\n\n<!-- written by go test ./internal/dialect/table -update: begin -->\n"
		before, rest, begun := strings.Cut(is, begin)
		_, after, ended := strings.Cut(rest, "<!-- ")
		if !begun || !ended {
			t.Fatalf("%s has no table for %s", callersPage, c.title)
		}
		is = before + begin + c.table(t) + "<!-- " + after
	}
	switch {
	case is == string(text):
	case *update:
		if err := os.WriteFile(callersPage, []byte(is), 0o600); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is another; -update writes it:\n%s", callersPage, cmp.Diff(string(text), is))
	}
}

// TestCarryingIsComplete: the tables have all that Google's own description has of a request.
func TestCarryingIsComplete(t *testing.T) {
	path, ok, err := recorded.Beside("specs/google.generativelanguage.discovery.json")
	switch {
	case err != nil:
		t.Fatal(err)
	case !ok:
		t.Skip("no description next to the repository")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Schemas map[string]struct{ Properties map[string]json.RawMessage }
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	google := carryings[slices.IndexFunc(carryings, func(c carrying) bool { return c.at == "generateContent" })]
	examples := google.bare
	for _, row := range google.rows {
		examples += row.example + row.instead
	}
	for _, of := range []string{"GenerateContentRequest", "GenerationConfig", "Part", "Tool", "ToolConfig", "ThinkingConfig", "FunctionDeclaration"} {
		if len(all.Schemas[of].Properties) == 0 {
			t.Errorf("nothing is known of %s", of)
		}
		for name := range all.Schemas[of].Properties {
			if name != "model" && !strings.Contains(examples, `"`+strings.TrimPrefix(name, "_")+`":`) {
				t.Errorf("no example has %s of %s", name, of)
			}
		}
	}
}
