package relay

import (
	"context"
	"net/http"

	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
)

// A call of /completions goes to a target that has only chats as a chat for each of its prompts, one behind the other.

// asChats reports whether a request for the endpoint can be made chats of for a model whose provider does not have it.
func asChats(p *provider.Provider, e llm.Endpoint, model string) bool {
	return e == llm.Completions && codecs[p.Dialect(model)] != nil && p.Serves(llm.Chat, model)
}

// translateTexts prepares the chats.
func (r *run) translateTexts(a *attempt, c *codec) *llm.Error {
	request, prompts, err := a.body.DecodeCompletion(a.changes.Omit)
	if err != nil {
		return err
	}
	a.direct(request)
	t := &translation{codec: c, prompts: len(prompts)}
	encode := func(prompt int) (body []byte, left []string, err *llm.Error) {
		request.Messages = []llm.Message{{Role: llm.User, Parts: []llm.Part{{Kind: llm.Text, Text: prompts[prompt]}}}}
		return c.encode(request)
	}
	if t.body, t.left, err = encode(0); err != nil {
		return err
	}
	t.chat = func(prompt int) []byte {
		body, _, _ := encode(prompt) // could be written for the first prompt, so for all
		return body
	}
	a.translated = t
	return nil
}

// endpoint is the one that is called.
func (a *attempt) endpoint() llm.Endpoint {
	if a.chats() > 0 {
		return llm.Chat
	}
	return a.Call.Endpoint
}

// chats is how many chats are made of a call of /completions, 0 if none is.
func (a *attempt) chats() int {
	if a.translated == nil {
		return 0
	}
	return a.translated.prompts
}

// more reports whether there is a prompt behind the one that is answered.
func (a *attempt) more() bool { return a.prompt+1 < a.chats() }

// begin makes a prompt the one to be answered.
func (a *attempt) begin(prompt int) {
	a.prompt = prompt
	a.translated.body = a.translated.chat(prompt)
}

func (a *attempt) texts() *openai.Texts {
	return &openai.Texts{Producer: *a.producer()}
}

// completeTexts makes the chats of a call that is no stream, and one answer of theirs.
func (a *attempt) completeTexts(ctx context.Context) *failure {
	texts, held := a.texts(), 0
	for {
		f := a.completeText(ctx, texts)
		if now := texts.Held(); f == nil && now > held+freeBuffer {
			if !a.Grow(now - held) {
				return a.broken(ctx, errNoRoom)
			}
			held = now
		}
		if f != nil {
			return f
		}
		if !a.more() {
			break
		}
		a.begin(a.prompt + 1)
	}
	out := texts.Answer()
	if len(out) > freeBuffer && !a.Grow(len(out)) {
		return a.broken(ctx, errNoRoom)
	}
	return a.complete(out, false)
}

// completeText makes one of the chats.
func (a *attempt) completeText(ctx context.Context, texts *openai.Texts) *failure {
	room := &lent{attempt: a}
	defer room.release()
	resp, err := a.send(ctx)
	if err != nil {
		return a.broken(ctx, err)
	}
	defer resp.Body.Close()
	a.heard(a.call, resp)
	if resp.StatusCode != http.StatusOK {
		return a.refusal(ctx, resp)
	}
	buf := getBuffer()
	defer buf.release()
	if err := buf.read(resp.Body, resp.ContentLength, a.maxAnswer(), room); err != nil {
		return a.broken(ctx, err)
	}
	end, err := a.translated.answer(buf.text(), texts.Collect)
	if err != nil {
		a.vain(end.Usage)
		return a.unreadable(buf.text(), err)
	}
	texts.Collect(&end)
	a.calls.took(a.call, end.Usage, !end.Uncounted)
	a.calls.end(a.call, nil)
	return nil
}

// others relays the streams for the prompts behind the first.
func (p *pump) others() *failure {
	for p.more() {
		p.calls.end(p.call, nil)
		p.pass(true) // what was said so far does not wait for the next answer
		p.begin(p.prompt + 1)
		p.reader, p.ended = p.translated.stream(), false
		if f := p.other(); f != nil {
			return f
		}
	}
	return nil
}

func (p *pump) other() *failure {
	resp, err := p.attempt.send(p.ctx)
	if err != nil {
		return p.broken(p.ctx, err)
	}
	defer resp.Body.Close()
	p.heard(p.call, resp)
	if resp.StatusCode != http.StatusOK {
		return p.refusal(p.ctx, resp)
	}
	return p.response(resp)
}

// wholeText relays a complete answer to a prompt, given where a stream was asked.
func (p *pump) wholeText(body []byte) *failure {
	end, err := p.translated.answer(body, p.tell)
	if err != nil {
		p.vain(end.Usage)
		return p.unreadable(body, err)
	}
	if p.tell(&end); p.failed != nil {
		return p.failed
	}
	return p.end(true, nil)
}
