package sim

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// anthropic is the Messages API as its server sees it. Its calls are known by the header that they all have to carry.
type anthropic struct{}

const pathMessages = "/messages"

// route implements dialect.
func (anthropic) route(c *call) bool {
	h := c.request.Header
	if h.Get("Anthropic-Version") == "" {
		return false
	}
	c.credential = cmp.Or(h.Get("X-Api-Key"), openAICredential(h))
	if path := strings.TrimPrefix(c.request.URL.Path, "/v1"); path == pathMessages || path == pathModels {
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
	}
	var r messagesRequest
	body := json.NewDecoder(bytes.NewReader(c.body))
	body.DisallowUnknownFields()
	if err := body.Decode(&r); err != nil {
		return anthropicError(400, err.Error())
	}
	if modelExists(c) != nil {
		return anthropicError(404, "model: "+c.model)
	}
	if err := r.check(); err != nil {
		return anthropicError(400, err.Error())
	}
	return r.reply(c)
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

// sign is the signature of a thought, by which it is known again.
func sign(thought string) string {
	sum := sha256.Sum256([]byte("simulated" + thought))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// sign signs a thought as the model's maker does: none can read another's.
func (r *messagesRequest) sign(thought string) string { return sign(r.maker + thought) }

// The blocks of an answer.
type (
	textBlock struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	thoughtBlock struct {
		Type      string `json:"type"`
		Thinking  string `json:"thinking"`
		Signature string `json:"signature"`
	}
	callBlock struct {
		Type  string          `json:"type"`
		ID    string          `json:"id"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"`
	}
)

// answered is an answer as it is made: blocks, why it ended, and the tokens that it took.
type answered struct {
	blocks []any
	stop   string
	tokens int
}

// reply is the answer in this API's words.
func (r *messagesRequest) reply(c *call) reply {
	out := r.answer(c)
	prompt := count(string(c.body))
	if c.stream {
		s := messagesStream{call: c, answered: out, prompt: prompt}
		return reply{status: 200, contentType: typeStream, events: s.events, prompt: prompt}
	}
	a := jsonReply(newMessage(c, out.blocks, &out.stop, messagesUsage{prompt, out.tokens}))
	a.prompt, a.completion = prompt, out.tokens
	return a
}

// answer is what the model says: a thought if asked for, then calls of tools or a text.
func (r *messagesRequest) answer(c *call) answered {
	out := answered{stop: "end_turn"}
	last := r.Messages[len(r.Messages)-1]
	if r.Thinking.Type == "enabled" || r.Thinking.Type == "adaptive" {
		thought := "A simulated thought about: " + excerpt(last.text(), 80)
		out.blocks = append(out.blocks, thoughtBlock{"thinking", thought, r.sign(thought)})
		out.tokens += count(thought)
	}
	if called := r.toolsToCall(last); len(called) > 0 {
		out.stop = "tool_use"
		for i, t := range called {
			b := callBlock{"tool_use", c.id(fmt.Sprintf("toolu_%d", i)), t.Name, synthesise(t.InputSchema)}
			out.blocks = append(out.blocks, b)
			out.tokens += count(string(b.Input))
		}
	} else {
		text := fit(c.sentence()+" You said: "+excerpt(last.text(), 200), c.tokens())
		if schema := r.OutputConfig.Format.Schema; schema != nil {
			text = string(synthesise(schema))
		}
		if most := r.MaxTokens - r.Thinking.Budget; count(text) > most {
			text, out.stop = fit(text, most), "max_tokens"
		}
		out.blocks = append(out.blocks, textBlock{"text", text})
		out.tokens += count(text)
	}
	return out
}

// text is what the turn says, the results of tools included.
func (t *messagesTurn) text() string {
	var text string
	for _, b := range t.Content {
		text += b.Text
		for _, inner := range b.Content {
			text += inner.Text
		}
	}
	return text
}

// toolsToCall are the named tool or the first, until it has answered, and if one must be called nonetheless the last; two calls if the user's text speaks of parallel ones.
func (r *messagesRequest) toolsToCall(last messagesTurn) []messagesTool {
	must, answered := r.ToolChoice.Type == "any" || r.ToolChoice.Type == "tool", last.Content[0].Type == "tool_result"
	if len(r.Tools) == 0 || r.ToolChoice.Type == "none" || answered && !must {
		return nil
	}
	first, second := r.Tools[0], r.Tools[min(1, len(r.Tools)-1)]
	if answered {
		first = r.Tools[len(r.Tools)-1]
	}
	for _, t := range r.Tools {
		if t.Name == r.ToolChoice.Name {
			first, second = t, t
		}
	}
	if !r.ToolChoice.Serial && strings.Contains(strings.ToLower(last.text()), "parallel") {
		return []messagesTool{first, second}
	}
	return []messagesTool{first}
}

// message is an answer, or the head of a streamed one.
type message struct {
	ID      string        `json:"id"`
	Type    string        `json:"type"`
	Role    string        `json:"role"`
	Model   string        `json:"model"`
	Content []any         `json:"content"`
	Stop    *string       `json:"stop_reason"`
	Usage   messagesUsage `json:"usage"`
}

func newMessage(c *call, blocks []any, stop *string, usage messagesUsage) message {
	return message{c.id("msg_"), "message", "assistant", c.model, blocks, stop, usage}
}
