package tracing

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/deliver"
	"github.com/weirproxy/weir/internal/genai"
	"github.com/weirproxy/weir/internal/otlp"
	"github.com/weirproxy/weir/internal/secret"
)

// How spans are sent. A batch that the collector could not take is sent again after a wait, which grows; newer requests wait meanwhile.
const (
	every       = 5 * time.Second  // or when a whole batch waits
	within      = 10 * time.Second // for one post
	firstWait   = time.Second
	longestWait = 30 * time.Second
	giveUp      = time.Minute     // after the first try
	lastPosts   = 2 * time.Second // for all that waits when Weir stops
)

// Run sends what is kept until ctx ends. What waits then is sent within two seconds, or given up.
func (t *Tracer) Run(ctx context.Context) {
	s := &sender{tracer: t}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-ticker.C:
			s.sendAll(ctx, false)
		case <-t.many:
			s.sendAll(ctx, true)
		}
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastPosts)
	defer cancel()
	s.deliver(last)
	s.sendAll(last, false)
	t.abandon(s.undelivered)
}

// abandon gives up what waits at the end, and spans that were taken from the queue.
func (t *Tracer) abandon(left int) {
	t.mu.Lock()
	left += t.queue.spans()
	t.queue = queue{}
	t.mu.Unlock()
	if left > 0 {
		t.o.Metrics.Spans(Failed, left)
		t.o.Log.Warn("spans were not delivered before Weir stopped", "spans", left)
	}
}

// sender is the state of Run. What it has is used again for the next batch.
type sender struct {
	tracer  *Tracer
	records []*record
	spans   []otlp.Span
	plain   []byte
	body    bytes.Buffer

	undelivered int // spans in body

	failing bool // the last batch was not taken, which the log has said
}

// sendAll sends all that waits, or only whole batches.
func (s *sender) sendAll(ctx context.Context, whole bool) {
	for ctx.Err() == nil {
		terms := s.tracer.terms.Load()
		if terms == nil || !s.next(whole) {
			return
		}
		s.encode(terms)
		s.giveBack()
		s.deliver(ctx)
	}
}

// next takes the records of the next batch. It returns false if nothing waits, or not enough.
func (s *sender) next(whole bool) bool {
	t := s.tracer
	t.mu.Lock()
	defer t.mu.Unlock()
	if whole && t.queue.n < batch {
		return false
	}
	s.records = t.queue.take(s.records[:0])
	return len(s.records) > 0
}

func (s *sender) giveBack() {
	t := s.tracer
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queue.giveBack(s.records)
}

// encode makes the body of a post.
func (s *sender) encode(terms *Terms) {
	s.spans = s.spans[:0]
	for _, r := range s.records {
		s.spans = r.appendSpans(s.spans, terms.Upstreams)
	}
	s.plain = otlp.AppendTraces(s.plain[:0], s.tracer.source(terms), s.spans)
	s.undelivered = len(s.spans)
	clear(s.spans)
	s.body.Reset()
	w, _ := gzip.NewWriterLevel(&s.body, gzip.BestSpeed) // the level is one that there is
	_, _ = w.Write(s.plain)                              // writing to memory does not fail
	_ = w.Close()
}

// source is who sends spans. What the terms say goes before what Weir says of itself.
func (t *Tracer) source(terms *Terms) *otlp.Source {
	from := &otlp.Source{Scope: genai.Scope, Version: genai.Version, Attributes: terms.Resource}
	for _, own := range []otlp.Attribute{
		otlp.String("service.name", "weir"), otlp.String("service.version", t.o.Version), otlp.String("service.instance.id", t.o.Instance),
	} {
		said := false
		for _, a := range terms.Resource {
			said = said || a.Name == own.Name
		}
		if !said {
			from.Attributes = append(from.Attributes[:len(from.Attributes):len(from.Attributes)], own)
		}
	}
	return from
}

