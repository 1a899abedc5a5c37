package provider

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/cloud"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/refusal"
)

// What follows lets package doctor look at a provider without calls that cost anything.

// Way is how connections to a provider are made.
type Way struct {
	Base   *url.URL // what calls go to
	Via    *url.URL // the proxy, nil without one
	Secure *tls.Dialer
}

// errProxy is returned by Way if the proxy in the environment is no URL.
var errProxy = errors.New("the proxy in the environment is no URL")

// Way finds out how connections are made.
func (p *Provider) Way() (Way, error) {
	via, err := p.way.proxy(&http.Request{URL: p.base})
	if err != nil {
		return Way{}, errProxy
	}
	return Way{Base: p.base, Via: via, Secure: p.way.secure}, nil
}

// Keyless reports whether calls carry no credential.
func (p *Provider) Keyless() bool { return p.credentials[0].IsZero() && p.authority == nil }

// HasKey reports whether one of the credentials is a key.
func (p *Provider) HasKey(credential int) bool { return !p.credentials[credential].IsZero() }

// SignIn is where credentials other than keys come from. needed is false if the provider has only keys. The error is a *cloud.Error
// that says what to set, or that of ctx.
func (p *Provider) SignIn(ctx context.Context) (state cloud.State, needed bool, err error) {
	if p.authority == nil {
		return cloud.State{}, false, nil
	}
	state, err = p.authority.State(ctx)
	return state, true, err
}

// ListsModels reports whether the provider's API has a list of models.
func (p *Provider) ListsModels() bool { return p.kind.Models != catalog.NoModels }

// ModelsPath is where that list is.
func (p *Provider) ModelsPath() string { return p.modelsURL().Path }

// NoCredential stands for a call without any.
const NoCredential = -1

// ModelsAnswer is what came of asking for the list of models.
type ModelsAnswer struct {
	Status  int
	Date    string    // of the header
	Came    time.Time // when the header did
	TLS     *tls.ConnectionState
	Models  int   // of a 200
	BadList error // of a 200 that is no list
	BadKey  bool  // of a 400: the provider does not know the credential
}

// AskModels asks for the list of models with one of the credentials, or NoCredential. It costs nothing.
func (p *Provider) AskModels(ctx context.Context, credential int) (ModelsAnswer, error) {
	header := p.headers[max(credential, 0)].whole
	if credential == NoCredential {
		header = header.Clone()
		header.Del(cmp.Or(p.kind.Header, "Authorization"))
	}
	resp, err := p.askModels(ctx, header)
	if err != nil {
		return ModelsAnswer{}, err
	}
	defer resp.Body.Close()
	a := ModelsAnswer{Status: resp.StatusCode, Date: resp.Header.Get("Date"), Came: time.Now(), TLS: resp.TLS}
	switch a.Status {
	case http.StatusOK:
		list, err := readModels(resp)
		a.Models, a.BadList = len(list), err
	case http.StatusBadRequest:
		e := refusalIn(resp)
		a.BadKey = e.KeyRefused || p.BadKey(e.Message)
	}
	return a, nil
}

// refusalIn is the error in an answer. What came of it is enough to know a refusal by.
func refusalIn(resp *http.Response) refusal.Error {
	if decompress(resp) != nil {
		return refusal.Error{}
	}
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	return refusal.Parse(body)
}

// The hosts of Bedrock: that which serves models, and that which manages them.
const (
	runtimeHost = "bedrock-runtime."
	controlHost = "bedrock."
)

// trialURL is where the trial is made, nil without one. Which host manages that of a base_url of one's own is not known.
func (p *Provider) trialURL() *url.URL {
	t := p.kind.Trial
	if t.Path == "" {
		return nil
	}
	u := *p.base
	if t.Control {
		region, ok := strings.CutPrefix(u.Host, runtimeHost)
		if !ok {
			return nil
		}
		u.Host = controlHost + region
	}
	u.Path += p.account.Replace(t.Path)
	return &u
}

// Trial is a call that shows for free what the provider thinks of a credential.
type Trial struct {
	Call, Host string // as a finding names them
	Manages    bool   // it goes to what manages the models
	May        string // what the credential may have to be allowed that calls do not need, "" if nothing
}

// Trial is the one that the provider's kind has.
func (p *Provider) Trial() (t Trial, ok bool) {
	u := p.trialURL()
	if u == nil {
		return Trial{}, false
	}
	method := http.MethodGet
	if p.kind.Trial.Body != "" {
		method = http.MethodPost
	}
	return Trial{Call: method + " " + u.Path, Host: u.Host, Manages: p.kind.Trial.Control, May: p.kind.Trial.May}, true
}

// TrialAnswer is what came of a trial.
type TrialAnswer struct {
	Status int
	Denied bool // the credential was understood, and is not allowed this
	BadKey bool // the words are those of a bad credential
}

// Try makes the trial with one of the credentials. An error to put it on the call is a *CredentialError.
func (p *Provider) Try(ctx context.Context, credential int) (TrialAnswer, error) {
	u, t := p.trialURL(), p.kind.Trial
	// Not the connections of calls: the host may be another one.
	transport := newTransport(u, p.way.proxy, p.way.secure)
	defer transport.close()
	req := &http.Request{Method: http.MethodGet, URL: u, Host: u.Host, Header: p.headers[credential].whole.Clone(), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	if t.Body == "" {
		req.Header.Del("Content-Type")
	} else {
		body := dialect.NewBody([]byte(t.Body))
		req.Method, req.Body, req.ContentLength = http.MethodPost, body.Reader(), body.Len()
	}
	if err := p.authorize(ctx, req, strings.NewReader(t.Body)); err != nil {
		return TrialAnswer{}, &CredentialError{err}
	}
	resp, err := transport.RoundTrip(req.WithContext(ctx))
	if err != nil {
		return TrialAnswer{}, Wordless(err)
	}
	defer resp.Body.Close()
	e := refusalIn(resp)
	bad := p.BadKey(e.Message)
	return TrialAnswer{Status: resp.StatusCode, BadKey: bad, Denied: strings.HasPrefix(resp.Header.Get("X-Amzn-Errortype"), "AccessDenied") && !bad}, nil
}
