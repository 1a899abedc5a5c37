package sim

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	shared "github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/responses"
	"github.com/weirproxy/weir/internal/llm"
)

// responsesAPI is OpenAI's Responses API as its server sees it: the dialect's other half, and what the API refuses. It stores nothing.
type responsesAPI struct{ openAI }

const (
	pathResponses   = "/responses"
	pathInputTokens = "/responses/input_tokens"
	pathCompact     = "/responses/compact"
)

// route implements dialect.
func (responsesAPI) route(c *call) bool {
	path := strings.TrimPrefix(strings.TrimPrefix(c.request.URL.Path, "/openai"), "/v1")
	if path != pathResponses && path != pathInputTokens && path != pathCompact {
		return false
	}
	c.endpoint, c.credential = path, openAICredential(c.request.Header)
	return true
}

// usage implements dialect.
func (responsesAPI) usage(payload []byte) (prompt, completion int, ok bool) {
	type usage struct {
		Input  int `json:"input_tokens"`
		Output int `json:"output_tokens"`
	}
	var body struct {
		Usage    *usage
		Response struct{ Usage *usage }
	}
	if json.Unmarshal(payload, &body) != nil {
		return 0, 0, false
	}
	for _, u := range [...]*usage{body.Usage, body.Response.Usage} {
		if u != nil {
			return u.Input, u.Output, true
		}
	}
	return 0, 0, false
}

// streamError implements dialect.
func (responsesAPI) streamError() []byte {
	return []byte(`{"type":"error","sequence_number":0,"code":"server_error","message":"The server had an error while processing your request.","param":null}`)
}

// eventName implements named.
func (responsesAPI) eventName(payload []byte) string {
	var event struct{ Type string }
	_ = json.Unmarshal(payload, &event) // a script may send anything
	return event.Type
}

// reply implements dialect.
func (d responsesAPI) reply(c *call) reply {
	a, err := d.correct(c)
	var refused *refusal
	if errors.As(err, &refused) {
		a = refused.reply()
	} else if err != nil {
		a = (&refusal{status: http.StatusBadRequest, message: err.Error()}).reply()
	}
	if a.header == nil {
		a.header = http.Header{}
	}
	a.header.Set("X-Request-Id", c.id("req_"))
	a.header.Set("Openai-Version", "2020-10-01")
	a.header.Set("Openai-Organization", "simulated")
	return a
}

func (d responsesAPI) correct(c *call) (reply, error) {
	if err := d.authorize(c); err != nil {
		return reply{}, err
	}
	if c.request.Method != http.MethodPost {
		return reply{}, &refusal{status: http.StatusMethodNotAllowed, code: "method_not_supported", allow: http.MethodPost, message: "Not allowed to " + c.request.Method + " on " + c.endpoint + "."}
	}
	if err := modelExists(c); err != nil {
		return reply{}, err
	}
	parse := responses.Parse
	if c.endpoint == pathCompact {
		if err := checkCompact(c.body); err != nil {
			return reply{}, err
		}
		parse = responses.ParseCompact
	}
	asked, wrong := parse(c.body, shared.ParseOptions{})
	if wrong != nil {
		return reply{}, asRefusal(wrong)
	}
	r, wrong := asked.Served()
	if wrong != nil {
		return reply{}, asRefusal(wrong)
	}
	if err := checkResponse(r); err != nil {
		return reply{}, err
	}
	if c.endpoint == pathInputTokens {
		return jsonReply(struct {
			Object string `json:"object"`
			Tokens int    `json:"input_tokens"`
		}{"response.input_tokens", promptTokens(r)}), nil
	}
	out := d.answer(c, r)
	w := asked.Serve(c.created)
	w.Seal = func(text string) string { return encrypted(responses.Maker(r.Model, ""), text) }
	if c.endpoint == pathCompact {
		w.Keep(r)
	}
	return out.reply(w, "resp_", typeStream), nil
}

// compactMembers are those that the endpoint for summaries takes: what the API documents, and what Codex sends.
var compactMembers = []string{
	"model", "input", "instructions", "previous_response_id", "prompt_cache_key", "prompt_cache_retention", "prompt_cache_options", "service_tier",
	"tools", "parallel_tool_calls", "reasoning", "text",
}

