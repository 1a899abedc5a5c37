package app_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// upload sends a request with a body of so many bytes, all of it before it reads, and returns the status of the answer.
func upload(t *testing.T, addr, head string, size int) (status int, err error) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	if _, err := fmt.Fprintf(c, head+"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n", size); err != nil {
		return 0, err
	}
	piece := bytes.Repeat([]byte(" "), 64<<10)
	for size > 0 {
		n, err := c.Write(piece[:min(size, len(piece))])
		if err != nil {
			return 0, fmt.Errorf("with %d bytes to go: %w", size, err)
		}
		size -= n
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode >= 400 && !bytes.Contains(body, []byte(`"error"`)) {
		return resp.StatusCode, fmt.Errorf("%s %w", body, err)
	}
	return resp.StatusCode, nil
}

// Some answers need no body, or no more of it. They reach clients that write all of their body before they read, also over HTTP/1.0
// and where the connection closes. A proxy in front counts one that does not as a failure of this Weir, and a GET with a body needs
// no key.
func TestAnswersArriveBehindLargeBodies(t *testing.T) {
	t.Parallel()
	w := apptest.StartWith(t, "limits: {body: 4MiB}\ncors: {origins: [\"https://app.example\"]}\nproviders: {up: {kind: sim}}\nmodels: {m: {targets: [up/x]}}\n")
	key := w.NewKey(t, "caller")
	const path = "POST /v1/chat/completions HTTP/"
	for name, tt := range map[string]struct {
		head   string
		size   int
		status int
	}{
		"HTTP/1.0, no key":        {path + "1.0\r\nHost: x\r\n", 20 << 20, 401},
		"closing, no key":         {path + "1.1\r\nHost: x\r\nConnection: close\r\n", 20 << 20, 401},
		"kept, no key":            {path + "1.1\r\nHost: x\r\n", 3 << 20, 401},
		"HTTP/1.0, too large":     {path + "1.0\r\nHost: x\r\nAuthorization: Bearer " + key + "\r\n", 70 << 20, 413},
		"closing, too large":      {path + "1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer " + key + "\r\n", 70 << 20, 413},
		"closing, an unknown URL": {"POST /v2/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n", 20 << 20, 404},
		"closing, not gzip":       {path + "1.1\r\nHost: x\r\nConnection: close\r\nContent-Encoding: gzip\r\nAuthorization: Bearer " + key + "\r\n", 3 << 20, 400},
		"HTTP/1.0, not zstd":      {path + "1.0\r\nHost: x\r\nContent-Encoding: zstd\r\nAuthorization: Bearer " + key + "\r\n", 3 << 20, 400},
		"HTTP/1.0, health":        {"GET /health HTTP/1.0\r\nHost: x\r\n", 20 << 20, 200},
		"closing, models, no key": {"GET /v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n", 20 << 20, 401},
		"closing, models":         {"GET /v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer " + key + "\r\n", 20 << 20, 200},
		"closing, preflight":      {"OPTIONS /v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\nOrigin: https://app.example\r\nAccess-Control-Request-Method: GET\r\n", 20 << 20, 204},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 5 {
				if status, err := upload(t, w.Addr(), tt.head, tt.size); status != tt.status || err != nil {
					t.Fatalf("%d, %v; want %d", status, err, tt.status)
				}
			}
		})
	}
}

// An answer says how long it is, so that a client has it whole although the body that it announced is still waited for.
func TestAnswersAreWholeBeforeTheBody(t *testing.T) {
	t.Parallel()
	w := apptest.StartWith(t, "providers: {up: {kind: sim}}\nmodels: {m: {targets: [up/x]}}\n")
	for _, request := range []string{"GET /health", "GET /readyz", "GET /v1/models", "POST /v1/chat/completions", "PUT /v1/models"} {
		c, err := net.Dial("tcp", w.Addr())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(c, request+" HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n")
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		if resp.ContentLength <= 0 {
			t.Errorf("%s: the answer's length is %d", request, resp.ContentLength)
		}
		_, _ = resp.Body.Close(), c.Close() // nothing more is read
	}
}

const nginxInFront = `
worker_processes 1;
daemon off;
pid %[1]s/nginx.pid;
error_log %[1]s/error.log;
%[2]s
events { worker_connections 1000; }
http {
    access_log off;
    client_body_temp_path %[1]s/body;
    proxy_temp_path %[1]s/proxy;
    fastcgi_temp_path %[1]s/fastcgi;
    uwsgi_temp_path %[1]s/uwsgi;
    scgi_temp_path %[1]s/scgi;
    client_max_body_size 100m;
    upstream weir { server %[3]s; server %[4]s; }
    server {
        listen %[5]s;
        location / { proxy_pass http://weir; }
    }
}
`

// Through nginx with its default proxy settings, every refusal of a large body arrives, and no good request fails meanwhile.
func TestLongRefusalsArriveThroughNginx(t *testing.T) {
	if os.Getenv("WEIR_LONG") == "" {
		t.Skip("WEIR_LONG is not set; make long runs this")
	}
	path, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip("nginx is not installed; scripts/nginx installs it")
	}
	const key = "a key that both know"
	config := "limits: {body: 16MiB}\nproviders: {up: {kind: sim}}\nmodels: {m: {targets: [up/chat]}}\n" +
		fmt.Sprintf("keys: [{name: good, digest: \"sha256:%x\"}]\n", sha256.Sum256([]byte(key)))
	first, second := apptest.StartWith(t, config), apptest.StartWith(t, config)
	folder, user := t.TempDir(), ""
	if os.Getuid() == 0 {
		user = "user root;"
	}
	front, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := front.Addr().String()
	front.Close()
	file := filepath.Join(folder, "nginx.conf")
	if err := os.WriteFile(file, fmt.Appendf(nil, nginxInFront, folder, user, first.Addr(), second.Addr(), addr), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	nginx := exec.CommandContext(ctx, path, "-p", folder, "-c", file, "-e", filepath.Join(folder, "error.log"))
	nginx.Cancel = func() error { return nginx.Process.Signal(syscall.SIGTERM) } // killing it would leave its worker running
	nginx.WaitDelay = 10 * time.Second
	if err := nginx.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); _ = nginx.Wait() })
	until(t, "nginx serves", func() bool {
		resp, err := http.Get("http://" + addr + "/healthz")
		if err == nil {
			resp.Body.Close()
		}
		return err == nil && resp.StatusCode == http.StatusOK
	})
	var uploads, others sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		uploads.Go(func() {
			for i := range 50 {
				head, want := "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n", 401
				if i%2 == 1 {
					head, want = head+"Authorization: Bearer "+key+"\r\n", 413
				}
				status, err := upload(t, addr, head, 20<<20)
				if err != nil || status != want {
					t.Errorf("a refusal came as %d, %v; want %d", status, err, want)
				}
			}
		})
	}
	good := 0
	others.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			// A POST, which nginx does not send again to the other Weir.
			a := do(t, http.DefaultClient, request(t, "POST", "http://"+addr+"/v1/chat/completions", chatBody("m"), "Authorization", "Bearer "+key))
			if a.status != http.StatusOK {
				t.Errorf("a good request failed: %d %s", a.status, a.body)
				return
			}
			good++
		}
	})
	uploads.Wait()
	close(done)
	others.Wait()
	if good < 20 {
		t.Errorf("only %d good requests were made", good)
	}
}
