package relay

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// absentee is how a vendor says that it does not have the model of a request. Bodies are as they were recorded, or as users of the
// vendor reported them.
type absentee struct {
	kind, vendor string
	status       int
	header, body string
}

func (a *absentee) name() string { return cmp.Or(a.vendor, a.kind) }

var absentees = []absentee{
	{kind: "openai", status: 404, body: `{"error":{"message":"The model ` + "`gpt-5x`" + ` does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"}}`},
	{kind: "openai", vendor: "OpenAI, long ago", status: 404, body: `{"error":{"message":"That model does not exist","type":"invalid_request_error","param":null,"code":null}}`},
	{kind: "azure", status: 404, body: `{"error":{"type":"invalid_request_error","code":"DeploymentNotFound","message":"The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again."}}`},
	{kind: "anthropic", status: 404, body: `{"type":"error","error":{"type":"not_found_error","message":"model: claude-sonet-4-5"},"request_id":"req_1"}`},
	{kind: "gemini", status: 404, body: googleError(404, "NOT_FOUND", "models/gemini-3.6-flahs is not found for API version v1beta, or is not supported for generateContent. Call ModelService.ListModels to see the list of available models and their supported methods.", "")},
	{kind: "gemini", vendor: "`gemini`, a name that none can have", status: 400, body: googleError(400, "INVALID_ARGUMENT", "* GenerateContentRequest.model: unexpected model name format\n", "")},
	{kind: "vertex", status: 404, body: googleError(404, "NOT_FOUND", "Publisher Model `projects/p/locations/r/publishers/google/models/gemini-none` not found.", "")},
	{kind: "vertex", vendor: "`vertex`, no access", status: 404, body: googleError(404, "NOT_FOUND", "Publisher Model `projects/p/locations/r/publishers/google/models/gemma4` was not found or your project does not have access to it.", "")},
	{kind: "bedrock", status: 400, header: "X-Amzn-Errortype: ValidationException:http://internal.amazon.com/coral/com.amazon.bedrock/", body: `{"message":"The provided model identifier is invalid."}`},
	{kind: "bedrock", vendor: "`bedrock`, of a model that only inference profiles have", status: 400, header: "X-Amzn-Errortype: ValidationException", body: `{"message":"Invocation of model ID anthropic.claude-sonnet-4-5-20250929-v1:0 with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model."}`},
	{kind: "bedrock", vendor: "`bedrock`, of a retired model", status: 404, header: "X-Amzn-Errortype: ResourceNotFoundException:http://internal.amazon.com/coral/com.amazon.bedrock/", body: `{"message":"This model version has reached the end of its life. Please refer to the AWS documentation for more details."}`},
	{kind: "cohere", status: 404, body: `{"id":"u","message":"model 'nonexistent' not found, make sure the correct model ID was used and that you have access to the model."}`},
	{kind: "cohere", vendor: "`cohere`, of a retired model", status: 404, body: `{"id":"u","message":"model 'command-light' was removed on September 15, 2025."}`},
	{kind: "groq", status: 404, body: `{"error":{"message":"The model ` + "`none`" + ` does not exist or you do not have access to it.","type":"invalid_request_error","code":"model_not_found"}}`},
	{kind: "together", status: 404, body: `{"id":"o","error":{"message":"Unable to access model none. Please visit https://api.together.ai/models to view the list of supported models.","type":"invalid_request_error","param":null,"code":"model_not_available"}}`},
	{kind: "together", vendor: "`together`, of a model that is not deployed", status: 400, body: `{"id":"o","error":{"message":"Unable to access non-serverless model meta-llama/Llama-3-8b-chat-hf. Please visit https://api.together.ai/models/meta-llama/Llama-3-8b-chat-hf to create and start a new dedicated endpoint for the model.","type":"invalid_request_error","param":null,"code":"model_not_available"}}`},
	{kind: "fireworks", status: 404, body: `{"message":"Model not found, inaccessible, and/or not deployed","param":"model","code":"NOT_FOUND","type":"error"}`},
	{kind: "deepseek", status: 400, body: `{"error":{"message":"Model Not Exist","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`},
	{kind: "deepseek", vendor: "`deepseek`, since 2026", status: 400, body: `{"error":{"message":"The supported API model names are deepseek-v4-pro or deepseek-v4-flash, but you passed none.","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`},
	{kind: "xai", status: 404, body: `{"code":"Some requested entity was not found","error":"The model grok-beta does not exist or your team 00000000-0000-4000-8000-000000000000 does not have access to it. Please ensure you're using the correct API key."}`},
	{kind: "openrouter", status: 400, body: `{"error":{"message":"some/none is not a valid model ID","code":400},"user_id":"u"}`},
	{kind: "openrouter", vendor: "`openrouter`, of a model without a provider", status: 404, body: `{"error":{"message":"No endpoints found for google/gemma-2-9b-it:free.","code":404},"user_id":"u"}`},
	{kind: "perplexity", status: 400, body: `{"error":{"message":"Invalid model 'gpt-5'. Permitted models can be found in the documentation at https://docs.perplexity.ai/guides/model-cards.","type":"invalid_model","code":400}}`},
	{kind: "cerebras", status: 404, body: `{"message":"Model bad model does not exist or you do not have access to it.","type":"not_found_error","param":"model","code":"model_not_found"}`},
	{kind: "nvidia", status: 404, body: `{"status":404,"title":"Not Found","detail":"Function '23d4f03a-0000-4adb-a183-7daa083a09cc': Not found for account 'A000000000000000000000000000000000000000000'"}`},
	{kind: "huggingface", status: 400, body: `{"error":{"message":"The requested model 'none' does not exist.","type":"invalid_request_error","param":"model","code":"model_not_found"}}`},
	{kind: "huggingface", vendor: "`huggingface`, of a model that no provider serves", status: 400, body: `{"error":{"message":"The requested model 'x/y' is not supported by any provider you have enabled.","type":"invalid_request_error","param":"model","code":"model_not_supported"}}`},
	{kind: "huggingface", vendor: "`huggingface`, the words alone", status: 400, body: `{"error":"The requested model 'x/y' is not supported by any provider you have enabled."}`},
	{kind: "mistral", status: 400, body: `{"object":"error","message":"Invalid model: none","type":"invalid_model","param":null,"code":"1500"}`},
	{kind: "moonshot", status: 404, body: `{"error":{"message":"Not found the model kimi-none or Permission denied","type":"resource_not_found_error"}}`},
	{kind: "qwen", status: 404, body: `{"error":{"message":"The model ` + "`none`" + ` does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"},"request_id":"u"}`},
	{kind: "qwen", vendor: "`qwen`, in its own shape", status: 404, body: `{"code":"InvalidParameter","message":"Model not exist.","request_id":"u"}`},
	{kind: "zai", status: 400, body: `{"error":{"code":"1211","message":"Unknown Model, please check the model code."}}`},
	{kind: "zai", vendor: "`zai`, in Chinese", status: 400, body: `{"error":{"code":"1211","message":"模型不存在，请检查模型代码。"}}`},
	{kind: "sambanova", status: 404, body: `{"error":"The requested model (none) is not available on SambaNova Cloud. For more information, please visit https://docs.sambanova.ai/cloud/docs/resources/deprecations."}`},
	{kind: "nebius", status: 404, body: `{"detail":"The model ` + "`none`" + ` does not exist."}`},
	{kind: "vercel", status: 404, body: `{"error":{"message":"Model 'vendor/none' not found","type":"model_not_found","param":{"statusCode":404}}}`},
	{kind: "minimax", status: 400, body: `{"type":"error","error":{"type":"bad_request_error","message":"invalid params, unknown model 'gpt-5.5' (2013)","http_code":"400"},"request_id":"u"}`},
	{kind: "minimax", vendor: "`minimax`, inside a 200", status: 200, body: `{"base_resp":{"status_code":2013,"status_msg":"invalid params, unknown model 'gpt-5.5'"}}`},
	{kind: "siliconflow", status: 400, body: `{"code":20012,"message":"Model does not exist. Please check it carefully.","data":null}`},
	{kind: "github", status: 400, body: `{"error":{"code":"unknown_model","message":"Unknown model: /gpt-4.1","details":"Unknown model: /gpt-4.1"}}`},
	{kind: "databricks", status: 404, body: `{"error_code":"RESOURCE_DOES_NOT_EXIST","message":"Endpoint with name 'none' does not exist."}`},
	{kind: "snowflake", status: 400, body: `{"message":"unknown model \"none\""}`},
	{kind: "cloudflare", status: 400, body: `{"result":null,"success":false,"errors":[{"code":5007,"message":"AiError: No such model @cf/none or task"}],"messages":[]}`},
	{kind: "cloudflare", vendor: "`cloudflare`, of a name without @cf/", status: 404, body: `{"type":"error","error":{"type":"not_found_error","message":"Model not found: moonshotai/kimi-k2.6"}}`},
	{kind: "openai", vendor: "Volcengine", status: 404, body: `{"error":{"code":"InvalidEndpointOrModel.NotFound","message":"The model or endpoint none does not exist or you do not have access to it. Request id: 02178","param":"","type":"Not Found"}}`},
	{kind: "openai", vendor: "LiteLLM", status: 400, body: `{"error":{"message":"400: {'error': 'Invalid model name passed in model=none'}","type":"None","param":"None","code":400}}`},
	{kind: "openai", vendor: "RunPod, inside a 200", status: 200, body: `{"code":404,"message":"The model ` + "`none`" + ` does not exist.","object":"error","param":null,"type":"NotFoundError"}`},
	{kind: "ollama", status: 404, body: `{"error":{"message":"model \"none\" not found, try pulling it first","type":"not_found_error","param":null,"code":null}}`},
	{kind: "ollama", vendor: "`ollama`, earlier", status: 404, body: `{"error":{"message":"model 'none' not found","type":"api_error","param":null,"code":null}}`},
	{kind: "lmstudio", status: 400, body: `{"error":{"message":"Invalid model identifier \"none\". Please specify a valid downloaded model (e.g., qwen3).","type":"invalid_request_error","param":"model","code":"model_not_found"}}`},
	{kind: "lmstudio", vendor: "`lmstudio`, with nothing loaded", status: 400, body: `{"error":{"message":"No models loaded. Please load a model in the developer page or use the 'lms load' command.","type":"invalid_request_error","param":"model","code":null}}`},
	{kind: "vllm", status: 404, body: `{"error":{"message":"The model ` + "`none`" + ` does not exist.","type":"NotFoundError","param":"model","code":404}}`},
	{kind: "vllm", vendor: "`vllm`, earlier", status: 404, body: `{"object":"error","message":"The model ` + "`none`" + ` does not exist.","type":"NotFoundError","param":null,"code":404}`},
	{kind: "llama.cpp", vendor: "`llama.cpp` with several models", status: 400, body: `{"error":{"code":400,"message":"model 'none' not found","type":"invalid_request_error"}}`},
	{kind: "voyage", status: 400, body: `{"detail":"Model nonexistent is not supported. Supported models are ['voyage-3.5', 'voyage-code-3']."}`},
}

