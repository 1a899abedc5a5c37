package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// candidate is a server that can be put between the load and the upstream.
type candidate struct {
	name string
	// command makes what to run on addr, with what prepare returned; nil for the upstream itself.
	command func(b *bench, addr, folder, more string) (*exec.Cmd, error)
	// ready is the path that says when it serves; "" asks for a whole answer instead.
	ready string
	// gateway says that the model decides where a request goes, that requests need the key in the folder's file `key`, and that it
	// translates.
	gateway bool
	slow    bool // it takes long to start
	// prepare is called before a Weir starts: it makes what the folder has at the start, and returns more lines for the config: of its
	// models, or after them.
	prepare func(folder string) (string, error)
}

// running is a started candidate.
type running struct {
	*candidate
	base    string // its URL, without /v1
	key     string
	cmd     *exec.Cmd
	log     *os.File
	startUp time.Duration
	idleRSS int64
	idlePSS int64
}

var (
	direct       = &candidate{name: "direct"}
	nginx        = &candidate{name: "nginx", command: nginxCommand}
	reverseProxy = &candidate{name: "reverseproxy", command: ownCommand("reverseproxy")}
	passThrough  = &candidate{name: "passthrough", command: ownCommand("passthrough")}
)

// ownCommand runs a subcommand of this program.
func ownCommand(kind string) func(b *bench, addr, folder, more string) (*exec.Cmd, error) {
	return func(b *bench, addr, _, _ string) (*exec.Cmd, error) {
		return exec.Command(b.self, kind, addr, b.upstream), nil
	}
}

const nginxConfig = `
worker_processes %d;
worker_rlimit_nofile 40000;
daemon off;
pid %[2]s/nginx.pid;
error_log %[2]s/error.log;
%[5]s
events { worker_connections 20000; }
http {
    access_log off;
    client_body_temp_path %[2]s/body;
    proxy_temp_path %[2]s/proxy;
    fastcgi_temp_path %[2]s/fastcgi;
    uwsgi_temp_path %[2]s/uwsgi;
    scgi_temp_path %[2]s/scgi;
    client_max_body_size 64m;
    client_body_buffer_size 1m;
    proxy_request_buffering off;
    keepalive_requests 1000000000;
    keepalive_timeout 300s;
    upstream up {
        server %[4]s;
        keepalive 10000;
        keepalive_requests 1000000000;
    }
    server {
        listen %[3]s backlog=4096;
        location / {
            proxy_pass http://up;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_read_timeout 300s;
        }
        location /stream/ {
            proxy_pass http://up;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_read_timeout 300s;
            proxy_buffering off;
        }
    }
}
`

func nginxCommand(b *bench, addr, folder, _ string) (*exec.Cmd, error) {
	path, err := exec.LookPath("nginx")
	if err != nil {
		return nil, errors.New("nginx is not installed (Debian: apt-get install nginx-light); leave it out with -candidates")
	}
	user := ""
	if os.Getuid() == 0 {
		user = "user root;"
	}
	config := filepath.Join(folder, "nginx.conf")
	text := fmt.Sprintf(nginxConfig, b.mode.workers(), folder, addr, strings.TrimPrefix(b.upstream, "http://"), user)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return nil, err
	}
	return exec.Command(path, "-p", folder, "-c", config, "-e", filepath.Join(folder, "error.log")), nil
}

const weirConfig = `
listen: %s
admin: {listen: %s}
data: %s/data
providers:
  json: {kind: openai, base_url: "%s/v1", api_key: made-up-credential}
  stream: {kind: openai, base_url: "%s/v1", api_key: made-up-credential}
  burst: {kind: openai, base_url: "%s/v1", api_key: made-up-credential}
  held: {kind: openai, base_url: "%s/v1", api_key: made-up-credential}
  still: {kind: openai, base_url: "%s/v1", api_key: made-up-credential}
  message: {kind: anthropic, base_url: "%s/v1", api_key: made-up-credential}
  messages: {kind: anthropic, base_url: "%s/v1", api_key: made-up-credential}
  burst-messages: {kind: anthropic, base_url: "%s/v1", api_key: made-up-credential}
  response: {kind: openai, base_url: "%s/v1", api_key: made-up-credential, speaks: [responses]}
  burst-responses: {kind: openai, base_url: "%s/v1", api_key: made-up-credential, speaks: [responses]}
  held-messages: {kind: anthropic, base_url: "%s/v1", api_key: made-up-credential}
  held-responses: {kind: openai, base_url: "%s/v1", api_key: made-up-credential, speaks: [responses]}
models:
  json: {targets: [{provider: json, model: json-1, price: {input: 1, output: 4}}]}
  stream: {targets: [{provider: stream, model: stream-1, price: {input: 1, output: 4}}]}
  burst: {targets: [burst/burst-1]}
  held: {targets: [{provider: held, model: held-1, price: {input: 1, output: 4}}]}
  still: {targets: [still/held-1], timeouts: {idle: 1h, total: 1h}}
  message: {targets: [message/json-1]}
  messages: {targets: [messages/stream-1]}
  burst-messages: {targets: [burst-messages/stream-1]}
  response: {targets: [response/json-1]}
  burst-responses: {targets: [burst-responses/stream-1]}
  held-messages: {targets: [held-messages/stream-1]}
  held-responses: {targets: [held-responses/stream-1]}
`

