package config

import (
	"errors"
	"strings"
	"time"
)

func (c *Config) setDefaults() {
	c.Listen.Addr = "127.0.0.1:8930"
	c.Admin.Listen.Addr = "127.0.0.1:8931"
	c.Admin.TokenLogin, c.Console = TokenLoginLoopback, true
	c.Data = "./weir-data"
	c.StaleKeys = Duration(time.Hour)
	c.Drain = Drain{Delay: seconds(5), Timeout: seconds(20)}
	c.Limits = Limits{Body: 64 << 20, Answer: 10 << 20, Connections: 10_000, Wait: seconds(1), Depth: 256}
	c.Responses = Responses{Max: 1 << 20, PerKey: 64 << 20, Total: 1 << 30}
	c.Journal, c.Durability, c.Timezone = 1<<30, "background", "UTC"
	c.Ledger = Ledger{Keep: 400, Unrecorded: "refuse", Unanswered: "refuse"}
	c.Headers.Weir = true
	c.Traces = Traces{Ratio: 1_000_000, Slow: seconds(30)}
	c.Secrets = Secrets{Refresh: seconds(300), Timeout: seconds(10)}
}

func (m *Model) setDefaults() {
	m.Timeouts = Timeouts{
		Connect: seconds(10), FirstToken: DefaultFirstToken, Idle: seconds(120), Total: seconds(1800), Hold: seconds(20),
	}
	m.Policy, m.Sticky = PolicyOrdered, StickyNone
	m.Retries = Retries{MaxAttempts: 3, Budget: 100_000}
}

func (h *Hedge) setDefaults() { h.Budget = 50_000 }

func (t *Target) setDefaults() { t.Weight = 1 }

// A refusal by a content filter is the caller's own affair, so it has to be named.
func (f *Fallbacks) setDefaults() { f.On = []Cause{"error", "rate_limit", "context"} }

// list is the short form of fallbacks.
func (f *Fallbacks) list() any { return &f.To }

func (p *Provider) setDefaults() { p.StreamUsage = StreamUsageAuto }

func (e *Entra) setDefaults() { e.Scope = "https://cognitiveservices.azure.com/.default" }

// DefaultFirstToken is how long the first content of a stream is waited for. Callers of some dialects wait for less themselves, and so does
// Weir for these.
const DefaultFirstToken = Duration(600 * time.Second)

func seconds(n int) Duration { return Duration(n) * Duration(time.Second) }

// setText reads the short form of a listener.
func (l *Listener) setText(text string) ([]any, error) {
	l.Addr = text
	return []any{&l.Addr}, nil
}

// setText reads the short form of a target. The provider is the text before the first slash. The rest, with any
// further slashes, is the provider's own name of the model.
func (t *Target) setText(text string) ([]any, error) {
	provider, model, ok := strings.Cut(text, "/")
	if !ok || provider == "" || model == "" {
		return nil, errors.New("must be provider/model, such as openai/gpt-5")
	}
	t.Provider, t.Model = provider, model
	return []any{&t.Provider, &t.Model}, nil
}

// Default is the config without a file. Every kind whose *_API_KEY variable is set, or whose variable names an address in place of
// the vendor's, becomes a provider named after the kind. All its models are passed through as <provider>/*. So does every kind named
// in found, because a server answers at its default base URL. If no provider results, the built-in simulated provider serves
// sim/chat and sim/embed. Relative paths start from the working directory. Its error is an Errors, without places.
func (l Loader) Default(found ...string) (*Config, error) {
	if err := l.checkAddresses(); err != nil {
		return nil, err
	}
	text := l.starterBody(found)
	cfg, err := l.Parse("-", []byte(text))
	var list Errors
	if errors.As(err, &list) {
		lines := strings.Split(text, "\n")
		for _, e := range list {
			if variable := l.addressIn(lines[max(e.Line, 1)-1]); variable != "" && strings.HasPrefix(e.Message, "base_url ") {
				e.Message = "the environment variable " + variable + " cannot be used: " + e.Message
			}
			e.File, e.Line, e.Column = "", 0, 0
		}
		return nil, list
	}
	if err != nil {
		return nil, err
	}
	cfg.Path, cfg.Files = "", nil
	for i := range cfg.settings {
		if s := &cfg.settings[i]; s.From != "" {
			s.From = "the environment"
		}
	}
	return cfg, nil
}
