package provider

import (
	"slices"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
)

// Where the models of the kinds with an address of their own are called and listed.
func TestAddressesOfKinds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ kind, base, call, list, table string }{
		{"github", "", "https://models.github.ai/inference/chat/completions", "https://models.github.ai/catalog/models", "github-models"},
		{"deepinfra", "", "https://api.deepinfra.com/v1/openai/chat/completions", "https://api.deepinfra.com/v1/openai/models", "deepinfra"},
		{"novita", "", "https://api.novita.ai/openai/v1/chat/completions", "https://api.novita.ai/openai/v1/models", "novita"},
		{"llama", "", "https://api.llama.com/compat/v1/chat/completions", "https://api.llama.com/compat/v1/models", "llama"},
		{"databricks", "https://w.cloud.databricks.com/serving-endpoints", "https://w.cloud.databricks.com/serving-endpoints/chat/completions", "https://w.cloud.databricks.com/serving-endpoints/models", "databricks"},
		{"snowflake", "https://a.snowflakecomputing.com/api/v2/cortex/v1", "https://a.snowflakecomputing.com/api/v2/cortex/v1/chat/completions", "https://a.snowflakecomputing.com/api/v2/cortex/v1/models", ""},
		{"cloudflare", "https://api.cloudflare.com/client/v4/accounts/a/ai/v1", "https://api.cloudflare.com/client/v4/accounts/a/ai/v1/chat/completions", "https://api.cloudflare.com/client/v4/accounts/a/ai/v1/models", "cloudflare-workers-ai"},
	} {
		p := newProvider(t, config.Provider{Kind: tt.kind, BaseURL: tt.base})
		if call, list := p.url(p.face("m"), 0, "m", false).String(), p.modelsURL().String(); call != tt.call || list != tt.list || p.table != tt.table {
			t.Errorf("%s: %s, %s, %s", tt.kind, call, list, p.table)
		}
	}
}

// What a kind takes of earlier turns counts as long as it is known who answers.
func TestHistoryOfKinds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind, base, like string
		ids              dialect.IDForm
		insists          bool
	}{
		{"openai", "", "", dialect.ShortID, false},
		{"openai", "http://127.0.0.1/v1", "", dialect.AnyID, false},
		{"openai", "http://127.0.0.1/v1", "deepseek/deepseek-v4-pro", dialect.AnyID, true},
		{"azure", "https://r.openai.azure.com/openai/v1", "", dialect.ShortID, false},
		{"mistral", "", "", dialect.NineOfID, false},
		{"moonshot", "", "", dialect.AnyID, true},
		{"together", "", "", dialect.AnyID, false},
	} {
		p := newProvider(t, config.Provider{Kind: tt.kind, BaseURL: tt.base})
		if h := p.Changes(parse(t, `{"model":"m","messages":[{}]}`), "m", tt.like, nil).History; h.IDs != tt.ids || h.Insists != tt.insists {
			t.Errorf("%s at %q like %q: %+v", tt.kind, tt.base, tt.like, h)
		}
	}
}

// A conversation as OpenAI's clients keep it, after an answer with only text, reaches every vendor in a form that it takes.
func TestMessagesForKinds(t *testing.T) {
	t.Parallel()
	const body = `{"model":"m","messages":[{"role":"developer","content":"x"},{"role":"user","name":"u","content":"x"},{"role":"assistant","content":"x","refusal":null,"annotations":[]}]}`
	const (
		developer, system = `{"role":"developer","content":"x"}`, `{"role":"system","content":"x"}`
		named, user       = `{"role":"user","name":"u","content":"x"}`, `{"role":"user","content":"x"}`
		whole, plain      = `{"role":"assistant","content":"x","refusal":null,"annotations":[]}`, `{"role":"assistant","content":"x"}`
	)
	for kind, want := range map[string]string{
		"openai": developer + "," + named + "," + whole, "xai": developer + "," + named + "," + whole,
		"mistral": system + "," + user + "," + plain,
		"groq":    developer + "," + named + "," + plain, "cerebras": developer + "," + named + "," + plain,
		"deepseek": system + "," + named + "," + whole, "moonshot": system + "," + named + "," + whole, "qwen": system + "," + named + "," + whole,
		"zai": system + "," + named + "," + whole, "perplexity": system + "," + named + "," + whole,
	} {
		r := parse(t, body)
		sent, applied := r.Encode(newProvider(t, config.Provider{Kind: kind}).Changes(r, "m", "", nil))
		if got := string(sent.Bytes()); got != `{"model":"m","messages":[`+want+`]}` {
			t.Errorf("%s: %s", kind, got)
		}
		if told := strings.Join(applied.Ignored, ","); (told == "messages[].name") != (kind == "mistral") || told != "" && kind != "mistral" {
			t.Errorf("%s: %q is told", kind, told)
		}
	}
}

