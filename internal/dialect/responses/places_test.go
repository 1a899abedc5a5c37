package responses

import (
	"runtime"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
)

// Encode takes no more memory than Places announces, whatever the caller sends.
func TestPlacesBoundsEncode(t *testing.T) {
	input := `[{"type":"reasoning","encrypted_content":"weir1.e30"}` + strings.Repeat(",0", 2<<20) + `]`
	r, err := Parse([]byte(`{"model":"m","input":`+input+`}`), dialect.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c := dialect.Changes{Model: "up"}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r.Encode(c)
	runtime.ReadMemStats(&after)
	took := int(after.TotalAlloc - before.TotalAlloc)
	t.Logf("a body of %d bytes: %d announced, %d allocated", len(r.Raw), r.Places(c), took)
	if took > 4*r.Places(c)+len(r.Raw) {
		t.Errorf("Encode allocates %d times what it announces", took/r.Places(c))
	}
}
