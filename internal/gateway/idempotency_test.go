package gateway

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/idempotency"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/memory"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/store/storetest"
)

// keeper is a caller whose answers are kept.
func keeper(t *testing.T) *auth.Principal {
	t.Helper()
	keys, err := auth.NewKeys(t.Context(), new(storetest.Memory), time.Now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, _, err := keys.Create(t.Context(), auth.Draft{Name: "k", Idempotency: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	caller, err := keys.Principal(key.ID)
	if err != nil {
		t.Fatal(err)
	}
	return caller
}

// A request that panics has let go of its claim, so that a repeat runs.
func TestAPanicReleasesTheClaim(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	m := &route.Model{Name: "m", MaxAttempts: 1, Targets: []route.Target{{Provider: "missing", Model: "m"}}} // no config allows that
	caller := keeper(t)
	g := newGateway(&log, func(string) (*auth.Principal, *llm.Error) { return caller, nil }, nil, m)
	g.repeats = idempotency.Open(new(storetest.Memory), idempotency.Owner{Instance: "here"}, time.Now)
	for _, content := range []string{"one", "one", "another"} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/chat/completions", strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"`+content+`"}]}`))
		r.Header.Set("Authorization", "Bearer key")
		r.Header.Set(idempotencyKey, "id")
		g.ServeHTTP(w, r)
		if w.Code != http.StatusInternalServerError || !strings.Contains(log.String(), "nil pointer") || !strings.Contains(log.String(), `"idempotency":"not_final"`) {
			t.Fatalf("no panic: %d %s\n%s", w.Code, w.Body, &log)
		}
	}
}

// A copy is complete or says why not. It takes memory only if there is room, and gives it back.
func TestCopiesOfAnswers(t *testing.T) {
	t.Parallel()
	half := bytes.Repeat([]byte("x"), idempotency.MaxAnswer/2)
	for _, tt := range []struct {
		name   string
		room   int64
		header http.Header
		pieces [][]byte
		broken bool
		lost   Idempotency
		whole  bool
	}{
		{"a stream", 1 << 30, http.Header{}, [][]byte{[]byte("a"), []byte("b")}, false, "", true},
		{"a stream whose client left", 1 << 30, http.Header{}, [][]byte{[]byte("a"), []byte("b")}, true, "", false},
		{"an answer whose client left", 1 << 30, http.Header{"Content-Length": {"2"}}, [][]byte{[]byte("a"), []byte("b")}, true, "", true},
		{"half an answer", 1 << 30, http.Header{"Content-Length": {"3"}}, [][]byte{[]byte("a"), []byte("b")}, false, "", false},
		{"the largest", 1 << 30, http.Header{}, [][]byte{half, half}, false, "", true},
		{"one byte more", 1 << 30, http.Header{}, [][]byte{half, half, []byte("x"), []byte("y")}, false, TooLarge, false},
		{"no memory", 1 << 10, http.Header{}, [][]byte{[]byte("a"), []byte("b")}, false, NoMemory, false},
	} {
		account := memory.NewAccount(tt.room)
		c := &copied{hold: account.Of()}
		c.begin(200, tt.header)
		for _, p := range tt.pieces {
			c.add(p)
		}
		if tt.broken {
			c.interrupt()
		}
		if c.lost != tt.lost || tt.lost == "" && c.whole() != tt.whole {
			t.Errorf("%s: lost %q, whole %v", tt.name, c.lost, c.whole())
		}
		if tt.lost == "" && !bytes.Equal(c.body, bytes.Join(tt.pieces, nil)) || tt.lost != "" && (c.body != nil || account.Held() != 0) {
			t.Errorf("%s: %d bytes, %d held", tt.name, len(c.body), account.Held())
		}
		if c.hold.End(); account.Held() != 0 {
			t.Errorf("%s: %d bytes are held", tt.name, account.Held())
		}
	}
}

// What a request with an Idempotency-Key gets that is neither run nor answered as before.
func TestWhyARequestDoesNotRun(t *testing.T) {
	t.Parallel()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		ctx     context.Context //nolint:containedctx // a test's table
		err     error
		status  int
		noRetry bool
		outcome Idempotency
	}{
		{t.Context(), idempotency.ErrMismatch, 422, false, Mismatch},
		{t.Context(), idempotency.ErrInProgress, 409, false, InProgress},
		{t.Context(), idempotency.ErrLost, 409, true, InProgress},
		{t.Context(), fmt.Errorf("the store: %w", errors.New("the disk is full")), 503, false, Unavailable},
		{gone, context.Canceled, 499, false, ""},
	} {
		var ev Event
		got := ev.notRun(tt.ctx, tt.err)
		if got.HTTPStatus() != tt.status || got.NoRetry != tt.noRetry || ev.Idempotency != tt.outcome || (got.RetryAfter > 0) != (tt.status != 422 && tt.status != 499 && !tt.noRetry) {
			t.Errorf("%v: %d %+v %s", tt.err, got.HTTPStatus(), got, ev.Idempotency)
		}
	}
}
