package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/app"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/logging"
	"github.com/weirproxy/weir/internal/memory"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/source"
	"github.com/weirproxy/weir/internal/version"
)

type serveCmd struct {
	Config   string `placeholder:"FILE" help:"Config file. Default: WEIR_CONFIG, else ./weir.yaml if it exists."`
	Listen   string `placeholder:"ADDR" help:"Address for callers, in place of the config's. Default: 127.0.0.1:8930. A socket that systemd passes needs none."`
	PrintKey bool   `help:"Print the key that a first start without keys makes, even if the output is not a terminal."`
}

func (serveCmd) Help() string {
	return "Without a config file it serves every provider whose *_API_KEY variable is set, the servers that OPENAI_BASE_URL, ANTHROPIC_BASE_URL and the like name, and every model server on this machine (Ollama, LM Studio, vLLM, llama.cpp at their usual ports, OLLAMA_HOST). If it finds none, it serves a simulated provider.\n\nExample:\n  weir serve --config weir.yaml"
}

// Run serves until a signal: SIGTERM or interrupt drains, a second one skips the waiting, SIGHUP reloads. An interrupt waits
// only for running requests, because it comes from a terminal and not from a load balancer's host.
func (c serveCmd) Run(ctx context.Context, sys *system) error {
	log, err := newLog(sys)
	if err != nil {
		return &exitError{2, err}
	}
	defer func() { // a reader of the log that stalls must not keep the process from ending
		patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), logGrace)
		defer cancel()
		log.Close(patience)
	}()
	// A reader that went away must not end it: written to a broken pipe, a log line otherwise does. Ignoring the signal
	// would do as well, but child processes would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	socket, err := c.take(sys)
	if err != nil {
		return err
	}
	if socket != nil {
		defer func() { _ = socket.Close() }() // it is closed already, unless the start failed
	}
	return c.serve(ctx, sys, log, socket)
}

// logGrace is how long the end of the process waits for the reader of the log.
const logGrace = time.Second

func (c serveCmd) serve(ctx context.Context, sys *system, log *logging.Log, socket net.Listener) error {
	found := &discovery{sys: sys, log: log.Logger}
	c.Config = configPath(c.Config, sys) // for reloads, too: a file that is gone by then must not make it a start without one
	without := c.Config == ""            // a config file
	book := source.New(source.Options{Log: log.Logger})
	read := func(ctx context.Context) (*config.Config, error) {
		var local []string
		if without {
			local = found.look(ctx)
		}
		loader := configLoader(sys)
		loader.Sources = book.Sources(ctx)
		loader.Own = cmp.Or(c.Listen, loader.Own)
		cfg, err := loadConfig(loader, c.Config, sys, local...)
		if err != nil {
			return nil, err
		}
		if err := cfg.Override(config.Overrides{Listen: c.Listen, From: c.whence(socket)}); err != nil {
			return nil, &exitError{2, fmt.Errorf("%s cannot be used: %w", c.whence(socket), err)}
		}
		return cfg, nil
	}
	cfg, err := read(ctx)
	if err != nil {
		return err
	}
	if said, _ := sys.env("GOGC"); said == "" { // else the operator decides
		defer memory.Floor(memory.SmallHeap)()
	}
	options := app.Options{Config: cfg, Log: log.Logger, LogDropped: log.Dropped, Version: version.String(), Memory: memoryLimit(sys), Env: sys.env, Socket: socket}
	if sys.files != nil {
		options.Files = sys.files()
	}
	options.Host, _ = os.Hostname() // "" is as good as any
	if cfg.Path != "-" {            // which was read to its end
		options.Reread, options.Secrets = read, book
	}
	if without {
		options.Changed = found.changed
	}
	a, err := app.New(ctx, options)
	if err != nil {
		return err
	}
	if err := c.greet(ctx, sys, a, cfg, found.local()); err != nil {
		return errors.Join(err, a.Stop(canceled(ctx)))
	}
	a.Start()
	event := []any{"url", a.URL() + "/v1", "admin", a.AdminURL(), "providers", providerNames(cfg), "version", version.String(), "memory_limit", options.Memory}
	if url := a.MetricsURL(); url != "" {
		event = append(event, "metrics", url+"/metrics")
	}
	log.Info("weir is serving", event...)
	if err := c.untilSignal(ctx, sys, a, log.Logger); err != nil { // standard error may have no reader, but the log does not wait for one
		log.Error("weir did not stop as it should", "reason", err.Error())
		return &exitError{code: 1}
	}
	return nil
}

