package app_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/sim"
)

// hostile are values that would end a header, or begin another one, if they landed in it as they are.
func hostile() []string {
	return []string{
		"a\r\nEvil: 1", "a\nEvil: 1", "a\rEvil: 1", "a\r\n\r\nHTTP/1.1 200 OK\r\nEvil: 1\r\n\r\n", "a\x00b", "\r\nEvil: 1", "a\r\n Evil: 1", "a\u0085Evil: 1", "a\u2028Evil: 1",
		"a\x0bEvil: 1", "a\x7fb", "a\x1b[31mb", "a\u202eb", "a\ufeffb", strings.Repeat("a", 300) + "\r\nEvil: 1", "嘊嘍Evil: 1", "a%0d%0aEvil: 1", "a\\r\\nEvil: 1", "a;Evil=1", "a, Evil: 1", `a"Evil`,
	}
}

// clean fails the test unless text is whole HTTP answers whose headers hold nothing but what Weir sets.
func cleanHeaders(t *testing.T, what, text string) []*http.Response {
	t.Helper()
	var all []*http.Response
	for r := bufio.NewReader(strings.NewReader(text)); ; {
		if _, err := r.Peek(1); err == io.EOF {
			return all
		}
		resp, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Errorf("%s: %v in %q", what, err, text)
			return all
		}
		for name, values := range resp.Header {
			for _, value := range values {
				if strings.EqualFold(name, "Evil") || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
					t.Errorf("%s: the answer has the header %q: %q", what, name, value)
				}
			}
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			t.Errorf("%s: %v in %q", what, err, text)
			return all
		}
		_ = resp.Body.Close() // it is in memory
		all = append(all, resp)
	}
}

// No value that a caller puts into a request becomes a header, of the call upstream or of the answer.
func TestNothingIsInjectedIntoHeaders(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, ", forward_headers: [x-trace]"))
	key := w.NewKey(t, "key")
	send := func(what, header, body string) {
		text := fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: w\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n%s\r\n", key, len(body), header)
		if n := len(cleanHeaders(t, what, exchange(t, w.Addr(), text+body))); n > 2 { // one of them is exchange's own
			t.Errorf("%s: %d answers", what, n)
		}
	}
	for i, value := range hostile() {
		quoted, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		what := fmt.Sprintf("%.60q", value)
		body := fmt.Sprintf(`{"model":%s,"user":%s,"metadata":{%s:%s},"messages":[{"role":"user","content":%s}]}`, quoted, quoted, quoted, quoted, quoted)
		send("all over the body: "+what, "", body)
		send("all but the model: "+what, "", strings.Replace(body, string(quoted), fmt.Sprintf(`"m%d"`, i), 1))
		send("as the model of a stream: "+what, "", fmt.Sprintf(`{"model":%s,"stream":true,"messages":[{"role":"user","content":"hi"}]}`, quoted))
		for _, name := range []string{"X-Request-Id", "X-Trace", "Weir-Strict", "Weir-Tags", "X-Request-Timeout", "Idempotency-Key", "Content-Type", "Content-Encoding", "Via", "Origin", "Accept", "User-Agent", "Api-Key"} {
			send(name+": "+what, name+": "+value+"\r\n", chatBody("h"))
		}
		one := request(t, "GET", w.URL(), "", "Authorization", "Bearer "+key)
		one.URL.Path = "/v1/models/" + value
		if a := do(t, http.DefaultClient, one); a.header.Get("Evil") != "" || a.status >= 500 {
			t.Errorf("%s in the path: %d %v", what, a.status, a.header)
		}
	}
	allowed := strings.Fields("Accept Authorization Content-Length Content-Type User-Agent Via X-Trace")
	for _, s := range up.Served() {
		for name, values := range s.Header {
			if !slices.Contains(allowed, name) || len(values) != 1 || strings.ContainsAny(values[0], "\r\n\x00") {
				t.Errorf("the upstream got %q: %q", name, values)
			}
		}
		if s.Endpoint != "/models" && s.Target != "/v1/chat/completions" {
			t.Errorf("the upstream was called at %q", s.Target)
		}
	}
}

