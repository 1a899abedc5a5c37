package admin

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/secret"
)

// render is the one place that writes an error.
func render(w http.ResponseWriter, r *http.Request, err *llm.Error) {
	if err.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(err.RetrySeconds()))
	}
	send(w, r, err.HTTPStatus(), secret.Hide(dialect.ErrorBody(err)))
}

func respond(w http.ResponseWriter, r *http.Request, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		render(w, r, shown(err))
		return
	}
	send(w, r, status, append(body, '\n'))
}

func send(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	sendAs(w, r, "application/json", status, body)
}

func sendAs(w http.ResponseWriter, r *http.Request, mediaType string, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Cache-Control", "no-store") // an answer may hold a new key
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // if this fails, the client is gone
	}
}

func unknownURL(w http.ResponseWriter, r *http.Request) {
	render(w, r, &llm.Error{Kind: llm.UnknownURL, Message: fmt.Sprintf(
		"The admin API has no %s; GET /admin/v1/openapi.json describes it. Models are served on the public address.", r.URL.Path)})
}

func methodNotAllowed[T any](w http.ResponseWriter, r *http.Request, methods map[string]T) {
	allowed := slices.Sorted(maps.Keys(methods))
	if slices.Contains(allowed, http.MethodGet) {
		allowed = append(allowed, http.MethodHead)
	}
	list := strings.Join(allowed, ", ")
	w.Header().Set("Allow", list)
	render(w, r, &llm.Error{Kind: llm.MethodNotAllowed, Message: fmt.Sprintf("%s does not work on %s; use %s.", r.Method, r.URL.Path, list)})
}
