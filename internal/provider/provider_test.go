package provider

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/secret"
)

var identity = Identity{UserAgent: "weir/test", Via: "1.1 weir-test"}

func newProvider(t testing.TB, cfg config.Provider) *Provider {
	t.Helper()
	cfg.Name = "p"
	p, err := New(cfg, identity)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func parse(t testing.TB, body string) *passthrough.Request {
	t.Helper()
	r, err := passthrough.ParseRequest(llm.Chat, []byte(body), 64)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// chatCall is a call with a small body.
func chatCall(t testing.TB) Call {
	body, _ := parse(t, `{"model":"m","messages":[{}]}`).Encode(dialect.Changes{Model: "up"})
	return Call{Endpoint: llm.Chat, Model: "up", Body: body}
}

func TestURL(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		cfg      config.Provider
		endpoint llm.Endpoint
		model    string
		want     string
	}{
		{config.Provider{Kind: "openai"}, llm.Chat, "m", "https://api.openai.com/v1/chat/completions"},
		{config.Provider{Kind: "openai", BaseURL: "http://127.0.0.1:1/x/v1"}, llm.Embeddings, "m", "http://127.0.0.1:1/x/v1/embeddings"},
		{config.Provider{Kind: "zai"}, llm.Completions, "m", "https://api.z.ai/api/paas/v4/completions"},
		{config.Provider{Kind: "perplexity"}, llm.Chat, "m", "https://api.perplexity.ai/chat/completions"},
		{config.Provider{Kind: "perplexity"}, llm.Embeddings, "m", "https://api.perplexity.ai/v1/embeddings"},
		{config.Provider{Kind: "azure", BaseURL: "https://r.openai.azure.com/openai/v1"}, llm.Chat, "d", "https://r.openai.azure.com/openai/v1/chat/completions"},
		{
			config.Provider{Kind: "azure", BaseURL: "https://r.openai.azure.com", APIVersion: "2024-10-21"},
			llm.Chat, "my d/x?",
			"https://r.openai.azure.com/openai/deployments/my%20d%2Fx%3F/chat/completions?api-version=2024-10-21",
		},
		{
			config.Provider{Kind: "vertex", Project: "p", Region: "us-east5"},
			llm.Chat, "claude-sonnet-4-5@20250929",
			"https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict",
		},
		{
			config.Provider{Kind: "vertex", Project: "p", Region: "europe-west1"},
			llm.Chat, "gemini-2.5-flash",
			"https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/europe-west1/publishers/google/models/gemini-2.5-flash:generateContent",
		},
		{
			config.Provider{Kind: "vertex", Project: "example.com:p", Region: "global"},
			llm.Chat, "claude-x/../y",
			"https://aiplatform.googleapis.com/v1/projects/example.com:p/locations/global/publishers/anthropic/models/claude-x%2F..%2Fy:rawPredict",
		},
		{
			config.Provider{Kind: "vertex", Project: "p", Region: "eu"},
			llm.Chat, "claude-x",
			"https://aiplatform.eu.rep.googleapis.com/v1/projects/p/locations/eu/publishers/anthropic/models/claude-x:rawPredict",
		},
		{
			config.Provider{Kind: "vertex", Project: "p", Region: "eu", BaseURL: "http://127.0.0.1:1/v1"},
			llm.Chat, "claude-x",
			"http://127.0.0.1:1/v1/projects/p/locations/eu/publishers/anthropic/models/claude-x:rawPredict",
		},
	} {
		p := newProvider(t, tt.cfg)
		if got := p.url(p.face(tt.model), tt.endpoint, tt.model, false).String(); got != tt.want {
			t.Errorf("%s\nwant %s", got, tt.want)
		}
	}
}

// Every row must be usable as it is, and say what the config loader needs to know.
func TestKinds(t *testing.T) {
	t.Parallel()
	names := make([]string, 0, len(catalog.Kinds()))
	for _, k := range catalog.ConfigKinds() {
		names = append(names, k.Name)
		base := ""
		if k.DefaultBaseURL == "" {
			base = "http://127.0.0.1:1/v1"
		}
		newProvider(t, config.Provider{Kind: k.Name, BaseURL: base})
	}
	want := []string{
		"openai", "azure", "anthropic", "vertex", "cohere", "gemini", "bedrock", "groq", "together", "fireworks", "deepseek", "xai", "openrouter", "perplexity", "cerebras", "nvidia",
		"huggingface", "mistral", "voyage", "moonshot", "qwen", "zai", "sambanova",
		"deepinfra", "baseten", "nebius", "scaleway", "vercel", "avian", "crusoe",
		"minimax", "novita", "siliconflow", "ovhcloud", "heroku", "llama", "nova",
		"github", "databricks", "snowflake", "cloudflare", "ollama", "lmstudio", "vllm", "llama.cpp", "sim",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

// Every kind that a variable alone makes a provider of has a model to try it with.
func TestExampleModels(t *testing.T) {
	t.Parallel()
	for _, k := range catalog.ConfigKinds() {
		if k.Name == "voyage" { // has embeddings only, while the line to try is a chat
			continue
		}
		if example := catalog.ExampleModel(k.Name); (example == "") != (k.EnvVar == "") {
			t.Errorf("the example model of %s is %q", k.Name, example)
		}
	}
	if got := catalog.ExampleModel("unknown"); got != "" {
		t.Errorf("an unknown kind has %q", got)
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	stream := parse(t, `{"model":"m","messages":[{}],"stream":true,"seed":1,"max_completion_tokens":2,"logit_bias":{"1":1}}`)
	for _, tt := range []struct {
		name string
		cfg  config.Provider
		want string
	}{
		{"a kind without changes asks for usage", config.Provider{Kind: "openai"}, `{"model":"up","messages":[{}],"stream":true,"seed":1,"max_completion_tokens":2,"logit_bias":{"1":1},"stream_options":{"include_usage":true}}`},
		{"a kind's row", config.Provider{Kind: "mistral"}, `{"model":"up","messages":[{}],"stream":true,"random_seed":1,"max_tokens":2}`},
		{"a base URL of one's own empties the row", config.Provider{Kind: "mistral", BaseURL: "http://127.0.0.1:1"}, `{"model":"up","messages":[{}],"stream":true,"seed":1,"max_completion_tokens":2,"logit_bias":{"1":1},"stream_options":{"include_usage":true}}`},
		{"params override the row", config.Provider{Kind: "mistral", Params: config.Params{Rename: map[string]string{"seed": "x"}, Omit: []string{}}}, `{"model":"up","messages":[{}],"stream":true,"x":1,"max_completion_tokens":2,"logit_bias":{"1":1}}`},
		{"usage never", config.Provider{Kind: "openai", StreamUsage: config.StreamUsageNever}, `{"model":"up","messages":[{}],"stream":true,"seed":1,"max_completion_tokens":2,"logit_bias":{"1":1}}`},
		{"usage always", config.Provider{Kind: "fireworks", StreamUsage: config.StreamUsageAlways}, `{"model":"up","messages":[{}],"stream":true,"seed":1,"max_completion_tokens":2,"logit_bias":{"1":1},"stream_options":{"include_usage":true}}`},
	} {
		body, _ := stream.Encode(newProvider(t, tt.cfg).Changes(stream, "up", "", nil))
		if got := string(body.Bytes()); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// What is known of a model changes what it is sent, unless the config says otherwise or it is not known who answers.
func TestChangesForModels(t *testing.T) {
	t.Parallel()
	const azure = "https://r.openai.azure.com/openai/v1"
	const body = `{"model":"m","messages":[{}],"temperature":0,"max_tokens":2}`
	const whole, renamed, bare = `"temperature":0,"max_tokens":2`, `"temperature":0,"max_completion_tokens":2`, `"max_completion_tokens":2`
	for _, tt := range []struct {
		name        string
		cfg         config.Provider
		model, like string
		want        string
	}{
		{"a model that refuses both", config.Provider{Kind: "openai"}, "gpt-5-2025-08-07", "", bare},
		{"one that takes both", config.Provider{Kind: "openai"}, "gpt-4o", "", whole},
		{"one that reasons only if asked", config.Provider{Kind: "openai"}, "gpt-5.1", "", renamed},
		{"one of which nothing is known", config.Provider{Kind: "openai"}, "up", "", whole},
		{"a base URL of one's own", config.Provider{Kind: "openai", BaseURL: "http://127.0.0.1:1/v1"}, "gpt-5", "", whole},
		{"Azure", config.Provider{Kind: "azure", BaseURL: azure}, "gpt-5", "", bare},
		{"Azure's dated API", config.Provider{Kind: "azure", BaseURL: "https://r.cognitiveservices.azure.com", APIVersion: "2024-10-21"}, "gpt-5", "", bare},
		{"a deployment", config.Provider{Kind: "azure", BaseURL: azure}, "ours", "", whole},
		{"a deployment of which the config says what it is", config.Provider{Kind: "azure", BaseURL: azure}, "ours", "openai/gpt-5", bare},
		{"a deployment that is not what it is called", config.Provider{Kind: "azure", BaseURL: azure}, "gpt-5", "openai/gpt-4o", whole},
		{"Azure behind something else", config.Provider{Kind: "azure", BaseURL: "https://azure.com.example.com/v1"}, "gpt-5", "", whole},
		{"a server of which the config says what it has", config.Provider{Kind: "openai", BaseURL: "http://127.0.0.1:1/v1"}, "up", "openai/gpt-5", bare},
		{"the config renames nothing", config.Provider{Kind: "openai", Params: config.Params{Rename: map[string]string{}}}, "gpt-5", "", `"max_tokens":2`},
		{"the config leaves out nothing", config.Provider{Kind: "openai", Params: config.Params{Omit: []string{}}}, "gpt-5", "", renamed},
		{"beside the kind's own row", config.Provider{Kind: "deepseek"}, "up", "openai/gpt-5", bare},
		{"a vendor named otherwise in the table", config.Provider{Kind: "moonshot"}, "kimi-k2.5", "", `"max_tokens":2`},
	} {
		r := parse(t, body)
		encoded, _ := r.Encode(newProvider(t, tt.cfg).Changes(r, tt.model, tt.like, nil))
		if got, want := string(encoded.Bytes()), `{"model":"`+tt.model+`","messages":[{}],`+tt.want+`}`; got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, want)
		}
	}
}

// The effort that a request asks for decides, however it is spelled, and only in chats.
func TestChangesByEffort(t *testing.T) {
	t.Parallel()
	p := newProvider(t, config.Provider{Kind: "openai"})
	for members, left := range map[string]bool{
		``: false, `,"reasoning_effort":null`: false, `,"reasoning_effort":"none"`: false, `,"reasoning_effort":"n\u006fne"`: false,
		`,"reasoning_effort":"low"`: true, `,"reasoning_effort":5`: false,
	} {
		r := parse(t, `{"model":"m","messages":[{}],"top_p":0.5`+members+`}`)
		if lost := r.Loses(p.Changes(r, "gpt-5.1", "", nil)); (lost == "top_p") != left {
			t.Errorf("%s: %q is left out", members, lost)
		}
	}
	for tools, left := range map[string]bool{
		``: false, `,"tools":null`: false, `,"tools":[ ]`: false, `,"tools":[{}]`: true, `,"functions":[{}]`: true,
	} {
		r := parse(t, `{"model":"m","messages":[{}],"reasoning_effort":"low"`+tools+`}`)
		if lost := r.Loses(p.Changes(r, "gpt-5.4", "", nil)); (lost == "reasoning_effort") != left {
			t.Errorf("%s: %q is left out", tools, lost)
		}
	}
	r, err := passthrough.ParseRequest(llm.Completions, []byte(`{"model":"m","prompt":"p","max_tokens":2,"temperature":0}`), 64)
	if err != nil {
		t.Fatal(err)
	}
	if c := p.Changes(r, "gpt-5", "", nil); len(c.Rename) > 0 || len(c.Omit) > 0 {
		t.Errorf("a legacy call is changed: %+v", c)
	}
}

// Every vendor's name leads to rows of the table, but for kinds of servers that may have any model and for those without data.
func TestKindsInTheTable(t *testing.T) {
	t.Parallel()
	without := []string{
		"sambanova", "deepinfra", "baseten", "nebius", "scaleway", "vercel", "avian", "crusoe", "snowflake", "ollama", "lmstudio", "vllm", "llama.cpp", "sim", "voyage",
		"minimax", "novita", "siliconflow", "ovhcloud", "heroku", "llama", "nova",
	}
	example := map[string]string{
		"azure": "gpt-5", "xai": "grok-4.3", "together": "meta-llama/Llama-3.3-70B-Instruct-Turbo", "deepseek": "deepseek-v4-pro", "vertex": "claude-haiku-4-5@20251001",
		"nvidia": "openai/gpt-oss-120b", "huggingface": "deepseek-ai/DeepSeek-V3.2",
	}
	for _, k := range catalog.ConfigKinds() {
		model := example[k.Name]
		if model == "" {
			model = catalog.ExampleModel(k.Name)
		}
		if catalog.Known(k.Name, model) == slices.Contains(without, k.Name) {
			t.Errorf("%s %s: known is %v", k.Name, model, catalog.Known(k.Name, model))
		}
	}
	if catalog.Known("unknown", "gpt-5") {
		t.Error("something is known of an unknown kind")
	}
}

func TestAbout(t *testing.T) {
	t.Parallel()
	p := newProvider(t, config.Provider{Kind: "openai"})
	if row, ok := p.About("gpt-5-2025-08-07", ""); !ok || row.Context != 400_000 {
		t.Errorf("%+v %v", row, ok)
	}
	if row, ok := p.About("x", "groq/llama-3.3-70b-versatile"); !ok || row.Vendor != "groq" {
		t.Errorf("%+v %v", row, ok)
	}
	own := newProvider(t, config.Provider{Kind: "openai", BaseURL: "http://127.0.0.1:1/v1"})
	if row, ok := own.About("gpt-5", ""); ok {
		t.Errorf("at a base URL of one's own: %+v", row)
	}
}

func TestLacks(t *testing.T) {
	t.Parallel()
	p := newProvider(t, config.Provider{Kind: "openai"})
	for model, want := range map[string]llm.Ability{
		"gpt-4o":        llm.TakesAudio,
		"gpt-5-mini":    llm.TakesAudio | llm.TakesFiles,
		"gpt-3.5-turbo": llm.TakesImages | llm.TakesAudio | llm.TakesFiles | llm.TakesTools | llm.TakesSchema,
	} {
		row, _ := p.About(model, "")
		if got := Lacks(&row); got != want {
			t.Errorf("%s lacks %05b, want %05b", model, got, want)
		}
	}
}

func TestCallHeaders(t *testing.T) {
	t.Parallel()
	seen := make(chan http.Header, 1)
	up := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen <- r.Header }))
	defer up.Close()
	p := newProvider(t, config.Provider{
		Kind: "openai", BaseURL: up.URL, APIKeys: []secret.Text{secret.New("k1"), secret.New("k2")},
		Headers: map[string]secret.Text{"x-title": secret.New("weir"), "X-Own": secret.New("ours")}, ForwardHeaders: []string{"x-trace", "x-own"},
	})
	call := chatCall(t)
	call.Credential = 1
	call.Caller = http.Header{
		"Authorization": {"Bearer caller"}, "X-Trace": {"t"}, "X-Other": {"o"}, "Cookie": {"c"}, "X-Own": {"theirs"}, "Via": {"1.0 a", "1.1 b"}, "Accept-Encoding": {"br"},
		"Openai-Organization": {"org"}, "X-Stainless-Lang": {"python"}, "X-Forwarded-For": {"1.2.3.4"}, "Connection": {"close"},
	}
	resp, err := p.Do(t.Context(), call)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	want := http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json"}, "User-Agent": {"weir/test"}, "Content-Length": {"30"},
		"Via": {"1.0 a, 1.1 b, 1.1 weir-test"}, "Authorization": {"Bearer k2"}, "X-Title": {"weir"}, "X-Own": {"ours"}, "X-Trace": {"t"},
	}
	if diff := cmp.Diff(want, <-seen); diff != "" {
		t.Error(diff)
	}
	call.Caller, call.Stream = nil, true
	if resp, err = p.Do(t.Context(), call); err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if h := <-seen; h.Get("Accept") != "text/event-stream" || h.Get("Via") != identity.Via {
		t.Errorf("%v", h)
	}
}

