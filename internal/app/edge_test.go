package app_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/sim"
)

// A browser's page of an allowed origin can read every answer, errors included, and a preflight needs no key.
func TestCORS(t *testing.T) {
	t.Parallel()
	const page = "https://chat.example.com"
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, "")+"cors: {origins: [\""+page+"\", \"http://localhost:3000\"]}\n")
	off := apptest.StartWith(t, passAll(up, ""))
	all := apptest.StartWith(t, passAll(up, "")+"cors: {origins: [\"*\"]}\n")
	key, keyOff := w.NewKey(t, "key"), off.NewKey(t, "key")
	preflight := func(w *apptest.Weir, path, origin string) answer {
		return do(t, http.DefaultClient, request(t, "OPTIONS", w.URL()+path, "", "Origin", origin,
			"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization,content-type,x-stainless-lang,x-new-one"))
	}
	for _, path := range []string{"/v1/chat/completions", "/chat/completions/", "/v1/models", "/nothing"} {
		a := preflight(w, path, page)
		if a.status != 204 || a.header.Get("Access-Control-Allow-Origin") != page || a.header.Get("Access-Control-Allow-Headers") != "authorization,content-type,x-stainless-lang,x-new-one" ||
			!strings.Contains(a.header.Get("Access-Control-Allow-Methods"), "POST") || !strings.Contains(strings.Join(a.header["Vary"], ","), "Origin") {
			t.Errorf("preflight of %s: %d %v", path, a.status, a.header)
		}
	}
	for _, origin := range []string{"https://evil.example", page + ".evil.example", "null", "http://chat.example.com", page + ":8443", "https://CHAT.example.com/"} {
		for _, a := range []answer{preflight(w, "/v1/chat/completions", origin), post(t, w, key, "/v1/chat/completions", chatBody("m"), "Origin", origin)} {
			if a.header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s is allowed: %v", origin, a.header)
			}
		}
	}
	if a := preflight(off, "/v1/chat/completions", page); a.status != 405 || a.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("preflight without cors in the config: %d %v", a.status, a.header)
	}
	if a := post(t, off, keyOff, "/v1/chat/completions", chatBody("m"), "Origin", page); a.status != 200 || a.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("without cors in the config: %d %v", a.status, a.header)
	}
	if a := preflight(all, "/v1/chat/completions", page); a.header.Get("Access-Control-Allow-Origin") != "*" || a.header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("preflight with any origin allowed: %d %v", a.status, a.header)
	}
	for what, a := range map[string]answer{
		"an answer":       post(t, w, key, "/v1/chat/completions", chatBody("m"), "Origin", page),
		"a stream":        post(t, w, key, "/v1/chat/completions", streamBody("m"), "Origin", page),
		"the list":        get(t, w, key, "/v1/models", "Origin", page),
		"a wrong key":     post(t, w, "no", "/v1/chat/completions", chatBody("m"), "Origin", page),
		"no JSON":         post(t, w, key, "/v1/chat/completions", "{", "Origin", page),
		"an unknown path": get(t, w, key, "/nothing", "Origin", page),
		"a wrong method":  get(t, w, key, "/v1/embeddings", "Origin", page),
	} {
		exposed := a.header.Get("Access-Control-Expose-Headers")
		if a.header.Get("Access-Control-Allow-Origin") != page || !strings.Contains(exposed, "x-request-id") || !strings.Contains(exposed, "retry-after") || !strings.Contains(exposed, "weir-") {
			t.Errorf("%s: %d %v", what, a.status, a.header)
		}
	}
}

