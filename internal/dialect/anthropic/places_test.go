package anthropic

import (
	"runtime"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
)

// Encode takes no more memory than Places announces, however many blocks are left out.
func TestPlacesBoundsEncode(t *testing.T) {
	const block = `{"type":"thinking","thinking":"x","signature":"d2VpcjEuPy4="},0,`
	r, err := ParseRequest([]byte(`{"model":"m","max_tokens":1,"messages":[{"role":"assistant","content":[`+strings.Repeat(block, 1<<17)+`0]}]}`), dialect.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r.Encode(dialect.Changes{Model: "up"})
	runtime.ReadMemStats(&after)
	if took, announced := int(after.TotalAlloc-before.TotalAlloc), r.Places(dialect.Changes{}); took > 2*announced+len(r.Raw) {
		t.Errorf("Encode allocates %d bytes and announces %d", took, announced)
	}
}
