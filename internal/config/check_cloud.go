package config

import "strings"

// checkCloud reports what a kind's cloud does not have or cannot do without, and two ways to sign in at once.
func (d *decoder) checkCloud(p *Provider, kind Kind) {
	keys := d.present(&p.APIKey) || d.present(&p.APIKeys)
	for _, member := range []struct {
		name   string
		value  any
		of     Cloud
		signIn bool
	}{
		{"aws", &p.AWS, AWSCloud, true},
		{"entra", &p.Entra, EntraCloud, true},
		{"credentials_file", &p.CredentialsFile, GoogleCloud, true},
		{"project", &p.Project, GoogleCloud, false},
	} {
		switch {
		case !d.present(member.value):
		case member.of != kind.Cloud:
			d.errorf(d.name(member.value), "kind %s has no %s: remove it", p.Kind, member.name)
		case member.signIn && keys:
			d.errorf(d.name(member.value), "both a key and %s are set: use one of them", member.name)
		case member.signIn && hasAuthorization(p):
			d.errorf(d.name(member.value), "both the header Authorization and %s are set: use one of them", member.name)
		}
	}
	switch {
	case kind.Cloud == AWSCloud:
		d.checkAWS(p)
	case kind.Cloud == GoogleCloud:
		d.checkGoogle(p)
	case kind.Cloud == EntraCloud && p.Entra != nil && d.usable(&p.Entra):
		d.checkEntra(p.Entra)
	}
}

func (d *decoder) checkGoogle(p *Provider) {
	if d.present(&p.APIKey) || d.present(&p.APIKeys) {
		d.errorf(d.name(p), "provider %q has an api_key, which kind %s does not take: remove it, and set credentials_file, or give the process an identity of Google", p.Name, p.Kind)
	}
	switch {
	case !d.present(&p.Project):
		d.errorf(d.name(p), "provider %q lacks project, which is part of its address: add it", p.Name)
	case d.given(&p.Project) && !projectName(p.Project):
		d.errorf(d.where(&p.Project), "project %s must be the id or the number of a project", d.quote(&p.Project, p.Project))
	}
	if d.given(&p.CredentialsFile) {
		name := d.quote(&p.CredentialsFile, p.CredentialsFile)
		p.CredentialsFile = d.path(p.CredentialsFile)
		if d.loader.WithoutSecrets {
			return
		}
		if _, err := d.read(p.CredentialsFile); err != nil {
			d.errorf(d.where(&p.CredentialsFile), "cannot read credentials_file %s: %v", name, err)
		}
	}
}

// projectName reports whether s can be the name of a project: those of domains have a colon.
func projectName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("-.:", r)
	}) && !strings.HasPrefix(s, ".")
}

func (d *decoder) checkAWS(p *Provider) {
	a := &p.AWS
	id, key := d.present(&a.AccessKeyID), d.present(&a.SecretAccessKey)
	if d.present(a) && d.present(&p.BaseURL) && !d.present(&p.Region) {
		d.errorf(d.name(a), "calls are signed for a region: add region, as region: eu-central-1")
	}
	switch {
	case id && !key:
		d.errorf(d.name(&a.AccessKeyID), "access_key_id is set without secret_access_key: add it")
	case key && !id:
		d.errorf(d.name(&a.SecretAccessKey), "secret_access_key is set without access_key_id: add it")
	case d.present(&a.SessionToken) && !id:
		d.errorf(d.name(&a.SessionToken), "session_token is set without access_key_id: add it, or remove the line")
	case d.present(&a.Profile) && id:
		d.errorf(d.name(&a.Profile), "both access_key_id and profile are set: use one of them")
	}
	if d.given(&a.SessionToken) && !headerValue(a.SessionToken) {
		d.errorf(d.where(&a.SessionToken), "session_token holds a line break or another control character: check where it comes from")
	}
	if d.given(&a.AccessKeyID) && !headerValue(a.AccessKeyID) {
		d.errorf(d.where(&a.AccessKeyID), "access_key_id holds a line break or another control character: check where it comes from")
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
	return kind.Cloud == AWSCloud || kind.Cloud == GoogleCloud || kind.Cloud == EntraCloud && d.present(&p.Entra)
}
