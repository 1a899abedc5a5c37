package sim

// chatStream streams a chat answer: roles, then the choices token by token in turn, their finish
// reasons, and the usage if it was asked for.
type chatStream struct {
	call      *call
	choices   []chatChoice
	usage     openAIUsage
	withUsage bool
}

// chatChunk is one event. Usage is nullable: it is null before the end of a stream that will report it, and absent
// in others.
type chatChunk struct {
	ID                string            `json:"id"`
	Object            string            `json:"object"`
	Created           int64             `json:"created"`
	Model             string            `json:"model"`
	ServiceTier       string            `json:"service_tier"`
	SystemFingerprint string            `json:"system_fingerprint"`
	Choices           []chatChunkChoice `json:"choices"`
	Usage             *nullableUsage    `json:"usage,omitempty"`
}

type chatChunkChoice struct {
	Index        int       `json:"index"`
	Delta        any       `json:"delta"` // one of the types below
	Logprobs     *struct{} `json:"logprobs"`
	FinishReason *string   `json:"finish_reason"`
}

// The deltas: which members an event has depends on what it brings.
type (
	roleDelta struct {
		Role    string  `json:"role"`
		Content *string `json:"content"`
		Refusal *string `json:"refusal"`
	}
	contentDelta struct {
		Content string `json:"content"`
	}
	reasoningDelta struct {
		ReasoningContent string `json:"reasoning_content"`
	}
	toolHeadDelta struct {
		ToolCalls []toolHead `json:"tool_calls"`
	}
	toolHead struct {
		Index int `json:"index"`
		chatToolCall
	}
	toolArgsDelta struct {
		ToolCalls []toolArgs `json:"tool_calls"`
	}
	toolArgs struct {
		Index    int             `json:"index"`
		Function *functionPieces `json:"function,omitempty"`
		Custom   *customPieces   `json:"custom,omitempty"`
	}
	functionPieces struct {
		Arguments string `json:"arguments"`
	}
	customPieces struct {
		Input string `json:"input"`
	}
	emptyDelta struct{}
)

// nullableUsage is a usage that is null until it is known.
type nullableUsage struct{ *openAIUsage }

// MarshalJSON implements json.Marshaler.
func (u nullableUsage) MarshalJSON() ([]byte, error) {
	if u.openAIUsage == nil {
		return []byte("null"), nil
	}
	return marshal(u.openAIUsage), nil
}

// piece is one delta of a choice and the tokens in it.
type piece struct {
	delta  any
	tokens int
}

// events implements iter.Seq.
func (s *chatStream) events(yield func(event) bool) {
	pieces := make([][]piece, len(s.choices))
	for i := range s.choices {
		o := &s.choices[i]
		role := roleDelta{Role: "assistant"}
		if o.tools == nil {
			role.Content = new(string)
		}
		if !yield(s.event(i, piece{delta: role}, "")) {
			return
		}
		pieces[i] = o.pieces(s.call.rule.Huge)
	}
	for more, at := true, 0; more; at++ {
		more = false
		for i := range pieces {
			if at >= len(pieces[i]) {
				continue
			}
			more = true
			if !yield(s.event(i, pieces[i][at], "")) {
				return
			}
		}
	}
	for i := range s.choices {
		if !yield(s.event(i, piece{delta: emptyDelta{}}, s.choices[i].finish)) {
			return
		}
	}
	if s.withUsage {
		chunk := s.chunk(&s.usage)
		chunk.Choices = []chatChunkChoice{}
		if !yield(event{payload: marshal(chunk)}) {
			return
		}
	}
	yield(event{payload: []byte(doneMarker), last: true})
}

// event is the event that brings one piece of a choice, or its finish reason.
func (s *chatStream) event(choice int, p piece, finish string) event {
	chunk := s.chunk(nil)
	one := chatChunkChoice{Index: choice, Delta: p.delta}
	if finish != "" {
		one.FinishReason = &finish
	}
	chunk.Choices = []chatChunkChoice{one}
	return event{payload: marshal(chunk), tokens: p.tokens, paced: p.tokens > 0}
}

func (s *chatStream) chunk(usage *openAIUsage) chatChunk {
	c := chatChunk{
		ID: s.call.id("chatcmpl-"), Object: "chat.completion.chunk", Created: s.call.created, Model: s.call.model,
		ServiceTier: "default", SystemFingerprint: systemFingerprint,
	}
	if s.withUsage {
		c.Usage = &nullableUsage{usage}
	}
	return c
}

// pieces are the deltas of a choice after its first. huge is the script's, 0 for none.
func (o *chatChoice) pieces(huge int) []piece {
	if huge > 0 {
		return []piece{{contentDelta{o.content[0]}, hugeTokens(huge)}}
	}
	var all []piece
	for _, token := range o.reasoning {
		all = append(all, piece{reasoningDelta{token}, 1})
	}
	for _, token := range o.content {
		all = append(all, piece{contentDelta{token}, 1})
	}
	for k, t := range o.tools {
		head := t
		head.args = nil
		all = append(all, piece{toolHeadDelta{[]toolHead{{k, head.value()}}}, count(t.name)})
		for _, token := range t.args {
			one := toolArgs{Index: k, Function: &functionPieces{token}}
			if t.custom {
				one = toolArgs{Index: k, Custom: &customPieces{token}}
			}
			all = append(all, piece{toolArgsDelta{[]toolArgs{one}}, 1})
		}
	}
	return all
}
