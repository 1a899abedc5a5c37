package agents

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"
)

const page = "../../docs/reference/agents.md"

// table has the cells of the page, by agent, target and feature.
type table map[[3]string]string

// compare holds an agent's results against its rows of the page. What a failed run shows is no truth for the page.
func compare(t *testing.T, a *agent, results table) {
	t.Helper()
	if t.Failed() {
		return
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for i := range targets {
		d := &targets[i]
		if wrong := results.differs(a, d, string(text)); wrong != "" {
			t.Errorf("%s: %s %s: %s; if the change is meant, run it with -update", page, a.name, d.name, wrong)
		}
	}
}

// rewrite writes the rows of what was tried with all features, if nothing failed.
func rewrite(t *testing.T, results table) {
	t.Helper()
	if t.Failed() {
		return
	}
	text, err := os.ReadFile(page)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, results.render(string(text), time.Now()), 0o644); err != nil {
		t.Error(err)
	}
}

// begin is how an agent's row of a target begins.
func begin(a *agent, d *target) string { return "| " + a.title() + " | " + d.name + " |" }

// rowOf is a row as it is in a page, "" if it is not.
func rowOf(a *agent, d *target, text string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, begin(a, d)) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// differs says where an agent's row of the page is another than what was tried of it, "" if nowhere.
func (r table) differs(a *agent, d *target, text string) string {
	row := rowOf(a, d, text)
	if row == "" {
		return "it has no row"
	}
	cells := strings.Split(row[len(begin(a, d)):], "|")
	for i, f := range features {
		if tried := r[[3]string{a.name, d.name, f.name}]; tried != "" && (i >= len(cells) || strings.TrimSpace(cells[i]) != tried) {
			return f.name + " is " + tried
		}
	}
	return ""
}

// row is an agent's line at a target: as it was, unless all features were tried.
func (r table) row(a *agent, d *target, text string) string {
	row := begin(a, d)
	for _, f := range features {
		cell := r[[3]string{a.name, d.name, f.name}]
		switch {
		case a.lacks[f.name] != "":
			cell = "–"
		case cell == "":
			return rowOf(a, d, text)
		}
		row += " " + cell + " |"
	}
	return row
}

// render is the page, with what the one until now has of agents that were not tried.
func (r table) render(text string, now time.Time) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, introduction, now.Format(time.DateOnly))
	b.WriteString("\n<!-- written by make clients: begin -->\n")
	for _, api := range []string{"Messages", "Responses", "generateContent", "Chat completions"} {
		fmt.Fprintf(&b, "\n## %s\n\n| agent | target |", api)
		for _, f := range features {
			fmt.Fprintf(&b, " %s |", f.heading)
		}
		b.WriteString("\n|---|---|" + strings.Repeat("---|", len(features)) + "\n")
		for i := range agents {
			for j := range targets {
				if row := r.row(&agents[i], &targets[j], text); agents[i].api == api && row != "" {
					b.WriteString(row + "\n")
				}
			}
		}
	}
	b.WriteString("\n<!-- written by make clients: end -->\n")
	return b.Bytes()
}

// introduction is the page's start, with the date of the run.
const introduction = `# Coding agents

This page says what works with unmodified coding agents, at targets that speak five dialects, and how often they ask. [The guide](../guides/agents.md) sets
them up. A run of all of them writes the page, the last on %s: ` + "`make clients`" + `. One agent alone, which fails if anything differs from this page:

` + "```" + `
go test -count=1 ./sdktest/agents -run 'TestAgents/codex' -v
` + "```" + `

The number is how often the target was asked for a turn. Weir repeats nothing here, because the model has one target: what is asked again, the agent asks
again. A title, which opencode asks for besides, is not counted.

- *Loop*: the agent reads a file, edits it with its own tool, runs a command, and answers with what it printed. aider has no tools: it shows the model
  the files that an answer names, applies the blocks of an answer, has its commit named, and runs a test.
- *Image*: a picture is given, or read by the agent's tool, and reaches the target. *Structured*: the answer has the form of a schema, in a 2 after a call of a tool; – is for
  agents that ask for none.
- *Overloaded once*, *500 once*: the target refuses the first call, and the agent goes on as if nothing had been. Overloaded is 529 at Anthropic, else 503.
- *Overloaded*, *500*: it refuses every call. *Shown* is that the agent ends, with the upstream's words; Claude Code, Codex and Gemini CLI are set to repeat once. *Again*: it was
  stopped after three calls. By default they ask far more often, for minutes: Claude Code 11 times, Codex up to 30, Gemini CLI 10, Qwen Code over 30, opencode and Cline 6. A second target for the model
  spares these waits.
- *Cut once*: the stream of an answer ends within. ✓: the agent asks again; *shown*: it ends, and says so.
- *Ctrl-C*: the user stops the agent in the middle of a stream. The upstream's call ends, and nothing is asked after it.
`
