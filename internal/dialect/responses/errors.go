package responses

import (
	"github.com/weirproxy/weir/internal/llm"
)

// appendFailure appends why a response failed. Clients go by the code: Codex repeats the request on some, and stops on others.
func appendFailure(dst []byte, e *llm.Error) []byte {
	message := e.Message
	if e.Refusal != nil {
		message = e.Refusal.Message
	}
	dst = llm.AppendQuote(append(dst, `{"code":`...), failureCode(e))
	return append(llm.AppendQuote(append(dst, `,"message":`...), message), '}')
}

// failureCode is the code of a response that failed.
func failureCode(e *llm.Error) string {
	code := e.Code()
	if e.Refusal != nil && e.Refusal.Code != "" {
		code = e.Refusal.Code
	}
	switch code {
	case "rate_limit_exceeded", "insufficient_quota", "context_length_exceeded", "invalid_prompt":
		return code
	}
	switch e.Kind {
	case llm.UpstreamRateLimited:
		return "rate_limit_exceeded"
	case llm.Overloaded, llm.LedgerUnavailable, llm.KeysUnavailable, llm.UpstreamOverloaded:
		return "server_is_overloaded"
	case llm.CutOff: // of the codes that Codex knows, one that it does not repeat the request on
		return "invalid_prompt"
	}
	return "server_error"
}

// failure is the event that ends a stream which failed before it had begun.
func failure(e *llm.Error) []byte {
	out := []byte(`{"type":"response.failed","sequence_number":0,"response":{"id":"resp_0","object":"response","created_at":0,"status":"failed","error":`)
	return append(appendFailure(out, e), `,"incomplete_details":null,"model":"","output":[],"parallel_tool_calls":true,"tool_choice":"auto","tools":[],"usage":null}}`...)
}
