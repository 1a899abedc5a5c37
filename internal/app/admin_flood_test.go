package app_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// Who reaches the admin listener, without a token, cannot take the files that callers need: a connection that is left alone makes room for another.
func TestAFloodOfTheAdminListener(t *testing.T) {
	t.Parallel()
	const most = 512
	w := apptest.StartWith(t, passAll(apptest.NewUpstream(t, nil), ""))
	address := strings.TrimPrefix(w.AdminURL(), "http://")
	var first *bufio.Reader
	for range most + 5 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		_, _ = fmt.Fprint(conn, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
		if first == nil {
			_ = conn.SetReadDeadline(time.Now().Add(time.Minute)) // of a connection that is kept
			first = bufio.NewReader(conn)
		}
	}
	answer, err := http.ReadResponse(first, nil)
	if err == nil {
		_, err = io.Copy(io.Discard, answer.Body)
	}
	if err != nil || answer.StatusCode != 200 {
		t.Fatal(answer, err)
	}
	if _, err := first.ReadByte(); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the connection that was left first is kept: %v", err)
	}
	if a := do(t, &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, request(t, "GET", w.AdminURL()+"/metrics", "")); a.status != 200 {
		t.Errorf("%d", a.status)
	}
}
