package sim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// gemini is Google's generateContent as its server sees it. Its calls are known by their path, and that for the list of
// models by the header of the key.
type gemini struct{}

const (
	pathGenerate = ":generateContent"
	pathStream   = ":streamGenerateContent"
)

// route implements dialect.
func (gemini) route(c *call) bool {
	u := c.request.URL
	key := c.request.Header.Get("X-Goog-Api-Key")
	_, rest, named := strings.Cut(u.Path, pathModels+"/")
	model, method, _ := strings.Cut(rest, ":")
	switch method = ":" + method; {
	case named && method == pathStream && u.Query().Get("alt") == "sse":
		c.endpoint, c.stream = pathGenerate, true
	case named && method == pathGenerate:
		c.endpoint = pathGenerate
	case key != "" && strings.HasSuffix(u.Path, pathModels):
		c.endpoint = pathModels
	default:
		return false
	}
	c.pathModel, c.credential = model, key
	if key == "" {
		c.credential = openAICredential(c.request.Header)
	}
	return true
}

// read implements dialect: the path says it all.
func (gemini) read(c *call) { c.model = c.pathModel }

// geminiError is a refusal in this API's words.
func geminiError(status int, message string) reply {
	words := map[int]string{
		400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL",
		503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED",
	}
	type inner struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Status  string `json:"status"`
	}
	a := jsonReply(struct {
		Error inner `json:"error"`
	}{inner{status, message, words[status]}})
	a.status = status
	return a
}

// refusal implements dialect.
func (gemini) refusal(status int) reply { return geminiError(status, "Simulated failure") }

// streamError implements dialect.
func (gemini) streamError() []byte { return geminiError(503, "The model is overloaded.").body }

// The shape of an answer, and of each piece of one.
type (
	geminiUsage struct {
		Prompt     int `json:"promptTokenCount"`
		Candidates int `json:"candidatesTokenCount"`
		Thoughts   int `json:"thoughtsTokenCount,omitempty"`
		Total      int `json:"totalTokenCount"`
	}
	geminiCandidate struct {
		Content geminiContent `json:"content"`
		Reason  string        `json:"finishReason,omitempty"`
		Index   int           `json:"index"`
		Scores  *geminiScores `json:"logprobsResult,omitempty"`
	}
	geminiAnswer struct {
		Candidates []geminiCandidate `json:"candidates"`
		Usage      geminiUsage       `json:"usageMetadata"`
		Model      string            `json:"modelVersion"`
		ID         string            `json:"responseId"`
	}
)

// usage implements dialect.
func (gemini) usage(payload []byte) (prompt, completion int, ok bool) {
	var body struct {
		Usage *geminiUsage `json:"usageMetadata"`
	}
	if json.Unmarshal(payload, &body) != nil || body.Usage == nil {
		return 0, 0, false
	}
	return body.Usage.Prompt, body.Usage.Candidates + body.Usage.Thoughts, true
}

// reply implements dialect.
func (d gemini) reply(c *call) reply {
	switch {
	case c.script.Key != "" && c.credential != c.script.Key:
		return geminiError(400, "API key not valid. Please pass a valid API key.")
	case c.endpoint == pathModels:
		return d.models(c)
	case c.request.Method != http.MethodPost:
		return geminiError(404, "Not found")
	case modelExists(c) != nil:
		return geminiError(404, fmt.Sprintf("models/%s is not found for API version v1beta, or is not supported for generateContent.", c.model))
	}
	var r geminiRequest
	body := json.NewDecoder(bytes.NewReader(c.body))
	body.DisallowUnknownFields()
	if err := body.Decode(&r); err != nil {
		return geminiError(400, "Invalid JSON payload received. "+err.Error())
	}
	r.model, r.stream, r.vertex = c.model, c.stream, strings.Contains(c.request.URL.Path, "/publishers/")
	if wrong := r.check(); wrong != "" {
		return geminiError(400, wrong)
	}
	return r.reply(c)
}

