package responses

import (
	"net/url"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// FuzzStored: whatever is asked and answered where answers are stored, what goes up, out and into the list of items is JSON that names no member twice.
func FuzzStored(f *testing.F) {
	f.Add(`{"model":"m","input":"hi","store":true}`, `{"id":"r","status":"completed","store":false,"output":[{"type":"message","id":"m","content":"x"},{"type":"reasoning","id":"rs"}]}`)
	f.Add(`{"model":"m","previous_response_id":"resp_0"}`, `{"status":"","output":[{"id":1},{},{"type":"function_call" , "id" : "fc"} ]}`)
	f.Add(`{"model":"m","previous_response_id":"resp_0","input":[ ]}`, `{"status":"x","output":[ ]}`)
	f.Add(`{"model":"m","previous_response_id":"resp_0","input":[{"role":"assistant","content":"x","id":null}]}`, `{"status":"x","model":7,"output":[7]}`)
	f.Add(`{"model":"m","previous_response_id":"resp_0","input":null}`, `{ "output":[ {"type":null} ] }`)
	valid := func(t *testing.T, what string, text []byte) {
		t.Helper()
		if err := jsonwalk.Valid(text, jsonwalk.Options{Unique: true}); err != nil {
			t.Errorf("%s: %v: %s", what, err, text)
		}
	}
	f.Fuzz(func(t *testing.T, body, answer string) {
		if jsonwalk.Valid([]byte(answer), jsonwalk.Options{Unique: true}) != nil {
			return
		}
		asked, refused := Parse([]byte(body), dialect.ParseOptions{StoreAs: "X"})
		if refused != nil {
			return
		}
		c := dialect.Changes{Model: "n", OmitEncrypted: true}
		up, _ := asked.Encode(c)
		valid(t, "what goes up", up.Bytes())
		out, _, err := asked.Pass([]byte(answer), &c, dialect.Stand{Echo: "m"})
		if err != nil {
			return
		}
		valid(t, "what goes out", out)
		valid(t, "what is not stored", asked.Unstored(out))
		event := []byte(`{"type":"response.completed","response":` + answer + `}`)
		if walk := asked.Walk(&c, "m"); walk.Last(event) {
			end := walk.Ending()
			valid(t, "the last event", end)
			at := asked.Ended(end)
			if at.Len() == 0 {
				t.Error("the last event has no answer")
			}
			valid(t, "what is stored", at.Of(end))
		}
		turn := dialect.Turn{ID: "resp_0", Input: asked.Input(), Answer: out}
		turns := []dialect.Turn{turn, turn}
		list, refused := itemsOf(turns, url.Values{"order": {"asc"}, "limit": {"100"}})
		if refused != nil {
			t.Fatal(refused)
		}
		valid(t, "the items", list)
		next := asked.Continue(history(turns))
		valid(t, "the next request", next)
		again, refused := Parse(next, dialect.ParseOptions{StoreAs: "Y"})
		if refused != nil {
			if !strings.HasPrefix(refused.Param, "input[") {
				t.Errorf("%v: %s", refused, next)
			}
			return
		}
		if again.Previous() != asked.Previous() || len(again.Value("input")) < len(llm.JSON("[]")) {
			t.Errorf("it is another request: %s", next)
		}
		up, _ = again.Encode(c)
		valid(t, "what goes up then", up.Bytes())
	})
}
