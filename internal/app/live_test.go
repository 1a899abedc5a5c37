package app_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/app/apptest"
)

// watcher reads the events of a Weir's requests.
type watcher struct {
	*bufio.Reader
	resp *http.Response
}

// watch begins to watch. A refusal is an answer of another status.
func watch(t *testing.T, w *apptest.Weir, query string, header ...string) *watcher {
	t.Helper()
	if header == nil {
		header = []string{"Authorization", "Bearer " + w.AdminToken().Reveal()}
	}
	resp, err := http.DefaultClient.Do(request(t, "GET", w.AdminURL()+"/admin/v1/live"+query, "", header...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	watching := &watcher{bufio.NewReader(resp.Body), resp}
	if resp.StatusCode == http.StatusOK {
		if first, err := watching.ReadString('\n'); err != nil || first != ": watching\n" {
			t.Fatalf("%q %v", first, err)
		}
	}
	return watching
}

// next is the next event.
func (w *watcher) next(t *testing.T) (name string, data []byte) {
	t.Helper()
	for {
		line, err := w.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if rest, ok := strings.CutPrefix(line, "event: "); ok {
			name = strings.TrimSpace(rest)
		}
		if rest, ok := strings.CutPrefix(line, "data: "); ok {
			return name, []byte(rest)
		}
	}
}

// ended is the next event, which has to be the end of a request.
func (w *watcher) ended(t *testing.T) (e admin.Ended) {
	t.Helper()
	name, data := w.next(t)
	if err := json.Unmarshal(data, &e); err != nil || name != "end" {
		t.Fatalf("%s: %s", name, data)
	}
	return e
}

// Requests are seen as they begin and end, without a word of prompts and answers, and their ends are what the ledger has of them.
func TestRequestsAreWatched(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(`{"rules":[{"match":{"model":"fails"},"status":500}]}`))
	w := apptest.StartWith(t, priced(up, ""))
	one, other := w.NewKey(t, "one", "dear", "fails"), w.NewKey(t, "other")
	all, failed, ofOther := watch(t, w, ""), watch(t, w, "?status=failed"), watch(t, w, "?key=other&model=dear")
	const secretText = "a-prompt-that-no-one-may-see"
	body := strings.Replace(chatBody("dear"), `"hi"`, `"`+secretText+`"`, 1)
	if a := post(t, w, one, "/v1/chat/completions", body, "X-Request-Id", "mine", "Weir-Tags", "job=x"); a.status != 200 {
		t.Fatal(a.body)
	}
	name, data := all.next(t)
	var began admin.Running
	if err := json.Unmarshal(data, &began); err != nil || name != "start" || began.KeyName != "one" || began.Model != "dear" || *began.ClientID != "mine" || began.Provider != nil || strings.Contains(string(data), secretText) {
		t.Errorf("%s: %s", name, data)
	}
	end := all.ended(t)
	if end.Request.Request != began.Request || end.Answer != 200 || end.Error != nil || end.Provider != "up" || end.Upstream != "gpt-4o-mini" || end.Status != "ok" || end.Cost <= 0 || strings.Join(end.Tags, "") != "job=x" {
		t.Errorf("%+v", end)
	}
	until(t, "it is in the ledger, as it was seen", func() bool {
		var page admin.RequestPage
		if err := json.Unmarshal([]byte(manage(t, w, "GET", "/admin/v1/requests", "").body), &page); err != nil {
			t.Fatal(err)
		}
		if len(page.Data) == 0 {
			return false
		}
		seen, kept := end.Request, page.Data[0]
		seen.Started = kept.Started // which is rounded
		a, _ := json.Marshal(seen)
		b, _ := json.Marshal(kept)
		if string(a) != string(b) {
			t.Errorf("seen %s\nkept %s", a, b)
		}
		return true
	})
	post(t, w, one, "/v1/chat/completions", chatBody("fails"))
	if e := failed.ended(t); e.Outcome != "failed" || e.Answer != 502 || *e.Error != "upstream_failed" || e.Attempts == 0 {
		t.Errorf("%+v", e)
	}
	post(t, w, one, "/v1/chat/completions", chatBody("none"))
	if e := failed.ended(t); e.Answer != 404 || *e.Error != "model_not_found" || e.KeyName != "one" || e.Calls != 0 || e.Outcome != "" || e.TookMicros <= 0 {
		t.Errorf("%+v", e)
	}
	post(t, w, "no-key", "/v1/chat/completions", chatBody("dear"))
	post(t, w, other, "/v1/chat/completions", chatBody("any"))
	post(t, w, other, "/v1/chat/completions", chatBody("dear"))
	if name, data := ofOther.next(t); name != "start" || !strings.Contains(string(data), `"key_name":"other"`) || !strings.Contains(string(data), `"model":"dear"`) {
		t.Errorf("%s: %s", name, data)
	}
	if e := ofOther.ended(t); e.KeyName != "other" || e.Model != "dear" {
		t.Errorf("%+v", e)
	}
	for query, param := range map[string]string{"?since=1h": "since", "?limit=5": "limit", "?status=x": "status", "?min_took=x": "min_took", "?key=": "key", "?tag=x": "tag", "?format=csv": "format"} {
		if a := manage(t, w, "GET", "/admin/v1/live"+query, ""); a.status != 400 || !strings.Contains(a.body, `"param":"`+param+`"`) {
			t.Errorf("%s: %d %s", query, a.status, a.body)
		}
	}
	if a := manage(t, w, "HEAD", "/admin/v1/live", ""); a.status != 200 || a.header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("HEAD: %d %v", a.status, a.header)
	}
}

