package passthrough

import (
	"testing"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
)

// The path of an event that needs edits must be about as fast as that of one that needs none.
func BenchmarkEvent(b *testing.B) {
	for _, bench := range []struct {
		name    string
		stream  Stream
		payload string
	}{
		{"clean", Stream{}, `{"id":"chatcmpl-123456789012","object":"chat.completion.chunk","created":1795235516,"model":"model-name","choices":[{"index":0,"delta":{"content":" word"},"logprobs":null,"finish_reason":null}]}`},
		{"usage null cut", Stream{AskedUsage: true}, `{"id":"chatcmpl-123456789012","object":"chat.completion.chunk","created":1795235516,"model":"model-name","choices":[{"index":0,"delta":{"content":" word"},"logprobs":null,"finish_reason":null}],"usage":null}`},
		{"role repeated, finish_reason missing", Stream{}, `{"id":"chatcmpl-123456789012","object":"chat.completion.chunk","created":1795235516,"model":"model-name","choices":[{"index":0,"delta":{"role":"assistant","content":" word"},"logprobs":null}]}`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			st, payload, out := bench.stream, []byte(bench.payload), make([]byte, 0, 1024)
			b.SetBytes(int64(len(payload)))
			b.ReportAllocs()
			for b.Loop() {
				c, err := st.Walk(payload)
				if err != nil {
					b.Fatal(err)
				}
				out = jsonwalk.Apply(out[:0], payload, c.Edits)
			}
		})
	}
}
