package shape

import (
	"fmt"
	"slices"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

// sample is one thing that a caller gets of a recording.
type sample struct {
	form Form
	body []byte
}

// samples are what callers get of all recordings.
func samples(t *testing.T) []sample {
	t.Helper()
	var all []sample
	recorded.Streams(t, func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
		if r.Failed(t) {
			return
		}
		payloads, _ := recorded.Payloads(t, r.Response.Body.Bytes())
		st := &passthrough.Stream{WantUsage: true, Legacy: e == llm.Completions}
		for _, p := range payloads {
			if c, err := st.Walk([]byte(p)); err != nil || c.Content {
				break
			}
		}
		st.Restart(dialect.Stand{Name: "r", Now: 1, Asked: "m"})
		form := map[bool]Form{false: ChatChunk, true: CompletionChunk}[st.Legacy]
		for _, p := range payloads {
			c, err := st.Walk([]byte(p))
			if err != nil {
				t.Fatal(err)
			}
			if !c.Drop {
				all = append(all, sample{form, jsonwalk.Apply(nil, []byte(p), c.Edits)})
			}
		}
		if tail := st.Tail(); tail != nil {
			all = append(all, sample{form, tail})
		}
	})
	recorded.Answers(t, func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
		if r.Failed(t) {
			return
		}
		body, request := r.Response.Body.Bytes(), &passthrough.Request{Scanned: dialect.Scanned{Endpoint: e}}
		a, err := request.ParseAnswer(body, dialect.Stand{Name: "r", Now: 1, Asked: "m"})
		if err != nil {
			t.Fatal(err)
		}
		form := map[llm.Endpoint]Form{llm.Chat: Chat, llm.Completions: Completion}[e]
		all = append(all, sample{form, jsonwalk.Apply(nil, body, a.Edits)})
	})
	recorded.Embeddings(t, func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
		request, refused := passthrough.ParseRequest(e, r.Request.Body.Bytes(), 64)
		if refused != nil {
			t.Fatal(refused)
		}
		out, _, err := request.Pass(r.Response.Body.Bytes(), &dialect.Changes{}, dialect.Stand{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sample{Embeddings, out})
	})
	return all
}

// What a caller gets of every recording has the schema's shape. Each tolerated deviation has a recording that needs
// it.
func TestEveryToleranceIsNeeded(t *testing.T) {
	t.Parallel()
	o := OrSkip(t)
	list := tolerated()
	path, _, err := recorded.Beside(file)
	if err != nil {
		t.Fatal(err)
	}
	strict, err := load(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	var odd []sample // what the schema as it is refuses
	for _, s := range samples(t) {
		if err := o.Check(s.form, s.body); err != nil {
			t.Errorf("%v: %s", err, s.body)
		}
		if strict.Check(s.form, s.body) != nil {
			odd = append(odd, s)
		}
	}
	for i, tol := range list {
		if tol.why == "" {
			t.Errorf("%s has no reason", tol.at)
		}
		if tol.gap || tol.optional == "refusal" || tol.optional == "logprobs" { // the latter are agreed on for every form
			continue
		}
		without, err := load(path, slices.Delete(slices.Clone(list), i, i+1))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(odd, func(s sample) bool { return without.Check(s.form, s.body) != nil }) {
			t.Errorf("no recording needs %s", fmt.Sprint(tol.at, " ", tol.optional, tol.also))
		}
	}
}
