package spend

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/relay"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/secret"
)

// What a vendor may add to a prompt is recognised in every dialect, and the caller's own functions are not taken for it.
func TestWhatAVendorMayAdd(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`{"messages":[{"role":"user","content":"an \"type\":\"image\" in words"}]}`:                                       false,
		`{"tools":[{"type":"function","function":{"name":"f"}},{"type":"custom","name":"g"}]}`:                            false,
		`{"tools":[{"name":"f","input_schema":{"type":"object"}}]}`:                                                       false,
		`{"tools":[{"functionDeclarations":[{"name":"f"}]}]}`:                                                             false,
		`{"tools":null,"web_search_options":null,"plugins":null}`:                                                         false,
		`{"prompt":"a legacy prompt"}`:                                                                                    false,
		`{"tools":[{"type":"web_search"}]}`:                                                                               true,
		`{"tools":[{"type":"web_search_20250305","name":"web_search"}]}`:                                                  true,
		`{"tools":[{"googleSearch":{}}]}`:                                                                                 true,
		`{"tools":[{"functionDeclarations":[],"urlContext":{}}]}`:                                                         true,
		`{"tools":{"googleSearch":{}}}`:                                                                                   true,
		`{"tools":["web"]}`:                                                                                               true,
		`{"web_search_options":{}}`:                                                                                       true,
		`{"search_parameters":{"mode":"on"}}`:                                                                             true,
		`{"mcp_servers":[{}]}`:                                                                                            true,
		`{"plugins":[{"id":"web"}]}`:                                                                                      true,
		`{"cachedContent":"cachedContents/1"}`:                                                                            true,
		`{"prompt":{"id":"pmpt_1"}}`:                                                                                      true,
		`{"conversation":"conv_1"}`:                                                                                       true,
		`{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:,"}}]}]}`:                    true,
		`{"messages":[{"role":"user","content":[{"type": "document","source":{}}]}]}`:                                     true,
		`{"input":[{"type":"item_reference","id":"i"}]}`:                                                                  true,
		`{"input":[{"role":"user","content":[{"type":"input_file","file_id":"f"}]}]}`:                                     true,
		`{"messages":[{"role":"user","content":[{"type" :  "document","source":{}}]}]}`:                                   true,
		`{"messages":[{"role":"user","content":[{"image":{"format":"png","source":{"bytes":""}}}]}]}`:                     true,
		`{"input":[{"type":"computer_call_output","call_id":"c","output":{"type":"computer_screenshot","file_id":"f"}}]}`: true,
		`{"messages":[{"role":"assistant","audio":{"id":"audio_1"}}]}`:                                                    true,
		`{"audio":{"voice":"alloy","format":"mp3"},"modalities":["text","audio"],"messages":[]}`:                          false,
		`{"messages":[],"toolConfig":{"tools":[{"systemTool":{"name":"nova_grounding"}}]}}`:                               true,
		`{"messages":[],"toolConfig":{"tools":[{"toolSpec":{"name":"f"}},{"cachePoint":{}}]}}`:                            false,
		`{"tools":[{"name":"f","input_schema":{"properties":{"image":{"type":"string"}}}}]}`:                              false,
		`{"tools":[{"name":"f","input_schema":{"properties":{"type":{"type":"string"}}}}]}`:                               false,
		`{"tools":[{"name":"f","input_schema":{"type":["object","null"]}}]}`:                                              false,
		`{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":""}}]}]}`:                                    true,
	} {
		if got := opaque(body); got != want {
			t.Errorf("%v: %s", got, body)
		}
	}
}

// opaque reports whether the model may read more than a body has.
func opaque(body string) bool {
	var p budget.Prompt
	read([]byte(body), llm.OpenAI, &p, new(budget.Answer))
	return p.Opaque
}

