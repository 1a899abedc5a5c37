package app_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect/eventstream"
	"github.com/weirproxy/weir/internal/recorded"
)

// says is what an answer says, in any dialect.
type says struct {
	Text, Reasoning, Refusal, Finish string
	Calls                            []string          // name:arguments
	Cited                            []json.RawMessage // in the form of OpenAI's API
	Usage                            struct {
		Prompt  int `json:"prompt_tokens"`
		Output  int `json:"completion_tokens"`
		Total   int `json:"total_tokens"`
		Details struct {
			Cached int `json:"cached_tokens"`
			Wrote  int `json:"cache_write_tokens"`
		} `json:"prompt_tokens_details"`
		Of struct {
			Reasoning int `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
	}
}

// untold removes what the API of a column does not report, or Weir does not pass on, as docs/how-it-works/translation says.
func (s says) untold(column string) says {
	switch column {
	case "openai", "responses", "anthropic":
		return s
	case "gemini", "vertex":
		s.Usage.Details.Wrote = 0
	case "converse":
		s.Usage.Of.Reasoning = 0
	case "cohere":
		s.Usage.Details.Wrote, s.Usage.Of.Reasoning = 0, 0
	}
	s.Refusal = "" // only that it is a refusal
	return s
}

// saidTo is what a caller reads of an answer, or of the chunks of one.
func saidTo(t *testing.T, payloads []string) (s says) {
	t.Helper()
	said := recorded.Read(t, payloads)
	s.Text, s.Reasoning, s.Refusal, s.Finish = said.Text[0], said.Reasoning[0], said.Refusal[0], said.Finish[0]
	s.Calls, s.Cited = said.Tools[0], said.Cited[0]
	if err := json.Unmarshal([]byte(said.Usage), &s.Usage); err != nil {
		t.Fatal(err)
	}
	return s
}

// framedLines are the frames of an AWS stream, one for each line: its type and its payload.
func framedLines(lines string) (out []byte) {
	for line := range strings.Lines(lines) {
		typ, payload, _ := strings.Cut(strings.TrimSpace(line), " ")
		out = eventstream.Append(out, []byte(payload), eventstream.Header{Name: ":message-type", Value: "event"}, eventstream.Header{Name: ":event-type", Value: typ})
	}
	return out
}

// The same answers come from every dialect. Each file has what is said, how each provider words it, complete and as a stream, and
// what the caller gets from both, which is the same.
func TestMatrixOfAnswers(t *testing.T) {
	t.Parallel()
	player := &player{}
	upstream := httptest.NewServer(player)
	t.Cleanup(upstream.Close)
	w, key := newMatrix(t, upstream.URL+"/v1")
	for _, r := range rows(t, "answers", 10) {
		t.Run(r.name, func(t *testing.T) {
			var want says
			if err := json.Unmarshal([]byte(r.input), &want); err != nil {
				t.Fatal(err)
			}
			var order []string
			for _, c := range columns {
				if c.name == "gemini-3" { // answers as the other does
					continue
				}
				answers, streams, tells, tellsStream := c.name+" answers", c.name+" streams", c.name+" becomes", c.name+" becomes a stream"
				order = append(order, answers, tells, streams, tellsStream)
				ask := func(wire, contentType, options string) string {
					player.set(func(w http.ResponseWriter) {
						w.Header().Set("Content-Type", contentType)
						_, _ = w.Write([]byte(wire))
					})
					a := post(t, w, key, "/chat/completions", `{"model":"`+c.name+`","messages":[{"role":"user","content":"hi"}]`+options+"}")
					if a.status != http.StatusOK {
						t.Fatalf("%s: %d %s", c.name, a.status, a.body)
					}
					if c.name != "openai" { // which says both itself
						a.body = anyTime.ReplaceAllString(anyID.ReplaceAllString(a.body, `"id":"chatcmpl-REQUEST"`), `"created":0`)
					}
					return a.body
				}
				body := ask(r.sections[answers], "application/json", complete)
				r.holds(t, tells, laid(t, []byte(body)))
				if diff := cmp.Diff(want.untold(c.name), saidTo(t, []string{body})); diff != "" {
					t.Errorf("%s: what is said (-) is not what the caller gets (+):\n%s", c.name, diff)
				}
				wire, contentType := r.sections[streams]+"\n", "text/event-stream"
				if c.name == "converse" {
					wire, contentType = string(framedLines(r.sections[streams])), "application/vnd.amazon.eventstream"
				}
				body = ask(wire, contentType, withUsage)
				payloads, done := recorded.Payloads(t, []byte(body))
				r.holds(t, tellsStream, strings.Join(payloads, "\n")+"\n")
				if diff := cmp.Diff(want.untold(c.name), saidTo(t, payloads)); diff != "" || !done {
					t.Errorf("%s: what is said (-) is not what the caller's stream has (+), whole: %v:\n%s", c.name, done, diff)
				}
				recorded.CheckStream(t, payloads, false)
			}
			r.write(t, order...)
		})
	}
}

// What is another one in each answer.
var (
	anyTime = regexp.MustCompile(`"created":\d+`)
	anyID   = regexp.MustCompile(`"id":"chatcmpl-[0-9A-V]{26}"`)
)