func TestAzureCredential(t *testing.T) {
	t.Parallel()
	p := newProvider(t, config.Provider{Kind: "azure", BaseURL: "http://127.0.0.1:1", APIKey: secret.New("k")})
	if h := p.headers[0].whole; h.Get("Api-Key") != "k" || h.Get("Authorization") != "" {
		t.Errorf("%v", h)
	}
}

func TestConnectError(t *testing.T) {
	t.Parallel()
	dead := httptest.NewServer(nil)
	dead.Close()
	var unreachable *ConnectError
	if _, err := newProvider(t, config.Provider{Kind: "openai", BaseURL: dead.URL}).Do(t.Context(), chatCall(t)); !errors.As(err, &unreachable) {
		t.Errorf("%v", err)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	stolen := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	defer stolen.Close()
	up := httptest.NewServer(http.RedirectHandler(stolen.URL, http.StatusTemporaryRedirect))
	defer up.Close()
	p := newProvider(t, config.Provider{Kind: "openai", BaseURL: up.URL, APIKey: secret.New("k")})
	resp, err := p.Do(t.Context(), chatCall(t))
	if err != nil || resp.StatusCode != http.StatusTemporaryRedirect {
		t.Fatalf("%v %v", resp, err)
	}
	resp.Body.Close()
	if _, err := p.Models(t.Context()); err == nil {
		t.Error("a redirect was taken for a list of models")
	}
}

func TestDecompression(t *testing.T) {
	t.Parallel()
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "" {
			t.Error("compression was offered")
		}
		encoding := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/"), "/chat/completions")
		w.Header().Set("Content-Encoding", encoding)
		if encoding == "gzip" {
			z := gzip.NewWriter(w)
			_, _ = z.Write([]byte("hello"))
			_ = z.Close()
			return
		}
		_, _ = w.Write([]byte("hello"))
	}))
	defer up.Close()
	for encoding, ok := range map[string]bool{"gzip": true, "identity": true, "br": false} {
		p := newProvider(t, config.Provider{Kind: "openai", BaseURL: up.URL + "/" + encoding})
		resp, err := p.Do(t.Context(), chatCall(t))
		if (err == nil) != ok {
			t.Errorf("%s: %v", encoding, err)
		}
		if err != nil {
			continue
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil || string(body) != "hello" || resp.Body.Close() != nil {
			t.Errorf("%s: %q %v", encoding, body, err)
		}
	}
}

