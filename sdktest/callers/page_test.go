package callers

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// page is what the results are written into.
const page = "../../docs/reference/clients-of-other-apis.md"

// known are failures that are the client's own fault, each with how that was seen. What is no longer one fails the test.
var known = []struct{ client, target, feature, why string }{}

// reason is why a feature is known to fail, empty if it is not.
func reason(c client, target, feature string) string {
	for _, k := range known {
		if k.client == c.name() && k.target == target && k.feature == feature {
			return k.why
		}
	}
	return ""
}

// compare holds the results against the page, or writes it. Only a run of all clients can write.
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
	text, err := os.ReadFile(page)
	if err != nil {
		t.Error(err)
		return
	}
	for _, c := range clients {
		r := results[c.name()]
		if r == nil {
			continue
		}
		for _, line := range append(rows(c, r), notes(c, r)...) {
			if !strings.Contains(string(text), "\n"+line+"\n") {
				t.Errorf("%s has no line %q; if the change is meant, run all clients with -update", page, line)
			}
		}
	}
}

// rows are a client's lines of the table, one for each target.
func rows(c client, r *result) (lines []string) {
	for _, d := range targets {
		var b strings.Builder
		fmt.Fprintf(&b, "| %s %s | %s |", c.name(), r.Version, d.name)
		for _, f := range features {
			fmt.Fprintf(&b, " %s |", map[string]string{works: "✓", absent: "–", fails: "✗"}[r.outcomes[[2]string{d.name, f.name}].Result])
		}
		lines = append(lines, b.String())
	}
	return lines
}

// notes say why what is not there is not. The targets of one reason share a line.
func notes(c client, r *result) (lines []string) {
	for _, f := range features {
		at := map[string][]string{}
		var order []string
		for _, d := range targets {
			o := r.outcomes[[2]string{d.name, f.name}]
			why := o.Note
			if o.Result == fails {
				why = reason(c, d.name, f.name)
			}
			if o.Result == works {
				continue
			}
			if at[why] == nil {
				order = append(order, why)
			}
			at[why] = append(at[why], d.name)
		}
		for _, why := range order {
			lines = append(lines, fmt.Sprintf("| %s | %s | %s | %s |", c.name(), f.name, strings.Join(at[why], ", "), strings.ReplaceAll(why, "|", `\|`)))
		}
	}
	return lines
}

func render(results map[string]*result, now time.Time) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, introduction, now.Format(time.DateOnly))
	b.WriteString("\n<!-- written by make clients: begin -->\n")
	var all []string
	for _, api := range []string{"Messages", "Responses", "generateContent"} {
		fmt.Fprintf(&b, "\n## %s\n\n| client | target |", api)
		for _, f := range features {
			fmt.Fprintf(&b, " %s |", f.heading)
		}
		b.WriteString("\n|---|---|" + strings.Repeat(":-:|", len(features)) + "\n")
		for _, c := range clients {
			if c.api == api {
				b.WriteString(strings.Join(rows(c, results[c.name()]), "\n") + "\n")
				all = append(all, notes(c, results[c.name()])...)
			}
		}
	}
	b.WriteString("\n## Notes\n\n| client | feature | targets | why |\n|---|---|---|---|\n" + strings.Join(all, "\n") + "\n\n<!-- written by make clients: end -->\n")
	return b.Bytes()
}

// introduction is the page's start, with the date of the run.
const introduction = `# Clients of other APIs

This page says what works with unmodified clients of Messages, Responses and generateContent, with targets that speak five dialects. A run of all of them
writes it, the last on %s: ` + "`make clients`" + `. One client alone, which fails if anything differs from this page:

` + "```" + `
go test -count=1 ./sdktest/callers -run 'TestCallers/node/anthropic' -v
` + "```" + `

Each client has a program in ` + "`sdktest/callers`" + `. The text of a stream is that of the whole answer. A tool loop sends the result back and gets an answer to it; parallel
tools are two calls of one stream. *Reasoning kept*: the model thinks, calls a tool, and goes on with its own thoughts, which come back with the
result unchanged. *Errors*: the upstream's refusal, a wrong key and an unknown model are the client's own errors. *Hang-up*: the client leaves, and the upstream's
stream ends. *Cut short*, *error within*: the client notices. Each target is asked once for a feature, and twice for loops: nothing is repeated.

✓ works; – there is no such thing; ✗ the client's own fault. The notes say why.
`
