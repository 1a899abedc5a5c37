package deploy

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// replica stands for a Weir: it says which one it is, and can drain.
type replica struct {
	*httptest.Server
	name     string
	asked    atomic.Int64 // requests of callers
	gone     atomic.Int64 // those that ended before their answer
	draining atomic.Bool
	release  chan struct{} // ends the requests to /held and /stream
}

// newReplicas are n of them. Requests to /broken end without an answer once they are read.
func newReplicas(t *testing.T, n int) []*replica {
	t.Helper()
	all := make([]*replica, n)
	release := make(chan struct{})
	for i := range all {
		r := &replica{name: fmt.Sprintf("weir-%d", i+1), release: release}
		r.Server = httptest.NewServer(r)
		t.Cleanup(r.Close)
		all[i] = r
	}
	return all
}

func (r *replica) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if q.URL.Path == "/readyz" {
		if r.draining.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return
	}
	r.asked.Add(1)
	w.Header().Set("X-Replica", r.name)
	_, _ = io.Copy(io.Discard, q.Body)
	switch q.URL.Path {
	case "/broken":
		panic(http.ErrAbortHandler)
	case "/held", "/stream":
		fmt.Fprintln(w, "first")
		w.(http.Flusher).Flush()
		select {
		case <-r.release:
		case <-q.Context().Done():
			r.gone.Add(1)
		}
		fmt.Fprintln(w, "second")
	default:
		fmt.Fprintln(w, q.Header.Get("X-Forwarded-For"))
	}
}

// asked is how many requests all replicas got.
func asked(all []*replica) (n int64) {
	for _, r := range all {
		n += r.asked.Load()
	}
	return n
}

// balancer is one of the examples: the file, and how it is started with the addresses of replicas.
type balancer struct {
	name, program, file string
	check               []string // arguments that only check the file, which comes last
	start               []string // arguments that run it in the foreground, the file last
	replicas            int      // which the file names
	byKey               bool     // keeps a key on few replicas
}

func balancers() []balancer {
	return []balancer{
		{"nginx", "nginx", "compose/nginx.conf", []string{"-e", "stderr", "-t", "-c"}, []string{"-e", "stderr", "-g", "daemon off;", "-c"}, 2, false},
		{"haproxy", "haproxy", "balancers/haproxy.cfg", []string{"-c", "-f"}, []string{"-db", "-f"}, 3, true},
		{"envoy", "envoy", "balancers/envoy.yaml", []string{"--mode", "validate", "-c"}, []string{"--use-dynamic-base-id", "--concurrency", "1", "-l", "error", "-c"}, 3, true},
		{"caddy", "caddy", "balancers/Caddyfile", []string{"validate", "--adapter", "caddyfile", "--config"}, []string{"run", "--adapter", "caddyfile", "--config"}, 2, false},
	}
}

var (
	ofNginx   = regexp.MustCompile(`weir-(\d):8930`)
	ofHAProxy = regexp.MustCompile(`(?m)^(    server weir-\d) .*$`)
	ofEnvoy   = regexp.MustCompile(`address: 127\.0\.0\.1, port_value: \d+`)
	interval  = regexp.MustCompile(`(inter |interval: |interval )2s`)
)

// config is the file with other addresses, and health checks that are made more often.
func (b *balancer) config(t *testing.T, at string, replicas []*replica) string {
	t.Helper()
	text := interval.ReplaceAllString(read(t, b.file), "${1}0.05s")
	text = strings.Replace(text, "inter 0.05s", "inter 50ms", 1)
	host, port, err := net.SplitHostPort(at)
	if err != nil {
		t.Fatal(err)
	}
	next := 0
	address := func() string { next++; return replicas[next-1].Listener.Addr().String() }
	switch b.name {
	case "nginx":
		text = ofNginx.ReplaceAllStringFunc(text, func(string) string { return address() })
		text = strings.Replace(text, "listen 8080;", "listen "+at+";", 1)
		text = strings.ReplaceAll(text, "/tmp/", t.TempDir()+"/")
	case "caddy":
		text = ofNginx.ReplaceAllStringFunc(text, func(string) string { return address() })
		text = "{\n\tadmin off\n\tpersist_config off\n}\n" + strings.Replace(text, "weir.example.com {", "http://"+at+" {", 1)
	case "haproxy":
		text = ofHAProxy.ReplaceAllStringFunc(text, func(line string) string { return ofHAProxy.FindStringSubmatch(line)[1] + " " + address() })
		text = strings.Replace(text, "bind :8080", "bind "+at, 1)
	case "envoy":
		text = ofEnvoy.ReplaceAllStringFunc(text, func(string) string {
			_, port, _ := net.SplitHostPort(address())
			return "address: 127.0.0.1, port_value: " + port
		})
		text = strings.Replace(text, "{address: 0.0.0.0, port_value: 8080}", "{address: "+host+", port_value: "+port+"}", 1)
	}
	if next != len(replicas) || !strings.Contains(text, port) {
		t.Fatalf("%s names %d replicas", b.file, next)
	}
	return write(t, filepath.Base(b.file), text)
}

// started is the balancer in front of the replicas, from the moment on when it passes requests to all of them; it returns its URL.
func (b *balancer) started(t *testing.T, replicas []*replica) string {
	t.Helper()
	at := free(t)
	cmd := exec.Command(tool(t, b.program), append(b.start, b.config(t, at, replicas))...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(cmd.Environ(), "XDG_DATA_HOME="+cmd.Dir, "XDG_CONFIG_HOME="+cmd.Dir)
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		<-ended
		if t.Failed() {
			t.Logf("%s said: %s", b.name, said.String())
		}
	})
	url := "http://" + at
	seen := map[string]bool{}
	eventually(t, "it passes requests to all replicas", func() bool {
		name, _ := ask(t, url, fmt.Sprint("start", len(seen), time.Now().UnixNano()))
		if name != "" {
			seen[name] = true
		}
		return len(seen) == len(replicas)
	})
	return url
}