func TestParseModels(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, body string
		want       []ModelInfo
	}{
		{"OpenAI, sorted and each once", `{"object":"list","data":[{"id":"b","created":2},{"id":"a","created":1},{"id":"b","created":2}]}`, []ModelInfo{{ID: "a", Created: 1}, {ID: "b", Created: 2}}},
		{"a bare list", `[{"id":"a","context_length":8}]`, []ModelInfo{{ID: "a", ContextLength: 8}}},
		{"what vendors add", `{"data":[{"id":"a","name":"A","context_window":9,"max_completion_tokens":3},{"id":"b","name":"b","max_context_length":7},{"id":"c","max_model_len":5,"created":"yesterday"}]}`, []ModelInfo{{ID: "a", DisplayName: "A", ContextLength: 9, MaxOutputTokens: 3}, {ID: "b", ContextLength: 7}, {ID: "c", ContextLength: 5}}},
		{"Cohere's, of which some can be called", `{"models":[{"name":"command","endpoints":["chat","rerank"],"context_length":128000.0},{"name":"rerank","endpoints":["rerank"]},{"name":"embed","endpoints":["embed"],"context_length":512}],"next_page_token":""}`, []ModelInfo{{ID: "command", ContextLength: 128000}, {ID: "embed", ContextLength: 512}}},
		{
			"Google's, those that can be called", `{"models":[{"name":"models/gemini-x","version":"1","displayName":"Gemini X","inputTokenLimit":9,"outputTokenLimit":3,"supportedGenerationMethods":["generateContent"]},{"name":"models/veo","supportedGenerationMethods":["predict"]},{"name":"models/e","displayName":"e","supportedGenerationMethods":["embedContent"]}],"nextPageToken":"x"}`,
			[]ModelInfo{{ID: "e"}, {ID: "gemini-x", DisplayName: "Gemini X", ContextLength: 9, MaxOutputTokens: 3}},
		},
		{"entries without id", `{"data":[{"x":1},{"id":""}]}`, []ModelInfo{}},
		{"null", `{"data":null}`, []ModelInfo{}},
		{"nothing in it", `{}`, []ModelInfo{}},
		{"other members before and behind", `{"x":{"data":[1]},"data":[{"id":"a"}],"y":[]}`, []ModelInfo{{ID: "a"}}},
	} {
		got, err := parseModels(strings.NewReader(tt.body))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
	for name, body := range map[string]string{
		"a web page": `<html>`, "nothing": ``, "a text": `"a"`, "a list that is none": `{"data":7}`, "half a list": `{"data":[{"id":"a"}`,
		"more models than there can be": `[` + strings.Repeat(`{"id":"a"},`, maxModels) + `{"id":"a"}]`,
	} {
		if got, err := parseModels(strings.NewReader(body)); err == nil {
			t.Errorf("%s was taken for a list: %v", name, got)
		}
	}
	long := strings.Repeat("a", maxModelID+1)
	if got, err := parseModels(strings.NewReader(`[{"id":"` + long + `"},{"id":"a","name":"` + long + `"}]`)); err != nil || len(got) != 1 || got[0].DisplayName != "" {
		t.Errorf("names of any length: %v %v", got, err)
	}
}

