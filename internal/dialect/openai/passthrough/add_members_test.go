package passthrough

import (
	"slices"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
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
			`{"model":"m","messages":[{}],"top_k":5,"Seed":9,"store":false,"odd \"name\"":1}`, "TOP_K",
		},
		{
			"what is set holds under every spelling, and under its own", `{"model":"m","messages":[{}],"TOP_K":null,"Top_K":6,"seed":9,"store":false,"ſtore":true,"odd \"name\"":1}`,
			`{"model":"m","messages":[{}],"top_k":5,"Top_K":5,"seed":9,"store":false,"ſtore":false,"odd \"name\"":1}`, "ſtore",
		},
		{
			"a null in another case does not take the place of what is set", `{"model":"m","messages":[{}],"top_k":5,"TOP_K":null,"Seed":null,"store":false,"odd \"name\"":1}`,
			`{"model":"m","messages":[{}],"top_k":5,"TOP_K":5,"seed":1,"store":false,"odd \"name\"":1}`, "",
		},
	} {
		r := mustParse(t, llm.Chat, tt.body)
		with, replaced, err := r.With(&added, llm.Chat, nil)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if string(with.Scan().Raw) != tt.want || replaced != tt.replaced || string(r.Raw) != tt.body {
			t.Errorf("%s: %s, %q replaced; want %s, %q", tt.name, with.Scan().Raw, replaced, tt.want, tt.replaced)
		}
	}
	same := mustParse(t, llm.Chat, `{"model":"m","messages":[{}],"top_k":5,"store":false,"seed":3,"odd \"name\"":1}`)
	if with, replaced, err := same.With(&added, llm.Chat, nil); with != dialect.Request(same) || replaced != "" || err != nil {
		t.Errorf("a request that has it all is copied: %v, %q, %v", with, replaced, err)
	}
}

// Both names of the bound on an answer are one parameter.
func TestWithBothNamesOfTheBound(t *testing.T) {
	t.Parallel()
	byDefault, set := llm.Added{Default: []llm.Param{{Name: "max_tokens", Value: llm.JSON("9")}}}, llm.Added{Set: []llm.Param{{Name: "max_tokens", Value: llm.JSON("9")}}}
	for _, tt := range []struct {
		added                *llm.Added
		body, want, replaced string
	}{
		{&byDefault, `{"max_completion_tokens":5,"messages":[{}]}`, `{"max_completion_tokens":5,"messages":[{}]}`, ""},
		{&byDefault, `{"max_completion_tokens":null,"messages":[{}]}`, `{"max_completion_tokens":null,"messages":[{}],"max_tokens":9}`, ""},
		{&byDefault, `{"max_completion_tokens":5,"messages":[{}],"max_tokens":null}`, `{"max_completion_tokens":5,"messages":[{}],"max_tokens":null}`, ""},
		{&set, `{"max_completion_tokens":5,"messages":[{}]}`, `{"max_tokens":9,"messages":[{}]}`, "max_completion_tokens"},
		{&set, `{"max_completion_tokens":9,"messages":[{}]}`, `{"max_tokens":9,"messages":[{}]}`, ""},
		{&set, `{"max_completion_tokens":5,"messages":[{}],"max_tokens":6}`, `{"max_completion_tokens":9,"messages":[{}],"max_tokens":9}`, "max_completion_tokens"},
	} {
		with, replaced, err := mustParse(t, llm.Chat, strings.Replace(tt.body, "{", `{"model":"m",`, 1)).With(tt.added, llm.Chat, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Replace(string(with.Scan().Raw), `"model":"m",`, "", 1); got != tt.want || replaced != tt.replaced {
			t.Errorf("%s becomes %s, %q replaced", tt.body, got, replaced)
		}
	}
}

// An endpoint is sent no parameters that it does not have, but all of a vendor's own.
func TestWithWhatTheEndpointHas(t *testing.T) {
	t.Parallel()
	added := llm.Added{Default: []llm.Param{{Name: "tools", Value: llm.JSON("[]")}, {Name: "stop", Value: llm.JSON(`"x"`)}, {Name: "truncate", Value: llm.JSON("true")}}}
	for endpoint, want := range map[llm.Endpoint]string{
		llm.Completions: `{"model":"m","prompt":"p","stop":"x","truncate":true}`,
		llm.Embeddings:  `{"model":"m","input":"p","truncate":true}`,
	} {
		body := map[llm.Endpoint]string{llm.Completions: `{"model":"m","prompt":"p"}`, llm.Embeddings: `{"model":"m","input":"p"}`}[endpoint]
		with, _, err := mustParse(t, endpoint, body).With(&added, endpoint, nil)
		if err != nil || string(with.Scan().Raw) != want {
			t.Errorf("%s, %v", with.Scan().Raw, err)
		}
	}
}

func TestListsOfParametersAreSorted(t *testing.T) {
	t.Parallel()
	if !slices.IsSorted(chatParams) || !slices.IsSorted(textParams) {
		t.Error("they are searched by halves")
	}
}
