// Package route turns the name of a logical model into the targets that serve it. It is pure: a Table is
// built from the config once and only read afterwards.
package route

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/limit"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

// Target is one provider plus the provider's own name of a model.
type Target struct {
	Provider string
	Model    string     // may end in *, which what the logical name's * matched replaces
	Like     string     // the model, as kind/model, whose row in the table of capabilities applies; "" for its own
	Takes    *llm.Takes // what the config says of the model in place of that, nil if nothing
	Weight   int        // 0 is 1

	Added       llm.Added         // to every request
	Rename      map[string]string // top-level members of requests; nil leaves it to the model
	Omit        []string          // the same of members to leave out
	PassRouting bool              // members with which callers choose models behind the provider are passed on

	Credentials int // how many its provider has; 0 is 1
	Facts       Facts

	Concurrent int  // how many requests it may have at once; 0 is any number
	Shared     bool // its provider may, over all targets

	Rates limit.Rates // what its vendor allows

	health  *Health      // what is known of it; nil is to be looked up, see Board.of
	keys    *Credentials // its provider's; nil is to be looked up, see Board.keys
	hashed  uint64       // see hash
	pattern string       // the model as the config has it, if that ends in * and Model does not; see Configured
}

// Configured is the target's model as the config has it, which no caller has chosen.
func (t *Target) Configured() string { return cmp.Or(t.pattern, t.Model) }

// PassedThrough reports whether a caller chose the target's model, by a name that the config has only a pattern for.
func (t *Target) PassedThrough() bool { return t.pattern != "" }

// String is the target as the config file spells it.
func (t Target) String() string { return t.Provider + "/" + t.Model }

// Timeouts bound a request and its attempts; see the config file's section of that name.
type Timeouts struct {
	Connect, FirstToken, Idle, Total, Hold time.Duration

	Usual bool // FirstToken is the default
}

// Model is a logical model as configured. It is immutable.
type Model struct {
	Name        string // may end in *
	Targets     []Target
	Timeouts    Timeouts
	MaxAttempts int
	Repeats     float64 // for how many of its requests one may be made
	Hedge       Hedge
	Policy      Policy
	Sticky      Sticky
	Fallbacks   []Fallback
	Strict      bool
	EchoModel   bool
	Limits      limit.Limits      // of all callers together
	Unpriced    *money.Nano       // what a call is charged whose price is unknown; nil makes none that counts against a budget in dollars
	Rename      map[string]string // top-level members of requests; nil leaves it to the provider and what is known of its model
	Omit        []string          // the same of members to leave out

	// What GET /v1/models shows; zero where unknown.
	DisplayName     string
	ContextLength   int
	MaxOutputTokens int
}

// Route is a model resolved for one name.
type Route struct {
	Model   *Model
	Targets []Target // in the order of the config, without any *
	Board   *Board   // how they fare

	fallback bool // another model has failed before
}

// Table holds all models. It is immutable and safe for concurrent use.
type Table struct {
	models   []*Model
	exact    map[string]*Model
	patterns []*Model // those that end in *, the longest first
	board    *Board
	know     func(*Target)
}

// NewTable builds a table. Names are unique. know completes what is known of a target whose model's name has no *; nil knows
// nothing. board may be nil if no request is ever planned.
func NewTable(models []*Model, board *Board, know func(*Target)) *Table {
	if know == nil {
		know = func(*Target) {}
	}
	t := &Table{models: models, exact: make(map[string]*Model, len(models)), board: board, know: know}
	for _, m := range models {
		for i := range m.Targets {
			if target := &m.Targets[i]; !target.Wild() {
				know(target)
				target.hashed = target.hash()
				target.health = board.keep(target)
				target.keys = board.keys(target)
			}
		}
		if strings.HasSuffix(m.Name, "*") {
			t.patterns = append(t.patterns, m)
		} else {
			t.exact[m.Name] = m
		}
	}
	slices.SortFunc(t.patterns, func(a, b *Model) int { return len(b.Name) - len(a.Name) })
	return t
}

// Models returns all models in the order of the config file.
func (t *Table) Models() []*Model { return t.models }

// Resolve finds the model that serves name: an exact name wins, then the longest pattern.
func (t *Table) Resolve(name string) (Route, bool) {
	if m := t.exact[name]; m != nil {
		return Route{Model: m, Targets: m.Targets, Board: t.board}, true
	}
	for _, m := range t.patterns {
		prefix := strings.TrimSuffix(m.Name, "*")
		if matched, ok := strings.CutPrefix(name, prefix); ok {
			return Route{Model: m, Targets: t.expand(m, matched), Board: t.board}, true
		}
	}
	return Route{}, false
}

// Of is a model as the config has it, independent of a requested name.
func (t *Table) Of(m *Model) Route { return Route{Model: m, Targets: m.Targets, Board: t.board} }

// expand puts what the model's * matched in the place of the * of each target. What is known of the targets is looked up only
// if that may matter.
func (t *Table) expand(m *Model, matched string) []Target {
	targets := slices.Clone(m.Targets)
	for i := range targets {
		target := &targets[i]
		if !target.Wild() {
			continue
		}
		target.pattern = target.Model
		target.Model = strings.TrimSuffix(target.pattern, "*") + matched
		if len(targets) > 1 || len(m.Fallbacks) > 0 {
			t.know(target)
			target.hashed = target.hash()
		}
	}
	return targets
}

// Wild reports whether the target's model is known only with the name that is asked for.
func (t *Target) Wild() bool { return strings.HasSuffix(t.Model, "*") }

// PassThrough is one provider's models as a pattern model offers them.
type PassThrough struct {
	Model    *Model
	Provider string
	Takes    *llm.Takes // of the target

	logical, upstream string // the part before the *
}

// PassThroughs returns what each pattern model passes through. A target without * names one model, whatever
// the caller asked for, and so offers no list.
func (t *Table) PassThroughs() []PassThrough {
	var all []PassThrough
	for _, m := range t.patterns {
		for _, target := range m.Targets {
			if prefix, ok := strings.CutSuffix(target.Model, "*"); ok {
				all = append(all, PassThrough{
					Model: m, Provider: target.Provider, Takes: target.Takes,
					logical: strings.TrimSuffix(m.Name, "*"), upstream: prefix,
				})
			}
		}
	}
	return all
}

// Logical returns the name under which callers reach the provider's model upstream, if they can.
func (p PassThrough) Logical(upstream string) (string, bool) {
	rest, ok := strings.CutPrefix(upstream, p.upstream)
	return p.logical + rest, ok && p.logical+rest != ""
}
