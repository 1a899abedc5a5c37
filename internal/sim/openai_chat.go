package sim

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

const (
	simulated         = "This is a simulated answer from Weir's built-in provider."
	systemFingerprint = "fp_simulated"

	finishStop   = "stop"
	finishLength = "length"
	finishTools  = "tool_calls"
)

// chatChoice is one of a chat answer's alternatives, in tokens.
type chatChoice struct {
	reasoning []string
	content   []string
	tools     []chatTools
	finish    string
}

// chatTools is one tool call, its arguments in tokens.
type chatTools struct {
	id, name string
	custom   bool
	args     []string
}

// tokens is what the choice counts, and how much of that is reasoning.
func (o *chatChoice) tokens() (all, reasoning int) {
	all = len(o.reasoning) + len(o.content)
	for _, t := range o.tools {
		all += count(t.name) + len(t.args)
	}
	return all, len(o.reasoning)
}

// chat answers /chat/completions.
func (d openAI) chat(c *call) (reply, error) {
	var r chatRequest
	if err := c.decode(&r); err != nil {
		return reply{}, err
	}
	if err := r.check(); err != nil {
		return reply{}, err
	}
	n := 1
	if r.N != nil {
		n = *r.N
	}
	choices := make([]chatChoice, n)
	usage := openAIUsage{PromptTokens: r.promptTokens(), PromptTokensDetails: &promptDetails{}, CompletionTokensDetails: &completDetails{}}
	for i := range choices {
		choices[i] = r.choice(c, i, n)
		all, reasoning := choices[i].tokens()
		usage.CompletionTokens += all
		usage.CompletionTokensDetails.ReasoningTokens += reasoning
	}
	if c.rule.Huge > 0 {
		usage.CompletionTokens = n * hugeTokens(c.rule.Huge)
	}
	usage.TotalTokens = usage.PromptTokens + usage.CompletionTokens
	if c.stream {
		s := chatStream{call: c, choices: choices, usage: usage, withUsage: r.StreamOptions != nil && r.StreamOptions.IncludeUsage}
		return reply{status: 200, contentType: typeStream, events: s.events, prompt: usage.PromptTokens}, nil
	}
	a := jsonReply(chatAnswer(c, choices, usage))
	a.prompt, a.completion = usage.PromptTokens, usage.CompletionTokens
	return a, nil
}

// choice makes the i-th of n alternatives.
func (r *chatRequest) choice(c *call, i, n int) chatChoice {
	left := budget{limit: r.limit()}
	o := chatChoice{finish: finishStop}
	if c.rule.Huge > 0 {
		o.content = []string{strings.Repeat("x", c.rule.Huge)}
		return o
	}
	o.reasoning = left.take(r.reasoning())
	if calls := r.scripted(c); len(calls) > 0 {
		o.finish = finishTools
		for k := range calls {
			o.tools = append(o.tools, chatTools{
				id: c.id(fmt.Sprintf("call_%d%d", i, k)), name: calls[k].Name, custom: calls[k].Arguments[0] == '"', args: left.take(calls[k].input()),
			})
		}
	} else if c.rule.Text == "" && r.callsTool() {
		o.finish = finishTools
		for k, tool := range r.toolsToCall() {
			o.tools = append(o.tools, chatTools{
				id: c.id(fmt.Sprintf("call_%d%d", i, k)), name: tool.name(), custom: tool.Type == "custom", args: left.take(tool.arguments()),
			})
		}
	} else {
		o.content = left.take(r.text(c, i, n))
	}
	if left.exhausted {
		o.finish = finishLength
	}
	return o
}

// scripted are the calls that a rule makes, if their tools are there.
func (r *chatRequest) scripted(c *call) []Call {
	calls := c.rule.Calls
	if len(calls) == 0 || !slices.ContainsFunc(r.Tools, func(t chatTool) bool { return t.name() == calls[0].Name }) {
		return nil
	}
	return calls
}

// input are the arguments as a model gives them: those of a custom tool are its input.
func (c *Call) input() string {
	var text string
	if json.Unmarshal(c.Arguments, &text) == nil {
		return text
	}
	return string(c.Arguments)
}

// budget hands out tokens up to a limit, 0 for none.
type budget struct {
	limit, used int
	exhausted   bool
}

func (b *budget) take(text string) []string {
	tokens := split(text)
	if b.limit > 0 && b.used+len(tokens) > b.limit {
		tokens = tokens[:b.limit-b.used]
		b.exhausted = true
	}
	b.used += len(tokens)
	return tokens
}

// reasoning is the text that comes before the answer when an effort is asked for.
func (r *chatRequest) reasoning() string {
	efforts := []string{"minimal", "low", "medium", "high", "xhigh", "max"}
	for i, effort := range efforts {
		if effort == r.ReasoningEffort {
			return strings.TrimSpace(strings.Repeat("The question was read; a simulated answer will do. ", i+1))
		}
	}
	return ""
}

