package provider

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// errReachLate ends a call that got no connection in time.
var errReachLate = errors.New("it took too long")

// reach makes a call by next, where connect makes only the first part of a connection. http.Transport then asks a proxy to go
// on, and shakes hands with the provider. All of it must take no longer than connecting may, and if it fails nothing of the
// request was sent.
func reach(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	parent := req.Context()
	ctx, cancel := context.WithCancelCause(parent)
	late := time.AfterFunc(connectLimit(parent), func() { cancel(errReachLate) })
	var reached atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) {
		if late.Stop() {
			reached.Store(true)
		}
	}})
	resp, err := next(req.WithContext(ctx))
	late.Stop()
	if err != nil {
		cancel(nil)
		var unsent *ConnectError
		if !reached.Load() && parent.Err() == nil && !errors.As(err, &unsent) {
			err = &ConnectError{err}
		}
		return nil, err
	}
	resp.Body = &reachedBody{resp.Body, cancel}
	return resp, nil
}

// reachedBody is an answer to a call by reach, whose context ends with it.
type reachedBody struct {
	io.ReadCloser
	cancel context.CancelCauseFunc
}

// Close implements io.Closer.
func (b *reachedBody) Close() error {
	defer b.cancel(nil)
	return b.ReadCloser.Close()
}
