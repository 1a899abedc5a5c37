package openai

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// Producer writes an answer of another dialect as OpenAI's: each event of a stream as a chunk, or all of them as one
// completion. It is used for one answer.
type Producer struct {
	Now   int64 // Unix seconds
	Asked string
	Echo  string // the model's name to answer with, "" for the upstream's own
	Name  string // what the answer is named after if the upstream gave it no id; "" leaves it without
	Maker string // maker of the model, which its reasoning names when it comes back; as in llm.Part

	Custom []string // the names of the tools that take a text

	reason      string // see FinishReason
	kind        string // what ids that are made up begin with; "" for those of chats
	id, model   llm.JSON
	*production               // the current choice
	choices     []*production // all choices; nil for one that has not begun
}

// production is what a Producer remembers of one choice.
type production struct {
	llm.Forms
	index    int
	tools    int      // tool calls begun
	text     []byte   // text of the open block of reasoning, without quotes
	opaque   []byte   // its opaque state, a JSON string
	thoughts []byte   // the blocks of reasoning that ended, a list without brackets
	carried  bool     // a tool call has taken thoughts along
	empty    bool     // nothing came of the arguments of the tool call that is open
	custom   bool     // it is one of a custom tool
	args     freeform // its arguments

	cited, annotated int // number of citations sent, and the bytes of their addresses and titles

	annotations                         []byte // what was cited, a list without brackets
	content, reasoning, calls, logprobs []byte // for a complete answer
	said                                bool   // there was a block of text

	word    string   // why it ended
	refusal llm.JSON // and why the model refused
}

// at makes a choice the current one.
func (p *Producer) at(index int) *production {
	for len(p.choices) <= index {
		p.choices = append(p.choices, nil)
	}
	if p.choices[index] == nil {
		p.choices[index] = &production{index: index}
	}
	p.production = p.choices[index]
	return p.production
}

// maxThoughts bounds the reasoning that is remembered to be sent back: about as much as the largest budget allows. What is
// longer is shown all the same, only not remembered.
const maxThoughts = 512 << 10

// Held is about how many bytes the producer remembers of an answer.
func (p *Producer) Held() (n int) {
	for _, c := range p.choices {
		if c != nil {
			n += cap(c.text) + cap(c.opaque) + cap(c.thoughts) + cap(c.args.seen)
			n += cap(c.content) + cap(c.reasoning) + cap(c.calls) + cap(c.annotations) + cap(c.logprobs)
		}
	}
	return n
}

// Chunk appends the chunk for an event to dst, or nothing.
func (p *Producer) Chunk(dst []byte, ev *llm.Event) []byte {
	switch ev = p.at(ev.Choice).Plain(ev); ev.Kind {
	case llm.Start:
		p.start(ev)
		return p.close(append(p.open(dst), `"role":"assistant","content":""`...))
	case llm.BlockStart:
		p.begin(ev)
		if ev.Part != llm.ToolCall {
			return dst
		}
		dst = append(append(p.open(dst), `"tool_calls":[{"index":`...), strconv.Itoa(p.tools-1)...)
		return p.close(append(p.toolHead(append(dst, ','), ev), `""}}]`...))
	case llm.Delta:
		return p.delta(dst, ev)
	case llm.BlockStop:
		return p.stop(dst, ev)
	case llm.Cited:
		p.cite(ev.Citation)
		return dst
	case llm.Scored:
		dst = dialect.AppendTokens(append(p.open(dst), `}`+openLogprobs...), ev.Tokens, noBytes)
		return append(dst, closeLogprobs+`,"finish_reason":null}]}`...)
	default:
		return p.end(dst, ev)
	}
}

// start takes the names of the answer, which its first choice brings. Names too long for every chunk are dropped.
func (p *Producer) start(ev *llm.Event) {
	if ev.Choice > 0 {
		return
	}
	p.id, p.model = nil, nil
	if len(ev.ID) <= MaxHead {
		p.id = append(p.id, ev.ID...)
	}
	if len(ev.Name) <= MaxHead {
		p.model = append(p.model, ev.Name...)
	}
	switch {
	case p.Echo != "":
		p.model = llm.Quote(p.Echo)
	case len(p.model.Inner()) == 0:
		p.model = llm.Quote(p.Asked)
	}
	if len(p.id.Inner()) == 0 && p.Name != "" {
		p.id = llm.Quote(cmp.Or(p.kind, "chatcmpl-") + p.Name)
	}
}

