package gateway

import (
	"net/http"

	"github.com/weirproxy/weir/internal/listener"
	"github.com/weirproxy/weir/internal/llm"
)

// closeAfter makes the answer the last on its connection. An HTTP/2 connection has other requests, and no answer delays them.
func closeAfter(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor == 1 {
		w.Header()["Connection"] = []string{"close"}
	}
}

// keepMost is the longest rest of a body after which a connection is used again; after a longer one it is closed.
const keepMost = 1 << 20

// refuseEarly sends a refusal before the body was read, and then reads on. It returns err, marked as sent.
func refuseEarly(w http.ResponseWriter, r *http.Request, err *llm.Error) *llm.Error {
	answerEarly(w, r, func() { render(w, r, err) })
	return err
}

// answerEarly sends an answer before the body was read, and then reads on.
func answerEarly(w http.ResponseWriter, r *http.Request, answer func()) {
	control := http.NewResponseController(w)
	if r.ContentLength == 0 || r.Header.Get("Expect") != "" || control.EnableFullDuplex() != nil {
		answer() // the request has no body, or it was never asked for
		return
	}
	if r.ContentLength < 0 || r.ContentLength > keepMost {
		closeAfter(w, r)
	}
	answer()
	_ = control.Flush() // the client is gone if this fails
	listener.ReadOn(control, r)
}
