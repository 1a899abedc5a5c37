// Package recorded replays real traffic with providers that public projects recorded, if it is next to the
// repository. It reads answers on its own, without the code under test. It is test support.
package recorded

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/llm"
)

// folder is where they lie, in the folder that the repository lies in.
const folder = "shared"

// openAI are the providers whose recordings are in this dialect.
var openAI = []string{
	"openai", "azure", "avian", "bedrock-mantle", "cerebras", "crusoe", "deepseek", "gemini-openai-compat", "groq", "heroku", "huggingface", "llama.cpp", "mistral",
	"ollama", "openrouter", "snowflake", "together", "vercel-gateway", "vllm-local", "voyage", "writer", "xai", "zai",
}

// Beside is the path of a file kept next to the repository, in the repository's parent folder, such as
// "specs/x.json"; ok is false if it is absent.
func Beside(name string) (found string, ok bool, err error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", false, err
	}
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	found = filepath.Join(filepath.Dir(dir), folder, name)
	switch _, err = os.Stat(found); {
	case errors.Is(err, os.ErrNotExist):
		return "", false, nil
	default:
		return found, err == nil, err
	}
}

// beside finds the recordings next to the repository, or skips the test.
func beside(t *testing.T) string {
	t.Helper()
	root, ok, err := Beside("recordings")
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		t.Skip("no recordings at ../" + folder + ": they are kept next to the repository, not in it")
	}
	return root
}

// Interaction is one recorded call and its answer.
type Interaction struct {
	Name     string `json:"-"` // provider/name of the file
	Frames   []byte `json:"-"` // a stream of Invoked as it came
	Endpoint string
	Stream   bool
	Request  struct {
		URL  string
		Body Body
	}
	Response struct {
		Status int
		Body   Body
	}
}

// Body is a recorded body: JSON that kept its values, or text or other bytes to the byte.
type Body struct {
	JSON   json.RawMessage
	Text   string
	Base64 []byte
	Events []Frame `json:"decoded_events"` // what is in Base64
}

// Frame is a frame of AWS as another reader understood it.
type Frame struct {
	Headers map[string]string
	Payload string
}

// Bytes is the body as it went over the wire, but for white space in JSON.
func (b Body) Bytes() []byte {
	switch {
	case b.JSON != nil:
		return b.JSON
	case b.Base64 != nil:
		return b.Base64
	}
	return []byte(b.Text)
}

var endpoints = map[string]llm.Endpoint{"chat": llm.Chat, "completions": llm.Completions, "embeddings": llm.Embeddings}

// Streams runs test for every recorded stream of this dialect that answered 200.
func Streams(t *testing.T, test func(t *testing.T, e llm.Endpoint, r Interaction)) {
	t.Helper()
	each(t, 60, func(e llm.Endpoint, r Interaction) bool {
		// Writer's old completions are of no dialect but their own.
		return r.Response.Status == 200 && r.Stream && e != llm.Embeddings && !bytes.Contains(r.Response.Body.Bytes(), []byte(`data: {"value":`))
	}, test)
}

// Answers runs test for every recorded complete answer of this dialect with the status 200.
func Answers(t *testing.T, test func(t *testing.T, e llm.Endpoint, r Interaction)) {
	t.Helper()
	each(t, 100, func(e llm.Endpoint, r Interaction) bool {
		return r.Response.Status == 200 && !r.Stream && e != llm.Embeddings
	}, test)
}

// Embeddings runs test for every recorded answer to an embeddings call of this dialect with the status 200.
func Embeddings(t *testing.T, test func(t *testing.T, e llm.Endpoint, r Interaction)) {
	t.Helper()
	each(t, 4, func(e llm.Endpoint, r Interaction) bool {
		// Ollama's native calls, which were recorded too, have a prompt.
		return r.Response.Status == 200 && e == llm.Embeddings && bytes.Contains(r.Request.Body.Bytes(), []byte(`"input"`))
	}, test)
}

