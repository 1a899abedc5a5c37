package callers

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/sim"
)

// said is the output of a program for which all works.
func said() string {
	var b strings.Builder
	b.WriteString("noise\n" + `{"client":"openai","version":"1.2.3","language":"Node 20"}` + "\n")
	for _, d := range targets {
		for _, f := range features {
			fmt.Fprintf(&b, "{\"target\":%q,\"feature\":%q,\"result\":\"ok\",\"note\":\"\"}\n", d.name, f.name)
		}
	}
	return b.String()
}

// No program passes by saying too little or the wrong thing, and the page shows it.
func TestRead(t *testing.T) {
	t.Parallel()
	which := client{node, "openai", "Responses"}
	const tools = `{"target":"gemini","feature":"tools","result":"ok","note":""}`
	whole, _ := which.read([]byte(said()))
	for name, tt := range map[string]struct{ from, to, wrong string }{
		"all works":               {"", "", ""},
		"another client":          {`"openai"`, `"ai"`, `it calls itself "ai"`},
		"a feature is left out":   {tools, "", "gemini tools: it says nothing"},
		"a feature comes twice":   {tools, tools + "\n" + tools, "it came before"},
		"a feature fails":         {tools, strings.Replace(tools, `"ok","note":""`, `"failed","note":"no call"`, 1), "gemini tools: no call"},
		"an unknown result":       {tools, strings.Replace(tools, `"ok"`, `"fine"`, 1), "no such result"},
		"absent without a reason": {tools, strings.Replace(tools, `"ok"`, `"absent"`, 1), "has no note"},
		"absent with one":         {tools, strings.Replace(tools, `"ok","note":""`, `"absent","note":"none"`, 1), ""},
	} {
		r, wrong := which.read([]byte(strings.Replace(said(), tt.from, tt.to, 1)))
		wrong = append(wrong, which.judge(r)...)
		if tt.wrong == "" && len(wrong) > 0 || tt.wrong != "" && !slices.ContainsFunc(wrong, func(w string) bool { return strings.Contains(w, tt.wrong) }) {
			t.Errorf("%s: complaints %q, expected %q", name, wrong, tt.wrong)
		}
		results := map[string]*result{}
		for _, c := range clients {
			results[c.name()] = whole
		}
		results[which.name()] = r
		page := string(render(results, time.Time{}))
		for _, line := range append(rows(which, r), notes(which, r)...) {
			if !strings.Contains(page, "\n"+line+"\n") {
				t.Errorf("%s: the page lacks %q", name, line)
			}
		}
	}
}

// A call too many, one too few, and a foreign credential are noticed.
func TestCount(t *testing.T) {
	t.Parallel()
	r, _ := client{node, "openai", "Responses"}.read([]byte(said()))
	d := targets[1]
	var served []sim.Served
	for _, f := range features {
		for range f.calls {
			served = append(served, sim.Served{Model: d.family + f.name, Authorization: secret.New(upstreamKey), Body: []byte(picture), ClientGone: f.name == "hangup"})
		}
	}
	if wrong := d.count(r, served); len(wrong) > 0 {
		t.Errorf("%q", wrong)
	}
	again := slices.Concat(served, served[:1])
	if wrong := d.count(r, again); len(wrong) != 1 || !strings.Contains(wrong[0], "asked 2 times, not 1") {
		t.Errorf("%q", wrong)
	}
	if wrong := d.count(r, served[1:]); len(wrong) != 1 {
		t.Errorf("%q", wrong)
	}
	served[0].Authorization = secret.New("another")
	if wrong := d.count(r, served); len(wrong) == 0 {
		t.Error("a foreign credential goes unnoticed")
	}
}
