package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/logging/logtest"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/secret"
	"github.com/weirproxy/weir/internal/sim"
	"github.com/weirproxy/weir/internal/store/pgtest"
	store "github.com/weirproxy/weir/internal/store/postgres"
)

// fleet is several Weirs that share one Postgres, behind nginx.
type fleet struct {
	t       *testing.T
	server  *pgtest.Server
	store   string // the URL of the database
	db      *sql.DB
	members []*fleetMember
	url     string // nginx's
	client  *http.Client
}

// fleetMember is one of them. It has a simulated provider of its own, so that it is known which Weir made a call.
type fleetMember struct {
	*child
	fleet    *fleet
	addr     string
	folder   string
	config   string
	instance string // its name in the database
	up       *sim.Server
}

// newFleet starts Weirs with the config that is made of a provider's URL. They are stopped when the test ends.
func newFleet(t *testing.T, server *pgtest.Server, size int, script string, config func(base string) string) *fleet {
	t.Helper()
	f := &fleet{t: t, server: server, store: server.Durable(t)}
	var err error
	if f.db, err = sql.Open("pgx", f.store); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.db.Close() })
	for i := range size {
		up, provider := simulate(t, script)
		m := &fleetMember{fleet: f, addr: unusual(t), folder: t.TempDir(), up: up}
		m.config = "store: " + f.store + "\n" + config(provider.URL+"/v1")
		f.members = append(f.members, m)
		m.start()
		const last = `SELECT id FROM escrow_replicas ORDER BY began DESC LIMIT 1`
		if err := f.db.QueryRow(last).Scan(&m.instance); err != nil || slices.ContainsFunc(f.members[:i], func(o *fleetMember) bool { return o.instance == m.instance }) {
			t.Fatalf("the database has %q as the latest replica (%v)", m.instance, err)
		}
	}
	connections := &http.Transport{MaxIdleConnsPerHost: 1000}
	t.Cleanup(connections.CloseIdleConnections)
	f.client = &http.Client{Transport: connections}
	f.balance()
	return f
}

// unusual is an address that no other listener gets by chance: its port is below those that the system chooses.
func unusual(t *testing.T) string {
	t.Helper()
	for range 100 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 15_000+rand.IntN(10_000)))
		if err != nil {
			continue
		}
		defer func() { _ = l.Close() }()
		return l.Addr().String()
	}
	t.Fatal("no port is free")
	return ""
}

// start starts the Weir, also again on what it left.
func (m *fleetMember) start() {
	m.fleet.t.Helper()
	m.child = startWith(m.fleet.t, m.folder, func(binary string) (string, error) { return binary, nil }, m.config, "WEIR_LISTEN", m.addr)
}

// kill ends it as a crash does, stop as an operator does.
func (m *fleetMember) kill() { m.fleet.t.Helper(); m.signal(syscall.SIGKILL) }
func (m *fleetMember) stop() { m.fleet.t.Helper(); m.signal(syscall.SIGTERM) }

func (m *fleetMember) signal(s syscall.Signal) {
	m.fleet.t.Helper()
	if err := syscall.Kill(m.pid, s); err != nil {
		m.fleet.t.Fatal(err)
	}
	if code := m.end(); code != 0 && s == syscall.SIGTERM {
		m.fleet.t.Errorf("it ends with %d: %s", code, m.stderr)
	}
}

var (
	theirServers = regexp.MustCompile(`(?m)^ *server weir-\d:8930 (.*;)\n`)
	theirPort    = "listen 8080;"
)

