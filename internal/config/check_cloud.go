package config

import (
	"strings"
)

// checkCloud reports what a kind's cloud does not have or cannot do without, and two ways to sign in at once.
func (d *decoder) checkCloud(p *Provider, kind Kind) {
	for _, member := range []struct {
		name  string
		value any
		of    Cloud
	}{
		{"entra", &p.Entra, EntraCloud},
	} {
		switch keys := d.present(&p.APIKey) || d.present(&p.APIKeys); {
		case !d.present(member.value):
		case member.of != kind.Cloud:
			d.errorf(d.name(member.value), "kind %s has no %s: remove it", p.Kind, member.name)
		case keys:
			d.errorf(d.name(member.value), "both a key and %s are set: use one of them", member.name)
		case hasAuthorization(p):
			d.errorf(d.name(member.value), "both the header Authorization and %s are set: use one of them", member.name)
		}
	}
	if kind.Cloud == EntraCloud && p.Entra != nil && d.usable(&p.Entra) {
		d.checkEntra(p.Entra)
	}
}

// hostLike reports whether s is a segment of a path that leads nowhere else.
func hostLike(s string) bool {
	return s != "" && s[0] != '.' && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '.'
	})
}

func (d *decoder) checkEntra(e *Entra) {
	if d.present(&e.ClientSecret) && d.present(&e.TokenFile) {
		d.errorf(d.name(&e.TokenFile), "both client_secret and token_file are set: use one of them")
	}
	if d.given(&e.Tenant) && !hostLike(e.Tenant) {
		d.errorf(d.where(&e.Tenant), "tenant %s must be an id or a domain", d.quote(&e.Tenant, e.Tenant))
	}
	if d.given(&e.ClientID) && !hostLike(e.ClientID) {
		d.errorf(d.where(&e.ClientID), "client_id %s must be the id of an application", d.quote(&e.ClientID, e.ClientID))
	}
	if d.given(&e.TokenFile) { // it need not be there yet, and changes all the time
		e.TokenFile = d.path(e.TokenFile)
	}
	if d.given(&e.Scope) && !strings.HasSuffix(e.Scope, "/.default") {
		d.errorf(d.where(&e.Scope), "scope %s must end in /.default", d.quote(&e.Scope, e.Scope))
	}
}

// cloudInstead reports whether a provider needs no key because it signs in to a cloud.
func (d *decoder) cloudInstead(p *Provider, kind Kind) bool {
	return kind.Cloud == EntraCloud && d.present(&p.Entra)
}