func gzipped(t *testing.T, parts ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for _, part := range parts {
		if _, err := io.WriteString(z, part); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zstandard(t *testing.T, text string, options ...zstd.EOption) string {
	t.Helper()
	z, err := zstd.NewWriter(nil, options...)
	if err != nil {
		t.Fatal(err)
	}
	return string(z.EncodeAll([]byte(text), nil))
}

// Compressed bodies are read, those that decode to too much are refused without being held, and others are named.
func TestCompressedBodies(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, "")+"limits: {body: 256KiB}\n")
	key := w.NewKey(t, "key")
	huge := strings.Repeat(" ", 16<<20) // a few KiB, compressed
	body := chatBody("m")
	for _, tt := range []struct {
		what, encoding, body string
		status               int
		code                 string
	}{
		{"gzip", "gzip", gzipped(t, body), 200, ""},
		{"x-gzip", "X-GZIP", gzipped(t, body), 200, ""},
		{"two members of gzip", "gzip", gzipped(t, body[:10]) + gzipped(t, body[10:]), 200, ""},
		{"zstd", "zstd", zstandard(t, body), 200, ""},
		{"two frames of zstd", "zstd", zstandard(t, body[:10]) + zstandard(t, body[10:]), 200, ""},
		{"identity", "identity", body, 200, ""},
		{"a gzip bomb", "gzip", gzipped(t, huge), 413, "request_too_large"},
		{"a gzip bomb of many members", "gzip", strings.Repeat(gzipped(t, huge[:1<<20]), 16), 413, "request_too_large"},
		{"a zstd bomb", "zstd", zstandard(t, huge), 413, "request_too_large"},
		{"a zstd bomb of many frames", "zstd", strings.Repeat(zstandard(t, huge[:1<<20]), 16), 413, "request_too_large"},
		{"a zstd window too wide", "zstd", zstandard(t, body+huge, zstd.WithWindowSize(16<<20), zstd.WithSingleSegment(false)), 400, "invalid_json"},
		{"a bomb behind a bomb", "gzip", gzipped(t, gzipped(t, huge)), 400, "invalid_json"},
		{"gzip cut short", "gzip", gzipped(t, body)[:40], 400, "invalid_json"},
		{"gzip with a wrong sum", "gzip", gzipped(t, body)[:len(gzipped(t, body))-5] + "xxxxx", 400, "invalid_json"},
		{"gzip that is none", "gzip", body, 400, "invalid_json"},
		{"zstd that is none", "zstd", body, 400, "invalid_json"},
		{"gzip that says it is zstd", "zstd", gzipped(t, body), 400, "invalid_json"},
		{"nothing, as gzip", "gzip", "", 400, "invalid_json"},
		{"br", "br", body, 415, "unsupported_media_type"},
		{"deflate", "deflate", body, 415, "unsupported_media_type"},
		{"gzip twice", "gzip, gzip", gzipped(t, gzipped(t, body)), 415, "unsupported_media_type"},
		{"chunked as an encoding", "chunked", body, 415, "unsupported_media_type"},
	} {
		if a := post(t, w, key, "/v1/chat/completions", tt.body, "Content-Encoding", tt.encoding); a.status != tt.status || a.code() != tt.code {
			t.Errorf("%s: %d %s", tt.what, a.status, a.body)
		}
	}
	if n := calls(up, "m"); n != 6 {
		t.Errorf("the upstream was called %d times", n)
	}
	for _, s := range up.Served() {
		if s.Endpoint == "/chat/completions" && (string(s.Body) != body || s.Header.Get("Content-Encoding") != "") {
			t.Errorf("the upstream got %q as %q", s.Body, s.Header)
		}
	}
}

// A bomb costs what the limit allows, not what it decodes to.
func TestBombsAreNotHeld(t *testing.T) { //nolint:paralleltest // it measures the process's allocations
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, "")+"limits: {body: 256KiB}\n")
	key := w.NewKey(t, "key")
	bombs := map[string]string{"gzip": gzipped(t, strings.Repeat(" ", 32<<20)), "zstd": zstandard(t, strings.Repeat(" ", 32<<20))}
	for encoding, bomb := range bombs {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		const n = 5
		for range n {
			if a := post(t, w, key, "/v1/chat/completions", bomb, "Content-Encoding", encoding); a.status != 413 {
				t.Errorf("%s: %d", encoding, a.status)
			}
		}
		runtime.ReadMemStats(&after)
		if each := (after.TotalAlloc - before.TotalAlloc) / n; each > 16<<20 {
			t.Errorf("a %s bomb takes %d bytes of memory", encoding, each)
		}
	}
}