// take is the socket that the process was given, nil for none. It counts as --listen with its address.
func (c *serveCmd) take(sys *system) (net.Listener, error) {
	if sys.socket == nil {
		return nil, nil
	}
	socket, err := sys.socket()
	if err != nil {
		return nil, &exitError{2, err}
	}
	if socket == nil {
		return nil, nil
	}
	if c.Listen != "" {
		_ = socket.Close()
		return nil, &exitError{2, fmt.Errorf("--listen %s cannot be used, because systemd passed a socket on %s: leave --listen away, or stop weir.socket", c.Listen, socket.Addr())}
	}
	c.Listen = socket.Addr().String()
	return socket, nil
}

// whence says where the address for callers is from, if it is not the config's.
func (serveCmd) whence(socket net.Listener) string {
	if socket != nil {
		return "the socket that systemd passed"
	}
	return "--listen"
}

func (c serveCmd) untilSignal(ctx context.Context, sys *system, a *app.App, log *slog.Logger) error {
	hangups := make(chan struct{}, 1)
	defer close(hangups)
	go func() { // apart, since a reload may wait for Vault; ends when this returns, for a stop ends a reload
		for range hangups {
			_, _ = a.Reload(ctx) // it logs why it failed
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return a.Stop(ctx)
		case s := <-sys.signals:
			if s == syscall.SIGHUP {
				select {
				case hangups <- struct{}{}:
				default: // the next reload sees what this one would
				}
				continue
			}
			log.Info("stopping: running requests may finish; a second signal skips the waiting", "signal", s.String())
			hasty, cancel := context.WithCancel(ctx)
			defer cancel()
			go func() { // ends with the process, or when Stop is done and cancels
				for {
					select {
					case <-hasty.Done():
						return
					case s := <-sys.signals:
						if s != syscall.SIGHUP {
							cancel()
							return
						}
					}
				}
			}()
			if s == os.Interrupt {
				return a.StopIdle(hasty)
			}
			return a.Stop(hasty)
		}
	}
}

// canceled is a context that does not wait for anything.
func canceled(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return ctx
}

// memoryLimit is how many bytes Go may use: GOMEMLIMIT, or else most of the memory of the container or the machine. In
// that case it sets the garbage collector's limit too. 0 is any amount.
func memoryLimit(sys *system) int64 {
	if said, _ := sys.env("GOMEMLIMIT"); said != "" { // the runtime has read it
		limit := debug.SetMemoryLimit(-1)
		if limit == memory.Unlimited {
			return 0
		}
		return limit
	}
	if sys.memory == nil {
		return 0
	}
	available := sys.memory()
	if available == memory.Unlimited {
		return 0
	}
	limit := memory.Reserve(available)
	debug.SetMemoryLimit(limit)
	return limit
}

// providerNames lists the providers in use, for the start message.
func providerNames(cfg *config.Config) []string {
	names := make([]string, 0, len(cfg.Providers))
	for _, p := range cfg.Providers {
		names = append(names, p.Name)
	}
	return names
}

// firstKey is the name of the key that a first start makes, and of the file that holds it.
const firstKey = "first-key"

// greet makes a key if neither the config nor the store ever had one, so that the line a new user types next works.
// The key is printed on a terminal, else written where only the owner can.
func (c serveCmd) greet(ctx context.Context, sys *system, a *app.App, cfg *config.Config, local []provider.Local) error {
	if hasKeys(a) {
		return nil
	}
	path := filepath.Join(cfg.Data, firstKey)
	if !sys.terminal && !c.PrintKey { // a key that cannot be handed over must not be made: a first key is made only once
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			return fmt.Errorf("cannot write the first key: %w", err)
		}
	}
	_, key, err := a.Keys().Create(ctx, auth.Draft{Name: firstKey})
	if err != nil && a.Keys().CatchUp(ctx) == nil && hasKeys(a) { // a Weir that shares the store was faster
		return removeEmpty(path)
	}
	if err != nil {
		return err
	}
	if !sys.terminal && !c.PrintKey {
		if err := os.WriteFile(path, []byte(key.Reveal()+"\n"), 0o600); err != nil {
			return fmt.Errorf("cannot write the first key: %w", err)
		}
		fmt.Fprintf(sys.stdout, "Weir had no API key, so it made one; it is in %s\n", path)
		return nil
	}
	if cfg.Path != "" {
		local = localServers(ctx, sys) // for a model to try
	}
	model, err := json.Marshal(exampleModel(cfg, local))
	if err != nil {
		return err
	}
	fmt.Fprintf(sys.stdout, `Weir had no API key, so it made one. It is not shown again:

  %s

Try it:

  curl %s/v1/chat/completions -H 'Authorization: Bearer %s' -H 'Content-Type: application/json' -d '{"model": %s, "messages": [{"role": "user", "content": "Hello!"}]}'

%s`, key.Reveal(), a.URL(), key.Reveal(), strings.ReplaceAll(string(model), "'", `'\''`), invitation(a, cfg))
	return nil
}

