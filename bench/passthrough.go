package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/h1"
)

// passthrough is the least that a proxy of this kind can do on net/http. It reads the request, walks its JSON once, replaces the
// model's name, sends it with Weir's own HTTP/1.1 client, and copies the answer. It checks no key, reads no usage, logs nothing and
// bounds nothing. What Weir costs beyond it is what Weir does beyond it.
type passthrough struct {
	upstream *url.URL
	client   *h1.Client
	bodies   sync.Pool // *[]byte: a request's body, then the copied answer
}

func servePassthrough(listen, upstream string) error {
	target, err := url.Parse(upstream)
	if err != nil {
		return err
	}
	var dialer net.Dialer
	p := &passthrough{
		upstream: target,
		client: h1.New(h1.Options{
			Dial:        func(ctx context.Context) (net.Conn, error) { return dialer.DialContext(ctx, "tcp", target.Host) },
			IdleTimeout: time.Minute, MaxIdle: 1 << 16, MaxHead: 1 << 20, Refusal: 10 * time.Second,
		}),
		bodies: sync.Pool{New: func() any { return new(make([]byte, 0, 32<<10)) }},
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	return (&http.Server{Handler: p, ErrorLog: log.New(os.Stderr, "", log.Lmicroseconds)}).Serve(listener)
}

// ServeHTTP implements http.Handler.
func (p *passthrough) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	lent := p.bodies.Get().(*[]byte)
	defer p.bodies.Put(lent)
	body, err := readAll(r.Body, (*lent)[:0], r.ContentLength)
	*lent = body
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	model, err := findModel(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	resp, err := p.client.RoundTrip(p.request(r, body, model))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	w.Header()["Content-Type"] = resp.Header["Content-Type"]
	w.Header()["Content-Length"] = resp.Header["Content-Length"]
	w.WriteHeader(resp.StatusCode)
	p.copy(w, resp)
}

// request is what goes upstream: the body's parts before and after the model's name, so that a long prompt is not copied.
func (p *passthrough) request(r *http.Request, body []byte, model jsonwalk.Span) *http.Request {
	target := *p.upstream
	target.Path = r.URL.Path
	name := append(bytes.Clone(body[model.Start:model.End-1]), `-1"`...) // as Weir's config here names the upstream's models
	out := &http.Request{
		Method: http.MethodPost, URL: &target, Host: target.Host, Header: http.Header{"Content-Type": r.Header["Content-Type"]},
		ContentLength: int64(len(body) - model.Len() + len(name)),
	}
	out.GetBody = func() (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(bytes.NewReader(body[:model.Start]), bytes.NewReader(name), bytes.NewReader(body[model.End:]))), nil
	}
	out.Body, _ = out.GetBody()
	return out.WithContext(r.Context())
}

// copy passes the answer on; what has no length is flushed with each read, since it may be a stream.
func (p *passthrough) copy(w http.ResponseWriter, resp *http.Response) {
	lent := p.bodies.Get().(*[]byte)
	defer p.bodies.Put(lent)
	buffer := (*lent)[:cap(*lent)]
	control := http.NewResponseController(w)
	for {
		n, err := resp.Body.Read(buffer)
		if n > 0 {
			if _, err := w.Write(buffer[:n]); err != nil {
				return
			}
			if resp.ContentLength < 0 && control.Flush() != nil {
				return
			}
		}
		if err != nil { // io.EOF, or the upstream broke off: the caller sees it by the missing length
			return
		}
	}
}

// readAll reads the body into the buffer.
func readAll(body io.Reader, buffer []byte, length int64) ([]byte, error) {
	if need := int(length) + 1; cap(buffer) < need { // one more, so that the end is met without another read into a larger buffer
		buffer = make([]byte, 0, need)
	}
	for {
		if len(buffer) == cap(buffer) {
			buffer = append(buffer, 0)[:len(buffer)]
		}
		n, err := body.Read(buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+n]
		if errors.Is(err, io.EOF) {
			return buffer, nil
		}
		if err != nil {
			return buffer, err
		}
	}
}

var errNoModel = errors.New("the body has no model")

// findModel walks the whole body and returns the place of the model's name.
func findModel(body []byte) (model jsonwalk.Span, err error) {
	s := jsonwalk.NewScanner(body, jsonwalk.Options{})
	if !s.EnterObject() {
		return model, errors.Join(errNoModel, s.Err())
	}
	for s.NextMember() {
		name := string(s.Name()) == "model"
		span := s.Skip()
		if name {
			model = span
		}
	}
	if err := s.End(); err != nil {
		return model, err
	}
	if model.Len() == 0 {
		return model, errNoModel
	}
	return model, nil
}
