package llm

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// byLaw is the law of EstimateTokens, byte by byte.
func byLaw(text JSON) int64 {
	var quarters int64
	inner := text.Inner()
	for i := 0; i < len(inner); i++ {
		switch c := inner[i]; {
		case c == '\\' && i+1 < len(inner) && inner[i+1] == 'u':
			quarters += 2
			i += 5
		case c == '\\':
			quarters++
			i++
		case c < 0x80:
			quarters++
		case c >= 0xE0: // three or four bytes
			quarters += 4
		case c >= 0xC0: // two
			quarters += 2
		}
	}
	return max((quarters+3)/4, 1)
}

func TestEstimateTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		`""`: 1, `"a"`: 1, `"four"`: 1, `"five5"`: 2, `"eight888"`: 2, `"日本語"`: 3, `"привет"`: 3, `"😀"`: 1, `"\u65e5\u672c"`: 1, `"a\n\"b"`: 1, `"\u65e5\u672c\n"`: 2, `"\\\\\\\\"`: 1, `"x\"`: 1,
	} {
		if got := EstimateTokens(JSON(text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOf(rapid.SampledFrom([]string{"a", "word ", "0123456789abcdef", "é", "я", "日", "😀", `\n`, `\\`, `\"`, `\u65e5`, "\x80", "\xff", "\xc3"})).Draw(t, "pieces")
		text := JSON(`"` + strings.Join(pieces, "") + `"`)
		if got, want := EstimateTokens(text), byLaw(text); got != want {
			t.Fatalf("%q: %d, want %d", text, got, want)
		}
	})
}

func BenchmarkEstimateTokens(b *testing.B) {
	for name, piece := range map[string]string{"text": "Words of a text, one behind the other. ", "code": "\\tfor i := range values {\\n\\t\\ttotal += values[i].Count // of \\\"this\\\" kind, as it stands\\n\\t}\\n", "script": "日本語の文章です。"} {
		text := JSON(`"` + strings.Repeat(piece, 400<<10/len(piece)) + `"`)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				EstimateTokens(text)
			}
		})
		b.Run(name+"/byte by byte", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				byLaw(text)
			}
		})
	}
}
