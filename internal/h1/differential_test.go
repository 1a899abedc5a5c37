package h1

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"testing"
)

// answer is what an origin says to a call.
type answer struct {
	text  string
	close bool // and then closes the connection
}

// broken lists framings with no length, or more than one. The bytes after them may or may not be their body.
func broken() []string {
	return []string{
		"Content-Length: -1\r\n\r\n", "Content-Length: 5x\r\n\r\nhello", "Content-Length: +5\r\n\r\nhello", "Content-Length:\r\n\r\n",
		"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", "Content-Length: 5, 5\r\n\r\nhello",
		"Transfer-Encoding: gzip\r\n\r\nx", "Transfer-Encoding: chunked\r\n\r\nzz\r\n", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello0\r\n\r\n",
		"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
		"Bad Header: x\r\nContent-Length: 0\r\n\r\n", " folded: x\r\nContent-Length: 0\r\n\r\n", "X: a\r\n b\r\nContent-Length: 5\r\n\r\nhello",
		"X\x00: y\r\nContent-Length: 5\r\n\r\nhello", "X: \x01y\r\nContent-Length: 5\r\n\r\nhello",
	}
}

// randomAnswer makes an answer whose header and body contain its number.
func randomAnswer(r *rand.Rand, number int) (a answer) {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	body := fmt.Sprintf("body-%d-%s", number, strings.Repeat("x", []int{0, 1, 100, 2000, 2048, 3000, 9000, 70000}[r.IntN(8)]))
	for range r.IntN(3) * r.IntN(2) {
		a.text += pick("HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", "HTTP/1.1 102 P\r\nContent-Length: 5\r\n\r\n")
	}
	version := pick("1.1", "1.1", "1.1", "1.0")
	a.close = version == "1.0" || r.IntN(6) == 0
	status := pick("200 OK", "200 OK", "200", "404 Not Found", "204 No Content", "304 Not Modified", "500 X", "205 R", "302 F\r\nLocation: /x", "299 ?")
	a.text += fmt.Sprintf("HTTP/%s %s\r\nX-Number: %d\r\n", version, status, number)
	a.text += pick("", "", "", "Connection: close\r\n", "Connection: keep-alive\r\n", "Connection: foo, Close\r\n", "connection: x\r\nConnection:  CLOSE \r\n",
		"Connection: keep-alive, close\r\n", "Keep-Alive: timeout=5\r\n", "Proxy-Connection: close\r\n")
	switch r.IntN(9) {
	case 0, 1, 2:
		a.text += fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
		return a
	case 3, 4:
		a.text += pick("Transfer-Encoding: chunked\r\n", "transfer-encoding: Chunked\r\n") + pick("", "Trailer: X-T\r\n") + "\r\n"
		for len(body) > 0 {
			n := min(len(body), 1+r.IntN(5000))
			a.text += fmt.Sprintf("%x%s\r\n%s\r\n", n, pick("", "", ";ext", ";a=b;c=\"d\""), body[:n])
			body = body[n:]
		}
		a.text += "0" + pick("", ";end") + "\r\n" + pick("", "X-T: 1\r\n") + "\r\n"
		return a
	case 5: // to the end
		a.text += "\r\n" + body
	case 6:
		a.text += pick(broken()...)
	case 7: // cut
		a.text += fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body)+1, body)
	case 8: // half of a head, if so much
		a.text = pick("", "H", a.text)
	}
	a.close = true
	return a
}

// outcome is what a call came to.
type outcome struct {
	status                int
	header, body, trailer string
	length                int64
	failed, cut           bool
}

func outcomeOf(ctx context.Context, via http.RoundTripper, size int) outcome {
	resp, err := via.RoundTrip(post(ctx, strings.Repeat("b", size)))
	if err != nil {
		return outcome{failed: true}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return outcome{
		status: resp.StatusCode, header: fmt.Sprint(resp.Header), body: string(body), trailer: fmt.Sprint(resp.Trailer),
		length: resp.ContentLength, cut: err != nil,
	}
}

// answering is an origin that gives the answers one after the other, on whatever connection a call comes, and then
// repeats the last.
func answering(t *testing.T, answers []answer) *origin {
	t.Helper()
	calls := make(chan int, 1)
	calls <- 0
	return listen(t, func(_ int, c net.Conn, r *bufio.Reader) {
		for {
			if _, ok := take(r); !ok {
				return
			}
			n := <-calls
			calls <- n + 1
			said := answers[min(n, len(answers)-1)]
			if say(c, said.text); said.close {
				return
			}
		}
	})
}

// Sequences of answers, good and bad, are read as http.Transport reads them. It may fail where Client does not: it does not
// always see that a connection was closed before it sends on it.
func TestAsTransport(t *testing.T) {
	t.Parallel()
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 7)) //nolint:gosec // the same answers each time
		var answers []answer
		for i := range 6 {
			answers = append(answers, randomAnswer(r, i))
		}
		sizes := []int{r.IntN(100), r.IntN(100_000), r.IntN(1000), r.IntN(10)}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			to := answering(t, answers)
			std := &http.Transport{DisableCompression: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				var d net.Dialer
				return d.DialContext(ctx, "tcp", to.addr)
			}}
			t.Cleanup(std.CloseIdleConnections)
			lean := answering(t, answers).client(t)
			for i, size := range sizes {
				got, want := outcomeOf(t.Context(), lean, size), outcomeOf(t.Context(), std, size)
				if want.failed && !got.failed {
					return
				}
				if got != want {
					t.Fatalf("call %d of %.1000q:\n%+v\nhttp.Transport:\n%+v", i, fmt.Sprint(answers), got, want)
				}
			}
		})
	}
}
