package app

import (
	"cmp"
	"maps"
	"net/netip"
	"reflect"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dial"
	"github.com/weirproxy/weir/internal/fetch"
	"github.com/weirproxy/weir/internal/gateway"
	"github.com/weirproxy/weir/internal/limit"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
	"github.com/weirproxy/weir/internal/stored"
	"github.com/weirproxy/weir/internal/trace"
)

// providers are the providers in force, with the config that each was made from.
type providers map[string]builtProvider

type builtProvider struct {
	config   config.Provider
	provider *provider.Provider
}

// build makes the providers of cfg. One that did not change since old is kept, with its connections.
func (a *App) build(cfg *config.Config, old providers) (providers, error) {
	made := make(providers, len(cfg.Providers))
	for _, p := range cfg.Providers {
		if p.Kind == catalog.SimKind {
			p.BaseURL = a.simURL
		}
		if before, ok := old[p.Name]; ok && reflect.DeepEqual(before.config, p) && p.CAFile == "" {
			made[p.Name] = before
			continue
		}
		built, err := provider.New(p, a.identity)
		if err != nil {
			return nil, err
		}
		made[p.Name] = builtProvider{p, built}
	}
	return made, nil
}

// snapshot is what requests follow under cfg.
func (a *App) snapshot(cfg *config.Config, made providers) *gateway.Snapshot {
	s := &gateway.Snapshot{
		Table:     table(cfg, made, a.board),
		Providers: make(map[string]*provider.Provider, len(made)),
		MaxBody:   min(int64(cfg.Limits.Body), a.memory.Largest()),
		MaxDepth:  cfg.Limits.Depth,
		MaxAnswer: int64(cfg.Limits.Answer), ServeUnrecorded: cfg.Ledger.Unrecorded == config.UnrecordedServe,

		MaxRequests: cmp.Or(cfg.Limits.Requests, max(a.connections*9/10, 1)),
		Wait:        time.Duration(cfg.Limits.Wait),

		Traced: cfg.Traces.Endpoint != "", TraceRatio: trace.RatioOf(int64(cfg.Traces.Ratio)),

		Origins: cfg.CORS.Origins,
		Proxies: networks(cfg.TrustedProxies),
		Hide:    !cfg.Headers.Weir,
		Images:  fetch.New(dial.NewPublic(nil), a.identity.UserAgent),
	}
	if terms := &cfg.Responses; terms.Keep > 0 {
		s.Stored = stored.Open(a.stored, stored.Terms{
			Secret: terms.Secret, Keep: time.Duration(terms.Keep), Max: int64(terms.Max),
			Bounds: stored.Bounds{Key: int64(terms.PerKey), Total: int64(terms.Total)},
		}, a.now)
	}
	a.unanswered.Store(cfg.Ledger.Unanswered == config.UnansweredServe)
	for name, p := range made {
		s.Providers[name] = p.provider
	}
	return s
}

func networks(list []config.Network) []netip.Prefix {
	prefixes := make([]netip.Prefix, len(list))
	for i, n := range list {
		prefixes[i] = netip.Prefix(n)
	}
	return prefixes
}

func models(cfg *config.Config, made providers) []*route.Model {
	all, allowed := make([]*route.Model, 0, len(cfg.Models)), allowedAt(cfg.Models)
	for _, m := range cfg.Models {
		built := &route.Model{
			Name: m.Name, MaxAttempts: m.Retries.MaxAttempts, Repeats: float64(m.Retries.Budget) / 1e6, Strict: m.Strict, EchoModel: m.EchoModel,
			Limits:   limit.Limits{Requests: int64(m.Limits.RPM), Tokens: int64(m.Limits.TPM), Concurrent: int64(m.Limits.Concurrent)},
			Unpriced: unpricedOf(&m.PriceUnknown),
			Rename:   m.Params.Rename, Omit: m.Params.Omit,
			DisplayName: m.DisplayName, ContextLength: m.ContextLength, MaxOutputTokens: m.MaxOutputTokens,
			Timeouts: route.Timeouts{
				Connect: time.Duration(m.Timeouts.Connect), FirstToken: time.Duration(m.Timeouts.FirstToken), Usual: m.Timeouts.FirstToken == config.DefaultFirstToken,
				Idle: time.Duration(m.Timeouts.Idle), Total: time.Duration(m.Timeouts.Total), Hold: time.Duration(m.Timeouts.Hold),
			},
		}
		if m.Hedge != nil {
			built.Hedge = route.Hedge{After: time.Duration(m.Hedge.After), Budget: float64(m.Hedge.Budget) / 1e6}
		}
		built.Policy, _ = route.ParsePolicy(string(m.Policy))
		built.Sticky, _ = route.ParseSticky(string(m.Sticky))
		for _, t := range m.Targets {
			target := route.Target{
				Provider: t.Provider, Model: t.Model, Like: t.Like, PassRouting: t.PassRouting, Rename: t.Params.Rename, Omit: t.Params.Omit, Added: addedTo(t.Params, m.Params, made[t.Provider].config.Params), Takes: provider.TakesOf(t.Capabilities), Credentials: made[t.Provider].provider.Credentials(), Weight: t.Weight,
			}
			if target.Concurrent = t.Concurrent; made[t.Provider].config.Concurrent > 0 {
				target.Concurrent, target.Shared = made[t.Provider].config.Concurrent, true
			}
			target.Rates = allowed[target.String()]
			target.Facts.Price = priceOf(t.Price)
			built.Targets = append(built.Targets, target)
		}
		all = append(all, built)
	}
	return all
}

