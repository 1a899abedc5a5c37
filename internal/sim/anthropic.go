package sim

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	messages "github.com/weirproxy/weir/internal/dialect/anthropic"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// anthropic is the Messages API as its server sees it: the dialect's other half, and what the API refuses. Its calls are known by the header that they all have to carry.
type anthropic struct{}

const (
	pathMessages = "/messages"
	pathCount    = "/messages/count_tokens"
)

// route implements dialect.
func (anthropic) route(c *call) bool {
	h := c.request.Header
	if h.Get("Anthropic-Version") == "" {
		return false
	}
	c.credential = cmp.Or(h.Get("X-Api-Key"), openAICredential(h))
	if path := strings.TrimPrefix(c.request.URL.Path, "/v1"); path == pathMessages || path == pathModels || path == pathCount {
		c.endpoint = path
	}
	return true
}

// read implements dialect.
func (anthropic) read(c *call) { openAI{}.read(c) }

// anthropicError is a refusal in this API's words.
func anthropicError(status int, message string) reply {
	types := map[int]string{
		400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error", 404: "not_found_error",
		413: "request_too_large", 429: "rate_limit_error", 504: "timeout_error", 529: "overloaded_error",
	}
	typ := cmp.Or(types[status], "api_error")
	type inner struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	}
	a := jsonReply(struct {
		Type  string `json:"type"`
		Error inner  `json:"error"`
	}{"error", inner{typ, message}})
	a.status = status
	return a
}

// refusal implements dialect.
func (anthropic) refusal(status int) reply { return anthropicError(status, "Simulated failure") }

// streamError implements dialect.
func (anthropic) streamError() []byte { return anthropicError(529, "Overloaded").body }

// messagesUsage is what a message cost.
type messagesUsage struct {
	Input  int `json:"input_tokens"`
	Output int `json:"output_tokens"`
}

// usage implements dialect.
func (anthropic) usage(payload []byte) (prompt, completion int, ok bool) {
	var body struct {
		Usage   *messagesUsage `json:"usage"`
		Message struct {
			Usage *messagesUsage `json:"usage"`
		} `json:"message"`
	}
	if json.Unmarshal(payload, &body) != nil {
		return 0, 0, false
	}
	if u := cmp.Or(body.Usage, body.Message.Usage); u != nil {
		return u.Input, u.Output, true
	}
	return 0, 0, false
}

// reply implements dialect.
func (d anthropic) reply(c *call) reply {
	a := d.correct(c)
	if a.header == nil {
		a.header = http.Header{}
	}
	a.header.Set("Request-Id", c.id("req_"))
	return a
}

func (d anthropic) correct(c *call) reply {
	switch {
	case c.script.Key != "" && c.credential != c.script.Key:
		return anthropicError(401, "invalid x-api-key")
	case c.endpoint == pathModels:
		return d.models(c)
	case c.endpoint == "" || c.request.Method != http.MethodPost:
		return anthropicError(404, "Not found")
	case c.endpoint == pathCount:
		return jsonReply(struct {
			Tokens int `json:"input_tokens"`
		}{len(c.body) / 4})
	}
	r, wrong := messages.Decode(c.body)
	if wrong != nil {
		return anthropicError(400, misread(wrong))
	}
	if modelExists(c) != nil {
		return anthropicError(404, "model: "+c.model)
	}
	if err := unknownExtras(r); err != nil {
		return anthropicError(400, err.Error())
	}
	m := claude{Request: r, maker: vendorOf(c.model)}
	if err := m.check(); err != nil {
		return anthropicError(400, err.Error())
	}
	out := m.answer(c)
	return out.reply(new(messagesWriter), "msg_", typeStream)
}

// vendorOf is whose model it is, "" for Claude and those whose name does not say: other vendors' speak this API too.
func vendorOf(model string) string {
	vendor, _, named := strings.Cut(strings.ToLower(model), "-")
	if !named || vendor == "claude" {
		return ""
	}
	return vendor
}

// misread is what the API says of a request that cannot be read.
func misread(err *llm.Error) string {
	if err.Kind == llm.MissingParameter {
		return err.Param + ": Field required"
	}
	return err.Message
}

// ownExtras are members of the API that only it has, and that change nothing of a simulated answer.
var ownExtras = []string{"thinking.display", "output_config.effort", "context_management", "container", "inference_geo", "speed", "diagnostics"}

// ownTools begin the types of the tools that only the API has. The simulated model does not use them.
var ownTools = []string{"bash_", "code_execution_", "computer_", "memory_", "text_editor_", "tool_search_tool_", "web_fetch_", "web_search_"}

// unknownExtras refuses what the dialect lets pass as something that the API may know, and that this one does not.
func unknownExtras(r *llm.Request) error {
	for _, x := range r.Extras {
		if !slices.Contains(ownExtras, x.Name) {
			return fmt.Errorf("unknown field %q", x.Name)
		}
	}
	if r.Hosted != "" {
		return errors.New(`unknown field "anthropic_version"`)
	}
	for i := range r.Tools {
		if raw := r.Tools[i].Raw; raw != nil && !isBuiltIn(raw, "type", ownTools) && !isDeferred(raw) {
			return fmt.Errorf("unknown field in %s", r.Tools[i].Raw)
		}
	}
	if raw := nativeOf(r); raw != "" {
		return errors.New("unknown field in " + raw)
	}
	return nil
}

// isDeferred reports whether a tool says when its model gets to see it. The simulated model calls no such tool.
func isDeferred(tool llm.JSON) bool {
	for name := range jsonwalk.Members(tool) {
		if string(name) == "defer_loading" {
			return true
		}
	}
	return false
}

// messagesWriter adds the ping that follows every stream's start.
type messagesWriter struct{ messages.Writer }

// Payloads implements wording.
func (w *messagesWriter) Payloads(ev *llm.Event, send func(payload []byte)) {
	w.Writer.Payloads(ev, send)
	if ev.Kind == llm.Start {
		send([]byte(`{"type":"ping"}`))
	}
}

func (anthropic) models(c *call) reply {
	type model struct {
		Type      string `json:"type"`
		ID        string `json:"id"`
		Name      string `json:"display_name"`
		CreatedAt string `json:"created_at"`
	}
	list, names := []model{}, c.script.Models
	if len(names) == 0 {
		names = []string{"chat"}
	}
	for _, id := range names {
		list = append(list, model{"model", id, "Simulated " + id, "2026-01-02T03:04:05Z"})
	}
	return jsonReply(struct {
		Data []model `json:"data"`
		More bool    `json:"has_more"`
	}{list, false})
}
