package responses

import (
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

const searched = `{"id":"resp_1","object":"response","status":"completed","model":"gpt-5","error":null,"output":[
	{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"a"}},
	{"type":"web_search_call","id":"ws_2","status":"completed","action":{"type":"search","query":"b"}},
	{"type":"message","id":"m","role":"assistant","content":[{"type":"output_text","text":"Yes.","annotations":[]}]}],
	"usage":{"input_tokens":10,"output_tokens":5,"total_tokens":15}}`

// Searches are billed by number. They are counted where bytes pass as they are where the same answer is translated.
func TestSearchesAreCountedWhereBytesPass(t *testing.T) {
	t.Parallel()
	end, err := ReadAnswer([]byte(searched), func(*llm.Event) {})
	if err != nil || end.Usage.Searches != 2 {
		t.Fatalf("translated: %+v, %v", end.Usage, err)
	}
	_, answer, err := (&Request{}).Pass([]byte(searched), nil, dialect.Stand{})
	if err != nil || answer.Usage.Searches != end.Usage.Searches {
		t.Errorf("passed: %d searches, %v", answer.Usage.Searches, err)
	}
	walk := (&Request{}).Walk(nil, "")
	walk.Last([]byte(`{"type":"response.completed","sequence_number":1,"response":` + searched + `}`))
	if n := walk.Account().Usage.Searches; n != end.Usage.Searches {
		t.Errorf("streamed: %d searches", n)
	}
}

// A search is counted once, though it is in the answer's end again.
func TestSearchesAreCountedOnce(t *testing.T) {
	t.Parallel()
	var st Stream
	var usage llm.Usage
	for _, data := range []string{
		`{"type":"response.created","response":{"id":"r","model":"m"}}`,
		`{"type":"response.output_item.added","output_index":0,"item":{"type":"web_search_call","id":"w"}}`,
		`{"type":"response.output_item.done","output_index":0,"item":{"type":"web_search_call","id":"w","action":{"type":"search"}}}`,
		`{"type":"response.incomplete","response":{"id":"r","model":"m","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[{"type":"web_search_call","id":"w","action":{"type":"search"}}],"usage":{"input_tokens":1,"output_tokens":1}}}`,
	} {
		if err := st.Read([]byte(data), func(ev *llm.Event) { usage = ev.Usage }); err != nil {
			t.Fatal(err)
		}
	}
	if usage.Searches != 1 {
		t.Errorf("%d searches", usage.Searches)
	}
}
