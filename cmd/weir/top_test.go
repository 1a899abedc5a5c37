package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/admin"
)

// figuresText are the figures of a Weir that served n requests in all, of which a tenth failed.
func figuresText(n int) string {
	return fmt.Sprintf(`# HELP weir_requests_total ignored
weir_build_info{version="1.2.3"} 1
weir_requests_total{endpoint="chat",error="",model="smart",status="200"} %d
weir_requests_total{endpoint="chat",error="upstream_error",model="smart",status="502"} %d
weir_requests_total{endpoint="chat",error="invalid_value",model="",status="400"} 7
weir_tokens_total{class="input_fresh",model="smart",provider="a"} %d
weir_tokens_total{class="cache_read",model="smart",provider="a"} %d
weir_tokens_total{class="output",model="smart",provider="a"} %d
weir_cost_dollars_total{provider="a",source="price"} %g
weir_time_to_first_content_seconds_bucket{endpoint="chat",model="smart",le="0.1"} %d
weir_time_to_first_content_seconds_bucket{endpoint="chat",model="smart",le="0.2"} %d
weir_time_to_first_content_seconds_bucket{endpoint="chat",model="smart",le="+Inf"} %d
weir_target_tokens_total{class="output",provider="a",upstream_model="big"} %d
weir_breakers{provider="a",state="closed",upstream_model="big"} 1
weir_breakers{provider="a",state="open",upstream_model="big"} 0
weir_breakers{provider="a",state="trying",upstream_model="big"} 0
weir_breakers{provider="b",state="open",upstream_model="*"} 3
weir_breakers{provider="c",state="trying",upstream_model="od\"d\n"} 1
weir_credentials_parked{provider="b"} 2
weir_ledger_failing 0
weir_ledger_behind_seconds 1.5
weir_config_valid 0
go_goroutines 12
`, n*9/10, n/10, n*100, n*50, n*20, float64(n)/100, n*4/10, n*8/10, n*9/10, n*20)
}

var topAt = time.Date(2026, 3, 1, 14, 2, 11, 0, time.UTC)

// topFigures are two readings, five seconds apart, between which a hundred requests were served.
func topFigures(t *testing.T) (was, now *figures) {
	t.Helper()
	was, err := readFigures(figuresText(100), topAt.Add(-5*time.Second))
	if err == nil {
		now, err = readFigures(figuresText(200), topAt)
	}
	if err != nil {
		t.Fatal(err)
	}
	return was, now
}

// topRunning are n requests that run, the newest of which waits.
func topRunning(n int) (all []admin.Running) {
	provider, upstream, hostile := "a", "big", "b"
	for i := range n {
		r := admin.Running{
			Request: fmt.Sprintf("req_0D1JUT%020d", i), Instance: "one", Started: topAt, Key: "cfg-ci", KeyName: "ci", Model: "smart", Provider: &provider, Upstream: &upstream,
			AgeMicros: int64(n-i) * 1_500_000, FirstMicros: new(int64(301_000)), BytesOut: int64(i) * 9000, Held: int64(i) * 3_000_000,
		}
		switch i {
		case 1:
			r.Provider, r.Upstream, r.KeyName = &hostile, new("x\x1b[2J"), "key\nweir: all is well"
		case n - 1:
			r.Provider, r.Upstream, r.FirstMicros = nil, nil, nil
		}
		all = append(all, r)
	}
	return all
}

func topViewOf(t *testing.T, running int) *topView {
	was, now := topFigures(t)
	v := now.since(was)
	v.Admin, v.Instance, v.Running, v.Requests = "http://127.0.0.1:8931", "one", running, topRunning(min(running, mostRunning))
	v.count()
	return v
}

func TestFiguresSince(t *testing.T) {
	t.Parallel()
	v := topViewOf(t, 3)
	p50, p95 := int64(113), int64(200)
	share := 0.1
	want := &topView{
		At: topAt, Admin: "http://127.0.0.1:8931", Instance: "one", Version: "1.2.3", Seconds: 5, Running: 3, PerSecond: 20, Failed: &share, Input: 3000, Output: 400, CostPerHour: 720e9,
		FirstP50: &p50, FirstP95: &p95,
		Alerts: []string{"2 credentials of b parked: the provider refused them", "the config file was refused; the one before is in force"},
		Targets: []topTarget{
			{Target: "b/*", Breaker: "open", Open: 3, Running: new(1)},
			{Target: "c/od\"d\uFFFD", Breaker: "trying", Running: new(0)},
			{Target: "a/big", Breaker: "closed", Running: new(1), Tokens: 400},
		},
		Requests: topRunning(3),
	}
	if diff := cmp.Diff(want, v); diff != "" {
		t.Error(diff)
	}
	was, now := topFigures(t)
	if !was.began(now) || now.began(was) {
		t.Error("figures that became less began anew, and no others")
	}
	if first := was.since(was); first.PerSecond != 0 || first.Failed != nil || first.FirstP50 != nil || first.CostPerHour != 0 {
		t.Errorf("the first reading has rates: %+v", first)
	}
}

