package relay

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/route"
)

const (
	// How many calls of one attempt run in parallel: enough to hide the round trip, too few to meet a rate limit that one
	// caller would not meet alone.
	sideBySide = 4
	// What is remembered of an input, and of its vector besides the vector itself.
	inputSize = 128
)

// vectors is an embeddings request in the calls that its target takes: one, or several for some of the inputs each, side by side.
type vectors struct {
	order     *order
	asked     dialect.Embeddings
	inputs    int
	most      int   // inputs in one call
	maxTokens int64 // tokens in one call, 0 for any number
	encoded   bool  // the calls are written separately, and take memory
	notes     dialect.Applied
	call      func(from, to int) dialect.Body
	read      func(body []byte, n int) (llm.Vectors, error)
	input     func(i int) llm.JSON // one of them
}

// splits reports whether an embeddings request has more inputs than its target takes in one call, and can be split.
func (o *order) splits(asked dialect.Inputs) bool {
	most := o.provider.MaxInputs()
	return most > 0 && o.run.Asked.Scan().Inputs > most && asked.Splits(o.changes)
}

// bounded refuses a request for more vectors than are joined.
func (o *order) bounded() *llm.Error {
	if n := o.run.Asked.Scan().Inputs; n > maxVectors {
		return &llm.Error{
			Kind: llm.InvalidValue, Param: "input",
			Message: fmt.Sprintf("'input' has %d inputs, but no more than %d can be in one request. Send fewer.", n, maxVectors),
		}
	}
	return nil
}

// inputs prepares calls of the caller's own bytes.
func (o *order) inputs(asked dialect.Inputs) (exchange, *llm.Error) {
	if err := o.bounded(); err != nil {
		return nil, err
	}
	return o.inputCalls(asked), nil
}

// inputCalls are calls for some of the inputs each.
func (o *order) inputCalls(asked dialect.Inputs) *vectors {
	spans := asked.InputSpans()
	_, applied := asked.Encode(o.changes)
	return &vectors{
		order: o, asked: asked, inputs: len(spans), most: cmp.Or(o.provider.MaxInputs(), len(spans)), notes: applied, read: asked.ReadVectors,
		call: func(from, to int) dialect.Body {
			inputs := spans[from]
			inputs.End = spans[to-1].End
			return asked.EncodeInputs(o.changes, inputs)
		},
		input: func(i int) llm.JSON { return spans[i].Of(o.body.Scan().Raw) },
	}
}

// rewriteInputs prepares calls in a dialect whose servers differ: the body is changed for the target as that of a caller who speaks it.
func (o *order) rewriteInputs(try *route.Try, e *dialect.Embedder) (exchange, *llm.Error) {
	if err := o.bounded(); err != nil {
		return nil, err
	}
	asked := o.body.(dialect.Embeddings)
	request, err := asked.DecodeEmbeddings(nil)
	if err != nil {
		return nil, err
	}
	request.Model = o.target.Model
	body, left, err := e.Encode(request, request.Inputs)
	if err != nil {
		return nil, err
	}
	if len(body) > freeBuffer && !o.run.keep(len(body)) {
		return nil, noRoomToTranslate()
	}
	own := &order{run: o.run, provider: o.provider, target: o.target}
	if own.body, err = e.Own.Parse(body, dialect.ParseOptions{}); err != nil {
		return nil, err
	}
	if own.body, o.replaced, err = own.body.With(&o.target.Added, llm.Embeddings, o.routing()); err != nil {
		return nil, err
	}
	own.changes = own.changesTo(try)
	spoken := own.body.(dialect.Inputs)
	x := own.inputCalls(spoken)
	x.order, x.asked, x.encoded = o, asked, true
	x.notes.Ignored = o.announced(append(left, x.notes.Ignored...))
	if x.most >= x.inputs { // an answer to all of them can be mended
		x.read = func(body []byte, n int) (llm.Vectors, error) {
			mended, _, err := spoken.Pass(body, &own.changes, dialect.Stand{Asked: o.target.Model})
			if err != nil {
				return llm.Vectors{}, err
			}
			return spoken.ReadVectors(mended, n)
		}
	}
	return x, nil
}

