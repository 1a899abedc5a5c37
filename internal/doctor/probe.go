// Package doctor finds out how a provider can be reached and whether it takes its credentials, without a call that costs anything.
package doctor

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/cloud"
	"github.com/weirproxy/weir/internal/dial"
	"github.com/weirproxy/weir/internal/provider"
)

// step is one thing that a probe looks at.
type step string

// The steps, in their order.
const (
	stepDNS        step = "dns"
	StepTCP        step = "tcp"
	stepTLS        step = "tls"
	stepSignIn     step = "sign-in"    // where credentials are from that are no key
	stepCredential step = "credential" // one of them, by the list of models
	StepModels     step = "models"     // the list of models, of a provider without credentials
)

// Verdict is what a probe thinks of what it found.
type Verdict string

// The verdicts.
const (
	Good    Verdict = "ok"
	Unknown Verdict = "unknown" // it cannot be known without a call that may cost something
	Warning Verdict = "warning" // it works, and should not stay so
	Bad     Verdict = "error"
)

// Finding is what one step has shown. Neither text holds a secret or anything from the upstream.
type Finding struct {
	Step       step
	Credential int // which, from 1; 0 where it is not about one
	Verdict    Verdict
	Found      string
	Advice     string // what to do; empty if nothing
}

// Report is what a probe has found, up to the first step without which the others make no sense.
type Report struct {
	Findings []Finding
	Dated    bool          // an answer had a Date
	Ahead    time.Duration // how far this machine's clock is ahead of the provider's
}

func (r *Report) add(at step, verdict Verdict, found, advice string) {
	r.Findings = append(r.Findings, Finding{Step: at, Verdict: verdict, Found: found, Advice: advice})
}

// probe is one look at a provider.
type probe struct {
	*provider.Provider
	way    provider.Way
	report Report
}

// Probe tries how the provider can be reached and whether it takes each credential, by its list of models alone: it costs
// nothing. It ends with ctx at the latest.
func Probe(ctx context.Context, of *provider.Provider) Report {
	p := probe{Provider: of}
	p.look(ctx)
	return p.report
}

// look goes from step to step.
func (p *probe) look(ctx context.Context) {
	var err error
	if p.way, err = p.Way(); err != nil {
		p.report.add(StepTCP, Bad, err.Error(), "correct HTTPS_PROXY or HTTP_PROXY, or set proxy for this provider")
		return
	}
	switch {
	case !p.reach(ctx), !p.signIn(ctx):
	case p.ListsModels():
		p.askForModels(ctx)
	case !p.try(ctx):
		p.untried()
	}
}

// signIn says where credentials other than keys come from, and reports whether they are available, or none are
// needed.
func (p *probe) signIn(ctx context.Context) bool {
	state, needed, err := p.SignIn(ctx)
	var lacking *cloud.Error
	switch {
	case errors.As(err, &lacking):
		p.report.add(stepSignIn, Bad, "no credentials of "+lacking.Cloud+": "+lacking.Cause, lacking.Set)
		return false
	case err != nil:
		p.report.add(stepSignIn, Bad, "no credentials in time", "try again, with a longer --timeout")
		return false
	case !needed:
		return true
	}
	found := "credentials are from " + state.Source
	if !state.Until.IsZero() {
		found += ", good until " + state.Until.UTC().Format(time.RFC3339) + " and renewed before"
	}
	p.report.add(stepSignIn, Good, found, "")
	return true
}

// askForModels asks for the list of models with each credential.
func (p *probe) askForModels(ctx context.Context) {
	r := &p.report
	all := p.askAll(ctx)
	var untrusted *tls.CertificateVerificationError
	if errors.As(all[0].err, &untrusted) {
		r.Findings = append(r.Findings, judgeHandshake(untrusted, time.Now()))
		return
	}
	if secured := all[0].TLS; p.way.Via != nil && secured != nil { // the handshake came after the proxy's
		r.Findings = append(r.Findings, judgeCertificate(secured.PeerCertificates[0], time.Now()))
	}
	for i := range all {
		if a := &all[i]; a.dated && !r.Dated {
			r.Dated, r.Ahead = true, a.ahead
		}
		finding := p.judge(&all[i])
		if finding.Step = StepModels; !p.Keyless() {
			finding.Step, finding.Credential = stepCredential, i+1
		}
		r.Findings = append(r.Findings, finding)
	}
	p.doubtOpenList(ctx, all)
}

// untried notes that nothing free of charge shows what the provider thinks of its credentials.
func (p *probe) untried() {
	for i := range p.Credentials() {
		f := Finding{Step: stepCredential, Credential: i + 1, Verdict: Unknown, Found: "cannot be tried for free: " + provider.ErrNoModelList.Error(), Advice: "make one small call to a model of this provider to see"}
		if !p.HasKey(i) {
			f.Step, f.Credential = StepModels, 0
		}
		p.report.Findings = append(p.report.Findings, f)
	}
}

