package config

import (
	"net/netip"
	"net/url"
	"time"

	"github.com/weirproxy/weir/internal/secret"
)

// Secrets says how the values are read that `${vault:PATH#FIELD}` and `${exec:COMMAND}` stand for. Its own fields take variables and files
// only.
type Secrets struct {
	// How often these values are read again. If one has changed, the config is reloaded. At least 1s; 0 reads them only with the config.
	// Default `5m`.
	Refresh Duration `yaml:"refresh"`

	// How long one reading of all these values may take: what has not come by then has failed. From 1s to 1m. Default `10s`.
	Timeout Duration `yaml:"timeout"`

	// Where `${vault:…}` is asked for.
	Vault Vault `yaml:"vault"`
}

// Vault is a HashiCorp Vault, or an OpenBao, whose engine for keys and values has version 2. It may be anywhere but at link-local addresses and
// at the metadata services of clouds. A proxy of the environment (HTTPS_PROXY) is used, redirects are not followed.
type Vault struct {
	// Its http or https URL. Default: the variable VAULT_ADDR. Example: `https://vault.example.com:8200`.
	Address string `yaml:"address"`

	// The token to ask with. Weir renews it, if it is renewable. Default: the variable VAULT_TOKEN, unless `kubernetes` is set.
	// Example: `"${file:/run/secrets/vault-token}"`.
	Token secret.Text `yaml:"token"`

	// Log in with the pod's service account, in place of a token.
	Kubernetes *VaultKubernetes `yaml:"kubernetes"`

	// The namespace of Vault Enterprise or of OpenBao. Default: the variable VAULT_NAMESPACE. Example: `team-a`.
	Namespace string `yaml:"namespace"`

	// Path of a PEM file with the certificate authorities to trust in place of the system's. Relative to the config file. Default: the
	// variable VAULT_CACERT. Example: `./vault-ca.pem`.
	CAFile string `yaml:"ca_file"`
}

// VaultKubernetes is a login by Vault's auth method for Kubernetes.
type VaultKubernetes struct {
	// The role of the auth method.
	Role string `yaml:"role" jsonschema:"required" example:"weir"`

	// Where the auth method is mounted. Default `kubernetes`.
	Mount string `yaml:"mount"`

	// Path of the file with the service account's token, which is read at each login. Relative to the config file.
	// Default `/var/run/secrets/kubernetes.io/serviceaccount/token`.
	TokenFile string `yaml:"token_file"`
}

func (k *VaultKubernetes) setDefaults() {
	k.Mount, k.TokenFile = "kubernetes", "/var/run/secrets/kubernetes.io/serviceaccount/token"
}

// Bounds of how secrets are read.
const (
	leastRefresh = Duration(time.Second)
	leastReading = Duration(time.Second)
	mostReading  = Duration(time.Minute)
)

func (d *decoder) checkSecrets(s *Secrets) {
	if d.given(&s.Refresh) && s.Refresh != 0 && s.Refresh < leastRefresh {
		d.errorf(d.where(&s.Refresh), "refresh must be at least %v, or 0s to read secrets only with the config", leastRefresh)
	}
	if d.given(&s.Timeout) && (s.Timeout < leastReading || s.Timeout > mostReading) {
		d.errorf(d.where(&s.Timeout), "timeout must be from %v to %v", leastReading, mostReading)
	}
	v := &s.Vault
	if d.given(&v.Address) {
		if problem := vaultAddress(v.Address); problem != "" {
			d.errorf(d.where(&v.Address), "address %s", problem) // it may hold a password
		}
	}
	if d.given(&v.Token) && !headerValue(v.Token) {
		d.errorf(d.where(&v.Token), "token holds a line break or another control character")
	}
	if d.given(&v.Namespace) && badPath(v.Namespace) {
		d.errorf(d.where(&v.Namespace), "namespace must be a path such as team-a or team-a/models, without a slash at either end")
	}
	d.checkAuthorities(&v.CAFile)
	if v.Kubernetes == nil {
		return
	}
	if d.present(&v.Token) {
		d.errorf(d.name(&v.Token), "vault has both a token and kubernetes: remove one")
	}
	if mount := &v.Kubernetes.Mount; d.usable(mount) && badPath(*mount) {
		d.errorf(d.where(mount), "mount must be a path of Vault such as kubernetes or team-a/kubernetes")
	}
	if d.usable(&v.Kubernetes.TokenFile) {
		v.Kubernetes.TokenFile = d.path(v.Kubernetes.TokenFile)
	}
}

// vaultAddress says what is wrong with the URL of a Vault, "" if nothing is.
func vaultAddress(text string) string {
	problem := receiverURL(text, "https://vault.example.com:8200", "write a token, or kubernetes")
	if u, err := url.Parse(text); problem == "" && (err != nil || u.RawQuery != "" || u.ForceQuery) {
		return "must not have a query"
	}
	return problem
}

// warnVault reports a Vault whose token and secrets cross a network in clear.
func (d *decoder) warnVault(v *Vault) {
	u, err := url.Parse(v.Address)
	if !d.present(&v.Address) || err != nil || u.Scheme != "http" || u.Hostname() == "localhost" {
		return
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil && ip.IsLoopback() {
		return
	}
	d.warnf(d.where(&v.Address), "address is http: the token and the secrets cross the network in clear")
}

// findVault completes where Vault is and how it is logged in to from the usual variables, and reports what is missing at the first place where
// a config refers to it.
func (d *decoder) findVault(v *Vault, first place) {
	get := func(name string) string {
		if d.loader.Env == nil {
			return ""
		}
		value, _ := d.loader.Env(name)
		return value
	}
	if v.Address == "" {
		v.Address = get("VAULT_ADDR")
		if v.Address == "" {
			d.errorf(first, "no Vault is known to ask: set secrets.vault.address, or the variable VAULT_ADDR")
		} else if problem := vaultAddress(v.Address); problem != "" {
			d.errorf(first, "the variable VAULT_ADDR %s", problem)
		}
	}
	if v.Token.IsZero() && v.Kubernetes == nil {
		v.Token = secret.New(get("VAULT_TOKEN"))
		if v.Token.IsZero() {
			d.errorf(first, "no token for Vault: set secrets.vault.token or secrets.vault.kubernetes, or the variable VAULT_TOKEN")
		} else if !headerValue(v.Token) {
			d.errorf(first, "the variable VAULT_TOKEN holds a line break or another control character")
		}
	}
	if v.Namespace == "" {
		v.Namespace = get("VAULT_NAMESPACE")
		if v.Namespace != "" && badPath(v.Namespace) {
			d.errorf(first, "the variable VAULT_NAMESPACE must be a path such as team-a")
		}
	}
	if v.CAFile == "" {
		if v.CAFile = get("VAULT_CACERT"); v.CAFile != "" {
			v.CAFile = d.path(v.CAFile)
			if problem := d.badAuthorities(v.CAFile); problem != "" {
				d.errorf(first, "the file that the variable VAULT_CACERT names %s", problem)
			}
		}
	}
}
