package spend

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/llm"
)

// BenchmarkRead is what it costs to read a body before its call is made.
func BenchmarkRead(b *testing.B) {
	for name, body := range map[string]string{
		"200B":       `{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"` + strings.Repeat("some words ", 10) + `"}]}`,
		"400K":       `{"model":"m","messages":[{"role":"user","content":"` + strings.Repeat("some words ", 36_000) + `"}]}`,
		"400K-parts": `{"model":"m","messages":[` + strings.Repeat(`{"role":"user","content":[{"type":"text","text":"`+strings.Repeat("some words ", 30)+`"}]},`, 1000) + `{"role":"user","content":"last"}]}`,
		"400K-code":  `{"model":"m","messages":[{"role":"user","content":"` + strings.Repeat(`\tfmt.Println(\"x\")\n`, 19_000) + `"}]}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			raw := []byte(body)
			for b.Loop() {
				var p budget.Prompt
				var a budget.Answer
				read(raw, llm.OpenAI, &p, &a)
			}
		})
	}
}
