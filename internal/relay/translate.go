package relay

import (
	"bytes"
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/route"
)

// translation is a request in the dialect of its target, made once for all attempts there.
type translation struct {
	*codec
	body []byte
	left []string // parameters that could not be carried

	custom []string // the names of the caller's custom tools

	// Of a call of /completions: the prompts, and the body of the chat for one. No more than one body is there at a time.
	prompts int
	chat    func(prompt int) []byte
}

// producer writes the answer of another dialect as the caller's endpoint has it.
type producer interface {
	// Chunk appends the chunk for an event, nothing if there is none.
	Chunk(dst []byte, ev *llm.Event) []byte
	UsageChunk(dst []byte, ev *llm.Event) []byte
	// Held is about how many bytes it remembers.
	Held() int
}

// translate prepares the request for a target of another dialect; a target of the caller's own gets the caller's bytes.
func (r *run) translate(a *attempt) *llm.Error {
	if r.Call.Endpoint == llm.Embeddings {
		return r.plan(a)
	}
	c := codecs[a.provider.Dialect(a.target.Model)]
	if c == nil {
		return nil
	}
	a.changes.AskUsage = r.Call.Stream && !r.Call.WantUsage // the usage is always told, and cut out again
	typed := 0
	if n := a.body.Typed(); r.Memory != nil && n > freeBuffer {
		if !r.Memory.Grow(n) {
			return noRoomToTranslate()
		}
		typed = n
	}
	defer r.giveBack(typed)
	if r.Call.Endpoint == llm.Completions {
		return r.translateTexts(a, c)
	}
	request, err := a.body.Decode(a.changes.Omit)
	if err != nil {
		return err
	}
	a.direct(request)
	hosted := request.Hosted != "" // Vertex AI refuses what its own vendor takes, Claude's images by their addresses
	room, err := r.inline(request, a.provider.FetchesImages(), c.inline || hosted)
	if err != nil {
		return err
	}
	body, left, err := c.encode(request)
	r.giveBack(room) // the body is counted when it is sent
	if err != nil {
		return err
	}
	a.translated = &translation{codec: c, body: body, left: left, custom: request.CustomTools()}
	return nil
}

func noRoomToTranslate() *llm.Error {
	return &llm.Error{Kind: llm.Overloaded, RetryAfter: time.Second, Message: "Weir is short of memory to translate a request of so many parts at the moment. Send it again."}
}

// direct has a request go to the target's model.
func (a *attempt) direct(r *llm.Request) {
	t := a.target
	r.Model, r.Hosted, r.Takes = t.Model, a.provider.Hosted(t.Model), t.Takes
	if r.MaxOut = a.provider.MaxOutput(t.Model, t.Like); t.Takes != nil && t.Takes.MaxOutput > 0 {
		r.MaxOut = int64(t.Takes.MaxOutput)
	}
	// One that it knows, be it told in a word or by the tokens that this stands for.
	r.Effort, _ = t.Takes.Effort(r.Effort)
}

// loses is the first parameter that the target cannot be sent, "" if none.
func (a *attempt) loses() string {
	if a.replaced != "" {
		return a.replaced
	}
	if a.translated == nil {
		return a.body.Loses(a.changes)
	}
	if len(a.translated.left) > 0 {
		return a.translated.left[0]
	}
	return ""
}

// encode is the body to send, and what the caller must be told of it.
func (a *attempt) encode() (openai.Body, openai.Applied) {
	if t := a.translated; t != nil {
		return openai.NewBody(t.body), openai.Applied{Ignored: t.left}
	}
	return a.body.Encode(a.changes)
}

// bodyTakes is about how much memory the body to send takes beside the caller's.
func (a *attempt) bodyTakes() int {
	if t := a.translated; t != nil {
		return len(t.body)
	}
	return a.body.Places(a.changes)
}

// producer is for a chat.
func (a *attempt) producer() *openai.Producer {
	p := &openai.Producer{Now: a.Started.Unix(), Asked: a.target.Model, Custom: a.translated.custom}
	if a.translated.nameless {
		p.Name = a.ID
	}
	if maker := a.translated.maker; maker != nil {
		p.Maker = maker(a.target.Model)
	}
	return p
}

// asOpenAI is a complete answer in the caller's dialect.
func (a *attempt) asOpenAI(body []byte) ([]byte, error) {
	if a.translated == nil {
		return body, nil
	}
	if len(body) > freeBuffer && !a.Grow(len(body)) {
		return nil, errNoRoom
	}
	counted, full := max(len(body), freeBuffer), false
	hold := func(size int) { // what is spelled shortly there may be long here
		if size > counted && !full {
			full = !a.Grow(size - counted)
			counted = size
		}
	}
	p := a.producer()
	end, err := a.translated.answer(body, func(ev *llm.Event) {
		if !full {
			p.Collect(ev)
			hold(p.Held())
		}
	})
	var out []byte
	if err == nil && !full {
		out = p.Answer(&end)
		hold(len(out))
	}
	if full {
		err = errNoRoom
	}
	if err != nil {
		a.vain(end.Usage)
		return nil, err
	}
	a.calls.took(a.call, end.Usage, !end.Uncounted)
	return out, nil
}

