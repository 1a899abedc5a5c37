// Package pgtest gives tests a Postgres of their own, which holds nothing and is gone afterwards. With WEIR_TEST_DATABASE=postgres://… they get databases
// of that server instead, which may be another engine that speaks as Postgres does, and which are dropped afterwards.
package pgtest

import (
	"bufio"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver that makes the databases
)

// Server is a Postgres that starts when a test first needs it. The zero Server is ready. It stops
// with the process, or with Around.
type Server struct {
	mu      sync.Mutex
	started bool
	err     error // why it could not be started
	admin   *sql.DB
	at      *url.URL // of a database that is there from the start
	bouncer int      // the port of PgBouncer, 0 if it is not installed
	made    []string // databases
	input   io.WriteCloser
	ready   chan struct{} // is sent to when it has restarted
	ended   chan struct{}
}

// Database makes an empty database and returns its URL. It skips the test where Postgres cannot be had.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	name, err := s.database()
	if err != nil {
		t.Skipf("no Postgres: %v", err)
	}
	return s.url(name)
}

// Own is Database for tests that make users, or restart the server. It skips them on a server that is given.
func (s *Server) Own(t testing.TB) string {
	t.Helper()
	url := s.Database(t)
	if s.input == nil {
		t.Skip("a server that is given may have other users")
	}
	return url
}

// New is Database for a program that is no test. The error says why Postgres cannot be had.
func (s *Server) New() (url string, err error) {
	name, err := s.database()
	if err != nil {
		return "", err
	}
	return s.url(name), nil
}

// Durable is Database whose commits outlive a Restart.
func (s *Server) Durable(t testing.TB) string {
	t.Helper()
	url := s.Database(t)
	if s.input == nil { // a server that is given loses no commit
		return url
	}
	if _, err := s.admin.Exec("ALTER DATABASE " + url[strings.LastIndexByte(url, '/')+1:strings.IndexByte(url, '?')] + " SET synchronous_commit = on"); err != nil {
		t.Fatal(err)
	}
	return url
}

// Restart ends the server as a crash would, and starts it again. The databases of all tests are away meanwhile.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	if s.input == nil {
		t.Skip("a server that is given is not restarted")
	}
	if _, err := io.WriteString(s.input, "restart\n"); err != nil {
		t.Fatal(err)
	}
	select {
	case <-s.ready:
	case <-s.ended:
		t.Fatal("Postgres has ended")
	}
}

// Bounced is the same database by way of PgBouncer, which hands out a connection for one transaction. It skips the test where that cannot be had.
func (s *Server) Bounced(t testing.TB, url string) string {
	t.Helper()
	if s.bouncer == 0 {
		t.Skip("PgBouncer is not installed; scripts/postgres installs it")
	}
	return strings.Replace(url, s.at.Port(), strconv.Itoa(s.bouncer), 1)
}

func (s *Server) url(database string) string {
	at := *s.at
	at.Path = "/" + database
	return at.String()
}

func (s *Server) database() (name string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.started {
		s.started = true
		if s.err = s.start(); s.err != nil {
			fmt.Fprintf(os.Stderr, "Tests that need Postgres are skipped: %v\n", s.err)
		}
	}
	if s.err != nil {
		return "", s.err
	}
	name = fmt.Sprintf("test%d_%d", os.Getpid(), len(s.made))
	if _, err = s.admin.Exec("CREATE DATABASE " + name); err == nil {
		s.made = append(s.made, name)
	}
	return name, err
}

// Around is the tests of a package, with which the server ends. It is for goleak.VerifyTestMain, which looks for what is left.
func (s *Server) Around(m *testing.M) Tests { return Tests{s, m} }

// Tests are a package's tests.
type Tests struct {
	server *Server
	tests  *testing.M
}

// Run runs them, and returns the code that the process ends with.
func (t Tests) Run() int {
	defer t.server.Stop()
	return t.tests.Run()
}

// Stop ends the server, for a test that has one of its own.
func (s *Server) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.input == nil {
		s.drop()
		return
	}
	_ = s.admin.Close()
	_ = s.input.Close()
	<-s.ended
}

// drop removes what was made on a server that is given.
func (s *Server) drop() {
	for _, name := range s.made {
		if _, err := s.admin.Exec("DROP DATABASE " + name); err != nil {
			fmt.Fprintf(os.Stderr, "Database %s of the tests is left: %v\n", name, err)
		}
	}
	if s.made = nil; s.admin != nil {
		_ = s.admin.Close()
	}
}

