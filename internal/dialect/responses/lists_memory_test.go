package responses

import (
	"runtime"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// Lists of very many small values take no multiple of the body that was not announced: Typed is what is counted for the typed form.
func TestListsTakeWhatIsAnnounced(t *testing.T) {
	list := "[" + strings.Repeat("0,", 2<<20) + "0]"
	for _, name := range []string{"tools", "include"} {
		r, err := Parse([]byte(`{"model":"m","input":"hi","`+name+`":`+list+`}`), dialect.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for what, do := range map[string]func(){
			"tools are asked for": func() { r.OffersTools() },
			"the profile is":      func() { r.Profile(llm.Wants{Tokens: true}) },
			"it is decoded":       func() { _, _ = r.Decode(nil) },
		} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			do()
			runtime.ReadMemStats(&after)
			took := int(after.TotalAlloc - before.TotalAlloc)
			t.Logf("%s: %s: a body of %d bytes: %d announced, %d allocated", name, what, len(r.Raw), r.Typed(), took)
			if took > r.Typed()+4*len(r.Raw) {
				t.Errorf("%s: %s: %d times the body", name, what, took/len(r.Raw))
			}
		}
	}
}
