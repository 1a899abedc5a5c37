package admin_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/admin"
)

// deadlines notes those that are set on a connection.
type deadlines struct {
	http.ResponseWriter
	read []time.Time
}

// SetReadDeadline is found by http.ResponseController.
func (d *deadlines) SetReadDeadline(at time.Time) error {
	d.read = append(d.read, at)
	return nil
}

// played is what the gateway got of a call.
type played struct {
	Path, Body string
	Header     http.Header
}

// The gateway gets what a caller would send, on a connection without the deadlines of the admin API.
func TestThePlaygroundHandsCallsOver(t *testing.T) {
	t.Parallel()
	var got played
	on := &deadlines{}
	s := newServer(t, func(o *admin.Options) {
		o.Gateway = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if len(on.read) == 0 || !on.read[len(on.read)-1].IsZero() {
				t.Errorf("a deadline for reading is in force: %v", on.read)
			}
			text, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			got = played{r.URL.String(), string(text), r.Header}
			panic(http.ErrAbortHandler) // as where a stream breaks off
		})
	})
	body := strings.Repeat(" ", 2<<20) // more than the admin API takes elsewhere
	r := httptest.NewRequestWithContext(t.Context(), "POST", "http://127.0.0.1/admin/v1/playground/v1/messages?key=x", strings.NewReader(body))
	for name, value := range map[string]string{
		"Authorization": "Bearer " + token, "Weir-Playground-Key": "from the file", "Cookie": "weir=x", "Origin": "http://127.0.0.1", "Referer": "http://127.0.0.1/playground",
		"X-Api-Key": "x", "Content-Type": "application/json", "Anthropic-Version": "2023-06-01",
	} {
		r.Header.Set(name, value)
	}
	func() {
		defer func() {
			if reason := recover(); reason != http.ErrAbortHandler {
				t.Errorf("the panic %v", reason)
			}
		}()
		on.ResponseWriter = httptest.NewRecorder()
		s.Config.Handler.ServeHTTP(on, r)
	}()
	want := played{"/v1/messages", body, http.Header{"Authorization": {"Bearer from the file"}, "Content-Type": {"application/json"}, "Anthropic-Version": {"2023-06-01"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if r.Header.Get("Weir-Playground-Key") == "" || strings.Contains(s.log.String(), "from the file") {
		t.Errorf("the request was changed, or the key is in the log: %v %s", r.Header, s.log)
	}
}

// A page of another site cannot make a call with the cookie of a session, though it may guess a key.
func TestThePlaygroundIsForOwnPages(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(o *admin.Options) {
		o.Gateway = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") })
	})
	b := s.browser()
	b.logIn()
	const path = "/admin/v1/playground/v1/chat/completions"
	if got := b.sends("POST", path, "{}", "Weir-Playground-Key", "from the file"); got.status != 200 {
		t.Errorf("%d %s", got.status, got.body)
	}
	got := b.sends("POST", path, "{}", "Weir-Playground-Key", "from the file", "Sec-Fetch-Site", "cross-site")
	if got.status != 403 {
		t.Errorf("%d %s", got.status, got.body)
	}
}
