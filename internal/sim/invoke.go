package sim

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	messages "github.com/weirproxy/weir/internal/dialect/anthropic"
	"github.com/weirproxy/weir/internal/dialect/eventstream"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
)

// invoke is Amazon Bedrock's own API for Claude: the Messages API in the host's frames and with its errors. Its calls are known by their path.
type invoke struct {
	anthropic
	host converse
}

const (
	invokeVersion = "bedrock-2023-05-31"
	claudeInvoked = "anthropic.claude" // in the name of a model
)

// route implements dialect.
func (invoke) route(c *call) bool {
	name, ok := strings.CutPrefix(strings.TrimPrefix(c.request.URL.EscapedPath(), "/v1"), "/model/")
	name, operation, _ := strings.Cut(name, "/")
	if !ok || operation != "invoke" && operation != "invoke-with-response-stream" {
		return false
	}
	model, err := url.PathUnescape(name)
	if err != nil || !strings.Contains(model, claudeInvoked) {
		return false
	}
	c.endpoint, c.pathModel, c.credential, c.stream = pathMessages, model, openAICredential(c.request.Header), operation != "invoke"
	return true
}

// read implements dialect.
func (i invoke) read(c *call) { i.host.read(c) }

// refusal implements dialect.
func (i invoke) refusal(status int) reply { return i.host.refusal(status) }

// streamError implements dialect.
func (i invoke) streamError() []byte { return i.host.streamError() }

// streamType implements framed.
func (invoke) streamType() string { return typeFrames }

// frame implements framed. A payload of the model's is in a chunk; what a script has sent may be an exception, as converse has it.
func (i invoke) frame(dst, payload []byte) []byte {
	if name, _, ok := strings.Cut(string(payload), " "); ok && strings.HasSuffix(name, "Exception") {
		return i.host.frame(dst, payload)
	}
	chunk := `{"bytes":"` + base64.StdEncoding.EncodeToString(payload) + `","p":"abcdefgh"}`
	return eventstream.Append(dst, []byte(chunk), eventstream.Header{Name: ":event-type", Value: "chunk"},
		eventstream.Header{Name: ":content-type", Value: "application/json"}, eventstream.Header{Name: ":message-type", Value: "event"})
}

// reply implements dialect.
func (i invoke) reply(c *call) reply { return withID(c, i.correct(c)) }

func (invoke) correct(c *call) reply {
	switch {
	case c.script.Key != "" && c.credential != c.script.Key:
		return converseError(401, "Authentication failed: Please make sure your API Key is valid.")
	case c.request.Method != http.MethodPost:
		return converseError(404, "Unknown operation")
	}
	r, wrong := messages.Decode(c.body)
	switch {
	case wrong != nil:
		return converseError(400, misread(wrong))
	case modelExists(c) != nil:
		return converseError(400, "The provided model identifier is invalid.")
	}
	if err := refusedByInvoke(c.body); err != nil {
		return converseError(400, err.Error())
	}
	m := claude{Request: r}
	if err := m.check(); err != nil {
		return converseError(400, err.Error())
	}
	out := m.answer(c)
	return out.reply(new(messagesWriter), "msg_bdrk_", typeFrames)
}

// refusedByInvoke refuses what the Messages API takes and its host does not.
func refusedByInvoke(body []byte) error {
	version := ""
	for name, v := range jsonwalk.Members(body) {
		switch string(name) {
		case "anthropic_version":
			version, _ = jsonwalk.Text(v)
		case "anthropic_beta":
			for _, beta := range jsonwalk.Elements(v) {
				if text, _ := jsonwalk.Text(beta); !slices.Contains([]string{"interleaved-thinking-2025-05-14", "computer-use-2025-01-24"}, text) {
					return errors.New("invalid beta flag")
				}
			}
		case "max_tokens", "messages", "metadata", "output_config", "stop_sequences", "system", "temperature", "thinking", "tool_choice", "tools", "top_k", "top_p":
		default:
			return fmt.Errorf("%s: Extra inputs are not permitted", name)
		}
	}
	if version != invokeVersion {
		return errors.New("anthropic_version: Field required")
	}
	return nil
}
