package gemini

import (
	"runtime"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
)

// Encode takes no more memory than Places announces, however many calls are signed, or thoughts left out.
func TestPlacesBoundsEncode(t *testing.T) {
	for name, one := range map[string]string{
		"calls without a signature": `{"role":"model","parts":[{"functionCall":{}}]}`,
		"thoughts of others":        `{"role":"model","parts":[{"text":"x","thought":true,"thoughtSignature":"d2VpcjEuPy4="},0]}`,
	} {
		r, err := Parse([]byte(`{"contents":[`+strings.Repeat(one+",", 1<<15)+one+`]}`), false, dialect.ParseOptions{Model: "m"})
		if err != nil {
			t.Fatal(err)
		}
		c := dialect.Changes{Model: "gemini-3-pro"}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		body, _ := r.Encode(c)
		runtime.ReadMemStats(&after)
		took, announced := int(after.TotalAlloc-before.TotalAlloc), r.Places(c)
		t.Logf("%s: a body of %d bytes becomes %d: %d announced, %d allocated", name, len(r.Raw), body.Len(), announced, took)
		if took > 3*announced+len(r.Raw) { // all in all: a body that grows is moved
			t.Errorf("%s: Encode allocates %d bytes and announces %d", name, took, announced)
		}
	}
}