// checkCompact refuses what the endpoint for summaries does not have.
func checkCompact(body []byte) error {
	for name := range jsonwalk.Members(body) {
		if !slices.Contains(compactMembers, string(name)) {
			return bad(string(name), "unknown_parameter", "Unknown parameter: '%s'.", name)
		}
	}
	return nil
}

// asRefusal is what the API says of a request that cannot be read.
func asRefusal(err *llm.Error) error {
	if err.Param == "previous_response_id" {
		return bad(err.Param, "previous_response_not_found", "Previous response not found.")
	}
	return bad(err.Param, err.Code(), "%s", err.Message)
}

// answer is what the model says. Its reasoning comes back encrypted, where the caller asks for that.
func (responsesAPI) answer(c *call, r *llm.Request) answered {
	s := speaker{
		call: c, asked: r, thinks: r.Effort != "" && r.Effort != "none", room: int(r.MaxToken),
		sign:   func(thought string) string { return encrypted(responses.Maker(r.Model, ""), thought) },
		callID: func(n int, _ string) string { return c.id(fmt.Sprintf("call_%d", n)) },
	}
	out := s.answer()
	if scored := slices.ContainsFunc(r.Params, func(p llm.Param) bool { return p.Name == "logprobs" }); scored && out.finish != "tool_calls" {
		top, _ := number(r, "top_logprobs")
		out.scores = likely(out.blocks[len(out.blocks)-1].text, int(top))
	}
	return out
}

// encryptedHead is how what the API encrypted begins.
const encryptedHead = "gAAAA"

// encrypted is reasoning that only models of its maker can read.
func encrypted(maker, thought string) string {
	return encryptedHead + base64.RawURLEncoding.EncodeToString([]byte(thought)) + "." + sign(maker+thought)
}

// readable reports whether a model's maker encrypted a text.
func readable(maker, text string) bool {
	thought, signature, ok := strings.Cut(strings.TrimPrefix(text, encryptedHead), ".")
	raw, err := base64.RawURLEncoding.DecodeString(thought)
	return ok && err == nil && signature == sign(maker+string(raw))
}

// leastOutput is the least bound on an answer that the API takes, and longestCallID how long the id of a call may be.
const (
	leastOutput   = 16
	longestCallID = 64
)

// checkResponse refuses what the API refuses.
func checkResponse(r *llm.Request) error {
	for _, x := range r.Extras {
		if x.Name != "reasoning.context" && x.Name != "max_tool_calls" {
			return bad(x.Name, "unknown_parameter", "Unknown parameter: '%s'.", x.Name)
		}
	}
	if r.MaxToken > 0 && r.MaxToken < leastOutput {
		return bad("max_output_tokens", "integer_below_min_value", "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= %d, but got %d instead.", leastOutput, r.MaxToken)
	}
	waiting := map[string]bool{}
	for i := range r.Messages {
		for j := range r.Messages[i].Parts {
			if err := checkItem(r, &r.Messages[i].Parts[j], waiting); err != nil {
				return err
			}
		}
	}
	for id := range waiting {
		return bad("input", "", "No tool output found for function call %s.", id)
	}
	return nil
}

// checkItem checks a part of the conversation. waiting are the calls that have no result yet.
func checkItem(r *llm.Request, p *llm.Part, waiting map[string]bool) error {
	switch p.Kind {
	case llm.ToolCall:
		if len(p.ID) > longestCallID {
			return bad("input", "string_above_max_length", "Invalid 'input': string too long. Expected a string with maximum length %d, but got a string with length %d instead.", longestCallID, len(p.ID))
		}
		waiting[p.ID] = true
	case llm.Result:
		delete(waiting, p.ID)
	case llm.Reasoning, llm.Redacted:
		if opaque := p.Opaque.Text(); opaque != "" && !readable(responses.Maker(r.Model, ""), opaque) {
			return bad("", "invalid_encrypted_content", "The encrypted content %s could not be verified.", excerpt(opaque, 12))
		}
	}
	return nil
}
