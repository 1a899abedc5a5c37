package app_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// slow is an upstream that answers each call when the test says so.
type slow struct {
	base   string
	here   chan struct{} // gets one for each call that has arrived
	answer chan struct{} // has one call answered for each that it gets
}

func newSlow(t *testing.T) *slow {
	s := &slow{here: make(chan struct{}, 1000), answer: make(chan struct{})}
	s.base, _ = startUpstream(t, nil, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		s.here <- struct{}{}
		select {
		case <-s.answer:
			fmt.Fprint(w, completion("here you are"))
		case <-r.Context().Done():
		}
	}, nil)
	return s
}

// has waits for a call.
func (s *slow) has(t *testing.T) {
	t.Helper()
	select {
	case <-s.here:
	case <-time.After(patience):
		t.Fatal("the upstream was not called")
	}
}

// crowd sends n requests at once, whether the ones before are answered or not.
func crowd(t *testing.T, w *apptest.Weir, key, body string, n int) (answers chan answer, done func()) {
	answers = make(chan answer, n)
	var all sync.WaitGroup
	for range n {
		all.Go(func() { answers <- post(t, w, key, "/v1/chat/completions", body) })
	}
	return answers, all.Wait
}

// running waits until so many requests run, or wait.
func running(t *testing.T, w *apptest.Weir, n int) {
	t.Helper()
	until(t, fmt.Sprintf("%d requests run", n), func() bool {
		return strings.Contains(manage(t, w, "GET", "/metrics", "").body, fmt.Sprintf("\nweir_requests_running %d\n", n))
	})
}

// With three times as many requests as allowed, as many as allowed are answered. The others are refused while those still
// run. Meanwhile health checks, lists and the admin listener answer.
func TestOverload(t *testing.T) {
	t.Parallel()
	const places = 8
	for name, tt := range map[string]struct{ limits, provider, target string }{
		"in all":      {limits: "requests: 8, wait: 20ms"},
		"no waiting":  {limits: "requests: 8, wait: 0s"},
		"at a target": {limits: "wait: 20ms", target: ", concurrent: 8"},
		"at provider": {limits: "wait: 0s", provider: ", concurrent: 8"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			up := newSlow(t)
			w := apptest.StartWith(t, fmt.Sprintf(`
limits: {%s}
providers: {up: {kind: openai, base_url: %q, api_key: upstream-credential%s}}
models: {m: {targets: [{provider: up, model: x%s}]}}
`, tt.limits, up.base, tt.provider, tt.target))
			key := w.NewKey(t, "caller")
			for range 3 {
				answers, done := crowd(t, w, key, chatBody("m"), 3*places)
				for range places {
					up.has(t)
				}
				for range 2 * places {
					a := <-answers
					if a.status != http.StatusServiceUnavailable || a.code() != "overloaded" || a.header.Get("Retry-After") != "1" {
						t.Fatalf("%d %v %s", a.status, a.header, a.body)
					}
				}
				for url, path := range map[string]string{"/healthz": w.URL(), "/readyz": w.URL(), "/v1/models": w.URL(), "/metrics": w.AdminURL(), "/admin/v1/keys": w.AdminURL()} {
					bearer := key
					if strings.HasPrefix(url, "/admin") {
						bearer = w.AdminToken().Reveal()
					}
					if a := do(t, http.DefaultClient, request(t, "GET", path+url, "", "Authorization", "Bearer "+bearer)); a.status != http.StatusOK {
						t.Errorf("%s: %d %s", url, a.status, a.body)
					}
				}
				for range places {
					up.answer <- struct{}{}
					if a := <-answers; a.status != http.StatusOK {
						t.Fatalf("%d %s", a.status, a.body)
					}
				}
				done()
				running(t, w, 0)
			}
			if len(up.here) > 0 {
				t.Errorf("the upstream had %d calls too many", len(up.here))
			}
		})
	}
}

// A request that finds all places taken is answered when one becomes free. Otherwise it ends with its client, its deadline or
// its patience, and gives back all that it held.
func TestWaitingForPlaces(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ limits, target string }{
		"in all":      {limits: "requests: 1, wait: 1m"},
		"at a target": {limits: "wait: 1m", target: ", concurrent: 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			up := newSlow(t)
			w := apptest.StartWith(t, fmt.Sprintf(`
limits: {%s}
providers: {up: {kind: openai, base_url: %q, api_key: upstream-credential}}
models: {m: {targets: [{provider: up, model: x%s}]}}
`, tt.limits, up.base, tt.target))
			key := w.NewKey(t, "caller")
			first, _ := crowd(t, w, key, chatBody("m"), 1)
			up.has(t)

			if a := post(t, w, key, "/v1/chat/completions", chatBody("m"), "X-Request-Timeout", "0.05"); a.code() != "timeout" {
				t.Errorf("its time is up: %d %s", a.status, a.body)
			}
			ctx, hangUp := context.WithCancel(t.Context())
			r := request(t, "POST", w.URL()+"/v1/chat/completions", chatBody("m"), "Authorization", "Bearer "+key).WithContext(ctx)
			var gone sync.WaitGroup
			gone.Go(func() {
				if _, err := http.DefaultClient.Do(r); err == nil { //nolint:bodyclose // there is none
					t.Error("it was answered")
				}
			})
			running(t, w, 2)
			hangUp()
			gone.Wait()
			until(t, "the waiting ends with its client", func() bool { return strings.Contains(w.Requests.String(), `"status":499`) })
			if len(up.here) > 0 {
				t.Error("the upstream was called for somebody who had no place")
			}

			second, _ := crowd(t, w, key, chatBody("m"), 1)
			up.answer <- struct{}{}
			up.has(t)
			up.answer <- struct{}{}
			for _, a := range []answer{<-first, <-second} {
				if a.status != http.StatusOK {
					t.Errorf("%d %s", a.status, a.body)
				}
			}
			logTells(t, w, `"waited_ms":`)
		})
	}
}

