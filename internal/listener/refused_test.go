package listener

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// What net/http or the listener refuses before a handler runs is counted by its reason, and what is served or hung up is not.
func TestRefusalsOfTheListenerAreCounted(t *testing.T) {
	t.Parallel()
	for _, secure := range []bool{false, true} {
		inner, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		l := New(inner, 100, 1<<10, refusing)
		serveOn(t, l, secure, Tracked(http.NotFoundHandler()))
		ask := func(text string) string {
			c := caller(t, inner.Addr().String(), secure)
			defer c.Close()
			if _, err := io.WriteString(c, text); err != nil {
				t.Fatal(err)
			}
			answer, _ := io.ReadAll(c) // a reset after the answer is an end, too
			status, _, _ := strings.Cut(string(answer), "\r\n")
			return status
		}
		for _, tt := range []struct{ text, status string }{
			{"GET / HTTP/1.1\r\nHost: w\r\nConnection: close\r\n\r\n", "404"},
			{"GET / HTTP/1.1\r\nHost: w\r\n\r\nGET / HTTP/1.1\r\nHost: w\r\nConnection: close\r\n\r\n", "404"},
			{"RUBBISH\r\n\r\n", "400"},
			{"GET / HTTP/1.1\r\n\r\n", "400"},
			{fmt.Sprintf("GET / HTTP/1.1\r\nHost: w\r\nX: %s\r\n\r\n", strings.Repeat("x", 100<<10)), "503"},
		} {
			if got := ask(tt.text); !strings.Contains(got, " "+tt.status+" ") {
				t.Errorf("TLS %v: %.40q: %s", secure, tt.text, got)
			}
		}
		if !secure { // a client says good-bye in TLS, so that the last thing read is well
			gone := caller(t, inner.Addr().String(), secure)
			fmt.Fprint(gone, "GET / HT")
			gone.Close()
		}
		l.mu.Lock()
		for l.open > 0 {
			l.room.Wait()
		}
		l.mu.Unlock()
		if m, n := l.Refused(Malformed), l.Refused(Memory); m != 2 || n != 1 {
			t.Errorf("TLS %v: %d malformed and %d without room", secure, m, n)
		}
		for _, reason := range []Reason{Slow, Address, Idle} {
			if n := l.Refused(reason); n != 0 {
				t.Errorf("TLS %v: %d %s", secure, n, reason)
			}
		}
	}
}

// A flood of refusals makes one line at once and then one a minute, which counts the others.
func TestRefusalsOfTheListenerDoNotFloodTheLog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var text bytes.Buffer
		l := New(nil, 100, 0, nil)
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { l.LogRefused(ctx, slog.New(slog.NewJSONHandler(&text, nil))) })
		from := &net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 99}
		for range 3 * 60 * 10 { // ten a second for three minutes
			l.refused.add(Memory, from)
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(time.Hour) // nothing comes
		stop()
		running.Wait()
		lines, sum := 0, 0
		for decoder := json.NewDecoder(&text); decoder.More(); lines++ {
			var line struct {
				Address string `json:"client_address"`
				Memory  int
			}
			if err := decoder.Decode(&line); err != nil || line.Address != "10.0.0.7" {
				t.Errorf("%+v, %v", line, err)
			}
			sum += line.Memory
		}
		if lines != 4 || sum != 1800 {
			t.Errorf("%d lines count %d", lines, sum)
		}
	})
}

// caller connects to addr, with TLS or without.
func caller(t *testing.T, addr string, secure bool) net.Conn {
	t.Helper()
	c := dial(t, addr)
	if secure {
		return tls.Client(c, &tls.Config{InsecureSkipVerify: true}) //nolint:gosec // a test's own certificate
	}
	return c
}
