package sim

import (
	"encoding/json"
	"fmt"
	"strings"
)

// completionRequest is what the simulated provider reads of a legacy completion call.
type completionRequest struct {
	Prompt        *inputs        `json:"prompt"`
	Stream        *bool          `json:"stream"`
	StreamOptions *streamOptions `json:"stream_options"`
	N             *int           `json:"n"`
	MaxTokens     *int           `json:"max_tokens"`
	Echo          bool           `json:"echo"`
	Stop          stringList     `json:"stop"`
}

// inputs are the forms that a prompt and an embedding's input can have: a text or several, a list of token
// numbers or several.
type inputs []input

// input is one text, or one list of tokens.
type input struct {
	text   string
	tokens []int // not nil: this instead of text
}

// count is the input's number of tokens.
func (i input) count() int {
	if i.tokens != nil {
		return len(i.tokens)
	}
	return count(i.text)
}

// String is the text, or a placeholder.
func (i input) String() string {
	if i.tokens != nil {
		return fmt.Sprint(i.tokens)
	}
	return i.text
}

// UnmarshalJSON implements json.Unmarshaler.
func (i *inputs) UnmarshalJSON(b []byte) error {
	var text string
	var texts []string
	var tokens []int
	var lists [][]int
	switch {
	case json.Unmarshal(b, &text) == nil:
		*i = inputs{{text: text}}
	case json.Unmarshal(b, &texts) == nil:
		*i = inputs{}
		for _, text := range texts {
			*i = append(*i, input{text: text})
		}
	case json.Unmarshal(b, &tokens) == nil:
		*i = inputs{{tokens: tokens}}
	case json.Unmarshal(b, &lists) == nil:
		for _, tokens := range lists {
			*i = append(*i, input{tokens: tokens})
		}
	default:
		return bad("input", "invalid_type", "Invalid type for the input: expected a string, an array of strings, an array of integers or an array of arrays of integers.")
	}
	return nil
}

// defaultMaxTokens is OpenAI's for legacy completions.
const defaultMaxTokens = 16

// completions answers /completions.
func (d openAI) completions(c *call) (reply, error) {
	r := completionRequest{}
	if err := c.decode(&r); err != nil {
		return reply{}, err
	}
	if err := r.check(); err != nil {
		return reply{}, err
	}
	n, limit := 1, defaultMaxTokens
	if r.N != nil {
		n = *r.N
	}
	if r.MaxTokens != nil {
		limit = *r.MaxTokens
	}
	var choices []textChoice
	var usage openAIUsage
	for _, prompt := range *r.Prompt {
		usage.PromptTokens += prompt.count()
		for i := range n {
			o := r.choice(c, prompt, i, n, limit)
			usage.CompletionTokens += o.count()
			choices = append(choices, o)
		}
	}
	usage.TotalTokens = usage.PromptTokens + usage.CompletionTokens
	if c.stream {
		s := textStream{c, choices, usage, r.StreamOptions != nil && r.StreamOptions.IncludeUsage}
		return reply{status: 200, contentType: typeStream, events: s.events, prompt: usage.PromptTokens}, nil
	}
	answer := newTextCompletion(c)
	for i, o := range choices {
		answer.Choices = append(answer.Choices, textValue{Text: o.echo + strings.Join(o.tokens, ""), Index: i, FinishReason: &o.finish})
	}
	answer.Usage = &nullableUsage{&usage}
	a := jsonReply(answer)
	a.prompt, a.completion = usage.PromptTokens, usage.CompletionTokens
	return a, nil
}

func (r *completionRequest) check() error {
	if err := checkStream(r.Stream, r.StreamOptions); err != nil {
		return err
	}
	if r.Prompt == nil {
		return bad("prompt", "missing_required_parameter", "Missing required parameter: 'prompt'.")
	}
	if len(*r.Prompt) == 0 {
		return bad("prompt", "empty_array", "Invalid 'prompt': empty array. Expected an array with minimum length 1, but got an empty array instead.")
	}
	if err := checkMin("max_tokens", r.MaxTokens, 0); err != nil {
		return err
	}
	return checkMin("n", r.N, 1)
}

