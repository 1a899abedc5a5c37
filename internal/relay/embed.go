package relay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/weirproxy/weir/internal/dialect/cohere"
	"github.com/weirproxy/weir/internal/dialect/converse"
	"github.com/weirproxy/weir/internal/dialect/gemini"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// embedder is what a dialect other than the caller's does for embeddings.
type embedder struct {
	// encode writes the call for some of the request's inputs. left are the parameters that it could not carry, err says why
	// the target cannot be asked at all; neither depends on which inputs these are.
	encode func(r *llm.EmbeddingRequest, inputs []llm.JSON) (body []byte, left []string, err *llm.Error)
	// read finds the vectors in an answer, in the order of the inputs.
	read func(body []byte) (llm.Vectors, error)
	// most is how many inputs a model takes in one call.
	most func(model string) int
	// tokens is about how many tokens the inputs of one call may have together, 0 for any number.
	tokens int64
}

// embedders are those of the dialects, the caller's own left out.
var embedders = map[llm.Dialect]*embedder{
	llm.Gemini:   {gemini.EncodeEmbeddings, gemini.ReadEmbeddings, gemini.MaxInputs, 0},
	llm.Cohere:   {cohere.EncodeEmbeddings, cohere.ReadEmbeddings, cohere.MaxInputs, 0},
	llm.Converse: {converse.EncodeEmbeddings, converse.ReadEmbeddings, converse.MaxInputs, 0},
	// Half of the bound, because it is held against an estimate.
	llm.Vertex: {gemini.EncodeVertexEmbeddings, gemini.ReadVertexEmbeddings, gemini.VertexInputs, gemini.VertexTokens / 2},
}

const (
	// How many calls of one attempt run side by side: enough to hide the way there and back, too few to meet a rate limit that
	// one caller would not meet by itself.
	sideBySide = 4
	// What is remembered of an input, and of its vector besides the vector itself.
	inputSize = 128
)

// embedding is an embeddings request in the calls that its target takes: one, or several for some of the inputs each.
type embedding struct {
	inputs int
	most   int   // inputs in one call
	heft   int64 // tokens in one call, 0 for any number
	anew   bool  // the calls are written anew, and take memory of their own
	call   func(from, to int) openai.Body
	read   func(body []byte, n int) (llm.Vectors, error)
	tokens func(from, to int) int64 // an estimate, for who does not count
}

// plan prepares an embeddings request for a target that gets it in parts, or in another dialect. Any other gets the
// caller's bytes.
func (r *run) plan(a *attempt) *llm.Error {
	dialect := a.provider.Dialect(a.target.Model)
	e := embedders[dialect]
	most := a.provider.MaxInputs()
	switch {
	case e != nil:
		most = e.most(a.target.Model)
	case most == 0 || r.Call.Inputs <= most || !a.body.Splits(a.changes):
		return nil
	}
	if r.Call.Inputs > maxVectors {
		return &llm.Error{
			Kind: llm.InvalidValue, Param: "input",
			Message: fmt.Sprintf("'input' has %d inputs, but no more than %d can be in one request. Send fewer.", r.Call.Inputs, maxVectors),
		}
	}
	if e == nil {
		spans := a.body.InputSpans()
		a.embedding = &embedding{
			inputs: len(spans), most: most, read: r.Call.ReadVectors,
			call: func(from, to int) openai.Body {
				inputs := spans[from]
				inputs.End = spans[to-1].End
				return a.body.EncodeInputs(a.changes, inputs)
			},
			tokens: func(from, to int) (n int64) {
				for _, span := range spans[from:to] {
					n += estimate(span.Of(a.body.Raw))
				}
				return n
			},
		}
		return nil
	}
	request, err := a.body.DecodeEmbeddings(a.changes.Omit)
	if err != nil {
		return err
	}
	request.Model = a.target.Model
	_, left, err := e.encode(request, request.Inputs[:1])
	if err != nil {
		return err
	}
	a.translated = &translation{codec: codecs[dialect], left: left}
	a.embedding = &embedding{
		inputs: len(request.Inputs), most: most, heft: e.tokens, anew: true,
		read: func(body []byte, _ int) (llm.Vectors, error) { return e.read(body) },
		call: func(from, to int) openai.Body {
			body, _, _ := e.encode(request, request.Inputs[from:to]) // could be written for the first input, so for all
			return openai.NewBody(body)
		},
		tokens: func(from, to int) (n int64) {
			for _, text := range request.Inputs[from:to] {
				n += estimate(text)
			}
			return n
		},
	}
	return nil
}

// estimate is about how many tokens an input has: a text, or a list of tokens.
func estimate(input llm.JSON) int64 {
	if input.Kind() == '[' {
		return int64(bytes.Count(input, []byte(",")) + 1)
	}
	return llm.EstimateTokens(input)
}

// part is one call of an embeddings attempt, for the inputs from one to before another.
type part struct {
	from, to int
	data     []byte   // the vectors, as they stand in the answer
	model    llm.JSON // as the upstream calls it, nil if it does not say
	tokens   int64
	call     *Call // nil if it was not made
}

// embed makes the calls of an embeddings attempt, and one answer of theirs. If one fails the attempt fails as it did, and the others
// are cancelled.
func (a *attempt) embed(ctx context.Context) *failure {
	_, applied := a.encode()
	a.apply(applied)
	e := a.embedding
	if !a.Grow(inputSize * e.inputs) {
		return a.broken(ctx, errNoRoom)
	}
	parts := e.parts()
	if f := a.callAll(ctx, parts); f != nil {
		return f
	}
	a.call = parts[0].call // whose id stands for all in the head of the answer
	return a.join(parts)
}

