package refusal

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/llm"
)

// Each shape of vendors' errors gives its message and other details.
func TestShapesOfErrors(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]Error{
		`{"error":{"message":"m","type":"t","param":"p","code":"c"}}`:     {Message: "m", Type: "t", Param: "p", Code: "c", Conventional: true},
		`{"error":{"message":"m","type":"t","param":null,"code":null}}`:   {Message: "m", Type: "t", Conventional: true},
		`{"error":{"message":"m","type":"t","param":null,"code":400}}`:    {Message: "m", Type: "t", Code: "400"},
		`{"error":{"message":"m","type":"t","param":null}}`:               {Message: "m", Type: "t"},
		`{"error":{"message":"m","type":"t","code":null}}`:                {Message: "m", Type: "t"},
		`{"error":{"message":"m","type":null,"param":null,"code":null}}`:  {Message: "m"},
		`{"error":{"message":"","type":"t","param":null,"code":null}}`:    {Type: "t"},
		`{"error":{"message":7,"type":"t","param":null,"code":null}}`:     {Message: "7", Type: "t"},
		`[{"error":{"message":"m","type":"t","param":null,"code":null}}]`: {Message: "m", Type: "t"},
		`{"error":"m"}`: {Message: "m"},
		`{"error":"m","code":"c","message":"not this","type":"t"}`: {Message: "m", Code: "c", Type: "t"},
		`{"message":"m","type":"t","param":"p","code":7}`:          {Message: "m", Type: "t", Param: "p", Code: "7"},
		`{"detail":"m"}`: {Message: "m"},
		`{"detail":[{"msg":"m","loc":["body",0,"x"]}]}`:                            {Message: "body.0.x: m"},
		`{"detail":[{"msg":"m"}]}`:                                                 {Message: "m"},
		`{"detail":{"error":{"message":"m","type":"t","param":null,"code":null}}}`: {Message: "m", Type: "t"},
		`{"errors":[{"message":"m"},{"message":"n"}]}`:                             {Message: "m"},
		`{"title":"m"}`: {Message: "m"},
		`{"type":"error","code":"c","message":"m","param":null}`:                                       {Message: "m", Type: "error", Code: "c"},
		`{"type":"response.failed","response":{"status":"failed","error":{"code":"c","message":"m"}}}`: {Message: "m", Code: "c"},
		`{"base_resp":{"status_code":1,"status_msg":"m"}}`:                                             {Message: "m"},
		`{"choices":[{"error":{"message":"m","code":502}}]}`:                                           {Message: "m", Code: "502"},
		`{"error":{"message":"m","status":"NOT_FOUND","code":404}}`:                                    {Message: "m", Code: "404", RPC: "NOT_FOUND"},
		`{"error":{"message":"m","details":[{"retryDelay":"1.5s"},{"retryDelay":"1s"}]}}`:              {Message: "m", RetryAfter: 1500 * time.Millisecond},
		`{"error":{"message":"m","details":[{"reason":"API_KEY_EXPIRED"}]}}`:                           {Message: "m", KeyRefused: true},
		`{"error":{"message":"m","details":[{"reason":"API_KEY_INVALID"}]}}`:                           {Message: "m", KeyRefused: true},
		`{"error":{"message":"m","details":[{"reason":"OTHER"},7]}}`:                                   {Message: "m"},
		`{"error":{"message":"m","details":[{"violations":[{"quotaId":"RequestsPerDay"}]}]}}`:          {Message: "m", RetryAfter: time.Hour},
		` plain text `:    {Message: "plain text"},
		`<html>no</html>`: {},
		``:                {},
		`{}`:              {},
		`null`:            {},
		`[]`:              {Message: "[]"},
	} {
		if got := Parse([]byte(body)); got != want {
			t.Errorf("%s:\n%+v, want\n%+v", body, got, want)
		}
	}
}