// script starts Postgres, starts it again with each line of its input, and stops it when that ends, for which the death of the test's process is enough. Its arguments are the
// folder of the programs, one for the data, the port, and PgBouncer's if that is to be started, too.
const script = `
trap '' INT
"$1/initdb" -D "$2/data" -U weir -A trust -E UTF8 --locale=C --no-sync >"$2/log" 2>&1 &&
"$1/pg_ctl" -D "$2/data" -l "$2/log" -w -t 120 start -o "-c listen_addresses=127.0.0.1 -c port=$3 -c unix_socket_directories= \
	-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=300 -c shared_buffers=32MB -c wal_level=minimal -c max_wal_senders=0" >>"$2/log" 2>&1 &&
if [ "$4" != 0 ]; then
	cat >"$2/bouncer.ini" <<END
[databases]
* = host=127.0.0.1 port=$3 user=weir
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $4
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
END
	pgbouncer -q "$2/bouncer.ini" >"$2/bouncer.log" 2>&1 &
	bouncer=$!
fi &&
{
	echo ready
	while read -r _; do
		"$1/pg_ctl" -D "$2/data" -l "$2/log" -m immediate -w -t 120 restart >>"$2/log" 2>&1 && echo ready || break
	done
} || cat "$2/log"
[ -z "$bouncer" ] || kill -INT "$bouncer"
"$1/pg_ctl" -D "$2/data" -m immediate stop >/dev/null 2>&1
cd / && rm -rf "$2"
`

func (s *Server) start() error {
	if given := os.Getenv("WEIR_TEST_DATABASE"); given != "" {
		return s.open(given)
	}
	programs, err := folder()
	if err != nil {
		return err
	}
	data, err := os.MkdirTemp("", "weir-postgres-")
	if err != nil {
		return err
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	if _, err := exec.LookPath("pgbouncer"); err == nil {
		if s.bouncer, err = freePort(); err != nil {
			return err
		}
	}
	command := []string{"sh", "-c", script, "sh", programs, data, strconv.Itoa(port), strconv.Itoa(s.bouncer)}
	if os.Getuid() == 0 { // Postgres refuses to run as root
		if command, err = asAnother(command, data); err != nil {
			return errors.Join(err, os.RemoveAll(data))
		}
	}
	if err := s.run(command, data); err != nil {
		return err
	}
	return s.open(fmt.Sprintf("postgres://weir@127.0.0.1:%d/postgres?sslmode=disable", port))
}

// open connects to a server, to make databases there.
func (s *Server) open(at string) (err error) {
	if s.at, err = url.Parse(at); err != nil {
		return errors.New("WEIR_TEST_DATABASE is no URL")
	}
	s.admin, err = sql.Open("pgx", at)
	return err
}

// run starts the command, and waits until it says that Postgres is ready.
func (s *Server) run(command []string, data string) error {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = data
	input, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	reader := bufio.NewReader(output)
	if line, _ := reader.ReadString('\n'); line != "ready\n" {
		_ = input.Close()
		log, _ := io.ReadAll(reader)
		return fmt.Errorf("it does not start: %w\n%s%s", cmd.Wait(), line, log)
	}
	s.input, s.ready, s.ended = input, make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(s.ended)
		for {
			if _, err := reader.ReadString('\n'); err != nil {
				break
			}
			s.ready <- struct{}{}
		}
		_ = cmd.Wait()
	}()
	return nil
}

// folder is where the server's programs are: on the path, or where Debian puts them.
func folder() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path), nil
		}
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", errors.New("it is not installed; scripts/postgres installs it")
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })), nil
}

// version is that in the path of a program.
func version(path string) int {
	n, _ := strconv.Atoi(strings.Split(path, "/")[4])
	return n
}

// asAnother is the command for a user who is not root, and gives that user the folder.
func asAnother(command []string, data string) ([]string, error) {
	setpriv, err := exec.LookPath("setpriv")
	if err != nil {
		return nil, errors.New("it refuses to run as root, and there is no setpriv to run it as another user")
	}
	for _, name := range []string{"postgres", "nobody"} {
		owner, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.Atoi(owner.Uid)
		gid, _ := strconv.Atoi(owner.Gid)
		if err := os.Chown(data, uid, gid); err != nil {
			return nil, err
		}
		return append([]string{setpriv, "--reuid", owner.Uid, "--regid", owner.Gid, "--clear-groups"}, command...), nil
	}
	return nil, errors.New("it refuses to run as root, and there is no user postgres or nobody")
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port, nil
}
