package sim

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	bedrock "github.com/weirproxy/weir/internal/dialect/converse"
	"github.com/weirproxy/weir/internal/dialect/eventstream"
	"github.com/weirproxy/weir/internal/llm"
)

// converse is Amazon Bedrock's Converse API as its server sees it: the dialect's other half, and what the API refuses. Its calls are
// known by their path, which names the model. Its model behaves as Claude, except that its signatures are its maker's.
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

// frame implements framed. What a script has sent is the type of an event and its payload, with a space between them.
func (converse) frame(dst, payload []byte) []byte {
	if bytes.HasPrefix(payload, []byte(`{"type":`)) {
		return bedrock.AppendFrame(dst, payload)
	}
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
func (d converse) reply(c *call) reply { return withID(c, d.correct(c)) }

// withID is an answer with the id that the host gave to the call.
func withID(c *call, a reply) reply {
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
	r, wrong := bedrock.Decode(c.model, c.body)
	if wrong != nil {
		return converseError(400, wrong.Message)
	}
	if modelExists(c) != nil {
		return converseError(400, "The provided model identifier is invalid.")
	}
	if refusal := (converseRequest{r}).check(); refusal != "" {
		return converseError(400, refusal)
	}
	m := claude{Request: actAsClaude(r), maker: makerOf(c.model)}
	if err := m.check(); err != nil {
		return converseError(400, "The model returned the following errors: "+err.Error())
	}
	out := m.answer(c)
	return out.reply(&converseWriter{Writer: bedrock.Writer{Took: 1}}, "", typeFrames)
}

// converseWriter pads the payloads of a stream, so that the lengths of events say less of their content.
type converseWriter struct {
	bedrock.Writer
	sent   int
	padded []byte
}

// Payloads implements wording.
func (w *converseWriter) Payloads(ev *llm.Event, send func(payload []byte)) {
	w.Writer.Payloads(ev, func(payload []byte) {
		w.padded = append(append(w.padded[:0], payload[:len(payload)-1]...), `,"p":"`+"abcdefghijklmnopqrstuvwxyz"[:1+w.sent*7%26]+`"}`...)
		w.sent++
		send(w.padded)
	})
}

// madeBy finds the maker in the id of a model, after the region of an inference profile.
var madeBy = regexp.MustCompile(`^(?:(?:[a-z]{2}|apac|global|us-gov)\.)?([a-z0-9]+)\.`)

// makerOf is who made a model, "" for Claude's and those whose id does not say.
func makerOf(model string) string {
	if found := madeBy.FindStringSubmatch(model); found != nil && !strings.Contains(model, "claude") {
		return found[1]
	}
	return ""
}