// invitation says how to open the console, if this machine's browser may.
func invitation(a *app.App, cfg *config.Config) string {
	if !cfg.Console || cfg.Admin.TokenLogin == config.TokenLoginNever {
		return ""
	}
	token := admin.TokenFile(cfg.Data)
	if !cfg.Admin.Token.IsZero() {
		token = "the config's admin.token"
	}
	return fmt.Sprintf("Look at it in a browser:\n\n  %[1]s (the token to log in with is in %[2]s)\n  %[1]s/docs (the manual of this version)\n\n", a.AdminURL(), token)
}

// removeEmpty removes the file for a key that was not made. It may be missing.
func removeEmpty(path string) error {
	if info, err := os.Stat(path); err != nil || info.Size() > 0 {
		return nil
	}
	return os.Remove(path)
}

// exampleModel is a model of the config for the example command. It must be a chat model, because an embedder cannot
// answer. It is MODEL if none can be named.
func exampleModel(cfg *config.Config, local []provider.Local) string {
	for _, m := range cfg.Models {
		if name := exampleOf(&m, cfg, local); name != "" && !strings.Contains(name, "embed") {
			return name
		}
	}
	return "MODEL"
}

// exampleOf is a name that the model matches, "" if none is known.
func exampleOf(m *config.Model, cfg *config.Config, local []provider.Local) string {
	target := m.Targets[0]
	prefix, pattern := strings.CutSuffix(m.Name, "*")
	if !pattern {
		if strings.Contains(target.Model, "embed") {
			return ""
		}
		return m.Name
	}
	begin, wild := strings.CutSuffix(target.Model, "*")
	i := slices.IndexFunc(cfg.Providers, func(p config.Provider) bool { return p.Name == target.Provider })
	if i < 0 {
		return ""
	}
	example := ""
	if cfg.Providers[i].BaseURL == "" { // otherwise its models are unknown
		example = catalog.ExampleModel(cfg.Providers[i].Kind)
	}
	for _, l := range local {
		if l.Kind == cfg.Providers[i].Kind {
			example = l.Model
		}
	}
	rest, fits := strings.CutPrefix(example, begin)
	if !wild || !fits || example == "" {
		return ""
	}
	return prefix + rest
}

// colours reports whether the environment allows colours (no-color.org), and the terminal has them.
func colours(sys *system) bool {
	no, _ := sys.env("NO_COLOR")
	term, named := sys.env("TERM")
	return no == "" && term != "dumb" && (named || runtime.GOOS != "windows")
}

// newLog starts the log as WEIR_LOG (level) and WEIR_LOG_FORMAT (text, json) say. It goes to stderr.
func newLog(sys *system) (*logging.Log, error) {
	level := slog.LevelInfo
	if name, _ := sys.env("WEIR_LOG"); name != "" {
		if err := level.UnmarshalText([]byte(name)); err != nil {
			return nil, fmt.Errorf("WEIR_LOG is %q; it takes debug, info, warn or error", name)
		}
	}
	format, _ := sys.env("WEIR_LOG_FORMAT")
	switch {
	case format != "":
	case sys.errTerminal:
		format = "text"
	default:
		format = "json"
	}
	log, err := logging.Open(logging.Options{To: sys.stderr, Format: format, Level: level, Colour: sys.errTerminal && colours(sys)})
	if err != nil {
		return nil, fmt.Errorf("WEIR_LOG_FORMAT is %q; it takes text or json", format)
	}
	return log, nil
}

// hasKeys reports whether any key was ever made, revoked ones included.
func hasKeys(a *app.App) bool {
	page, err := a.Keys().List("", 1)
	return err != nil || len(page.Keys) > 0
}