// A model that an upstream does not have is the caller's mistake where the caller chose its name, and the config's where that did.
// In either case another attempt does not help, and the target is not ill.
func TestModelsThatUpstreamsDoNotHave(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	page.WriteString("| kind or vendor | status | what it says |\n|---|---|---|\n")
	for i := range absentees {
		a := &absentees[i]
		name := a.name()
		if a.vendor == "" {
			name = "`" + name + "`"
		}
		fmt.Fprintf(&page, "| %s | %d | %s |\n", name, a.status, strings.ReplaceAll("``` "+strings.TrimSpace(a.body)+" ```", "|", `\|`))
		t.Run(a.name(), func(t *testing.T) {
			t.Parallel()
			a.meet(t)
		})
	}
	onPage(t, "../../docs/reference/errors.md", "<!-- written by go test ./internal/relay -run TestModelsThatUpstreamsDoNotHave -update: begin -->\n", "<!-- written by go test ./internal/relay -run TestModelsThatUpstreamsDoNotHave -update: end -->\n", page.String())
}

func (a *absentee) meet(t *testing.T) {
	t.Helper()
	lacks := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_, _ = io.Copy(io.Discard, req.Body)
		if name, value, ok := strings.Cut(a.header, ": "); ok {
			w.Header().Set(name, value)
		}
		w.WriteHeader(a.status)
		_, _ = io.WriteString(w, a.body)
	}))
	t.Cleanup(lacks.Close)
	cfg := upstreamCfg("ill", a.kind, lacks.URL)
	model := cmp.Or(map[string]string{"anthropic": "claude-none", "gemini": "gemini-none", "vertex": "gemini-none"}[a.kind], "none")
	providers := map[string]*provider.Provider{"ill": upstreamOf(t, cfg), "well": upstreamOf(t, config.Provider{Name: "well", Kind: "openai", BaseURL: answering(t)})}
	target := route.Target{Provider: "ill", Model: model}

	named := serveRefused(t, providers, target)
	if e := named.Err; e == nil || e.Kind != llm.UpstreamMisconfigured || !e.NoRetry || e.RetryAfter != 0 || !strings.Contains(e.Message, "ill/"+model+" does not exist there") {
		t.Errorf("of a logical model: %+v", e)
	} else if strings.Contains(e.Message, "base_url") || strings.Contains(e.Message, "00000000-") || strings.Contains(e.Message, "A00000000") {
		t.Errorf("it says %q", e.Message)
	}
	if got := named.Calls[0].Outcome; got != "model_not_found" {
		t.Errorf("the log says %q", got)
	}

	if both := serveRefused(t, providers, target, route.Target{Provider: "well", Model: "m"}); both.Err != nil {
		t.Errorf("with another target: %+v", both.Err)
	}

	board := route.NewBoard()
	table := route.NewTable([]*route.Model{{Name: "ill/*", MaxAttempts: 3, Targets: []route.Target{{Provider: "ill", Model: "*"}}}}, board, nil)
	for range 20 {
		passed, _ := table.Resolve("ill/" + model)
		res := serveRoute(t, providers, passed)
		if e := res.Err; e == nil || e.Kind != llm.ModelNotFound || e.Param != "model" || !strings.Contains(e.Message, "ill/"+model+" does not exist there") {
			t.Fatalf("of a model that is passed through: %+v", e)
		}
	}
	if state := board.Health("ill", model).State(time.Now()); state.Phase != route.Closed {
		t.Errorf("the breaker of a target that is alive is %s", state.Phase)
	}
}

