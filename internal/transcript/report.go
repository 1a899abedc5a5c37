package transcript

import (
	"fmt"
	"net/http"
	"sort"
	"strings"
)

// report shows what went wrong in a step: the faults, the expected exchange with the faulty lines marked, and what
// really came back.
func (r *runner) report(st step) string {
	var b strings.Builder
	marked := map[int]bool{}
	for _, f := range r.faults {
		marked[f.line] = true
		fmt.Fprintf(&b, "\n%s:%d: %v", r.story.file, f.line, f.err)
	}
	first := st.line
	if r.current != nil {
		first = min(first, r.current.step.line)
	}
	b.WriteString("\n\nthe story:\n")
	for n := first; n <= st.last; n++ {
		mark := "   "
		if marked[n] {
			mark = "✗  "
		}
		fmt.Fprintln(&b, strings.TrimRight(fmt.Sprintf("%s%4d  %s", mark, n, shorten(r.story.lines[n-1])), " "))
	}
	if r.current != nil {
		b.WriteString("\nwhat came back:\n")
		r.current.describe(&b)
	}
	return b.String()
}

func (x *exchange) describe(b *strings.Builder) {
	if x.resp == nil {
		fmt.Fprintf(b, "      nothing (%v)\n", x.noResp)
		return
	}
	fmt.Fprintf(b, "      %s %s\n", x.resp.Proto, x.resp.Status)
	describeHeader(b, x.resp.Header)
	body, err := x.decoded()
	if err != nil {
		body = x.body.Bytes()
	}
	b.WriteString("\n")
	for line := range strings.Lines(shorten(string(body))) {
		fmt.Fprintf(b, "      %s\n", strings.TrimSuffix(line, "\n"))
	}
	fmt.Fprintf(b, "      (the body's end: %v)\n", x.bodyErr)
}

func describeHeader(b *strings.Builder, h http.Header) {
	var lines []string
	for name, values := range h {
		for _, v := range values {
			lines = append(lines, strings.TrimRight(fmt.Sprintf("      %s: %s", strings.ToLower(name), v), " ")+"\n")
		}
	}
	sort.Strings(lines)
	b.WriteString(strings.Join(lines, ""))
}
