package relay

import (
	"slices"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
)

// samples are, of each dialect, its name, a model, what begins a stream, and one event with a few words.
var samples = map[llm.Dialect]struct {
	name  string
	model string
	begin []string
	event string
}{
	llm.Anthropic: {"anthropic", "claude-sonnet-4-5", []string{
		`{"type":"message_start","message":{"id":"msg_1","model":"m","usage":{"input_tokens":10,"output_tokens":1}}}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
	}, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" a few words"}}`},
	llm.Cohere: {"cohere", "command-a-03-2025", []string{
		`{"id":"x","type":"message-start","delta":{"message":{"role":"assistant"}}}`,
		`{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":""}}}}`,
	}, `{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":" a few words"}}}}`},
	llm.Converse: {"converse", "anthropic.claude-sonnet-4-5-20250929-v1:0", []string{
		`{"type":"messageStart","role":"assistant"}`,
	}, `{"type":"contentBlockDelta","contentBlockIndex":0,"delta":{"text":" a few words"}}`},
	llm.Gemini: {
		"gemini", "gemini-2.5-flash", nil,
		`{"candidates":[{"content":{"role":"model","parts":[{"text":" a few words"}]},"index":0}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":3,"totalTokenCount":13},"modelVersion":"gemini-2.5-flash","responseId":"x"}`,
	},
}

// each runs a benchmark for every dialect but the callers'.
func each(b *testing.B, run func(b *testing.B, d llm.Dialect, c *dialect.Codec)) {
	b.Helper()
	var all []llm.Dialect
	for d := range codecs {
		all = append(all, d)
	}
	slices.Sort(all)
	for _, d := range all {
		if samples[d].name == "" {
			b.Logf("dialect %v has no sample", d)
			continue
		}
		b.Run(samples[d].name, func(b *testing.B) {
			b.ReportAllocs()
			run(b, d, codecs[d])
		})
	}
}

// BenchmarkRequest translates a request with 400 KB of escaped text in a hundred messages and calls of tools.
func BenchmarkRequest(b *testing.B) {
	var body strings.Builder
	body.WriteString(`{"model":"m","tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}],"messages":[{"role":"user","content":"hi"}`)
	text := strings.Repeat(`func f() {\n\treturn \"x\\n\"\n}\n`, 125)
	for range 50 {
		body.WriteString(`,{"role":"assistant","content":"` + text + `","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]}`)
		body.WriteString(`,{"role":"tool","tool_call_id":"c","content":"` + text + `"}`)
	}
	body.WriteString(`]}`)
	r, refused := passthrough.ParseRequest(llm.Chat, []byte(body.String()), 0)
	if refused != nil {
		b.Fatal(refused)
	}
	each(b, func(b *testing.B, d llm.Dialect, c *dialect.Codec) {
		b.SetBytes(int64(body.Len()))
		for b.Loop() {
			request, refused := r.Decode(nil)
			if refused != nil {
				b.Fatal(refused)
			}
			request.Model = samples[d].model
			if _, _, refused := c.Encode(request); refused != nil {
				b.Fatal(refused)
			}
		}
	})
}

// BenchmarkEvent is one event of a stream: as it passes between the same dialects, and of each other dialect translated.
func BenchmarkEvent(b *testing.B) {
	b.Run("passed", func(b *testing.B) {
		w := passthrough.Stream{Name: "x", Now: 1}
		chunk := []byte(`{"id":"msg_1","object":"chat.completion.chunk","created":1700000000,"model":"m","choices":[{"index":0,"delta":{"content":" a few words"},"finish_reason":null}]}`)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := w.Walk(chunk); err != nil {
				b.Fatal(err)
			}
		}
	})
	each(b, func(b *testing.B, d llm.Dialect, c *dialect.Codec) {
		st, sample := c.Stream(), samples[d]
		p := openai.Producer{Now: 1700000000}
		var chunk []byte
		tell := func(ev *llm.Event) { chunk = p.Chunk(chunk[:0], ev) }
		for _, data := range sample.begin {
			if err := st.Read([]byte(data), tell); err != nil {
				b.Fatal(err)
			}
		}
		event := []byte(sample.event)
		for b.Loop() {
			if err := st.Read(event, tell); err != nil {
				b.Fatal(err)
			}
		}
		if !strings.Contains(string(chunk), " a few words") {
			b.Fatalf("no event came of it: %s", chunk)
		}
	})
}
