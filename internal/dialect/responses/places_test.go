package responses

import (
	"runtime"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
)

// Encode takes no more memory than Places announces, whatever the caller sends.
func TestPlacesBoundsEncode(t *testing.T) {
	again := dialect.Changes{Model: "up", OmitEncrypted: true}
	for name, tt := range map[string]struct {
		items string
		c     dialect.Changes
	}{
		"one is wrapped":    {`{"type":"reasoning","encrypted_content":"weir1.e30"}` + strings.Repeat(",0", 2<<20), dialect.Changes{Model: "up"}},
		"many are wrapped":  {`0` + strings.Repeat(`,{"type":"reasoning","encrypted_content":"weir1."},0`, 1<<17), dialect.Changes{Model: "up"}},
		"many are signed":   {`0` + strings.Repeat(`,{"call_id":"a__sig__YQ"}`, 1<<17), dialect.Changes{Model: "up"}},
		"a second try":      {`0` + strings.Repeat(`,{"type":"reasoning"},0`, 1<<17), again},
		"ids on the second": {`0` + strings.Repeat(`,{"type":"message","id":0,"x":0}`, 1<<17), again},
	} {
		r, err := Parse([]byte(`{"model":"m","input":[`+tt.items+`]}`), dialect.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		body, _ := r.Encode(tt.c)
		runtime.ReadMemStats(&after)
		took, announced := int(after.TotalAlloc-before.TotalAlloc), r.Places(tt.c)
		t.Logf("%s: a body of %d bytes in %d pieces: %d announced, %d allocated", name, len(r.Raw), len(body.Pieces()), announced, took)
		// Lists that grow count once for each size that they had, and with the race detector edits are larger.
		if took > 5*announced/2+len(r.Raw) {
			t.Errorf("%s: Encode allocates %d bytes and announces %d", name, took, announced)
		}
	}
}
