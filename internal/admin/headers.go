package admin

import "net/http"

// dataPolicy is for answers that are no pages, opened as one: nothing in them is run or loaded. The pages of the console have a policy of their own.
const dataPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// overTLS has browsers call this host by TLS alone for a year. It holds for all ports of the host, so it is not sent for loopback names.
const overTLS = "max-age=31536000"

// hardened says to browsers what they may do with the answers of next.
func hardened(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", dataPolicy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		if r.TLS != nil && !loopbackName(nameOf(r.Host)) {
			header.Set("Strict-Transport-Security", overTLS)
		}
		next.ServeHTTP(w, r)
	})
}
