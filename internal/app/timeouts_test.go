package app_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// limited is a trial with a limit of its model's.
type limited struct {
	waiting
	limit string // its name
	told  string // what the caller learns
}

// What a caller learns of a limit that has passed.
const (
	toldTimeout = "timeout"          // 504, or an error event after content
	toldInEvent = "timeout in event" // after a status that went out before
	toldSecond  = "second"           // nothing: the second target answered
	toldNobody  = "nobody's headers" // the same, after a status that went out before
)

// limits are the limits of a model, in each phase of each dialect in which they can pass.
func limits() []limited {
	var list []limited
	add := func(c waiting, what, limit, told string) {
		c.what += ", " + what
		list = append(list, limited{c, limit, told})
	}
	for _, kind := range kinds {
		for _, c := range silences(kind) {
			add(c, "total", "total", toldTimeout)
			if !c.stream {
				continue
			}
			if !c.content {
				alone := c
				alone.alone = true
				add(alone, "first_token, no other target", "first_token", toldTimeout)
				add(c, "first_token", "first_token", toldSecond)
				add(c, "total after the hold", "hold: 1ms, total", toldInEvent)
				add(c, "first_token after the hold", "hold: 1ms, first_token", toldNobody)
			}
			switch c.what {
			case "mid-stream":
				add(c, "idle", "idle", toldTimeout)
			case "before content":
				add(c, "idle", "idle", toldSecond)
			}
		}
	}
	return list
}

// Every limit of a model ends the upstream's call, in every phase and dialect. The caller gets an error, or another
// answer without one.
func TestLimitsEndTheUpstreamsCall(t *testing.T) { // not in parallel: it looks at the goroutines
	eachProto(t, modelLimits)
}

func modelLimits(t *testing.T, proto int) {
	// How long it takes to reach a phase can only be guessed: where the limit was too short a longer one is tried.
	var list []waiting
	var of []limited
	spans := []time.Duration{400 * time.Millisecond, 1200 * time.Millisecond, 6 * time.Second}
	for _, span := range spans {
		for _, c := range limits() {
			c.timeouts = fmt.Sprintf("%s: %s", c.limit, span)
			list, of = append(list, c.waiting), append(of, c)
		}
	}
	w := newWaiting(t, proto, list)
	w.rests(t)
	per := len(list) / len(spans)
	passed := make([]bool, per)
	last := map[string]*slowest{}
	for round, span := range spans {
		var now []waiting
		var which []int
		for i := range per {
			if !passed[i] {
				now, which = append(now, list[round*per+i]), append(which, i)
			}
		}
		for n, a := range w.together(t, now) {
			c := now[n]
			how := of[which[n]]
			if !w.reached(w.first.Served(), c) || c.content && a.status != 200 || secondGivenUp(c, a.answer) {
				continue
			}
			passed[which[n]] = true
			t.Run(c.String(), func(t *testing.T) {
				w.judge(t, c, how.told, a.answer)
				if last[how.limit] == nil {
					last[how.limit] = &slowest{}
				}
				last[how.limit].note(w.abandoned(t, c).Ended.Sub(a.began)-span, c.String())
			})
		}
	}
	for i, done := range passed {
		if !done {
			t.Errorf("the phase of %v is never reached", list[i])
		}
	}
	for limit, s := range last {
		t.Logf("%s: the upstream knew %v after it at most: %s", limit, s.took, s.what)
	}
	w.rests(t)
}

// secondGivenUp reports whether the second target was too slow as well, which says that the machine is.
func secondGivenUp(c waiting, a answer) bool {
	return strings.Contains(a.body, `"code":"timeout"`) && strings.Contains(a.body, "provider "+secondName+"-"+c.kind+" ")
}

// judge checks what the caller was sent at a limit.
func (w *torture) judge(t *testing.T, c waiting, told string, a answer) {
	t.Helper()
	provider := a.header.Get("Weir-Provider")
	switch told {
	case toldTimeout:
		timedOut(t, c, a)
		w.untouched(t, c)
	case toldInEvent:
		if h := hear(t, c.trial, a); a.status != 200 || h.failed != "timeout" || h.text != "" || h.done || provider != "" {
			t.Errorf("%d %s", a.status, a.body)
		}
		w.untouched(t, c)
	case toldSecond, toldNobody:
		want := ""
		if told == toldSecond {
			want = secondName + "-" + c.kind
		}
		if h := hear(t, c.trial, a); !strings.HasPrefix(h.text, secondName+": ") || !h.done || !h.finish || len(h.ids) != 1 || provider != want {
			t.Errorf("%d, weir-provider %q: %s", a.status, provider, a.body)
		}
	}
}

// mute is a listener whose connections are taken and never answered.
type mute struct {
	addr string

	mu   sync.Mutex // guards what follows
	all  int        // connections
	open int
}

func newMute(t *testing.T) *mute {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	m := &mute{addr: l.Addr().String()}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			m.count(1, 1)
			go func() {
				defer m.count(0, -1)
				defer conn.Close()
				_, _ = io.Copy(io.Discard, conn) // until Weir hangs up
			}()
		}
	}()
	return m
}

func (m *mute) count(all, open int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all, m.open = m.all+all, m.open+open
}

// A provider that cannot be connected to, including its handshake, is given up in time, in any dialect.
func TestConnectingEnds(t *testing.T) {
	t.Parallel()
	m, up := newMute(t), apptest.NewUpstream(t, nil)
	config, models := "providers:\n", "models:\n"
	for _, kind := range kinds {
		config += fmt.Sprintf("  mute-%s: {kind: %s, base_url: \"https://%s/v1\", api_key: upstream-credential}\n", kind, kind, m.addr)
		config += fmt.Sprintf("  good-%s: {kind: %s, base_url: %q, api_key: upstream-credential}\n", kind, kind, baseOf(kind, up))
		models += fmt.Sprintf("  alone-%[1]s: {targets: [mute-%[1]s/m], timeouts: {connect: 1s}}\n", kind)
		models += fmt.Sprintf("  %[1]s: {targets: [mute-%[1]s/m, good-%[1]s/m], timeouts: {connect: 1s}}\n", kind)
	}
	w := apptest.StartWith(t, config+models)
	key := w.NewKey(t, "torture")
	var wg sync.WaitGroup
	for _, kind := range kinds {
		for _, body := range []func(string) string{chatBody, streamBody} {
			wg.Go(func() {
				if a := post(t, w, key, "/v1/chat/completions", body("alone-"+kind)); a.status != 502 || a.code() != "upstream_failed" {
					t.Errorf("%s alone: %d %s", kind, a.status, a.body)
				}
				if a := post(t, w, key, "/v1/chat/completions", body(kind)); a.status != 200 || a.header.Get("Weir-Provider") != "good-"+kind {
					t.Errorf("%s: %d %v %s", kind, a.status, a.header, a.body)
				}
			})
		}
	}
	wg.Wait()
	until(t, "the connections end", func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.all >= 4*len(kinds) && m.open == 0
	})
}
