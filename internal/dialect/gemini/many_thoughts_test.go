package gemini

import (
	"runtime"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
)

// Thoughts that come back in very many pieces are joined in one pass: each copied all those before it.
func TestManyThoughtsAreJoined(t *testing.T) {
	const pieces = 8000
	piece := `{"thought":true,"text":"` + strings.Repeat("a", 100) + `"}`
	body := `{"contents":[{"role":"model","parts":[` + strings.Repeat(piece+",", pieces) + `{"thought":true,"text":"end","thoughtSignature":"c2ln"}]},{"role":"user","parts":[{"text":"hi"}]}]}`
	r, err := Parse([]byte(body), false, dialect.ParseOptions{Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	typed, err := r.Decode(nil)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if parts := typed.Messages[0].Parts; len(parts) != 1 || len(parts[0].Text.Text()) != 100*pieces+len("end") || parts[0].Opaque == nil {
		t.Errorf("they are %d parts", len(parts))
	}
	if took := int(after.TotalAlloc - before.TotalAlloc); took > r.Typed()+16*len(body) {
		t.Errorf("%d times the body is allocated", took/len(body))
	}
}
