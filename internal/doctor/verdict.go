package doctor

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/weirproxy/weir/internal/provider"
)

// judge says what the answer to a question for the list of models means.
func (p *probe) judge(a *asked) Finding {
	get := "GET " + p.ModelsPath()
	answered := fmt.Sprintf("%s answered %d", get, a.Status)
	keyless := p.Keyless()
	finding := func(v Verdict, found, advice string) Finding {
		return Finding{Verdict: v, Found: found, Advice: advice}
	}
	switch {
	case a.err != nil:
		return finding(Bad, get+" got no answer: "+cause(a.err).Error(), "check base_url, and try again later")
	case a.Status == http.StatusOK && a.BadList != nil:
		return finding(Bad, get+" answered something that is no list of models", p.checkRoot())
	case a.Status == http.StatusOK:
		return finding(Good, fmt.Sprintf("lists %d models", a.Models), "")
	case keyless && (a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden):
		return finding(Bad, "asks for a credential: "+answered, "set api_key for this provider")
	case a.Status == http.StatusUnauthorized || a.BadKey:
		return finding(Bad, "is refused: "+answered, "replace it: it is mistyped, revoked, expired or another provider's")
	case a.Status == http.StatusForbidden:
		return finding(Bad, "is refused: "+answered, "replace it, or, if it is restricted on purpose, allow it to list models")
	case a.Status == http.StatusPaymentRequired:
		return finding(Bad, "has no credit left: "+answered, "add credit to the account")
	case a.Status == http.StatusTooManyRequests:
		return finding(Unknown, "is at its rate limit: "+answered, "try again in a minute")
	case a.Status == http.StatusNotFound || a.Status == http.StatusMethodNotAllowed || a.Status/100 == 3:
		return finding(Unknown, "cannot be tried: "+answered, p.checkRoot()+"; a server without a list of models answers so, too")
	case a.Status >= http.StatusInternalServerError:
		return finding(Bad, answered, "the provider is in trouble: see its status page, and try again later")
	default:
		return finding(Bad, answered, "check base_url, headers and the credential")
	}
}

// checkRoot is the advice where the API is not found at base_url.
func (p *probe) checkRoot() string {
	advice := "check that base_url is the root of the API"
	if version := p.LacksVersion(); version != "" {
		advice += ": does it lack " + version + "?"
	}
	return advice
}

// expiresSoon is how long before its end a certificate is worth a warning: those renewed by machines are renewed earlier.
const expiresSoon = 14 * 24 * time.Hour

// judgeCertificate is about the certificate of a handshake that succeeded.
func judgeCertificate(c *x509.Certificate, now time.Time) Finding {
	until := "the certificate is good until " + c.NotAfter.UTC().Format(time.DateOnly)
	if left := c.NotAfter.Sub(now); left < expiresSoon {
		return Finding{
			Step: stepTLS, Verdict: Warning, Found: fmt.Sprintf("%s, %d more days", until, int(left/(24*time.Hour))),
			Advice: "have the operator of that server renew it before then",
		}
	}
	return Finding{Step: stepTLS, Verdict: Good, Found: until}
}

// judgeHandshake says why a handshake has failed.
func judgeHandshake(err error, now time.Time) Finding {
	finding := func(found, advice string) Finding {
		return Finding{Step: stepTLS, Verdict: Bad, Found: found, Advice: advice}
	}
	var (
		invalid x509.CertificateInvalidError
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		record  tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && now.Before(invalid.Cert.NotBefore):
		return finding("the certificate is good only from "+invalid.Cert.NotBefore.UTC().Format(time.DateOnly), "check the clock of this machine")
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return finding("the certificate has expired on "+invalid.Cert.NotAfter.UTC().Format(time.DateOnly), "have the operator of that server renew it, and check the clock of this machine")
	case errors.As(err, &name):
		return finding("the certificate is for another name", "use the name in the certificate as the host of base_url, or have the certificate replaced")
	case errors.As(err, &unknown):
		return finding("the certificate is of an authority that is not trusted", "name a file with that authority's certificate as ca_file; unless you run that server, a third party may be reading along")
	case errors.As(err, &record):
		return finding("what listens there does not speak TLS", "use http:// in base_url if that is meant, or another port")
	default:
		return finding("the handshake failed: "+cause(provider.Wordless(err)).Error(), "check base_url, and that the server speaks TLS 1.2 or later")
	}
}
