package app_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// stream is a running answer, read line by line.
type stream struct {
	*bufio.Reader
	resp *http.Response
}

// openStream starts a stream and reads its first event. A database that several Weirs share may be late on a busy machine: then it tries again.
func openStream(t *testing.T, w *apptest.Weir, key, model string) (s *stream) {
	t.Helper()
	until(t, "a stream begins", func() bool {
		resp, err := http.DefaultClient.Do(request(t, "POST", w.URL()+"/v1/chat/completions", streamBody(model), "Authorization", "Bearer "+key))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = resp.Body.Close() })
		s = &stream{bufio.NewReader(resp.Body), resp}
		first, err := s.ReadString('\n')
		if resp.StatusCode == http.StatusServiceUnavailable && strings.Contains(first, `"ledger_unavailable"`) {
			return false
		}
		if err != nil || resp.StatusCode != 200 || !strings.HasPrefix(first, `data: {"id"`) {
			t.Fatalf("%d %q %v", resp.StatusCode, first, err)
		}
		return true
	})
	return s
}

// rest reads the stream to its end.
func (s *stream) rest(t *testing.T) string {
	t.Helper()
	text, err := io.ReadAll(s)
	if err != nil {
		t.Errorf("the stream broke off: %v behind %q", err, text)
	}
	return string(text)
}

// endsWithError fails the test unless a stream ended with one error event of that code, and no [DONE].
func endsWithError(t *testing.T, text, code string) {
	t.Helper()
	events := strings.Split(strings.TrimSuffix(text, "\n\n"), "\n\n")
	last := events[len(events)-1]
	if !strings.HasPrefix(last, `data: {"error":{`) || !strings.Contains(last, `"code":"`+code+`"`) || strings.Contains(text, "[DONE]") {
		t.Errorf("the stream does not end with the error %s: %q", code, text)
	}
	if n := strings.Count(text, `{"error"`); n != 1 {
		t.Errorf("%d error events in %q", n, text)
	}
}

// stalls makes streams of the model "stall" stop after two events, until their connection ends.
const stalls = `{"rules":[{"match":{"model":"stall"},"stall":2}, {"match":{"model":"slow"},"interval":"20ms","tokens":20}]}`

// A revoked key is refused from the moment that the revocation is answered. Its running streams go on, unless they are
// to be cut; a cut says why.
func TestRevocation(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(stalls))
	w := apptest.StartWith(t, passAll(up, ""))
	gentle, hard, other := w.NewKey(t, "gentle"), w.NewKey(t, "hard"), w.NewKey(t, "other")

	running := openStream(t, w, gentle, "slow")
	if a := manage(t, w, "DELETE", "/admin/v1/keys/gentle", ""); a.status != 200 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	for _, path := range []string{"/v1/chat/completions", "/v1/embeddings"} {
		if a := post(t, w, gentle, path, chatBody("m")); a.status != 401 || a.code() != "invalid_api_key" {
			t.Errorf("%s with a revoked key: %d %s", path, a.status, a.body)
		}
	}
	if a := get(t, w, gentle, "/v1/models"); a.status != 401 {
		t.Errorf("the list with a revoked key: %d %s", a.status, a.body)
	}
	if text := running.rest(t); !strings.HasSuffix(text, "data: [DONE]\n\n") || strings.Contains(text, `"error"`) {
		t.Errorf("the running stream ended with %q", text)
	}

	cut := []*stream{openStream(t, w, hard, "stall"), openStream(t, w, hard, "stall")}
	spared := openStream(t, w, other, "slow")
	if a := manage(t, w, "DELETE", "/admin/v1/keys/hard?now=true", ""); a.status != 200 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	for _, s := range cut {
		endsWithError(t, s.rest(t), "invalid_api_key")
	}
	if text := spared.rest(t); !strings.HasSuffix(text, "data: [DONE]\n\n") {
		t.Errorf("another key's stream ended with %q", text)
	}
	until(t, "the upstream's calls end with the streams", func() bool { return up.Active() == 0 })

	// A gently revoked key can be cut later.
	late := w.NewKey(t, "late")
	s := openStream(t, w, late, "stall")
	manage(t, w, "DELETE", "/admin/v1/keys/late", "")
	manage(t, w, "DELETE", "/admin/v1/keys/late?now=true", "")
	endsWithError(t, s.rest(t), "invalid_api_key")
}