func (gemini) models(c *call) reply {
	type model struct {
		Name    string   `json:"name"`
		Title   string   `json:"displayName"`
		Methods []string `json:"supportedGenerationMethods"`
	}
	list, names := []model{}, c.script.Models
	if len(names) == 0 {
		names = []string{"chat"}
	}
	for _, id := range names {
		list = append(list, model{"models/" + id, "Simulated " + id, []string{"generateContent"}})
	}
	return jsonReply(struct {
		Models []model `json:"models"`
	}{list})
}

// reply is the answer: a thought if asked for, then calls of tools or a text.
func (r *geminiRequest) reply(c *call) reply {
	last := r.Contents[len(r.Contents)-1]
	var parts []geminiPart
	if r.Config.Thinking.Include {
		parts = append(parts, geminiPart{Text: new("A simulated thought about: " + excerpt(last.text(), 80)), Thought: true})
	}
	reason := "STOP"
	var scores *geminiScores
	if called := r.toolsToCall(last); len(called) > 0 {
		for i, t := range called {
			f := &geminiCall{Name: t.Name, Args: synthesise(t.Schema)}
			p := geminiPart{Call: f}
			if r.third() {
				f.ID = c.id(fmt.Sprintf("fc%d", i))
			}
			if i == 0 {
				p.Signature = signCall(f)
			}
			parts = append(parts, p)
		}
	} else {
		text := fit(c.sentence()+" You said: "+excerpt(last.text(), 200), c.tokens())
		if schema := r.Config.Schema; schema != nil {
			text = string(synthesise(schema))
		}
		if most := r.Config.Max; most > 0 && count(text) > most {
			text, reason = fit(text, most), "MAX_TOKENS"
		}
		parts = append(parts, geminiPart{Text: &text})
		if r.Config.Scores {
			scores = r.scores(text)
		}
	}
	answer := geminiAnswer{Usage: geminiUsage{Prompt: count(string(c.body))}, Model: c.model, ID: c.id("resp")}
	if c.stream {
		return reply{status: 200, contentType: typeStream, events: answer.pieces(parts, reason, r.candidates()), prompt: answer.Usage.Prompt}
	}
	for n := range r.candidates() {
		for i := range parts {
			answer.Usage.add(&parts[i], count(parts[i].said()))
		}
		candidate := geminiCandidate{Content: geminiContent{Role: "model", Parts: parts}, Reason: reason, Index: n, Scores: scores}
		answer.Candidates = append(answer.Candidates, candidate)
	}
	a := jsonReply(answer)
	a.prompt, a.completion = answer.Usage.Prompt, answer.Usage.Total-answer.Usage.Prompt
	return a
}

// add counts the tokens of a part.
func (u *geminiUsage) add(p *geminiPart, tokens int) {
	if p.Thought {
		u.Thoughts += tokens
	} else {
		u.Candidates += tokens
	}
	u.Total = u.Prompt + u.Candidates + u.Thoughts
}

// pieces are the answer as a stream: a token of text in each, or a whole call, of every candidate in turn. The last says why they
// ended.
func (a geminiAnswer) pieces(parts []geminiPart, reason string, candidates int) func(func(event) bool) {
	return func(yield func(event) bool) {
		send := func(p geminiPart, tokens int) bool {
			for n := range candidates {
				a.Usage.add(&p, tokens)
				a.Candidates = []geminiCandidate{{Content: geminiContent{Role: "model", Parts: []geminiPart{p}}, Index: n}}
				if !yield(event{payload: marshal(a), tokens: tokens, paced: true}) {
					return false
				}
			}
			return true
		}
		for i := range parts {
			p := parts[i]
			if p.Call != nil {
				if !send(p, count(p.said())) {
					return
				}
				continue
			}
			for _, token := range split(p.said()) {
				if !send(geminiPart{Text: &token, Thought: p.Thought}, 1) {
					return
				}
			}
		}
		a.Candidates = nil
		for n := range candidates {
			last := geminiContent{Role: "model", Parts: []geminiPart{{Text: new("")}}}
			a.Candidates = append(a.Candidates, geminiCandidate{Content: last, Reason: reason, Index: n})
		}
		yield(event{payload: marshal(a), last: true})
	}
}
