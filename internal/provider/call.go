package provider

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// Call is one attempt at a provider.
type Call struct {
	Endpoint llm.Endpoint
	Dialect  llm.Dialect // of the body
	Stream   bool
	Own      bool // the body is the caller's own, so that headers which say how to read it go along

	Model          string // the upstream's name
	Body           dialect.Body
	Credential     int         // which of the provider's
	Caller         http.Header // the caller's headers; those that the config names are passed on
	ConnectTimeout time.Duration
	Trace          *Trace // nil names none
}

// Trace is what headers say about the trace that a call is part of.
type Trace struct {
	Parent string   // traceparent
	State  []string // the lines of tracestate
}

// Do sends the call and returns the upstream's answer as soon as its headers are there. Redirects are not followed. The
// caller closes the answer's body. After that, and after an error, c.Body is not read any more. Cancelling ctx ends the
// call and the reading of the answer. The body of a refusal, any answer other than a 200, ends after refusalPatience
// with what came until then. If its compression cannot be undone, it comes without its body. A failure to connect is a
// *ConnectError, one to get credentials a *CredentialError. A call that meets a connection which the upstream had
// closed meanwhile is sent once more, on a fresh connection.
func (p *Provider) Do(ctx context.Context, c Call) (*http.Response, error) {
	if c.ConnectTimeout > 0 && c.ConnectTimeout != defaultConnectTimeout {
		ctx = withConnectTimeout(ctx, c.ConnectTimeout)
	}
	req := blank.WithContext(ctx) // which copies, so that it is best done while there is nothing
	req.Method, req.URL, req.Host = http.MethodPost, p.url(p.faceFor(c.Model, c.Dialect), c.Endpoint, c.Model, c.Stream), p.base.Host
	req.Proto, req.ProtoMajor, req.ProtoMinor = "HTTP/1.1", 1, 1
	req.Header, req.Body, req.ContentLength = p.callHeader(c), sentBody{c.Body}, c.Body.Len()
	if p.authority != nil {
		if err := p.authorize(ctx, req, c.Body.Reader()); err != nil {
			return nil, err
		}
	}
	resp, err := p.connections.transport().RoundTrip(req)
	if err != nil {
		return nil, err
	}
	resp.Request = nil // it would hold the body
	if p.authority != nil && resp.StatusCode != http.StatusOK {
		resp.Request = &http.Request{Header: req.Header} // for Renews
	}
	if err := decompress(resp); err != nil {
		_ = resp.Body.Close() // the answer is unreadable either way
		if resp.StatusCode == http.StatusOK {
			return nil, err
		}
		resp.Body = http.NoBody // the status says what a refusal means
	}
	return resp, nil
}

// blank is what requests begin as. It is here so that it takes no stack of those who wait.
var blank http.Request

// sentBody is the body of a call. Package h1 writes its pieces, http.Transport is lent what Reader returns.
type sentBody struct{ dialect.Body }

// Read implements io.Reader.
func (sentBody) Read([]byte) (int, error) { return 0, errors.ErrUnsupported }

// Close implements io.Closer. The body is in memory.
func (sentBody) Close() error { return nil }

// callHeader is the shared header of the credential, or a copy if this call needs something of its own.
func (p *Provider) callHeader(c Call) http.Header {
	shared := p.headers[c.Credential].whole
	if c.Stream {
		shared = p.headers[c.Credential].stream
	}
	h, own := shared, false
	set := func(name string, values []string) {
		if len(values) == 0 || slices.Equal(values, h[name]) {
			return
		}
		if !own {
			h, own = maps.Clone(shared), true
		}
		h[name] = values
	}
	if c.Own {
		for i, passes := 0, p.faceFor(c.Model, c.Dialect).Passes; i < len(passes); i++ {
			if values, _ := listed(&passes[i], c.Caller); !passes[i].Body {
				set(passes[i].Header, values)
			}
		}
	}
	if via := c.Caller["Via"]; len(via) > 0 {
		set("Via", []string{strings.Join(append(slices.Clone(via), shared["Via"]...), ", ")})
	}
	if c.Trace != nil {
		set("Traceparent", []string{c.Trace.Parent})
		set("Tracestate", c.Trace.State)
	}
	for _, name := range p.forward {
		if h[name] == nil && !hopByHop(c.Caller, name) {
			set(name, c.Caller[name])
		}
	}
	return h
}