// As many embeddings as the convention allows in one answer pass, as they are and in the other encoding. Vectors of 3,072
// numbers do as well, but take the race detector half a minute.
func TestLargeEmbeddings(t *testing.T) {
	t.Parallel()
	const inputs, length = 2048, 256
	floats := "[" + strings.Repeat("-0.015625,", length-1) + "1.5]"
	encoded := base64.StdEncoding.EncodeToString(append(bytes.Repeat([]byte{0, 0, 0x80, 0xbc}, length-1), 0, 0, 0xc0, 0x3f))
	answer := func(vector string) string {
		var data strings.Builder
		for i := range inputs {
			fmt.Fprintf(&data, `,{"object":"embedding","index":%d,"embedding":%s}`, i, vector)
		}
		return `{"object":"list","data":[` + data.String()[1:] + `],"model":"m","usage":{"prompt_tokens":1,"total_tokens":1}}`
	}
	body := answer(floats)
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, body) // the test fails if this does
	}))
	defer up.Close()
	w := apptest.StartBare(t, fmt.Sprintf("providers:\n  up: {kind: openai, base_url: %q}\nmodels:\n  m: {targets: [up/m]}\n", up.URL+"/v1"))
	key := w.NewKey(t, "key")
	for more, want := range map[string]string{"": body, `,"encoding_format":"base64"`: answer(strconv.Quote(encoded))} {
		a := post(t, w, key, "/v1/embeddings", `{"model":"m"`+more+`,"input":["a"`+strings.Repeat(`,"a"`, inputs-1)+`]}`)
		if a.status != 200 || a.body != want {
			t.Errorf("asked for {%s}: status %d, %d bytes, not the %d that were expected", more, a.status, len(a.body), len(want))
		}
	}
}

// The models of a provider that are passed through are known at once after a restart, while the provider is away.
func TestModelListIsKeptOverARestart(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"models":["alpha","beta/gamma"],"created":1700000000}`))
	path := filepath.Join(t.TempDir(), "weir.yaml")
	text := fmt.Sprintf("providers:\n  up: {kind: openai, base_url: %q, api_key: upstream-credential}\nmodels:\n  \"up/*\": {targets: [\"up/*\"]}\n  own: {targets: [up/alpha], display_name: Own}\n", up.URL())
	rewrite(t, path, text)
	names := func(w *apptest.Weir, key string) string {
		var list struct{ Data []struct{ ID string } }
		a := get(t, w, key, "/v1/models")
		if err := json.Unmarshal([]byte(a.body), &list); err != nil || a.status != 200 {
			t.Fatalf("%d %s", a.status, a.body)
		}
		var ids []string
		for _, m := range list.Data {
			ids = append(ids, m.ID)
		}
		return strings.Join(ids, " ")
	}
	const want = "own up/alpha up/beta/gamma"
	var key string
	t.Run("first", func(t *testing.T) {
		w := apptest.Start(t, path)
		key = w.NewKey(t, "key")
		until(t, "the list is fetched", func() bool { return names(w, key) == want })
		for _, id := range []string{"up/beta/gamma", "up%2Fbeta%2Fgamma", "up/beta%2fgamma"} {
			if a := get(t, w, key, "/v1/models/"+id); a.status != 200 || !strings.Contains(a.body, `"id":"up/beta/gamma"`) {
				t.Errorf("%s: %d %s", id, a.status, a.body)
			}
		}
		if a := get(t, w, key, "/v1/models/up/none"); a.status != 200 || !strings.Contains(a.body, `"id":"up/none"`) {
			t.Errorf("a model that a POST would be tried for, though the provider does not list it: %d %s", a.status, a.body)
		}
		if a := get(t, w, key, "/v1/models/none"); a.status != 404 || a.code() != "model_not_found" {
			t.Errorf("a model that no POST would be tried for: %d %s", a.status, a.body)
		}
	})
	rewrite(t, path, strings.Replace(text, up.URL(), "http://127.0.0.1:1/v1", 1))
	w := apptest.Start(t, path)
	if got := names(w, key); got != want {
		t.Errorf("after a restart: %s, want %s", got, want)
	}
}

// A provider may change to one whose API has no list, such as Azure's dated one. It does not keep its old list, not even in the
// store.
func TestAModelListGoesWithItsProvider(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"models":["alpha"]}`))
	path := filepath.Join(t.TempDir(), "weir.yaml")
	const text = "providers:\n  up: {%s, base_url: %q, api_key: upstream-credential}\nmodels:\n  \"up/*\": {targets: [\"up/*\"]}\n"
	rewrite(t, path, fmt.Sprintf(text, "kind: openai", up.URL()))
	var key string
	listed := func(w *apptest.Weir) bool { return strings.Contains(get(t, w, key, "/v1/models").body, `"up/alpha"`) }
	t.Run("the list goes", func(t *testing.T) {
		w := apptest.Start(t, path)
		key = w.NewKey(t, "key")
		until(t, "the list is fetched", func() bool { return listed(w) })
		rewrite(t, path, fmt.Sprintf(text, "kind: azure, api_version: 2024-10-21", strings.TrimSuffix(up.URL(), "/v1")))
		if a := manage(t, w, "POST", "/admin/v1/reload", ""); a.status != 200 {
			t.Fatal(a.body)
		}
		until(t, "the list is gone", func() bool { return !listed(w) })
	})
	if w := apptest.Start(t, path); listed(w) {
		t.Error("the list is there after a restart")
	}
}

