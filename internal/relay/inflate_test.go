package relay

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

// What an answer says once does not make the caller's many times as long, be it told again with every call, citation or chunk.
func TestAnswersAreNotInflated(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 200<<10)
	many := func(s string) string { return strings.TrimSuffix(strings.Repeat(s+",", 5000), ",") }
	gemini := func(parts, more string) string {
		return `{"responseId":"` + long + `","modelVersion":"` + long + `","candidates":[{"finishReason":"STOP","content":{"parts":[` + parts + `]}` + more + `}]}`
	}
	for name, body := range map[string]string{
		"calls without ids":  gemini(many(`{"functionCall":{"name":"f"}}`), ""),
		"pieces of two kind": gemini(many(`{"text":"a"},{"text":"b","thought":true}`), ""),
		"one page, cited again and again": gemini(`{"text":"hello"}`, `,"groundingMetadata":{"groundingChunks":[{"web":{"uri":"`+long+`","title":"`+long+`"}}],"groundingSupports":[{"segment":{"endIndex":3},"groundingChunkIndices":[`+
			many("0")+`]}]}`),
	} {
		const most = 2 << 20
		codec := codecs[llm.Gemini]
		whole := &openai.Producer{Asked: "m"}
		end, err := codec.answer([]byte(body), whole.Collect)
		if err != nil {
			t.Fatal(err)
		}
		if out := whole.Answer(&end); len(out) > most {
			t.Errorf("%s: %d bytes become %d", name, len(body), len(out))
		}
		said := 0
		stream := &openai.Producer{Asked: "m"}
		if _, err := codec.answer([]byte(body), func(ev *llm.Event) { said += len(stream.Chunk(nil, ev)) }); err != nil {
			t.Fatal(err)
		}
		if said > 2*most {
			t.Errorf("%s: %d bytes become chunks of %d", name, len(body), said)
		}
	}
}