// Azure's dated APIs are sent developers as the system, its other one as they are.
func TestDevelopersOfAzure(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{"": "developer", "2024-10-21": "system"} {
		cfg := config.Provider{Kind: "azure", BaseURL: "https://r.openai.azure.com/openai/v1", APIVersion: version}
		r := parse(t, `{"model":"m","messages":[{"role":"developer","content":"x"}]}`)
		sent, applied := r.Encode(newProvider(t, cfg).Changes(r, "m", "", nil))
		if got := string(sent.Bytes()); got != `{"model":"m","messages":[{"role":"`+want+`","content":"x"}]}` || len(applied.Ignored) > 0 {
			t.Errorf("version %q: %s", version, got)
		}
	}
}

// What OpenAI's API alone has is not sent to vendors that refuse what they do not know.
func TestOpenAIsAlone(t *testing.T) {
	t.Parallel()
	alone := []string{"store", "safety_identifier", "verbosity", "modalities", "audio", "web_search_options", "moderation", "prompt_cache_retention", "prompt_cache_options"}
	r := parse(t, `{"model":"m","messages":[{}],"`+strings.Join(alone, `":1,"`)+`":1,"prompt_cache_key":"k"}`)
	for _, kind := range []string{"mistral", "cerebras"} {
		sent, applied := r.Encode(newProvider(t, config.Provider{Kind: kind}).Changes(r, "m", "", nil))
		if got := string(sent.Bytes()); got != `{"model":"m","messages":[{}],"prompt_cache_key":"k"}` || !slices.Equal(applied.Ignored, alone) {
			t.Errorf("%s: %s without %q", kind, got, applied.Ignored)
		}
	}
}

// How much a model can answer with is asked of the table by its vendor's name, wherever it is served in the vendor's dialect.
func TestMaxOutput(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind, base, model, like string
		want                    int64
	}{
		{"anthropic", "", "claude-3-5-sonnet-20241022", "", 8192},
		{"anthropic", "http://127.0.0.1/v1", "claude-haiku-4-5-20251001", "", 64000},
		{"anthropic", "http://127.0.0.1/v1", "ours", "anthropic/claude-opus-4-1", 32000},
		{"anthropic", "", "ours", "", 0},
		{"openai", "http://127.0.0.1/v1", "gpt-5", "", 0},
	} {
		if got := newProvider(t, config.Provider{Kind: tt.kind, BaseURL: tt.base}).MaxOutput(tt.model, tt.like); got != tt.want {
			t.Errorf("%+v: %d", tt, got)
		}
	}
}

// The error of a missing base_url shows an example, and a general token alone does not make a provider.
func TestKindsOfAccounts(t *testing.T) {
	t.Parallel()
	loader := config.Loader{Kinds: catalog.ConfigKinds(), Env: func(name string) (string, bool) {
		return "a-token-for-many-things", !strings.HasSuffix(name, "_URL") && name != "OLLAMA_HOST"
	}}
	for _, k := range catalog.ConfigKinds() {
		if k.DefaultBaseURL != "" || k.Name == catalog.SimKind {
			continue
		}
		_, err := loader.Parse("-", []byte("providers: {p: {kind: "+k.Name+", api_key: k}}\n"))
		if err == nil || k.ExampleBaseURL == "" || !strings.Contains(err.Error(), "add the root of its API, as "+k.ExampleBaseURL) {
			t.Errorf("%s: %v", k.Name, err)
		}
	}
	cfg, err := loader.Default()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range cfg.Providers {
		row, _ := catalog.Find(p.Kind)
		if !strings.HasSuffix(row.Env, "_API_KEY") || row.BaseURL == "" {
			t.Errorf("%s is served because %s is set", p.Name, row.Env)
		}
	}
	if _, err := loader.Parse("-", loader.Starter("./s.json")); err != nil {
		t.Errorf("weir init writes %v", err)
	}
}

