// Command weir is a self-hosted model proxy: one OpenAI-compatible endpoint in front of many providers.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // a container of nothing but this program has no time zones

	"github.com/alecthomas/kong"

	"github.com/weirproxy/weir/internal/memory"
	"github.com/weirproxy/weir/internal/provider"
)

func main() {
	// The standard library writes its complaints about upstreams here, such as a line for each unknown HTTP/2 frame, or the
	// first bytes of an unexpected answer. An upstream must not fill a disk, and its words belong in no log.
	log.SetOutput(io.Discard)
	// The second SIGTERM or interrupt skips the waiting, so it must differ from the first. So signals are a channel
	// that commands read, not a context.
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	os.Exit(run(context.Background(), os.Args[1:], &system{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		env: os.LookupEnv, signals: signals, terminal: isTerminal(os.Stdout), errTerminal: isTerminal(os.Stderr), screen: terminal{os.Stdin, os.Stdout},
		local: provider.FindLocal, memory: func() int64 { return memory.OfMachine(os.DirFS("/")) }, files: openFiles, socket: passedSocket,
	}))
}

// system is all that a command may know of the process it runs in, so that a test can run one in its own.
type system struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            func(string) (string, bool)
	signals        <-chan os.Signal
	terminal       bool   // stdout is a terminal
	errTerminal    bool   // stderr is a terminal
	screen         screen // the terminal; nil for one that cannot be drawn on

	// local finds the model servers that run on this machine, at the base URLs given by kind or else at their own; nil finds none.
	local  func(context.Context, map[string]string) []provider.Local
	memory func() int64 // what the process may use at all; nil is any amount
	files  func() int   // how many it may have open; nil, as 0, is any number

	// socket is that on which systemd has the process listen for callers, nil if it passed none.
	socket func() (net.Listener, error)
}

// interruptible is a context that also ends with the first signal that asks the command to stop. A hangup does not.
func (sys *system) interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case s := <-sys.signals:
				if s != syscall.SIGHUP {
					cancel()
				}
			}
		}
	}()
	return ctx, cancel
}

// cli is the whole command line. Each command lives in a file of its own name.
type cli struct {
	Serve    serveCmd    `cmd:"" help:"Run the gateway."`
	Check    checkCmd    `cmd:"" help:"Validate a config file and print every error in it."`
	Init     initCmd     `cmd:"" help:"Write a commented weir.yaml for the providers found in the environment."`
	Doctor   doctorCmd   `cmd:"" help:"Check the providers, the store, the data folder, the clock and the config."`
	Schema   schemaCmd   `cmd:"" help:"Print the JSON Schema of the config file."`
	Keys     keysCmd     `cmd:"" help:"Make, list, change and revoke API keys."`
	Teams    teamsCmd    `cmd:"" help:"Make, list, change and revoke teams of keys."`
	Models   modelsCmd   `cmd:"" help:"List the models that a key sees, with their targets."`
	Limits   limitsCmd   `cmd:"" help:"List the limits and budgets of a key, a team, a model or a target, and what is left of them."`
	Usage    usageCmd    `cmd:"" help:"Show what was used and what it cost, by model, key, team, provider, tag or day."`
	Requests requestsCmd `cmd:"" help:"List requests, or show one with all that was tried for it and what it cost."`
	Top      topCmd      `cmd:"" help:"Watch a running Weir in the terminal: what runs, rates, cost, and whether targets are well."`
	Adjust   adjustCmd   `cmd:"" help:"Correct what a call cost: the difference gets a row of its own."`
	Verify   verifyCmd   `cmd:"" help:"Check that the sums of the ledger are what its rows add up to."`
	Backup   backupCmd   `cmd:"" help:"Copy the store and the ledger into one file, while Weir serves."`
	Export   exportCmd   `cmd:"" help:"Write the store into a file, for a store of another kind."`
	Import   importCmd   `cmd:"" help:"Make a config from that of another gateway, or fill an empty store from a file of weir export."`
	Migrate  migrateCmd  `cmd:"" help:"Bring the schema of the store up to date."`
	Replicas replicasCmd `cmd:"" help:"List the Weirs that share a store, and give up those that are gone for good."`
	Explain  explainCmd  `cmd:"" help:"Show which targets a request would be tried at, in which order, and why."`
	Agents   agentsCmd   `cmd:"" help:"Print the lines that let a coding agent use Weir."`
	Sim      simCmd      `cmd:"" help:"Run the simulated provider alone."`
	Bench    benchCmd    `cmd:"" help:"Load a running gateway and report how fast it answers."`
	Version  versionCmd  `cmd:"" help:"Print the version."`

	Dashboards dashboardsCmd `cmd:"" help:"Print a dashboard for Grafana."`
	Alerts     alertsCmd     `cmd:"" help:"Print alerts for Prometheus."`

	Manual      manualCmd      `cmd:"" help:"Write the manual into a folder, for browsers without a network."`
	Healthcheck healthcheckCmd `cmd:"" help:"Ask a running Weir whether it is well: a probe for images without a shell."`
	Completion  completionCmd  `cmd:"" help:"Print a script that completes commands and flags in a shell."`
	Help        helpCmd        `cmd:"" help:"Print the help of a command."`

	VersionFlag versionFlag `name:"version" help:"Print the version."`
}

// exitError is an error with the process's exit status. A nil err exits without a word, for commands
// that have printed their findings already.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

// exitRequest carries kong's own exits (after --help) out of the parser by panic.
type exitRequest int

// run parses args, runs the command and returns the process's exit status: 0 done, 1 failed, 2 wrong usage.
func run(ctx context.Context, args []string, sys *system) (code int) {
	defer func() {
		if r := recover(); r != nil {
			exit, ok := r.(exitRequest)
			if !ok {
				panic(r)
			}
			code = int(exit)
		}
	}()
	var c cli
	parser, err := kong.New(&c,
		kong.Name("weir"),
		kong.Description("A self-hosted model proxy: one OpenAI-compatible endpoint in front of many providers.\n\nStart it with: weir serve\nIts manual: weir manual DIR, or http://127.0.0.1:8931/docs of a Weir that runs"),
		kong.Writers(sys.stdout, sys.stderr),
		kong.Exit(func(code int) { panic(exitRequest(code)) }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(sys),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
	)
	if err != nil {
		panic(err) // the struct above is wrong
	}
	if len(args) == 0 { // wrong usage: the user needs to see the right one
		parser.Stdout, parser.Exit = sys.stderr, func(int) { panic(exitRequest(2)) }
		args = []string{"--help"}
	}
	command, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(sys.stderr, "weir: %s\n", usageWords(err))
		return 2
	}
	err = command.Run()
	var exit *exitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		if exit.err != nil {
			fmt.Fprintf(sys.stderr, "weir: %v\n", exit.err)
		}
		return exit.code
	default:
		fmt.Fprintf(sys.stderr, "weir: %v\n", err)
		return 1
	}
}

// isTerminal reports whether a person may read f as it is written: it is a character device, and not the one that
// swallows everything.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	// In an image without /dev this is unknown. A key that goes into a file is not lost, one that is printed may be.
	return err == nil && !os.SameFile(info, null)
}
