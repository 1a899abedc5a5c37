package openai

import (
	"testing"

	"github.com/weirproxy/weir/internal/llm"
)

func TestWith(t *testing.T) {
	t.Parallel()
	added := llm.Added{
		Default: []llm.Param{{Name: "seed", Value: llm.JSON("1")}, {Name: `odd "name"`, Value: llm.JSON(`{"a":1}`)}},
		Set:     []llm.Param{{Name: "store", Value: llm.JSON("false")}, {Name: "top_k", Value: llm.JSON("5")}},
	}
	for _, tt := range []struct{ name, body, want, replaced string }{
		{
			"all are added", `{"model":"m","messages":[{}]}`,
			`{"model":"m","messages":[{}],"store":false,"top_k":5,"seed":1,"odd \"name\"":{"a":1}}`, "",
		},
		{
			"the caller's stay, those that are set do not", `{"seed":2,"store":true,"model":"m","messages":[{}],"odd \"name\"":3}`,
			`{"seed":2,"store":false,"model":"m","messages":[{}],"odd \"name\"":3,"top_k":5}`, "store",
		},
		{
			"null is as good as absence", `{"seed":null,"store":null,"model":"m","messages":[{}],"odd \"name\"":null,"top_k":5}`,
			`{"seed":1,"store":false,"model":"m","messages":[{}],"odd \"name\"":{"a":1},"top_k":5}`, "",
		},
		{
			"a name in another case is the same", `{"model":"m","messages":[{}],"TOP_K":6,"Seed":9,"store":false,"odd \"name\"":1}`,
			`{"model":"m","messages":[{}],"TOP_K":5,"Seed":9,"store":false,"odd \"name\"":1}`, "TOP_K",
		},
	} {
		r := mustParse(t, llm.Chat, tt.body)
		with, replaced, err := r.With(&added)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if string(with.Raw) != tt.want || replaced != tt.replaced || string(r.Raw) != tt.body {
			t.Errorf("%s: %s, %q replaced; want %s, %q", tt.name, with.Raw, replaced, tt.want, tt.replaced)
		}
	}
	same := mustParse(t, llm.Chat, `{"model":"m","messages":[{}],"top_k":5,"store":false,"seed":3,"odd \"name\"":1}`)
	if with, replaced, err := same.With(&added); with != same || replaced != "" || err != nil {
		t.Errorf("a request that has it all is copied: %v, %q, %v", with, replaced, err)
	}
}
