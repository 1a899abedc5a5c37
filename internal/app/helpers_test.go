package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/sim"
)

// patience bounds waiting for what must happen; nothing is measured by it.
const patience = 3 * time.Minute

// long skips what takes long, unless it is asked for.
func long(t *testing.T) {
	t.Helper()
	if os.Getenv("WEIR_LONG") == "" {
		t.Skip("it takes long: set WEIR_LONG=1, as make long does")
	}
}

// passAll is a config that passes every model name through to one upstream.
func passAll(up *apptest.Upstream, more string) string {
	return fmt.Sprintf("providers:\n  up: {kind: openai, base_url: %q, api_key: upstream-credential%s}\nmodels:\n  \"*\": {targets: [\"up/*\"]}\n", up.URL(), more)
}

// chatBody is a request that an upstream can answer.
func chatBody(model string) string {
	return fmt.Sprintf(`{"model":%q,"messages":[{"role":"user","content":"hi"}]}`, model)
}

func streamBody(model string) string {
	return fmt.Sprintf(`{"model":%q,"stream":true,"messages":[{"role":"user","content":"hi"}]}`, model)
}

// answer is what came back, read whole.
type answer struct {
	status int
	header http.Header
	body   string
	err    error // error of reading the body
	proto  int   // the major version of HTTP
}

// code is the code of an error's envelope, "" if the body is another.
func (a answer) code() string {
	var body struct {
		Error struct{ Code string } `json:"error"`
	}
	_ = json.Unmarshal([]byte(a.body), &body)
	return body.Error.Code
}

// request makes a request with headers given as name, value, name, value.
func request(t testing.TB, method, url, body string, header ...string) *http.Request {
	t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, url, reader)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r
}

// do sends a request and reads the answer whole. It may be called from any goroutine.
func do(t testing.TB, client *http.Client, r *http.Request) answer {
	t.Helper()
	resp, err := client.Do(r)
	if err != nil {
		t.Errorf("%s %s: %v", r.Method, r.URL, err)
		return answer{err: err}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, string(body), err, resp.ProtoMajor}
}

// post sends a body to an endpoint with a key, on connections that end with the test.
func post(t testing.TB, w *apptest.Weir, key, path, body string, header ...string) answer {
	t.Helper()
	return do(t, http.DefaultClient, request(t, "POST", w.URL()+path, body, append([]string{"Authorization", "Bearer " + key}, header...)...))
}

func get(t testing.TB, w *apptest.Weir, key, path string, header ...string) answer {
	t.Helper()
	return do(t, http.DefaultClient, request(t, "GET", w.URL()+path, "", append([]string{"Authorization", "Bearer " + key}, header...)...))
}

// manage calls the admin API.
func manage(t testing.TB, w *apptest.Weir, method, path, body string) answer {
	t.Helper()
	return do(t, http.DefaultClient, request(t, method, w.AdminURL()+path, body, "Authorization", "Bearer "+w.AdminToken().Reveal()))
}

// served waits until the upstream's log satisfies done.
func served(t testing.TB, up *apptest.Upstream, done func([]sim.Served) bool) []sim.Served {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := up.Wait(ctx, done); err != nil {
		t.Fatal(err)
	}
	return up.Served()
}

// until polls a condition that has no event to wait for.
func until(t testing.TB, what string, done func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		if time.Now().After(deadline) {
			t.Fatalf("%s: this has not happened in %v", what, patience)
		}
		<-tick.C
	}
}

// logTells waits until the log has each of the words: a request's line is written when its answer has gone.
func logTells(t testing.TB, w *apptest.Weir, words ...string) {
	t.Helper()
	for _, words := range words {
		until(t, "the log has "+words, func() bool { return strings.Contains(w.Requests.String(), words) })
	}
}

// calls counts the upstream's calls for a model.
func calls(up *apptest.Upstream, model string) int {
	n := 0
	for _, s := range up.Served() {
		if s.Model == model || bytes.Contains(s.Body, []byte(`"`+model+`"`)) {
			n++
		}
	}
	return n
}
