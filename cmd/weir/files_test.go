package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Callers who hold all the streams that they can leave files for all others: each stream takes two.
func TestFilesAreLeft(t *testing.T) {
	const files, streams = 200, 150
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, someChunk)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(upstream.Close)
	folder := t.TempDir()
	c := startWith(t, folder, func(binary string) (string, error) {
		path := filepath.Join(folder, "few")
		return path, os.WriteFile(path, fmt.Appendf(nil, "#!/bin/sh\nulimit -n %d && exec %s \"$@\"\n", files, binary), 0o700)
	}, "limits: {wait: 0s}\n"+passAllTo(upstream.URL+"/v1"))
	request := "POST /v1/chat/completions HTTP/1.1\r\nHost: w\r\nAuthorization: Bearer " + madeUp + fmt.Sprintf("\r\nContent-Length: %d\r\n\r\n%s", len(streamOf("m")), streamOf("m"))
	for range streams {
		conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		_, _ = io.WriteString(conn, request) // some are closed, because there are too many
	}
	operator := &http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	running := fmt.Sprintf("\nweir_requests_running %d\n", files*2/5*9/10)
	waitFor(t, patience, func() string { return "as many run as may" }, func() bool {
		resp, err := operator.Get(c.admin + "/metrics")
		if err != nil {
			t.Fatalf("the admin listener does not answer: %v", err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(string(text), running)
	})
}