// Refusals runs test for every recorded answer of this dialect that is an error by its status.
func Refusals(t *testing.T, test func(t *testing.T, e llm.Endpoint, r Interaction)) {
	t.Helper()
	each(t, 25, func(_ llm.Endpoint, r Interaction) bool { return r.Response.Status >= 400 }, test)
}

// Requests runs test for every recorded request of this dialect, whatever came of it.
func Requests(t *testing.T, test func(t *testing.T, e llm.Endpoint, r Interaction)) {
	t.Helper()
	each(t, 200, func(e llm.Endpoint, r Interaction) bool {
		// As above, and one was recorded because it has no messages.
		body := r.Request.Body.Bytes()
		return (e != llm.Embeddings || bytes.Contains(body, []byte(`"input"`))) && !bytes.Contains(body, []byte(`"messages": []`))
	}, test)
}

// each runs test for the wanted recordings. It requires a least number of them, because a filter that lets nothing
// through would prove nothing.
func each(t *testing.T, least int, wanted func(llm.Endpoint, Interaction) bool, test func(*testing.T, llm.Endpoint, Interaction)) {
	t.Helper()
	eachOf(t, openAI, least, wanted, test)
}

// Messages runs test for every recorded call of Anthropic's Messages API.
func Messages(t *testing.T, test func(t *testing.T, r Interaction)) {
	t.Helper()
	all := func(e llm.Endpoint, _ Interaction) bool { return e == llm.Chat }
	eachOf(t, []string{"anthropic", "vertex-anthropic"}, 37, all, func(t *testing.T, _ llm.Endpoint, r Interaction) { test(t, r) })
}

// EmbeddingsOf runs test for every recorded call of embeddings to a provider that speaks another dialect.
func EmbeddingsOf(t *testing.T, provider string, least int, test func(t *testing.T, r Interaction)) {
	t.Helper()
	all := func(e llm.Endpoint, _ Interaction) bool { return e == llm.Embeddings }
	eachOf(t, []string{provider}, least, all, func(t *testing.T, _ llm.Endpoint, r Interaction) { test(t, r) })
}

// Chats runs test for every recorded chat of a provider that speaks another dialect.
func Chats(t *testing.T, provider string, least int, test func(t *testing.T, r Interaction)) {
	t.Helper()
	all := func(e llm.Endpoint, _ Interaction) bool { return e == llm.Chat }
	eachOf(t, []string{provider}, least, all, func(t *testing.T, _ llm.Endpoint, r Interaction) { test(t, r) })
}

