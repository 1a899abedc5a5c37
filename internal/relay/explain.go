package relay

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/route"
)

// maxSummary is how long the summary of a request is at most, but for its last words: it is a header.
const maxSummary = 1000

// summary says in a line what each target did: "groq/llama failed 500 312ms; openai/gpt-5 ok 1.2s; local/qwen skipped
// no_tools". For failed attempts it gives only the kind, because callers may read it.
func summary(calls []Call, considered []route.Step) string {
	var b strings.Builder
	left := 0
	add := func(parts ...string) {
		text := strings.Join(parts, " ")
		switch {
		case b.Len()+len(text) > maxSummary:
			left++
		case b.Len() > 0:
			b.WriteString("; " + text)
		default:
			b.WriteString(text)
		}
	}
	for _, a := range attempts(calls) {
		parts := []string{a.Target.String(), a.Outcome}
		if a.Status != 0 && a.Outcome != route.Answered.String() {
			parts = append(parts, strconv.Itoa(a.Status))
		}
		add(append(parts, brief(a.Duration))...)
	}
	for i := range considered {
		if s := &considered[i]; s.Skip != route.NotSkipped {
			add(s.Target.String(), route.Skipped.String(), s.Skip.String())
		}
	}
	switch {
	case left > 0 && b.Len() > 0:
		fmt.Fprintf(&b, "; and %d more", left)
	case left > 0:
		fmt.Fprintf(&b, "and %d more", left)
	}
	return b.String()
}

// brief is a duration in three or four digits.
func brief(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		return d.Round(time.Second).String()
	case d >= time.Second:
		return d.Round(100 * time.Millisecond).String()
	default:
		return strconv.FormatInt(d.Round(time.Millisecond).Milliseconds(), 10) + "ms" // never µs: headers are ASCII
	}
}

// attempts are the calls, those of one attempt joined: it failed as the first of them that failed did.
func attempts(calls []Call) []Call {
	var all []Call
	for i := range calls {
		c := &calls[i]
		if len(all) == 0 || all[len(all)-1].Attempt != c.Attempt {
			all = append(all, *c)
			continue
		}
		a := &all[len(all)-1]
		a.Duration = max(a.Duration, c.Started.Add(c.Duration).Sub(a.Started))
		if ok := route.Answered.String(); a.Outcome == ok && c.Outcome != ok {
			a.Outcome, a.Status = c.Outcome, c.Status
		}
	}
	return all
}

// explain puts the summary of the request into the head of its answer. The attempt that answers took so long as it has by now.
func (a *attempt) explain(h http.Header) {
	h["Weir-Explain"] = []string{summary(a.run.calls.tried(a.number), a.run.steps())}
}

// tell puts what is known so far into the head of the answer. The end of the hold may send the head of a stream before a
// target answers, and an error comes if no target does.
func (r *run) tell(considered []route.Step) {
	if !r.Explain {
		return
	}
	text := summary(r.calls.tried(0), considered)
	put := func(h http.Header) { h["Weir-Explain"] = []string{text} }
	switch {
	case text == "":
	case r.sink != nil:
		r.sink.head(put)
	default:
		put(r.w.Header())
	}
}
