package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/app"
	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/doctor"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/version"
)

type doctorCmd struct {
	formatFlag
	Config  string        `placeholder:"FILE" help:"Config file. Default: WEIR_CONFIG, else ./weir.yaml if it exists."`
	Timeout time.Duration `default:"15s" placeholder:"TIME" help:"How long the probe of a provider may take. All run at once. Default: 15s."`
}

func (doctorCmd) Help() string {
	return `Checks the config, the values that it has in Vault or at programs, the Go release, the data folder, the store, every provider (DNS, TCP, TLS, each credential), the clock, and whether a running Weir fails the requests of some keys.
Providers are asked for their list of models, or for something else that costs nothing; no model is called to answer. It works with or without a running Weir
one, and changes nothing.

Each line is ok, unknown (it cannot be checked for free), warning or error, and says what to do. The exit status is 1 if there is an error.

Examples:
  weir doctor
  weir doctor --config /etc/weir/weir.yaml --format json`
}

// finding is one line of the report. Its texts hold no secrets.
type finding struct {
	Check      string         `json:"check"`
	Provider   string         `json:"provider,omitempty"`
	Credential int            `json:"credential,omitempty"` // which of the provider's, from 1
	Status     doctor.Verdict `json:"status"`
	Found      string         `json:"found"`
	Advice     string         `json:"advice,omitempty"`
}

// Run prints the findings.
func (c doctorCmd) Run(ctx context.Context, sys *system) error {
	if c.Timeout <= 0 {
		return &exitError{2, errors.New("--timeout is a time such as 15s")}
	}
	findings := c.examine(ctx, sys)
	if err := c.printFindings(sys.stdout, findings); err != nil {
		return err
	}
	for _, f := range findings {
		if f.Status == doctor.Bad {
			return &exitError{code: 1}
		}
	}
	return nil
}

// examine looks at everything. Without a usable config it skips the checks that need one.
func (c doctorCmd) examine(ctx context.Context, sys *system) []finding {
	var local []provider.Local
	path := configPath(c.Config, sys)
	if path == "" {
		local = localServers(ctx, sys)
	}
	cfg, err := loadConfig(configLoader(sys), c.Config, sys, kindsOf(local)...)
	if err != nil {
		return append(configErrors(err), checkGo(runtime.Version(), nil))
	}
	found := finding{Check: "config", Status: doctor.Good, Found: fmt.Sprintf("%s: %s, %s, %s", orElse(path, "no file, the environment alone"),
		count(len(cfg.Providers), "provider"), count(len(cfg.Models), "model"), count(len(cfg.Keys), "key"))}
	findings := append([]finding{found}, warnings(cfg, time.Now())...)
	if n := called(cfg); n > 0 {
		findings = append(findings, finding{Check: "secrets", Status: doctor.Good, Found: count(n, "value") + " of Vault or programs can be read"})
	}
	findings = append(findings, checkGo(runtime.Version(), cfg), checkData(cfg.Data), checkStore(ctx, cfg.Store), checkRevocations(ctx, sys, cfg))
	probed, clocks := c.probe(ctx, sys, cfg)
	findings = append(append(findings, probed...), c.checkRunning(ctx, sys)...)
	return append(findings, checkClock(clocks))
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// configErrors is one finding for each error, or one for what else is wrong.
func configErrors(err error) []finding {
	bad := func(text string) finding {
		return finding{Check: "config", Status: doctor.Bad, Found: text, Advice: "correct it: the rest can be looked at only then"}
	}
	var list config.Errors
	if !errors.As(err, &list) {
		return []finding{bad(err.Error())}
	}
	all := make([]finding, 0, len(list))
	for _, e := range list {
		all = append(all, bad(e.Error()))
	}
	return all
}

// checkGo is about the release that this Weir was built with.
func checkGo(release string, cfg *config.Config) finding {
	f := finding{Check: "go", Status: doctor.Good, Found: "weir " + version.String() + ", built with " + release}
	if app.SafeHTTP2(release) {
		return f
	}
	f.Found += ", whose HTTP/2 server can be crashed from outside; HTTP/2 is off for callers"
	f.Advice = "build Weir with Go 1.26.9 or later"
	if f.Status = doctor.Unknown; cfg == nil || cfg.Listen.TLS != nil || cfg.Admin.Listen.TLS != nil {
		f.Status = doctor.Warning
	}
	return f
}

// clock is how far this machine's clock is ahead of a provider's.
type clock struct {
	provider string
	ahead    time.Duration
}

// probe tries all providers at once.
func (c doctorCmd) probe(ctx context.Context, sys *system, cfg *config.Config) ([]finding, []clock) {
	reports := make([]doctor.Report, len(cfg.Providers))
	var wg sync.WaitGroup
	for i, p := range cfg.Providers {
		wg.Go(func() { reports[i] = c.probeOne(ctx, sys, p) })
	}
	wg.Wait()
	var findings []finding
	var clocks []clock
	for i, r := range reports {
		for _, f := range r.Findings {
			findings = append(findings, finding{string(f.Step), cfg.Providers[i].Name, f.Credential, f.Verdict, f.Found, f.Advice})
		}
		if r.Dated {
			clocks = append(clocks, clock{cfg.Providers[i].Name, r.Ahead})
		}
	}
	return findings, clocks
}

func (c doctorCmd) probeOne(ctx context.Context, sys *system, cfg config.Provider) doctor.Report {
	if cfg.Kind == catalog.SimKind {
		return doctor.Report{Findings: []doctor.Finding{{Step: doctor.StepModels, Verdict: doctor.Good, Found: "is built in; its answers are simulated"}}}
	}
	p, err := provider.New(cfg, provider.Identity{UserAgent: "weir/" + version.String(), Via: "1.1 weir-doctor", Env: sys.env})
	if err != nil {
		return doctor.Report{Findings: []doctor.Finding{{Step: doctor.StepTCP, Verdict: doctor.Bad, Found: err.Error(), Advice: "correct the config"}}}
	}
	defer p.Close()
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	return doctor.Probe(ctx, p)
}

// maxSkew is how far a clock may be off: keys expire to the second, and signatures are refused after minutes.
const maxSkew = 30 * time.Second

// checkClock believes the provider whose clock is nearest to ours, since theirs may be wrong too.
func checkClock(clocks []clock) finding {
	if len(clocks) == 0 {
		return finding{Check: "clock", Status: doctor.Unknown, Found: "no provider reported the time", Advice: "see that this machine keeps time, by NTP or its host"}
	}
	best := clocks[0]
	for _, c := range clocks[1:] {
		if c.ahead.Abs() < best.ahead.Abs() {
			best = c
		}
	}
	off := best.ahead.Abs().Round(time.Second)
	if off <= maxSkew {
		return finding{Check: "clock", Status: doctor.Good, Found: fmt.Sprintf("within %v of that of %s", max(off, time.Second), best.provider)}
	}
	word := "ahead of"
	if best.ahead < 0 {
		word = "behind"
	}
	return finding{Check: "clock", Status: doctor.Bad, Found: fmt.Sprintf("%v %s that of %s", off, word, best.provider), Advice: "set it, and let NTP keep it"}
}