// parts are the calls that take all inputs, each as many as it can.
func (e *embedding) parts() []part {
	all := make([]part, 0, (e.inputs+e.most-1)/e.most)
	for from := 0; from < e.inputs; {
		to := e.fit(from, min(from+e.most, e.inputs))
		all = append(all, part{from: from, to: to})
		from = to
	}
	return all
}

// fit is where a call that begins with an input ends, at most before another: one input always fits.
func (e *embedding) fit(from, to int) int {
	sum := int64(0)
	for i := from; e.heft > 0 && i < to; i++ {
		if sum += e.tokens(i, i+1); sum > e.heft && i > from {
			return i
		}
	}
	return to
}

// callAll makes the calls, a few side by side, and returns when all have ended: with the failure that came first.
func (a *attempt) callAll(outer context.Context, parts []part) (f *failure) {
	ctx, cancel := context.WithCancel(outer)
	defer cancel()
	var (
		next atomic.Int64
		mu   sync.Mutex // guards f
	)
	together(min(len(parts), sideBySide), cancel, func() {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= len(parts) {
				return
			}
			own := a.callPart(ctx, &parts[i])
			if own == nil {
				a.calls.end(parts[i].call, nil)
				continue
			}
			mu.Lock()
			if f == nil {
				f = own
			} else if ctx.Err() != nil { // it was called off
				own = &failure{outcome: route.Canceled, cause: errCalledOff}
			}
			mu.Unlock()
			cancel()
			if parts[i].call != nil {
				a.calls.end(parts[i].call, own)
			}
		}
	})
	if f == nil && outer.Err() != nil {
		return a.broken(outer, outer.Err())
	}
	return f
}

// errCalledOff is why a call ends that is made beside one that failed.
var errCalledOff = errors.New("another call of the same request failed")

// callPart makes one of the calls and keeps what is needed of its answer. Several may run side by side.
func (a *attempt) callPart(ctx context.Context, p *part) *failure {
	n := p.to - p.from
	body := a.embedding.call(p.from, p.to)
	room := &lent{attempt: a}
	defer room.release()
	if a.embedding.anew && !room.Grow(int(body.Len())) {
		return a.broken(ctx, errNoRoom)
	}
	p.call = a.begun()
	resp, err := a.provider.Do(ctx, provider.Call{
		Endpoint: llm.Embeddings, Model: a.target.Model, Body: body,
		Credential: a.try.Credential, Caller: a.Caller, ConnectTimeout: a.Route.Model.Timeouts.Connect,
	})
	if err != nil {
		return a.broken(ctx, err)
	}
	defer resp.Body.Close()
	a.heard(p.call, resp)
	if resp.StatusCode != http.StatusOK {
		return a.refusal(ctx, resp)
	}
	buf := getBuffer()
	defer buf.release()
	if err := buf.read(resp.Body, resp.ContentLength, a.maxPart(n, body.Len()), room); err != nil {
		return a.broken(ctx, err)
	}
	v, err := a.embedding.read(buf.data, n)
	if err == nil {
		err = a.keep(p, v)
	}
	if err != nil {
		return a.unreadable(buf.data, err)
	}
	a.count(p, v, resp.Header)
	return nil
}

// maxPart is how many bytes are taken of one answer: some of these repeat what they were asked.
func (a *attempt) maxPart(n int, sent int64) int64 {
	if a.MaxAnswer == 0 {
		return 1 << 40
	}
	return int64(n)*maxVector + sent + freeBuffer
}

// keep writes the vectors of a part as they will stand in the answer, so that the memory of the part can be used again.
func (a *attempt) keep(p *part, v llm.Vectors) error {
	if n := p.to - p.from; len(v.List) != n {
		return fmt.Errorf("%w: it has %d vectors for %d inputs", llm.ErrNoAnswer, len(v.List), n)
	}
	size := 0
	for i, one := range v.List {
		if !openai.IsVector(one) {
			return fmt.Errorf("%w: vector %d is missing, or is none", llm.ErrNoAnswer, i)
		}
		size += len(one) + inputSize
	}
	if !a.Grow(size) {
		return errNoRoom
	}
	var err error
	p.data, err = a.Call.AppendVectors(make([]byte, 0, size), v.List, p.from)
	if more := cap(p.data) - size; err == nil && more > 0 && !a.Grow(more) { // numbers are longer than base64
		return errNoRoom
	}
	p.model = bytes.Clone(v.Model)
	return err
}

// tokenHeader is where Bedrock tells what a call took, whatever the body says.
const tokenHeader = "X-Amzn-Bedrock-Input-Token-Count"

// count notes what the call took.
func (a *attempt) count(p *part, v llm.Vectors, h http.Header) {
	n, err := strconv.ParseInt(h.Get(tokenHeader), 10, 64)
	switch {
	case v.Told:
		p.tokens = v.Tokens
	case err == nil && n >= 0 && n < 1<<53:
		p.tokens = n
	default:
		p.tokens = a.embedding.tokens(p.from, p.to)
		a.calls.counted(p.call, llm.Usage{Fresh: p.tokens})
		return
	}
	a.calls.took(p.call, llm.Usage{Fresh: p.tokens}, true)
}

// join makes one answer of all parts.
func (a *attempt) join(parts []part) *failure {
	data, tokens := make([][]byte, len(parts)), int64(0)
	for i := range parts {
		data[i] = parts[i].data
		tokens += parts[i].tokens
	}
	model := parts[0].model
	if len(model) == 0 {
		model = llm.Quote(a.target.Model)
	}
	return a.complete(openai.JoinVectors(data, model, tokens), false)
}

// lent is memory that the attempt has for a while.
type lent struct {
	*attempt
	bytes int
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