// balance starts nginx in front of the Weirs, with the config that Weir comes with. Only addresses differ, and a Weir that was lost is tried again sooner.
func (f *fleet) balance() {
	f.t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		if program, err = exec.LookPath("/usr/sbin/nginx"); err != nil {
			f.t.Skip("nginx is not installed; scripts/nginx installs it")
		}
	}
	file, err := os.ReadFile("../../deploy/compose/nginx.conf")
	if err != nil {
		f.t.Fatal(err)
	}
	text := string(file)
	theirs := theirServers.FindStringSubmatch(text)
	if theirs == nil || !strings.Contains(text, theirPort) {
		f.t.Fatal("nginx.conf has no Weirs, or another port")
	}
	servers := ""
	for _, m := range f.members {
		servers += "server " + m.addr + " " + strings.Replace(theirs[1], "fail_timeout=5s", "fail_timeout=1s", 1) + "\n"
	}
	addr, folder := unusual(f.t), f.t.TempDir()
	text = strings.Replace(text, theirs[0], servers, 1)
	text = strings.Replace(theirServers.ReplaceAllString(text, ""), theirPort, "listen "+addr+";", 1)
	text = strings.ReplaceAll(text, "/tmp/", folder+"/")
	path := filepath.Join(folder, "nginx.conf")
	writeTest(f.t, path, text)
	cmd := exec.Command(program, "-e", "stderr", "-g", "daemon off;", "-c", path)
	said := new(logtest.Buffer)
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			f.t.Errorf("nginx: %v\n%s", err, said)
		} else if f.t.Failed() {
			f.t.Logf("nginx said:\n%s", said)
		}
	})
	f.url = "http://" + addr
	waitFor(f.t, patience, func() string { return "nginx passes requests: " + said.String() }, func() bool {
		resp, err := quiet.Get(f.url + "/readyz")
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
}

// answer is what a client got.
type answer struct {
	status int
	code   string // of the error
	header http.Header
	text   string
	err    error // the connection broke
}

var errorCode = regexp.MustCompile(`"code":"([a-z_]+)"`)

// post makes a request with the made-up key at a URL, nginx's or a Weir's own.
func (f *fleet) post(ctx context.Context, url, id, body string) answer {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		return answer{err: err}
	}
	req.Header.Set("Authorization", "Bearer "+madeUp)
	req.Header.Set("X-Request-Id", id)
	req.Header.Set("X-Trace", id)
	resp, err := f.client.Do(req)
	if err != nil {
		return answer{err: err}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	a := answer{status: resp.StatusCode, header: resp.Header, text: string(text), err: err}
	if code := errorCode.FindStringSubmatch(a.text); code != nil {
		a.code = code[1]
	}
	return a
}

// billed is what a provider bills for all that it was asked: also for what no client read.
func (m *fleetMember) billed(price *money.Price) (sum int64) {
	for _, s := range m.up.Served() {
		sum += int64(price.Charge(servedUsage(&s), false).Cost)
	}
	return sum
}

// billed is what all providers bill.
func (f *fleet) billed(price *money.Price) (sum int64) {
	for _, m := range f.members {
		sum += m.billed(price)
	}
	return sum
}

// idle waits until no provider has a call any more.
func (f *fleet) idle() {
	f.t.Helper()
	waitFor(f.t, patience, func() string { return "the providers' calls end" }, func() bool {
		return !slices.ContainsFunc(f.members, func(m *fleetMember) bool { return m.up.Active() > 0 })
	})
}

// rows are those of all in the database, by the Weir that made them.
func (f *fleet) rows() map[string][]ledger.Row {
	f.t.Helper()
	db, err := store.Open(f.t.Context(), store.Options{URL: secret.New(f.store), Pool: 2})
	if err != nil {
		f.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	by := map[string][]ledger.Row{}
	query := &ledger.RowsQuery{Limit: 5000}
	for {
		rows, more, err := db.Rows(f.t.Context(), query)
		if err != nil {
			f.t.Fatal(err)
		}
		for i := range rows {
			by[rows[i].Instance] = append(by[rows[i].Instance], rows[i])
		}
		if !more {
			return by
		}
		last := rows[len(rows)-1]
		query.Before = &ledger.Place{Seq: last.Seq, Instance: last.Instance}
	}
}

// figure is a sum in the database.
func (f *fleet) figure(query string, args ...any) (n int64) {
	f.t.Helper()
	if err := f.db.QueryRow(query, args...).Scan(&n); err != nil {
		f.t.Fatal(err)
	}
	return n
}

// costOf is what rows cost.
func costOf(rows []ledger.Row) (sum int64) {
	for i := range rows {
		sum += int64(rows[i].Cost)
	}
	return sum
}

// pause lets a client that was refused wait, until ctx ends.
func pause(ctx context.Context) {
	timer := time.NewTimer(200 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// fleetConfig is a config with one key, whose budget is strict.
func fleetConfig(drain, budget string) func(base string) string {
	return func(base string) string {
		return fmt.Sprintf(`drain: %s
providers:
  up: {kind: openai, base_url: %q, api_key: upstream-credential, forward_headers: [X-Trace]}
models:
  cheap: {targets: [{provider: up, model: cheap, price: {input: 0.4, output: 0.4}}]}
keys:
  - {name: made, digest: %q, budgets: [%s/total], reserve: strict}
`, drain, base, digestOfMadeUp, budget)
	}
}
