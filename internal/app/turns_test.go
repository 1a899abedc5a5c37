package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/recorded"
	"github.com/weirproxy/weir/internal/sim"
)

// spoken are the dialects for models that reason. The models' own names say how much is known of them. maker is the
// maker whose reasoning blocks they sign and are sent; "" without any.
var spoken = []struct {
	name, kind, maker string
	models            []string
}{
	{"openai", "openai", "", []string{"chat"}},
	{"anthropic", "anthropic", "anthropic", []string{"claude-sonnet-4-5", "claude-opus-4-6"}},
	{"cohere", "cohere", "", []string{"command-a-reasoning-08-2025"}},
	{"gemini", "gemini", "", []string{"gemini-2.5-flash", "gemini-3-flash-preview"}},
	{"vertex", "vertex", "", []string{"gemini-2.5-flash-lite", "gemini-3-pro-preview"}},
	{"bedrock", "bedrock", "anthropic", []string{"us.anthropic.claude-sonnet-4-5", "us.anthropic.claude-opus-4-6-v1"}},
	{"bedrock-nova", "bedrock", "amazon", []string{"us.amazon.nova-2-lite-v1:0"}},
	{"bedrock-gpt-oss", "bedrock", "openai", []string{"openai.gpt-oss-120b-1:0"}},
}

// talk is a conversation as a client of OpenAI's API keeps it.
type talk struct {
	*apptest.Weir
	key, model string
	stream     bool
	whole      bool // the client sends back messages as they came; else only what OpenAI's API has
	messages   []any
}

// newTalk starts a Weir before all dialects. The simulated provider refuses what the real ones refuse: forged
// signatures, results without calls, calls whose thoughts are missing.
func newTalk(t *testing.T) *talk {
	t.Helper()
	up := apptest.NewUpstream(t, nil)
	config, models := "providers:\n", "models:\n"
	for _, d := range spoken {
		base := up.URL()
		if d.kind == "cohere" { // their paths differ by version
			base = strings.TrimSuffix(base, "/v1")
		}
		credential := "api_key: upstream-credential"
		if d.kind == "vertex" {
			credential = `project: "12", region: global, headers: {Authorization: Bearer upstream-credential}`
		}
		config += fmt.Sprintf("  %s: {kind: %s, base_url: %q, %s}\n", d.name, d.kind, base, credential)
		for _, m := range d.models {
			models += fmt.Sprintf("  %q: {targets: [%q]}\n", m, d.name+"/"+m)
		}
	}
	w := apptest.StartWith(t, config+models)
	t.Cleanup(func() {
		if t.Failed() {
			served := up.Served()
			t.Logf("the last call upstream: %s", last(served).Body)
		}
	})
	return &talk{Weir: w, key: w.NewKey(t, "turns")}
}

func last(served []sim.Served) sim.Served {
	if len(served) == 0 {
		return sim.Served{}
	}
	return served[len(served)-1]
}

const turnTools = `[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}},` +
	`{"type":"function","function":{"name":"get_time","parameters":{"type":"object","properties":{}}}}]`

// say adds what the user says.
func (c *talk) say(text string) {
	c.messages = append(c.messages, map[string]any{"role": "user", "content": text})
}

// results adds what the tools of an answer's calls gave.
func (c *talk) results(calls []call) {
	for i, call := range calls {
		c.messages = append(c.messages, map[string]any{"role": "tool", "tool_call_id": call.ID, "content": fmt.Sprintf("%d degrees", 12+i)})
	}
}

type call struct {
	ID, Type string
	Function struct{ Name, Arguments string }
}

// turn is what a message says.
type turn struct {
	Content   string
	Reasoning string `json:"reasoning_content"`
	ToolCalls []call `json:"tool_calls"`
	finish    string
	left      string // parameters that the model's provider was not sent
}

// ask sends the conversation and adds the answer to it, as the client keeps it.
func (c *talk) ask(t *testing.T) turn {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"model": c.model, "stream": c.stream, "messages": c.messages, "reasoning_effort": "low", "tools": json.RawMessage(turnTools),
	})
	if err != nil {
		t.Fatal(err)
	}
	a := post(t, c.Weir, c.key, "/v1/chat/completions", string(body))
	if a.status != 200 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	message := map[string]any{}
	payloads := []string{a.body}
	if c.stream {
		payloads, _ = recorded.Payloads(t, []byte(a.body))
	}
	said := turn{left: a.header.Get("Weir-Ignored-Params")}
	for _, p := range payloads {
		var chunk struct {
			Choices []struct {
				Message, Delta map[string]any
				FinishReason   string `json:"finish_reason"`
			}
		}
		if err := json.Unmarshal([]byte(p), &chunk); err != nil {
			t.Fatal(err)
		}
		for _, choice := range chunk.Choices {
			said.finish += choice.FinishReason
			merge(message, choice.Message)
			merge(message, choice.Delta)
		}
	}
	text, _ := json.Marshal(message) // was JSON
	if err := json.Unmarshal(text, &said); err != nil {
		t.Fatal(err)
	}
	if !c.whole {
		maps.DeleteFunc(message, func(name string, _ any) bool {
			return !slices.Contains([]string{"role", "content", "tool_calls"}, name)
		})
	}
	c.messages = append(c.messages, message)
	return said
}

