package relay

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/dialect/sse"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// attempt is the state of one call to an upstream.
type attempt struct {
	*run
	provider   *provider.Provider
	target     route.Target
	changes    openai.Changes
	applied    openai.Applied
	credential int
	started    time.Time
	cancel     context.CancelCauseFunc
	watch      *watch // for streams
}

// Bounds on what is taken from an upstream, which is trusted no more than a caller.
const (
	maxAnswer    = 256 << 20 // a complete answer; 2,048 embeddings of 3,072 floats are 60 MB
	maxErrorBody = 1 << 20
	maxEvent     = 64 << 20 // one event of a stream
	maxPending   = 64 << 10 // events kept back before the first content
)

// note completes the attempt's entry in the result.
func (a *attempt) note(f *failure) {
	entry := &a.result.Attempts[len(a.result.Attempts)-1]
	entry.Duration = time.Since(a.started)
	entry.Outcome = "ok"
	if f != nil {
		entry.Outcome, entry.Err, entry.Said = f.class.String(), f.cause, f.said
	}
}

// upstreamRequestID is the id that the upstream gave to the call, in the header that its kind uses.
func upstreamRequestID(h http.Header) string {
	for _, name := range [...]string{"X-Request-Id", "Request-Id", "Apim-Request-Id", "X-Generation-Id"} {
		if v := h[name]; len(v) > 0 && len(v[0]) <= 128 && strings.IndexFunc(v[0], func(r rune) bool { return r <= ' ' || r > '~' }) < 0 {
			return v[0]
		}
	}
	return ""
}

// broken classifies a failure to get an answer, or to go on reading one.
func (a *attempt) broken(ctx context.Context, err error) *failure {
	var unsent *provider.ConnectError
	f := &failure{class: failed, target: a.target, reason: "broke off the connection", cause: err}
	switch cause := context.Cause(ctx); {
	case a.run.ctx.Err() != nil:
		f.class = canceled
	case cause == errFirstToken || cause == errIdle:
		f.class, f.reason, f.cause = timedOut, cause.Error(), cause
	case errors.As(err, &unsent):
		f.class, f.reason = unreachable, "could not be reached"
	case errors.Is(err, provider.ErrEncoding):
		f.class, f.reason = malformed, "answered in a compression that cannot be read"
	case errors.Is(err, errTooLarge) || errors.Is(err, sse.ErrEventTooLarge):
		f.class, f.reason = malformed, "sent an answer larger than Weir takes"
	}
	return f
}

// answer takes the upstream's answer from its status on.
func (a *attempt) answer(ctx context.Context, resp *http.Response) *failure {
	entry := &a.result.Attempts[len(a.result.Attempts)-1]
	entry.Status, entry.RequestID = resp.StatusCode, upstreamRequestID(resp.Header)
	if resp.StatusCode != http.StatusOK {
		return a.refusal(ctx, resp)
	}
	if a.Call.Stream {
		return a.stream(ctx, resp)
	}
	buf := getBuffer()
	defer buf.release()
	if err := buf.read(resp.Body, resp.ContentLength, maxAnswer); err != nil {
		return a.broken(ctx, err)
	}
	return a.complete(buf.data)
}

// refusal takes an answer that is not a 200.
func (a *attempt) refusal(ctx context.Context, resp *http.Response) *failure {
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	if err != nil && len(body) == 0 {
		return a.broken(ctx, err)
	}
	return a.classify(resp.StatusCode, resp.Header, body)
}

// complete relays a complete answer that was read whole.
func (a *attempt) complete(body []byte) *failure {
	var answer openai.Answer
	var err error
	out := body
	if a.Call.Endpoint == llm.Embeddings {
		out, answer, err = a.Call.ParseEmbeddings(body, a.echo())
	} else {
		answer, err = a.Call.ParseAnswer(body, a.stand())
	}
	if err != nil {
		return a.noAnswer(body, answer.IsError, err)
	}
	a.result.Usage, a.result.HasUsage, a.result.Finish = answer.Usage, answer.HasUsage, answer.Finish
	a.result.Repairs = answer.Repairs
	a.result.Status, a.result.Ignored = http.StatusOK, a.applied.Ignored
	a.result.FirstContent = time.Now()
	a.setHeaders(a.w.Header())
	if a.Call.Endpoint == llm.Embeddings {
		a.result.BytesOut = writeJSON(a.w, a.Caller, out)
		return nil
	}
	a.result.BytesOut = writeEdited(a.w, a.Caller, out, answer.Edits)
	return nil
}

// noAnswer classifies a 200 whose body is an error, a web page or nothing.
func (a *attempt) noAnswer(body []byte, isError bool, err error) *failure {
	f := &failure{class: malformed, target: a.target, status: http.StatusOK, cause: err, reason: "answered with something that is no answer"}
	switch {
	case isError:
		return a.inBand(body)
	case openai.IsHTML(body):
		f.cause = errors.New("a web page")
		a.misplace(f)
		f.reason = "answered with a web page" + strings.TrimPrefix(f.reason, "answered 200")
	case len(bytes.TrimSpace(body)) == 0:
		f.reason = "answered with nothing"
	}
	return f
}

// inBand classifies an error that came inside a 200, as a body or as an event. Vendors who answer so put the
// status that they mean into the code.
func (a *attempt) inBand(body []byte) *failure {
	e := openai.ParseError(body)
	if status, err := strconv.Atoi(e.Code); err == nil && status >= 400 && status < 600 {
		return a.classify(status, nil, body)
	}
	message := shorten(a.mask(e.Message))
	return &failure{
		class: failed, target: a.target, status: http.StatusOK,
		reason: "answered with an error", said: message, cause: errors.New("an error inside a 200"),
	}
}

func (a *attempt) mask(text string) string {
	return string(openai.Mask([]byte(text), a.provider.Private()...))
}

// echo is the model's name to answer with, "" to leave the upstream's.
func (a *attempt) echo() string {
	if a.Route.Model.EchoModel {
		return a.Call.Model
	}
	return ""
}

// stand is what stands in for members that the upstream leaves out.
func (a *attempt) stand() openai.Stand {
	return openai.Stand{Model: a.echo(), Name: a.ID, Now: a.Started.Unix()}
}

// setHeaders puts the headers that name the target into an answer.
func (a *attempt) setHeaders(h http.Header) {
	setIgnored(h, a.applied)
	if a.Hide {
		return
	}
	h["Weir-Provider"] = []string{a.provider.Name}
	h["Weir-Model"] = []string{a.target.Model}
	h["Weir-Attempts"] = []string{strconv.Itoa(len(a.result.Attempts))}
	if id := a.result.Attempts[len(a.result.Attempts)-1].RequestID; id != "" {
		h["Weir-Upstream-Request-Id"] = []string{id}
	}
}
