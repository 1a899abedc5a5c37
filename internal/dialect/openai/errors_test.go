package openai

import (
	"testing"
	"time"
)

// Each shape that vendors have for errors gives its message, and what else it tells.
func TestShapesOfErrors(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]UpstreamError{
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
		`{"base_resp":{"status_code":1,"status_msg":"m"}}`:                                    {Message: "m"},
		`{"choices":[{"error":{"message":"m","code":502}}]}`:                                  {Message: "m", Code: "502"},
		`{"error":{"message":"m","status":"NOT_FOUND","code":404}}`:                           {Message: "m", Code: "404", RPC: "NOT_FOUND"},
		`{"error":{"message":"m","details":[{"retryDelay":"1.5s"},{"retryDelay":"1s"}]}}`:     {Message: "m", RetryAfter: 1500 * time.Millisecond},
		`{"error":{"message":"m","details":[{"reason":"API_KEY_EXPIRED"}]}}`:                  {Message: "m", KeyRefused: true},
		`{"error":{"message":"m","details":[{"reason":"API_KEY_INVALID"}]}}`:                  {Message: "m", KeyRefused: true},
		`{"error":{"message":"m","details":[{"reason":"OTHER"},7]}}`:                          {Message: "m"},
		`{"error":{"message":"m","details":[{"violations":[{"quotaId":"RequestsPerDay"}]}]}}`: {Message: "m", RetryAfter: time.Hour},
		` plain text `:    {Message: "plain text"},
		`<html>no</html>`: {},
		``:                {},
		`{}`:              {},
		`null`:            {},
		`[]`:              {Message: "[]"},
	} {
		if got := ParseError([]byte(body)); got != want {
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
		e    UpstreamError
		want meaning
	}{
		{UpstreamError{}, meaning{}},
		{UpstreamError{Message: "Something else.", Code: "x", Type: "y"}, meaning{}},
		{UpstreamError{Code: "context_length_exceeded"}, meaning{long: true, status: 400}},
		{UpstreamError{Message: "This model's maximum context length is 8 tokens."}, meaning{long: true, status: 400}},
		{UpstreamError{Message: "PROMPT IS TOO LONG: 9 tokens"}, meaning{long: true, status: 400}},
		{UpstreamError{Message: "Request too large for gpt-5", Code: "rate_limit_exceeded"}, meaning{limit: true, status: 429}},
		{UpstreamError{Code: "insufficient_quota"}, meaning{quota: true, status: 429}},
		{UpstreamError{Type: "insufficient_quota"}, meaning{quota: true, status: 429}},
		{UpstreamError{Code: "rate_limit_exceeded"}, meaning{status: 429}},
		{UpstreamError{Code: "invalid_api_key"}, meaning{status: 401}},
		{UpstreamError{Message: "Missing scopes: model.request."}, meaning{credential: true}},
		{UpstreamError{Message: "This request requires more credits, or fewer max_tokens."}, meaning{credential: true}},
		{UpstreamError{Code: "content_filter"}, meaning{moderated: true, status: 400}},
		{UpstreamError{Code: "content_policy_violation"}, meaning{moderated: true, status: 400}},
		{UpstreamError{Code: "moderation_blocked"}, meaning{moderated: true, status: 400}},
		{UpstreamError{Message: "Your prompt was flagged."}, meaning{moderated: true, status: 400}},
		{UpstreamError{Code: "model_not_found"}, meaning{absent: true, status: 404}},
		{UpstreamError{Code: "DeploymentNotFound"}, meaning{absent: true, status: 404}},
		{UpstreamError{Type: "invalid_model", Message: "x"}, meaning{absent: true, status: 404}},
		{UpstreamError{Type: "not_found_error", Message: "model: claude-none"}, meaning{absent: true, status: 404}},
		{UpstreamError{Type: "not_found_error", Message: "Not Found"}, meaning{}},
		{UpstreamError{Message: "model: claude-none"}, meaning{}},
		{UpstreamError{Message: "The model `none` does not exist."}, meaning{absent: true, status: 404}},
		{UpstreamError{Message: `model "none" not found, try pulling it first`}, meaning{absent: true, status: 404}},
		{UpstreamError{Message: "Model Not Exist"}, meaning{absent: true, status: 404}},
		{UpstreamError{Message: "some/none is not a valid model ID"}, meaning{absent: true, status: 404}},
		{UpstreamError{Message: "You said: The model `none` does not exist."}, meaning{}},
		{UpstreamError{Message: "No endpoints found that support tool use."}, meaning{}},
	} {
		e := tt.e
		got := meaning{e.ContextTooLong(), e.BeyondLimit(), e.QuotaExhausted(), e.BeyondCredential(), e.Moderated(), e.ModelNotFound(), e.MeantStatus()}
		if got != tt.want {
			t.Errorf("%+v: %+v, want %+v", e, got, tt.want)
		}
	}
}

// An error is told in OpenAI's shape, with what the upstream did not say filled in.
func TestEnvelope(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		e    UpstreamError
		body string
		want string
	}{
		{UpstreamError{Message: "m", Type: "t", Param: "p", Code: "c"}, "", `{"error":{"message":"m","type":"t","param":"p","code":"c"}}`},
		{UpstreamError{}, "", `{"error":{"message":"The upstream refused the request with status 418 and gave no reason.","type":"invalid_request_error","param":null,"code":null}}`},
		{UpstreamError{}, `{"a":1}`, `{"error":{"message":"{\"a\":1}","type":"invalid_request_error","param":null,"code":null}}`},
		{UpstreamError{}, `null`, `{"error":{"message":"The upstream refused the request with status 418 and gave no reason.","type":"invalid_request_error","param":null,"code":null}}`},
		{UpstreamError{}, `<html>`, `{"error":{"message":"The upstream refused the request with status 418 and gave no reason.","type":"invalid_request_error","param":null,"code":null}}`},
		{UpstreamError{Message: "m"}, `{"a":1}`, `{"error":{"message":"m","type":"invalid_request_error","param":null,"code":null}}`},
	} {
		if got := string(tt.e.Told([]byte(tt.body)).Envelope(418)); got != tt.want {
			t.Errorf("%+v, %s: %s", tt.e, tt.body, got)
		}
	}
	if IsHTML(nil) || IsHTML([]byte("a<b")) || !IsHTML([]byte("\n <p>")) {
		t.Error("IsHTML")
	}
}