// merge adds a delta to a message as the SDKs of OpenAI do: texts and lists grow, those with an index by it.
func merge(into, delta map[string]any) {
	for name, value := range delta {
		switch v := value.(type) {
		case string:
			was, _ := into[name].(string)
			if name != "role" && name != "type" && name != "id" {
				v = was + v
			}
			into[name] = v
		case []any:
			list, _ := into[name].([]any)
			for _, item := range v {
				m, _ := item.(map[string]any)
				index, indexed := m["index"].(float64)
				if delete(m, "index"); indexed && int(index) < len(list) {
					merge(list[int(index)].(map[string]any), m)
				} else {
					list = append(list, item)
				}
			}
			into[name] = list
		case map[string]any:
			if was, ok := into[name].(map[string]any); ok {
				merge(was, v)
			} else {
				into[name] = v
			}
		default:
			if value != nil || into[name] == nil {
				into[name] = value
			}
		}
	}
}

// calls checks that an answer calls so many tools, after a thought, and that the model was sent all that was asked.
func (c *talk) calls(t *testing.T, said turn, n int) {
	t.Helper()
	if said.finish != "tool_calls" || len(said.ToolCalls) != n || said.Reasoning == "" || said.left != "" {
		t.Fatalf("%d calls after a thought were expected: %+v", n, said)
	}
	for i, call := range said.ToolCalls {
		if !json.Valid([]byte(call.Function.Arguments)) || call.Type != "function" || call.ID == "" || i > 0 && call.ID == said.ToolCalls[0].ID {
			t.Errorf("call %d: %+v", i, call)
		}
	}
}

// answers checks that an answer is a text after a thought.
func (c *talk) answers(t *testing.T, said turn) {
	t.Helper()
	if said.finish != "stop" || said.Reasoning == "" || said.left != "" || !strings.Contains(said.Content, "degrees") || len(said.ToolCalls) > 0 {
		t.Fatalf("a text after a thought was expected: %+v", said)
	}
}

// clients runs a test for clients of both kinds, with streams and without.
func clients(t *testing.T, test func(t *testing.T, c *talk)) {
	t.Helper()
	one := newTalk(t)
	for _, whole := range []bool{false, true} {
		for _, stream := range []bool{false, true} {
			name := map[bool]string{true: "whole messages", false: "only OpenAI's members"}[whole] + map[bool]string{true: ", streamed"}[stream]
			t.Run(name, func(t *testing.T) { test(t, &talk{Weir: one.Weir, key: one.key, whole: whole, stream: stream}) })
		}
	}
}

// A model that reasons calls tools, gets their results and answers, while it keeps reasoning: one call, then two in
// parallel, then one more, in one conversation.
func TestTurns(t *testing.T) {
	t.Parallel()
	clients(t, func(t *testing.T, c *talk) {
		for _, d := range spoken {
			for _, model := range d.models {
				t.Run(model, func(t *testing.T) {
					c := *c
					c.model = model
					for _, n := range []int{1, 2, 1} {
						c.say("How is the weather" + map[int]string{2: " in two cities, in parallel"}[n] + "?")
						said := c.ask(t)
						c.calls(t, said, n)
						c.results(said.ToolCalls)
						c.answers(t, c.ask(t))
					}
				})
			}
		}
	})
}

// A conversation that began with a model of one dialect goes on with one of another, also between calls and their results.
// What the first has signed is not sent to the second, which would refuse it. It may have to answer without reasoning once,
// because what led to the calls was not its own.
func TestTurnsHandedOver(t *testing.T) {
	t.Parallel()
	clients(t, func(t *testing.T, c *talk) {
		for _, from := range spoken {
			for _, to := range spoken {
				if from.name == to.name {
					continue
				}
				t.Run(from.name+" to "+to.name, func(t *testing.T) {
					c := *c
					c.model = from.models[0]
					c.say("How is the weather in two cities, in parallel?")
					said := c.ask(t)
					c.calls(t, said, 2)
					c.results(said.ToolCalls)
					c.model = to.models[0]
					if said := c.ask(t); said.finish != "stop" || !strings.Contains(said.Content, "degrees") {
						t.Fatalf("a text was expected: %+v", said)
					}
					c.say("And in a third city?")
					said = c.ask(t)
					if lost := from.maker != "" && to.maker != "" && from.maker != to.maker; lost {
						if said.left != "messages[].thinking_blocks" {
							t.Errorf("of reasoning that is another's the caller is told %q", said.left)
						}
						said.left = ""
					}
					c.calls(t, said, 1)
				})
			}
		}
	})
}
