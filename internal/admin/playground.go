package admin

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/llm"
)

// playgroundKey is the header with the API key that a call of the playground is made as. It is given with each call, and kept nowhere.
const playgroundKey = "Weir-Playground-Key"

// playgroundPath comes before the path of the public API.
const playgroundPath = "/admin/v1/playground"

// playground are the calls that operators may make through the gateway of this process. An API key that is sent with each of them decides what is
// allowed, and pays: to the gateway it is a call like any other of that key.
func (h *Handler) playground() (routes []route) {
	for _, path := range [...]string{"/v1/chat/completions", "/v1/messages", "/v1/responses"} {
		routes = append(routes, route{pattern: playgroundPath + path, methods: operations{"POST": {TryModels, h.play}}, relayed: true})
	}
	return routes
}

// play checks the key before the gateway does: its own answer to a wrong key, a 401, would tell a browser that the session has ended.
func (h *Handler) play(r *http.Request) (any, error) {
	keys := r.Header.Values(playgroundKey)
	if len(keys) == 0 || keys[0] == "" {
		return nil, &llm.Error{Kind: llm.MissingParameter, Param: "weir-playground-key", Message: "Send the API key that the call is to be made as in the header Weir-Playground-Key. It is charged for the call, and its limits apply."}
	}
	if len(keys) > 1 {
		return nil, &llm.Error{Kind: llm.InvalidValue, Param: "weir-playground-key", Message: "The header Weir-Playground-Key is repeated. Send it once."}
	}
	if _, err := h.Keys.Authenticate(keys[0]); err != nil {
		return nil, &llm.Error{Kind: llm.InvalidValue, Param: "weir-playground-key", Message: "No call can be made with the API key in Weir-Playground-Key: " + err.Message}
	}
	return http.HandlerFunc(h.relay), nil
}

// relay hands a call to the gateway, as the holder of the key would send it to the public listener.
func (h *Handler) relay(w http.ResponseWriter, r *http.Request) {
	// The gateway has deadlines of its own: for bodies as large as it takes, and for each piece of an answer.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // a server that knows no deadlines needs none
	h.Gateway.ServeHTTP(w, asCaller(r))
}

// asCaller is a request without what only the admin listener is to know: who the operator is, and where a page was.
func asCaller(r *http.Request) *http.Request {
	call := r.Clone(r.Context())
	call.URL = &url.URL{Path: strings.TrimPrefix(r.URL.Path, playgroundPath)}
	call.RequestURI = call.URL.Path
	call.Pattern = ""
	call.Header.Set("Authorization", "Bearer "+r.Header.Get(playgroundKey))
	for _, name := range [...]string{playgroundKey, "Cookie", "X-Api-Key", "Api-Key", "X-Goog-Api-Key", "Origin", "Referer"} {
		call.Header.Del(name)
	}
	return call
}
