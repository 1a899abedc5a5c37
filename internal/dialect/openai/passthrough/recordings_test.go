package passthrough

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect"
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

// same holds what was changed against what was counted: each difference is a repair that was, and no other.
func same(t *testing.T, changes recorded.Changes, counted dialect.Repairs) {
	t.Helper()
	for _, what := range changes.Unexplained {
		t.Errorf("no rule explains this: %s", what)
	}
	kinds := map[string]int{}
	counted.Each(func(kind string, n int) { kinds[kind] = n })
	maps.DeleteFunc(changes.Kinds, func(_ string, n int) bool { return n == 0 })
	if diff := cmp.Diff(kinds, changes.Kinds); diff != "" {
		t.Errorf("counted (-) and found (+) repairs:\n%s", diff)
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
			c, err := (&Stream{Legacy: st.Legacy}).Walk([]byte(p))
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
		if want.Usage == "" {
			want.Usage = recorded.UsageAside(t, in)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the caller reads something else:\n%s", diff)
		}
		same(t, recorded.CompareStreams(in, out, recorded.Caller), st.Repairs)
		for _, asked := range []recorded.Usage{recorded.Nobody, recorded.Weir} {
			other := &Stream{AskedUsage: asked == recorded.Weir, Legacy: st.Legacy, Name: "r", Now: 1}
			same(t, recorded.CompareStreams(in, repaired(t, other, in...), asked), other.Repairs)
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
		request := &Request{Scanned: dialect.Scanned{Endpoint: e}}
		a, err := request.ParseAnswer(body, dialect.Stand{Name: "r", Now: 1})
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
		same(t, recorded.CompareAnswers(string(body), string(out)), a.Repairs)
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
		out, a, err := request.Pass(r.Response.Body.Bytes(), &dialect.Changes{}, dialect.Stand{Echo: ""})
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(out) || !a.HasUsage {
			t.Errorf("usage %v, %d bytes", a.HasUsage, len(out))
		}
	})
}

// sent is a body as it goes over the wire.
func sent(t *testing.T, b dialect.Body) string {
	t.Helper()
	all, err := io.ReadAll(b.Reader())
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

// Every recorded request is read, and goes unchanged to an upstream of the same dialect, except for the model's name
// and the option that asks a stream for its usage.
func TestRecordedRequests(t *testing.T) {
	t.Parallel()
	recorded.Requests(t, func(t *testing.T, e llm.Endpoint, r recorded.Interaction) {
		raw := r.Request.Body.Bytes()
		request, refused := ParseRequest(e, raw, 256)
		if refused != nil {
			t.Fatal(refused)
		}
		if request.Stream != r.Stream {
			t.Errorf("it is taken for a stream: %v", request.Stream)
		}
		same, applied := request.Encode(dialect.Changes{Model: request.Model})
		if got := sent(t, same); got != string(raw) || len(applied.Ignored)+len(applied.Renamed) > 0 {
			t.Errorf("%+v; sent as\n%s, not\n%s", applied, got, raw)
		}
		other, _ := request.Encode(dialect.Changes{Model: "other<\"", AskUsage: r.Stream})
		var was, is map[string]json.RawMessage
		if err := errors.Join(json.Unmarshal(raw, &was), json.Unmarshal([]byte(sent(t, other)), &is)); err != nil {
			t.Fatal(err)
		}
		if string(is["model"]) != `"other\u003c\""` || r.Stream && !strings.Contains(string(is["stream_options"]), `"include_usage":`) {
			t.Errorf("model %s, stream_options %s", is["model"], is["stream_options"])
		}
		for _, name := range []string{"model", "stream_options"} {
			delete(was, name)
			delete(is, name)
		}
		if diff := cmp.Diff(was, is); diff != "" {
			t.Errorf("more was changed than asked for:\n%s", diff)
		}
	})
}