// deliver posts the batch that was encoded until it is taken, or it is no use any more. If ctx ends before, the batch stays undelivered.
func (s *sender) deliver(ctx context.Context) {
	began := time.Now()
	for wait := firstWait; s.undelivered > 0 && ctx.Err() == nil; wait = min(2*wait, longestWait) {
		terms := s.tracer.terms.Load()
		if terms == nil {
			s.ended(Dropped)
			return
		}
		rejected, err := s.post(ctx, terms)
		if err == nil {
			s.taken(rejected)
			return
		}
		if ctx.Err() != nil {
			return
		}
		var later *unavailableError
		again := errors.As(err, &later)
		s.failed(err, again)
		if !again {
			s.ended(Rejected)
			return
		}
		wait = min(max(wait, later.after), longestWait)
		if time.Since(began)+wait > giveUp {
			s.ended(Failed)
			return
		}
		pause(ctx, wait)
	}
}

// ended notes what became of the batch.
func (s *sender) ended(o Outcome) {
	s.tracer.o.Metrics.Spans(o, s.undelivered)
	s.undelivered = 0
}

// taken notes that a batch was taken, all but the spans that were rejected.
func (s *sender) taken(rejected *rejected) {
	t, refused := s.tracer, min(rejected.spans, s.undelivered)
	s.undelivered -= refused
	s.ended(Sent)
	if refused > 0 {
		t.o.Metrics.Spans(Rejected, refused)
		t.o.Log.Warn("the collector of traces rejected spans", "spans", refused, "reason", rejected.message)
	}
	if s.failing {
		s.failing = false
		t.o.Log.Info("the collector of traces takes spans again")
	}
}

// failed notes that a post failed. The log says so once, until one succeeds.
func (s *sender) failed(err error, again bool) {
	if s.failing {
		return
	}
	s.failing = true
	what := "spans are not taken by the collector of traces, and are dropped; see weir_trace_spans_total"
	if again {
		what = "spans cannot be delivered, and are sent again for a minute; see weir_trace_spans_total"
	}
	s.tracer.o.Log.Warn(what, "reason", err.Error())
}

// pause waits, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// unavailableError is a failure after which the same post may succeed.
type unavailableError struct {
	cause error
	after time.Duration // that the collector asks for
}

// Error implements error.
func (e *unavailableError) Error() string { return e.cause.Error() }

// rejected are spans that the collector did not take of a batch.
type rejected struct {
	spans   int
	message string
}

// mostSaid bounds what is logged of a collector's words, in bytes.
const mostSaid = 200

// post sends the batch once. An error that is no *unavailableError means that it is no use to send it again.
func (s *sender) post(ctx context.Context, terms *Terms) (*rejected, error) {
	h := terms.Header.Clone()
	if h == nil {
		h = http.Header{}
	}
	h["Content-Type"], h["Content-Encoding"], h["User-Agent"] = []string{"application/x-protobuf"}, []string{"gzip"}, []string{"weir/" + s.tracer.o.Version}
	answer, err := (&deliver.Post{Receiver: "the collector", URL: terms.URL, Header: h, Body: s.body.Bytes(), Within: within}).Send(ctx, terms.Transport)
	if err != nil {
		return nil, &unavailableError{cause: err}
	}
	media, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";")
	switch status := answer.Status; {
	case status == http.StatusTooManyRequests, status == http.StatusBadGateway, status == http.StatusServiceUnavailable, status == http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
		return nil, &unavailableError{fmt.Errorf("the collector answered %d", status), time.Duration(min(max(seconds, 0), 3600)) * time.Second}
	case status/100 == 3:
		return nil, fmt.Errorf("the collector answered %d, and redirects are not followed", status)
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		return nil, fmt.Errorf("the collector answered %d: does the path of traces.endpoint lack /v1/traces?", status)
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return nil, fmt.Errorf("the collector answered %d: see traces.headers", status)
	case status/100 != 2:
		return nil, fmt.Errorf("the collector answered %d", status)
	case strings.TrimSpace(media) == "text/html":
		return nil, errors.New("the collector answered with a web page: traces.endpoint is not that of a collector")
	}
	out := &rejected{}
	if n, message, ok := otlp.Rejected(answer.Body); ok && n > 0 { // what cannot be read says nothing of rejected spans
		said := secret.HideKnown(terms.Secrets, message) // before it is cut: half a secret has not its form
		out.spans, out.message = int(min(n, 1<<31)), strings.ToValidUTF8(said[:min(len(said), mostSaid)], "\uFFFD")
	}
	return out, nil
}