// What an error means decides what is tried next: a code or the words are enough, each alone.
func TestWhatErrorsMean(t *testing.T) {
	t.Parallel()
	type meaning struct {
		long, limit, quota, credential, moderated, absent bool
		status                                            int
	}
	for _, tt := range []struct {
		e    Error
		want meaning
	}{
		{Error{}, meaning{}},
		{Error{Message: "Something else.", Code: "x", Type: "y"}, meaning{}},
		{Error{Code: "context_length_exceeded"}, meaning{long: true, status: 400}},
		{Error{Message: "This model's maximum context length is 8 tokens."}, meaning{long: true, status: 400}},
		{Error{Message: "PROMPT IS TOO LONG: 9 tokens"}, meaning{long: true, status: 400}},
		{Error{Message: "Request too large for gpt-5", Code: "rate_limit_exceeded"}, meaning{limit: true, status: 429}},
		{Error{Code: "insufficient_quota"}, meaning{quota: true, status: 429}},
		{Error{Type: "insufficient_quota"}, meaning{quota: true, status: 429}},
		{Error{Code: "rate_limit_exceeded"}, meaning{status: 429}},
		{Error{Code: "invalid_api_key"}, meaning{status: 401}},
		{Error{Message: "Missing scopes: model.request."}, meaning{credential: true}},
		{Error{Message: "This request requires more credits, or fewer max_tokens."}, meaning{credential: true}},
		{Error{Code: "content_filter"}, meaning{moderated: true, status: 400}},
		{Error{Code: "content_policy_violation"}, meaning{moderated: true, status: 400}},
		{Error{Code: "moderation_blocked"}, meaning{moderated: true, status: 400}},
		{Error{Message: "Your prompt was flagged."}, meaning{moderated: true, status: 400}},
		{Error{Code: "model_not_found"}, meaning{absent: true, status: 404}},
		{Error{Code: "DeploymentNotFound"}, meaning{absent: true, status: 404}},
		{Error{Type: "invalid_model", Message: "x"}, meaning{absent: true, status: 404}},
		{Error{Type: "not_found_error", Message: "model: claude-none"}, meaning{absent: true, status: 404}},
		{Error{Type: "not_found_error", Message: "Not Found"}, meaning{}},
		{Error{Message: "model: claude-none"}, meaning{}},
		{Error{Message: "The model `none` does not exist."}, meaning{absent: true, status: 404}},
		{Error{Message: `model "none" not found, try pulling it first`}, meaning{absent: true, status: 404}},
		{Error{Message: "Model Not Exist"}, meaning{absent: true, status: 404}},
		{Error{Message: "some/none is not a valid model ID"}, meaning{absent: true, status: 404}},
		{Error{Message: "You said: The model `none` does not exist."}, meaning{}},
		{Error{Message: "No endpoints found that support tool use."}, meaning{}},
	} {
		e := tt.e
		got := meaning{e.ContextTooLong(), e.BeyondLimit(), e.QuotaExhausted(), e.BeyondCredential(), e.Moderated(), e.ModelNotFound(), e.MeantStatus()}
		if got != tt.want {
			t.Errorf("%+v: %+v, want %+v", e, got, tt.want)
		}
	}
}

