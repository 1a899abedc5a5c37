package provider

import (
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// How long the end of an answer is waited for that says no more than is known.
const (
	refusalPatience = 10 * time.Second // for one other than a 200, after its headers: its status says what it means
	endPatience     = time.Second      // for one as long as announced: over HTTP/2 the end comes separately from the length
)

// endInTime has the body of an answer of http.Transport's end soon where its end may never come. Package h1 does so
// itself.
func endInTime(resp *http.Response) {
	refusal := resp.StatusCode != http.StatusOK
	if resp.Body == http.NoBody || !refusal && (resp.ProtoMajor < 2 || resp.ContentLength <= 0) {
		return
	}
	body := &ending{ReadCloser: resp.Body, left: resp.ContentLength}
	if refusal {
		body.endIn(refusalPatience)
	}
	resp.Body = body
}

// ending is a body that may be cut off, and then ends with what came until then.
type ending struct {
	io.ReadCloser
	left  int64       // until it is as long as it said; negative if it did not say
	timer *time.Timer // cuts it off; nil if nothing does yet
	cut   atomic.Bool
	close sync.Once // http.Transport gives back twice what was not read of a body that is closed twice
}

// endIn has the body end after d. Those of http.Transport may be closed while they are read.
func (b *ending) endIn(d time.Duration) {
	if b.timer != nil {
		b.timer.Stop()
	}
	b.timer = time.AfterFunc(d, func() {
		b.cut.Store(true)
		b.closeOnce()
	})
}

// Read implements io.Reader.
func (b *ending) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); n > 0 && b.left == 0 && err == nil {
		b.endIn(endPatience)
	}
	if err != nil && b.cut.Load() {
		err = io.EOF
	}
	return n, err
}

// Close implements io.Closer.
func (b *ending) Close() error {
	if b.timer != nil {
		b.timer.Stop()
	}
	b.closeOnce()
	return nil
}

func (b *ending) closeOnce() {
	b.close.Do(func() { _ = b.ReadCloser.Close() }) // nothing is lost with it
}