// begin notes that a block begins.
func (p *Producer) begin(ev *llm.Event) {
	p.text, p.opaque = p.text[:0], append(p.opaque[:0], ev.Opaque...)
	if ev.Part == llm.ToolCall {
		p.tools++
		p.empty = true
		p.custom = len(p.Custom) > 0 && slices.Contains(p.Custom, ev.Name.Text())
		p.args = freeform{}
	}
}

// toolHead appends a tool call up to its arguments, without the opening brace.
func (p *Producer) toolHead(dst []byte, ev *llm.Event) []byte {
	dst = append(dst, `"id":`...)
	switch signed := len(ev.Opaque) > 0 && len(ev.Opaque) < maxThoughts; {
	case signed:
		dst = appendID(dst, ev.ID, appendExtra(nil, ev.Opaque))
	case p.carried || len(p.thoughts) == 0:
		dst = append(dst, ev.ID...)
	default:
		dst = appendID(dst, ev.ID, append(append([]byte{'['}, p.thoughts...), ']'))
		p.carried = true
	}
	if p.custom {
		dst = append(append(dst, `,"type":"custom","custom":{"name":`...), ev.Name...)
		return append(dst, `,"input":`...)
	}
	dst = append(append(dst, `,"type":"function","function":{"name":`...), ev.Name...)
	return append(dst, `,"arguments":`...)
}

// open appends a chunk up to its delta, close the rest.
func (p *Producer) open(dst []byte) []byte {
	dst = append(p.head(dst, "chat.completion.chunk"), `"choices":[{"index":`...)
	return append(strconv.AppendInt(dst, int64(p.index), 10), `,"delta":{`...)
}

func (p *Producer) close(dst []byte) []byte {
	return append(dst, `},"finish_reason":null}]}`...)
}

// head appends what every chunk and every answer begins with.
func (p *Producer) head(dst []byte, object string) []byte {
	if p.model == nil { // no event has named the model
		p.start(&llm.Event{})
	}
	dst = append(dst, '{')
	if len(p.id.Inner()) > 0 {
		dst = append(append(append(dst, `"id":`...), p.id...), ',')
	}
	dst = append(append(append(dst, `"object":"`...), object...), `","created":`...)
	dst = append(strconv.AppendInt(dst, p.Now, 10), `,"model":`...)
	return append(append(dst, p.model...), ',')
}

func (p *Producer) delta(dst []byte, ev *llm.Event) []byte {
	name := `"content":`
	switch ev.Part {
	case llm.Reasoning, llm.Redacted:
		p.think(ev)
		name = `"reasoning_content":`
	case llm.ToolCall:
		if len(ev.Text.Inner()) == 0 {
			return dst
		}
		p.empty = false
		if p.custom {
			return p.input(dst, p.args.unwrap([]byte{'"'}, ev.Text))
		}
		return p.arguments(dst, ev.Text)
	}
	if ev.Part == llm.Text {
		p.sign(ev)
	}
	if len(ev.Text.Inner()) == 0 {
		return dst
	}
	return p.close(append(append(p.open(dst), name...), ev.Text...))
}

// arguments appends a chunk with a piece of the arguments of the tool call that is open.
func (p *Producer) arguments(dst []byte, text llm.JSON) []byte {
	dst = append(append(p.open(dst), `"tool_calls":[{"index":`...), strconv.Itoa(p.tools-1)...)
	dst = append(append(append(dst, `,"function":{"arguments":`...), text...), `}}]`...)
	return p.close(dst)
}

// input appends a chunk with a piece of the text that the open tool call has, a string but for its last quote.
func (p *Producer) input(dst, text []byte) []byte {
	if len(text) == 1 {
		return dst
	}
	dst = append(append(p.open(dst), `"tool_calls":[{"index":`...), strconv.Itoa(p.tools-1)...)
	dst = append(append(append(dst, `,"custom":{"input":`...), text...), `"}}]`...)
	return p.close(dst)
}

