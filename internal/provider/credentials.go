package provider

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"maps"
	"net/http"
	"os"

	"github.com/weirproxy/weir/internal/catalog"
	"github.com/weirproxy/weir/internal/cloud"
	"github.com/weirproxy/weir/internal/config"
)

// authority gives calls credentials that are no fixed header: they last for a while only, or depend on the call. It is safe for
// concurrent use.
type authority interface {
	// Authorize puts credentials into the headers of req, whose body is body. It waits only if no valid ones are at hand.
	// Its errors say what to set, and hold no secret.
	Authorize(ctx context.Context, req *http.Request, body io.Reader) error
	// Refused records that the upstream refused the credentials in the headers of a call, before they expired. It
	// reports whether others replace them.
	Refused(header http.Header) bool
	// State says where the credentials come from; it gets them first if it has none.
	State(ctx context.Context) (cloud.State, error)
	// Private returns what must not reach a caller in an error of the upstream.
	Private() []string
	Close()
}

// CredentialError is a call that was not made because it had no credentials.
type CredentialError struct{ Err error }

// Error implements error.
func (e *CredentialError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *CredentialError) Unwrap() error { return e.Err }

// authorize puts credentials on a call, with headers of its own.
func (p *Provider) authorize(ctx context.Context, req *http.Request, body io.Reader) error {
	if p.authority == nil {
		return nil
	}
	req.Header = maps.Clone(req.Header)
	if err := p.authority.Authorize(ctx, req, body); err != nil {
		if ctx.Err() != nil {
			return err
		}
		return &CredentialError{err}
	}
	return nil
}

// Renews reports a refusal of a call's credentials to their source. It returns whether others replace them, so that the call
// may be made once more. A key does not change.
func (p *Provider) Renews(refusal *http.Response) bool {
	return refusal.Request != nil && p.authority.Refused(refusal.Request.Header)
}

// authorityOf is what the config and the kind say of credentials that are no fixed header, nil if nothing.
func authorityOf(k catalog.Kind, cfg config.Provider, w way, id Identity) (authority, error) {
	_, own := cfg.Headers["Authorization"]
	unsigned := k.Cloud == config.AWSCloud && (cfg.Region == "" || len(cfg.Credentials()) > 0)
	if own || unsigned || k.Cloud == config.NoCloud || k.Cloud == config.EntraCloud && cfg.Entra == nil {
		return nil, nil
	}
	security := &tls.Config{MinVersion: tls.VersionTLS12}
	if cfg.CAFile != "" { // in addition to the system's: credentials rarely come from the server that is called
		pem, err := os.ReadFile(cfg.CAFile)
		if err != nil {
			return nil, err
		}
		if security.RootCAs, err = x509.SystemCertPool(); err != nil {
			return nil, errors.New("the system's certificate authorities cannot be read")
		}
		security.RootCAs.AppendCertsFromPEM(pem)
	}
	out := cloud.Way{Dialer: w.secure.NetDialer, Proxy: w.proxy, TLS: security, Env: id.Env}
	switch a, e := &cfg.AWS, cfg.Entra; k.Cloud {
	case config.AWSCloud:
		return cloud.NewAWS(out, cloud.AWSConfig{
			Region: cfg.Region, Service: k.Service, Profile: a.Profile,
			AccessKeyID: a.AccessKeyID, SecretAccessKey: a.SecretAccessKey, SessionToken: a.SessionToken,
		}), nil
	case config.GoogleCloud:
		return cloud.NewGoogle(out, cfg.CredentialsFile), nil
	default:
		return cloud.NewEntra(out, cloud.EntraConfig{
			Tenant: e.Tenant, ClientID: e.ClientID, ClientSecret: e.ClientSecret, TokenFile: e.TokenFile, Scope: e.Scope,
		}), nil
	}
}