// free is an address on which nothing listens.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// eventually calls done until it is true, for a minute at most.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	often := time.NewTicker(10 * time.Millisecond)
	defer often.Stop()
	for !done() {
		select {
		case <-ctx.Done():
			t.Fatalf("not within a minute: %s", what)
		case <-often.C:
		}
	}
}

// ask posts a request with a key, and returns which replica answered, "" for none, and what.
func ask(t *testing.T, url, key string) (replica, body string) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultClient.Do(q)
	if err != nil {
		return "", ""
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return resp.Header.Get("X-Replica"), string(text)
}

// TestBalancersCheck: each balancer accepts its file, and refuses one with a misspelt setting.
func TestBalancersCheck(t *testing.T) {
	t.Parallel()
	for _, b := range balancers() {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			program := tool(t, b.program)
			good := b.config(t, "127.0.0.1:8080", newReplicas(t, b.replicas))
			run(t, program, append(b.check, good)...)
			for _, setting := range []string{"proxy_buffering off", "hash-balance-factor 125", "hash_balance_factor: 125", "lb_policy least_conn"} {
				if text := read(t, good); strings.Contains(text, setting) {
					bad := write(t, filepath.Base(good), strings.Replace(text, setting, "x"+setting, 1))
					refused(t, program, append(b.check, bad)...)
				}
			}
		})
	}
}

// TestBalancersPass: through each balancer a stream arrives as it is sent, a request that a replica took is not sent to another, and one that no
// longer listens is gone around.
func TestBalancersPass(t *testing.T) {
	t.Parallel()
	for _, b := range balancers() {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			replicas := newReplicas(t, b.replicas)
			url := b.started(t, replicas)
			// Envoy puts the machine's own address in place of loopback.
			if _, body := ask(t, url, "k"); net.ParseIP(strings.TrimSpace(body)) == nil {
				t.Errorf("the client's address arrives as %q", body)
			}
			resp, err := http.Get(url + "/stream") //nolint:noctx // the test's end ends the servers
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			lines := bufio.NewReader(resp.Body)
			if line, err := lines.ReadString('\n'); line != "first\n" { // the second is sent after this one was read
				t.Fatalf("%q %v", line, err)
			}
			close(replicas[0].release)
			if line, err := lines.ReadString('\n'); line != "second\n" {
				t.Fatalf("%q %v", line, err)
			}
			before := asked(replicas)
			ask(t, url+"/broken", "k")
			if n := asked(replicas) - before; n != 1 {
				t.Errorf("a request whose connection broke was sent %d times", n)
			}
			replicas[0].Close()
			// A connection that it kept to the replica may fail one request more.
			eventually(t, "every key is answered by another replica", func() bool {
				for i := range 20 {
					if name, _ := ask(t, url, fmt.Sprint("key", i)); name == "" || name == replicas[0].name {
						return false
					}
				}
				return true
			})
		})
	}
}

// TestCaddyEndsAbandonedCalls: a caller that hangs up ends its call at the Weir, so that no more of the answer is paid for.
func TestCaddyEndsAbandonedCalls(t *testing.T) {
	t.Parallel()
	all := balancers()
	b := all[slices.IndexFunc(all, func(b balancer) bool { return b.name == "caddy" })]
	replicas := newReplicas(t, b.replicas)
	url := b.started(t, replicas)
	ctx, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if line, err := bufio.NewReader(resp.Body).ReadString('\n'); line != "first\n" {
		t.Fatalf("%q %v", line, err)
	}
	hangUp()
	eventually(t, "the call ends at the Weir", func() bool { return replicas[0].gone.Load()+replicas[1].gone.Load() == 1 })
}

// TestBalancersKeepKeys: a key's requests go to one replica, keys go to all, a key with very many requests at once gets more than one, and a replica
// that drains gets none.
func TestBalancersKeepKeys(t *testing.T) {
	t.Parallel()
	for _, b := range balancers() {
		if !b.byKey {
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			replicas := newReplicas(t, b.replicas)
			url := b.started(t, replicas)
			keys, used := map[string]string{}, map[string]bool{}
			for i := range 90 {
				key := fmt.Sprint("key", i%30)
				name, _ := ask(t, url, key)
				if keys[key] != "" && keys[key] != name {
					t.Errorf("%s went to %s and to %s", key, keys[key], name)
				}
				keys[key], used[name] = name, true
			}
			if len(used) != b.replicas {
				t.Errorf("30 keys use %v", used)
			}
			b.hold(t, url, replicas)
			drained := replicas[0]
			drained.draining.Store(true)
			eventually(t, "a replica that drains gets no more requests", func() bool {
				for key := range keys {
					if name, _ := ask(t, url, key); name == drained.name || name == "" {
						return false
					}
				}
				return true
			})
		})
	}
}

// hold has twelve requests of one key run at once, of which each begins when the one before has arrived.
func (b *balancer) hold(t *testing.T, url string, replicas []*replica) {
	t.Helper()
	at := map[string]int{}
	for range 12 {
		q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/held", nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Authorization", "Bearer busy")
		resp, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		at[resp.Header.Get("X-Replica")]++
	}
	close(replicas[0].release)
	if len(at) < 2 || at[""] > 0 {
		t.Errorf("twelve requests of one key at once are served by %v", at)
	}
}