// What an upstream does not find, or does not support, may be something else than the model.
func TestOtherThingsThatAreNotFound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, kind, path string
		status           int
		header, body     string
		want             string // the outcome
		asks             string // the question about base_url, or ""
	}{
		{"a wrong path, at a web framework", "vllm", "", 404, "", `{"detail":"Not Found"}`, "misconfigured", "/v1"},
		{"a wrong path below /v1", "vllm", "/v1", 404, "", `{"detail":"Not Found"}`, "misconfigured", ""},
		{"a wrong path, in plain text", "ollama", "", 404, "", "404 page not found", "misconfigured", "/v1"},
		{"a wrong path below a version of one's own", "openai", "/llm/v2beta1/openai", 404, "", "404 page not found", "misconfigured", ""},
		{"a resource of Azure's", "azure", "", 404, "", `{"error":{"code":"404","message":"Resource not found"}}`, "misconfigured", "/openai/v1"},
		{"a wrong path at Anthropic's", "anthropic", "", 404, "", `{"type":"error","error":{"type":"not_found_error","message":"Not Found"}}`, "misconfigured", "/v1"},
		{"a wrong path at Google's", "gemini", "", 404, "", "", "misconfigured", "/v1beta"},
		{"an operation that AWS does not know", "bedrock", "", 404, "X-Amzn-Errortype: UnknownOperationException", "<UnknownOperationException/>", "misconfigured", ""},
		{"a route that xAI does not know", "xai", "/v1", 404, "", `{"code":"Some requested entity was not found","error":"No handler found on route. Please double check your URL and consult https://api.x.ai/docs for more information."}`, "misconfigured", ""},
		{"an account of Cloudflare's", "cloudflare", "/client/v4/accounts/x/ai/v1", 404, "", `{"result":null,"success":false,"errors":[{"code":7003,"message":"Could not route to /client/v4/accounts/x/ai/v1/chat/completions, perhaps your object identifier is invalid?"}],"messages":[]}`, "misconfigured", ""},
		{"a cohere server of one's own", "cohere", "", 404, "", `{"message":"page not found"}`, "misconfigured", ""},
		{"endpoints with tools", "openrouter", "/api/v1", 404, "", `{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing","code":404}}`, "misconfigured", ""},
		{"a parameter that a model lacks", "openai", "/v1", 400, "", `{"error":{"message":"This model does not support effort level 'xhigh'.","type":"invalid_request_error","param":null,"code":null}}`, "refused", ""},
		{"a parameter, with the model's name", "openai", "/v1", 400, "", `{"error":{"message":"Unsupported parameter: 'temperature' is not supported with this model.","type":"invalid_request_error","param":"temperature","code":"unsupported_parameter"}}`, "refused", ""},
		{"a prompt that says so", "openai", "/v1", 400, "", `{"error":{"message":"Invalid prompt: 'The model ` + "`x`" + ` does not exist'","type":"invalid_request_error","param":null,"code":null}}`, "refused", ""},
		{"a file", "openai", "/v1", 404, "", `{"error":{"message":"No such File object: file-1","type":"invalid_request_error","param":"id","code":null}}`, "misconfigured", ""},
		{"a model that the credential may not use", "openai", "/v1", 403, "", `{"error":{"message":"Project does not have access to model gpt-5","type":"invalid_request_error","param":null,"code":"model_not_found"}}`, "denied", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			answers := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				_, _ = io.Copy(io.Discard, req.Body)
				if name, value, ok := strings.Cut(tt.header, ": "); ok {
					w.Header().Set(name, value)
				}
				w.WriteHeader(tt.status)
				_, _ = io.WriteString(w, tt.body)
			}))
			t.Cleanup(answers.Close)
			providers := map[string]*provider.Provider{"ill": upstreamOf(t, upstreamCfg("ill", tt.kind, answers.URL+tt.path))}
			res := serveRefused(t, providers, route.Target{Provider: "ill", Model: cmp.Or(map[string]string{"anthropic": "claude-none", "gemini": "gemini-none"}[tt.kind], "none")})
			if got := res.Calls[0].Outcome; got != tt.want {
				t.Errorf("%s, want %s: %+v", got, tt.want, res.Err)
			}
			asks := "does base_url lack " + tt.asks + "?"
			if got := strings.Contains(res.Err.Message, "base_url"); got != (tt.asks != "") || got && !strings.Contains(res.Err.Message, asks) {
				t.Errorf("it says %q", res.Err.Message)
			}
		})
	}
}