func TestQuantilesSince(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	was := map[float64]float64{1: 10, 2: 10, inf: 10}
	for name, tt := range map[string]struct {
		now  map[float64]float64
		want int64
	}{
		"in the first":  {map[float64]float64{1: 20, 2: 20, inf: 20}, 500},
		"in the second": {map[float64]float64{1: 10, 2: 20, inf: 20}, 1500},
		"in the last":   {map[float64]float64{1: 10, 2: 10, inf: 20}, 2000},
	} {
		if got := quantileSince(tt.now, was, 0.5); got == nil || *got != tt.want {
			t.Errorf("%s: %v, want %d", name, got, tt.want)
		}
	}
	if got := quantileSince(was, was, 0.5); got != nil {
		t.Errorf("of nothing: %d", *got)
	}
}

func TestFiguresOfOthers(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "<html>", "weir_build_info", `weir_build_info{version="1"}`, `weir_build_info{version} 1`, `weir_build_info{version=1} 1`, `weir_build_info{version="1" 1`, "weir_build_info x", `weir_build_info{version="1"}x`} {
		if _, err := readFigures(text, topAt); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// A later Weir may count what this one does not know.
func TestFiguresOfALaterWeir(t *testing.T) {
	t.Parallel()
	f, err := readFigures("weir_build_info{version=\"9\"} 1\nweir_breakers{provider=\"a\",state=\"melted\",upstream_model=\"m\"} 1\nweir_breakers{provider=\"a\",upstream_model=\"m\",state=\"open\"} 1\n", topAt)
	if err != nil || len(f.targets) != 1 || f.targets["a/m"].open != 1 {
		t.Errorf("%+v: %v", f, err)
	}
}

// A view is as wide and as high as the terminal, however small that is, and shows first what is not well.
func TestViews(t *testing.T) {
	t.Parallel()
	v := topViewOf(t, 300)
	for _, size := range [][2]int{{0, 0}, {100, 30}, {60, 14}, {20, 5}, {1, 1}} {
		lines := v.lines(size[0], size[1])
		var text strings.Builder
		for _, line := range lines {
			text.WriteString(line.text + "\n")
			if n := len([]rune(line.text)); size[0] > 0 && n > size[0] {
				t.Errorf("%v: %d columns in %q", size, n, line.text)
			}
			if strings.ContainsAny(line.text, "\x1b\n") {
				t.Errorf("%q moves the cursor", line.text)
			}
		}
		if size[1] > 0 && len(lines) > size[1] {
			t.Errorf("%v: %d lines", size, len(lines))
		}
		if size[1] > 10 {
			wantGolden(t, fmt.Sprintf("top-%dx%d.golden", size[0], size[1]), text.String())
		}
	}
	if n := len(v.lines(0, 0)); n < mostRunning {
		t.Errorf("%d lines, though nothing bounds them", n)
	}
}

// fixed is a terminal of a size, which counts how often it was taken over and given back.
type fixed struct {
	columns, rows int
	begun, ended  int
}

func (f *fixed) Begin() (func(), error) { f.begun++; return func() { f.ended++ }, nil }
func (f *fixed) Size() (int, int)       { return f.columns, f.rows }

// drawn is what a terminal was sent. It is safe for concurrent use.
type drawn struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (d *drawn) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.Write(p)
}

func (d *drawn) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.String()
}

// topServer is an admin API with figures, and with requests that run.
func topServer(t *testing.T) *adminServer {
	n := 0
	return newAdminServerWith(t, func(o *admin.Options) {
		o.Metrics = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			n += 100
			_, _ = io.WriteString(w, figuresText(n))
		})
		o.Running = func(q *admin.RunningQuery) admin.RunningList {
			return admin.RunningList{Data: topRunning(min(3, q.Limit)), Instance: "one", Admitted: 3}
		}
	})
}

