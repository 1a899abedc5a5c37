package responses

import (
	"strings"
	"testing"
	"time"

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

// A name that the config leaves out may come in very many mixtures of cases.
func TestManySpellingsAreCutInLinearTime(t *testing.T) {
	took := func(n int) time.Duration {
		var b strings.Builder
		for i := range n {
			b.WriteString(`,"` + spelled("prompt_cache_retention", i) + `":1`)
		}
		r, err := Parse([]byte(`{"model":"m","input":"hi"`+b.String()+`}`), dialect.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		r.Encode(dialect.Changes{Model: "up", Omit: []string{"prompt_cache_retention"}})
		return time.Since(began)
	}
	few, many := took(1000), took(8000)
	t.Logf("1,000 take %v, 8,000 take %v", few, many)
	if many > 24*few {
		t.Errorf("8 times as many take %.0f times as long", float64(many)/float64(few))
	}
}