// unreadable classifies a 200 that cannot be translated.
func (a *attempt) unreadable(body []byte, err error) *failure {
	if errors.Is(err, errNoRoom) {
		return a.broken(a.run.ctx, err)
	}
	f := a.noAnswer(body, errors.Is(err, llm.ErrError), err)
	a.quote(f, err)
	return f
}

// quote completes a failure for which the upstream has words of its own: the model ended its answer with them.
func (a *attempt) quote(f *failure, err error) {
	var ended *llm.EndedError
	if errors.As(err, &ended) {
		f.reason, f.said = "ended its answer with "+ended.Reason, shorten(a.mask(ended.Said))
	}
}

// saidError is the error in a body of the upstream, with the type that its header tells and the code that OpenAI has for it.
func (a *attempt) saidError(header http.Header, body []byte) openai.UpstreamError {
	e := openai.ParseError(body)
	t := a.translated
	if t == nil {
		return e
	}
	if typ, _, _ := strings.Cut(header.Get(t.errorHeader), ":"); typ != "" {
		e.Type = typ
	}
	if _, notNumber := strconv.Atoi(e.Code); e.Code == "" || notNumber == nil {
		e.Code = ""
		if t.code != nil {
			e.Code = t.code(e.Message)
		}
	}
	return e
}

// meantStatus is the status that an error stands for by its type, 0 if it does not say.
func (a *attempt) meantStatus(e openai.UpstreamError) int {
	if a.translated == nil || e.ModelNotFound() {
		return e.MeantStatus()
	}
	return a.translated.status(cmp.Or(e.Type, e.RPC))
}

// statusOf is the status that an error means, which its type tells better than its status does, where there is one.
func (a *attempt) statusOf(resp *http.Response, body []byte) int {
	t := a.translated
	if t == nil || t.errorHeader == "" {
		return resp.StatusCode
	}
	if a.saidError(resp.Header, body).ModelNotFound() {
		return http.StatusNotFound
	}
	return cmp.Or(t.status(resp.Header.Get(t.errorHeader)), resp.StatusCode)
}

// translate relays one payload of a target of another dialect. done says that it was the last.
func (p *pump) translate(data []byte, flush bool) (done bool, f *failure) {
	err := p.reader.Read(data, p.tell)
	switch {
	case errors.Is(err, llm.ErrError):
		return false, p.inBand(data)
	case err != nil:
		f := &failure{outcome: route.Malformed, target: p.target, status: http.StatusOK, reason: "sent an event that cannot be read", cause: err}
		p.quote(f, err)
		return false, f
	case p.failed != nil:
		return false, p.failed
	case !p.ended:
		p.pass(flush)
	}
	return p.ended, nil
}

// told relays one event of a target of another dialect. What goes wrong is kept, and ends the stream.
func (p *pump) told(ev *llm.Event) {
	if p.failed != nil || p.ended {
		return
	}
	p.out = p.produce.Chunk(p.out[:0], ev)
	held := cap(p.out) + p.produce.Held()
	if of, ok := p.reader.(holder); ok {
		held += of.Held()
	}
	if held > p.held+freeBuffer {
		if !p.Grow(held - p.held) {
			p.failed = p.broken(p.ctx, errNoRoom)
			return
		}
		p.held = held
	}
	if len(p.out) > 0 {
		p.failed = p.event("", p.out, false)
	}
	if p.ended = ev.Kind == llm.End; !p.ended {
		return
	}
	p.calls.took(p.call, ev.Usage, !ev.Uncounted)
	if p.failed == nil && !p.more() {
		if p.out = p.produce.UsageChunk(p.out[:0], ev); len(p.out) > 0 {
			p.failed = p.event("", p.out, false)
		}
	}
}

// conclude has the reader say whether a stream that ended without a word is whole.
func (p *pump) conclude() *failure {
	if last, ok := p.reader.(ender); ok {
		last.Close(p.tell)
	}
	return p.failed
}

// payload takes one payload of the upstream. done says that it was the last.
func (p *pump) payload(typ string, data []byte, flush bool) (done bool, f *failure) {
	last := bytes.Equal(data, []byte("[DONE]"))
	switch {
	case p.reader == nil && last:
		return true, nil
	case p.reader == nil:
		return false, p.event(typ, data, flush)
	case last: // not this dialect's word
		p.pass(flush)
		return false, nil
	}
	return p.translate(data, flush)
}
