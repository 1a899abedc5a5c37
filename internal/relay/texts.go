package relay

import (
	"context"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// texts is a call of /completions for a target that has only chats: a chat for each prompt, one after the other.
type texts struct {
	order   *order
	asked   dialect.Prompts
	codec   *dialect.Codec
	prompts int
	left    []string                                  // parameters that could not be carried
	chat    func(prompt int) (body []byte, heard int) // one, and how long its prompt is; no more than one is there at a time
}

// texts prepares the chats.
func (o *order) texts(asked dialect.Prompts, c *dialect.Codec) (exchange, *llm.Error) {
	done, err := o.decoded()
	if err != nil {
		return nil, err
	}
	defer done()
	request, prompts, err := asked.DecodeCompletion(o.changes.Omit)
	if err != nil {
		return nil, err
	}
	o.direct(request)
	encode := func(prompt int) (body []byte, left []string, err *llm.Error) {
		request.Messages = []llm.Message{{Role: llm.User, Parts: []llm.Part{{Kind: llm.Text, Text: prompts[prompt]}}}}
		return c.Encode(request)
	}
	body, left, err := encode(0)
	if err != nil {
		return nil, err
	}
	request.Extras = append(request.Extras, o.vendors(c, body, left)...)
	return &texts{order: o, asked: asked, codec: c, prompts: len(prompts), left: o.announced(left), chat: func(prompt int) (body []byte, heard int) {
		body, _, _ = encode(prompt) // could be written for the first prompt, so for all
		return body, len(prompts[prompt].Inner())
	}}, nil
}

func (x *texts) endpoint() llm.Endpoint { return llm.Chat }

func (x *texts) loses() string { return x.order.lost(x.left) }

func (x *texts) run(ctx context.Context, a *attempt) *failure {
	a.apply(x.order, dialect.Applied{Ignored: x.left})
	a.codec = x.codec
	produce := x.asked.Writer(a.writing(x.codec, nil))
	if a.run.Asked.Scan().Stream {
		return x.stream(ctx, a, produce)
	}
	held := 0
	for prompt := range x.prompts {
		if f := x.collect(ctx, a, prompt, produce); f != nil {
			return f
		}
		if now := produce.Held(); now > held+freeBuffer {
			if !a.Grow(now - held) {
				return a.broken(ctx, errNoRoom)
			}
			held = now
		}
	}
	out := produce.Answer(nil)
	if len(out) > freeBuffer && !a.Grow(len(out)) {
		return a.broken(ctx, errNoRoom)
	}
	a.run.result.Finish = produce.FinishReason()
	a.deliver(out)
	return nil
}

// collect makes one of the chats, and adds its answer to the others'.
func (x *texts) collect(ctx context.Context, a *attempt, prompt int, produce dialect.Writer) *failure {
	room := &lent{attempt: a}
	defer room.release()
	body, heard := x.chat(prompt)
	resp, f := a.open(ctx, llm.Chat, dialect.NewBody(body), len(body), heard)
	if f != nil {
		return f
	}
	defer resp.Body.Close()
	return a.whole(ctx, resp, room, func(body []byte) *failure {
		said := tally{heard: heard}
		end, err := x.codec.Answer(body, func(ev *llm.Event) {
			said.hear(ev)
			produce.Collect(ev)
		})
		if err != nil {
			a.spent(end.Usage)
			return a.unreadable(body, err)
		}
		produce.Collect(&end)
		said.hear(&end)
		said.ended(a, &end)
		a.run.calls.end(a.call, nil)
		return nil
	})
}

// stream relays the streams of the chats as one.
func (x *texts) stream(ctx context.Context, a *attempt, produce dialect.Writer) *failure {
	s := &translating{codec: x.codec, produce: produce, forget: func() { x.chat, x.order.body, x.asked = nil, nil, nil }}
	p := &pump{attempt: a, ctx: ctx, stream: s}
	s.begin(p)
	defer s.account()
	for prompt := range x.prompts {
		if prompt > 0 {
			a.run.calls.end(a.call, nil)
			p.skip(true) // what was said so far does not wait for the next answer
		}
		s.last = prompt+1 == x.prompts
		if f := x.streamOne(p, s, prompt); f != nil {
			return f
		}
	}
	return nil
}

func (x *texts) streamOne(p *pump, s *translating, prompt int) *failure {
	body, heard := x.chat(prompt)
	s.next(heard)
	resp, f := p.attempt.open(p.ctx, llm.Chat, dialect.NewBody(body), len(body), heard)
	if f != nil {
		return f
	}
	defer resp.Body.Close()
	return p.read(resp)
}

// lent is memory that the attempt has for a while.
type lent struct {
	attempt *attempt
	bytes   int
}

// Grow implements Memory.
func (l *lent) Grow(n int) bool {
	if !l.attempt.Grow(n) {
		return false
	}
	l.bytes += n
	return true
}

func (l *lent) release() { l.attempt.Grow(-l.bytes) }
