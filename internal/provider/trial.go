package provider

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/refusal"
)

// trial is a call that costs nothing, for kinds whose API lists no models that can be called.
type trial struct {
	path    string // below the base URL
	body    string // "" for a GET
	control bool   // at the host that manages what the base URL's serves
	may     string // what the credential may have to be allowed that calls do not need, "" if nothing
}

// The hosts of Bedrock: that which serves models, and that which manages them.
const (
	runtimeHost = "bedrock-runtime."
	controlHost = "bedrock."
)

// trialURL is where the trial is made, or nil. For your own base_url the host to ask is unknown.
func (p *Provider) trialURL() *url.URL {
	t := p.kind.trial
	if t.path == "" {
		return nil
	}
	u := *p.base
	if t.control {
		region, ok := strings.CutPrefix(u.Host, runtimeHost)
		if !ok {
			return nil
		}
		u.Host = controlHost + region
	}
	u.Path += p.account.Replace(t.path)
	return &u
}

// try makes the trial with every credential, all at once, and reports whether there is one.
func (p *Provider) try(ctx context.Context, r *Report) bool {
	u := p.trialURL()
	if u == nil {
		return false
	}
	// Not the connections of calls: the host may be another one.
	transport := newTransport(u, p.way.proxy, p.way.secure)
	defer transport.close()
	findings := make([]Finding, len(p.credentials))
	var wg sync.WaitGroup
	for i := range p.credentials {
		wg.Go(func() {
			findings[i] = p.tryOne(ctx, transport, u, p.headers[i].whole)
			findings[i].Step, findings[i].Credential = StepCredential, i+1
		})
	}
	wg.Wait()
	r.Findings = append(r.Findings, findings...)
	return true
}

func (p *Provider) tryOne(ctx context.Context, transport http.RoundTripper, u *url.URL, header http.Header) Finding {
	t := p.kind.trial
	req := &http.Request{Method: http.MethodGet, URL: u, Host: u.Host, Header: header.Clone(), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	if t.body == "" {
		req.Header.Del("Content-Type")
	} else {
		body := dialect.NewBody([]byte(t.body))
		req.Method, req.Body, req.ContentLength = http.MethodPost, body.Reader(), body.Len()
	}
	said := func(v Verdict, found, advice string) Finding {
		return Finding{Verdict: v, Found: found, Advice: advice}
	}
	call := req.Method + " " + u.Path
	if err := p.authorize(ctx, req, strings.NewReader(t.body)); err != nil {
		return said(Bad, "cannot be put on a call", "see what is said of sign-in, and try again")
	}
	resp, err := transport.RoundTrip(req.WithContext(ctx))
	if err != nil {
		return said(Unknown, fmt.Sprintf("cannot be tried: %s got no answer from %s: %v", call, u.Host, cause(Wordless(err))), "make one small call to a model of this provider to see")
	}
	defer resp.Body.Close()
	return p.judgeTrial(resp, call, said)
}

// judgeTrial says what the answer to a trial means.
func (p *Provider) judgeTrial(resp *http.Response, call string, said func(Verdict, string, string) Finding) Finding {
	answered := fmt.Sprintf("%s answered %d", call, resp.StatusCode)
	var e refusal.Error
	if decompress(resp) == nil {
		body, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10)) // what came is enough to know a refusal by
		e = refusal.Parse(body)
	}
	// A type that says so means that the credential was understood.
	known := strings.HasPrefix(resp.Header.Get("X-Amzn-Errortype"), "AccessDenied") && !p.BadKey(e.Message)
	switch status := resp.StatusCode; {
	case status == http.StatusOK:
		return said(Good, "is taken: "+answered, "")
	case known && p.kind.trial.may != "":
		return said(Good, "is taken, though it is not allowed "+p.kind.trial.may+", which calls do not need: "+answered, "")
	case status == http.StatusUnauthorized, status == http.StatusBadRequest && p.BadKey(e.Message), status == http.StatusForbidden && p.kind.trial.control:
		return said(Bad, "is refused: "+answered, "replace it: it is mistyped, revoked, expired or another provider's")
	case status == http.StatusForbidden:
		return said(Bad, "is refused: "+answered, "see that the project is right, that the API is enabled in it, and that the account may use it")
	case status == http.StatusTooManyRequests:
		return said(Unknown, "is at its rate limit: "+answered, "try again in a minute")
	case status >= http.StatusInternalServerError:
		return said(Bad, answered, "the provider is in trouble: see its status page, and try again later")
	default:
		return said(Unknown, "cannot be tried: "+answered, "make one small call to a model of this provider to see")
	}
}