// What a body says of its call is read in the words of its dialect. What these do not name bounds nothing.
func TestWhatABodySays(t *testing.T) {
	t.Parallel()
	type says struct {
		most, n     int64
		tools, hour bool
		tier        string
	}
	for _, tt := range []struct {
		dialect llm.Dialect
		body    string
		want    says
	}{
		{llm.OpenAI, `{"max_tokens":7}`, says{most: 7, n: 1}},
		{llm.OpenAI, `{"max_tokens":7,"max_completion_tokens":9,"n":3}`, says{most: 9, n: 3}},
		{llm.OpenAI, `{"Max_Tokens":7.5,"MAX_TOKENS":"8"}`, says{most: 8, n: 1}},
		{llm.OpenAI, `{"max_tokens":null,"n":null,"service_tier":"flex"}`, says{n: 1, tier: "flex"}},
		{llm.OpenAI, `{"max_tokens":0}`, says{n: 1}},
		{llm.OpenAI, `{"max_tokens":-1}`, says{n: 1}},
		{llm.OpenAI, `{"max_tokens":"many"}`, says{n: 1}},
		{llm.OpenAI, `{"max_output_tokens":7,"max_new_tokens":7}`, says{n: 1}},
		{llm.OpenAI, `{"prompt":["a","b"],"n":2,"best_of":5}`, says{n: 10}},
		{llm.OpenAI, `{"prompt":[[1,2],[3]]}`, says{n: 2}},
		{llm.OpenAI, `{"prompt":[1,2,3]}`, says{n: 1}},
		{llm.OpenAI, `{"n":1e300,"prompt":["a","b"]}`, says{n: 1<<31 - 1}},
		{llm.OpenAI, `{"n":{}}`, says{n: 1<<31 - 1}},
		{llm.OpenAI, `{"n":5,"N":1,"prompt":["a","b"],"Prompt":"c"}`, says{n: 10}},
		{llm.OpenAI, `{"best_of":5,"Best_Of":1}`, says{n: 5}},
		{llm.Gemini, `{"generationConfig":{"candidateCount":8,"candidate_count":1}}`, says{n: 8}},
		{llm.OpenAI, `{"service_tier":"priority","Service_Tier":"default"}`, says{n: 1, tier: severalTiers}},
		{llm.OpenAI, `{"Service_Tier":"default","service_tier":"priority"}`, says{n: 1, tier: severalTiers}},
		{llm.OpenAI, `{"SERVICE_TIER":"flex","service_tier":"flex"}`, says{n: 1, tier: "flex"}},
		{llm.OpenAI, `{"response_format":{"type":"json_schema"}}`, says{n: 1, tools: true}},
		{llm.Responses, `{"max_output_tokens":7,"max_tokens":3}`, says{most: 7, n: 1}},
		{llm.Anthropic, `{"max_tokens":7,"system":[{"cache_control":{"type":"ephemeral","ttl":"1h"}}],"tools":[]}`, says{most: 7, n: 1, tools: true, hour: true}},
		{llm.Gemini, `{"generationConfig":{"maxOutputTokens":7,"candidateCount":2}}`, says{most: 7, n: 2}},
		{llm.Vertex, `{"generation_config":{"max_output_tokens":7,"responseSchema":{}}}`, says{most: 7, n: 1, tools: true}},
		{llm.Gemini, `{"maxOutputTokens":null,"max_tokens":7}`, says{n: 1}},
		{llm.Converse, `{"inferenceConfig":{"maxTokens":7},"serviceTier":{"type":"priority"}}`, says{most: 7, n: 1, tier: "priority"}},
		{llm.Converse, `{"inferenceConfig":{"maxTokens":7},"additionalModelRequestFields":{"max_tokens":70}}`, says{most: 70, n: 1}},
		{llm.Anthropic, `{"max_tokens":7,"speed":"fast","service_tier":"auto"}`, says{most: 7, n: 1, tier: "fast"}},
		{llm.Anthropic, `{"max_tokens":7,"service_tier":"standard_only","speed":"fast"}`, says{most: 7, n: 1, tier: "fast"}},
		{llm.Anthropic, `{"max_tokens":7,"speed":"standard","service_tier":"auto"}`, says{most: 7, n: 1, tier: "auto"}},
		{llm.OpenAI, `{"max_tokens":7,"speed":"fast"}`, says{most: 7, n: 1}},
		{llm.Cohere, `{"max_tokens":7}`, says{most: 7, n: 1}},
	} {
		var p budget.Prompt
		var a budget.Answer
		read([]byte(tt.body), tt.dialect, &p, &a)
		if got := (says{a.Most, a.N, p.Tools, p.Hour, p.Tier}); got != tt.want {
			t.Errorf("%d %s: %+v", tt.dialect, tt.body, got)
		}
	}
}

// held keeps what was held for the last call.
type held struct{ take budget.Take }

// Record implements Recorder.
func (h *held) Record(_ *relay.Call, take budget.Take) (relay.Entry, *relay.Refused) {
	h.take = take
	return h, nil
}

// Settle implements relay.Entry.
func (*held) Settle(*relay.Call) {}

