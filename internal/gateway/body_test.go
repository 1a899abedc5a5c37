package gateway

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/weirproxy/weir/internal/llm"
)

// Why a body could not be read decides the caller's error, and whether more of the body may come.
func TestBodiesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	gone := &net.OpError{Op: "read", Net: "tcp", Err: errors.New("reset")}
	for name, tt := range map[string]struct {
		err, broken error
		chunked     bool
		http2       bool
		want        llm.Kind
		words       string
		early       bool
	}{
		"too large":                   {errOverLimit, nil, false, false, llm.TooLarge, "larger than 7 bytes", true},
		"too large as it was sent":    {errors.New("x"), errOverLimit, false, false, llm.TooLarge, "larger than 7 bytes", true},
		"no room":                     {errNoRoom, nil, false, false, llm.Overloaded, "", true},
		"too slow":                    {os.ErrDeadlineExceeded, os.ErrDeadlineExceeded, false, false, llm.RequestTimeout, "too slowly", false},
		"broken chunks":               {errors.New("x"), errors.New("malformed chunked encoding"), true, false, llm.InvalidJSON, "chunked encoding", false},
		"the same of HTTP/2":          {errors.New("x"), errors.New("stream"), true, true, llm.Canceled, "closed the connection", false},
		"an error without chunks":     {errors.New("x"), errors.New("y"), false, false, llm.Canceled, "closed the connection", false},
		"the client is gone":          {gone, gone, true, false, llm.Canceled, "closed the connection", false},
		"the client ended too soon":   {io.ErrUnexpectedEOF, io.ErrUnexpectedEOF, true, false, llm.Canceled, "closed the connection", false},
		"bad data, with more to come": {errors.New("gzip"), nil, false, false, llm.InvalidJSON, "valid gzip data", true},
		"bad data at the end":         {errors.New("gzip"), io.EOF, false, false, llm.InvalidJSON, "valid gzip data", false},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", http.NoBody)
		if tt.chunked {
			r.TransferEncoding = []string{"chunked"}
		}
		if tt.http2 {
			r.ProtoMajor = 2
		}
		err, early := unread(r, "gzip", 7, tt.err, tt.broken)
		if err.Kind != tt.want || early != tt.early || !strings.Contains(err.Message, tt.words) {
			t.Errorf("%s: %v, early %v", name, err, early)
		}
	}
}

// timed is a writer that records by when a body must arrive.
type timed struct {
	*httptest.ResponseRecorder
	until time.Time
}

// SetReadDeadline implements what http.ResponseController asks for.
func (w *timed) SetReadDeadline(t time.Time) error {
	w.until = t
	return nil
}

// A body has a while to begin, and more for each piece of it that came. Once it is read the deadline is removed.
func TestBodiesArePaced(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &timed{ResponseRecorder: httptest.NewRecorder()}
		began := time.Now()
		r := &pacedReader{body: strings.NewReader(strings.Repeat("a", 3*bodyRate)), most: 3 * bodyRate, control: *http.NewResponseController(w), started: began}
		piece := make([]byte, bodyRate)
		for i := range 3 {
			if n, err := r.Read(piece); n != bodyRate || err != nil {
				t.Fatalf("%d bytes, %v", n, err)
			}
			if want := began.Add(bodyGrace + time.Duration(i)*time.Second); !w.until.Equal(want) {
				t.Errorf("piece %d may take until %v, want %v", i, w.until, want)
			}
		}
		if _, err := r.Read(piece); err != io.EOF || r.err != io.EOF {
			t.Errorf("at the end: %v", err)
		}
		if r.done(); !w.until.IsZero() {
			t.Errorf("a deadline stays: %v", w.until)
		}
		over := &pacedReader{body: strings.NewReader("abc"), most: 2, control: *http.NewResponseController(w), started: began}
		if n, err := over.Read(piece); n != 0 || !errors.Is(err, errOverLimit) || !errors.Is(over.err, errOverLimit) {
			t.Errorf("of too many bytes: %d, %v", n, err)
		}
	})
}

// The status of an answer is known also if it was not set, and the first one counts.
func TestStatusOfAnAnswer(t *testing.T) {
	t.Parallel()
	for want, write := range map[int]func(http.ResponseWriter){
		http.StatusOK:       func(w http.ResponseWriter) { _, _ = w.Write([]byte("a")) },
		http.StatusNotFound: func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotFound); _, _ = w.Write([]byte("a")) },
		http.StatusAccepted: func(w http.ResponseWriter) { w.WriteHeader(http.StatusAccepted) },
	} {
		rec := httptest.NewRecorder()
		var w response
		w.begin(rec, time.Now(), nil)
		if write(&w); w.status != want || rec.Code != want {
			t.Errorf("%d and %d, want %d", w.status, rec.Code, want)
		}
	}
}