// watchIn runs weir top in a terminal until keys say that it ends.
func (s *adminServer) watchIn(keys io.Reader, at *fixed, env map[string]string) (int, string) {
	s.t.Helper()
	all := map[string]string{"WEIR_ADMIN": s.url, "WEIR_ADMIN_TOKEN": adminToken}
	for name, value := range env {
		all[name] = value
	}
	var out drawn
	var failed bytes.Buffer
	code := run(s.t.Context(), []string{"top"}, &system{
		stdin: keys, stdout: &out, stderr: &failed, terminal: true, screen: at, env: func(name string) (string, bool) { value, ok := all[name]; return value, ok },
	})
	return code, out.String() + failed.String()
}

// However the view ends, the terminal is as before: the screen, the cursor, and how keys come.
func TestTopGivesTheTerminalBack(t *testing.T) {
	s := topServer(t)
	for name, keys := range map[string]io.Reader{"q": strings.NewReader("xq"), "Ctrl-C": strings.NewReader("\x03"), "the terminal is closed": strings.NewReader("")} {
		at := &fixed{columns: 80, rows: 24}
		code, text := s.watchIn(keys, at, nil)
		if code != 0 || at.begun != 1 || at.ended != 1 || !strings.HasPrefix(text, enterScreen+homeCursor) || !strings.HasSuffix(text, leaveScreen) {
			t.Errorf("%s: exit %d, %+v, %q", name, code, at, text)
		}
		if !strings.Contains(text, "b/*") || !strings.Contains(text, string(asAlert)) {
			t.Errorf("%s: %q", name, text)
		}
	}
	if _, text := s.watchIn(strings.NewReader("q"), &fixed{columns: 80, rows: 24}, map[string]string{"NO_COLOR": "1"}); strings.Contains(text, "m") && strings.Contains(text, "\x1b[3") {
		t.Errorf("NO_COLOR: %q", text)
	}
}

// While the server cannot be read, the last view stays, and says since when.
func TestTopShowsWhatItLastRead(t *testing.T) {
	s := topServer(t)
	client := &admin.Client{BaseURL: s.url}
	out := &drawn{}
	p := painter{w: out, screen: &fixed{columns: 80, rows: 24}}
	if err := p.draw(reading{topViewOf(t, 3), fmt.Errorf("cannot reach %s", client.BaseURL)}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "could not refresh since 14:02:11: cannot reach http") || !strings.Contains(text, "a/big") || strings.Contains(text, "q quits") {
		t.Errorf("%q", text)
	}
}

func TestTopOnce(t *testing.T) {
	s := topServer(t)
	var v topView
	did := s.weir("top", "--once", "--json", "--over", "1s")
	if err := json.Unmarshal([]byte(did.stdout), &v); err != nil || did.code != 0 || v.PerSecond <= 0 || v.Instance != "one" || len(v.Requests) != 3 || v.Seconds < 1 {
		t.Errorf("%v %+v %+v", err, did, v)
	}
	if text := s.ok("top", "--once", "--over", "1s"); !strings.Contains(text, "  http://127.0.0.1:") || strings.Contains(text, "\x1b") {
		t.Errorf("%q", text)
	}
	for args, word := range map[string]string{"": "--once", "--json": "--once", "--once --over 10ms": "--over", "--once --over 1h": "--over"} {
		if did := s.weir(append([]string{"top"}, strings.Fields(args)...)...); did.code != 2 || !strings.Contains(did.stderr, word) {
			t.Errorf("weir top %s: %+v", args, did)
		}
	}
	other := newAdminServerWith(t, func(o *admin.Options) {
		o.Metrics = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "up 1\n") })
	})
	if did := other.weir("top", "--once", "--over", "1s"); did.code != 1 || !strings.Contains(did.stderr, "not Weir's figures") {
		t.Errorf("%+v", did)
	}
}

// Rates reach back as far as they are wanted, and begin again with the counters.
func TestWhatRatesReachBackTo(t *testing.T) {
	t.Parallel()
	w := &watching{over: 5 * time.Second}
	at := func(second, n int) *figures {
		f, err := readFigures(figuresText(n), topAt.Add(time.Duration(second)*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for second := range 9 {
		w.keep(at(second, 100+second))
	}
	if got := w.past[0].at.Sub(topAt); got != 3*time.Second {
		t.Errorf("they reach back to %v", got)
	}
	w.keep(at(9, 10))
	if len(w.past) != 1 {
		t.Errorf("%d readings are left after a restart", len(w.past))
	}
}
