package responses

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
)

// Servers have orders of their own that their clients live with: what llama.cpp sends has no places, and Ollama neither announces the parts of a summary
// nor ends a text that calls of tools follow. Their streams pass.
//
// Source: tools/server/server-task.cpp of llama.cpp, and openai/responses.go of Ollama.
func TestOrdersOfServers(t *testing.T) {
	t.Parallel()
	const begin, end = `{"type":"response.created","response":{"id":"r","status":"in_progress","model":"m","output":[]}}`, `{"type":"response.completed","response":{"id":"r","status":"completed","model":"m","output":[{"type":"message"}],"usage":{"input_tokens":1,"output_tokens":1}}}`
	for name, between := range map[string]string{
		"llama.cpp": `{"type":"response.output_item.added","item":{"id":"rs","type":"reasoning","summary":[],"content":[],"status":"in_progress"}}
{"type":"response.reasoning_text.delta","item_id":"rs","delta":"Hm"}
{"type":"response.output_item.added","item":{"id":"msg","type":"message","role":"assistant","content":[],"status":"in_progress"}}
{"type":"response.content_part.added","item_id":"msg","part":{"type":"output_text","text":""}}
{"type":"response.output_text.delta","item_id":"msg","delta":"Hi"}
{"type":"response.output_item.done","item":{"id":"rs","type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"Hm"}]}}
{"type":"response.output_text.done","item_id":"msg","text":"Hi"}
{"type":"response.content_part.done","item_id":"msg","part":{"type":"output_text","text":"Hi"}}
{"type":"response.output_item.done","item":{"id":"msg","type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi"}]}}`,
		"Ollama": `{"type":"response.output_item.added","output_index":0,"item":{"id":"rs","type":"reasoning","summary":[]}}
{"type":"response.reasoning_summary_text.delta","item_id":"rs","output_index":0,"summary_index":0,"delta":"Hm"}
{"type":"response.reasoning_summary_text.done","item_id":"rs","output_index":0,"summary_index":0,"text":"Hm"}
{"type":"response.output_item.done","output_index":0,"item":{"id":"rs","type":"reasoning","summary":[{"type":"summary_text","text":"Hm"}]}}
{"type":"response.output_item.added","output_index":1,"item":{"id":"msg","type":"message","role":"assistant","content":[]}}
{"type":"response.content_part.added","item_id":"msg","output_index":1,"content_index":0,"part":{"type":"output_text","text":""}}
{"type":"response.output_text.delta","item_id":"msg","output_index":1,"content_index":0,"delta":"I look."}
{"type":"response.output_item.added","output_index":1,"item":{"id":"fc","type":"function_call","call_id":"c","name":"f","arguments":""}}
{"type":"response.function_call_arguments.delta","item_id":"fc","output_index":1,"delta":"{}"}
{"type":"response.function_call_arguments.done","item_id":"fc","output_index":1,"arguments":"{}"}
{"type":"response.output_item.done","output_index":1,"item":{"id":"fc","type":"function_call","call_id":"c","name":"f","arguments":"{}"}}`,
	} {
		asked, refused := Parse([]byte(`{"model":"m","input":"hi","stream":true}`), dialect.ParseOptions{})
		if refused != nil {
			t.Fatal(refused)
		}
		walk := asked.Walk(nil, "")
		for _, payload := range strings.Split(begin+"\n"+between, "\n") {
			if chunk, err := walk.WalkBehind(nil, []byte(payload)); err != nil || chunk.Error {
				t.Errorf("%s: %v: %s", name, err, payload)
				break
			}
		}
		if !walk.Last([]byte(end)) || !walk.Complete(true) {
			t.Errorf("%s: it has no end", name)
		}
	}
}
