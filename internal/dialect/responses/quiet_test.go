package responses

import (
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
)

// Only a default is left out without a word. The default of truncation is "disabled".
func TestTruncationIsAnnounced(t *testing.T) {
	t.Parallel()
	r, err := Parse([]byte(`{"model":"m","input":"hi","truncation":"auto"}`), dialect.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	out, applied := r.Encode(dialect.Changes{Model: "up", Omit: []string{"truncation"}})
	if len(applied.Ignored) == 0 {
		t.Errorf("%s, announced: %q", out.Bytes(), applied.Ignored)
	}
}