func eachOf(t *testing.T, providers []string, least int, wanted func(llm.Endpoint, Interaction) bool, test func(*testing.T, llm.Endpoint, Interaction)) {
	t.Helper()
	root, n := beside(t), 0
	for _, provider := range providers {
		files, err := filepath.Glob(filepath.Join(root, provider, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			r := load(t, file)
			e, ok := endpoints[r.Endpoint]
			if !ok || !wanted(e, r) {
				continue
			}
			n++
			t.Run(r.Name, func(t *testing.T) { test(t, e, r) })
		}
	}
	if n < least {
		t.Errorf("found only %d recordings, not %d", n, least)
	}
}

func load(t *testing.T, file string) Interaction {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r Interaction
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	r.Name = nameOf(file)
	return r
}

// Failed reports whether the upstream failed inside its 200: it sent an empty answer, or an error, as a body or in
// the stream.
func (r Interaction) Failed(t *testing.T) bool {
	t.Helper()
	body := r.Response.Body.Bytes()
	payloads := []string{string(body)}
	if r.Stream {
		payloads, _ = Payloads(t, body)
	}
	for _, p := range payloads {
		var c Shape
		if json.Unmarshal([]byte(p), &c) != nil || len(c.Error) > 0 && string(c.Error) != "null" {
			return true
		}
	}
	return len(payloads) == 0
}

// Said is what a caller reads out of an answer: the measure of whether anything was lost.
type Said struct {
	Text, Reasoning, Refusal map[int]string
	Tools                    map[int][]string // "name(arguments)"
	Cited                    map[int][]json.RawMessage
	Finish                   map[int]string
	Usage                    string
}

func newSaid() Said {
	return Said{map[int]string{}, map[int]string{}, map[int]string{}, map[int][]string{}, map[int][]json.RawMessage{}, map[int]string{}, ""}
}

// Shape is the shape of both chunks and answers, with every vendor's habits.
type Shape struct {
	ID      *string
	Object  string
	Created json.RawMessage
	Model   *string
	Error   json.RawMessage
	Choices []struct {
		Index        *int
		FinishReason *string `json:"finish_reason"`
		Text         string
		Delta        *Message
		Message      *Message
	}
	Usage json.RawMessage
}

// Message is a message, or a delta of one.
type Message struct {
	Role             *string
	Content          json.RawMessage
	Reasoning        string
	ReasoningContent string `json:"reasoning_content"`
	Refusal          string
	Annotations      []json.RawMessage
	ToolCalls        []struct {
		Index    *int
		ID       string
		Type     string
		Function struct {
			Name      string
			Arguments json.RawMessage
		}
	} `json:"tool_calls"`
}

// UsageAside is the usage that a stream has in another place than the convention's, or "".
func UsageAside(t *testing.T, payloads []string) (usage string) {
	t.Helper()
	for _, p := range payloads {
		var c struct {
			Groq struct{ Usage json.RawMessage } `json:"x_groq"`
		}
		if err := json.Unmarshal([]byte(p), &c); err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		if len(c.Groq.Usage) > 0 {
			usage = compact(t, c.Groq.Usage)
		}
	}
	return usage
}

// Read is an independent reading of what came from an upstream: generous, knowing no more than the convention.
func Read(t *testing.T, payloads []string) Said {
	t.Helper()
	s := newSaid()
	names := map[string]int{}
	for _, p := range payloads {
		var c Shape
		if err := json.Unmarshal([]byte(p), &c); err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		if len(c.Usage) > 0 && string(c.Usage) != "null" {
			s.Usage = compact(t, c.Usage)
		}
		for position, choice := range c.Choices {
			index := position
			if choice.Index != nil {
				index = *choice.Index
			}
			s.Text[index] += choice.Text
			if choice.FinishReason != nil && *choice.FinishReason != "" && s.Finish[index] == "" {
				s.Finish[index] = *choice.FinishReason
			}
			m := choice.Delta
			if m == nil {
				m = choice.Message
			}
			if m != nil {
				s.message(t, index, m, names)
			}
		}
	}
	return s
}

func (s Said) message(t *testing.T, index int, m *Message, names map[string]int) {
	t.Helper()
	text, thinking := contentOf(m.Content)
	s.Text[index] += text
	s.Reasoning[index] += m.Reasoning + m.ReasoningContent + thinking
	s.Refusal[index] += m.Refusal
	s.Cited[index] = append(s.Cited[index], m.Annotations...)
	for _, call := range m.ToolCalls {
		key := fmt.Sprintf("%d/%s", index, call.ID)
		at, known := names[key]
		switch {
		case call.ID == "" && call.Index != nil:
			at, known = *call.Index, *call.Index < len(s.Tools[index])
		case call.ID == "":
			at, known = len(s.Tools[index])-1, len(s.Tools[index]) > 0
		}
		if !known {
			at = len(s.Tools[index])
			s.Tools[index] = append(s.Tools[index], call.Function.Name+":")
			names[key] = at
		}
		s.Tools[index][at] += argumentsOf(call.Function.Arguments)
	}
}

func contentOf(raw json.RawMessage) (text, thinking string) {
	if json.Unmarshal(raw, &text) == nil {
		return text, ""
	}
	var parts []struct {
		Text     string
		Thinking []struct{ Text string }
	}
	_ = json.Unmarshal(raw, &parts) // null, or what is no content
	for _, p := range parts {
		text += p.Text
		for _, thought := range p.Thinking {
			thinking += thought.Text
		}
	}
	return text, thinking
}

func argumentsOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

func compact(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Payloads splits a stream by what the standard says of server-sent events, without the reader under test. An event without
// a blank line after it does not count.
func Payloads(t *testing.T, body []byte) (payloads []string, done bool) {
	t.Helper()
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(string(body), "\uFEFF"))
	events := strings.Split(text, "\n\n")
	for _, event := range events[:len(events)-1] {
		var data []string
		for line := range strings.SplitSeq(event, "\n") {
			if value, ok := strings.CutPrefix(line, "data:"); ok {
				data = append(data, strings.TrimPrefix(value, " "))
			}
		}
		switch payload := strings.TrimSpace(strings.Join(data, "\n")); payload {
		case "":
		case "[DONE]":
			done = true
		default:
			payloads = append(payloads, payload)
		}
	}
	return payloads, done
}

// CheckStream holds a relayed stream to the rules that clients rely on.
func CheckStream(t *testing.T, payloads []string, legacy bool) {
	t.Helper()
	object := "chat.completion.chunk"
	if legacy {
		object = "text_completion"
	}
	roles, ended, seenTools := map[int]int{}, map[int]bool{}, map[int]map[int]bool{}
	var id, model, created string
	for i, p := range payloads {
		var c Shape
		if err := json.Unmarshal([]byte(p), &c); err != nil {
			t.Fatal(err)
		}
		if c.ID == nil || *c.ID == "" || c.Object != object || c.Error != nil || c.Choices == nil {
			t.Errorf("chunk %d lacks what every chunk has: %s", i, p)
			continue
		}
		if i == 0 {
			id, created = *c.ID, string(c.Created)
		}
		if c.Model != nil && model == "" {
			model = *c.Model
		}
		if *c.ID != id || string(c.Created) != created || model != "" && (c.Model == nil || *c.Model != model) {
			t.Errorf("chunk %d is of another stream: %s", i, p)
		}
		if len(c.Usage) > 0 && string(c.Usage) != "null" && (i != len(payloads)-1 || len(c.Choices) > 0) {
			t.Errorf("chunk %d has the usage: %s", i, p)
		}
		for _, choice := range c.Choices {
			if choice.Index == nil || ended[*choice.Index] {
				t.Errorf("chunk %d has a choice without index, or one that had ended: %s", i, p)
				continue
			}
			ended[*choice.Index] = choice.FinishReason != nil
			if choice.FinishReason != nil && !slices.Contains([]string{"stop", "length", "tool_calls", "content_filter", "function_call"}, *choice.FinishReason) {
				t.Errorf("chunk %d: finish_reason %q", i, *choice.FinishReason)
			}
			if !strings.Contains(p, `"finish_reason"`) {
				t.Errorf("chunk %d has no finish_reason", i)
			}
			if legacy {
				continue
			}
			checkDelta(t, p, choice.Delta, roles, seenTools, *choice.Index)
		}
	}
}

func checkDelta(t *testing.T, p string, delta *Message, roles map[int]int, tools map[int]map[int]bool, index int) {
	t.Helper()
	if delta == nil {
		t.Errorf("no delta: %s", p)
		return
	}
	if delta.Role != nil {
		roles[index]++
	}
	if roles[index] != 1 {
		t.Errorf("%d roles so far: %s", roles[index], p)
	}
	if tools[index] == nil {
		tools[index] = map[int]bool{}
	}
	for _, call := range delta.ToolCalls {
		if call.Index == nil {
			t.Errorf("a tool call without index: %s", p)
			continue
		}
		first := !tools[index][*call.Index]
		tools[index][*call.Index] = true
		if first != (call.ID != "") || first != (call.Type != "") || first != (call.Function.Name != "") || len(call.Function.Arguments) > 0 && call.Function.Arguments[0] != '"' {
			t.Errorf("a tool call's delta (first: %v): %s", first, p)
		}
	}
}
