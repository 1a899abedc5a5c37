package responses

import (
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/dialect"
)

// Reasoning that is left out of a history is cut in time proportional to its length.
func TestManyReasoningsAreCutInLinearTime(t *testing.T) {
	took := func(n int, piece string, c dialect.Changes) time.Duration {
		r, err := Parse([]byte(`{"model":"m","input":[`+repeated(n, piece)+`]}`), dialect.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		c.Model = "up"
		began := time.Now()
		r.Encode(c)
		return time.Since(began)
	}
	for name, test := range map[string]struct {
		piece string
		c     dialect.Changes
	}{
		"wrapped by Weir, as any caller may write it":   {`{"type":"reasoning","encrypted_content":"weir1.%d"}`, dialect.Changes{}},
		"another account's, left out on the second try": {`{"type":"reasoning","encrypted_content":"%d"}`, dialect.Changes{OmitEncrypted: true}},
	} {
		few, many := took(500, test.piece, test.c), took(4000, test.piece, test.c)
		t.Logf("%s: 500 take %v, 4,000 take %v", name, few, many)
		if many > 24*few {
			t.Errorf("%s: 8 times as many take %.0f times as long", name, float64(many)/float64(few))
		}
	}
}