// embedded prepares calls in another dialect.
func (o *order) embedded(asked dialect.Embeddings, e *dialect.Embedder) (exchange, *llm.Error) {
	if err := o.bounded(); err != nil {
		return nil, err
	}
	request, err := asked.DecodeEmbeddings(o.changes.Omit)
	if err != nil {
		return nil, err
	}
	request.Model = o.target.Model
	_, left, err := e.Encode(request, request.Inputs[:1])
	if err != nil {
		return nil, err
	}
	return &vectors{
		order: o, asked: asked, inputs: len(request.Inputs), most: e.Most(o.target.Model), maxTokens: e.Tokens, encoded: true, notes: dialect.Applied{Ignored: o.announced(left)},
		read: func(body []byte, _ int) (llm.Vectors, error) { return e.Read(body) },
		call: func(from, to int) dialect.Body {
			body, _, _ := e.Encode(request, request.Inputs[from:to]) // could be written for the first input, so for all
			return dialect.NewBody(body)
		},
		input: func(i int) llm.JSON { return request.Inputs[i] },
	}, nil
}

func (x *vectors) endpoint() llm.Endpoint { return llm.Embeddings }

func (x *vectors) loses() string {
	if x.encoded || x.order.replaced != "" {
		return x.order.lost(x.notes.Ignored)
	}
	return x.order.body.(dialect.Inputs).Loses(x.order.changes)
}

// tokens is about how many tokens some inputs have, for an upstream that does not count.
func (x *vectors) tokens(from, to int) (n int64) {
	for i := from; i < to; i++ {
		if input := x.input(i); input.Kind() == '[' {
			n += tokensIn(input)
		} else {
			n += llm.EstimateTokens(input)
		}
	}
	return n
}

// heard is the same by the inputs' size alone, which costs next to nothing.
func (x *vectors) heard(from, to int) (n int64) {
	for i := from; i < to; i++ {
		if input := x.input(i); input.Kind() == '[' {
			n += tokensIn(input)
		} else {
			n += tokensOf(int64(len(input.Inner())))
		}
	}
	return n
}

// tokensIn is how many tokens an input has that is a list of them.
func tokensIn(input llm.JSON) int64 { return int64(bytes.Count(input, []byte(",")) + 1) }

// part is one call of an embeddings attempt, for the inputs from one to before another.
type part struct {
	from, to int
	data     []byte   // the vectors, as they come in the answer
	model    llm.JSON // as the upstream calls it, nil if it does not say
	tokens   int64
	call     *Call // nil if it was not made
}

// run makes the calls, and one answer of theirs. If one fails the attempt fails as it did, and the others are cancelled.
func (x *vectors) run(ctx context.Context, a *attempt) *failure {
	a.apply(x.order, x.notes)
	if !a.Grow(inputSize * x.inputs) {
		return a.broken(ctx, errNoRoom)
	}
	parts := x.parts()
	if f := x.callAll(ctx, a, parts); f != nil {
		return f
	}
	a.call = parts[0].call // its id is in the head of the answer, for all
	return x.join(a, parts)
}

// parts are the calls that take all inputs, each as many as it can.
func (x *vectors) parts() []part {
	all := make([]part, 0, (x.inputs+x.most-1)/x.most)
	for from := 0; from < x.inputs; {
		to := x.fit(from, min(from+x.most, x.inputs))
		all = append(all, part{from: from, to: to})
		from = to
	}
	return all
}

// fit is where a call that begins with an input ends, at most before another: one input always fits.
func (x *vectors) fit(from, to int) int {
	sum := int64(0)
	for i := from; x.maxTokens > 0 && i < to; i++ {
		if sum += x.tokens(i, i+1); sum > x.maxTokens && i > from {
			return i
		}
	}
	return to
}

