package config

import (
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/weirproxy/weir/internal/secret"
)

// Alerts tell a receiver that a share of a budget is spent: those of `warn`, and all of it.
type Alerts struct {
	// The http or https URL that a webhook is POSTed to. It may lead anywhere but to link-local addresses and to the metadata services of
	// clouds. Absent means no alerts. Example: `https://ops.example.com/weir`.
	URL string `yaml:"url" settings:"hidden"`

	// What signs the webhooks, as Standard Webhooks has it: 24 to 64 bytes in base64, with or without `whsec_` before it. `openssl rand
	// -base64 32` makes one. Needed with `url`. Example: `"${WEIR_ALERTS_SECRET}"`.
	Secret secret.Text `yaml:"secret"`
}

// Key is what the secret spells, nil if it spells no key.
func (a *Alerts) Key() []byte {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(a.Secret.Reveal(), "whsec_"))
	if err != nil || len(key) < leastKey || len(key) > mostKey {
		return nil
	}
	return key
}

// How long a key that signs webhooks may be, in bytes.
const (
	leastKey = 24
	mostKey  = 64
)

func (d *decoder) checkAlerts(a *Alerts) {
	if d.given(&a.URL) {
		if problem := receiverURL(a.URL, "https://ops.example.com/weir", "the signature shows that Weir sends"); problem != "" {
			d.errorf(d.where(&a.URL), "url %s", problem) // it may hold a credential
		}
	}
	switch {
	case d.given(&a.Secret) && a.Key() == nil:
		d.errorf(d.where(&a.Secret), "secret must be 24 to 64 bytes in base64, with or without whsec_ before it; openssl rand -base64 32 makes one")
	case d.present(&a.URL) && !d.present(&a.Secret):
		d.errorf(d.name(&a.URL), "alerts are signed: give them a secret, such as \"${WEIR_ALERTS_SECRET}\" (openssl rand -base64 32 makes one)")
	case d.present(&a.Secret) && !d.present(&a.URL):
		d.errorf(d.name(&a.Secret), "alerts have no url: add one, such as https://ops.example.com/weir, or remove secret")
	}
}

// receiverURL says what is wrong with the URL of a receiver, "" if nothing is. instead says what there is in place of a password in it.
func receiverURL(text, example, instead string) string {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return "must be a full http or https URL such as " + example
	case linkLocal(u.Hostname()):
		return "is a link-local address, where machines hand out credentials: Weir never connects there"
	case u.User != nil:
		return "must not hold a user and a password: " + instead
	case u.Fragment != "" || strings.Contains(text, "#"):
		return "must not have a fragment"
	}
	return ""
}
