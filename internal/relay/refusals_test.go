package relay

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/dialect/refusal"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/secret"
)

// vendorRefusal is an error as a vendor words it.
type vendorRefusal struct {
	kind                       string
	says                       string // for people
	status                     int
	header                     string // "Name: value", "" if none matters
	body                       string
	outcome, tried, gets, wait string // what the page says of it
}

// googleError is a body of Google's.
func googleError(code int, status, message, details string) string {
	return fmt.Sprintf(`{"error":{"code":%d,"message":%q,"status":%q,"details":[%s]}}`, code, message, status, details)
}

// refusals are the rows of the page. Bodies are as the vendors document or sent them, cut down to what says something.
var refusals = []vendorRefusal{
	{kind: "openai", says: "bad parameter", status: 400, body: `{"error":{"message":"Unsupported value","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`},
	{kind: "openai", says: "prompt too long (`context_length_exceeded`)", status: 400, body: `{"error":{"message":"This model's maximum context length is 9 tokens","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`},
	{kind: "openai", says: "moderation (`content_policy_violation`, \"flagged\")", status: 400, body: `{"error":{"message":"Invalid prompt: your prompt was flagged","type":"invalid_request_error","param":null,"code":"invalid_prompt"}}`},
	{kind: "openai", says: "`invalid_api_key`", status: 401, body: `{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`},
	{kind: "openai", says: "restricted key, \"Missing scopes\"", status: 401, body: `{"error":{"message":"You have insufficient permissions. Missing scopes: model.request.","type":"invalid_request_error","param":null,"code":null}}`},
	{kind: "openai", says: "country or model not allowed", status: 403, body: `{"error":{"message":"Country not supported","type":"request_forbidden","param":null,"code":"unsupported_country_region_territory"}}`},
	{kind: "openai", says: "`model_not_found`", status: 404, body: `{"error":{"message":"The model does not exist","type":"invalid_request_error","param":null,"code":"model_not_found"}}`},
	{kind: "openai", says: "`rate_limit_exceeded`", status: 429, header: "Retry-After-Ms: 1500", body: `{"error":{"message":"Rate limit reached","type":"tokens","param":null,"code":"rate_limit_exceeded"}}`},
	{kind: "openai", says: "`rate_limit_exceeded`, in words how long", status: 429, body: `{"error":{"message":"Rate limit reached. Please try again in 1m30s.","type":"requests","param":null,"code":"rate_limit_exceeded"}}`},
	{kind: "openai", says: "\"Request too large\" for the limit of a minute", status: 429, body: `{"error":{"message":"Request too large for gpt-5 in organization org-abcdef on tokens per min (TPM): Limit 30000, Requested 46027. The input or output tokens must be reduced in order to run successfully.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}`},
	{kind: "openai", says: "`insufficient_quota`", status: 429, body: `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`},
	{kind: "openai", says: "`server_error`", status: 500, body: `{"error":{"message":"The server had an error","type":"server_error","param":null,"code":null}}`},
	{kind: "openai", says: "a web page (of a proxy in front)", status: 502, body: `<html><h1>502 Bad Gateway</h1></html>`},
	{kind: "openai", says: "a web page (of another server)", status: 400, body: `<html>Bad Request</html>`},
	{kind: "openai", says: "an error inside a 200, its code a status", status: 200, body: `{"error":{"message":"Model is loading","type":"server_error","code":503}}`},
	{kind: "openai", says: "an error inside a 200, its code OpenAI's of a rate limit", status: 200, body: `{"error":{"message":"Rate limit reached","type":"tokens","param":null,"code":"rate_limit_exceeded"}}`},
	{kind: "openai", says: "an error inside a 200, its code OpenAI's of a moderation", status: 200, body: `{"error":{"message":"The response was filtered","type":null,"param":"prompt","code":"content_filter"}}`},
	{kind: "openai", says: "an error inside a 200, without", status: 200, body: `{"error":"something broke"}`},
	{kind: "openai", says: "a web page inside a 200", status: 200, body: `<!DOCTYPE html><html></html>`},
	{kind: "azure", says: "content filter (`content_filter`)", status: 400, body: `{"error":{"message":"The response was filtered","type":null,"param":"prompt","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation"}}}`},
	{kind: "azure", says: "no such deployment (`DeploymentNotFound`)", status: 404, body: `{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}`},
	{kind: "azure", says: "rate limit, `retry-after-ms` 0", status: 429, header: "Retry-After: 7", body: `{"error":{"code":"429","message":"Requests have exceeded the call rate limit. Please retry after 7 seconds."}}`},
	{kind: "anthropic", says: "`invalid_request_error`", status: 400, body: `{"type":"error","error":{"type":"invalid_request_error","message":"temperature: range: 0..1"}}`},
	{kind: "anthropic", says: "\"prompt is too long\"", status: 400, body: `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 200001 tokens > 200000 maximum"}}`},
	{kind: "anthropic", says: "\"exceed context limit\", with the answer's length", status: 400, body: `{"type":"error","error":{"type":"invalid_request_error","message":"input length and ` + "`max_tokens`" + ` exceed context limit: 189136 + 16384 > 200000, decrease input length or ` + "`max_tokens`" + ` and try again"}}`},
	{kind: "anthropic", says: "\"Your credit balance is too low\"", status: 400, body: `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}`},
	{kind: "anthropic", says: "`authentication_error`", status: 401, body: `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`},
	{kind: "anthropic", says: "`billing_error`", status: 402, body: `{"type":"error","error":{"type":"billing_error","message":"no credit"}}`},
	{kind: "anthropic", says: "`not_found_error` of a model", status: 404, body: `{"type":"error","error":{"type":"not_found_error","message":"model: claude-nothing"}}`},
	{kind: "anthropic", says: "`request_too_large`", status: 413, body: `{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`},
	{kind: "anthropic", says: "`rate_limit_error`", status: 429, header: "Retry-After: 12", body: `{"type":"error","error":{"type":"rate_limit_error","message":"limit"}}`},
	{kind: "anthropic", says: "`overloaded_error`", status: 529, body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`},
	{kind: "anthropic", says: "`overloaded_error` inside a 200", status: 200, body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`},
	{kind: "gemini", says: "`INVALID_ARGUMENT`", status: 400, body: googleError(400, "INVALID_ARGUMENT", "Invalid value", "")},
	{kind: "gemini", says: "`API_KEY_INVALID`", status: 400, body: googleError(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", `{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}`)},
	{kind: "gemini", says: "`API_KEY_INVALID`, in other words", status: 400, body: googleError(400, "INVALID_ARGUMENT", "API key expired. Please renew the API key", `{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}`)},
	{kind: "gemini", says: "`FAILED_PRECONDITION` (region, billing)", status: 400, body: googleError(400, "FAILED_PRECONDITION", "User location is not supported for the API use.", "")},
	{kind: "gemini", says: "prompt too long", status: 400, body: googleError(400, "INVALID_ARGUMENT", "The input token count (9) exceeds the maximum number of tokens allowed (8).", "")},
	{kind: "gemini", says: "`PERMISSION_DENIED`", status: 403, body: googleError(403, "PERMISSION_DENIED", "Permission denied on resource", "")},
	{kind: "gemini", says: "`RESOURCE_EXHAUSTED` with `RetryInfo`", status: 429, body: googleError(429, "RESOURCE_EXHAUSTED", "Quota exceeded", `{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.4s"}`)},
	{kind: "gemini", says: "`RESOURCE_EXHAUSTED`, the day's quota", status: 429, body: googleError(429, "RESOURCE_EXHAUSTED", "Quota exceeded", `{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProject"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"9s"}`)},
	{kind: "gemini", says: "`UNAVAILABLE`, in a list", status: 503, body: `[` + googleError(503, "UNAVAILABLE", "The model is overloaded.", "") + `]`},
	{kind: "vertex", says: "`UNAUTHENTICATED`", status: 401, body: googleError(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.", "")},
	{kind: "bedrock", says: "`ValidationException`", status: 400, header: "X-Amzn-Errortype: ValidationException:http://internal.amazon.com/coral/", body: `{"message":"Malformed input request"}`},
	{kind: "bedrock", says: "`ValidationException`, prompt too long", status: 400, header: "X-Amzn-Errortype: ValidationException", body: `{"message":"Input is too long for requested model."}`},
	{kind: "bedrock", says: "`ValidationException`, unknown model", status: 400, header: "X-Amzn-Errortype: ValidationException", body: `{"message":"The provided model identifier is invalid."}`},
	{kind: "bedrock", says: "`ServiceQuotaExceededException`", status: 400, header: "X-Amzn-Errortype: ServiceQuotaExceededException", body: `{"message":"quota"}`},
	{kind: "bedrock", says: "`AccessDeniedException`", status: 403, header: "X-Amzn-Errortype: AccessDeniedException", body: `{"message":"You don't have access to the model with the specified model ID."}`},
	{kind: "bedrock", says: "bad API key", status: 403, header: "X-Amzn-Errortype: AccessDeniedException", body: `{"Message":"Authentication failed: Please make sure your API Key is valid."}`},
	{kind: "bedrock", says: "`UnrecognizedClientException`, `ExpiredTokenException`", status: 403, header: "X-Amzn-Errortype: UnrecognizedClientException", body: `{"message":"The security token included in the request is invalid."}`},
	{kind: "bedrock", says: "`ModelTimeoutException`", status: 408, header: "X-Amzn-Errortype: ModelTimeoutException", body: `{"message":"timeout"}`},
	{kind: "bedrock", says: "`ModelErrorException`", status: 424, header: "X-Amzn-Errortype: ModelErrorException", body: `{"message":"error"}`},
	{kind: "bedrock", says: "`ThrottlingException`", status: 429, header: "X-Amzn-Errortype: ThrottlingException", body: `{"message":"Too many requests"}`},
	{kind: "bedrock", says: "`ServiceUnavailableException`", status: 503, header: "X-Amzn-Errortype: ServiceUnavailableException", body: `{"message":"Bedrock is unable to process your request."}`},
	{kind: "cohere", says: "`TOO_MANY_TOKENS`", status: 400, body: `{"id":"u","error_type":"TOO_MANY_TOKENS","message":"too many tokens: total number of tokens in the prompt exceeds the limit"}`},
	{kind: "cohere", says: "invalid token", status: 401, body: `{"id":"u","message":"invalid api token"}`},
	{kind: "cohere", says: "no such model", status: 404, body: `{"id":"u","message":"model 'nothing' not found"}`},
	{kind: "cohere", says: "trial key's limit", status: 429, body: `{"id":"u","message":"You are using a Trial key, which is limited to 20 API calls / minute."}`},
	{kind: "cohere", says: "moderation, \"blocked input\" or \"blocked output\"", status: 498, body: `{"id":"u","message":"blocked output: please adjust your prompt and try again, as this generation may be a potential violation of our Usage Guidelines."}`},
	{kind: "cohere", says: "canceled on its side", status: 499, body: `{"id":"u","message":"client closed request"}`},
	{kind: "xai", says: "\"Incorrect API key\"", status: 400, body: `{"code":"Client specified an invalid argument","error":"Incorrect API key provided: xx. You can obtain an API key from https://console.x.ai."}`},
	{kind: "xai", says: "prompt too long", status: 400, body: `{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 136973 tokens."}`},
	{kind: "mistral", says: "bad key in `detail`", status: 401, body: `{"detail":"Invalid API Key"}`},
	{kind: "mistral", says: "unknown parameter, FastAPI's list", status: 422, body: `{"detail":[{"type":"extra_forbidden","loc":["body","foo"],"msg":"Extra inputs are not permitted"}]}`},
	{kind: "deepseek", says: "no balance", status: 402, body: `{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}`},
	{kind: "openrouter", says: "credit for shorter answers only", status: 402, body: `{"error":{"message":"This request requires more credits, or fewer max_tokens.","code":402}}`},
	{kind: "openrouter", says: "moderation", status: 403, body: `{"error":{"message":"The input was flagged by moderation","code":403,"metadata":{"reasons":["x"]}}}`},
	{kind: "openrouter", says: "rate limit of whom it asks", status: 429, header: "Retry-After: 3", body: `{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"temporarily rate-limited upstream"}}}`},
	{kind: "moonshot", says: "prompt too long", status: 400, body: `{"error":{"message":"Invalid request: Your request exceeded model token limit: 131072","type":"invalid_request_error"}}`},
	{kind: "llama.cpp", says: "prompt too long", status: 400, body: `{"error":{"code":400,"message":"request (36146 tokens) exceeds the available context size (32768 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":36146,"n_ctx":32768}}`},
	{kind: "lmstudio", says: "prompt too long", status: 400, body: `{"error":"The number of tokens to keep from the initial prompt is greater than the context length."}`},
	{kind: "groq", says: "`tool_use_failed`", status: 400, body: `{"error":{"message":"Failed to call a function.","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"x"}}`},
	{kind: "groq", says: "flex capacity exceeded", status: 498, body: `{"error":{"message":"capacity_exceeded","type":"capacity_exceeded"}}`},
}

// Every row really happens. The answer comes over the wire, through the dialect of its kind, to a request without another target and
// to one with.
func TestRefusalsOfUpstreams(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("| kind | status | what it says | outcome | what is tried next | what the caller gets if no other target answers | wait told in |\n|---|---|---|---|---|---|---|\n")
	for i := range refusals {
		r := &refusals[i]
		r.meet(t)
		fmt.Fprintf(&b, "| `%s` | %d | %s | `%s` | %s | %s | %s |\n", r.kind, r.status, r.says, r.outcome, r.tried, r.gets, r.wait)
	}
	onPage(t, "../../docs/reference/errors.md", "<!-- written by go test ./internal/relay -run TestRefusalsOfUpstreams -update: begin -->\n", "<!-- written by go test ./internal/relay -run TestRefusalsOfUpstreams -update: end -->\n", b.String())
}

// onPage compares the text between two lines of a page with the expected one.
func onPage(t *testing.T, path, begin, end, text string) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(page), begin)
	old, after, ok := strings.Cut(rest, end)
	switch {
	case !ok:
		t.Fatalf("%s has lost the lines around the table", path)
	case *update:
		if err := os.WriteFile(path, []byte(before+begin+text+end+after), 0o600); err != nil {
			t.Fatal(err)
		}
	default:
		if diff := gocmp.Diff(old, text); diff != "" {
			t.Errorf("%s says something else; -update writes it:\n%s", path, diff)
		}
	}
}

// meet finds out what becomes of requests that meet the answer.
func (r *vendorRefusal) meet(t *testing.T) {
	t.Helper()
	var calls atomic.Int32
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		calls.Add(1)
		_, _ = io.Copy(io.Discard, req.Body)
		if name, value, ok := strings.Cut(r.header, ": "); ok {
			w.Header().Set(name, value)
		}
		w.WriteHeader(r.status)
		_, _ = io.WriteString(w, r.body)
	}))
	defer refuses.Close()
	ill, well := upstreamOf(t, upstreamCfg("ill", r.kind, refuses.URL)), upstreamOf(t, config.Provider{Name: "well", Kind: "openai", BaseURL: answering(t)})
	model := map[string]string{"anthropic": "claude-opus-4-5", "gemini": "gemini-2.5-flash", "vertex": "gemini-2.5-flash"}[r.kind]
	first := route.Target{Provider: "ill", Model: cmp.Or(model, "m"), Credentials: ill.Credentials()}
	providers := map[string]*provider.Provider{"ill": ill, "well": well}

	alone := serveRefused(t, providers, first)
	if alone.Err == nil {
		t.Errorf("%s, %s: it was answered", r.kind, r.says)
		return
	}
	r.outcome = alone.Calls[0].Outcome
	r.gets = fmt.Sprintf("%d `%s`", alone.Err.HTTPStatus(), codeOf(alone.Err))
	r.wait = "–"
	if wait := alone.Err.RetryAfter; wait > 0 && wait != unknownWait {
		r.wait = map[bool]string{true: "the header", false: "the body"}[strings.HasPrefix(r.header, "Retry-After")]
		if wait < time.Second {
			t.Errorf("%s, %s: a wait of %v", r.kind, r.says, wait)
		}
	}

	calls.Store(0)
	both := serveRefused(t, providers, first, route.Target{Provider: "well", Model: "m"})
	again := ill.Credentials() > 1 && calls.Load() == 2
	switch {
	case both.Err == nil && again:
		r.tried = "another credential, then the next target"
	case both.Err == nil:
		r.tried = "the next target"
	case again:
		t.Errorf("%s, %s: another credential was tried and no other target", r.kind, r.says)
	default:
		r.tried = "nothing: the request is at fault"
	}
}