// allowedAt is what vendors allow a minute at targets, by their names. It counts in all models that have the target.
func allowedAt(models []config.Model) map[string]limit.Rates {
	allowed := map[string]limit.Rates{}
	for i := range models {
		for _, t := range models[i].Targets {
			if t.RPM > 0 || t.TPM > 0 {
				allowed[t.Provider+"/"+t.Model] = limit.Rates{Requests: int64(t.RPM), Tokens: int64(t.TPM)}
			}
		}
	}
	return allowed
}

// addedTo are the members that are added to a target's requests. What is said first of a name counts.
func addedTo(levels ...config.Params) (e llm.Added) {
	for _, params := range levels {
		for _, list := range [...]struct {
			values map[string]config.JSON
			to     *[]llm.Param
		}{{params.Set, &e.Set}, {params.Default, &e.Default}} {
			for _, name := range slices.Sorted(maps.Keys(list.values)) {
				same := func(p llm.Param) bool { return llm.SameParam(p.Name, name) }
				if !slices.ContainsFunc(e.Set, same) && !slices.ContainsFunc(e.Default, same) {
					*list.to = append(*list.to, llm.Param{Name: name, Value: llm.JSON(list.values[name])})
				}
			}
		}
	}
	return e
}

// priceOf is a price of the config, nil for none.
func priceOf(p *config.Price) *money.Price {
	if p == nil {
		return nil
	}
	long := func(steps []config.LongPrice) (all []money.Step) {
		for i := range steps {
			all = append(all, money.Step{Above: int64(steps[i].Above), Rates: ratesOf(&steps[i].Rates)})
		}
		return all
	}
	price := &money.Price{Rates: ratesOf(&p.Rates), Long: long(p.Long)}
	for i := range p.Tiers {
		t := &p.Tiers[i]
		price.Tiers = append(price.Tiers, money.Tier{Name: t.Name, Rates: ratesOf(&t.Rates), Long: long(t.Long)})
	}
	if p.Searches != nil {
		price.Search = new(int64(*p.Searches)) // a thousand in millionths are one in billionths
	}
	if p.Request != nil {
		price.Request = p.Request.Nano()
	}
	return price
}

// ratesOf are rates of the config. Both count a million tokens in millionths of a dollar.
func ratesOf(c *config.Rates) money.Rates {
	r := money.Of(int64(c.Input), int64(c.Output))
	r.CacheRead, r.CacheWrite, r.CacheWrite1h = orUnset(c.CacheRead), orUnset(c.CacheWrite), orUnset(c.CacheWrite1h)
	r.AudioIn, r.ImageIn = orUnset(c.InputAudio), orUnset(c.InputImage)
	r.Reasoning, r.AudioOut, r.ImageOut = orUnset(c.Reasoning), orUnset(c.OutputAudio), orUnset(c.OutputImage)
	return r.Set()
}

func orUnset(d *config.Dollars) int64 {
	if d == nil {
		return money.Unset
	}
	return int64(*d)
}

// orNil is nil for what is unknown.
func orNil[T comparable](value T) *T {
	var unknown T
	if value == unknown {
		return nil
	}
	return &value
}

// fileKeys are the keys and teams that live in the config file.
func fileKeys(cfg *config.Config) auth.File {
	var file auth.File
	for _, t := range cfg.Teams {
		file.Teams = append(file.Teams, auth.Team{Name: t.Name, Models: t.Models, Limits: limitsOf(t.RPM, t.TPM, t.Concurrent), Spending: spendingOf(&t.Spending)})
	}
	for _, k := range cfg.Keys {
		key := auth.Key{Name: k.Name, Digest: auth.Digest(k.Digest), Models: k.Models, ExpiresAt: k.Expires, Explain: k.Explain, Limits: limitsOf(k.RPM, k.TPM, k.Concurrent), Spending: spendingOf(&k.Spending), Idempotency: k.Idempotency.D()}
		if k.Team != "" {
			key.TeamID = auth.FileID(k.Team)
		}
		file.Keys = append(file.Keys, key)
	}
	return file
}

func limitsOf(rpm, tpm, concurrent int) auth.Limits {
	return auth.Limits{Requests: int64(rpm), Tokens: int64(tpm), Concurrent: int64(concurrent)}
}