// sendTo has a request served by one target, and returns what was sent and what a strict budget held for it.
func sendTo(t *testing.T, kind, name, body string, model *route.Model, target route.Target) (sent string, take budget.Take) {
	t.Helper()
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		sent = string(raw)
		w.WriteHeader(http.StatusBadRequest)
	}))
	defer upstream.Close()
	in := table.At("chat/completions")
	if strings.Contains(body, `"anthropic-caller"`) {
		in = table.At("messages")
	}
	asked, refused := in.Parse([]byte(body), dialect.ParseOptions{})
	if refused != nil {
		t.Fatal(refused)
	}
	p, err := provider.New(config.Provider{Name: "p", Kind: kind, BaseURL: upstream.URL, APIKeys: []secret.Text{secret.New("a-key-of-ours")}}, provider.Identity{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	spec, _ := budget.Parse("1000usd/day")
	book := budget.New(time.UTC, nothing{}, func(budget.Warning) {})
	if err := book.Set(t.Context(), time.Now(), map[budget.Owner]budget.Policy{{Kind: budget.Key, ID: "k"}: {Strict: true, Budgets: []budget.Spec{spec}}}); err != nil {
		t.Fatal(err)
	}
	target.Provider, target.Model = "p", name
	target.Facts = route.Facts{Price: money.Plain(1e6, 1e6), Context: 100_000, MaxOutput: 40_000}
	model.MaxAttempts = 1
	h := new(held)
	relay.Serve(context.Background(), httptest.NewRecorder(), &relay.Request{
		ID: "id", Ingress: in, Asked: asked, Providers: map[string]*provider.Provider{"p": p}, MaxAnswer: 10 << 20, Started: time.Now(),
		Route: route.Route{Board: route.NewBoard(), Model: model, Targets: []route.Target{target}},
		Account: &Request{
			Account: h, Book: book, Seen: new(budget.Seen), Key: "k", Model: "m",
		},
	})
	if sent == "" {
		t.Fatal("nothing was sent")
	}
	return sent, h.take
}

// A strict budget holds for what is sent, whatever the config and the codecs make of what the caller asked for.
func TestTheHoldBoundsWhatIsSent(t *testing.T) {
	t.Parallel()
	const plain = `{"model":"m","messages":[{"role":"user","content":"12345678"}],"max_tokens":10}`
	long := strings.Replace(plain, "12345678", strings.Repeat(`12 \"words\", 文 \u6587`, 300), 1)
	set := func(name, value string) llm.Added {
		return llm.Added{Set: []llm.Param{{Name: name, Value: llm.JSON(value)}}}
	}
	for name, tt := range map[string]struct {
		kind, upstream, body string
		model                route.Model
		target               route.Target
		output               int64 // that is held
		opaque               bool
	}{
		"as it was asked for":              {"openai", "up", plain, route.Model{}, route.Target{}, 10, false},
		"the target omits the maximum":     {"openai", "up", plain, route.Model{}, route.Target{Omit: []string{"max_tokens"}}, 40_000, false},
		"the model omits the maximum":      {"openai", "up", plain, route.Model{Omit: []string{"max_tokens"}}, route.Target{}, 40_000, false},
		"a maximum under an unknown name":  {"openai", "up", plain, route.Model{Rename: map[string]string{"max_tokens": "max_new"}}, route.Target{}, 40_000, false},
		"params set a higher maximum":      {"openai", "up", plain, route.Model{}, route.Target{Added: set("max_tokens", "500")}, 500, false},
		"params set a lower maximum":       {"openai", "up", plain, route.Model{}, route.Target{Added: set("max_tokens", "5")}, 5, false},
		"params set a maximum for a codec": {"anthropic", "claude-sonnet-4-5", plain, route.Model{}, route.Target{Added: set("max_tokens", "500")}, 500, false},
		"params ask for several answers":   {"openai", "up", plain, route.Model{}, route.Target{Added: set("n", "4")}, 40, false},
		"params add a tool of the vendor":  {"openai", "up", plain, route.Model{}, route.Target{Added: set("tools", `[{"type":"web_search"}]`)}, 10, true},
		"a long text":                      {"openai", "up", long, route.Model{}, route.Target{}, 10, false},
		"a long text, and what follows it": {"openai", "up", long, route.Model{}, route.Target{Omit: []string{"max_tokens"}, Added: set("tools", `[{"type":"web_search"}]`)}, 40_000, true},
		"a long text for a codec":          {"anthropic", "claude-sonnet-4-5", long, route.Model{}, route.Target{}, 10, false},
		"params add a search":              {"openai", "up", plain, route.Model{}, route.Target{Added: set("web_search_options", `{}`)}, 10, true},
		"a codec raises the maximum for thoughts": {
			"anthropic", "claude-sonnet-4-5", strings.Replace(plain, "{", `{"reasoning_effort":"high",`, 1), route.Model{}, route.Target{}, -1, false,
		},
		"a document with a picture for InvokeModel": {
			"bedrock", "anthropic.claude-sonnet-4-5-20250929-v1:0",
			`{"model":"m","max_tokens":10,"metadata":{"user_id":"anthropic-caller"},"messages":[{"role":"user","content":[{"type":"document","source":{"type":"content","content":[{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}]}}]}]}`,
			route.Model{},
			route.Target{},
			10, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sent, take := sendTo(t, tt.kind, tt.upstream, tt.body, &tt.model, tt.target)
			want := tt.output
			if want < 0 {
				var body struct {
					Max int64 `json:"max_tokens"`
				}
				if err := json.Unmarshal([]byte(sent), &body); err != nil {
					t.Fatal(err)
				}
				want = body.Max
			}
			if take.Output != want {
				t.Errorf("%d tokens of an answer are held, not %d: %s", take.Output, want, sent)
			}
			if input := take.Tokens - take.Output; tt.opaque != (input == 100_000) || input < int64(len(sent)) {
				t.Errorf("%d tokens of a prompt are held: %s", input, sent)
			}
		})
	}
}
