package provider

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/dial"
)

// Step is one thing that a probe looks at.
type Step string

// The steps, in their order.
const (
	StepDNS        Step = "dns"
	StepTCP        Step = "tcp"
	StepTLS        Step = "tls"
	StepSignIn     Step = "sign-in"    // where credentials are from that are no key
	StepCredential Step = "credential" // one of them, by the list of models
	StepModels     Step = "models"     // the list of models, of a provider without credentials
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
	Step       Step
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

func (r *Report) add(step Step, verdict Verdict, found, advice string) {
	r.Findings = append(r.Findings, Finding{Step: step, Verdict: verdict, Found: found, Advice: advice})
}

// Probe tries how the provider can be reached and whether it takes each credential, by its list of models alone: it costs
// nothing. It ends with ctx at the latest.
func (p *Provider) Probe(ctx context.Context) Report {
	var r Report
	via, err := p.way.proxy(&http.Request{URL: p.base})
	if err != nil {
		r.add(StepTCP, Bad, "the proxy in the environment is no URL", "correct HTTPS_PROXY or HTTP_PROXY, or set proxy for this provider")
		return r
	}
	if !p.reach(ctx, via, &r) {
		return r
	}
	if !p.signIn(ctx, &r) {
		return r
	}
	if p.kind.models == noModels {
		if !p.try(ctx, &r) {
			p.untried(&r)
		}
		return r
	}
	asked := p.askAll(ctx)
	var untrusted *tls.CertificateVerificationError
	if errors.As(asked[0].err, &untrusted) {
		r.Findings = append(r.Findings, judgeHandshake(untrusted, time.Now()))
		return r
	}
	if secured := asked[0].secured; via != nil && secured != nil { // the handshake came after the proxy's
		r.Findings = append(r.Findings, judgeCertificate(secured.PeerCertificates[0], time.Now()))
	}
	for i, a := range asked {
		if a.dated && !r.Dated {
			r.Dated, r.Ahead = true, a.ahead
		}
		finding := p.judge(a)
		if finding.Step = StepModels; p.keyless() {
			r.Findings = append(r.Findings, finding)
			continue
		}
		finding.Step, finding.Credential = StepCredential, i+1
		r.Findings = append(r.Findings, finding)
	}
	p.doubtOpenList(ctx, &r, asked)
	return r
}

// untried notes that nothing free of charge shows what the provider thinks of its credentials.
func (p *Provider) untried(r *Report) {
	for i, c := range p.credentials {
		f := Finding{Step: StepCredential, Credential: i + 1, Verdict: Unknown, Found: "cannot be tried for free: " + ErrNoModelList.Error(), Advice: "make one small call to a model of this provider to see"}
		if c.IsZero() {
			f.Step, f.Credential = StepModels, 0
		}
		r.Findings = append(r.Findings, f)
	}
}

// reach looks up, connects to and, without a proxy, greets the address of calls, and reports whether all that worked.
func (p *Provider) reach(ctx context.Context, via *url.URL, r *Report) bool {
	to, what := p.base, ""
	if via != nil {
		to, what = via, "the proxy "
	}
	if _, err := netip.ParseAddr(to.Hostname()); err != nil && !p.resolve(ctx, to.Hostname(), what, r) {
		return false
	}
	port := map[string]string{"https": "443", "socks5": "1080", "socks5h": "1080"}[to.Scheme]
	address := net.JoinHostPort(to.Hostname(), cmp.Or(to.Port(), port, "80"))
	conn, err := p.way.secure.NetDialer.DialContext(ctx, "tcp", address)
	if err != nil {
		r.add(StepTCP, Bad, fmt.Sprintf("cannot connect to %s%s: %v", what, address, cause(err)), connectAdvice(err, via != nil))
		return false
	}
	defer conn.Close()
	r.add(StepTCP, Good, what+address+" takes connections", "")
	if via != nil || to.Scheme != "https" {
		return true
	}
	config := p.way.secure.Config.Clone()
	config.ServerName = to.Hostname()
	secured := tls.Client(conn, config)
	if err := secured.HandshakeContext(ctx); err != nil {
		r.Findings = append(r.Findings, judgeHandshake(err, time.Now()))
		return false
	}
	r.Findings = append(r.Findings, judgeCertificate(secured.ConnectionState().PeerCertificates[0], time.Now()))
	return true
}

func (p *Provider) resolve(ctx context.Context, host, what string, r *Report) bool {
	resolver := cmp.Or(p.way.secure.NetDialer.Resolver, net.DefaultResolver)
	found, err := resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		r.add(StepDNS, Bad, fmt.Sprintf("%s%s has no address: %v", what, host, cause(err)),
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
	r.add(StepDNS, Good, fmt.Sprintf("%s%s is %s", what, host, strings.Join(texts, ", ")), "")
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
	err     error
	status  int
	models  int
	badList error // a 200 that is no list
	badKey  bool  // a 400 that means the credential
	secured *tls.ConnectionState
	dated   bool
	ahead   time.Duration
}

// askAll asks for the list with every credential, all at once.
func (p *Provider) askAll(ctx context.Context) []asked {
	all := make([]asked, len(p.credentials))
	var wg sync.WaitGroup
	for i := range p.credentials {
		wg.Go(func() { all[i] = p.ask(ctx, p.headers[i].whole) })
	}
	wg.Wait()
	return all
}

func (p *Provider) ask(ctx context.Context, header http.Header) (a asked) {
	began := time.Now()
	resp, err := p.askModels(ctx, header)
	if err != nil {
		return asked{err: err}
	}
	defer resp.Body.Close()
	a = asked{status: resp.StatusCode, secured: resp.TLS}
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		now := time.Now()
		half := now.Sub(began) / 2 // the Date was written about half way, within a whole second
		a.dated, a.ahead = true, now.Add(-half).Sub(date.Add(time.Second/2))
	}
	switch a.status {
	case http.StatusOK:
		list, err := readModels(resp)
		a.models, a.badList = len(list), err
	case http.StatusBadRequest:
		a.badKey = p.badKeyIn(resp)
	}
	return a
}

// doubtOpenList calls once without a credential: a list that is open to all does not show whether a credential is good.
func (p *Provider) doubtOpenList(ctx context.Context, r *Report, all []asked) {
	if p.credentials[0].IsZero() || !anyGood(all) {
		return
	}
	bare := p.headers[0].whole.Clone()
	bare.Del(cmp.Or(p.kind.header, "Authorization"))
	if open := p.ask(ctx, bare); open.status != http.StatusOK {
		return
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Step == StepCredential && f.Verdict == Good {
			f.Verdict = Unknown
			f.Found += ", but to all callers: this does not show whether the credential is good"
			f.Advice = "make one small call to a model of this provider to see"
		}
	}
}

func anyGood(all []asked) bool {
	for _, a := range all {
		if a.err == nil && a.status == http.StatusOK && a.badList == nil {
			return true
		}
	}
	return false
}