// think remembers the reasoning that is open.
func (p *Producer) think(ev *llm.Event) {
	if len(p.text)+len(p.thoughts) < maxThoughts {
		p.text = append(p.text, ev.Text.Inner()...)
	}
	if len(ev.Opaque) > 0 && len(ev.Opaque) < maxThoughts {
		p.opaque = append(p.opaque[:0], ev.Opaque...)
	}
}

// keep remembers the block of reasoning that ended.
func (p *Producer) keep(ev *llm.Event) {
	if len(p.opaque) > 0 && len(p.text)+len(p.thoughts)+len(p.opaque) <= maxThoughts {
		p.thoughts = appendThought(p.next(), ev.Part, p.Maker, p.text, p.opaque)
	}
}

// sign remembers the signature of a text, if it has one.
func (p *Producer) sign(ev *llm.Event) {
	if len(ev.Opaque) > 0 && len(p.thoughts)+len(ev.Opaque) < maxThoughts {
		p.thoughts = appendSignature(p.next(), ev.Opaque)
	}
}

// next is the list of blocks, ready for one more.
func (p *Producer) next() []byte {
	if len(p.thoughts) == 0 {
		return p.thoughts
	}
	return append(p.thoughts, ',')
}

func (p *Producer) stop(dst []byte, ev *llm.Event) []byte {
	switch {
	case ev.Part == llm.ToolCall && p.custom:
		return p.input(dst, p.args.rest([]byte{'"'}))
	case ev.Part == llm.ToolCall && p.empty:
		return p.arguments(dst, llm.JSON(`"{}"`))
	case ev.Part == llm.Reasoning || ev.Part == llm.Redacted:
		p.keep(ev)
	}
	return dst
}

// end appends the chunk that ends the choice. Usage is one for itself, see UsageChunk. The lists of the choice's citations, and of
// its reasoning, come whole. OpenAI's own clients add up deltas. They fail on a second list whose elements are not numbered, or
// forget the first list.
func (p *Producer) end(dst []byte, ev *llm.Event) []byte {
	dst = p.open(dst)
	sep := ""
	if len(p.annotations) > 0 {
		dst = append(append(append(dst, `"annotations":[`...), p.annotations...), ']')
		sep = ","
	}
	if len(p.thoughts) > 0 {
		dst = append(append(append(dst, sep+`"`+ThinkingBlocks+`":[`...), p.thoughts...), ']')
		sep = ","
	}
	if len(ev.Refusal.Inner()) > 0 {
		dst = append(append(dst, sep+`"refusal":`...), ev.Refusal...)
	}
	p.reason = p.Finish(ev, p.tools)
	return append(append(append(dst, `},"finish_reason":"`...), p.reason...), `"}]}`...)
}

// FinishReason is the finish reason of the last ended choice, or for a complete answer of the first; "" until one
// has ended.
func (p *Producer) FinishReason() string { return p.reason }

// UsageChunk appends the last chunk of a stream; it appends nothing if no usage was reported.
func (p *Producer) UsageChunk(dst []byte, ev *llm.Event) []byte {
	if ev.Uncounted {
		return dst
	}
	dst = append(p.head(dst, "chat.completion.chunk"), `"choices":[],"usage":`...)
	return append(appendUsage(dst, ev.Usage), '}')
}

// appendUsage appends a usage object in OpenAI's overlapping classes.
func appendUsage(dst []byte, u llm.Usage) []byte {
	for _, f := range [...]struct {
		name string
		n    int64
		must bool
	}{
		{`{"prompt_tokens":`, u.Input(), true},
		{`,"completion_tokens":`, u.Output(), true},
		{`,"total_tokens":`, u.Input() + u.Output(), true},
		{`,"prompt_tokens_details":{"cached_tokens":`, u.CacheRead, true},
		{`,"cache_write_tokens":`, u.CacheWrites(), true},
		{`,"audio_tokens":`, u.AudioIn, false},
		{`,"image_tokens":`, u.ImageIn, false},
		{`},"completion_tokens_details":{"reasoning_tokens":`, u.Reasoning, true},
		{`,"audio_tokens":`, u.AudioOut, false},
		{`,"image_tokens":`, u.ImageOut, false},
	} {
		if f.must || f.n > 0 {
			dst = strconv.AppendInt(append(dst, f.name...), f.n, 10)
		}
	}
	return append(dst, `}}`...)
}
