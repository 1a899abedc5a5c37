package sim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	chat "github.com/weirproxy/weir/internal/dialect/cohere"
	"github.com/weirproxy/weir/internal/llm"
)

// cohere is Cohere's Chat API, version 2, as its server sees it: the dialect's other half, and what the API refuses. Its calls are known by their path, and that for the list
// of models by what it asks for.
type cohere struct{}

const pathCohereChat = "/v2/chat"

// route implements dialect.
func (cohere) route(c *call) bool {
	path := c.request.URL.Path
	switch {
	case path == pathCohereChat:
		c.endpoint = path
	case path == "/v1"+pathModels && c.request.URL.Query().Has("page_size"):
		c.endpoint = pathModels
	default:
		return false
	}
	c.credential = openAICredential(c.request.Header)
	return true
}

// read implements dialect.
func (cohere) read(c *call) { openAI{}.read(c) }

type cohereProblem struct {
	ID      string `json:"id,omitempty"`
	Message string `json:"message"`
}

// cohereError is a refusal in this API's words.
func cohereError(c *call, status int, message string) reply {
	problem := cohereProblem{Message: message}
	if c != nil {
		problem.ID = c.id("")
	}
	a := jsonReply(problem)
	a.status = status
	return a
}

// refusal implements dialect.
func (cohere) refusal(status int) reply { return cohereError(nil, status, "Simulated failure") }

// streamError implements dialect.
func (cohere) streamError() []byte {
	return []byte(`{"type":"message-end","delta":{"finish_reason":"ERROR","error":"Simulated failure"}}`)
}

// cohereUsage is what an answer cost.
type cohereUsage struct {
	Billed cohereCounts `json:"billed_units"`
	Tokens cohereCounts `json:"tokens"`
}

type cohereCounts struct {
	Input  int `json:"input_tokens"`
	Output int `json:"output_tokens"`
}

// usage implements dialect.
func (cohere) usage(payload []byte) (prompt, completion int, ok bool) {
	var body struct {
		Usage *cohereUsage `json:"usage"`
		Delta struct {
			Usage *cohereUsage `json:"usage"`
		} `json:"delta"`
	}
	if json.Unmarshal(payload, &body) != nil {
		return 0, 0, false
	}
	for _, u := range []*cohereUsage{body.Usage, body.Delta.Usage} {
		if u != nil {
			return u.Tokens.Input, u.Tokens.Output, true
		}
	}
	return 0, 0, false
}

// reply implements dialect.
func (d cohere) reply(c *call) reply {
	a := d.correct(c)
	if a.header == nil {
		a.header = http.Header{}
	}
	a.header.Set("X-Debug-Trace-Id", c.id(""))
	return a
}

func (d cohere) correct(c *call) reply {
	switch {
	case c.script.Key != "" && c.credential != c.script.Key:
		return cohereError(c, 401, "invalid api token")
	case c.endpoint == pathModels:
		return d.models(c)
	case c.request.Method != http.MethodPost:
		return cohereError(c, 405, "method not allowed")
	}
	r, wrong := chat.Decode(c.body)
	if wrong != nil {
		return cohereError(c, 400, "invalid request: "+wrong.Message)
	}
	if modelExists(c) != nil {
		return cohereError(c, 404, fmt.Sprintf("model '%s' not found, make sure the correct model ID was used and that you have access to the model.", c.model))
	}
	if err := (cohereRequest{r}).check(); err != nil {
		return cohereError(c, 400, "invalid request: "+err.Error())
	}
	s := speaker{
		call: c, asked: r, thinks: r.Budget > 0 || thinking(r), room: int(r.MaxToken), sign: func(string) string { return "" },
		callID: func(n int, tool string) string { return c.id(fmt.Sprintf("%s_%d", tool, n)) },
	}
	out := s.answer()
	out.plan()
	return out.reply(new(cohereWriter), "", typeStream)
}

// cohereWriter adds what follows every stream's end.
type cohereWriter struct{ chat.Writer }

// Payloads implements wording.
func (w *cohereWriter) Payloads(ev *llm.Event, send func(payload []byte)) {
	w.Writer.Payloads(ev, send)
	if ev.Kind == llm.End {
		send([]byte(doneMarker))
	}
}

// thinking reports whether the model is to think as much as it likes.
func thinking(r *llm.Request) bool {
	return slices.ContainsFunc(r.Extras, func(x llm.Extra) bool { return x.Name == "thinking" })
}

// plan has the model say which tool it will call before it does.
func (a *answered) plan() {
	for i := range a.blocks {
		if a.blocks[i].kind == llm.ToolCall {
			plan := block{kind: llm.Reasoning, called: "tool_plan", text: "I will call " + a.blocks[i].called + "."}
			a.usage.Text += int64(count(plan.text))
			a.blocks = slices.Insert(a.blocks, i, plan)
			return
		}
	}
}

func (cohere) models(c *call) reply {
	type model struct {
		Name      string   `json:"name"`
		Endpoints []string `json:"endpoints"`
		Context   float64  `json:"context_length"`
	}
	list, names := []model{}, c.script.Models
	if len(names) == 0 {
		names = []string{"chat"}
	}
	for _, name := range names {
		list = append(list, model{name, []string{"chat", "generate"}, 128000})
	}
	return jsonReply(struct {
		Models []model `json:"models"`
	}{list})
}
