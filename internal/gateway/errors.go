package gateway

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/weirproxy/weir/internal/llm"
)

// refuse sends an error, unless something was sent already.
func (w *response) refuse(r *http.Request, err *llm.Error) {
	if w.status == 0 {
		render(w, r, err)
	}
}

// render is the one place that writes an error.
func render(w http.ResponseWriter, r *http.Request, err *llm.Error) {
	h := w.Header()
	status := err.HTTPStatus()
	body := err.Envelope()
	if err.RetryAfter > 0 {
		seconds := wholeSeconds(err.RetryAfter)
		h["Retry-After"] = []string{strconv.Itoa(seconds)}
		h["Retry-After-Ms"] = []string{strconv.FormatInt(err.RetryAfter.Milliseconds(), 10)}
		if status == http.StatusTooManyRequests { // some clients read the wait out of the message
			told := *err
			told.Message += fmt.Sprintf(" Please try again in %ds.", seconds)
			body = told.Envelope()
		}
	}
	if err.NoRetry {
		h["X-Should-Retry"] = []string{"false"}
	}
	if status == http.StatusUnauthorized {
		h["Www-Authenticate"] = []string{"Bearer"}
	}
	h["Content-Type"] = []string{"application/json"}
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client is gone if this fails
	}
}

// wholeSeconds is a wait as Retry-After tells it: from 1 to 60, for above that some clients ignore it and some
// sleep for as long as they are told.
func wholeSeconds(d time.Duration) int {
	return int(min(max((d+time.Second-1)/time.Second, 1), 60))
}
