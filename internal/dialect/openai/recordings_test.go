package openai

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

// mapFinish does to what the upstream said what is done on purpose: a finish reason becomes one of the five.
func mapFinish(said recorded.Said) {
	for i, finish := range said.Finish {
		said.Finish[i], _ = finishReason(finish)
	}
	for i, tools := range said.Tools {
		if len(tools) > 0 && (said.Finish[i] == "stop" || said.Finish[i] == "") { // Snowflake leaves it empty
			said.Finish[i] = "tool_calls"
		}
	}
}

// Every recorded stream comes out with the same text, tool calls and usage, in the form that clients rely on.
func TestRecordedStreams(t *testing.T) {
	t.Parallel()
	recorded.Streams(t, func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
		body := r.Response.Body.Bytes()
		in, done := recorded.Payloads(t, body)
		st := &Stream{WantUsage: true, Legacy: e == llm.Completions, Name: "r", Now: 1}
		failed := false
		for _, p := range in {
			c, err := st.Probe().Walk([]byte(p))
			failed = failed || err != nil || c.Error
		}
		if failed != r.Failed(t) {
			t.Fatalf("counts as failed: %v, but is: %v", failed, r.Failed(t))
		}
		if failed {
			return
		}
		out := repaired(t, st, in...)
		if !st.Complete(done) {
			t.Error("the stream counts as cut short")
		}
		recorded.CheckStream(t, out, st.Legacy)
		want, got := recorded.Read(t, in), recorded.Read(t, out)
		mapFinish(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the caller reads something else:\n%s", diff)
		}
		hidden := repaired(t, &Stream{AskedUsage: true, Legacy: st.Legacy, Name: "r", Now: 1}, in...)
		if left := recorded.Read(t, hidden); left.Usage != "" {
			t.Errorf("usage is told to a caller who did not ask: %s", left.Usage)
		}
		recorded.CheckStream(t, hidden, st.Legacy)
	})
}

// Every recorded complete answer comes out with the same text, tool calls and usage.
func TestRecordedAnswers(t *testing.T) {
	t.Parallel()
	recorded.Answers(t, func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
		body := r.Response.Body.Bytes()
		request := &Request{Endpoint: e}
		a, err := request.ParseAnswer(body, Stand{Name: "r", Now: 1})
		if (err != nil) != r.Failed(t) {
			t.Fatalf("counts as failed: %v, but is: %v", err, r.Failed(t))
		}
		if err != nil {
			return
		}
		out := jsonwalk.Apply(nil, body, a.Edits)
		var c recorded.Shape
		if err := json.Unmarshal(out, &c); err != nil {
			t.Fatal(err)
		}
		if c.ID == nil || *c.ID == "" || c.Object != map[llm.Endpoint]string{llm.Chat: "chat.completion", llm.Completions: "text_completion"}[e] || c.Error != nil {
			t.Errorf("the answer lacks what every answer has: %s", out)
		}
		want, got := recorded.Read(t, []string{string(body)}), recorded.Read(t, []string{string(out)})
		mapFinish(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the caller reads something else:\n%s", diff)
		}
	})
}

// Recorded embeddings come out as vectors in order, as asked.
func TestRecordedEmbeddings(t *testing.T) {
	t.Parallel()
	recorded.Embeddings(t, func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
		request, refused := ParseRequest(e, r.Request.Body.Bytes(), 64)
		if refused != nil {
			t.Fatal(refused)
		}
		out, a, err := request.ParseEmbeddings(r.Response.Body.Bytes(), "")
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(out) || !a.HasUsage {
			t.Errorf("usage %v, %d bytes", a.HasUsage, len(out))
		}
	})
}
