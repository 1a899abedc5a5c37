package config

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// maxName bounds the names of providers, models and keys, in bytes.
const maxName = 256

// minAnswer is the smallest allowed limit: below it, errors would be reported as too large.
const minAnswer = 64 << 10

// maxWait is the longest that a request may wait for a place.
const maxWait = Duration(time.Minute)

// maxDepth is the deepest nesting that the JSON parser follows.
const maxDepth = 10_000

// check reports what is wrong with values that could be read, fills in what depends on others, and makes
// paths absolute.
func (d *decoder) check(c *Config) {
	d.checkListeners(c)
	d.checkAdminURL(&c.Admin)
	d.checkStorage(c)
	d.checkLimits(&c.Limits)
	d.checkResponses(&c.Responses)
	d.checkLedger(c)
	d.checkAlerts(&c.Alerts)
	d.checkTraces(&c.Traces)
	d.checkSecrets(&c.Secrets)
	for i := range c.CORS.Origins {
		if origin := &c.CORS.Origins[i]; d.usable(origin) {
			if err := checkOrigin(*origin); err != nil {
				d.errorf(d.where(origin), "origin %s %v", d.quote(origin, *origin), err)
			}
		}
	}
	d.checkProviders(c.Providers)
	d.checkModels(c)
	d.checkKeys(c)
}

func (d *decoder) checkListeners(c *Config) {
	good := true
	listeners := []*Listener{&c.Listen, &c.Admin.Listen}
	if d.usable(&c.Metrics.Listen) && c.Metrics.Listen != nil {
		listeners = append(listeners, c.Metrics.Listen)
	}
	for _, l := range listeners {
		if !d.usable(l) || !d.usable(&l.Addr) {
			good = false
			continue
		}
		if err := checkAddr(l.Addr); err != nil {
			good = false
			d.errorf(d.where(&l.Addr, l), "%s %v", d.quote(&l.Addr, l.Addr), err)
		}
		if l.TLS != nil && d.usable(&l.TLS) && d.usable(l.TLS) {
			d.checkTLS(l.TLS)
		}
	}
	if !good || !d.usable(&c.Admin.Insecure) {
		return
	}
	if err := checkExposure(c.Admin); err != nil {
		d.errorf(d.where(&c.Admin.Listen.Addr, &c.Admin.Listen), "%s %v", d.quote(&c.Admin.Listen.Addr, c.Admin.Listen.Addr), err)
	}
	if err := checkFigures(c.Metrics); err != nil && d.usable(&c.Metrics.Token) {
		d.errorf(d.where(&c.Metrics.Listen.Addr, c.Metrics.Listen), "%s %v", d.quote(&c.Metrics.Listen.Addr, c.Metrics.Listen.Addr), err)
	}
	if err := checkDistinct(c); err != nil {
		at := d.where(&c.Admin.Listen.Addr, &c.Admin.Listen, &c.Listen.Addr, &c.Listen)
		if m := c.Metrics.Listen; m != nil && (m.Addr == c.Listen.Addr || m.Addr == c.Admin.Listen.Addr) {
			at = d.where(&m.Addr, m)
		}
		d.errorf(at, "%v", err)
	}
}

// checkAdminURL accepts scheme, host and port.
func (d *decoder) checkAdminURL(a *Admin) {
	if !d.given(&a.URL) {
		return
	}
	u, err := url.Parse(a.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		d.errorf(d.where(&a.URL), "url must be scheme://host or scheme://host:port, such as https://weir-admin.example.com") // it may hold a password
	}
}

// checkAddr accepts host:port with a numeric port.
func checkAddr(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return errors.New("must be host:port, such as 127.0.0.1:8930, or :8930 for all interfaces")
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || strconv.FormatUint(n, 10) != port {
		return errors.New("must have a number from 0 to 65535 as its port")
	}
	if strings.ContainsFunc(host, func(r rune) bool { return unicode.IsSpace(r) || r == '/' || !unicode.IsPrint(r) }) {
		return errors.New("must have a name or an IP address as its host, without scheme and path")
	}
	return nil
}

// checkExposure refuses an admin listener that sends its token in clear over a network.
func checkExposure(a Admin) error {
	if a.Insecure || a.Listen.TLS != nil || loopback(a.Listen.Addr) {
		return nil
	}
	return errors.New("is not loopback, and the admin listener has no TLS: give it {addr, tls: {cert, key}}, or set insecure: true under admin if something else protects it")
}

func loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// checkFigures refuses a metrics listener to which scrapers would send the admin token in clear over a network.
func checkFigures(m Metrics) error {
	if m.Listen == nil || !m.Token || m.Listen.TLS != nil || loopback(m.Listen.Addr) {
		return nil
	}
	return errors.New("is not loopback and has no TLS, so token: true makes scrapers send the admin token in clear: give it {addr, tls: {cert, key}}, or remove token")
}

// checkDistinct refuses one address for two listeners.
func checkDistinct(c *Config) error {
	listeners := []struct{ name, addr string }{{"listen", c.Listen.Addr}, {"admin.listen", c.Admin.Listen.Addr}}
	if c.Metrics.Listen != nil {
		listeners = append(listeners, struct{ name, addr string }{"metrics.listen", c.Metrics.Listen.Addr})
	}
	for i, one := range listeners {
		for _, other := range listeners[:i] {
			if one.addr == other.addr && !strings.HasSuffix(one.addr, ":0") {
				return fmt.Errorf("%s and %s are the same address: give them different ports", other.name, one.name)
			}
		}
	}
	return nil
}

