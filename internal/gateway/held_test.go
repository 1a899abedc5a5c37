package gateway

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// held is a body that looks how much memory is held when it is read on beyond its limit.
type held struct {
	rest    *strings.Reader
	limit   int
	read    int
	look    func() int64
	between int64 // what was held then, and 1; 0 before
}

func (h *held) Read(p []byte) (int, error) {
	if h.read > h.limit+(64<<10) && h.between == 0 {
		h.between = h.look() + 1
	}
	n, err := h.rest.Read(p[:min(len(p), 16<<10)])
	h.read += n
	return n, err
}

// A body that turns out too large is let go of before the rest of it is read on: that may take half a minute.
func TestATooLargeBodyIsNotHeldWhileItIsReadOn(t *testing.T) {
	t.Parallel()
	g, account := crowded(t, 60<<20)
	snap := *g.snapshot.Load()
	snap.MaxBody = 4 << 20
	g.Apply(&snap)
	before := account.Held()
	body := &held{rest: strings.NewReader(strings.Repeat(" ", 6<<20)), limit: 4 << 20, look: account.Held}
	w := httptest.NewRecorder()
	g.ServeHTTP(duplex{w}, chat(body, -1, ""))
	if w.Code != 413 || body.between == 0 || body.between-1 > before+(64<<10) {
		t.Errorf("%d; %d bytes were held while the rest was read on", w.Code, body.between-1-before)
	}
	if account.Held() != before {
		t.Errorf("%d bytes are left", account.Held()-before)
	}
}

// duplex is a recorder that can be written to before the body is read, and that has deadlines.
type duplex struct{ *httptest.ResponseRecorder }

func (duplex) EnableFullDuplex() error         { return nil }
func (duplex) SetReadDeadline(time.Time) error { return nil }