func (b *bench) weirConfig(addr, admin, folder string) string {
	url := func(model string) string { return b.upstream + b.path(model) }
	return fmt.Sprintf(weirConfig, addr, admin, folder, url("json"), url("stream"), url("burst"), url("held"), url("still"), url("message"), url("messages"),
		url("burst-messages"), url("response"), url("burst-responses"), url("held-messages"), url("held-responses"))
}

// weirCandidate is the Weir that path is the binary of.
func weirCandidate(name, path string) *candidate {
	return &candidate{name: name, gateway: true, ready: "/readyz", command: func(b *bench, addr, folder, more string) (*exec.Cmd, error) {
		config, err := b.configured(path, addr, folder, more)
		if err != nil {
			return nil, err
		}
		cmd := exec.Command(path, "serve", "--config", config)
		cmd.Env = append(os.Environ(), "WEIR_LOG_FORMAT=json", "WEIR_LOG=info")
		return cmd, nil
	}}
}

// configured writes a Weir's config and the key that its callers have, and returns the path of the config. The Weir that path is the binary
// of makes the key, with these flags.
func (b *bench) configured(path, addr, folder, more string, flags ...string) (config string, err error) {
	admin, err := freeAddr()
	if err != nil {
		return "", err
	}
	return b.configuredWith(path, b.weirConfig(addr, admin, folder)+more, folder, flags...)
}

// configuredWith is configured with a text of the config.
func (b *bench) configuredWith(path, text, folder string, flags ...string) (config string, err error) {
	var key, lines bytes.Buffer
	mint := exec.Command(path, append([]string{"keys", "create", "--offline", "--name", "bench"}, flags...)...)
	mint.Stdout, mint.Stderr = &key, &lines
	if err := mint.Run(); err != nil {
		return "", fmt.Errorf("%s cannot make a key: %w: %s", path, err, lines.String())
	}
	_, admitted, _ := strings.Cut(lines.String(), "\n\n")
	config = filepath.Join(folder, "weir.yaml")
	if err := os.WriteFile(config, []byte(text+admitted), 0o600); err != nil {
		return "", err
	}
	return config, os.WriteFile(filepath.Join(folder, keyFile), bytes.TrimSpace(key.Bytes()), 0o600)
}

const liteLLMConfig = `
model_list:
  - {model_name: json, litellm_params: {model: openai/json-1, api_base: "%s/v1", api_key: made-up-credential}}
  - {model_name: stream, litellm_params: {model: openai/stream-1, api_base: "%s/v1", api_key: made-up-credential}}
  - {model_name: burst, litellm_params: {model: openai/burst-1, api_base: "%s/v1", api_key: made-up-credential}}
  - {model_name: held, litellm_params: {model: openai/held-1, api_base: "%s/v1", api_key: made-up-credential}}
  - {model_name: message, litellm_params: {model: anthropic/json-1, api_base: "%s", api_key: made-up-credential}}
  - {model_name: messages, litellm_params: {model: anthropic/stream-1, api_base: "%s", api_key: made-up-credential}}
general_settings: {master_key: %s}
`

// liteLLMKey is LiteLLM's master key: without a database it has no others.
const liteLLMKey = "sk-bench"