// An error has OpenAI's shape, with defaults for what the upstream did not say.
func TestEnvelope(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		e    Error
		body string
		want string
	}{
		{Error{Message: "m", Type: "t", Param: "p", Code: "c"}, "", `{"error":{"message":"m","type":"t","param":"p","code":"c"}}`},
		{Error{}, "", `{"error":{"message":"The upstream refused the request with status 418 and gave no reason.","type":"invalid_request_error","param":null,"code":null}}`},
		{Error{}, `{"a":1}`, `{"error":{"message":"{\"a\":1}","type":"invalid_request_error","param":null,"code":null}}`},
		{Error{}, `null`, `{"error":{"message":"The upstream refused the request with status 418 and gave no reason.","type":"invalid_request_error","param":null,"code":null}}`},
		{Error{}, `<html>`, `{"error":{"message":"The upstream refused the request with status 418 and gave no reason.","type":"invalid_request_error","param":null,"code":null}}`},
		{Error{Message: "m"}, `{"a":1}`, `{"error":{"message":"m","type":"invalid_request_error","param":null,"code":null}}`},
	} {
		if got := written(tt.e.Told([]byte(tt.body)).refusal(418)); got != tt.want {
			t.Errorf("%+v, %s: %s", tt.e, tt.body, got)
		}
	}
	if IsHTML(nil) || IsHTML([]byte("a<b")) || !IsHTML([]byte("\n <p>")) {
		t.Error("IsHTML")
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, body string
		want       Error
	}{
		{"OpenAI", `{"error":{"message":"m","type":"t","param":null,"code":"c"}}`, Error{Message: "m", Type: "t", Code: "c", Conventional: true}},
		{"a code that is a number", `{"error":{"message":"m","type":"t","param":null,"code":400}}`, Error{Message: "m", Type: "t", Code: "400"}},
		{"no param", `{"error":{"message":"m","type":"t","code":null}}`, Error{Message: "m", Type: "t"}},
		{"a string", `{"error":"boom"}`, Error{Message: "boom"}},
		{"xAI", `{"code":"Client specified an invalid argument","error":"Incorrect API key"}`, Error{Message: "Incorrect API key", Code: "Client specified an invalid argument"}},
		{"flat", `{"object":"error","message":"m","type":"BadRequestError","param":null,"code":400}`, Error{Message: "m", Type: "BadRequestError", Code: "400"}},
		{"FastAPI text", `{"detail":"Invalid API Key"}`, Error{Message: "Invalid API Key"}},
		{"FastAPI list", `{"detail":[{"loc":["body","temperature"],"msg":"too hot","type":"x"}]}`, Error{Message: "body.temperature: too hot"}},
		{"MiniMax", `{"choices":null,"base_resp":{"status_code":1027,"status_msg":"m"}}`, Error{Message: "m"}},
		{"FastAPI object", `{"detail":{"message":"m","code":7}}`, Error{Message: "m", Code: "7"}},
		{"FastAPI object of OpenAI's", `{"detail":{"error":{"message":"m","type":"t","param":null,"code":"c"}}}`, Error{Message: "m", Type: "t", Code: "c"}},
		{"OpenRouter in a choice", `{"id":"c","choices":[{"index":0,"delta":{"content":""},"finish_reason":"error","error":{"code":502,"message":"m"}}]}`, Error{Message: "m", Code: "502"}},
		{"a choice that says nothing", `{"code":3,"choices":[{"index":0,"finish_reason":"error"}]}`, Error{Code: "3"}},
		{"Cloudflare", `{"success":false,"errors":[{"code":7,"message":"m"}],"result":null}`, Error{Message: "m"}},
		{"problem+json", `{"status":404,"title":"Not Found"}`, Error{Message: "Not Found"}},
		{"OpenAI's in a list", `[{"error":{"message":"m","type":"t","param":null,"code":"c"}}]`, Error{Message: "m", Type: "t", Code: "c"}},
		{"in a list", `[{"error":{"code":400,"message":"m","status":"X"}}]`, Error{Message: "m", Code: "400", RPC: "X"}},
		{
			"Google's that says when", `{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED","details":[{"@type":"x"},7,{"retryDelay":"34.5s"}]}}`,
			Error{Message: "m", Code: "429", RPC: "RESOURCE_EXHAUSTED", RetryAfter: 34500 * time.Millisecond},
		},
		{
			"Google's of a key", `{"error":{"code":400,"message":"m","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_EXPIRED"},{"reason":"x"}]}}`,
			Error{Message: "m", Code: "400", RPC: "INVALID_ARGUMENT", KeyRefused: true},
		},
		{
			"Google's of a day's quota", `{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED","details":[{"violations":[{"quotaId":"GenerateRequestsPerDayPerProject"}]},{"retryDelay":"3s"}]}}`,
			Error{Message: "m", Code: "429", RPC: "RESOURCE_EXHAUSTED", RetryAfter: time.Hour},
		},
		{"text", `upstream connect error`, Error{Message: "upstream connect error"}},
		{"a web page", `<html><body>502</body></html>`, Error{}},
		{"nothing", ``, Error{}},
		{"members of odd types", `{"error":{"message":{"a":1},"type":[],"code":true}}`, Error{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, Parse([]byte(tt.body))); diff != "" {
				t.Fatal(diff)
			}
		})
	}
}

// written is a refusal as callers of OpenAI's dialect are sent it.
func written(r *llm.Refusal) string {
	if r.Body != nil {
		return string(r.Body)
	}
	quoted := func(text string) string {
		if text == "" {
			return "null"
		}
		return string(llm.Quote(text))
	}
	return `{"error":{"message":` + quoted(r.Message) + `,"type":` + quoted(r.Type) + `,"param":` + quoted(r.Param) + `,"code":` + quoted(r.Code) + `}}`
}
