package provider

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/config"
)

// An answer whose end never comes ends in time if what it says is known, and as it would if not.
func TestAnswerWithoutItsEnd(t *testing.T) {
	t.Parallel()
	const never = time.Hour
	for _, tt := range []struct {
		name          string
		status, major int
		length        int64
		want          time.Duration
	}{
		{"whole, HTTP/2", 200, 2, 5, endPatience},
		{"of no length, HTTP/2", 200, 2, -1, never},
		{"half, HTTP/2", 200, 2, 6, never},
		{"whole, HTTP/1.1, which tells no end", 200, 1, 5, never},
		{"a refusal, whole", 400, 2, 5, endPatience},
		{"a refusal of no length", 401, 2, -1, refusalPatience},
		{"half a refusal", 429, 2, 6, refusalPatience},
		{"a refusal through a proxy", 503, 1, -1, refusalPatience},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				from, to := io.Pipe()
				time.AfterFunc(never, func() { _ = to.CloseWithError(errReplayed) })
				go func() { _, _ = io.WriteString(to, "words") }()
				resp := &http.Response{StatusCode: tt.status, ProtoMajor: tt.major, ContentLength: tt.length, Body: from}
				began := time.Now()
				endInTime(resp)
				text, err := io.ReadAll(resp.Body)
				if string(text) != "words" || time.Since(began) != tt.want || (err == nil) != (tt.want < never) {
					t.Errorf("%q, %v after %v, want %v", text, err, time.Since(began), tt.want)
				}
				if err := resp.Body.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// Over HTTP/2 a complete answer counts although its end is not sent, with or without a status of success.
func TestEndOfHTTP2IsNotWaitedFor(t *testing.T) {
	t.Parallel()
	needsHTTP2(t)
	own, authority := certificates(t)
	const words = `{"id":"x"}`
	const data, headers, settings, endHeaders = 0, 1, 4, 4
	for name, status := range map[string]byte{"200": 0x88, "400": 0x8c} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			addr := listenRaw(t, &tls.Config{Certificates: own, NextProtos: []string{"h2"}}, func(_ int, c net.Conn) {
				r := bufio.NewReader(c)
				if _, err := r.Discard(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")); err != nil {
					return
				}
				h2Frame(c, settings, 0, 0)
				stream, _ := readH2Call(r)
				length := append([]byte{0, 14}, "content-length\x0210"...)
				h2Frame(c, headers, endHeaders, stream, append([]byte{status}, length...)...)
				h2Frame(c, data, 0, stream, []byte(words)...)
				_, _ = io.Copy(io.Discard, r)
			})
			p := newProvider(t, config.Provider{Kind: "openai", BaseURL: "https://" + addr, CAFile: authority})
			resp, err := p.Do(t.Context(), chatCall(t))
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			text, err := io.ReadAll(resp.Body)
			if string(text) != words || err != nil || !strings.HasPrefix(resp.Status, name) {
				t.Errorf("%s %q, %v", resp.Status, text, err)
			}
		})
	}
}