// 200 pages are open: 20 of them watch, the others get 503. None of those that watch reads, and requests are served all the same.
func TestWatchersDoNotSlowRequests(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, ""))
	key := w.NewKey(t, "app")
	watching := 0
	for range 200 {
		c, err := net.Dial("tcp", w.AdminAddr())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		if _, err := fmt.Fprintf(c, "GET /admin/v1/live HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n", w.AdminToken().Reveal()); err != nil {
			t.Fatal(err)
		}
		status, err := bufio.NewReaderSize(c, 16).ReadString('\n') // and nothing after it
		switch {
		case err == nil && status == "HTTP/1.1 200 OK\r\n":
			watching++
		case err != nil || status != "HTTP/1.1 503 Service Unavailable\r\n":
			t.Fatalf("%q %v", status, err)
		}
	}
	if a := manage(t, w, "GET", "/admin/v1/live", ""); watching != 20 || a.status != 503 || a.code() != "overloaded" || a.header.Get("Retry-After") == "" {
		t.Errorf("%d watch; %d %s", watching, a.status, a.body)
	}
	for range 300 {
		if a := post(t, w, key, "/v1/chat/completions", chatBody("m")); a.status != 200 {
			t.Fatal(a.body)
		}
	}
}

// Who leaves makes room. Watching ends with the session of the browser that does, and with Weir, which does not wait for it.
func TestWatchingEnds(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, ""))
	cookie := logIn(t, w)
	browser := watch(t, w, "", "Cookie", cookie, "Sec-Fetch-Site", "same-origin")
	for range 19 {
		watch(t, w, "")
	}
	if full := watch(t, w, ""); full.resp.StatusCode != 503 {
		t.Errorf("one too many: %d", full.resp.StatusCode)
	}
	if a := browse(t, w, "DELETE /admin/v1/session", cookie, ""); a.status != 200 {
		t.Fatal(a.body)
	}
	for {
		if _, err := browser.ReadString('\n'); err != nil {
			break
		}
	}
	var last *watcher
	until(t, "there is room again", func() bool {
		last = watch(t, w, "")
		return last.resp.StatusCode == 200
	})
	if err := w.Stop(t.Context()); err != nil { // with the drain's whole patience
		t.Error(err)
	}
	for {
		if _, err := last.ReadString('\n'); err != nil {
			break
		}
	}
}
