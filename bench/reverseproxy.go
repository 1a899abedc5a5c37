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

// serveReverseProxy is the proxy that Weir is compared with: the standard library's, as an expert would run it. Its transport keeps
// all connections, copy buffers come from a pool, and buffers to and from the upstream have 64 KiB.
func serveReverseProxy(listen, upstream string) error {
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
		WriteBufferSize:       64 << 10,
		ReadBufferSize:        64 << 10,
	}
	proxy := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport:     transport,
		FlushInterval: -1,
		ErrorLog:      log.New(os.Stderr, "", log.Lmicroseconds),
		BufferPool:    &copyBuffers{sync.Pool{New: func() any { return new(make([]byte, 32<<10)) }}},
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	// Without full duplex the server closes a request's body when the answer begins. The transport then looks once more
	// whether the body is longer than announced, takes the close for a failure, and breaks off the answer. On a busy
	// machine a few in a hundred quick streams ended so.
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).EnableFullDuplex() // HTTP/1 knows it
		proxy.ServeHTTP(w, r)
	})
	return (&http.Server{Handler: handler, ErrorLog: proxy.ErrorLog}).Serve(listener)
}

type copyBuffers struct{ pool sync.Pool }

func (c *copyBuffers) Get() []byte  { return *c.pool.Get().(*[]byte) }
func (c *copyBuffers) Put(b []byte) { c.pool.Put(&b) }
