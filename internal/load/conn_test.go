package load

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
)

// What is read of an answer is what net/http reads of it, read or thrown away, and in whatever pieces it comes.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string]string{
		"with a length":       "HTTP/1.1 200 OK\r\ncontent-length: 5\r\nX: y\r\n\r\nhelloHTTP/1.1",
		"empty":               "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
		"chunked":             "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1\r\n \r\n00A;x=y\r\n0123456789\r\n0\r\n\r\nHTTP/1.1",
		"with a trailer":      "HTTP/1.1 200 OK\r\nTRANSFER-ENCODING: Chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\nZ: y\r\n\r\n",
		"empty chunks":        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"until the close":     "HTTP/1.0 200 OK\r\nConnection: close\r\n\r\nhello " + strings.Repeat("x", 3*headBuffer),
		"long":                "HTTP/1.1 200 OK\r\nContent-Length: 50000\r\n\r\n" + strings.Repeat("x", 50000),
		"cut short":           "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello",
		"a chunk cut short":   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nhello",
		"chunks cut short":    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
		"a trailer cut short": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y",
		"line feeds alone":    "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			resp, err := http.ReadResponse(bufio.NewReader(strings.NewReader(raw)), nil)
			if err != nil {
				t.Fatal(err)
			}
			want, wantErr := io.ReadAll(resp.Body)
			for _, pieces := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader, iotest.HalfReader, iotest.DataErrReader} {
				open := func() *conn {
					c := &conn{br: bufio.NewReaderSize(pieces(strings.NewReader(raw)), headBuffer)}
					h, err := c.head()
					if err != nil || h.status != 200 {
						t.Fatalf("%+v, %v", h, err)
					}
					c.body = body{br: c.br, left: h.length, chunked: h.chunked}
					return c
				}
				c := open()
				got, err := io.ReadAll(&c.body)
				if (err == nil) != (wantErr == nil) || !bytes.Equal(got, want) {
					t.Errorf("%d bytes, %v; net/http read %d, %v", len(got), err, len(want), wantErr)
				}
				c = open()
				n, err := c.body.discard()
				if (err == nil) != (wantErr == nil) || n != int64(len(want)) {
					t.Errorf("%d bytes thrown away, %v; net/http read %d, %v", n, err, len(want), wantErr)
				}
			}
		})
	}
}

func TestEndlessHeadersEnd(t *testing.T) {
	t.Parallel()
	endless := io.MultiReader(strings.NewReader("HTTP/1.1 200 OK\r\nX: "), &repeated{'x'})
	c := &conn{br: bufio.NewReaderSize(endless, headBuffer)}
	if _, err := c.head(); err == nil {
		t.Error("read to the end")
	}
}

type repeated struct{ c byte }

func (r *repeated) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r.c
	}
	return len(p), nil
}
