package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/ledger/disk"
	"github.com/weirproxy/weir/internal/store/pgtest"
	"github.com/weirproxy/weir/internal/store/sqlite"
)

// TestMain lets the test's own program be the servers that the benchmark starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		if err := dispatch(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// withUpstream is a benchmark whose upstream runs until the context ends, which is when the test does.
func withUpstream(t *testing.T, o *options) (*bench, context.Context) {
	t.Helper()
	b, err := newBench(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context())) // what runs is ended in order
	if err := b.startUpstream(ctx); err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = b.up.Wait()
		_ = os.RemoveAll(b.folder)
	})
	return b, ctx
}

// The smallest run there is, through both kinds of upstream. What it measures means nothing.
func TestRun(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("CPU time and memory are read from /proc, which only Linux has")
	}
	for _, upstream := range []string{"-sim=false", "-sim=true"} {
		out := filepath.Join(t.TempDir(), "figures.json")
		var o options
		o.parse([]string{"-rounds=1", "-time=60ms", "-concurrency=2", "-only=200B,burst", "-candidates=direct,reverseproxy,passthrough", "-out=" + out, upstream})
		b, err := newBench(&o)
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(b.folder)
		b.settle = 0
		all := workloads()
		b.workloads = append(b.workloads, &workload{name: "held-3", held: 3, prompt: all[len(all)-1].prompt})
		ctx, cancel := context.WithCancel(t.Context())
		var printed bytes.Buffer
		err = b.run(ctx, &printed)
		cancel() // ends the upstream
		_ = b.up.Wait()
		if err != nil {
			t.Fatal(err)
		}
		r, err := readRecord(out)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []struct{ mode, workload, metric string }{
			{pinnedMode, "200B", "cpu_us"},
			{sharedMode, "200B", "cpu_us"},
			{sharedMode, "200B", "rps"},
			{sharedMode, "200B", "p99_us"},
			{sharedMode, "burst", "cpu_us"},
			{sharedMode, "burst", "p50_us"},
			{sharedMode, "held-3", "pss_mib"},
			{sharedMode, "process", "start_ms"},
			{sharedMode, "process", "loaded_rss_mib"},
		} {
			if s := r.series(want.mode, want.workload, "reverseproxy", want.metric); len(s) != 1 || s.median() <= 0 {
				t.Errorf("%s %s %s: %v", upstream, want.workload, want.metric, s)
			}
		}
		if r.lack() == "" || !strings.Contains(printed.String(), "passthrough") {
			t.Errorf("lacks %q; printed\n%s", r.lack(), &printed)
		}
	}
}

// The two Weirs that are compared serve the same requests. Only one of them records its calls.
func TestAccount(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("CPU time and memory are read from /proc, which only Linux has")
	}
	if len(accountWorkloads()) != 4 {
		t.Fatal("a workload is missing")
	}
	out := filepath.Join(t.TempDir(), "figures.json")
	var o options
	o.parse([]string{"-rounds=1", "-time=60ms", "-concurrency=2", "-modes=" + sharedMode, "-only=200B," + account, "-out=" + out})
	b, ctx := withUpstream(t, &o)
	b.mode = b.modes[0]
	for _, c := range []*candidate{freely, accounted} {
		r, err := b.start(c)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(r.stop)
		if err := b.measure(ctx, 0, r, b.workloads[0]); err != nil {
			t.Fatal(err)
		}
		if s := b.done.series(sharedMode, "200B", c.name, "cpu_us"); len(s) != 1 || s.median() <= 0 {
			t.Errorf("%s: %v", c.name, s)
		}
		r.stop()
		if rows := rowsOf(t, filepath.Join(filepath.Dir(r.log.Name()), "data")); (rows > 0) != (c == accounted) {
			t.Errorf("%s has %d rows in its ledger", c.name, rows)
		}
	}
}

