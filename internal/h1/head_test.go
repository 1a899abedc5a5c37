package h1

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// read is an answer with its body, and what is left of the connection.
func read(r *bufio.Reader, resp *http.Response) string {
	body, err := io.ReadAll(resp.Body)
	rest, _ := io.ReadAll(r)
	return fmt.Sprintf("%q %d %q %d.%d %q %d %v %v %v %q %v, then %q", resp.Status, resp.StatusCode, resp.Proto, resp.ProtoMajor, resp.ProtoMinor,
		resp.Header, resp.ContentLength, resp.TransferEncoding, resp.Close, resp.Trailer, body, err, rest)
}

// plainHeads are heads of the form that needs no parser of net/http, and others that look much like it.
func plainHeads() (plain, others []string) {
	plain = []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
		"HTTP/1.1 200\r\ncontent-length:5\t \r\nX-Request-Id: a\r\nX-Request-ID: b: c\r\nserver: caf\xe9\r\n\r\nhello and more",
		"HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n",
		"HTTP/1.1 200 All  right \r\nContent-Length: 00012\r\nEmpty:\r\n\r\nhello",
	}
	for _, framing := range append(broken(), "Connection: close\r\nContent-Length: 5\r\n\r\nhello", "Pragma: no-cache\r\nContent-Length: 5\r\n\r\nhello",
		"Content-Length: 1234567890123456789\r\n\r\n", "Content-Length: 5\n\r\n\r\nhello", "Content-Length: 5\r\nX: a\rb\r\n\r\nhello", "Upgrade: x\r\nContent-Length: 0\r\n\r\n") {
		others = append(others, "HTTP/1.1 200 OK\r\n"+framing)
	}
	return plain, append(others, "HTTP/1.1 2000 OK\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 200\x01\r\nContent-Length: 5\r\n\r\nhello",
		"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 200 OK\r\n\r\n\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\n\nhel\r\n\r\n")
}

func TestPlainHead(t *testing.T) {
	t.Parallel()
	plain, others := plainHeads()
	for _, text := range plain {
		sameAsParser(t, text, true)
	}
	for _, text := range others {
		if plainHead(bufio.NewReader(strings.NewReader(text)), post(t.Context(), "")) != nil {
			t.Errorf("%q is not left to net/http", text)
		}
	}
	if plainHead(bufio.NewReader(strings.NewReader(plain[0])), &http.Request{Method: http.MethodHead}) != nil {
		t.Error("the answer to HEAD is not left to net/http")
	}
}

// What is read without net/http's parser is read as that parser does.
func FuzzPlainHead(f *testing.F) {
	plain, others := plainHeads()
	for _, text := range append(plain, others...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { sameAsParser(t, text, false) })
}

// sameAsParser holds plainHead against net/http's parser. must says that the head is plain.
func sameAsParser(t *testing.T, text string, must bool) {
	t.Helper()
	req := post(t.Context(), "")
	mine, theirs := bufio.NewReader(strings.NewReader(text)), bufio.NewReader(strings.NewReader(text))
	plain := plainHead(mine, req)
	if plain == nil {
		if rest, _ := io.ReadAll(mine); must || string(rest) != text {
			t.Errorf("of %q, which was not read, there is %q left", text, rest)
		}
		return
	}
	parsed, err := http.ReadResponse(theirs, req)
	if err != nil {
		t.Fatalf("%q was read, where net/http says: %v", text, err)
	}
	if got, want := read(mine, &plain.Response), read(theirs, parsed); got != want {
		t.Errorf("%q was read as\n%s\nand by net/http as\n%s", text, got, want)
	}
}