// liteLLM is LiteLLM's proxy, from the Python package litellm[proxy]; path is its program.
func liteLLM(path string) *candidate {
	return &candidate{name: "litellm", gateway: true, slow: true, ready: "/health/liveliness", command: func(b *bench, addr, folder, _ string) (*exec.Cmd, error) {
		url := func(model string) string { return b.upstream + b.path(model) }
		text := fmt.Sprintf(liteLLMConfig, url("json"), url("stream"), url("burst"), url("held"), url("message"), url("messages"), liteLLMKey)
		config := filepath.Join(folder, "config.yaml")
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(folder, keyFile), []byte(liteLLMKey), 0o600); err != nil {
			return nil, err
		}
		host, port, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, err
		}
		cmd := exec.Command(path, "--config", config, "--host", host, "--port", port, "--num_workers", strconv.Itoa(b.mode.workers()))
		cmd.Env = append(os.Environ(), "LITELLM_LOCAL_MODEL_COST_MAP=True", "LITELLM_LOG=ERROR")
		return cmd, nil
	}}
}

// keyFile is where a gateway's command leaves the key for requests, in the candidate's folder.
const keyFile = "key"

// onceFree has the addresses that were free once. The system may give one of them out a second time before its program listens there.
var onceFree sync.Map

// freeAddr is an address where nothing listens, and another one each time.
func freeAddr() (string, error) {
	for {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", err
		}
		addr := listener.Addr().String()
		listener.Close()
		if _, again := onceFree.LoadOrStore(addr, true); !again {
			return addr, nil
		}
	}
}

// start runs the candidate and waits until it serves.
func (b *bench) start(c *candidate) (*running, error) {
	r := &running{candidate: c, base: b.upstream}
	if c.command == nil {
		return r, nil
	}
	folder, err := os.MkdirTemp(b.folder, c.name+"-")
	if err != nil {
		return nil, err
	}
	more := ""
	if c.prepare != nil {
		if more, err = c.prepare(folder); err != nil {
			return nil, err
		}
	}
	addr, err := freeAddr() // which others may take, if it is not used soon
	if err != nil {
		return nil, err
	}
	r.base = "http://" + addr
	if r.cmd, err = c.command(b, addr, folder, more); err != nil {
		return nil, err
	}
	if r.log, err = os.OpenFile(filepath.Join(folder, "log"), os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600); err != nil {
		return nil, err
	}
	if c.gateway {
		key, err := os.ReadFile(filepath.Join(folder, keyFile))
		if err != nil {
			return nil, err
		}
		r.key = string(key)
	}
	r.cmd.Stderr = r.log
	r.cmd.Env = append(r.cmd.Environ(), b.mode.environment()...)
	dieWithParent(r.cmd)
	begun := time.Now()
	if err := startOn(r.cmd, b.mode.proxy, b.mode.others); err != nil {
		return nil, err
	}
	if err := r.awaitReady(begun, b.path("json")); err != nil {
		log, _ := os.ReadFile(r.log.Name())
		r.stop()
		return nil, fmt.Errorf("%s does not start: %w\n%s", c.name, err, log)
	}
	r.startUp = time.Since(begun)
	r.idleRSS, r.idlePSS, err = memoryOf(r.cmd.Process.Pid)
	return r, err
}

// awaitReady asks until there is a 200. A new connection is made each time, as a load balancer would.
func (r *running) awaitReady(begun time.Time, path string) error {
	limit := 20 * time.Second
	if r.slow {
		limit = 2 * time.Minute
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 5 * time.Second}
	for {
		var resp *http.Response
		var err error
		if r.ready != "" {
			resp, err = client.Get(r.base + r.ready)
		} else {
			resp, err = client.Post(r.base+path+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"json","messages":[{"role":"user","content":"Ready?"}]}`))
		}
		if err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
			err = errors.New(resp.Status)
		}
		if time.Since(begun) > limit {
			return err
		}
		time.Sleep(time.Millisecond)
	}
}

// stop ends the candidate. What it had open needs no farewell.
func (r *running) stop() {
	if r.cmd == nil {
		return
	}
	for _, pid := range processes(r.cmd.Process.Pid) {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill()
		}
	}
	_ = r.cmd.Wait()
	r.log.Close()
}

// startUpstream runs the upstream in a process of its own.
func (b *bench) startUpstream(ctx context.Context) error {
	kind := "upstream"
	if b.sim {
		kind = "sim"
	}
	b.up = exec.CommandContext(ctx, b.self, kind, "127.0.0.1:0")
	dieWithParent(b.up)
	b.up.Stderr = os.Stderr
	out, err := b.up.StdoutPipe()
	if err != nil {
		return err
	}
	if err := b.up.Start(); err != nil {
		return err
	}
	var addr string
	if _, err := fmt.Fscanln(out, &addr); err != nil {
		return fmt.Errorf("the upstream does not start: %w", err)
	}
	b.upstream = "http://" + addr
	return nil
}
