package transcript

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// patience bounds every wait of a story. It only ends what would hang; nothing depends on its length.
const patience = time.Minute

// exchange is one request on the wire and what came back. It uses the socket directly, because a story may send what
// no HTTP library would, and must see where a body really ends.
type exchange struct {
	step   step
	method string
	id     string // the request's own X-Request-Id
	conn   net.Conn
	reader *bufio.Reader
	writes chan error // receives once the request has been written

	resp    *http.Response
	noResp  error        // the error in place of a response
	body    bytes.Buffer // as received, transfer coding undone
	bodyErr error        // how the body ended; nil while it has not, io.EOF at its proper end
}

// wireRequest is a request ready to be sent.
type wireRequest struct {
	method string
	id     string
	bytes  []byte
}

// build turns an ordinary request into bytes; every text has its placeholders replaced already.
func (r *requestStep) build(host string) (wireRequest, error) {
	method, target, _ := strings.Cut(r.start, " ")
	w := wireRequest{method: method}
	body := []byte(strings.Join(r.body, "\n"))
	var extra []string
	chunked := false
	for _, flag := range r.flags {
		var err error
		switch flag {
		case "gzip":
			body, err = compress(body)
			extra = append(extra, "Content-Encoding: gzip")
		case "base64":
			body, err = base64.StdEncoding.DecodeString(strings.TrimSpace(string(body)))
		case "chunked":
			chunked = true
		}
		if err != nil {
			return w, err
		}
	}
	seen := map[string]bool{}
	for _, h := range r.headers {
		name, v, _ := strings.Cut(h, ":")
		name = strings.ToLower(strings.TrimSpace(name))
		seen[name] = true
		if name == "x-request-id" {
			w.id = strings.TrimSpace(v)
		}
	}
	if !seen["host"] {
		extra = append(extra, "Host: "+host)
	}
	switch {
	case chunked:
		extra = append(extra, "Transfer-Encoding: chunked")
		body = chunks(body)
	case !seen["content-length"] && !seen["transfer-encoding"] && (r.hasBody || method == http.MethodPost):
		extra = append(extra, "Content-Length: "+strconv.Itoa(len(body)))
	}
	head := strings.Join(append([]string{method + " " + target + " HTTP/1.1"}, append(r.headers, extra...)...), "\r\n")
	w.bytes = append([]byte(head+"\r\n\r\n"), body...)
	return w, nil
}

func compress(b []byte) ([]byte, error) {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(b); err != nil {
		return nil, err
	}
	err := z.Close()
	return out.Bytes(), err
}

// chunks writes body as two chunks and the last, empty one.
func chunks(body []byte) []byte {
	var out []byte
	for _, part := range [][]byte{body[:len(body)/2], body[len(body)/2:]} {
		if len(part) > 0 {
			out = fmt.Appendf(out, "%x\r\n%s\r\n", len(part), part)
		}
	}
	return append(out, "0\r\n\r\n"...)
}

// rawBytes undoes the escapes of raw lines.
func rawBytes(lines []string) ([]byte, error) {
	var out []byte
	text := strings.Join(lines, "")
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			out = append(out, text[i])
			continue
		}
		i++
		switch {
		case i >= len(text):
			return nil, errors.New("a raw line ends in a lone \\")
		case text[i] == 'x' && i+2 < len(text):
			b, err := strconv.ParseUint(text[i+1:i+3], 16, 8)
			if err != nil {
				return nil, err
			}
			out = append(out, byte(b))
			i += 2
		default:
			j := strings.IndexByte(`rnt\`, text[i])
			if j < 0 {
				return nil, fmt.Errorf(`unknown escape \%c; known are \r \n \t \\ \xHH`, text[i])
			}
			out = append(out, "\r\n\t\\"[j])
		}
	}
	return out, nil
}

// send writes the request while the answer is read, because the answer may come before the request has ended.
func (x *exchange) send(w wireRequest) error {
	x.method, x.id = w.method, w.id
	if err := x.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	x.writes = make(chan error, 1)
	go func() {
		_, err := x.conn.Write(w.bytes)
		x.writes <- err
	}()
	return nil
}

// head reads the response's status and headers once.
func (x *exchange) head() error {
	for x.resp == nil && x.noResp == nil {
		resp, err := http.ReadResponse(x.reader, &http.Request{Method: x.method})
		switch {
		case err != nil:
			x.noResp = err
		case resp.StatusCode < 200: // "100 Continue" is not the answer
		default:
			x.resp = resp
		}
	}
	if x.noResp != nil {
		return fmt.Errorf("no response came: %w", x.noResp)
	}
	return nil
}

// readUntil reads on until the bytes so far match; a nil pattern reads to the end.
func (x *exchange) readUntil(re *regexp.Regexp) error {
	if err := x.head(); err != nil {
		return err
	}
	buf := make([]byte, 32<<10)
	for re == nil || !re.Match(x.body.Bytes()) {
		if x.bodyErr != nil {
			break
		}
		n, err := x.resp.Body.Read(buf)
		x.body.Write(buf[:n])
		x.bodyErr = err
	}
	switch {
	case re != nil && !re.Match(x.body.Bytes()):
		return fmt.Errorf("the body ended (%w) before it matched %s", x.bodyErr, re)
	case re == nil && timedOut(x.bodyErr):
		return fmt.Errorf("the body did not end: %w", x.bodyErr)
	}
	return nil
}

// timedOut reports whether the wait ended the read, not the peer.
func timedOut(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

// decoded is the body with its compression undone.
func (x *exchange) decoded() ([]byte, error) {
	if x.resp.Header.Get("Content-Encoding") != "gzip" || x.method == http.MethodHead {
		return x.body.Bytes(), nil
	}
	z, err := gzip.NewReader(bytes.NewReader(x.body.Bytes()))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// events are the payloads of a stream in Weir's own framing, [DONE] left out, or the elements of one that is an array.
func (x *exchange) events() []string {
	var out []string
	var list []json.RawMessage
	if json.Unmarshal(x.body.Bytes(), &list) == nil {
		for _, element := range list {
			out = append(out, string(element))
		}
		return out
	}
	for line := range strings.Lines(x.body.String()) {
		data, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "data: ")
		if ok && data != "[DONE]" {
			out = append(out, data)
		}
	}
	return out
}

// Closing is the user agent of requests that belong to no story: they try whether a connection closes.
const Closing = "weir-transcript-closing"

// closedAfter returns nil if the server closes the connection without a further byte. After a stream, it may also answer one more request with a header that
// says so.
func (x *exchange) closedAfter() error {
	asked := len(x.resp.TransferEncoding) > 0
	if asked {
		_, _ = io.WriteString(x.conn, "GET /healthz HTTP/1.1\r\nHost: weir\r\nUser-Agent: "+Closing+"\r\n\r\n") // fails if it is closed
	}
	rest, err := io.ReadAll(x.reader)
	switch {
	case timedOut(err):
		return errors.New("the server keeps the connection open")
	case len(rest) == 0:
		return nil
	case asked:
		resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(rest)), nil)
		if err == nil && resp.StatusCode == http.StatusOK && resp.Close {
			return nil
		}
	}
	return fmt.Errorf("after the response came more: %q", shorten(string(rest)))
}

func (x *exchange) close() {
	_ = x.conn.Close()
	if x.writes != nil {
		<-x.writes
		x.writes = nil
	}
}
