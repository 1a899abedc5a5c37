package shape

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
)

// answer is one answer of the public API as it passes. It judges a stream line by line, and any other body at its end.
type answer struct {
	oracle *Oracle
	method string
	path   string // without /v1 and doubled slashes
	fault  func(error)

	status  int
	header  http.Header
	form    Form // what the body is, or each chunk; "" if it is no JSON
	stream  bool
	body    bytes.Buffer // the incomplete line of a stream
	between bool         // a line that ends an event has to come
	last    bool         // the stream has had its last event
	silent  bool         // one fault is enough
	family  *family      // another vendor's API, or another of OpenAI's; nil for chats and their like
}

// newAnswer makes an answer to a request; fault is called with what is wrong about it.
func newAnswer(o *Oracle, r *http.Request, fault func(error)) *answer {
	a := &answer{oracle: o, method: r.Method, path: endpoint(r.URL.EscapedPath())}
	a.family = familyOf(a.path, r.Header)
	a.fault = func(err error) {
		if !a.silent {
			a.silent = true
			fault(fmt.Errorf("%s %s was answered with %d, but %w", r.Method, r.URL, a.status, err))
		}
	}
	return a
}

// endpoint is a path without what clients put in its front and between, and without what Azure has in front.
func endpoint(path string) string {
	parts := slices.DeleteFunc(strings.Split(path, "/"), func(s string) bool { return s == "" })
	for len(parts) > 1 && (parts[0] == "v1" || parts[0] == "openai") {
		parts = parts[1:]
	}
	path = strings.Join(parts, "/")
	if deployed, ok := strings.CutPrefix(path, "deployments/"); ok {
		for _, at := range []string{"chat/completions", "completions", "embeddings"} {
			if strings.HasSuffix(deployed, "/"+at) {
				return at
			}
		}
	}
	return path
}

// head takes the status and the headers.
func (a *answer) head(status int, header http.Header) {
	if a.status != 0 || status < 200 {
		return
	}
	a.status, a.header = status, header.Clone()
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	a.stream = err == nil && media == "text/event-stream"
	switch {
	case a.method == http.MethodHead, status == http.StatusNoContent, status == http.StatusNotModified:
	case status == http.StatusOK && (a.path == "healthz" || a.path == "health" || a.path == "readyz" || a.path == "usage"):
	default:
		a.form = a.expected()
		if a.form == "" {
			a.fault(errors.New("nothing is served there"))
		}
		if !a.stream && media != "application/json" {
			a.fault(fmt.Errorf("its Content-Type is %q", header.Get("Content-Type")))
		}
	}
}

// expected is the form that the body, or each chunk, must have.
func (a *answer) expected() Form {
	switch {
	case a.family != nil:
		return a.family.form(a.path, a.status, a.stream)
	case a.status >= 400:
		return Error
	case a.stream:
		return map[string]Form{"chat/completions": ChatChunk, "completions": CompletionChunk}[a.path]
	case strings.HasPrefix(a.path, "models/"):
		return Model
	}
	return map[string]Form{"chat/completions": Chat, "completions": Completion, "embeddings": Embeddings, "models": Models}[a.path]
}

// write takes a piece of the body.
func (a *answer) write(p []byte) {
	if a.form == "" || a.silent {
		return
	}
	a.body.Write(p)
	for a.stream {
		line, err := a.body.ReadBytes('\n')
		if err != nil {
			a.body.Write(line)
			return
		}
		if err := a.line(line[:len(line)-1]); err != nil {
			a.fault(fmt.Errorf("a line of its stream is wrong: %w: %s", err, line))
		}
	}
}

// line takes one line of a stream, in the one framing that there is.
func (a *answer) line(line []byte) error {
	data, isData := bytes.CutPrefix(line, []byte("data: "))
	switch {
	case bytes.IndexByte(line, '\r') >= 0:
		return errors.New("it holds a carriage return, which ends lines too")
	case a.between && len(line) == 0:
		a.between = false
		return nil
	case a.between:
		return errors.New("the event before it does not end in a blank line")
	case a.last:
		return errors.New("it comes after the last event")
	case a.family != nil:
		a.between = isData
		var err error
		a.last, err = a.family.stream.line(line)
		return err
	case string(line) == ": keep-alive":
		return nil
	case !isData:
		return errors.New("it is neither data nor a keep-alive")
	}
	a.between = true
	if string(data) == "[DONE]" {
		a.last = true
		return nil
	}
	if bytes.HasPrefix(data, []byte(`{"error":`)) {
		a.last = true
		return a.oracle.Check(Error, data)
	}
	return a.oracle.Check(a.form, data)
}

// end judges what can be judged only at the end. broken says that the client got but a part.
func (a *answer) end(broken bool) {
	switch {
	case a.form == "" || a.silent || broken:
	case a.stream:
		if !a.last || a.between || a.body.Len() > 0 {
			a.fault(fmt.Errorf("its stream ends without [DONE] and without an error, in %q", a.body.Bytes()))
		}
	default:
		body, err := decoded(a.header, a.body.Bytes())
		if err == nil {
			err = a.check(body)
		}
		if err != nil {
			a.fault(fmt.Errorf("its body is wrong: %w: %s", err, body))
		}
	}
}

// check holds a whole body against its form.
func (a *answer) check(body []byte) error {
	if a.family != nil {
		return a.family.check(a.form, body)
	}
	return a.oracle.Check(a.form, body)
}

// decoded is a body with its compression undone.
func decoded(header http.Header, body []byte) ([]byte, error) {
	switch coding := header.Get("Content-Encoding"); coding {
	case "":
		return body, nil
	case "gzip":
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return body, err
		}
		return io.ReadAll(z)
	default:
		return body, fmt.Errorf("the encoding %q was not asked for", coding)
	}
}
