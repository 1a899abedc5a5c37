package config

import "github.com/weirproxy/weir/internal/secret"

// Admin is the listener for administration.
type Admin struct {
	// The address of the admin API and of /metrics: host:port, or {addr, tls: {cert, key}}. Anything but
	// a loopback address needs tls (see `insecure`). A change needs a restart. Default `127.0.0.1:8931`.
	Listen Listener `yaml:"listen"`

	// The bearer token that the admin API asks for. Default: one that the first start makes and keeps in
	// admin.token in the data folder. Example: `"${WEIR_ADMIN_TOKEN}"`.
	Token secret.Text `yaml:"token"`

	// The URL at which other machines call the admin listener. Requests must name this host, a loopback name, or the address
	// listened on; others are refused, because a web page could make its own name resolve to this address. A listener on all
	// interfaces accepts every address. A change needs a restart. Example: `https://weir-admin.example.com`.
	URL string `yaml:"url"`

	// Allow an admin listener without TLS on an address that is not loopback, because something else
	// protects it. The token then crosses that network in clear. Default `false`.
	Insecure bool `yaml:"insecure"`

	// From where the token logs a browser in to the console, for an hour. `loopback`: from the machine that Weir runs on, by a loopback
	// name and through no proxy. `always`: from wherever the admin listener is reached. `never`: from nowhere. As a bearer token it works
	// in any case. A change needs a restart. Default `loopback`.
	TokenLogin TokenLogin `yaml:"token_login"`
}

// TokenLogin is from where the admin token logs a browser in.
type TokenLogin string

// From where it does.
const (
	TokenLoginLoopback TokenLogin = "loopback"
	TokenLoginAlways   TokenLogin = "always"
	TokenLoginNever    TokenLogin = "never"
)

var tokenLogins = [...]TokenLogin{TokenLoginLoopback, TokenLoginAlways, TokenLoginNever}

// UnmarshalText accepts the values there are.
func (t *TokenLogin) UnmarshalText(text []byte) error { return word(t, text, tokenLogins[:]) }

// warnLogin reports what says how to log in to a console that is not there, and a console that no browser can be logged in to.
func (d *decoder) warnLogin(c *Config) {
	switch login := &c.Admin.TokenLogin; {
	case !c.Console && d.given(login):
		d.warnf(d.where(login), "token_login has no effect, because console: false leaves nothing to log in to: remove one of them")
	case c.Console && *login == TokenLoginNever:
		d.warnf(d.where(login), "token_login: never leaves no way to log in to the console: write console: false, too, or give token_login another value")
	}
}