// A caller's text may be in a message, and must not look like a refusal of the credential.
func TestBadKey(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind, message string
		want          bool
	}{
		{"gemini", "API key not valid. Please pass a valid API key.", true},
		{"gemini", "API key expired. Please renew the API key.", true},
		{"gemini", `Invalid JSON payload received. Unknown name "API key." at 'tools[0].function_declarations[0].parameters': Cannot find field.`, false},
		{"anthropic", "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.", true},
		{"anthropic", "tools.0.Your credit balance is too low: Extra inputs are not permitted", false},
		{"anthropic", "messages.0.content.0.image.source.media_type: 'Your credit balance is too low' is not permitted", false},
		{"bedrock", "Authentication failed: Please make sure your API Key is valid.", true},
		{"bedrock", "The value at toolConfig 'your API Key is valid.' failed to satisfy a constraint", false},
		{"xai", "Incorrect API key provided: xa***ab. You can obtain an API key from https://console.x.ai.", true},
		{"xai", `Invalid arguments: unknown variant "Incorrect API key"`, false},
		{"openai", "Incorrect API key", false},
		{"openai", "", false},
	} {
		p := newProvider(t, config.Provider{Kind: c.kind, BaseURL: "http://127.0.0.1:1", APIKey: secret.New("k"), Region: "r"})
		if got := p.BadKey(c.message); got != c.want {
			t.Errorf("%s: %q: %v", c.kind, c.message, got)
		}
	}
}

func TestNoListOfDeployments(t *testing.T) {
	t.Parallel()
	p := newProvider(t, config.Provider{Kind: "azure", BaseURL: "http://127.0.0.1:1", APIVersion: "v"})
	if _, err := p.Models(context.Background()); !errors.Is(err, ErrNoModelList) {
		t.Error(err)
	}
}

// The port that a scheme has anyway is left out of the host, as clients do: a signature over it must fit what is sent.
func TestDefaultPortIsNotNamed(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://up.test:443/v1": "up.test", "http://up.test:80/v1": "up.test", "https://up.test:80/v1": "up.test:80", "http://[::1]:80/v1": "[::1]", "http://up.test:443/v1": "up.test:443",
	} {
		if got := newProvider(t, config.Provider{Kind: "openai", BaseURL: address}).base.Host; got != want {
			t.Errorf("%s: %q", address, got)
		}
	}
}
