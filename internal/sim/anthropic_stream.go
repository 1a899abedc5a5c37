package sim

import "encoding/json"

// messagesStream is an answer in events. They come without event: lines, which repeat what the payload says.
type messagesStream struct {
	answered
	call   *call
	prompt int
}

// The payloads of a stream.
type (
	messageStart struct {
		Type    string  `json:"type"`
		Message message `json:"message"`
	}
	blockStart struct {
		Type  string `json:"type"`
		Index int    `json:"index"`
		Block any    `json:"content_block"`
	}
	blockDelta struct {
		Type  string `json:"type"`
		Index int    `json:"index"`
		Delta any    `json:"delta"`
	}
	blockStop struct {
		Type  string `json:"type"`
		Index int    `json:"index"`
	}
	stopDelta struct {
		Reason string `json:"stop_reason"`
	}
	messageDelta struct {
		Type  string        `json:"type"`
		Delta stopDelta     `json:"delta"`
		Usage messagesUsage `json:"usage"`
	}
	bare struct {
		Type string `json:"type"`
	}
	thoughtDelta struct {
		Type     string `json:"type"`
		Thinking string `json:"thinking"`
	}
	signatureDelta struct {
		Type      string `json:"type"`
		Signature string `json:"signature"`
	}
	inputDelta struct {
		Type    string `json:"type"`
		Partial string `json:"partial_json"`
	}
)

// events implements iter.Seq.
func (s *messagesStream) events(yield func(event) bool) {
	head := newMessage(s.call, []any{}, nil, messagesUsage{s.prompt, 1})
	ok := yield(event{payload: marshal(messageStart{"message_start", head})}) && yield(event{payload: marshal(bare{"ping"})})
	for i, block := range s.blocks {
		ok = ok && s.block(i, block, yield)
	}
	usage := messagesUsage{s.prompt, s.tokens}
	_ = ok && yield(event{payload: marshal(messageDelta{"message_delta", stopDelta{s.stop}, usage})}) &&
		yield(event{payload: marshal(bare{"message_stop"}), last: true})
}

// block yields one block: its start, its text in tokens, its stop.
func (s *messagesStream) block(i int, block any, yield func(event) bool) bool {
	var start any
	var text string
	var delta func(token string) any
	last := any(nil)
	switch b := block.(type) {
	case textBlock:
		start, text = textBlock{Type: b.Type}, b.Text
		delta = func(token string) any { return textBlock{"text_delta", token} }
	case thoughtBlock:
		start, text = thoughtBlock{Type: b.Type}, b.Thinking
		delta = func(token string) any { return thoughtDelta{"thinking_delta", token} }
		last = signatureDelta{"signature_delta", b.Signature}
	case callBlock:
		start, text = callBlock{b.Type, b.ID, b.Name, json.RawMessage("{}")}, string(b.Input)
		delta = func(token string) any { return inputDelta{"input_json_delta", token} }
	}
	if !yield(event{payload: marshal(blockStart{"content_block_start", i, start})}) {
		return false
	}
	for _, token := range split(text) {
		if !yield(event{payload: marshal(blockDelta{"content_block_delta", i, delta(token)}), tokens: 1, paced: true}) {
			return false
		}
	}
	if last != nil && !yield(event{payload: marshal(blockDelta{"content_block_delta", i, last})}) {
		return false
	}
	return yield(event{payload: marshal(blockStop{"content_block_stop", i})})
}