// answering is the address of an upstream that answers every chat.
func answering(t *testing.T) string {
	t.Helper()
	answers := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_, _ = io.Copy(io.Discard, req.Body)
		_, _ = io.WriteString(w, `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`)
	}))
	t.Cleanup(answers.Close)
	return answers.URL
}

// upstreamCfg is a provider of a kind at an address, with two credentials where the kind has keys.
func upstreamCfg(name, kind, baseURL string) config.Provider {
	cfg := config.Provider{Name: name, Kind: kind, BaseURL: baseURL, APIKeys: []secret.Text{secret.New("one-key-of-two"), secret.New("other-key-of-two")}}
	if kind == "vertex" {
		cfg.APIKeys, cfg.Project, cfg.Region = nil, "p", "r"
		cfg.Headers = map[string]secret.Text{"Authorization": secret.New("Bearer token")}
	}
	return cfg
}

func upstreamOf(t *testing.T, cfg config.Provider) *provider.Provider {
	t.Helper()
	p, err := provider.New(cfg, provider.Identity{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func serveRefused(t *testing.T, providers map[string]*provider.Provider, targets ...route.Target) *Result {
	t.Helper()
	return serveRoute(t, providers, route.Route{Board: route.NewBoard(), Model: &route.Model{MaxAttempts: 4, Repeats: 10}, Targets: targets})
}

func serveRoute(t *testing.T, providers map[string]*provider.Provider, to route.Route) *Result {
	t.Helper()
	call, bad := passthrough.ParseRequest(llm.Chat, []byte(`{"model":"m","messages":[{"role":"user","content":"hi"}]}`), 64)
	if bad != nil {
		t.Fatal(bad)
	}
	return Serve(t.Context(), httptest.NewRecorder(), &Request{
		Ingress: ingressOf(call), Asked: call, Route: to, Providers: providers, MaxAnswer: 10 << 20,
	})
}

// codeOf is the code that a caller reads.
func codeOf(e *llm.Error) string {
	if e.Refusal != nil {
		return cmp.Or(refusal.Parse(dialect.ErrorBody(e)).Code, "null")
	}
	return e.Code()
}
