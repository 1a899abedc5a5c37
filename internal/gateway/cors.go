package gateway

import (
	"net/http"
	"slices"
)

// exposed are the headers of answers that a page may read.
const exposed = "x-request-id, request-id, idempotent-replayed, retry-after, retry-after-ms, weir-provider, weir-model, weir-attempts, weir-upstream-request-id, weir-ignored-params, weir-renamed-params, weir-explain, weir-estimated, weir-cost, x-ratelimit-limit-requests, x-ratelimit-remaining-requests, x-ratelimit-reset-requests, x-ratelimit-limit-tokens, x-ratelimit-remaining-tokens, x-ratelimit-reset-tokens"

// cors adds what a browser needs to let a page of an allowed origin read the answer, errors included. It reports
// whether the request is a preflight, which is then answered without a key, because browsers send none. The
// headers that a page asks to send are reflected, because SDKs keep adding new ones.
func cors(h http.Header, r *http.Request, origins []string) bool {
	if len(origins) == 0 {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	h["Vary"] = append(h["Vary"], "Origin")
	preflight := r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
	any := slices.Contains(origins, "*")
	if !any && !slices.Contains(origins, origin) {
		return preflight
	}
	if any {
		origin = "*"
	}
	h["Access-Control-Allow-Origin"] = []string{origin}
	if !preflight {
		h["Access-Control-Expose-Headers"] = []string{exposed}
		return false
	}
	h["Vary"] = append(h["Vary"], "Access-Control-Request-Headers")
	h["Access-Control-Allow-Methods"] = []string{"GET, HEAD, POST, DELETE, OPTIONS"}
	if wanted := r.Header.Get("Access-Control-Request-Headers"); wanted != "" {
		h["Access-Control-Allow-Headers"] = []string{wanted}
	}
	h["Access-Control-Max-Age"] = []string{"86400"}
	return true
}
