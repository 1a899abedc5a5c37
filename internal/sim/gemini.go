package sim

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	google "github.com/weirproxy/weir/internal/dialect/gemini"
	"github.com/weirproxy/weir/internal/llm"
)

// gemini is Google's generateContent as its server sees it: the dialect's other half, and what the API refuses. Its calls are known by their path, and that for the list of
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

// usage implements dialect.
func (gemini) usage(payload []byte) (prompt, completion int, ok bool) {
	var body struct {
		Usage *struct {
			Prompt     int `json:"promptTokenCount"`
			Candidates int `json:"candidatesTokenCount"`
			Thoughts   int `json:"thoughtsTokenCount"`
		} `json:"usageMetadata"`
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
	asked, wrong := google.Decode(c.body)
	if wrong != nil {
		return geminiError(400, wrong.Message)
	}
	asked.Model, asked.Stream = c.model, c.stream
	r := geminiRequest{Request: asked, vertex: strings.Contains(c.request.URL.Path, "/publishers/")}
	if wrong := r.check(); wrong != "" {
		return geminiError(400, wrong)
	}
	out := r.answer(c)
	return out.reply(&google.Writer{Asked: c.model}, "resp", typeStream)
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

// answer is what the model says. It signs the first call of a tool, and no thought.
func (r *geminiRequest) answer(c *call) answered {
	s := speaker{
		call: c, asked: r.Request, thinks: r.shown(), room: int(r.MaxToken), sign: func(string) string { return "" },
		callID: func(n int, _ string) string {
			if !r.third() || r.vertex {
				return ""
			}
			return c.id(fmt.Sprintf("fc%d", n))
		},
	}
	out := s.answer()
	out.others = r.candidates() - 1
	for i := range out.blocks {
		b := &out.blocks[i]
		if b.kind == llm.ToolCall {
			b.opaque = signCall(b.callID, b.called, b.text)
			break
		}
		if b.kind == llm.Text && r.param("logprobs") != nil {
			out.scores = r.scores(b.text)
		}
	}
	return out
}
