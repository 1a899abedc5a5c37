package load

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/weirproxy/weir/internal/secret"
)

// Endpoint is what is called, by its name on command lines.
type Endpoint string

// The endpoints that can be loaded, each in its own dialect.
const (
	Chat        Endpoint = "chat" // also the zero value
	Completions Endpoint = "completions"
	Embeddings  Endpoint = "embeddings"
	Messages    Endpoint = "messages"
	Responses   Endpoint = "responses"
	Generate    Endpoint = "generate"
)

// form is what an endpoint's requests and streams are made of.
type form struct {
	path, stream string // below the base URL; {model} stands for the model's name. stream is for streams, "" if that is no other
	head, end    string // around the text of the prompt
	most         string // the member for the most tokens, "" without one
	needs        bool   // that member is required
	inPath       bool   // the body names no model, and does not say that it wants a stream
	key          string // the header for the key, "" for a bearer key
	version      string // the header for the version of Anthropic's API, "" for none
	// event reads one event of a stream.
	event func(data []byte) moment
}

// moment is what an event means to who waits for the answer.
type moment struct {
	token bool // it brings something that a user would see
	done  bool // the stream is whole
	fails bool // it is an error
}

var forms = map[Endpoint]*form{
	Chat:        {path: "chat/completions", head: `{"messages":[{"role":"user","content":"`, end: `"}]`, most: "max_tokens", event: chunk},
	Completions: {path: "completions", head: `{"prompt":"`, end: `"`, most: "max_tokens", event: chunk},
	Embeddings:  {path: "embeddings", head: `{"input":"`, end: `"`, event: chunk},
	Messages:    {path: "messages", head: `{"messages":[{"role":"user","content":"`, end: `"}]`, most: "max_tokens", needs: true, key: "X-Api-Key", version: "Anthropic-Version", event: message},
	Responses:   {path: "responses", head: `{"input":"`, end: `"`, most: "max_output_tokens", event: response},
	Generate: {
		path: "models/{model}:generateContent", stream: "models/{model}:streamGenerateContent?alt=sse",
		head: `{"contents":[{"role":"user","parts":[{"text":"`, end: `"}]}]`, most: "maxOutputTokens", inPath: true, key: "X-Goog-Api-Key", event: candidate,
	},
}

// versionOfMessages is the version of Anthropic's API that is asked for. It is the only one since 2023.
const versionOfMessages = "2023-06-01"

// authorize adds the key, and what else the endpoint's servers need in the header.
func (e Endpoint) authorize(header http.Header, key secret.Text) {
	f := e.form()
	switch {
	case key.IsZero():
	case f.key != "":
		header.Set(f.key, key.Reveal())
	default:
		header.Set("Authorization", "Bearer "+key.Reveal())
	}
	if f.version != "" {
		header.Set(f.version, versionOfMessages)
	}
}

func (e Endpoint) form() *form {
	if f := forms[e]; f != nil {
		return f
	}
	return forms[Chat]
}

// Path is where the endpoint is, below the base URL.
func (e Endpoint) Path(model string, stream bool) string {
	f := e.form()
	path := f.path
	if stream && f.stream != "" {
		path = f.stream
	}
	return string(bytes.Replace([]byte(path), []byte("{model}"), []byte(url.PathEscape(model)), 1))
}

// chunk reads an event of a chat or of a legacy completion.
func chunk(data []byte) (m moment) {
	if string(data) == "[DONE]" {
		return moment{done: true}
	}
	if bytes.HasPrefix(data, []byte(`{"error":`)) {
		return moment{fails: true}
	}
	var read struct {
		Choices []struct {
			Text  string `json:"text"`
			Delta struct {
				Content          string            `json:"content"`
				Reasoning        string            `json:"reasoning"`
				ReasoningContent string            `json:"reasoning_content"`
				Refusal          string            `json:"refusal"`
				ToolCalls        []json.RawMessage `json:"tool_calls"`
			} `json:"delta"`
		} `json:"choices"`
	}
	if json.Unmarshal(data, &read) != nil {
		return m
	}
	for _, choice := range read.Choices {
		d := choice.Delta
		m.token = m.token || choice.Text+d.Content+d.Reasoning+d.ReasoningContent+d.Refusal != "" || len(d.ToolCalls) > 0
	}
	return m
}

// message reads an event of Anthropic's API.
func message(data []byte) (m moment) {
	var read struct {
		Type  string
		Delta struct{ Text, Thinking string }
		Block struct{ Type string } `json:"content_block"`
	}
	if json.Unmarshal(data, &read) != nil {
		return m
	}
	switch read.Type {
	case "content_block_delta":
		m.token = read.Delta.Text+read.Delta.Thinking != ""
	case "content_block_start":
		m.token = read.Block.Type == "tool_use"
	case "message_stop":
		m.done = true
	case "error":
		m.fails = true
	}
	return m
}

// response reads an event of the Responses API.
func response(data []byte) (m moment) {
	var read struct {
		Type  string
		Delta string
		Item  struct{ Type string }
	}
	if json.Unmarshal(data, &read) != nil {
		return m
	}
	switch read.Type {
	case "response.completed", "response.incomplete":
		m.done = true
	case "response.failed", "error":
		m.fails = true
	case "response.output_item.added":
		m.token = read.Item.Type == "function_call"
	default:
		m.token = read.Delta != ""
	}
	return m
}

// candidate reads an event of Google's API. The last has a reason why it is that.
func candidate(data []byte) (m moment) {
	var read struct {
		Error      json.RawMessage
		Candidates []struct {
			Content struct{ Parts []json.RawMessage }
			Reason  string `json:"finishReason"`
		}
	}
	if json.Unmarshal(data, &read) != nil {
		return m
	}
	m.fails = read.Error != nil
	for _, c := range read.Candidates {
		m.token = m.token || len(c.Content.Parts) > 0
		m.done = m.done || c.Reason != ""
	}
	return m
}
