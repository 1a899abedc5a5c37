package main

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/ledger/ledgertest"
)

const (
	streamScript = `{"log_header": "X-Trace", "interval": "250ms", "tokens": 8}`
	streamCall   = `{"model":"cheap","max_tokens":50,"stream":true,"messages":[{"role":"user","content":"hi"}]}`
)

// streams are clients that have one stream after the other, through nginx.
type streams struct {
	cancel context.CancelFunc
	all    sync.WaitGroup
	served atomic.Int64
	failed atomic.Int64
	late   atomic.Int64 // the database took too long, and said so: on a busy machine
}

// stream keeps so many streams under way. Each has to arrive whole. Where the database is late a client asks again, as the answer says.
func (f *fleet) stream(clients int) *streams {
	s := &streams{}
	ctx, cancel := context.WithCancel(f.t.Context())
	s.cancel = cancel
	for client := range clients {
		s.all.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				a := f.post(f.t.Context(), f.url, fmt.Sprintf("%d-%d", client, n), streamCall)
				switch {
				case a.err == nil && a.status == 200 && strings.HasSuffix(a.text, "data: [DONE]\n\n"):
					s.served.Add(1)
				case a.status == 503 && a.code == "ledger_unavailable" && a.header.Get("Retry-After") == "1":
					s.late.Add(1)
					pause(ctx)
				default:
					if s.failed.Add(1) < 5 {
						f.t.Errorf("%v %d %v %.300s", a.err, a.status, a.header, a.text)
					}
				}
			}
		})
	}
	return s
}

// end waits for the streams that are under way.
func (s *streams) end() { s.cancel(); s.all.Wait() }

// more waits until so many more were served.
func (s *streams) more(t *testing.T, n int64) {
	t.Helper()
	want := s.served.Load() + n
	waitFor(t, patience, func() string { return fmt.Sprintf("%d streams are served, of %d", s.served.Load(), want) }, func() bool { return s.served.Load() >= want })
}

// TestFleetRollingRestart: all Weirs are restarted, one after the other, under five hundred streams. None of these fails, and no Weir keeps a slice. Meanwhile a key
// that is revoked at one Weir is refused at another.
func TestFleetRollingRestart(t *testing.T) {
	f := newFleet(t, &postgres, 3, streamScript, fleetConfig("{delay: 1s, timeout: 60s}", "100usd"))
	s := f.stream(500)
	s.more(t, 500)
	f.revoke(f.members[0], f.members[1])
	for _, m := range f.members {
		m.stop()
		if left := m.lease("granted - used - doubt"); left != 0 {
			t.Errorf("a Weir that stopped still has %d", left)
		}
		before := len(m.up.Served())
		m.start()
		waitFor(t, patience, func() string { return "nginx takes it back" }, func() bool { return len(m.up.Served()) > before })
	}
	s.end()
	for _, m := range f.members {
		m.stop()
	}
	f.idle()
	t.Logf("%d streams were served, %d failed, and %d were asked for again because the database was late", s.served.Load(), s.failed.Load(), s.late.Load())
	if s.failed.Load() > 0 || s.late.Load() > s.served.Load() {
		t.Error("streams failed")
	}
	rows := f.rows()
	for _, m := range f.members {
		own := rows[m.instance]
		for _, wrong := range ledgertest.Compare(m.up.Served(), own, fleetPrice).Wrong {
			t.Error(wrong)
		}
		if used, granted, cost := m.lease("used"), m.lease("granted"), costOf(own); used != granted || used != cost || used == 0 {
			t.Errorf("a Weir was granted %d and used %d; its rows cost %d", granted, used, cost)
		}
	}
}

// revoke makes a key at one Weir and revokes it there. The other has to take it, and then to refuse it.
func (f *fleet) revoke(one, other *fleetMember) {
	f.t.Helper()
	env := environment(one.folder)
	env["WEIR_ADMIN"] = one.admin
	weir := func(args ...string) outcome {
		f.t.Helper()
		did := runIn(f.t, one.folder, env, "", append(args, "--config", filepath.Join(one.folder, "weir.yaml"))...)
		if did.code != 0 {
			f.t.Fatalf("%+v", did)
		}
		return did
	}
	key := oneKey(f.t, weir("keys", "create", "--name", "leaked").stdout)
	becomes := func(status int) time.Duration {
		f.t.Helper()
		began := time.Now()
		waitFor(f.t, patience, func() string { return fmt.Sprintf("the other Weir answers %d", status) }, func() bool { return other.models(key) == status })
		return time.Since(began)
	}
	becomes(http.StatusOK)
	weir("keys", "revoke", "leaked")
	f.t.Logf("the other Weir refuses the key after %v", becomes(http.StatusUnauthorized).Round(time.Millisecond))
}

// models asks for the list of models with a key, and returns the status.
func (c *child) models(key string) int {
	c.t.Helper()
	req, err := http.NewRequest(http.MethodGet, c.url+"/v1/models", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := quiet.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}
