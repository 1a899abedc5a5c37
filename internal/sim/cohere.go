package sim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// cohere is Cohere's Chat API, version 2, as its server sees it. Its calls are known by their path, and that for the list
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
	return marshal(cohereEvent{Type: "message-end", Delta: &cohereDelta{Reason: "ERROR", Error: "Simulated failure"}})
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
	var r cohereRequest
	body := json.NewDecoder(bytes.NewReader(c.body))
	body.DisallowUnknownFields()
	if err := body.Decode(&r); err != nil {
		return cohereError(c, 400, "invalid request: "+err.Error())
	}
	if modelExists(c) != nil {
		return cohereError(c, 404, fmt.Sprintf("model '%s' not found, make sure the correct model ID was used and that you have access to the model.", c.model))
	}
	if err := r.check(); err != nil {
		return cohereError(c, 400, "invalid request: "+err.Error())
	}
	return r.reply(c)
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

// cohereMessage is an answer's message.
type cohereMessage struct {
	Role    string          `json:"role"`
	Content []cohereContent `json:"content,omitempty"`
	Plan    string          `json:"tool_plan,omitempty"`
	Calls   []cohereCall    `json:"tool_calls,omitempty"`
}

// reply is the answer: a thought unless it is switched off, then calls of tools or a text.
func (r *cohereRequest) reply(c *call) reply {
	reason, tokens := "COMPLETE", 0
	m := cohereMessage{Role: "assistant"}
	last := r.Messages[len(r.Messages)-1]
	most := r.MaxTokens
	if r.Thinking.Type == "enabled" {
		thought := "A simulated thought about: " + excerpt(last.text(), 80)
		m.Content = append(m.Content, cohereContent{Type: "thinking", Thinking: thought})
		tokens += count(thought)
	}
	if called := r.toolsToCall(last); len(called) > 0 {
		reason = "TOOL_CALL"
		m.Plan = "I will call " + called[0].Function.Name + "."
		tokens += count(m.Plan)
		for i, t := range called {
			one := cohereCall{ID: c.id(fmt.Sprintf("%s_%d", t.Function.Name, i)), Type: "function", Function: functionCall{t.Function.Name, string(synthesise(t.Function.Parameters))}}
			m.Calls = append(m.Calls, one)
			tokens += count(one.Function.Arguments)
		}
	} else {
		text := fit(c.sentence()+" You said: "+excerpt(last.text(), 200), c.tokens())
		if r.Format.Type == "json_object" {
			text = string(synthesise(r.Format.Schema))
		}
		if most > 0 && count(text) > most {
			text, reason = fit(text, most), "MAX_TOKENS"
		}
		m.Content = append(m.Content, cohereContent{Type: "text", Text: text})
		tokens += count(text)
	}
	prompt := count(string(c.body))
	usage := cohereUsage{Billed: cohereCounts{prompt, tokens}, Tokens: cohereCounts{prompt, tokens}}
	if c.stream {
		s := cohereStream{call: c, message: m, reason: reason, usage: usage}
		return reply{status: 200, contentType: typeStream, events: s.events, prompt: prompt}
	}
	a := jsonReply(struct {
		ID      string        `json:"id"`
		Message cohereMessage `json:"message"`
		Reason  string        `json:"finish_reason"`
		Usage   cohereUsage   `json:"usage"`
	}{c.id(""), m, reason, usage})
	a.prompt, a.completion = prompt, tokens
	return a
}

// toolsToCall is the first tool, until it has answered; two calls if the user's text speaks of parallel ones.
func (r *cohereRequest) toolsToCall(last cohereTurn) []cohereTool {
	if len(r.Tools) == 0 || r.ToolChoice == "NONE" || last.Role == "tool" {
		return nil
	}
	if strings.Contains(strings.ToLower(last.text()), "parallel") {
		return []cohereTool{r.Tools[0], r.Tools[min(1, len(r.Tools)-1)]}
	}
	return r.Tools[:1]
}
