package matrix

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// page is what the results are written into.
const page = "../../docs/reference/clients.md"

// group is one table of the page: what it is about, what its columns mean, and these.
type group struct {
	title   string
	meaning string
	columns []column
}

const (
	answersAre = `*models*: the list has those that the key may use, and no others. *parallel tools*: two calls put together from one stream. *structured*: an
answer by a JSON schema, read into a type. *reasoning*: the thoughts that come before the text as ` + "`reasoning_content`" + ` are reachable. *image*: a picture
arrives upstream byte for byte.`
	embeddingsAre = `*as numbers*, *as base64*: the two encodings on the wire. *of tokens*: the input is lists of token numbers.`
	errorsAre     = `Weir's refusals, and upstream's that pass it, by status. *retry*: the first call is refused with a ` + "`Retry-After`" + `, the client's own second one is answered.`
	endsAre       = `*cancelled*: the client leaves a stream, and the upstream's ends at once. *cut short*: the upstream's stream stops in the middle, and the client does
not take the half for the whole. *error within*: the upstream's error in the stream reaches the caller.`
)

// column is one feature and its short heading.
type column struct{ feature, heading string }

// groups are all features.
var groups = []group{
	{"Answers", answersAre, []column{
		{"models", "models"},
		{"chat", "chat"},
		{"stream", "stream"},
		{"stream-usage", "usage in stream"},
		{"tools", "tools"},
		{"parallel-tool-stream", "parallel tools, streamed"},
		{"structured", "structured"},
		{"reasoning", "reasoning"},
		{"image", "image"},
	}},
	{"Embeddings", embeddingsAre, []column{
		{"embeddings-float", "as numbers"},
		{"embeddings-base64", "as base64"},
		{"embeddings-tokens", "of tokens"},
	}},
	{"Errors", errorsAre, []column{
		{"error-400", "400"},
		{"error-401", "401"},
		{"error-404", "404"},
		{"error-429", "429"},
		{"error-502", "502"},
		{"error-503", "503"},
		{"retry-429", "retry on 429"},
		{"retry-503", "retry on 503"},
	}},
	{"Streams that end early", endsAre, []column{
		{"cancel", "cancelled"},
		{"truncated", "cut short"},
		{"error-in-stream", "error within"},
	}},
}

// features are all that a program reports.
func features() []string {
	var all []string
	for _, g := range groups {
		for _, c := range g.columns {
			all = append(all, c.feature)
		}
	}
	return all
}

// compare holds the results against the page, or writes them into it. Only a run of all clients can write. A run
// without some, left out or skipped because an interpreter is missing, is compared.
func compare(t *testing.T, results map[string]*result) {
	t.Helper()
	if t.Failed() {
		return // what a failed run shows is no truth for the page
	}
	if *update && len(results) == len(clients) {
		if err := os.WriteFile(page, render(results, time.Now()), 0o644); err != nil {
			t.Error(err)
		}
		return
	}
	if *update {
		t.Logf("%s is not written, because only %d of %d clients ran", page, len(results), len(clients))
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Error(err)
		return
	}
	for name, r := range results {
		for _, line := range missing(text, name, r) {
			t.Errorf("%s has no line %q; if the change is meant, run all clients with -update", page, line)
		}
	}
}

// missing are the lines about a client that should be in the page and are not. What depends on the day and the machine
// does not count.
func missing(page []byte, name string, r *result) (lines []string) {
	look := func(title, line string) {
		if !strings.Contains(section(string(page), title), "\n"+line) {
			lines = append(lines, line)
		}
	}
	look("Versions", versionRow(name, r))
	for _, g := range groups {
		look(g.title, g.row(name, r)+"\n")
	}
	for _, note := range notes(name, r) {
		look("Notes", note+"\n")
	}
	return lines
}

// section is the part of a page below a heading.
func section(page, title string) string {
	_, page, _ = strings.Cut(page, "\n## "+title+"\n")
	page, _, _ = strings.Cut(page, "\n## ")
	return page + "\n"
}

// versionRow is the start of a client's line in the table of clients.
func versionRow(name string, r *result) string { return fmt.Sprintf("| %s | %s | ", name, r.Version) }

func (g group) row(name string, r *result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s |", name)
	for _, c := range g.columns {
		fmt.Fprintf(&b, " %s |", mark(r.features[c.feature].Result))
	}
	return b.String()
}

func mark(result string) string {
	switch result {
	case works:
		return "✓"
	case absent:
		return "–"
	}
	return "✗"
}

// notes say why what is not there is not.
func notes(name string, r *result) []string {
	var lines []string
	for _, feature := range features() {
		o := r.features[feature]
		why := o.Note
		if o.Result == fails {
			why = reason(name, feature)
		}
		if o.Result != works {
			lines = append(lines, fmt.Sprintf("| %s | %s | %s | %s |", name, feature, mark(o.Result), strings.ReplaceAll(why, "|", `\|`)))
		}
	}
	return lines
}

func render(results map[string]*result, now time.Time) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, introduction, now.Format(time.DateOnly))
	b.WriteString("\n<!-- written by make clients: begin -->\n\n## Versions\n\n| client | version | with |\n|---|---|---|\n")
	var names []string
	for _, c := range clients {
		names = append(names, c.name())
		fmt.Fprintf(&b, "%s%s |\n", versionRow(c.name(), results[c.name()]), results[c.name()].Language)
	}
	for _, g := range groups {
		headings := make([]string, len(g.columns))
		for i, c := range g.columns {
			headings[i] = c.heading
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| client | %s |\n|---|%s\n", g.title, g.meaning, strings.Join(headings, " | "), strings.Repeat(":-:|", len(headings)))
		for _, name := range names {
			b.WriteString(g.row(name, results[name]) + "\n")
		}
	}
	b.WriteString("\n## Notes\n\n| client | feature | | why |\n|---|---|:-:|---|\n")
	for _, name := range names {
		for _, line := range notes(name, results[name]) {
			b.WriteString(line + "\n")
		}
	}
	b.WriteString("\n<!-- written by make clients: end -->\n")
	return b.Bytes()
}

// introduction is the page's start, with the date of the run.
const introduction = `# Clients

This page says what works with which client, each unmodified, against Weir in front of a simulated provider. A run of all of them
writes it, the last on %s: ` + "`make clients`" + `, which is part of ` + "`make test-all`" + `. One client alone, which fails if anything is not as it stands here:

` + "```" + `
go test -count=1 ./sdktest/matrix -run 'TestClients/python/litellm' -v
` + "```" + `

Each client has a program of its own in ` + "`sdktest/matrix`" + `, which checks what comes. The text of a stream is that of the whole answer, and usage adds up. The arguments of
tools fit their schema. An error is of the client's own class for it and has Weir's code. The versions are pinned there.
The package comment of ` + "`sdktest/matrix/matrix_test.go`" + ` says how to add a client.

✓ works; – the client has no such thing; ✗ the client's own fault. The notes at the end say why for every – and ✗.
`
