package sim

import "github.com/weirproxy/weir/internal/llm"

// converseStream is an answer in frames. A text has no start of its own, and every payload is padded.
type converseStream struct {
	answered
	usage converseUsage
}

// The payloads of a stream.
type (
	converseDelta struct {
		Text      *string `json:"text,omitempty"`
		ToolUse   any     `json:"toolUse,omitempty"`
		Reasoning any     `json:"reasoningContent,omitempty"`
	}
	conversePiece struct {
		Index int            `json:"contentBlockIndex"`
		Delta *converseDelta `json:"delta,omitempty"`
		Start any            `json:"start,omitempty"`
		Pad   string         `json:"p"`
	}
	converseInput struct {
		Input string `json:"input"`
	}
	converseThinking struct {
		Text      string `json:"text,omitempty"`
		Signature string `json:"signature,omitempty"`
	}
)

// pad is what makes the lengths of events say less of their content.
func pad(n int) string { return "abcdefghijklmnopqrstuvwxyz"[:1+n*7%26] }

func named(name string, payload any) []byte { return append([]byte(name+" "), marshal(payload)...) }

// events implements iter.Seq.
func (s converseStream) events(yield func(event) bool) {
	ok := yield(event{payload: named("messageStart", struct {
		Pad  string `json:"p"`
		Role string `json:"role"`
	}{pad(0), "assistant"})})
	for i, block := range s.blocks {
		ok = ok && s.block(i, block, yield)
	}
	stop := named("messageStop", struct {
		Pad    string `json:"p"`
		Reason string `json:"stopReason"`
	}{pad(1), converseStop(s.finish)})
	metadata := named("metadata", struct {
		Metrics converseMetrics `json:"metrics"`
		Pad     string          `json:"p"`
		Usage   converseUsage   `json:"usage"`
	}{converseMetrics{1}, pad(2), s.usage})
	_ = ok && yield(event{payload: stop}) && yield(event{payload: metadata, last: true})
}

// block yields one block: its start if it is a call's, its text in tokens, its stop.
func (s converseStream) block(i int, b block, yield func(event) bool) bool {
	var delta func(token string) *converseDelta
	last := (*converseDelta)(nil)
	ok := true
	switch b.kind {
	case llm.Text:
		delta = func(token string) *converseDelta { return &converseDelta{Text: &token} }
	case llm.Reasoning:
		delta = func(token string) *converseDelta { return &converseDelta{Reasoning: converseThinking{Text: token}} }
		last = &converseDelta{Reasoning: converseThinking{Signature: b.opaque}}
	case llm.ToolCall:
		delta = func(token string) *converseDelta { return &converseDelta{ToolUse: converseInput{token}} }
		start := struct {
			ToolUse converseCall `json:"toolUse"`
		}{converseCall{ID: b.callID, Name: b.called}}
		ok = yield(event{payload: named("contentBlockStart", conversePiece{Index: i, Start: start, Pad: pad(i)})})
	}
	for n, token := range split(b.text) {
		ok = ok && yield(event{payload: named("contentBlockDelta", conversePiece{Index: i, Delta: delta(token), Pad: pad(n)}), tokens: 1, paced: true})
	}
	if last != nil {
		ok = ok && yield(event{payload: named("contentBlockDelta", conversePiece{Index: i, Delta: last, Pad: pad(i)})})
	}
	return ok && yield(event{payload: named("contentBlockStop", conversePiece{Index: i, Pad: pad(i)})})
}