// callAll makes the calls, a few side by side, and returns when all have ended: with the failure that came first.
func (x *vectors) callAll(outer context.Context, a *attempt, parts []part) (f *failure) {
	ctx, cancel := context.WithCancel(outer)
	defer cancel()
	var (
		next atomic.Int64
		mu   sync.Mutex // guards f
	)
	parallel(min(len(parts), sideBySide), cancel, func() {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= len(parts) {
				return
			}
			own := x.callPart(ctx, a, &parts[i])
			mu.Lock()
			switch {
			case own == nil:
			case f == nil:
				f = own
				cancel()
			case ctx.Err() != nil:
				own = &failure{outcome: route.Canceled, cause: errCalledOff, ends: Cancelled | own.ends&Unsent}
			}
			mu.Unlock()
			if c := parts[i].call; c != nil {
				a.run.calls.end(c, own)
			}
		}
	})
	if f == nil && outer.Err() != nil {
		return a.broken(outer, outer.Err())
	}
	return f
}

// errCalledOff ends the calls next to one that failed.
var errCalledOff = errors.New("another call of the same request failed")

// callPart makes one of the calls and keeps what is needed of its answer. Several may run side by side.
func (x *vectors) callPart(ctx context.Context, a *attempt, p *part) *failure {
	n := p.to - p.from
	body := x.call(p.from, p.to)
	room := &lent{attempt: a}
	defer room.release()
	if x.encoded && !room.Grow(int(body.Len())) {
		return a.broken(ctx, errNoRoom)
	}
	call, f := a.begun(x.heard(p.from, p.to), body)
	if f != nil {
		return f
	}
	p.call = call
	resp, f := a.send(ctx, p.call, llm.Embeddings, body)
	if f != nil {
		return f
	}
	defer resp.Body.Close()
	buf := getBuffer()
	defer buf.release()
	if err := buf.read(resp.Body, resp.ContentLength, a.run.maxPart(n, body.Len()), room); err != nil {
		return a.broken(ctx, err)
	}
	v, err := x.read(buf.data, n)
	a.answeredBy(p.call, v.Model.Model())
	if err == nil {
		err = x.keep(a, p, v)
	}
	if err != nil {
		if v.Told { // it has to be paid for all the same
			x.count(a, p, &v, resp.Header)
		}
		return a.unreadable(buf.data, err)
	}
	x.count(a, p, &v, resp.Header)
	return nil
}

// maxPart is how many bytes of one answer are accepted: some of these repeat what they were asked.
func (r *run) maxPart(n int, sent int64) int64 {
	if r.MaxAnswer == 0 {
		return 1 << 40
	}
	return int64(n)*maxVector + sent + freeBuffer
}

// keep writes the vectors of a part as they will be in the answer, so that the memory of the part can be used again.
func (x *vectors) keep(a *attempt, p *part, v llm.Vectors) error {
	if n := p.to - p.from; len(v.List) != n {
		return fmt.Errorf("%w: it has %d vectors for %d inputs", llm.ErrNoAnswer, len(v.List), n)
	}
	size := 0
	for _, one := range v.List {
		size += len(one) + inputSize
	}
	if !a.Grow(size) {
		return errNoRoom
	}
	var err error
	p.data, err = x.asked.AppendVectors(make([]byte, 0, size), v.List, p.from)
	if more := cap(p.data) - size; err == nil && more > 0 && !a.Grow(more) { // numbers are longer than base64
		return errNoRoom
	}
	p.model = bytes.Clone(v.Model)
	return err
}

// count notes what the call took.
func (x *vectors) count(a *attempt, p *part, v *llm.Vectors, h http.Header) {
	switch head := headUsage(h); {
	case v.Told && !v.Absurd:
		p.tokens = v.Tokens
	case head != nil && !head.Absurd && !v.Absurd:
		p.tokens = head.Fresh
	default:
		p.tokens = x.tokens(p.from, p.to)
		a.estimated(p.call, llm.Usage{Fresh: p.tokens, Absurd: v.Absurd})
		return
	}
	a.took(p.call, llm.Usage{Fresh: p.tokens}, true)
}

// join makes one answer of all parts.
func (x *vectors) join(a *attempt, parts []part) *failure {
	data, tokens := make([][]byte, len(parts)), int64(0)
	for i := range parts {
		data[i] = parts[i].data
		tokens += parts[i].tokens
	}
	model := parts[0].model
	switch echo := a.run.echo(); {
	case echo != "":
		model = llm.Quote(echo)
	case len(model) == 0:
		model = llm.Quote(a.target.Model)
	}
	a.deliver(x.asked.JoinVectors(data, model, tokens))
	return nil
}