// A stream that began just when its key was revoked is either refused or cut, never left running.
func TestRevocationRace(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(stalls))
	w := apptest.StartWith(t, passAll(up, ""))
	for i := range 20 {
		name := fmt.Sprintf("racer-%d", i)
		key := w.NewKey(t, name)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				// A connection of its own: a cut stream's is closed, and the client may learn that too late.
				client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
				a := do(t, client, request(t, "POST", w.URL()+"/v1/chat/completions", streamBody("stall"), "Authorization", "Bearer "+key))
				if a.err != nil || !strings.Contains(a.body, "invalid_api_key") {
					t.Errorf("%d %q %v", a.status, a.body, a.err)
				}
			})
		}
		wg.Go(func() {
			if a := manage(t, w, "DELETE", "/admin/v1/keys/"+name+"?now=true", ""); a.status != 200 {
				t.Errorf("%d %s", a.status, a.body)
			}
		})
		wg.Wait()
	}
}

// Rotation keeps the id and the scope; the secret before works for the grace and no longer.
func TestRotation(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, ""))
	first := w.NewKey(t, "turning", "m*")
	rotate := func(body string) string {
		a := manage(t, w, "POST", "/admin/v1/keys/turning/rotate", body)
		var made struct{ Key, ID string }
		if err := json.Unmarshal([]byte(a.body), &made); err != nil || a.status != 200 || !strings.Contains(first, made.ID) {
			t.Fatalf("%d %s %v", a.status, a.body, err)
		}
		return made.Key
	}
	status := func(key, model string) int { return post(t, w, key, "/v1/chat/completions", chatBody(model)).status }
	check := func(what string, want int, keys ...string) {
		t.Helper()
		for _, key := range keys {
			if got := status(key, "m1"); got != want {
				t.Errorf("%s: %d, want %d", what, got, want)
			}
		}
	}
	second := rotate(`{"grace":"1h"}`)
	check("within the grace", 200, first, second)
	if status(second, "other") != 404 || status(first, "other") != 404 {
		t.Error("the rotation changed which models the key may use")
	}
	third := rotate(`{"grace":"1h"}`)
	check("two rotations ago", 401, first)
	check("within the second grace", 200, second, third)
	fourth := rotate("")
	check("without a grace", 401, first, second, third)
	check("the last", 200, fourth)
	fifth := rotate(`{"grace":"1ms"}`)
	until(t, "the grace ends", func() bool { return status(fourth, "m1") == 401 })
	s := rotate(`{"grace":"1h"}`)
	manage(t, w, "DELETE", "/admin/v1/keys/turning", "")
	check("revoked within a grace", 401, first, second, third, fourth, fifth, s)
}

// Two keys that share their beginning are two keys, and a key is its every character.
func TestKeysAreComparedWhole(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, nil)
	w := apptest.StartWith(t, passAll(up, ""))
	key := w.NewKey(t, "key")
	for i := range key {
		changed := []byte(key)
		changed[i] ^= 1
		for _, wrong := range []string{string(changed), key[:i]} {
			if strings.ContainsFunc(wrong, func(r rune) bool { return r <= ' ' || r > '~' }) {
				continue
			}
			if a := get(t, w, wrong, "/v1/models"); a.status != 401 {
				t.Errorf("%q passed for %q", wrong, key)
			}
		}
	}
	for _, wrong := range []string{key + "x", key + key, strings.ToUpper(key), key + ",", "sk-weir-" + key} {
		if a := get(t, w, wrong, "/v1/models"); a.status != 401 {
			t.Errorf("%q passed for %q", wrong, key)
		}
	}
}

// What one Weir revokes with its running requests ends at the others, too, and is refused there, also under load.
func TestRevocationsReachOtherWeirs(t *testing.T) {
	t.Parallel()
	up := apptest.NewUpstream(t, []byte(stalls))
	config := "store: " + postgres.Database(t) + "\n" + passAll(up, "")
	one, other := apptest.StartWith(t, config), apptest.StartWith(t, config)
	key, busy := one.NewKey(t, "app"), one.NewKey(t, "busy")
	for _, k := range []string{key, busy} {
		until(t, "the other knows the key", func() bool { return post(t, other, k, "/v1/chat/completions", chatBody("m")).status == 200 })
	}
	ctx, cancel := context.WithCancel(t.Context())
	var load sync.WaitGroup
	for range 8 {
		load.Go(func() {
			for ctx.Err() == nil {
				if a := post(t, other, busy, "/v1/chat/completions", chatBody("m")); a.status != 200 {
					t.Errorf("under load: %d %s", a.status, a.body)
				}
			}
		})
	}
	running := []*stream{openStream(t, other, key, "stall"), openStream(t, one, key, "stall")}
	if a := manage(t, one, "DELETE", "/admin/v1/keys/app?now=true", ""); a.status != 200 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	for _, s := range running {
		endsWithError(t, s.rest(t), "invalid_api_key")
	}
	if a := post(t, other, key, "/v1/chat/completions", chatBody("m")); a.status != 401 {
		t.Errorf("%d %s", a.status, a.body)
	}
	cancel()
	load.Wait()
}