// rowsOf is how many calls a Weir recorded that has ended.
func rowsOf(t *testing.T, data string) int64 {
	t.Helper()
	db, err := sqlite.Open(t.Context(), filepath.Join(data, "weir.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	files, err := disk.Open(filepath.Join(data, "journal"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := ledger.Open(t.Context(), ledger.Options{Files: files, Store: db, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	err = l.Close(t.Context())
	verified, wrong := db.Verify(t.Context(), func(ledger.Difference) {})
	if err := errors.Join(err, wrong); err != nil {
		t.Fatal(err)
	}
	return verified.Rows
}

// A ledger takes calls at a pace, and all of them reach the store.
func TestPace(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("CPU time and memory are read from /proc, which only Linux has")
	}
	t.Parallel()
	p, err := atPace(t.TempDir(), 3000, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if p.Recorded != 3000 || p.Refused != 0 || p.Stored != 3000 || p.CPU <= 0 || p.Early <= 0 || p.Late < p.Early/2 {
		t.Errorf("%+v", p)
	}
}

func TestWeirsConfigIsGood(t *testing.T) {
	t.Parallel()
	b := &bench{upstream: "http://127.0.0.1:1"}
	loader := config.Loader{Kinds: catalog.ConfigKinds(), Env: func(string) (string, bool) { return "", false }}
	if _, err := loader.Parse("weir.yaml", []byte(b.weirConfig("127.0.0.1:2", "127.0.0.1:3", t.TempDir()))); err != nil {
		t.Error(err)
	}
}

// What a grown Weir holds is what its size says, and requests call a model that it has.
func TestGrownWeirs(t *testing.T) {
	t.Parallel()
	b := &bench{upstream: "http://127.0.0.1:1"}
	loader := config.Loader{Kinds: catalog.ConfigKinds(), Env: func(string) (string, bool) { return "", false }}
	for _, d := range dimensions(10_000) {
		for _, n := range d.sizes[:2] {
			folder := t.TempDir()
			models, err := d.prepare(t.Context(), folder, n)
			if err != nil {
				t.Fatal(err)
			}
			c, err := loader.Parse("weir.yaml", []byte(b.weirConfig("127.0.0.1:2", "127.0.0.1:3", folder)+models))
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(c.Models, func(m config.Model) bool { return m.Name == d.model(n) })
			if at < 0 || d.name == "targets" && len(c.Models[at].Targets) != n {
				t.Errorf("%d %s: the model %s is not as it should be", n, d.name, d.model(n))
			}
			if d.name != "keys" {
				continue
			}
			db, err := sqlite.Open(t.Context(), filepath.Join(folder, "data", "weir.db"))
			if err != nil {
				t.Fatal(err)
			}
			found := 0
			_, err = db.ChangesSince(t.Context(), 0, nil, func(auth.Key) { found++ })
			if err := errors.Join(err, db.Close()); err != nil || found != n {
				t.Errorf("%d keys of %d: %v", found, n, err)
			}
		}
	}
}

func TestChosen(t *testing.T) {
	t.Parallel()
	same := func(s string) string { return s }
	all := []string{"a", "b", "c"}
	for list, want := range map[string]string{"": "[a b c]", "c,a": "[a c]"} {
		if got, err := chosen(list, all, same); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%q: %v, %v", list, got, err)
		}
	}
	if _, err := chosen("a,x", all, same); err == nil || err.Error() != `"x" is not one of a, b, c` {
		t.Error(err)
	}
}

// The upstream reports usage only if asked.
func TestUpstreamStreams(t *testing.T) {
	t.Parallel()
	client, server := net.Pipe()
	up := newUpstream()
	ended := make(chan error, 1)
	go func() { ended <- up.serve(server) }()
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return client, nil }}
	for _, usage := range []bool{false, true} {
		body := fmt.Sprintf(`{"stream":true,"stream_options":{"include_usage":%v}}`, usage)
		resp, err := (&http.Client{Transport: transport}).Post("http://up/stream/5/1us/v1/chat/completions", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		want, nulls, totals := 6, 0, 0
		if usage {
			want, nulls, totals = 7, 5, 1
		}
		s := string(text)
		if strings.Count(s, "data: ") != want || strings.Count(s, `"usage":null`) != nulls || strings.Count(s, `"total_tokens"`) != totals || !strings.HasSuffix(s, "data: [DONE]\n\n") {
			t.Errorf("usage %v: %s", usage, s)
		}
	}
	text, err := io.ReadAll(postTo(t, transport, "messages/7/1us").Body)
	if s := string(text); err != nil || strings.Count(s, "data: ") != 7 || strings.Count(s, "text_delta") != 2 || !strings.HasSuffix(s, "data: {\"type\":\"message_stop\"}\n\n") {
		t.Errorf("%v: %s", err, s)
	}
	client.Close()
	if err := <-ended; !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

func postTo(t *testing.T, transport *http.Transport, path string) *http.Response {
	t.Helper()
	resp, err := (&http.Client{Transport: transport}).Post("http://up/"+path+"/v1/messages", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// made is a record in which round i of 5 has the value times i, and direct a tenth of it.
func made() *record {
	r := &record{Date: "2030-01-02", Machine: "a machine", Go: "Go 1", Nginx: "nginx 1", Rounds: wholeRounds, Streams: 10_000}
	type place struct{ mode, workload, metric string }
	for i, c := range shown {
		made := map[place]bool{} // some rows are in two tables
		r.Candidates = append(r.Candidates, c.candidate)
		for _, g := range groups() {
			for _, row := range g.rows {
				at := place{g.mode, row.workload, row.metric}
				if made[at] {
					continue
				}
				made[at] = true
				for round := range wholeRounds {
					value := float64(100*i+10) * float64(round+1)
					r.Figures = append(r.Figures, figure{g.mode, round, row.workload, c.candidate, row.metric, value})
				}
			}
		}
	}
	for _, d := range dimensions(10_000) {
		for i, n := range d.sizes {
			for round := range wholeRounds {
				r.Figures = append(r.Figures, figure{pinnedMode, round, d.workloadOf(n), "weir", "cpu_us", float64(100 + 5*i)})
			}
		}
	}
	for _, g := range accountRows() {
		for _, row := range g.rows {
			for round := range wholeRounds {
				for i, c := range []*candidate{freely, accounted} {
					r.Figures = append(r.Figures, figure{g.mode, round, row.workload, c.name, row.metric, float64(100 + 20*i)})
				}
			}
		}
	}
	for i, f := range fleets {
		for round := range wholeRounds {
			for _, metric := range []string{"cpu_us", "postgres_us", "late_percent"} {
				r.Figures = append(r.Figures, figure{sharedMode, round, replicas, f.name, metric, float64(100 + 5*i)})
			}
		}
	}
	r.Shared = &shared{
		Rounds: wholeRounds, Keys: 1000, Phases: []phase{{"some keys", 10_000, 7, 5, 20, 4.5}},
		Trips: trips{One: trip{2, 500, 1000, 100}, Many: trip{6, 160, 4000, 900}, All: trip{3, 1500, 900, 100}},
	}
	times := []beside{{Alone: [2]float64{400, 1000}, Beside: [2]float64{400, 1100}, Answers: map[string]int{"200": 70, "503": 4}}}
	r.Read = &read{Load: "0.1, 0.1, 0.1", Stores: []readOfStore{
		{"SQLite", filled{Rows: 1000, Whole: 30_000, Last: 20_000, Size: 120_000}, []pageTime{{"one page", 9, 1, 2, 3, 3, 4500}}, times, times},
		{"Postgres", filled{Rows: 1000, Whole: 18_000, Last: 15_000, Size: 180_000}, []pageTime{{"one page", 9, 50, 60, 120, 3, 4500}}, times, times},
	}}
	paints := []painted{{100, 200, 300}, {110, 210, 310}, {310, 410, 510}}
	r.Seen = &seen{
		Load: "0.1, 0.1, 0.1", After: "0.9, 0.9, 0.9", Rows: 1000, Browser: "150.0", Pages: []seenPage{{"One page", paints, []painted{{301, 301, 301}}}},
		Acts: []seenAct{{"a click", []float64{0, 56, 64}, []float64{10, 20, 30}, []float64{0, 0, 70}}},
	}
	r.Pace = &pace{Rate: 20_000, Seconds: 60, Recorded: 1_200_000, Stored: 1_200_000, Behind: 0.4, CPU: 12.3, Early: 40, Late: 41.5}
	return r
}

func TestPage(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(folder, filepath.Dir(page)), 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, page)
	if err := os.WriteFile(path, []byte("before\n"+beginMark+"old\n"+endMark+"after\n"+growthBegin+"old\n"+growthEnd+accountBegin+"old\n"+accountEnd), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, scalePage), []byte(replicasBegin+"old\n"+replicasEnd), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, readPage), []byte(readBegin+"old\n"+readEnd+seenBegin+"old\n"+seenEnd), 0o600); err != nil {
		t.Fatal(err)
	}
	r := made()
	if lack := r.lack() + r.growthLack() + r.accountLack() + r.replicasLack() + r.consoleLack() + r.browserLack(); lack != "" {
		t.Fatal(lack)
	}
	if err := r.write(folder); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	scale, err := os.ReadFile(filepath.Join(folder, scalePage))
	if err != nil {
		t.Fatal(err)
	}
	read, err := os.ReadFile(filepath.Join(folder, readPage))
	if err != nil {
		t.Fatal(err)
	}
	s := string(text) + string(scale) + string(read)
	for _, want := range []string{
		"before\n" + beginMark + "Result of 2030-01-02: a machine; Go 1, nginx 1. Medians of 3 rounds",
		"| body of 200 B |  | 220 (110–330) | 420 (210–630) | 620 (310–930) | 820 (410–1,230) | 3.73 | 1.95 | 1.32 |\n", // CPU
		"| body of 200 B |  | 200 (100–300) | 400 (200–600) | 600 (300–900) | 800 (400–1,200) | 4.00 | 2.00 | 1.33 |\n", // added
		"| 1,000,000 keys | 110 (110–110) | 1.10 |\n", "| 1 open stream | 100 (100–100) | 1.00 |\n",
		"| of an event of a paced stream | 100 (100–100) | 120 (120–120) | 1.20 |\n", "It recorded 1,200,000 and refused 0, and the store had 1,200,000 rows at the end.",
		"| CPU time of Weir for a request, µs | 100 (100–100) | 105 (105–105) |\n", "| requests that as much CPU time for each replica serves | 1 | 1.90 (1.90–1.90) |\n",
		"| one page (3 lines, 4.50 KB) | 1.00 / 2.00 / 3.00 | **50.0 / 60.0 / 120** |\n", "| of the last tenth | 20,000 | 15,000 |\n", "| size, bytes a call | 120 | 180 |\n",
		"| beside : alone, in the same round | 1.00 (1.00–1.00) / 1.10 (1.10–1.10) | 1.00 (1.00–1.00) / 1.10 (1.10–1.10) |\n", "| 200: 70, 503: 4 |\n",
		"| One page | 100 / 110 | 200 / 210 | 300 / 310 | **301 / 301** | 301 / 301 |\n", "| a click | **– / 56** | 10 / 20 | – / – |\n",
		"| some keys | 10,000 | 7 | 0.50 | 2.00 | 4.50 |\n", "100 budgets take 3.00 times as long as one.", "could do 2,000 checkouts",
		"| until the first 200, ms | 20.0 (10.0–30.0) | 220 (110–330)", endMark + "after\n",
	} {
		if !strings.Contains(s, want) {
			t.Errorf("no %q in\n%s", want, s)
		}
	}
	if strings.Contains(s, "old\n") {
		t.Error("the old table is still there")
	}
	for _, g := range groups() {
		if g.plot == "" {
			continue
		}
		drawn, err := os.ReadFile(filepath.Join(folder, plotFile(g)))
		if err != nil || !strings.Contains(s, filepath.Base(plotFile(g))) {
			t.Error(g.plot, err)
		}
		if err := xml.Unmarshal(drawn, new(struct{})); err != nil {
			t.Errorf("%s: %v", g.plot, err)
		}
	}
	if _, err := between("no marks", beginMark, endMark, "x"); err == nil {
		t.Error("a page without marks was written")
	}
	r.Seen = nil
	if r.browserLack() == "" {
		t.Error("that no browser was there goes unnoticed")
	}
	r.Read.Stores[1].Filled.Whole = 0
	if r.consoleLack() == "" {
		t.Error("a store that was filled before goes unnoticed")
	}
	r.Read.Stores = r.Read.Stores[:1]
	if r.consoleLack() == "" {
		t.Error("that Postgres is missing goes unnoticed")
	}
	for _, lacks := range []func() string{r.lack, r.growthLack, r.accountLack, r.replicasLack} {
		whole := r.Figures
		for i := range whole {
			r.Figures = slices.Concat(whole[:i], whole[i+1:])
			if lacks() != "" {
				break
			}
		}
		if lacks() == "" {
			t.Error("a missing figure goes unnoticed")
		}
		r.Figures = whole
	}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	s, other := series{0: 2, 1: 8, 2: 6, 3: 4}, series{0: 1, 1: 2, 9: 100}
	if s.median() != 5 || s.least() != 2 || s.most() != 8 || s.ratio(other) != "3.00" || s.ratio(series{0: 0}) != "-" || s.ratio(nil) != "-" {
		t.Errorf("%v %v %v %v", s.median(), s.least(), s.most(), s.ratio(other))
	}
	for v, want := range map[float64]string{0.123: "0.12", 9.99: "9.99", 12.34: "12.3", 123.6: "124", 1234567: "1,234,567", -150.4: "-150", -2000: "-2,000", -1.5: "-1.50"} {
		if got := digits(v); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
	if d := micros(1500 * time.Nanosecond); d != 1.5 {
		t.Error(d)
	}
}

// The smallest run of the part there is. What it measures means nothing, but the counts of statements and waits are real.
func TestReplicas(t *testing.T) {
	if testing.Short() {
		t.Skip("what it measures are other programs: the race detector has no use for it")
	}
	if runtime.GOOS != "linux" {
		t.Skip("CPU time is read from /proc, which only Linux has")
	}
	var server pgtest.Server
	t.Cleanup(server.Stop)
	server.Database(t) // skips the test without Postgres
	var o options
	o.parse([]string{"-concurrency=2", "-modes=" + sharedMode, "-only=" + replicas, "-out=" + filepath.Join(t.TempDir(), "figures.json")})
	b, ctx := withUpstream(t, &o)
	s := &sharing{rounds: 1, time: 100 * time.Millisecond, keys: 4, rate: 100, steady: time.Second, trips: 8}
	if err := b.share(ctx, &server, s); err != nil {
		t.Fatal(err)
	}
	r := &b.done
	for i := range fleets {
		if c := r.replicaCost(i, "cpu_us"); len(c) != 1 || c.median() <= 0 {
			t.Errorf("%s: %v", fleets[i].name, c)
		}
	}
	if len(r.Shared.Phases) != 4 {
		t.Fatalf("%d phases", len(r.Shared.Phases))
	}
	for i, p := range r.Shared.Phases {
		first := i%2 == 0
		want := map[bool]float64{true: 12, false: 100}[first]
		if p.Requests != want || p.Statements > 3*(want+p.Repeated) {
			t.Errorf("%+v", p)
		}
		if first && (p.Statements == 0 || p.Waits == 0 || p.P99 <= 0) {
			t.Errorf("no key needed the database at first: %+v", p)
		}
	}
	for _, trip := range []trip{r.Shared.Trips.One, r.Shared.Trips.Many, r.Shared.Trips.All} {
		if trip.Took <= 0 || trip.Second <= 0 || trip.Own <= 0 {
			t.Errorf("%+v", trip)
		}
	}
	if lack := r.replicasLack(); !strings.Contains(lack, "rounds") {
		t.Errorf("it lacks %q", lack)
	}
}

func TestQuantile(t *testing.T) {
	t.Parallel()
	of := map[string]float64{bucket("h", 0.001): 90, bucket("h", 0.01): 98, bucket("h", 0.02): 100, `h_bucket{le="+Inf"}`: 100, "h_count": 100}
	for share, want := range map[float64]float64{0.45: 0.0005, 0.94: 0.0055, 0.99: 0.015, 1: 0.02} {
		if got := quantile(of, "h", share); max(got-want, want-got) > 1e-9 {
			t.Errorf("%v of it: %v, want %v", share, got, want)
		}
	}
	if got := quantile(map[string]float64{bucket("h", 0.001): 0, "h_count": 0}, "h", 0.99); got != 0 {
		t.Errorf("of nothing %v", got)
	}
}
