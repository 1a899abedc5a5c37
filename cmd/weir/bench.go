package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/load"
	"github.com/weirproxy/weir/internal/secret"
)

type benchCmd struct {
	URL       string      `default:"http://127.0.0.1:8930/v1" placeholder:"URL" help:"Base URL of what is loaded, with /v1. Default: http://127.0.0.1:8930/v1."`
	KeyFile   string      `placeholder:"FILE" help:"File with the key, - for standard input. Default: the key in WEIR_KEY, else none."`
	Model     string      `required:"" placeholder:"NAME" help:"The model to ask for."`
	Endpoint  string      `enum:"chat,completions,embeddings,messages,responses,generate" default:"chat" aliases:"dialect" help:"What to call: chat, completions, embeddings, messages (Anthropic's), responses (OpenAI's) or generate (Google's)."`
	Stream    bool        `help:"Ask for streams, and measure the time to the first token and between events."`
	Size      config.Size `default:"200" placeholder:"SIZE" help:"Size of each request's body, such as 8KiB. Default: 200 bytes."`
	Prompt    string      `enum:"text,code" default:"text" help:"What fills the body: text, or code, which is full of escapes."`
	MaxTokens int         `placeholder:"N" help:"The max_tokens of each request. Default: the field is not sent."`
	Body      string      `placeholder:"FILE" help:"Send this file as the body instead; the flags above do not change it."`

	Concurrency int           `placeholder:"N" help:"Closed loop: how many callers, each with one request at a time. With --rate: how many requests may run at a time. Default: 8, with --rate 1000."`
	Rate        float64       `placeholder:"N" help:"Open loop: begin N requests a second, whether or not those before are answered, and measure from when each was due."`
	Requests    int           `placeholder:"N" help:"Stop after so many requests."`
	Duration    time.Duration `placeholder:"TIME" help:"Begin no request after this time, such as 30s. Default, without --requests: 10s."`
	Ramp        time.Duration `placeholder:"TIME" help:"Let the callers of a closed loop begin one after the other within this time."`
	Timeout     time.Duration `default:"2m" placeholder:"TIME" help:"Give up on a request after this time. Default: 2m."`

	Format string `enum:"table,json" default:"table" help:"How to print: table or json."`
}

func (benchCmd) Help() string {
	return `Sends the same request over and over to a running Weir, or to anything else that speaks the dialect, and
reports how fast the answers came. Real providers bill what is sent to them: load a model whose targets are simulated
(weir sim), or keep --requests and --max-tokens small. An interrupt prints what was measured so far.

Examples:
  weir bench --model sim/chat --key-file weir-data/first-key
  weir bench --model fast --stream --rate 50 --duration 1m --format json
  weir bench --model claude-smart --endpoint messages --stream --requests 100
  weir bench --model fast --stream --concurrency 1000 --requests 1000 --ramp 5s`
}

// Run loads until the end or a signal. Its status is 1 if nothing was answered well.
func (c benchCmd) Run(ctx context.Context, sys *system) error {
	plan, err := c.plan(sys)
	if err != nil {
		return &exitError{2, err}
	}
	if sys.errTerminal {
		plan.Progress = func(p load.Progress) {
			fmt.Fprintf(sys.stderr, "\r%v: %d answered, %d failed ", p.Elapsed.Round(time.Second), p.Requests, p.Failed)
		}
	}
	ctx, cancel := sys.interruptible(ctx)
	defer cancel()
	result, err := load.Run(ctx, plan)
	if err != nil {
		return &exitError{2, err}
	}
	if sys.errTerminal {
		fmt.Fprint(sys.stderr, "\r\x1b[K")
	}
	report := c.report(plan, result)
	if c.Format == formatJSON {
		err = printJSON(sys.stdout, report)
	} else {
		err = report.print(sys.stdout)
	}
	if err == nil && result.Requests == 0 {
		err = &exitError{1, errors.New("no request was answered well")}
	}
	return err
}

// plan is what the flags ask for.
func (c benchCmd) plan(sys *system) (load.Plan, error) {
	plan := load.Plan{
		Concurrency: c.Concurrency, Rate: c.Rate, Requests: c.Requests, Duration: c.Duration, Ramp: c.Ramp, Timeout: c.Timeout,
	}
	for _, bound := range []struct {
		flag     string
		negative bool
	}{
		{"--concurrency", c.Concurrency < 0},
		{"--rate", c.Rate < 0},
		{"--requests", c.Requests < 0},
		{"--duration", c.Duration < 0},
		{"--ramp", c.Ramp < 0},
		{"--timeout", c.Timeout <= 0},
		{"--max-tokens", c.MaxTokens < 0},
	} {
		if bound.negative {
			return plan, fmt.Errorf("%s must be positive", bound.flag)
		}
	}
	if c.Rate > 0 && c.Ramp > 0 {
		return plan, errors.New("--ramp is for a closed loop: leave out --rate, or --ramp")
	}
	if plan.Concurrency == 0 {
		plan.Concurrency = 8
		if c.Rate > 0 {
			plan.Concurrency = 1000
		}
	}
	if c.Requests == 0 {
		plan.Duration = cmp.Or(c.Duration, 10*time.Second)
	}
	plan.Endpoint = load.Endpoint(c.Endpoint)
	plan.URL = strings.TrimRight(c.URL, "/") + "/" + plan.Endpoint.Path(c.Model, c.Stream)
	key, err := c.key(sys)
	if err != nil {
		return plan, err
	}
	plan.Key = key
	if c.Body != "" {
		plan.Body, err = os.ReadFile(c.Body)
		if err != nil {
			return plan, fmt.Errorf("--body cannot be read: %w", err)
		}
	} else {
		plan.Body = load.Prompt{
			Endpoint: plan.Endpoint, Model: c.Model, Stream: c.Stream, MaxTokens: c.MaxTokens, Size: int(c.Size), Code: c.Prompt == "code",
		}.Body()
	}
	return plan, plan.Check()
}

// maxKeyFile bounds what is read as a key.
const maxKeyFile = 4 << 10

// key is never taken from the command line, which every user of the machine can see.
func (c benchCmd) key(sys *system) (secret.Text, error) {
	if c.KeyFile == "" {
		key, _ := sys.env("WEIR_KEY")
		return secret.New(strings.TrimSpace(key)), nil
	}
	from := sys.stdin
	if c.KeyFile != "-" {
		file, err := os.Open(c.KeyFile)
		if err != nil {
			return secret.Text{}, fmt.Errorf("--key-file cannot be read: %w", err)
		}
		defer file.Close()
		from = file
	}
	text, err := io.ReadAll(io.LimitReader(from, maxKeyFile))
	if err != nil {
		return secret.Text{}, fmt.Errorf("--key-file cannot be read: %w", err)
	}
	key := strings.TrimSpace(string(text))
	if key == "" {
		return secret.Text{}, fmt.Errorf("--key-file %s is empty", c.KeyFile)
	}
	return secret.New(key), nil
}
