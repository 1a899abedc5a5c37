package gateway

import (
	"net/http"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/secret"
)

// shown is a text of a caller as it may be repeated: without a key that it holds, and not at length.
func shown(text string) string { return llm.Clip(secret.Hide(text)) }

// refuse sends an error, unless something was sent already.
func (w *response) refuse(r *http.Request, err *llm.Error) {
	if w.status == 0 {
		render(w, r, err)
	}
}

// render is the one place that writes an error.
func render(w http.ResponseWriter, r *http.Request, err *llm.Error) {
	errors := errorsOf(r)
	errors.Identify(w.Header())
	body := describe(w.Header(), err, errors)
	w.WriteHeader(errors.Status(err))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client is gone if this fails
	}
}

// errorsOf is how errors of a request are written: in the dialect of its path, or of its client where others have that path too.
func errorsOf(r *http.Request) *dialect.Errors {
	path := clean(r.URL.EscapedPath())
	if in, _ := relayed(path, r.URL); in != nil {
		return in.Errors
	}
	return table.Errors(path, r.Header)
}

// describe sets the headers of an error in h, and returns its body.
func describe(h http.Header, err *llm.Error, errors *dialect.Errors) []byte {
	id := ""
	if ids := h["X-Request-Id"]; len(ids) > 0 {
		id = ids[0]
	}
	body := []byte(secret.Hide(errors.Body(err, id)))
	if err.RetryAfter > 0 {
		h["Retry-After"] = []string{strconv.Itoa(err.RetrySeconds())}
		h["Retry-After-Ms"] = []string{strconv.FormatInt(err.RetryAfter.Milliseconds(), 10)}
	}
	if err.NoRetry {
		h["X-Should-Retry"] = []string{"false"}
	}
	if err.HTTPStatus() == http.StatusUnauthorized {
		h["Www-Authenticate"] = []string{"Bearer"}
	}
	h["Content-Type"] = []string{"application/json"}
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	return body
}
