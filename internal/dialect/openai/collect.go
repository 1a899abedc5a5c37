package openai

import (
	"strconv"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// Collect takes an event of a complete answer; Answer makes one body of all.
func (p *Producer) Collect(ev *llm.Event) {
	switch ev = p.at(ev.Choice).Plain(ev); ev.Kind {
	case llm.Start:
		p.start(ev)
	case llm.BlockStart:
		p.begin(ev)
		p.said = p.said || ev.Part == llm.Text
		if ev.Part == llm.ToolCall {
			if p.tools > 1 {
				p.calls = append(p.calls, ',')
			}
			p.calls = append(p.toolHead(append(p.calls, '{'), ev), '"')
		}
	case llm.Delta:
		switch ev.Part {
		case llm.Text:
			p.content = append(p.content, ev.Text.Inner()...)
			p.sign(ev)
		case llm.ToolCall:
			p.empty = p.empty && len(ev.Text.Inner()) == 0
			if p.custom {
				p.calls = p.args.unwrap(p.calls, ev.Text)
			} else {
				p.calls = append(p.calls, ev.Text.Inner()...)
			}
		default:
			p.think(ev)
			p.reasoning = append(p.reasoning, ev.Text.Inner()...)
		}
	case llm.Cited:
		p.cite(ev.Citation)
	case llm.Scored:
		if len(p.logprobs) > 0 {
			p.logprobs = append(p.logprobs, ',')
		}
		p.logprobs = dialect.AppendTokens(p.logprobs, ev.Tokens, noBytes)
	case llm.ChoiceEnd:
		p.over(ev)
	case llm.BlockStop:
		switch {
		case ev.Part == llm.ToolCall && p.custom:
			p.calls = append(p.args.rest(p.calls), `"}}`...)
		case ev.Part == llm.ToolCall && p.empty:
			p.calls = append(p.calls, `{}"}}`...)
		case ev.Part == llm.ToolCall:
			p.calls = append(p.calls, `"}}`...)
		case ev.Part != llm.Text:
			p.keep(ev)
		}
	}
}

// over notes why a choice ended.
func (c *production) over(ev *llm.Event) {
	c.word, c.refusal = c.Finish(ev, c.tools), append(llm.JSON(nil), ev.Refusal...)
}

// Answer is the complete answer that was collected; end is its last event.
func (p *Producer) Answer(end *llm.Event) []byte {
	p.at(0).over(end)
	p.reason = p.choices[0].word
	n := 512
	for _, c := range p.choices {
		if c != nil {
			n += 256 + len(c.content) + len(c.reasoning) + len(c.calls) + len(c.thoughts) + len(c.logprobs)
		}
	}
	dst := append(p.head(make([]byte, 0, n), "chat.completion"), `"choices":[`...)
	for i, c := range p.choices {
		if c == nil {
			continue
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = c.appendChoice(dst)
	}
	if end.Uncounted {
		return append(dst, `]}`...)
	}
	return append(appendUsage(append(dst, `],"usage":`...), end.Usage), '}')
}

// appendChoice appends a choice of a complete answer.
func (c *production) appendChoice(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"index":`...), int64(c.index), 10)
	dst = append(dst, `,"message":{"role":"assistant","content":`...)
	if c.said || c.tools == 0 {
		dst = append(append(append(dst, '"'), c.content...), '"')
	} else {
		dst = append(dst, "null"...)
	}
	dst = append(dst, `,"refusal":`...)
	if len(c.refusal.Inner()) > 0 {
		dst = append(dst, c.refusal...)
	} else {
		dst = append(dst, "null"...)
	}
	if len(c.annotations) > 0 {
		dst = append(append(append(dst, `,"annotations":[`...), c.annotations...), ']')
	}
	if len(c.reasoning) > 0 {
		dst = append(append(append(dst, `,"reasoning_content":"`...), c.reasoning...), '"')
	}
	if len(c.thoughts) > 0 {
		dst = append(append(append(dst, `,"`+ThinkingBlocks+`":[`...), c.thoughts...), ']')
	}
	if c.tools > 0 {
		dst = append(append(append(dst, `,"tool_calls":[`...), c.calls...), ']')
	}
	if dst = append(dst, '}'); len(c.logprobs) > 0 {
		dst = append(append(append(dst, openLogprobs...), c.logprobs...), closeLogprobs...)
	} else {
		dst = append(dst, `,"logprobs":null`...)
	}
	return append(append(append(dst, `,"finish_reason":"`...), c.word...), `"}`...)
}
