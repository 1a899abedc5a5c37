package passthrough

import (
	"testing"

	"github.com/weirproxy/weir/internal/llm"
)

func TestEndpointOf(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]llm.Endpoint{
		`{"model":"m","messages":[]}`:         llm.Chat,
		`{"prompt":"x","messages":[]}`:        llm.Chat,
		`{"model":"m","input":["a"]}`:         llm.Embeddings,
		`{"prompt":"a","model":"m"}`:          llm.Completions,
		`{"model":{"input":1,"prompt":"no"}}`: llm.Chat,
		`[{"input":1}]`:                       llm.Chat,
		`{"input":`:                           llm.Embeddings,
		`{"a`:                                 llm.Chat,
		``:                                    llm.Chat,
	} {
		if got := EndpointOf([]byte(body)); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}
