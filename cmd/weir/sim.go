package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	"github.com/weirproxy/weir/internal/sim"
)

type simCmd struct {
	Listen string `default:"127.0.0.1:8940" placeholder:"ADDR" help:"Address to listen on. Default: 127.0.0.1:8940."`
	Script string `placeholder:"FILE" help:"What to answer, how fast, and what to do wrong, as JSON. See docs/reference/sim.md."`
	Log    string `placeholder:"FILE" help:"Append one line of JSON for every call, synced before its answer ends."`
}

func (simCmd) Help() string {
	return `Answers as a provider with OpenAI's API would, and says in every answer that it is simulated. A script
makes it slow or faulty, to load a gateway or to test an application against failures.

Example:
  echo '{"interval": "20ms", "rules": [{"match": {"nth": 2}, "status": 429}]}' > script.json
  weir sim --script script.json --log served.jsonl`
}

// simGrace is how long running calls may go on after a signal.
const simGrace = 2 * time.Second

// Run serves until SIGTERM or an interrupt.
func (c simCmd) Run(ctx context.Context, sys *system) (err error) {
	script, err := c.script()
	if err != nil {
		return &exitError{2, err}
	}
	provider := sim.New(script)
	if c.Log != "" {
		file, err := os.OpenFile(c.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return &exitError{2, fmt.Errorf("--log cannot be opened: %w", err)}
		}
		defer file.Close()
		provider.LogTo(file)
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("cannot listen: %w; name another address with --listen", err)
	}
	server := &http.Server{
		Handler: provider, ReadHeaderTimeout: time.Minute, ErrorLog: log.New(sys.stderr, "weir: ", 0),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	greetSim(sys, listener.Addr().String(), script)
	err = untilSimStops(ctx, sys, server, served)
	if logErr := provider.LogErr(); logErr != nil {
		err = errors.Join(err, fmt.Errorf("the log is not complete: %w", logErr))
	}
	return err
}

// script is the one named, or else one that answers every model, unhurriedly.
func (c simCmd) script() (sim.Script, error) {
	script := sim.BuiltIn()
	script.Models = nil
	if c.Script != "" {
		data, err := os.ReadFile(c.Script)
		if err != nil {
			return sim.Script{}, fmt.Errorf("--script cannot be read: %w", err)
		}
		if script, err = sim.ParseScript(data); err != nil {
			return sim.Script{}, fmt.Errorf("%s: %w", c.Script, err)
		}
	}
	script.Keep = 1 // the log in memory is not read
	return script, nil
}

// greetSim prints where the provider is and a line to try.
func greetSim(sys *system, addr string, script sim.Script) {
	model, key := "chat", ""
	if len(script.Models) > 0 {
		model = script.Models[0]
	}
	if script.Key != "" {
		key = fmt.Sprintf(" -H 'Authorization: Bearer %s'", script.Key)
	}
	fmt.Fprintf(sys.stdout, `simulated provider on http://%s/v1

Try it:

  curl http://%s/v1/chat/completions%s -H 'Content-Type: application/json' -d '{"model": "%s", "stream": true, "messages": [{"role": "user", "content": "Hello!"}]}'

`, addr, addr, key, model)
}

// untilSimStops waits for a signal, lets running calls go on for a moment, and then cuts them: a stalled
// one would never end. A second signal cuts them at once.
func untilSimStops(ctx context.Context, sys *system, server *http.Server, served <-chan error) error {
	for wait := true; wait; {
		select {
		case err := <-served:
			return err
		case <-ctx.Done():
			wait = false
		case s := <-sys.signals:
			wait = s == syscall.SIGHUP // sim has nothing to reload
		}
	}
	grace, cancel := context.WithTimeout(ctx, simGrace)
	defer cancel()
	stopped := make(chan error, 1)
	go func() { stopped <- server.Shutdown(grace) }()
	var err error
	select {
	case err = <-stopped:
	case <-sys.signals:
		cancel()
		err = <-stopped
	}
	if err != nil { // the calls that still run are cut, as announced
		err = server.Close()
	}
	<-served
	return err
}
