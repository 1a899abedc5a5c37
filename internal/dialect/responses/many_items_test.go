package responses

import (
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
)

// Reasoning that is left out of a history is cut in one pass. If each looked at those before it, this would take minutes.
func TestManyReasoningsAreCut(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		piece string
		c     dialect.Changes
	}{
		"wrapped by Weir, as any caller may write it":   {`{"type":"reasoning","encrypted_content":"weir1.%d"}`, dialect.Changes{}},
		"another account's, left out on the second try": {`{"type":"reasoning","encrypted_content":"%d"}`, dialect.Changes{OmitEncrypted: true}},
	} {
		r, err := Parse([]byte(`{"model":"m","input":[`+repeated(100_000, test.piece)+`]}`), dialect.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		test.c.Model = "up"
		if out, _ := r.Encode(test.c); string(out.Bytes()) != `{"model":"up","input":[]}` {
			t.Errorf("%s: %d bytes are left", name, out.Len())
		}
	}
}
