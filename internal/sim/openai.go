package sim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	shared "github.com/weirproxy/weir/internal/dialect"
)

// The endpoints of the OpenAI dialect.
const (
	pathChat        = "/chat/completions"
	pathCompletions = "/completions"
	pathEmbeddings  = "/embeddings"
)

// paths are all endpoints that a script can name.
var paths = []string{pathChat, pathCompletions, pathEmbeddings, pathModels}

const invalidRequest = "invalid_request_error"

// openAI is OpenAI's API as its server sees it, and Azure's two forms of it.
type openAI struct{}

// route implements dialect.
func (openAI) route(c *call) bool {
	c.credential = openAICredential(c.request.Header)
	path := c.request.URL.Path
	if rest, ok := strings.CutPrefix(path, "/openai/deployments/"); ok {
		deployment, endpoint, _ := strings.Cut(rest, "/")
		c.dated, c.pathModel = true, deployment
		path = "/" + endpoint
	} else {
		path = strings.TrimPrefix(path, "/openai")
		path = strings.TrimPrefix(path, "/v1")
	}
	if id, ok := strings.CutPrefix(path, pathModels+"/"); ok && !c.dated {
		c.endpoint, c.pathModel = pathModels, id
		return true
	}
	if slices.Contains(paths, path) && !(c.dated && path == pathModels) {
		c.endpoint = path
		return true
	}
	return false
}

func openAICredential(h http.Header) string {
	scheme, token, ok := strings.Cut(h.Get("Authorization"), " ")
	if ok && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(token)
	}
	return h.Get("Api-Key")
}

// read implements dialect.
func (openAI) read(c *call) {
	var body struct {
		Model  string `json:"model"`
		Stream bool   `json:"stream"`
	}
	_ = json.Unmarshal(c.body, &body) // reply complains about what is wrong with it
	c.model, c.stream = body.Model, body.Stream && c.endpoint != pathEmbeddings
	if c.pathModel != "" {
		c.model = c.pathModel
	}
}