// Two Weirs that lead to each other notice it, however the request came in.
func TestLoopThroughAnotherWeir(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "weir.yaml")
	up := apptest.NewUpstream(t, nil)
	rewrite(t, path, passAll(up, ""))
	first := apptest.Start(t, path)
	key := first.NewKey(t, "key")
	second := apptest.StartWith(t, fmt.Sprintf("providers:\n  up: {kind: openai, base_url: %q, api_key: %q}\nmodels:\n  \"*\": {targets: [\"up/*\"]}\n", first.URL()+"/v1", key))
	back := second.NewKey(t, "back")
	rewrite(t, path, fmt.Sprintf("providers:\n  up: {kind: openai, base_url: %q, api_key: %q}\nmodels:\n  \"*\": {targets: [\"up/*\"]}\n", second.URL()+"/v1", back))
	if a := manage(t, first, "POST", "/admin/v1/reload", ""); a.status != 200 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	for _, body := range []string{chatBody("m"), streamBody("m")} {
		if a := post(t, first, key, "/v1/chat/completions", body); a.status < 500 || !strings.Contains(a.body, "came back to the Weir") && a.code() != "loop_detected" {
			t.Errorf("%d %s", a.status, a.body)
		}
	}
	if n := len(served(t, up, func([]sim.Served) bool { return true })); n > 2 { // its list was asked for before the reload
		t.Errorf("the upstream was called %d times", n)
	}
}

// HEAD is GET without the body, on every path that GET has.
func TestHEAD(t *testing.T) {
	t.Parallel()
	w := apptest.StartWith(t, fmt.Sprintf("providers:\n  up: {kind: openai, base_url: %q}\nmodels:\n  some: {targets: [up/m]}\n", apptest.NewUpstream(t, nil).URL()))
	key := w.NewKey(t, "key")
	for _, path := range []string{"/healthz", "/readyz", "/v1/models", "/models/", "/v1/models/some", "/v1/v1/models", "//v1//models//", "/nothing", "/v1/chat/completions"} {
		whole := get(t, w, key, path)
		head := do(t, http.DefaultClient, request(t, "HEAD", w.URL()+path, "", "Authorization", "Bearer "+key))
		if head.status != whole.status || head.body != "" || head.header.Get("Content-Type") != whole.header.Get("Content-Type") || head.header.Get("Location") != "" {
			t.Errorf("%s: HEAD %d %v, GET %d %v", path, head.status, head.header, whole.status, whole.header)
		}
	}
}

// What Weir keeps on disk can be read by its owner alone.
func TestDataFolderIsPrivate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "weir.yaml")
	rewrite(t, path, passAll(apptest.NewUpstream(t, nil), ""))
	w := apptest.Start(t, path)
	w.NewKey(t, "key")
	folder := filepath.Join(filepath.Dir(path), "weir-data")
	files, err := os.ReadDir(folder)
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v %v", f.Name(), info.Mode(), err)
		}
	}
}