// listed are the values of a caller's header that go to the kind, each by itself if they go into the body, and those that do not.
func listed(h *catalog.Passed, caller http.Header) (pass, left []string) {
	values := caller[h.Header]
	if h.Only == nil || len(values) == 0 {
		return values, nil
	}
	for _, line := range values {
		for value := range strings.SplitSeq(line, ",") {
			switch value = strings.TrimSpace(value); {
			case value == "":
			case slices.Contains(h.Only, value):
				pass = append(pass, value)
			default:
				left = append(left, value)
			}
		}
	}
	if len(pass) > 0 && !h.Body {
		pass = []string{strings.Join(pass, ",")}
	}
	return pass, left
}

// LeavesOut are the values of a caller's header, a list with commas, that do not reach a model: each as header.value. own says that the model gets
// the body of a caller of the dialect, else it is translated.
func (p *Provider) LeavesOut(header, model string, d llm.Dialect, own bool, caller http.Header) (names []string) {
	if len(caller[header]) == 0 || slices.Contains(p.forward, header) && !hopByHop(caller, header) {
		return nil
	}
	passed := catalog.Passed{Header: header, Only: []string{}}
	if passes := p.faceFor(model, d).Passes; own {
		if i := slices.IndexFunc(passes, func(h catalog.Passed) bool { return h.Header == header }); i >= 0 {
			passed = passes[i]
		}
	}
	_, left := listed(&passed, caller)
	for _, value := range left {
		names = append(names, strings.ToLower(header)+"."+value)
	}
	return names
}

// hopByHop reports whether the caller's Connection header says that the named one is meant for us alone (RFC 9110
// § 7.6.1).
func hopByHop(caller http.Header, name string) bool {
	for _, line := range caller["Connection"] {
		for option := range strings.SplitSeq(line, ",") {
			if strings.EqualFold(strings.TrimSpace(option), name) {
				return true
			}
		}
	}
	return false
}

// ErrEncoding is wrapped by the errors of answers whose Content-Encoding cannot be undone.
var ErrEncoding = errors.New("the upstream's answer is encoded in a way that is not understood")

// decompress undoes a compression that the upstream chose although we did not offer it.
func decompress(resp *http.Response) error {
	switch encoding := strings.ToLower(resp.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
		return nil
	case "gzip", "x-gzip":
		source := bufio.NewReader(resp.Body)
		r, err := gzip.NewReader(source)
		if err != nil {
			return fmt.Errorf("%w: it says it is gzip, but is not", ErrEncoding)
		}
		r.Multistream(false)
		resp.Body = &gzipBody{decoder: r, source: source, under: resp.Body}
		resp.ContentLength = -1
		return nil
	default:
		return fmt.Errorf("%w: %q, which was not asked for", ErrEncoding, encoding[:min(len(encoding), 40)])
	}
}

// gzipBody decodes one gzip member after the other.
type gzipBody struct {
	decoder *gzip.Reader
	source  *bufio.Reader
	under   io.Closer
	empty   int // members in a row that held nothing
}

// maxEmptyMembers is how many empty members may follow one another. A body of nothing else would keep the decoder busy
// and never reach what bounds it.
const maxEmptyMembers = 100

// Read implements io.Reader.
func (b *gzipBody) Read(p []byte) (int, error) {
	for {
		n, err := b.decoder.Read(p)
		if n > 0 {
			b.empty = 0
			if errors.Is(err, io.EOF) {
				err = nil // the next read meets it again
			}
			return n, err
		}
		if !errors.Is(err, io.EOF) {
			return 0, err
		}
		if b.empty++; b.empty > maxEmptyMembers {
			return 0, fmt.Errorf("%w: there is nothing in it, without end", ErrEncoding)
		}
		if err := b.decoder.Reset(b.source); err != nil {
			return 0, err // io.EOF after the last member
		}
		b.decoder.Multistream(false)
	}
}

// Close implements io.Closer.
func (b *gzipBody) Close() error { return errors.Join(b.decoder.Close(), b.under.Close()) }
