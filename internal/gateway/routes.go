package gateway

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/llm"
)

// dispatch finds the handler of a request. Paths are cleaned first, without a redirect, which would turn their
// POST into a GET. Clients leave out /v1, double it, double slashes and add one at the end.
func (g *Gateway) dispatch(w *response, r *http.Request, ev *Event, snap *Snapshot) *llm.Error {
	path := clean(r.URL.EscapedPath())
	in, model := relayed(path, r.URL)
	if in == nil {
		return g.other(w, r, ev, snap, table.Unversioned(path))
	}
	if r.Method != http.MethodPost {
		return misaddressed(w, r)
	}
	if in.Counting != nil {
		return g.count(w, r, ev, snap, call{in, model})
	}
	return g.serve(w, r, ev, snap, call{in, model}) // what is on the stack here is so for as long as a stream runs
}

// misaddressed refuses a request to an endpoint that is no POST.
func misaddressed(w http.ResponseWriter, r *http.Request) *llm.Error {
	if r.Method == http.MethodGet && strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		w.Header().Set("Upgrade", "HTTP/1.1") // RFC 9110 § 15.5.22 wants one
		return refuseEarly(w, r, &llm.Error{Kind: llm.UpgradeRequired, Message: "Weir serves no WebSockets. Send the request as an HTTP POST."})
	}
	return notAllowed(w, r, "POST")
}

// other finds the handler of a request that is not relayed.
func (g *Gateway) other(w http.ResponseWriter, r *http.Request, ev *Event, snap *Snapshot, path string) *llm.Error {
	switch path {
	case "": // how some clients find out whether anything answers
		if r.Method == http.MethodHead {
			ev.Quiet = true
			return onlyGet(w, r, func() *llm.Error { return answerText(w, "") })
		}
	case "models":
		return onlyGet(w, r, func() *llm.Error { return g.listModels(w, r, ev, snap) })
	case "usage":
		return onlyGet(w, r, func() *llm.Error { return g.ownUsage(w, r, ev) })
	case "healthz", "health":
		ev.Quiet = true
		return onlyGet(w, r, func() *llm.Error { return answerText(w, "ok\n") })
	case "readyz":
		ev.Quiet = true
		return onlyGet(w, r, func() *llm.Error { return g.ready(w) })
	}
	if id, ok := strings.CutPrefix(path, "models/"); ok {
		return onlyGet(w, r, func() *llm.Error { return g.oneModel(w, r, ev, snap, id) })
	}
	if api, rest := table.Stored(path); api != nil && snap.Stored != nil {
		return g.storedAnswer(w, r, ev, snap, api, rest)
	}
	_, _ = g.authenticate(r, ev) // whose it is, and which key its path may hold, is for the log alone
	return refuseEarly(w, r, unknownURL(r, path, snap))
}

// relayed is the endpoint at a cleaned path of an address, or nil. model is the name in the path, "" if the body has it: Azure's clients
// name a deployment, which here is a model.
func relayed(path string, address *url.URL) (in *dialect.Ingress, model string) {
	if in = table.At(path); in != nil {
		return in, ""
	}
	if in, model = table.Verb(path); in != nil {
		if in.Plain != nil && address.Query().Get("alt") != "sse" {
			in = in.Plain
		}
		return in, unescape(model)
	}
	rest, ok := strings.CutPrefix(path, "deployments/")
	if !ok {
		return nil, ""
	}
	for _, at := range table.Paths() {
		if name, ok := strings.CutSuffix(rest, "/"+at); ok {
			return table.At(at), unescape(name)
		}
	}
	return nil, ""
}

// clean drops empty segments, and every /v1 and /openai at the front. The latter is Azure's.
func clean(escaped string) string {
	if path, ok := strings.CutPrefix(escaped, "/v1/"); ok && (path == "models" || table.At(path) != nil) { // what well-behaved clients send
		return path
	}
	parts := slices.DeleteFunc(strings.Split(escaped, "/"), func(s string) bool { return s == "" })
	for len(parts) > 1 && (parts[0] == "v1" || parts[0] == "openai") {
		parts = parts[1:]
	}
	return strings.Join(parts, "/")
}

// onlyGet answers a GET, which may have a body all the same.
func onlyGet(w http.ResponseWriter, r *http.Request, handle func() *llm.Error) (err *llm.Error) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return notAllowed(w, r, "GET, HEAD")
	}
	answerEarly(w, r, func() {
		if err = handle(); err != nil {
			render(w, r, err)
		}
	})
	return err
}

func notAllowed(w http.ResponseWriter, r *http.Request, allow string) *llm.Error {
	w.Header().Set("Allow", allow)
	return refuseEarly(w, r, &llm.Error{
		Kind: llm.MethodNotAllowed, Message: "Not allowed to " + shown(r.Method) + " on " + shown(r.URL.Path) + ". Allowed: " + allow + ".",
	})
}

func unknownURL(r *http.Request, path string, snap *Snapshot) *llm.Error {
	message := "Unknown request URL: " + shown(r.Method) + " " + shown(r.URL.Path) + ". Weir serves POST /v1/chat/completions, /v1/responses, /v1/messages, /v1/completions and /v1/embeddings, and GET /v1/models."
	switch api, _ := table.Stored(path); {
	case api != nil && snap.Stored != nil:
		message += " Of a stored response it serves GET and DELETE /v1/responses/{id}, and GET /v1/responses/{id}/input_items."
	case api != nil:
		message += " This Weir stores no responses: send the whole history with each request."
	}
	return &llm.Error{Kind: llm.UnknownURL, Message: message}
}

func answerText(w http.ResponseWriter, text string) *llm.Error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(text))) // so that the answer is whole before the rest of a body is read
	_, _ = w.Write([]byte(text))                              // the client is gone if this fails
	return nil
}

func (g *Gateway) ready(w http.ResponseWriter) *llm.Error {
	if !g.Ready() {
		return &llm.Error{Kind: llm.Overloaded, RetryAfter: time.Second, Message: "Weir is shutting down."}
	}
	return answerText(w, "ok\n")
}

// unescape is a model's name in a path: percent-encoded as SDKs send it, or with its slashes as they are.
func unescape(escaped string) string {
	id, err := url.PathUnescape(escaped)
	if err != nil {
		return escaped
	}
	return id
}
