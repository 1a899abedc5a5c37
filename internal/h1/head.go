package h1

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/textproto"
	"strings"
)

// plainHead reads the head of an answer as nearly all of them are: a 200 of HTTP/1.1 with a length, whose head is in the buffer. Of
// anything else it takes nothing and returns nil: net/http then reads it, and judges it. What it does read, it reads as net/http does,
// for a third of the memory.
func plainHead(r *bufio.Reader, req *http.Request) *plainAnswer {
	const status = "HTTP/1.1 200"
	if _, err := r.Peek(1); err != nil {
		return nil
	}
	buffered, _ := r.Peek(r.Buffered()) // cannot fail: all of it is there
	end := bytes.Index(buffered, []byte("\r\n\r\n"))
	if end < 0 || !bytes.HasPrefix(buffered, []byte(status)) {
		return nil
	}
	head := string(buffered[:end])
	line, rest, _ := strings.Cut(head, "\r\n")
	reason := line[len(status):]
	if reason != "" && reason[0] != ' ' || strings.ContainsFunc(reason, isControl) {
		return nil
	}
	own := new(plainAnswer)
	header, ok := plainFields(rest, own.values[:])
	if !ok {
		return nil
	}
	length, ok := plainLength(header)
	if !ok || req.Method == http.MethodHead {
		return nil
	}
	_, _ = r.Discard(end + len("\r\n\r\n"))
	own.Response = http.Response{
		Status: line[len("HTTP/1.1 "):], StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, ContentLength: length, Request: req, Body: http.NoBody,
	}
	if length > 0 {
		own.source = exactly{r: r, left: length}
		own.Body = &own.source
	}
	return own
}

// plainAnswer is an answer with what belongs to it, in one piece of memory.
type plainAnswer struct {
	http.Response

	values [12]string // of the header, if it has no more fields
	source exactly    // of the body
	body   body       // for roundTrip to fill
}

// plainFields reads the lines of a header. It reports false if a line is not in the form that RFC 9110 § 5 recommends, or says how the
// body is framed otherwise than by a length. The values are kept in room if there are not too many.
func plainFields(lines string, room []string) (http.Header, bool) {
	n := strings.Count(lines, "\r\n") + 1
	header, values := make(http.Header, n), room
	if n > len(values) {
		values = make([]string, n)
	}
	for i := range n {
		var line string
		line, lines, _ = strings.Cut(lines, "\r\n")
		name, value, ok := strings.Cut(line, ":")
		if !ok || name == "" || strings.ContainsFunc(name, notInToken) || strings.ContainsFunc(value, isControl) {
			return nil, false
		}
		switch name = textproto.CanonicalMIMEHeaderKey(name); name {
		case "Transfer-Encoding", "Connection", "Trailer", "Pragma", "Upgrade":
			return nil, false
		}
		values[i] = strings.Trim(value, " \t")
		if same := header[name]; same != nil {
			header[name] = append(same, values[i])
			continue
		}
		header[name] = values[i : i+1 : i+1]
	}
	return header, true
}

// plainLength is the length that the body is said to have, once.
func plainLength(header http.Header) (length int64, ok bool) {
	said := header["Content-Length"]
	if len(said) != 1 || said[0] == "" || len(said[0]) > 18 {
		return 0, false
	}
	for _, c := range []byte(said[0]) {
		if c < '0' || c > '9' {
			return 0, false
		}
		length = 10*length + int64(c-'0')
	}
	return length, true
}

func isControl(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }

// notInToken reports whether a character must not be in the name of a field (RFC 9110 § 5.6.2). It refuses the rare ones too.
func notInToken(c rune) bool {
	return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_'
}

// exactly is a body of known length.
type exactly struct {
	r    *bufio.Reader
	left int64
}

// Read implements io.Reader. The end comes with the last bytes.
func (b *exactly) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, io.EOF
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.r.Read(p)
	b.left -= int64(n)
	switch {
	case b.left == 0:
		err = io.EOF
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// Close implements io.Closer. The connection is the conn's to close.
func (b *exactly) Close() error { return nil }
