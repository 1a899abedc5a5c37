package responses

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// A stored answer has Weir's id in all events, also of a server that says little of its responses.
func TestStoredAnswersHaveOneID(t *testing.T) {
	t.Parallel()
	asked, refused := Parse([]byte(`{"model":"m","input":"hi","stream":true,"previous_response_id":"resp_0"}`), dialect.ParseOptions{StoreAs: "X"})
	if refused != nil {
		t.Fatal(refused)
	}
	walk := asked.Walk(nil, "")
	begin := []byte(`{"type":"response.created","response":{"id":"up"}}`)
	chunk, err := walk.WalkBehind(nil, begin)
	if err != nil {
		t.Fatal(err)
	}
	first := string(jsonwalk.Apply(nil, begin, chunk.Edits))
	if !walk.Last([]byte(`{"type":"response.completed","response":{"id":"up","output":[]}}`)) {
		t.Fatal("it is not the end")
	}
	for _, got := range []string{first, string(walk.Ending())} {
		for _, want := range []string{`"id":"resp_X"`, `"store":true`, `"previous_response_id":"resp_0"`} {
			if !strings.Contains(got, want) {
				t.Errorf("%s is not in %s", want, got)
			}
		}
	}
	body, _, err := asked.Pass([]byte(`{"output":[]}`), nil, dialect.Stand{})
	if err != nil || !strings.Contains(string(body), `"id":"resp_X"`) {
		t.Errorf("%v: %s", err, body)
	}
	if chunk, err := asked.Walk(nil, "").WalkBehind(nil, []byte(`{"type":"response.created","response":{}}`)); err != nil || len(chunk.Edits) > 0 {
		t.Errorf("%v: nothing can be put before a member that is not there: %v", err, chunk.Edits)
	}
}

// A server that does not know the member is not sent it, as its config says.
func TestStoreIsOmitted(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"model":"m","input":"hi"}`:              `{"model":"n","input":"hi"}`,
		`{"model":"m","input":"hi","store":true}`: `{"model":"n","input":"hi"}`,
	} {
		asked, refused := Parse([]byte(body), dialect.ParseOptions{StoreAs: "X"})
		if refused != nil {
			t.Fatal(refused)
		}
		out, applied := asked.Encode(dialect.Changes{Model: "n", Omit: []string{"store"}})
		if string(out.Bytes()) != want || len(applied.Ignored) > 0 {
			t.Errorf("%s becomes %s, without %q", body, out.Bytes(), applied.Ignored)
		}
	}
}

// A body of nothing, whose model is in the path as Azure's clients have it, becomes one of the model alone.
func TestBodiesOfNothing(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{}`, `{"top_p":1}`, `{"previous_response_id":"resp_0"}`} {
		asked, refused := Parse([]byte(body), dialect.ParseOptions{Model: "m", StoreAs: "X"})
		if refused != nil {
			t.Fatal(refused)
		}
		if out, _ := asked.Encode(dialect.Changes{Model: "n", Omit: []string{"top_p"}}); string(out.Bytes()) != `{"model":"n","store":false}` {
			t.Errorf("%s becomes %s", body, out.Bytes())
		}
	}
}

// What goes up again names nothing that its server would look up: it has stored nothing. Azure refuses such ids, and OpenAI does not find them
// (https://github.com/vercel/ai/pull/12689, https://github.com/NousResearch/hermes-agent/pull/10217). Servers of open models insist on those of reasoning.
func TestHistoryHasNoIDsOfAServer(t *testing.T) {
	t.Parallel()
	answer := `{"output":[{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"gAAA"},{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"q"}},` +
		`{"type":"reasoning","id":"rs_2","summary":[],"content":[{"type":"reasoning_text","text":"Hm"}]},{"id":"rs_3","type":"reasoning","summary":[]},{"id":"msg_1","type":"message","role":"assistant","content":[]}]}`
	want := []string{
		`"hi"`, `{"type":"reasoning","summary":[],"encrypted_content":"gAAA"}`, `{"type":"web_search_call","status":"completed","action":{"type":"search","query":"q"}}`,
		`{"type":"reasoning","id":"rs_2","summary":[],"content":[{"type":"reasoning_text","text":"Hm"}]}`, `{"type":"message","role":"assistant","content":[]}`,
	}
	items := history([]dialect.Turn{{ID: "resp_1", Input: llm.JSON(`["hi"]`), Answer: llm.JSON(answer)}})
	if len(items) != len(want) {
		t.Fatalf("%d items", len(items))
	}
	for i, item := range items {
		if string(item) != want[i] {
			t.Errorf("%s goes up, not %s", item, want[i])
		}
	}
}