// callsTool reports whether the answer is a tool call: always if it can be, but for the turn that answers
// with a tool's result.
func (r *chatRequest) callsTool() bool {
	last := r.Messages[len(r.Messages)-1].Role
	return len(r.Tools) > 0 && r.ToolChoice.mode != "none" && last != "tool" && last != "function"
}

// toolsToCall are the named tool or the first; two calls if the user's text speaks of parallel ones.
func (r *chatRequest) toolsToCall() []*chatTool {
	first, second := &r.Tools[0], &r.Tools[min(1, len(r.Tools)-1)]
	for i := range r.Tools {
		if r.Tools[i].name() == r.ToolChoice.name {
			first, second = &r.Tools[i], &r.Tools[i]
		}
	}
	parallel := r.ParallelToolCalls == nil || *r.ParallelToolCalls
	if parallel && strings.Contains(strings.ToLower(r.userText()), "parallel") {
		return []*chatTool{first, second}
	}
	return []*chatTool{first}
}

// arguments fit the tool's schema.
func (t *chatTool) arguments() string {
	if t.Type == "custom" {
		return "simulated input"
	}
	return string(synthesise(t.Function.Parameters))
}

// text is the answer's, cut at a stop text.
func (r *chatRequest) text(c *call, i, n int) string {
	text := cmp.Or(c.rule.Text, r.words(c, i, n))
	switch {
	case r.ResponseFormat == nil || r.ResponseFormat.Type == "text":
		text = fit(text, c.tokens())
	case r.ResponseFormat.Type == "json_schema":
		text = string(synthesise(r.ResponseFormat.JSONSchema.Schema))
	default:
		text = string(marshal(struct {
			Simulated bool   `json:"simulated"`
			Answer    string `json:"answer"`
		}{true, text}))
	}
	for _, stop := range r.Stop {
		if stop != "" {
			text, _, _ = strings.Cut(text, stop)
		}
	}
	return text
}

func (r *chatRequest) words(c *call, i, n int) string {
	const most = 200
	text := c.sentence()
	last := r.Messages[len(r.Messages)-1]
	user := excerpt(r.userText(), most)
	switch {
	case last.Role == "tool" || last.Role == "function":
		text += " The tool answered: " + excerpt(last.Content.text, most)
	case user != "":
		text += " You said: " + user
	default:
		text += " You said nothing."
	}
	switch images := r.images(); images {
	case 0:
	case 1:
		text += " (with 1 image)"
	default:
		text += fmt.Sprintf(" (with %d images)", images)
	}
	if n > 1 {
		text += fmt.Sprintf(" (choice %d of %d)", i+1, n)
	}
	return text
}

// chatCompletion is a complete answer.
type chatCompletion struct {
	ID                string          `json:"id"`
	Object            string          `json:"object"`
	Created           int64           `json:"created"`
	Model             string          `json:"model"`
	Choices           []chatFullValue `json:"choices"`
	Usage             openAIUsage     `json:"usage"`
	ServiceTier       string          `json:"service_tier"`
	SystemFingerprint string          `json:"system_fingerprint"`
}

type chatFullValue struct {
	Index        int             `json:"index"`
	Message      chatFullMessage `json:"message"`
	Logprobs     *struct{}       `json:"logprobs"`
	FinishReason string          `json:"finish_reason"`
}

type chatFullMessage struct {
	Role             string         `json:"role"`
	Content          *string        `json:"content"`
	ReasoningContent string         `json:"reasoning_content,omitempty"`
	ToolCalls        []chatToolCall `json:"tool_calls,omitempty"`
	Refusal          *string        `json:"refusal"`
	Annotations      []struct{}     `json:"annotations"`
}

func chatAnswer(c *call, choices []chatChoice, usage openAIUsage) chatCompletion {
	answer := chatCompletion{
		ID: c.id("chatcmpl-"), Object: "chat.completion", Created: c.created, Model: c.model,
		Usage: usage, ServiceTier: "default", SystemFingerprint: systemFingerprint,
	}
	for i, o := range choices {
		m := chatFullMessage{Role: "assistant", ReasoningContent: strings.Join(o.reasoning, ""), Annotations: []struct{}{}}
		for _, t := range o.tools {
			m.ToolCalls = append(m.ToolCalls, t.value())
		}
		if o.tools == nil {
			m.Content = new(strings.Join(o.content, ""))
		}
		answer.Choices = append(answer.Choices, chatFullValue{Index: i, Message: m, FinishReason: o.finish})
	}
	return answer
}

func (t *chatTools) value() chatToolCall {
	args := strings.Join(t.args, "")
	if t.custom {
		return chatToolCall{ID: t.id, Type: "custom", Custom: &customCall{t.name, args}}
	}
	return chatToolCall{ID: t.id, Type: "function", Function: &functionCall{t.name, args}}
}

// hugeTokens is what a huge text counts.
func hugeTokens(size int) int { return cmp.Or((size+tokenBytes-1)/tokenBytes, 1) }
