package responses

import (
	"encoding/json"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
)

// A whole answer, given where a stream was asked, becomes a stream from which a client puts the same answer together again, as OpenAI's SDKs do:
// an item begins without what its deltas add.
func TestAWholeAnswerIsStreamedOnce(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Hello.", "text", "type", "output_text"} {
		body := `{"id":"r","object":"response","status":"completed","model":"m","output":[{"type":"message","id":"m1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"` + text + `","annotations":[]}]}],"usage":{"input_tokens":1,"output_tokens":1}}`
		asked, refused := Parse([]byte(`{"model":"m","input":"hi","stream":true}`), dialect.ParseOptions{})
		if refused != nil {
			t.Fatal(refused)
		}
		payloads, err := asked.StreamOf([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		type part struct{ Type, Text string }
		var content []part
		for payload := range payloads {
			var ev struct {
				Type, Delta string
				Item        struct{ Content []part }
				Part        part
				Index       int `json:"content_index"`
			}
			if err := json.Unmarshal(payload, &ev); err != nil {
				t.Errorf("%q: %v: %s", text, err, payload)
				continue
			}
			switch ev.Type {
			case "response.output_item.added":
				content = ev.Item.Content
			case "response.content_part.added":
				if ev.Part.Type != "output_text" || ev.Part.Text != "" {
					t.Errorf("%q: a part begins as %s", text, payload)
				}
				content = append(content, ev.Part)
			case "response.output_text.delta":
				content[ev.Index].Text += ev.Delta
			}
		}
		if len(content) != 1 || content[0] != (part{"output_text", text}) {
			t.Errorf("%q: a client that adds up the events has %q", text, content)
		}
	}
}
