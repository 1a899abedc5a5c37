package provider

import (
	"slices"
	"sync/atomic"

	"github.com/weirproxy/weir/internal/secret"
)

// secrets are what must not leave Weir in the texts of an upstream. Those of the config stay; those of an authority are renewed.
type secrets struct {
	credentials, others []string // of the config
	mask                atomic.Pointer[renewed]
}

// renewed is a mask with what an authority gave for it.
type renewed struct {
	by   []string
	mask *secret.Mask
}

// fixed sets those of the config: credentials, headers, whose values may be credentials, and the upstream's address.
func (s *secrets) fixed(credentials []secret.Text, headers map[string]secret.Text, host string) {
	for _, c := range credentials {
		s.credentials = append(s.credentials, c.Reveal())
	}
	s.others = []string{host}
	for _, value := range headers {
		s.others = append(s.others, value.Reveal())
	}
	s.mask.Store(&renewed{nil, secret.NewMask(s.credentials, s.others)})
}

// with is the mask for those of the config and of an authority. It is made anew only when the latter have changed.
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
