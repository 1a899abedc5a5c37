package responses

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
)

// spelled is a name in the n-th mixture of cases.
func spelled(name string, n int) string {
	out := []byte(name)
	for i, bit := 0, 0; i < len(out); i++ {
		if 'a' <= out[i] && out[i] <= 'z' {
			if n>>bit&1 == 1 {
				out[i] -= 'a' - 'A'
			}
			bit++
		}
	}
	return string(out)
}

// A name that the config leaves out may come in very many mixtures of cases. If each looked at those before it, this would take minutes.
func TestManySpellingsAreCut(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 50_000 {
		b.WriteString(`,"` + spelled("prompt_cache_retention", i) + `":1`)
	}
	r, err := Parse([]byte(`{"model":"m","input":"hi"`+b.String()+`}`), dialect.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if out, _ := r.Encode(dialect.Changes{Model: "up", Omit: []string{"prompt_cache_retention"}}); string(out.Bytes()) != `{"model":"up","input":"hi"}` {
		t.Errorf("%d bytes are left", out.Len())
	}
}
