package sim

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/eventstream"
	"github.com/weirproxy/weir/internal/llm"
)

// converse is Amazon Bedrock's Converse API as its server sees it. Its calls are known by their path, which names the
// model. The model behind it acts as Claude, but for its signatures, which are its maker's.
type converse struct{}

const (
	pathConverse = "/converse"
	typeFrames   = "application/vnd.amazon.eventstream"
)

// route implements dialect.
func (converse) route(c *call) bool {
	model, ok := strings.CutPrefix(strings.TrimPrefix(c.request.URL.EscapedPath(), "/v1"), "/model/")
	if !ok {
		return false
	}
	c.credential = openAICredential(c.request.Header)
	name, operation, _ := strings.Cut(model, "/") // a slash in the name has to be escaped
	var err error
	if c.pathModel, err = url.PathUnescape(name); err != nil {
		return true
	}
	if c.stream = operation == "converse-stream"; c.stream || operation == "converse" {
		c.endpoint = pathConverse
	}
	return true
}

// read implements dialect.
func (converse) read(c *call) { c.model = c.pathModel }

// exceptions are the API's words for errors.
var exceptions = map[int]string{
	400: "ValidationException", 401: "UnrecognizedClientException", 403: "AccessDeniedException", 404: "ResourceNotFoundException",
	408: "ModelTimeoutException", 424: "ModelErrorException", 429: "ThrottlingException", 500: "InternalServerException", 503: "ServiceUnavailableException",
}

// converseError is a refusal in this API's words. What is wrong with a credential bears another status than elsewhere.
func converseError(status int, message string) reply {
	a := jsonReply(struct {
		Message string `json:"message"`
	}{message})
	a.header = http.Header{"X-Amzn-Errortype": {cmp.Or(exceptions[status], "InternalServerException") + ":http://internal.amazon.com/coral/com.amazon.bedrock/"}}
	if a.status = status; status == http.StatusUnauthorized {
		a.status = http.StatusForbidden
	}
	return a
}

// refusal implements dialect.
func (converse) refusal(status int) reply { return converseError(status, "Simulated failure") }

// streamError implements dialect.
func (converse) streamError() []byte {
	return []byte(`throttlingException {"message":"Too many requests, please wait before trying again."}`)
}

// converseUsage is what an answer cost.
type converseUsage struct {
	Input  int `json:"inputTokens"`
	Output int `json:"outputTokens"`
	Total  int `json:"totalTokens"`
}

// usage implements dialect.
func (converse) usage(payload []byte) (prompt, completion int, ok bool) {
	if _, body, named := bytes.Cut(payload, []byte(" {")); named && payload[0] != '{' {
		payload = append([]byte("{"), body...)
	}
	var body struct {
		Usage *converseUsage `json:"usage"`
	}
	if json.Unmarshal(payload, &body) != nil || body.Usage == nil {
		return 0, 0, false
	}
	return body.Usage.Input, body.Usage.Output, true
}

// streamType implements framed.
func (converse) streamType() string { return typeFrames }

// frame implements framed. What is to be sent is the type of an event and its payload, with a space between them.
func (converse) frame(dst, payload []byte) []byte {
	name, body, ok := strings.Cut(string(payload), " ")
	if !ok || !strings.HasPrefix(body, "{") {
		name, body = "chunk", string(payload)
	}
	message, typ := "event", ":event-type"
	if strings.HasSuffix(name, "Exception") {
		message, typ = "exception", ":exception-type"
	}
	return eventstream.Append(dst, []byte(body), eventstream.Header{Name: typ, Value: name},
		eventstream.Header{Name: ":content-type", Value: "application/json"}, eventstream.Header{Name: ":message-type", Value: message})
}

// reply implements dialect.
func (d converse) reply(c *call) reply {
	a := d.correct(c)
	if a.header == nil {
		a.header = http.Header{}
	}
	a.header.Set("X-Amzn-Requestid", c.id(""))
	return a
}

func (converse) correct(c *call) reply {
	switch {
	case c.script.Key != "" && c.credential != c.script.Key:
		return converseError(401, "Authentication failed: Please make sure your API Key is valid.")
	case c.endpoint == "" || c.request.Method != http.MethodPost:
		return converseError(404, "Unknown operation")
	}
	var r converseRequest
	body := json.NewDecoder(bytes.NewReader(c.body))
	body.DisallowUnknownFields()
	if err := body.Decode(&r); err != nil {
		return converseError(400, err.Error())
	}
	if modelExists(c) != nil {
		return converseError(400, "The provided model identifier is invalid.")
	}
	if refusal := r.check(); refusal != "" {
		return converseError(400, refusal)
	}
	m := r.claude()
	m.maker = makerOf(c.model)
	if err := m.check(); err != nil {
		return converseError(400, "The model returned the following errors: "+err.Error())
	}
	out := m.answer(c)
	prompt := count(string(c.body))
	tokens := int(out.usage.Output)
	usage := converseUsage{prompt, tokens, prompt + tokens}
	if c.stream {
		return reply{status: 200, contentType: typeFrames, events: converseStream{out, usage}.events, prompt: prompt}
	}
	a := jsonReply(newConverseAnswer(out, usage))
	a.prompt, a.completion = prompt, tokens
	return a
}

// madeBy finds the maker in the id of a model, behind the region of an inference profile.
var madeBy = regexp.MustCompile(`^(?:(?:[a-z]{2}|apac|global|us-gov)\.)?([a-z0-9]+)\.`)

// makerOf is who made a model, "" for Claude's and those whose id does not say.
func makerOf(model string) string {
	if found := madeBy.FindStringSubmatch(model); found != nil && !strings.Contains(model, "claude") {
		return found[1]
	}
	return ""
}

// The shape of a complete answer.
type (
	converseMetrics struct {
		Latency int `json:"latencyMs"`
	}
	converseOutput struct {
		Message struct {
			Role    string          `json:"role"`
			Content []converseBlock `json:"content"`
		} `json:"message"`
	}
	converseAnswer struct {
		Metrics converseMetrics `json:"metrics"`
		Output  converseOutput  `json:"output"`
		Stop    string          `json:"stopReason"`
		Usage   converseUsage   `json:"usage"`
	}
)

func newConverseAnswer(out answered, usage converseUsage) converseAnswer {
	a := converseAnswer{Stop: converseStop(out.finish), Usage: usage, Metrics: converseMetrics{1}}
	a.Output.Message.Role = "assistant"
	for _, block := range out.blocks {
		var to converseBlock
		switch block.kind {
		case llm.Text:
			to.Text = &block.text
		case llm.Reasoning:
			to.Reasoning = &converseReasoning{Text: &converseThought{block.text, block.opaque}}
		case llm.ToolCall:
			to.ToolUse = &converseCall{block.callID, block.called, json.RawMessage(block.text)}
		}
		a.Output.Message.Content = append(a.Output.Message.Content, to)
	}
	return a
}

// converseStop is the API's word for why an answer ended.
func converseStop(finish string) string {
	return map[string]string{"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use"}[finish]
}