// What Voyage's API names or takes differently is known only of its own address. How many inputs a kind takes also
// holds at another: to send fewer does no harm.
func TestVoyage(t *testing.T) {
	t.Parallel()
	call, err := passthrough.ParseRequest(llm.Embeddings, []byte(`{"model":"m","input":"a","dimensions":8,"user":"u","encoding_format":"float"}`), 64)
	if err != nil {
		t.Fatal(err)
	}
	for base, want := range map[string]string{
		"":                      `{"model":"voyage-4","input":"a","output_dimension":8}`,
		"http://127.0.0.1:1/v1": `{"model":"voyage-4","input":"a","dimensions":8,"user":"u","encoding_format":"float"}`,
	} {
		p := newProvider(t, config.Provider{Kind: "voyage", BaseURL: base})
		body, applied := call.Encode(p.Changes(call, "voyage-4", "", nil))
		if string(body.Bytes()) != want || p.MaxInputs() != 1000 {
			t.Errorf("%q: %s, %+v, %d inputs", base, body.Bytes(), applied, p.MaxInputs())
		}
	}
}

// A cloud that serves the models of several vendors speaks to each in its dialect, and each has its rows in the table.
func TestFaces(t *testing.T) {
	t.Parallel()
	p := newProvider(t, config.Provider{Kind: "vertex", Project: "p", Region: "global"})
	for model, want := range map[string]llm.Dialect{"gemini-2.5-flash": llm.Vertex, "claude-haiku-4-5@20251001": llm.Anthropic, "": llm.Vertex} {
		if got := p.Dialect(model); got != want || !p.Serves(llm.Chat, model) || p.Serves(llm.Embeddings, model) != (want == llm.Vertex) || (p.Hosted(model) != "") != (want == llm.Anthropic) {
			t.Errorf("%q: %v, %q", model, got, p.Hosted(model))
		}
		if _, known := p.About(model, ""); known != (model != "") {
			t.Errorf("%q: known is %v", model, known)
		}
		if model != "" && !catalog.Known("vertex", model) {
			t.Errorf("nothing is known of %s", model)
		}
	}
	if got := p.url(p.face("gemini-2.5-flash"), llm.Chat, "gemini-2.5-flash", true).String(); got != "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse" {
		t.Error(got)
	}
	for model, want := range map[string]string{"text-embedding-005": ":predict", "gemini-embedding-001": ":predict", "gemini-embedding-2": ":embedContent"} {
		if got := p.url(p.face(model), llm.Embeddings, model, false).Path; got != "/v1/projects/p/locations/global/publishers/google/models/"+model+want || !p.Serves(llm.Embeddings, model) {
			t.Error(got)
		}
		if p.CanName(model + "/../x") {
			t.Errorf("%s leads out of its place", model)
		}
	}
	own := newProvider(t, config.Provider{Kind: "vertex", Project: "p", Region: "global", BaseURL: "http://127.0.0.1:1"})
	if _, known := own.About("gemini-2.5-flash", ""); known {
		t.Error("it is not known who answers at a base_url of one's own")
	}
}

// Perplexity's vectors are bytes; those at an address of your own may be anything.
func TestPerplexityVectors(t *testing.T) {
	t.Parallel()
	call, err := passthrough.ParseRequest(llm.Embeddings, []byte(`{"model":"m","input":"a","encoding_format":"base64"}`), 64)
	if err != nil {
		t.Fatal(err)
	}
	for base, want := range map[string]bool{"": true, "http://127.0.0.1:1/v1": false} {
		p := newProvider(t, config.Provider{Kind: "perplexity", BaseURL: base})
		if got := p.Changes(call, "pplx-embed-v1-4b", "", nil).Int8; got != want {
			t.Errorf("%q: %t", base, got)
		}
	}
}
