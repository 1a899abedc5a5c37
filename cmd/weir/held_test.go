package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A stream that waits costs what its two goroutines and net/http's buffers take. The frames of the goroutine that relays
// fit into 8 KiB with little to spare: one step more, and each stream costs 16.
func TestHeldStreamsFitTheirStacks(t *testing.T) {
	for name, key := range map[string]string{"": "", "with limits and budgets": ", rpm: 100000, tpm: 100000000, budgets: [1000usd/month, 1000Mtok/day]"} {
		t.Run(name, func(t *testing.T) { holdStreams(t, key) })
	}
}

// holdStreams opens streams for a key with these limits.
func holdStreams(t *testing.T, key string) {
	const streams, events, most = 200, 4, 13 << 10
	next := make(chan struct{}) // the stream that is being opened has brought an event
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.Copy(io.Discard, r.Body)
		for range events {
			_, _ = io.WriteString(w, someChunk)
			_ = http.NewResponseController(w).Flush()
			select {
			case <-next:
			case <-r.Context().Done():
			}
		}
		<-r.Context().Done()
	}))
	t.Cleanup(upstream.Close)
	c := startChild(t, fmt.Sprintf("providers:\n  up: {kind: openai, base_url: %q, api_key: x}\nkeys: [{name: made, digest: %q%s}]\nmodels:\n  m: {targets: [{provider: up, model: m, price: {input: 1, output: 4}}]}\n",
		upstream.URL+"/v1", digestOfMadeUp, key))
	request := "POST /v1/chat/completions HTTP/1.1\r\nHost: w\r\nAuthorization: Bearer " + madeUp + fmt.Sprintf("\r\nContent-Length: %d\r\n\r\n%s", len(streamOf("m")), streamOf("m"))
	open := func() {
		conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
		seen := 0
		for r := bufio.NewReader(conn); seen < events; {
			line, err := r.ReadBytes('\n')
			if err != nil {
				t.Fatal(err)
			}
			if bytes.HasPrefix(line, []byte("data: ")) {
				next <- struct{}{}
				seen++
			}
		}
	}
	open()
	before := c.metric("go_memstats_stack_inuse_bytes")
	for range streams {
		open()
	}
	if each := (c.metric("go_memstats_stack_inuse_bytes") - before) / streams; each > most {
		t.Errorf("the stacks of a stream take %.0f bytes, which should be %d at most: did a frame on the way to reading the next event become larger?", each, most)
	} else {
		t.Logf("the stacks of a stream take %.0f bytes", each)
	}
}
