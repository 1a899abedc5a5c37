package admin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/live"
	"github.com/weirproxy/weir/internal/llm"
)

// LiveEvent is that a request begins, or that it has ended. It is not changed.
type LiveEvent struct {
	Running            // what is known of the request
	Ended   *LiveEnded // nil if it begins
}

// LiveEnded is how a request ended.
type LiveEnded struct {
	Status int             // of the answer
	Error  *llm.Error      // nil if it did not fail
	Calls  *ledger.Request // as the ledger has them; nil if none was made
}

// Ended is a request that has ended, as those who watch see it. One without calls has zeros for what only calls have.
type Ended struct {
	Request
	Answer int     `json:"answer_status"` // the status that its caller got
	Error  *string `json:"error"`         // the code of the error that its caller got; nil without one
}

// liveParams are the parameters of live: those of the list of requests that say something of single ones.
var liveParams = []string{"key", "team", "model", "provider", "target", "outcome", "status", "flag", "tag", "min_took", "min_cost_nanodollars"}

const (
	pingEvery  = 15 * time.Second
	liveReader = 10 * time.Second // how long a reader may leave events unread before its connection is closed
)

// watch answers requests as they begin and end, until the caller leaves, its session ends, or the admin API does.
func (h *Handler) watch(r *http.Request) (any, error) {
	q, query, err := h.askRequests(r, liveParams)
	if err != nil {
		return nil, err
	}
	if r.Method == http.MethodHead {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { beginEvents(w) }), nil
	}
	watcher, err := h.Live.Watch(filterOf(q, query).admits)
	switch {
	case errors.Is(err, live.ErrFull):
		return nil, &llm.Error{Kind: llm.Overloaded, RetryAfter: pingEvery, Message: fmt.Sprintf("%d watch the requests of this Weir already, which is as many as may. Close a page that shows them live, or poll GET /admin/v1/running and GET /admin/v1/requests.", live.MostWatchers)}
	case err != nil:
		return nil, &llm.Error{Kind: llm.Overloaded, RetryAfter: time.Second, Message: "Weir is shutting down.", Cause: err}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer watcher.Close()
		h.stream(w, r, watcher)
	}), nil
}

// liveFilter says which events are wanted.
type liveFilter struct {
	q       *ledger.RequestsQuery
	ofCalls bool // it asks for what only calls have
}

func filterOf(q *ledger.RequestsQuery, query url.Values) liveFilter {
	return liveFilter{q, query.Has("outcome") || query.Has("flag") || query.Has("provider") || query.Has("target") || q.MinCost > 0}
}

// admits reports whether an event is wanted. How a request ends, and where it is sent, is not known when it begins.
func (f liveFilter) admits(e *LiveEvent) bool {
	q := f.q
	switch {
	case q.Key != "" && q.Key != e.Key, q.Team != "" && (e.Team == nil || q.Team != *e.Team), q.Tag != "" && !slices.Contains(e.Tags, q.Tag):
		return false
	case e.Ended != nil && e.Ended.Calls != nil:
		return q.Admits(e.Ended.Calls)
	case f.ofCalls, q.Model != "" && q.Model != e.Model:
		return false
	case e.Ended != nil:
		return (q.Status == "" || q.Status == e.status()) && e.AgeMicros >= q.MinTook.Microseconds()
	}
	return q.Status == "" && q.MinTook == 0
}

// status is how a request without calls ended.
func (e *LiveEvent) status() ledger.Status {
	switch failure := e.Ended.Error; {
	case failure == nil:
		return ledger.StatusOK
	case failure.Kind == llm.Canceled:
		return ledger.StatusCanceled
	}
	return ledger.StatusFailed
}

func beginEvents(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
}

// stream writes what a watcher gets.
func (h *Handler) stream(w http.ResponseWriter, r *http.Request, watcher *live.Watcher[*LiveEvent]) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // the request has been read. A server that knows no deadlines set none
	beginEvents(w)
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for text := []byte(": watching\n\n"); ; {
		_ = control.SetWriteDeadline(time.Now().Add(liveReader))
		if _, err := w.Write(text); err != nil || control.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done(): // the caller left, or its session ended
			return
		case <-watcher.Ended():
			return
		case <-ping.C:
			text = []byte(": ping\n\n")
		case <-watcher.Ready():
			text = h.events(watcher.Take())
		}
	}
}

// events are server-sent events.
func (h *Handler) events(list []*LiveEvent, dropped int64) []byte {
	var out bytes.Buffer
	if dropped > 0 {
		fmt.Fprintf(&out, "event: dropped\ndata: {\"dropped\":%d}\n\n", dropped)
	}
	for _, e := range list {
		name, value := "start", any(e.Running)
		if e.Ended != nil {
			name, value = "end", h.showEnded(e)
		}
		text, err := json.Marshal(value)
		if err != nil {
			h.Log.Error("an event of a request cannot be written", "reason", err.Error())
			continue
		}
		fmt.Fprintf(&out, "event: %s\ndata: %s\n\n", name, text)
	}
	return out.Bytes()
}

func (h *Handler) showEnded(e *LiveEvent) Ended {
	shown := Ended{Answer: e.Ended.Status}
	if failure := e.Ended.Error; failure != nil {
		code := failure.Code()
		shown.Error = &code
	}
	if e.Ended.Calls != nil {
		shown.Request = h.showRequest(e.Ended.Calls)
		return shown
	}
	shown.Request = Request{
		Request: e.Request, ClientID: e.ClientID, Started: e.Started, Key: e.Key, KeyName: e.KeyName, Team: e.Team, Tags: e.Tags, Model: e.Model,
		Status: string(e.status()), Flags: []string{}, TookMicros: e.AgeMicros,
	}
	return shown
}
