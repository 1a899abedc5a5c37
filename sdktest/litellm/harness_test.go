package litellm

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/store/pgtest"
	"github.com/weirproxy/weir/sdktest/internal/install"
)

var server pgtest.Server

func TestMain(m *testing.M) { os.Exit(server.Around(m).Run()) }

// patience bounds how long a program takes to start, or a row to be written.
const patience = 5 * time.Minute

// programs are what was installed: LiteLLM from PyPI, with its client of the database, and the engine of that.
type programs struct{ bin, engine, migrations string }

// installed installs LiteLLM, if it is not.
func installed(t *testing.T) programs {
	t.Helper()
	t.Setenv("npm_config_ignore_scripts", "true") // Prisma's own install step downloads what engine.js is there for
	install.Programs(t, ".")
	python := install.Venv(t, "litellm", "requirements.txt")
	engine, err := filepath.Abs("engine.js")
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Dir(python)
	packages, err := filepath.Glob(filepath.Join(bin, "..", "lib", "python*", "site-packages"))
	if err != nil || len(packages) != 1 {
		t.Fatal(err, packages)
	}
	p := programs{bin, engine, filepath.Join(packages[0], "litellm_proxy_extras", "migrations")}
	install.Once(t, filepath.Join(bin, "generated"), func() {
		install.Step(t, ".", p.env(), filepath.Join(bin, "prisma"), "generate", "--schema", filepath.Join(packages[0], "litellm", "proxy", "schema.prisma"))
	})
	return p
}

// env is what Prisma's and LiteLLM's programs need.
func (p programs) env() []string {
	return []string{
		"PATH=" + p.bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + filepath.Dir(p.bin),
		"PRISMA_QUERY_ENGINE_BINARY=" + p.engine, "PRISMA_SCHEMA_ENGINE_BINARY=" + p.engine, "DISABLE_SCHEMA_UPDATE=true",
		"LITELLM_LOCAL_MODEL_COST_MAP=True", "LITELLM_TELEMETRY=False", "NO_PROXY=127.0.0.1",
	}
}

// database is one with the tables of this version of LiteLLM, by its own migrations.
func (p programs) database(t *testing.T) (url string, db *sql.DB) {
	t.Helper()
	url = server.Database(t)
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	files, err := filepath.Glob(filepath.Join(p.migrations, "*", "migration.sql"))
	if err != nil || len(files) < 100 {
		t.Fatal(err, len(files))
	}
	slices.Sort(files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(string(text)); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return url, db
}

// began is a program that runs until the end of the test.
type began struct {
	url string
	out *bytes.Buffer
}

// begin starts a server, and waits until it answers at a path behind its address.
func begin(t *testing.T, folder string, env []string, answers, name string, args ...string) *began {
	t.Helper()
	address, _, _ := strings.Cut(answers, "/")
	b := &began{"http://" + address, &bytes.Buffer{}}
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = folder, append(os.Environ(), env...), b.out, b.out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		select {
		case <-ended:
		case <-time.After(30 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
		if t.Failed() {
			text := b.out.String()
			t.Logf("%s: %s", name, text[max(0, len(text)-4000):])
		}
	})
	b.until(t, name+" answers", func() bool {
		select {
		case <-ended:
			t.Fatalf("%s ended: %s", name, b.out)
		default:
		}
		got := ask(t.Context(), http.MethodGet, "http://"+answers, "", "")
		return got.status == http.StatusOK
	})
	return b
}

// until waits for what becomes true in its own time.
func (b *began) until(t *testing.T, what string, done func() bool) {
	t.Helper()
	end := time.Now().Add(patience)
	for !done() {
		if time.Now().After(end) {
			t.Fatalf("it takes too long until %s", what)
		}
		select {
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// chosen has the addresses that were free once: the system may give one of them out a second time before its program listens there.
var chosen = map[string]bool{}

// free is an address that nothing listens on, and another one each time.
func free(t *testing.T) string {
	t.Helper()
	for {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		addr := l.Addr().String()
		l.Close()
		if !chosen[addr] {
			chosen[addr] = true
			return addr
		}
	}
}

// reply is what came back of a call.
type reply struct {
	status int
	body   []byte
}

// ask makes one call; the status is 0 if there is no answer.
func ask(ctx context.Context, method, url, key, body string) reply {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return reply{}
	}
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return reply{}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return reply{}
	}
	return reply{resp.StatusCode, text}
}

// read reads an answer.
func read[T any](t *testing.T, r reply) (v T) {
	t.Helper()
	if err := json.Unmarshal(r.body, &v); err != nil {
		t.Fatalf("%d: %v: %.300s", r.status, err, r.body)
	}
	return v
}

// command runs weir to its end.
func command(t *testing.T, folder string, env []string, weir string, args ...string) (out string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), weir, args...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), env...)
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("weir %s: %v\n%s", strings.Join(args, " "), err, text)
	}
	return string(text)
}
