package gateway

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/memory"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

// crowded is a gateway whose account others use all but free bytes of.
func crowded(t *testing.T, free int64) (*Gateway, *memory.Account) {
	t.Helper()
	g := newGateway(io.Discard, func(string) (*auth.Principal, *llm.Error) { return &auth.Principal{KeyID: "k"}, nil },
		func(string) ([]provider.ModelInfo, bool) { return nil, false })
	account := memory.NewAccount(64 << 20)
	for account.Held() < 64<<20-free {
		one := account.Of()
		one.Grow(1 << 20)
	}
	g.memory = account
	g.snapshot.Store(&Snapshot{Table: route.NewTable(nil, route.NewBoard(), nil), MaxBody: 32 << 20, MaxDepth: 64})
	return g, account
}

// untouched is a body that must not be read.
type untouched struct{ t *testing.T }

func (u untouched) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, io.EOF
}

func chat(body io.Reader, length int64, encoding string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", body)
	r.ContentLength = length
	r.Header.Set("Authorization", "Bearer k")
	if encoding != "" {
		r.Header.Set("Content-Encoding", encoding)
	}
	return r
}

func packed(t *testing.T, text, encoding string) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&b)
	if encoding == "zstd" {
		z, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		w = z
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &b
}

// What does not fit is refused in the caller's own terms, and whatever happens the memory is as before.
func TestAdmission(t *testing.T) {
	t.Parallel()
	body := func(size int) string {
		return `{"model":"none","messages":["` + strings.Repeat("x", size) + `"]}`
	}
	const refused, passed = 503, 404 // the model does not exist
	list := httptest.NewRequest(http.MethodGet, "/v1/models", nil)
	list.Header.Set("Authorization", "Bearer k")
	for _, tt := range []struct {
		name string
		free int64
		r    *http.Request
		want int
	}{
		{"a tiny body", 4 << 20, chat(strings.NewReader(body(10)), int64(len(body(10))), ""), passed},
		{"a tiny body, nearly nothing left", 1 << 20, chat(untouched{t}, int64(len(body(10))), ""), refused},
		{"a body of 512 KiB", 8 << 20, chat(strings.NewReader(body(512<<10)), int64(len(body(512<<10))), ""), passed},
		{"the same, less left", 4 << 20, chat(untouched{t}, 512<<10, ""), refused},
		{"a body of 4 MiB", 20 << 20, chat(strings.NewReader(body(4<<20)), int64(len(body(4<<20))), ""), passed},
		{"the same, less left", 10 << 20, chat(untouched{t}, 4<<20, ""), refused},
		{"a body of unknown length", 20 << 20, chat(strings.NewReader(body(4<<20)), -1, ""), passed},
		{"the same, less left", 10 << 20, chat(strings.NewReader(body(4<<20)), -1, ""), refused},
		{"a body in gzip", 20 << 20, chat(packed(t, body(4<<20), "gzip"), -1, "gzip"), passed},
		{"the same, less left", 10 << 20, chat(packed(t, body(4<<20), "gzip"), -1, "gzip"), refused},
		{"a tiny body in zstd", 30 << 20, chat(packed(t, body(10), "zstd"), -1, "zstd"), passed},
		{"the same, no room for its window", 10 << 20, chat(packed(t, body(10), "zstd"), -1, "zstd"), refused},
		{"health", 0, httptest.NewRequest(http.MethodGet, "/healthz", nil), 200},
		{"the list of models", 0, list, 200},
	} {
		t.Run(fmt.Sprintf("%s/%d", tt.name, tt.free>>20), func(t *testing.T) {
			t.Parallel()
			g, account := crowded(t, tt.free)
			before := account.Held()
			w := httptest.NewRecorder()
			g.ServeHTTP(w, tt.r)
			if w.Code != tt.want || account.Held() != before {
				t.Errorf("%d, want %d; %d bytes are left: %s", w.Code, tt.want, account.Held()-before, w.Body)
			}
			if tt.want != refused {
				return
			}
			var answer struct{ Error struct{ Type, Code string } }
			if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || answer.Error.Code != "overloaded" || answer.Error.Type != "server_error" {
				t.Errorf("%s", w.Body)
			}
			if w.Header().Get("Retry-After") != "1" {
				t.Errorf("retry-after %q", w.Header().Get("Retry-After"))
			}
		})
	}
}

// A request that would find no place, and should not wait for one, is refused before the body is read. One that may wait is
// read first.
func TestRefusedBeforeTheBody(t *testing.T) {
	t.Parallel()
	g, _ := crowded(t, 64<<20)
	snap := *g.snapshot.Load()
	snap.MaxRequests = 1
	g.Apply(&snap)
	ask := func(r *http.Request) (int, string) {
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		return w.Code, w.Header().Get("Retry-After")
	}
	body := `{"model":"none","messages":[1]}`
	if status, _ := ask(chat(strings.NewReader(body), int64(len(body)), "")); status != 404 {
		t.Errorf("there is a place: %d", status)
	}
	g.places.Enter(1, 9)
	if status, after := ask(chat(untouched{t}, 100, "")); status != 503 || after != "1" {
		t.Errorf("there is none: %d, retry-after %q", status, after)
	}
	snap.Wait = time.Second
	g.Apply(&snap)
	if status, _ := ask(chat(strings.NewReader(body), int64(len(body)), "")); status != 404 {
		t.Errorf("it would be first in line: %d", status)
	}
}

// A header that takes much memory is counted before its key is looked up.
func TestLargeHeadersAreCounted(t *testing.T) {
	t.Parallel()
	for _, proto := range []int{1, 2} {
		g, account := crowded(t, 6<<20)
		before := account.Held()
		r := httptest.NewRequest(http.MethodGet, "/healthz", nil)
		r.ProtoMajor = proto
		for i := range 20_000 {
			r.Header[fmt.Sprintf("X-%d", i)] = []string{""}
		}
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		if want := map[int]int{1: 200, 2: 503}[proto]; w.Code != want || account.Held() != before { // the connection knows how long it was
			t.Errorf("HTTP/%d: %d; %d bytes are left", proto, w.Code, account.Held()-before)
		}
	}
}

// A header without room is refused as any request is.
func TestHeadersWithoutRoomAreOverloaded(t *testing.T) {
	t.Parallel()
	refusal := HeaderRefusal()
	body, err := io.ReadAll(refusal.Body)
	if err != nil || refusal.StatusCode != http.StatusServiceUnavailable || refusal.ContentLength != int64(len(body)) || refusal.Header.Get("Retry-After") != "1" ||
		refusal.Header.Get("Content-Type") != "application/json" || !bytes.Contains(body, []byte(`"code":"overloaded"`)) {
		t.Errorf("%d %v %s %v", refusal.StatusCode, refusal.Header, body, err)
	}
}