// A full target is no reason to wait while there is another.
func TestFullTargetsArePassedOver(t *testing.T) {
	t.Parallel()
	up := newSlow(t)
	well, _ := startUpstream(t, nil, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, completion("well")) }, nil)
	w := apptest.StartWith(t, fmt.Sprintf(`
limits: {wait: 1m}
providers:
  up: {kind: openai, base_url: %q, api_key: upstream-credential, concurrent: 1}
  well: {kind: openai, base_url: %q, api_key: upstream-credential}
models:
  both: {targets: [up/x, well/y]}
  falls: {targets: [up/z], fallbacks: [both]}
`, up.base, well))
	key := w.NewKey(t, "caller")
	first, _ := crowd(t, w, key, chatBody("both"), 1)
	up.has(t)
	for _, model := range []string{"both", "falls"} {
		if a := post(t, w, key, "/v1/chat/completions", chatBody(model)); a.status != http.StatusOK || a.header.Get("Weir-Provider") != "well" || a.header.Get("Weir-Attempts") != "1" {
			t.Errorf("%s: %d %v %s", model, a.status, a.header, a.body)
		}
	}
	up.answer <- struct{}{}
	if a := <-first; a.status != http.StatusOK || a.header.Get("Weir-Provider") != "up" {
		t.Errorf("%d %v %s", a.status, a.header, a.body)
	}
	logTells(t, w, `"skipped":["up/x full"]`, `"skipped":["up/z full","up/x full"]`)
}

// While one key sends more than fits, without a pause, each request of another key is answered: in all, at a target, and at a
// provider.
func TestAFloodOfOneKeyKeepsNoOtherOut(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ limits, provider, target string }{
		"in all":      {limits: "requests: 4, wait: 10s"},
		"at a target": {limits: "wait: 10s", target: ", concurrent: 4"},
		"at provider": {limits: "wait: 10s", provider: ", concurrent: 4"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base, _ := startUpstream(t, nil, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				select {
				case <-r.Context().Done():
				case <-time.After(20 * time.Millisecond): // what a place is worth
					fmt.Fprint(w, completion("here you are"))
				}
			}, nil)
			w := apptest.StartWith(t, fmt.Sprintf(`
limits: {%s}
providers: {up: {kind: openai, base_url: %q, api_key: upstream-credential%s}}
models: {m: {targets: [{provider: up, model: x%s}]}}
`, tt.limits, base, tt.provider, tt.target))
			greedy, modest := w.NewKey(t, "greedy"), w.NewKey(t, "modest")
			flooding, stop := context.WithCancel(t.Context())
			var loops sync.WaitGroup
			for range 40 {
				loops.Go(func() {
					for flooding.Err() == nil {
						post(t, w, greedy, "/v1/chat/completions", chatBody("m"))
					}
				})
			}
			for i := range 59 {
				if a := post(t, w, modest, "/v1/chat/completions", chatBody("m")); a.status != http.StatusOK {
					t.Errorf("request %d of the modest key: %d %s", i, a.status, a.body)
				}
			}
			stop()
			loops.Wait()
		})
	}
}

// While keys flood a target, the next free place goes to a key that asks for little: it is answered within one service time. Two of
// the keys have five requests at a time each, four have one, and all ask again as soon as they are answered.
func TestAKeyThatAsksForLittleHasTheNextPlace(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ limits, provider, target string }{
		"in all":      {limits: "requests: 2, wait: 1m"},
		"at a target": {limits: "wait: 1m", target: ", concurrent: 2"},
		"at provider": {limits: "wait: 1m", provider: ", concurrent: 2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			came, answered := make(chan bool, 100), make(chan struct{})
			base, _ := startUpstream(t, nil, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				came <- strings.Contains(string(body), "little")
				select {
				case <-answered:
					fmt.Fprint(w, completion("here you are"))
				case <-r.Context().Done():
				}
			}, nil)
			w := apptest.StartWith(t, fmt.Sprintf(`
limits: {%s}
providers: {up: {kind: openai, base_url: %q, api_key: upstream-credential%s}}
models: {m: {targets: [{provider: up, model: x%s}]}}
`, tt.limits, base, tt.provider, tt.target))
			modest := w.NewKey(t, "modest")
			flooding, stop := context.WithCancel(t.Context())
			var loops sync.WaitGroup
			keys, all := []int{5, 5, 1, 1, 1, 1}, 14
			for i, n := range keys {
				key := w.NewKey(t, fmt.Sprint("greedy", i))
				for range n {
					loops.Go(func() {
						for flooding.Err() == nil {
							post(t, w, key, chats, chatBody("m"))
						}
					})
				}
			}
			next := func() bool {
				answered <- struct{}{}
				return <-came
			}
			for range 2 {
				<-came
			}
			passed := 0
			for range 10 {
				for range 2 * len(keys) { // each has had a place since
					next()
				}
				running(t, w, all)
				done := make(chan struct{})
				go func() {
					defer close(done)
					if a := post(t, w, modest, chats, strings.Replace(chatBody("m"), "hi", "little", 1)); a.status != http.StatusOK {
						t.Errorf("%d %s", a.status, a.body)
					}
				}()
				running(t, w, all+1)
				for !next() {
					passed++
				}
				for waits := true; waits; {
					select {
					case <-done:
						waits = false
					case answered <- struct{}{}:
						<-came
					}
				}
			}
			if passed > 10 { // a request that runs may be on its way to its line
				t.Errorf("%d others had a place before ten requests", passed)
			}
			stop()
			close(answered)
			loops.Wait()
		})
	}
}
