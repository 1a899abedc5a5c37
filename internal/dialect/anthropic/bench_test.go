package anthropic_test

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect/anthropic"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

// BenchmarkRequest translates a request with 400 KB of escaped text in a hundred messages and calls of tools.
func BenchmarkRequest(b *testing.B) {
	var body strings.Builder
	body.WriteString(`{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"hi"}`)
	text := strings.Repeat(`func f() {\n\treturn \"x\\n\"\n}\n`, 125)
	for range 50 {
		body.WriteString(`,{"role":"assistant","content":"` + text + `","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]}`)
		body.WriteString(`,{"role":"tool","tool_call_id":"c","content":"` + text + `"}`)
	}
	body.WriteString(`]}`)
	r, err := openai.ParseRequest(llm.Chat, []byte(body.String()), 0)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(body.Len()))
	b.ReportAllocs()
	for b.Loop() {
		request, err := r.Decode(nil)
		if err != nil {
			b.Fatal(err)
		}
		request.Model = "claude-sonnet-4-5"
		if _, _, err := anthropic.Encode(request); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEvent is one event of a stream: as it passes between the same dialects, and translated first.
func BenchmarkEvent(b *testing.B) {
	start := `{"type":"message_start","message":{"id":"msg_1","model":"m","usage":{"input_tokens":10,"output_tokens":1}}}`
	block := `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`
	delta := []byte(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" a few words"}}`)
	var st anthropic.Stream
	p := openai.Producer{Now: 1700000000}
	var chunk []byte
	tell := func(ev *llm.Event) { chunk = p.Chunk(chunk[:0], ev) }
	for _, data := range []string{start, block} {
		if err := st.Read([]byte(data), tell); err != nil {
			b.Fatal(err)
		}
	}
	translate := func() []byte {
		if err := st.Read(delta, tell); err != nil {
			b.Fatal(err)
		}
		return chunk
	}
	passing := append([]byte(nil), translate()...)
	walk := func(b *testing.B, walk *openai.Stream, payload []byte) {
		if _, err := walk.Walk(payload); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("passed", func(b *testing.B) {
		w := openai.Stream{Name: "x", Now: 1}
		b.ReportAllocs()
		for b.Loop() {
			walk(b, &w, passing)
		}
	})
	b.Run("translated", func(b *testing.B) {
		w := openai.Stream{Name: "x", Now: 1}
		b.ReportAllocs()
		for b.Loop() {
			walk(b, &w, translate())
		}
	})
}
