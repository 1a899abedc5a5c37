package sim

// cohereStream is an answer in events. They come without event: lines, which repeat what the payload says.
type cohereStream struct {
	call    *call
	message cohereMessage
	reason  string
	usage   cohereUsage
}

// The payloads of a stream.
type (
	cohereEvent struct {
		ID    string       `json:"id,omitempty"`
		Type  string       `json:"type"`
		Index *int         `json:"index,omitempty"`
		Delta *cohereDelta `json:"delta,omitempty"`
	}
	cohereDelta struct {
		Message *coherePiece `json:"message,omitempty"`
		Reason  string       `json:"finish_reason,omitempty"`
		Error   string       `json:"error,omitempty"`
		Usage   *cohereUsage `json:"usage,omitempty"`
	}
	coherePiece struct {
		Role    string         `json:"role,omitempty"`
		Content *cohereContent `json:"content,omitempty"`
		Plan    string         `json:"tool_plan,omitempty"`
		Calls   any            `json:"tool_calls,omitempty"` // one call, or a piece of one
	}
	coherePart struct {
		Function struct {
			Arguments string `json:"arguments"`
		} `json:"function"`
	}
)

// cohereMessageDelta is a delta of the message.
func cohereMessageDelta(p coherePiece) *cohereDelta { return &cohereDelta{Message: &p} }

// events implements iter.Seq.
func (s *cohereStream) events(yield func(event) bool) {
	ok := yield(event{payload: marshal(cohereEvent{ID: s.call.id(""), Type: "message-start", Delta: cohereMessageDelta(coherePiece{Role: "assistant"})})})
	for i, c := range s.message.Content {
		ok = ok && s.content(i, c, yield)
	}
	for _, token := range split(s.message.Plan) {
		ok = ok && yield(event{payload: marshal(cohereEvent{Type: "tool-plan-delta", Delta: cohereMessageDelta(coherePiece{Plan: token})}), tokens: 1, paced: true})
	}
	for i, c := range s.message.Calls {
		ok = ok && s.toolCall(i, c, yield)
	}
	end := cohereEvent{Type: "message-end", Delta: &cohereDelta{Reason: s.reason, Usage: &s.usage}}
	_ = ok && yield(event{payload: marshal(end)}) && yield(event{payload: []byte(doneMarker), last: true})
}

func (s *cohereStream) content(i int, c cohereContent, yield func(event) bool) bool {
	text := c.Text + c.Thinking
	if !yield(event{payload: marshal(cohereEvent{Type: "content-start", Index: &i, Delta: cohereMessageDelta(coherePiece{Content: &cohereContent{Type: c.Type}})})}) {
		return false
	}
	for _, token := range split(text) {
		said := &cohereContent{Text: token}
		if c.Type == "thinking" {
			said = &cohereContent{Thinking: token}
		}
		if !yield(event{payload: marshal(cohereEvent{Type: "content-delta", Index: &i, Delta: cohereMessageDelta(coherePiece{Content: said})}), tokens: 1, paced: true}) {
			return false
		}
	}
	return yield(event{payload: marshal(cohereEvent{Type: "content-end", Index: &i})})
}

func (s *cohereStream) toolCall(i int, c cohereCall, yield func(event) bool) bool {
	head := c
	head.Function.Arguments = ""
	if !yield(event{payload: marshal(cohereEvent{Type: "tool-call-start", Index: &i, Delta: cohereMessageDelta(coherePiece{Calls: head})})}) {
		return false
	}
	for _, token := range split(c.Function.Arguments) {
		var part coherePart
		part.Function.Arguments = token
		if !yield(event{payload: marshal(cohereEvent{Type: "tool-call-delta", Index: &i, Delta: cohereMessageDelta(coherePiece{Calls: part})}), tokens: 1, paced: true}) {
			return false
		}
	}
	return yield(event{payload: marshal(cohereEvent{Type: "tool-call-end", Index: &i})})
}