// If the model is part of a call's path, it is one segment of it.
func TestNothingIsInjectedIntoPaths(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, fmt.Sprintf(`
providers:
  azure: {kind: azure, base_url: %q, api_version: "2024-10-21", api_key: upstream-credential}
models:
  "*": {targets: ["azure/*"]}
`, strings.TrimSuffix(up.URL(), "/v1")))
	key := w.NewKey(t, "key")
	for _, model := range []string{
		"plain", "a/b", "../../admin", "..", ".", "a/..", "a?x=1", "a#b", "a%2fb", "a%2e%2e", "%2e%2e", "a;b", "a&api-version=1", `a\..\b`, "a b", "é", "a@b:80", "//evil.example", "a+b", "%", "%zz",
	} {
		before := len(up.Served())
		a := post(t, w, key, "/v1/chat/completions", chatBody(model))
		var last sim.Served
		for _, s := range up.Served() {
			last = s
		}
		path, query, _ := strings.Cut(last.Target, "?")
		rest, ok := strings.CutPrefix(path, "/openai/deployments/")
		segment, ok2 := strings.CutSuffix(rest, "/chat/completions")
		switch {
		case a.status == 404:
			if a.code() != "model_not_found" || len(up.Served()) != before {
				t.Errorf("%q: %s", model, a.body)
			}
		case !ok || !ok2 || strings.Contains(segment, "/") || segment == "." || segment == ".." || query != "api-version=2024-10-21":
			t.Errorf("%q: the upstream was called at %s (%d)", model, last.Target, a.status)
		case last.Model != model:
			t.Errorf("%q: the upstream read the deployment %q in %s", model, last.Model, last.Target)
		}
	}
}

// What an upstream sends cannot become a header of the answer either.
func TestUpstreamHeadersAreNotPassedOn(t *testing.T) {
	t.Parallel()
	const evil = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Request-Id: a\tb\r\nSet-Cookie: a=b\r\nEvil: 1\r\nWeir-Model: forged\r\n" +
		"Location: https://evil.example\r\nAccess-Control-Allow-Origin: *\r\nConnection: x\r\nTrailer: Evil\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nEvil: 1\r\n\r\n"
	script, err := json.Marshal(map[string]any{"rules": []any{map[string]any{"match": map[string]any{"path": "/chat/completions"}, "raw": evil}}})
	if err != nil {
		t.Fatal(err)
	}
	up := apptest.NewUpstream(t, script)
	w := apptest.StartWith(t, passAll(up, ""))
	a := post(t, w, w.NewKey(t, "key"), "/v1/chat/completions", chatBody("m"))
	for name := range a.header {
		if !slices.Contains([]string{"Content-Length", "Content-Type", "Date", "X-Request-Id", "Weir-Provider", "Weir-Model", "Weir-Attempts", "Weir-Cost"}, textproto.CanonicalMIMEHeaderKey(name)) {
			t.Errorf("the answer has %s: %q", name, a.header[name])
		}
	}
	if got := a.header.Get("Weir-Model"); a.status == 200 && got != "m" {
		t.Errorf("weir-model is %q", got)
	}
}

// Names of members that a target cannot be sent appear in a header, and in errors. No name breaks either, and a long one does not
// fill an error and the log.
func TestNamesOfWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, fmt.Sprintf("providers:\n  up: {kind: anthropic, base_url: %q, api_key: upstream-credential}\nmodels:\n  m: {targets: [up/claude-sonnet-4-5]}\n", up.URL()))
	key := w.NewKey(t, "key")
	for _, value := range append(hostile(), strings.Repeat("long", 1<<18)) {
		quoted, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		member := fmt.Sprintf(`{"model":"m",%s:1,"messages":[{"role":"user","content":"hi"}]}`, quoted)
		part := fmt.Sprintf(`{"model":"m","messages":[{"role":"user","content":[{"type":%s}]}]}`, quoted)
		for what, call := range map[string][2]string{"left out": {"", member}, "strict": {"Weir-Strict: true\r\n", member}, "a part": {"", part}} {
			before := len(w.Requests.String())
			text := fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: w\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n%s\r\n", key, len(call[1]), call[0])
			answer := exchange(t, w.Addr(), text+call[1])
			cleanHeaders(t, fmt.Sprintf("%s: %.60q", what, value), answer)
			if logged := len(w.Requests.String()) - before; len(answer) > 8<<10 || logged > 8<<10 {
				t.Errorf("%s: a name of %d bytes makes an answer of %d and %d bytes of log", what, len(value), len(answer), logged)
			}
		}
	}
}
