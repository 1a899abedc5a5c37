package responses

import "testing"

// What an upstream says in whole items counts for a stream that is cut short: nothing else says what that took.
func TestWholeItemsCountAsSaid(t *testing.T) {
	t.Parallel()
	walk := (&Request{}).Walk(nil, "")
	for _, payload := range []string{
		`{"type":"response.created","sequence_number":0,"response":{"id":"r","model":"m","status":"in_progress","usage":null}}`,
		`{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"function_call","call_id":"c","name":"write","arguments":""}}`,
		`{"type":"response.output_item.done","sequence_number":2,"output_index":0,"item":{"type":"function_call","call_id":"c","name":"write","arguments":"{\"text\":\"a thousand words\"}"}}`,
		`{"type":"response.output_item.added","sequence_number":3,"output_index":1,"item":{"type":"message","content":[]}}`,
		`{"type":"response.output_item.done","sequence_number":4,"output_index":1,"item":{"type":"message","content":[{"type":"output_text","text":"and more"}]}}`,
	} {
		chunk, err := walk.WalkBehind(nil, []byte(payload))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("content: %v: %s", chunk.Content, payload)
	}
	if f := walk.Account(); f.Said == 0 {
		t.Error("the caller has two items, and nothing was said: a cut stream is recorded without usage")
	}
}