// reply implements dialect.
func (d openAI) reply(c *call) reply {
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

func (d openAI) correct(c *call) (reply, error) {
	if err := d.authorize(c); err != nil {
		return reply{}, err
	}
	method := http.MethodPost
	switch {
	case c.endpoint == "":
		return reply{}, &refusal{status: http.StatusNotFound, message: fmt.Sprintf("Invalid URL (%s %s)", c.request.Method, c.request.URL.Path)}
	case c.dated && c.request.URL.Query().Get("api-version") == "":
		return reply{}, &refusal{status: http.StatusNotFound, code: "404", message: "Resource not found"}
	case c.endpoint == pathModels:
		method = http.MethodGet
	}
	if c.request.Method != method && !(method == http.MethodGet && c.request.Method == http.MethodHead) {
		return reply{}, &refusal{
			status: http.StatusMethodNotAllowed, code: "method_not_supported", allow: method,
			message: fmt.Sprintf("Not allowed to %s on %s. (HINT: Perhaps you meant to make your HTTP request using a different HTTP method?)", c.request.Method, c.request.URL.Path),
		}
	}
	switch c.endpoint {
	case pathModels:
		return d.models(c)
	case pathEmbeddings:
		return d.embeddings(c)
	case pathCompletions:
		return d.completions(c)
	}
	return d.chat(c)
}

func (openAI) authorize(c *call) error {
	switch {
	case c.script.Key == "" || c.credential == c.script.Key:
		return nil
	case c.dated:
		return &refusal{
			status: http.StatusUnauthorized, code: "401",
			message: "Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.",
		}
	case c.credential == "":
		return &refusal{
			status:  http.StatusUnauthorized,
			message: "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
		}
	}
	return &refusal{
		status: http.StatusUnauthorized, code: "invalid_api_key",
		message: fmt.Sprintf("Incorrect API key provided: %s. You can find your API key in the simulated provider's script.", masked(c.credential)),
	}
}

// masked shows a key's ends, as OpenAI's message does.
func masked(key string) string {
	if len(key) < 12 {
		return strings.Repeat("*", len(key))
	}
	return key[:4] + strings.Repeat("*", len(key)-8) + key[len(key)-4:]
}

// refusal implements dialect.
func (openAI) refusal(status int) reply {
	r := &refusal{status: status, message: "Simulated error " + fmt.Sprint(status) + "."}
	switch {
	case status == http.StatusTooManyRequests:
		r.typ, r.code = "requests", "rate_limit_exceeded"
		r.message = "Rate limit reached (simulated). Please try again in 1s."
	case status == http.StatusUnauthorized:
		r.code = "invalid_api_key"
		r.message = "Incorrect API key provided (simulated)."
	case status == http.StatusNotFound:
		r.code = "model_not_found"
		r.message = "The model does not exist or you do not have access to it (simulated)."
	case status >= http.StatusInternalServerError:
		r.typ = "server_error"
		r.message = "The server had an error while processing your request (simulated)."
	}
	return r.reply()
}

// streamError implements dialect.
func (openAI) streamError() []byte {
	return shared.Envelope("The server had an error while processing your request (simulated).", "server_error", "", "")
}

// usage implements dialect.
func (openAI) usage(payload []byte) (prompt, completion int, ok bool) {
	var body struct {
		Usage *openAIUsage `json:"usage"`
	}
	if json.Unmarshal(payload, &body) != nil || body.Usage == nil {
		return 0, 0, false
	}
	return body.Usage.PromptTokens, body.Usage.CompletionTokens, true
}

// openAIUsage is the usage of a chat or a completion.
type openAIUsage struct {
	PromptTokens            int             `json:"prompt_tokens"`
	CompletionTokens        int             `json:"completion_tokens"`
	TotalTokens             int             `json:"total_tokens"`
	PromptTokensDetails     *promptDetails  `json:"prompt_tokens_details,omitempty"`
	CompletionTokensDetails *completDetails `json:"completion_tokens_details,omitempty"`
}

type promptDetails struct {
	CachedTokens int `json:"cached_tokens"`
	AudioTokens  int `json:"audio_tokens"`
}

type completDetails struct {
	ReasoningTokens          int `json:"reasoning_tokens"`
	AudioTokens              int `json:"audio_tokens"`
	AcceptedPredictionTokens int `json:"accepted_prediction_tokens"`
	RejectedPredictionTokens int `json:"rejected_prediction_tokens"`
}

// refusal is an error as OpenAI answers it. Without a type it is an invalid request.
type refusal struct {
	status  int
	typ     string
	message string
	param   string
	code    string
	allow   string
}

// Error implements error.
func (r *refusal) Error() string { return r.message }

func (r *refusal) reply() reply {
	typ := r.typ
	if typ == "" {
		typ = invalidRequest
	}
	header := http.Header{}
	if r.allow != "" {
		header.Set("Allow", r.allow)
	}
	return reply{status: r.status, header: header, contentType: typeJSON, body: shared.Envelope(r.message, typ, r.param, r.code)}
}

// bad is a 400 about one parameter.
func bad(param, code, format string, args ...any) error {
	return &refusal{status: http.StatusBadRequest, param: param, code: code, message: fmt.Sprintf(format, args...)}
}

// decode reads the body into v.
func (c *call) decode(v any) error {
	err := json.Unmarshal(c.body, v)
	var typ *json.UnmarshalTypeError
	var own *refusal // one of our types' own complaint
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &typ) && typ.Field != "":
		return bad(typ.Field, "invalid_type", "Invalid type for '%s': expected %s, but got %s instead.", typ.Field, jsonKind(typ.Type.Kind()), article(typ.Value))
	case err != nil:
		return bad("", "", "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)")
	case !bytes.HasPrefix(bytes.TrimLeft(c.body, " \t\r\n"), []byte("{")):
		return bad("", "", "The JSON body of your request must be an object.")
	}
	return modelExists(c)
}

// modelExists refuses a model that is missing or does not exist.
func modelExists(c *call) error {
	if c.model == "" {
		return bad("model", "missing_required_parameter", "you must provide a model parameter")
	}
	if len(c.script.Models) > 0 && !slices.Contains(c.script.Models, c.model) {
		if c.dated {
			return &refusal{
				status: http.StatusNotFound, code: "DeploymentNotFound",
				message: "The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again.",
			}
		}
		return &refusal{
			status: http.StatusNotFound, code: "model_not_found",
			message: fmt.Sprintf("The model `%s` does not exist or you do not have access to it.", c.model),
		}
	}
	return nil
}

// openAIModel is one model of the list.
type openAIModel struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
}

func (openAI) models(c *call) (reply, error) {
	if c.pathModel != "" {
		if err := modelExists(c); err != nil {
			return reply{}, err
		}
		return jsonReply(openAIModel{c.pathModel, "model", c.created, "weir-sim"}), nil
	}
	names := c.script.Models
	if len(names) == 0 {
		names = BuiltIn().Models
	}
	list := struct {
		Object string        `json:"object"`
		Data   []openAIModel `json:"data"`
	}{Object: "list"}
	for _, name := range names {
		list.Data = append(list.Data, openAIModel{name, "model", c.created, "weir-sim"})
	}
	return jsonReply(list), nil
}

func jsonReply(v any) reply {
	return reply{status: http.StatusOK, contentType: typeJSON, body: marshal(v)}
}

// marshal encodes one of our own types, which cannot fail. < > & stay as they are, as in providers' answers.
func marshal(v any) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}
