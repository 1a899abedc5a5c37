package provider

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/weirproxy/weir/internal/secret"
)

// secrets are what must not leave Weir in the texts of an upstream. Those of the config stay; those of an authority are renewed.
type secrets struct {
	credentials, others []string // from the config
	mask                atomic.Pointer[renewed]
}

// renewed is a mask with what an authority gave for it.
type renewed struct {
	by   []string
	mask *secret.Mask
}

// fixed sets those from the config: credentials, also those in headers and for the proxy, and as wholes the values of headers and
// the upstream's address.
func (s *secrets) fixed(credentials []secret.Text, headers map[string]secret.Text, base *url.URL, proxy proxyOf) {
	for _, c := range credentials {
		s.credentials = append(s.credentials, c.Reveal())
	}
	s.others = []string{base.Host}
	for name, value := range headers {
		s.others = append(s.others, value.Reveal())
		s.credentials = append(s.credentials, credentialsIn(name, value.Reveal())...)
	}
	// A proxy's error may repeat what was sent to it. One that cannot be found out is an error of the calls.
	if via, err := proxy(&http.Request{URL: base}); err == nil && via != nil && via.User != nil {
		account := via.User.Username()
		if password, ok := via.User.Password(); ok {
			account += ":" + password
		}
		s.credentials = append(s.credentials, account)
	}
	s.mask.Store(&renewed{nil, secret.NewMask(s.credentials, s.others)})
}

// forCredentials are the headers that hold nothing else.
var forCredentials = []string{"Authorization", "Api-Key", "X-Api-Key", "X-Goog-Api-Key"}

// credentialsIn are those in a header from the config: without the scheme, which upstreams leave out when they repeat one, and for a
// basic one also what its base64 says.
func credentialsIn(name, value string) []string {
	scheme, rest, _ := strings.Cut(value, " ")
	rest = strings.TrimSpace(rest)
	switch strings.ToLower(scheme) {
	case "bearer", "token":
		return []string{rest}
	case "basic":
		account, _ := base64.StdEncoding.DecodeString(rest) // what cannot be read is not repeated either
		return []string{rest, string(account)}
	}
	if slices.Contains(forCredentials, http.CanonicalHeaderKey(name)) {
		return []string{value}
	}
	return nil
}

// with is the mask for those of the config and of an authority. It is made again only when the latter have
// changed.
func (s *secrets) with(own []string) *secret.Mask {
	have := s.mask.Load()
	if !slices.Equal(have.by, own) {
		have = &renewed{own, secret.NewMask(slices.Concat(s.credentials, own), s.others)}
		s.mask.Store(have)
	}
	return have.mask
}

// Secrets is what must not leave Weir in the texts of this provider's upstream: credentials, the config's headers and the
// upstream's address.
func (p *Provider) Secrets() *secret.Mask {
	if p.authority == nil {
		return p.secrets.with(nil)
	}
	return p.secrets.with(p.authority.Private())
}