// textChoice is one alternative for one prompt.
type textChoice struct {
	echo   string
	tokens []string
	huge   int // the one token is a huge text of so many bytes
	finish string
}

func (o *textChoice) count() int {
	if o.huge > 0 {
		return hugeTokens(o.huge)
	}
	return len(o.tokens)
}

func (r *completionRequest) choice(c *call, prompt input, i, n, limit int) textChoice {
	o := textChoice{finish: finishStop}
	if r.Echo {
		o.echo = prompt.String()
	}
	if c.rule.Huge > 0 {
		o.huge = c.rule.Huge
		o.tokens = []string{strings.Repeat("x", o.huge)}
		return o
	}
	text := " " + c.sentence() + " You said: " + excerpt(prompt.String(), 200)
	if n > 1 {
		text += fmt.Sprintf(" (choice %d of %d)", i+1, n)
	}
	text = fit(text, c.tokens())
	for _, stop := range r.Stop {
		if stop != "" {
			text, _, _ = strings.Cut(text, stop)
		}
	}
	o.tokens = split(text)
	if len(o.tokens) > limit {
		o.tokens, o.finish = o.tokens[:limit], finishLength
	}
	return o
}

// textCompletion is a complete answer as well as one event of a stream.
type textCompletion struct {
	ID                string         `json:"id"`
	Object            string         `json:"object"`
	Created           int64          `json:"created"`
	Model             string         `json:"model"`
	Choices           []textValue    `json:"choices"`
	Usage             *nullableUsage `json:"usage,omitempty"`
	SystemFingerprint string         `json:"system_fingerprint"`
}

type textValue struct {
	Text         string    `json:"text"`
	Index        int       `json:"index"`
	Logprobs     *struct{} `json:"logprobs"`
	FinishReason *string   `json:"finish_reason"`
}

func newTextCompletion(c *call) textCompletion {
	return textCompletion{
		ID: c.id("cmpl-"), Object: "text_completion", Created: c.created, Model: c.model,
		Choices: []textValue{}, SystemFingerprint: systemFingerprint,
	}
}

// textStream streams a legacy completion, the choices token by token in turn.
type textStream struct {
	call      *call
	choices   []textChoice
	usage     openAIUsage
	withUsage bool
}

// events implements iter.Seq.
func (s *textStream) events(yield func(event) bool) {
	for i, o := range s.choices {
		if o.echo != "" && !yield(event{payload: s.chunk(i, o.echo, "")}) {
			return
		}
	}
	for more, at := true, 0; more; at++ {
		more = false
		for i, o := range s.choices {
			if at >= len(o.tokens) {
				continue
			}
			more = true
			tokens := 1
			if o.huge > 0 {
				tokens = o.count()
			}
			if !yield(event{payload: s.chunk(i, o.tokens[at], ""), tokens: tokens, paced: true}) {
				return
			}
		}
	}
	for i, o := range s.choices {
		if !yield(event{payload: s.chunk(i, "", o.finish)}) {
			return
		}
	}
	if s.withUsage {
		last := newTextCompletion(s.call)
		last.Usage = &nullableUsage{&s.usage}
		if !yield(event{payload: marshal(last)}) {
			return
		}
	}
	yield(event{payload: []byte(doneMarker), last: true})
}

func (s *textStream) chunk(choice int, text, finish string) []byte {
	c := newTextCompletion(s.call)
	one := textValue{Text: text, Index: choice}
	if finish != "" {
		one.FinishReason = &finish
	}
	c.Choices = []textValue{one}
	if s.withUsage {
		c.Usage = &nullableUsage{}
	}
	return marshal(c)
}