// checkTLS makes the paths absolute and proves that the files are a certificate and its key.
func (d *decoder) checkTLS(t *TLS) {
	if !d.usable(&t.Cert) || !d.usable(&t.Key) {
		return
	}
	certName, keyName := d.quote(&t.Cert, t.Cert), d.quote(&t.Key, t.Key)
	t.Cert, t.Key = d.path(t.Cert), d.path(t.Key)
	if d.loader.WithoutSecrets {
		return
	}
	cert, certErr := d.read(t.Cert)
	if certErr != nil {
		d.errorf(d.where(&t.Cert), "cannot read the certificate %s: %v", certName, certErr)
	}
	key, keyErr := d.read(t.Key)
	if keyErr != nil {
		d.errorf(d.where(&t.Key), "cannot read the private key %s: %v", keyName, keyErr)
	}
	if certErr != nil || keyErr != nil {
		return
	}
	if _, err := tls.X509KeyPair(cert, key); err != nil {
		d.errorf(d.where(&t.Cert), "%s and %s are not a certificate and its private key, PEM: %s", certName, keyName, strings.TrimPrefix(err.Error(), "tls: "))
	}
}

func (d *decoder) checkLimits(l *Limits) {
	if d.usable(&l.Body) && l.Body < 1 {
		d.errorf(d.where(&l.Body), "body must be at least 1 byte, such as 64MiB")
	}
	if d.usable(&l.Answer) && l.Answer < minAnswer {
		d.errorf(d.where(&l.Answer), "answer must be at least 64KiB, such as 10MiB")
	}
	if d.usable(&l.Connections) && l.Connections < 1 {
		d.errorf(d.where(&l.Connections), "connections must be at least 1")
	}
	d.checkPlaces("requests", &l.Requests)
	if d.usable(&l.Wait) && l.Wait > maxWait {
		d.errorf(d.where(&l.Wait), "wait must be at most %v: a client that would wait longer should retry instead", time.Duration(maxWait))
	}
	if d.usable(&l.Depth) && (l.Depth < 1 || l.Depth > maxDepth) {
		d.errorf(d.where(&l.Depth), "depth must be from 1 to %d", maxDepth)
	}
}

// minSecret is how long a secret must be, in bytes: shorter ones can be guessed.
const minSecret = 32

func (d *decoder) checkResponses(r *Responses) {
	switch {
	case !d.usable(&r.Keep) || !d.usable(&r.Secret):
	case r.Keep > 0 && r.Secret.IsZero():
		d.errorf(d.where(&r.Keep), "responses are kept sealed: give them a secret, such as \"${WEIR_RESPONSES_SECRET}\" (openssl rand -base64 32 makes one)")
	case !r.Secret.IsZero() && len(r.Secret.Reveal()) < minSecret:
		d.errorf(d.where(&r.Secret), "secret must have at least %d characters; openssl rand -base64 32 makes one", minSecret)
	}
	if d.usable(&r.Max) && r.Max < 1 {
		d.errorf(d.where(&r.Max), "max must be at least 1 byte, such as 1MiB")
	}
	if d.usable(&r.Max) && d.usable(&r.PerKey) && r.PerKey < r.Max {
		d.errorf(d.where(&r.PerKey, &r.Max), "per_key must be at least max, so that one answer fits")
	}
	if d.usable(&r.PerKey) && d.usable(&r.Total) && r.Total < r.PerKey {
		d.errorf(d.where(&r.Total, &r.PerKey), "total must be at least per_key")
	}
}

// checkPlaces checks how many requests may be somewhere at once.
func (d *decoder) checkPlaces(name string, n *int) {
	if d.given(n) && *n < 1 {
		d.errorf(d.where(n), "%s must be at least 1; remove the line for the default", name)
	}
}

// checkOrigin accepts what browsers send as Origin, and *.
func checkOrigin(origin string) error {
	if origin == "*" {
		return nil
	}
	u, err := url.Parse(origin)
	if err != nil || u.Scheme == "" || u.Host == "" || u.User != nil || strings.Contains(u.Host, "*") {
		return errors.New("must be scheme://host or scheme://host:port, or \"*\" for all")
	}
	if origin != strings.ToLower(u.Scheme+"://"+u.Host) {
		return errors.New("must be written as browsers send it: in lower case, without path and trailing slash")
	}
	return nil
}

// checkName accepts the names of providers, models and keys.
func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("must not be empty")
	case len(name) > maxName:
		return fmt.Errorf("is longer than %d bytes", maxName)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || unicode.IsSpace(r) }):
		return errors.New("must be printable characters without spaces")
	}
	return nil
}

// checkAuthorities proves that a file holds certificates.
func (d *decoder) checkAuthorities(file *string) {
	if !d.given(file) {
		return
	}
	name := d.quote(file, *file)
	*file = d.path(*file)
	if d.loader.WithoutSecrets {
		return
	}
	if problem := d.badAuthorities(*file); problem != "" {
		d.errorf(d.where(file), "ca_file %s %s", name, problem)
	}
}

// badAuthorities says what is wrong with a file of certificate authorities, "" if nothing is.
func (d *decoder) badAuthorities(file string) string {
	data, err := d.read(file)
	switch {
	case err != nil:
		return "cannot be read: " + err.Error()
	case !x509.NewCertPool().AppendCertsFromPEM(data):
		return "holds no certificate in PEM"
	}
	return ""
}