// reach looks up, connects to and, without a proxy, greets the address of calls, and reports whether all that worked.
func (p *probe) reach(ctx context.Context) bool {
	r, via := &p.report, p.way.Via
	to, what := p.way.Base, ""
	if via != nil {
		to, what = via, "the proxy "
	}
	if _, err := netip.ParseAddr(to.Hostname()); err != nil && !p.resolve(ctx, to.Hostname(), what) {
		return false
	}
	port := map[string]string{"https": "443", "socks5": "1080", "socks5h": "1080"}[to.Scheme]
	address := net.JoinHostPort(to.Hostname(), cmp.Or(to.Port(), port, "80"))
	conn, err := p.way.Secure.NetDialer.DialContext(ctx, "tcp", address)
	if err != nil {
		r.add(StepTCP, Bad, fmt.Sprintf("cannot connect to %s%s: %v", what, address, cause(err)), connectAdvice(err, via != nil))
		return false
	}
	defer conn.Close()
	r.add(StepTCP, Good, what+address+" takes connections", "")
	if via != nil || to.Scheme != "https" {
		return true
	}
	config := p.way.Secure.Config.Clone()
	config.ServerName = to.Hostname()
	secured := tls.Client(conn, config)
	if err := secured.HandshakeContext(ctx); err != nil {
		r.Findings = append(r.Findings, judgeHandshake(err, time.Now()))
		return false
	}
	r.Findings = append(r.Findings, judgeCertificate(secured.ConnectionState().PeerCertificates[0], time.Now()))
	return true
}

func (p *probe) resolve(ctx context.Context, host, what string) bool {
	r := &p.report
	resolver := cmp.Or(p.way.Secure.NetDialer.Resolver, net.DefaultResolver)
	found, err := resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		r.add(stepDNS, Bad, fmt.Sprintf("%s%s has no address: %v", what, host, cause(err)),
			"check the name for a typing mistake, and whether this machine can ask its DNS server")
		return false
	}
	texts := make([]string, 0, len(found))
	for _, addr := range found {
		texts = append(texts, addr.Unmap().String())
	}
	const most = 4
	if len(texts) > most {
		texts = append(texts[:most], "…")
	}
	r.add(stepDNS, Good, fmt.Sprintf("%s%s is %s", what, host, strings.Join(texts, ", ")), "")
	return true
}

// cause is an error without what a finding says already.
func cause(err error) error {
	var name *net.DNSError
	var op *net.OpError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return errors.New("no answer in time")
	case errors.As(err, &name):
		return errors.New(name.Err)
	case errors.As(err, &op):
		return op.Err
	}
	return err
}

func connectAdvice(err error, proxied bool) string {
	var refused *dial.RefusedError
	switch {
	case errors.As(err, &refused):
		return "give another base_url, or correct what DNS says of that name"
	case proxied:
		return "check the proxy's address (proxy in the config, or HTTPS_PROXY) and that it runs"
	default:
		return "check base_url, that the server runs, and whether a firewall is in the way or a proxy is needed (proxy in the config, or HTTPS_PROXY)"
	}
}

// asked is what came of asking for the list of models.
type asked struct {
	provider.ModelsAnswer
	err   error
	dated bool
	ahead time.Duration
}

// askAll asks for the list with every credential, all at once.
func (p *probe) askAll(ctx context.Context) []asked {
	all := make([]asked, p.Credentials())
	var wg sync.WaitGroup
	for i := range all {
		wg.Go(func() { all[i] = p.ask(ctx, i) })
	}
	wg.Wait()
	return all
}

func (p *probe) ask(ctx context.Context, credential int) (a asked) {
	began := time.Now()
	if a.ModelsAnswer, a.err = p.AskModels(ctx, credential); a.err != nil {
		return a
	}
	if date, err := http.ParseTime(a.Date); err == nil {
		half := a.Came.Sub(began) / 2 // the server wrote the time about half way, within a whole second
		a.dated, a.ahead = true, a.Came.Add(-half).Sub(date.Add(time.Second/2))
	}
	return a
}

// doubtOpenList calls once without a credential: a list that is open to all does not show whether a credential is good.
func (p *probe) doubtOpenList(ctx context.Context, all []asked) {
	if !p.HasKey(0) || !slices.ContainsFunc(all, asked.good) {
		return
	}
	if open := p.ask(ctx, provider.NoCredential); open.Status != http.StatusOK {
		return
	}
	for i := range p.report.Findings {
		if f := &p.report.Findings[i]; f.Step == stepCredential && f.Verdict == Good {
			f.Verdict = Unknown
			f.Found += ", but to all callers: this does not show whether the credential is good"
			f.Advice = "make one small call to a model of this provider to see"
		}
	}
}

// good reports whether a list came.
func (a asked) good() bool { return a.err == nil && a.Status == http.StatusOK && a.BadList == nil }
