package app_test

import (
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/ledger/ledgertest"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

// meterings are what each endpoint is asked, by its address. %s is the model; Google's addresses have it.
var meterings = map[string]string{
	"/v1/chat/completions":                            `{"model":"%s","max_tokens":50,"messages":[{"role":"user","content":"hello there"}]}`,
	"/v1/messages":                                    `{"model":"%s","max_tokens":50,"messages":[{"role":"user","content":"hello there"}]}`,
	"/v1/messages/count_tokens":                       `{"model":"%s","messages":[{"role":"user","content":"hello there"}]}`,
	"/v1/responses":                                   `{"model":"%s","input":"hello there"}`,
	"/v1/responses/input_tokens":                      `{"model":"%s","input":"hello there"}`,
	"/v1/responses/compact":                           `{"model":"%s","input":"hello there"}`,
	"/v1/completions":                                 `{"model":"%s","max_tokens":50,"prompt":["hello","there"]}`,
	"/v1/embeddings":                                  `{"model":"%s","input":["hello","there"]}`,
	"/v1beta/models/%s:generateContent":               `{"contents":[{"role":"user","parts":[{"text":"hello there"}]}]}`,
	"/v1beta/models/%s:streamGenerateContent":         `{"contents":[{"role":"user","parts":[{"text":"hello there"}]}]}`,
	"/v1beta/models/%s:streamGenerateContent?alt=sse": `{"contents":[{"role":"user","parts":[{"text":"hello there"}]}]}`,
	"/v1beta/models/%s:countTokens":                   `{"contents":[{"role":"user","parts":[{"text":"hello there"}]}]}`,
	"/v1beta/models/%s:embedContent":                  `{"content":{"parts":[{"text":"hello there"}]}}`,
	"/v1beta/models/%s:batchEmbedContents":            `{"requests":[{"content":{"parts":[{"text":"hello"}]}},{"content":{"parts":[{"text":"there"}]}}]}`,
}

// addressOf is where an endpoint is.
func addressOf(in *dialect.Ingress) string {
	switch {
	case table.At(in.Path) != nil:
		return "/v1/" + in.Path
	case in.Plain != nil:
		return "/v1beta/models/%s:" + in.Path + "?alt=sse"
	default:
		return "/v1beta/models/%s:" + in.Path
	}
}

// meteredKinds are providers of each dialect, with a model that chats, and one that embeds, "" without one.
var meteredKinds = []struct{ name, provider, chats, embeds string }{
	{"openai", "kind: openai, api_key: k", "gpt-4o-mini", "text-embedding-3-small"},
	{"responses", "kind: openai, api_key: k, speaks: [responses]", "gpt-5-pro", ""},
	{"anthropic", "kind: anthropic, api_key: k", "claude-sonnet-4-5", ""},
	{"gemini", "kind: gemini, api_key: k", "gemini-2.5-flash", "gemini-embedding-2"},
	{"vertex", `kind: vertex, project: "12", region: global, headers: {Authorization: Bearer k}`, "gemini-2.5-flash", "gemini-embedding-001"},
	{"converse", "kind: bedrock, api_key: k", "amazon.nova-2-lite-v1:0", "amazon.titan-embed-text-v2:0"},
	{"invoke", "kind: bedrock, api_key: k", "anthropic.claude-sonnet-4-5-20250929-v1:0", "cohere.embed-english-v3"},
	{"cohere", "kind: cohere, api_key: k", "command-a-03-2025", "embed-v4.0"},
}

// withStream is a request for a stream, "" if the endpoint has none.
func withStream(in *dialect.Ingress, body string) string {
	asks := func(body string) bool {
		asked, err := in.Parse([]byte(body), dialect.ParseOptions{Model: "m"})
		return err == nil && asked.Scan().Stream
	}
	if with := strings.Replace(body, "{", `{"stream":true,`, 1); in.Endpoint != llm.Embeddings && !asks(body) && asks(with) {
		return with
	}
	return ""
}

// meteredConfig has models of each kind, all at one price.
func meteredConfig(up *apptest.Upstream, store string) string {
	providers, models := "", ""
	for _, k := range meteredKinds {
		base := up.URL()
		if k.name == "cohere" { // their paths differ by version
			base = strings.TrimSuffix(base, "/v1")
		}
		providers += fmt.Sprintf("  %s: {%s, base_url: %q, forward_headers: [X-Trace]}\n", k.name, k.provider, base)
		for use, model := range map[string]string{"chats": k.chats, "embeds": k.embeds} {
			if model != "" {
				models += fmt.Sprintf("  %s-%s: {targets: [{provider: %s, model: %q, price: {input: 1, output: 2}}]}\n", k.name, use, k.name, model)
			}
		}
	}
	return "store: sqlite:" + store + "\nproviders:\n" + providers + "models:\n" + models
}

// meter asks an endpoint at each kind, and returns the ids of its requests. Calls that only count tokens are not followed upstream.
func meter(t *testing.T, w *apptest.Weir, key string, in *dialect.Ingress) (ids []string) {
	t.Helper()
	address := addressOf(in)
	body, ok := meterings[address]
	if !ok {
		t.Errorf("%s is not metered: add to meterings what it is asked", address)
	}
	for _, k := range meteredKinds {
		model := k.name + "-chats"
		if in.Endpoint == llm.Embeddings {
			model = k.name + "-embeds"
		}
		if in.Endpoint == llm.Embeddings && k.embeds == "" {
			continue
		}
		for form, body := range map[string]string{"whole": body, "streamed": withStream(in, body)} {
			if body == "" {
				continue
			}
			named := strings.NewReplacer("%s", model)
			id := form + " " + named.Replace(address) + " " + k.name
			header := []string{"X-Request-Id", id}
			if in.Counting == nil {
				header = append(header, "X-Trace", id)
			}
			if a := post(t, w, key, named.Replace(address), named.Replace(body), header...); a.status != http.StatusOK {
				t.Errorf("%s: %d %s", id, a.status, a.body)
			}
			ids = append(ids, id)
		}
	}
	return ids
}

// Every endpoint is asked at every dialect, whole and streamed. Each call has one row, with the tokens that its provider reported. A request
// that only counts tokens has none. An endpoint that meterings lack fails.
func TestEveryEndpointIsMetered(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"log_header":"X-Trace"}`))
	path := filepath.Join(t.TempDir(), "weir.db")
	w := apptest.StartWith(t, meteredConfig(up, path))
	key := w.NewKey(t, "app")
	followed := map[string]bool{} // the requests that have rows
	for _, in := range table.All() {
		for _, id := range meter(t, w, key, in) {
			if in.Counting == nil {
				followed[id] = true
			}
		}
	}
	served, calls := up.Served(), 0
	for _, s := range served {
		if s.Client != "" {
			calls++
		}
	}
	rows := rowsOf(t, path, calls)
	for _, wrong := range ledgertest.Compare(served, rows, money.Plain(1_000_000, 2_000_000)).Wrong {
		t.Error(wrong)
	}
	asked := maps.Clone(followed)
	for _, r := range rows {
		if !followed[r.ClientID] {
			t.Errorf("%s: it has a row", r.ClientID)
		}
		delete(asked, r.ClientID)
		if r.Source != ledger.Reported || r.Flags != 0 || r.Usage.Input() == 0 || r.Cost == 0 {
			t.Errorf("%s: %+v", r.ClientID, r.Settlement)
		}
	}
	for id := range asked {
		t.Errorf("%s: it has no row", id)
	}
}
