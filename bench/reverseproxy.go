package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"sync"
	"time"
)

// serveReverseProxy is what Weir is compared with: the standard library's reverse proxy with a transport that keeps its
// connections, and nothing else. pooled lends it its copy buffers from a pool, which few who use it do.
func serveReverseProxy(listen, upstream string, pooled bool) error {
	target, err := url.Parse(upstream)
	if err != nil {
		return err
	}
	transport := &http.Transport{
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		MaxIdleConns:          0,
		MaxIdleConnsPerHost:   1 << 16,
		IdleConnTimeout:       time.Minute,
		DisableCompression:    true,
		ExpectContinueTimeout: time.Second,
	}
	proxy := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport:     transport,
		FlushInterval: -1,
		ErrorLog:      log.New(os.Stderr, "", log.Lmicroseconds),
	}
	if pooled {
		proxy.BufferPool = &copyBuffers{sync.Pool{New: func() any { b := make([]byte, 32<<10); return &b }}}
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	// Without full duplex the server closes a request's body when the answer begins; the transport, which looks once more
	// whether the body is longer than announced, takes that for a failure and breaks off the answer. Of quick streams on a
	// busy machine a few in a hundred ended so.
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).EnableFullDuplex() // HTTP/1 knows it
		proxy.ServeHTTP(w, r)
	})
	return (&http.Server{Handler: handler, ErrorLog: proxy.ErrorLog}).Serve(listener)
}

type copyBuffers struct{ pool sync.Pool }

func (c *copyBuffers) Get() []byte  { return *c.pool.Get().(*[]byte) }
func (c *copyBuffers) Put(b []byte) { c.pool.Put(&b) }
