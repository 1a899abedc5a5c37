package provider

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/weirproxy/weir/internal/dialect/refusal"
)

// judge says what the answer to a question for the list of models means.
func (p *Provider) judge(a asked) Finding {
	get := "GET " + p.modelsURL().Path
	answered := fmt.Sprintf("%s answered %d", get, a.status)
	keyless := p.keyless()
	finding := func(v Verdict, found, advice string) Finding {
		return Finding{Verdict: v, Found: found, Advice: advice}
	}
	switch {
	case a.err != nil:
		return finding(Bad, get+" got no answer: "+cause(a.err).Error(), "check base_url, and try again later")
	case a.status == http.StatusOK && a.badList != nil:
		return finding(Bad, get+" answered something that is no list of models", p.checkRoot())
	case a.status == http.StatusOK:
		return finding(Good, fmt.Sprintf("lists %d models", a.models), "")
	case keyless && (a.status == http.StatusUnauthorized || a.status == http.StatusForbidden):
		return finding(Bad, "asks for a credential: "+answered, "set api_key for this provider")
	case a.status == http.StatusUnauthorized || a.badKey:
		return finding(Bad, "is refused: "+answered, "replace it: it is mistyped, revoked, expired or another provider's")
	case a.status == http.StatusForbidden:
		return finding(Bad, "is refused: "+answered, "replace it, or, if it is restricted on purpose, allow it to list models")
	case a.status == http.StatusPaymentRequired:
		return finding(Bad, "has no credit left: "+answered, "add credit to the account")
	case a.status == http.StatusTooManyRequests:
		return finding(Unknown, "is at its rate limit: "+answered, "try again in a minute")
	case a.status == http.StatusNotFound || a.status == http.StatusMethodNotAllowed || a.status/100 == 3:
		return finding(Unknown, "cannot be tried: "+answered, p.checkRoot()+"; a server without a list of models answers so, too")
	case a.status >= http.StatusInternalServerError:
		return finding(Bad, answered, "the provider is in trouble: see its status page, and try again later")
	default:
		return finding(Bad, answered, "check base_url, headers and the credential")
	}
}

// checkRoot is the advice where the API is not found at base_url.
func (p *Provider) checkRoot() string {
	advice := "check that base_url is the root of the API"
	if version := p.LacksVersion(); version != "" {
		advice += ": does it lack " + version + "?"
	}
	return advice
}

// badKeyIn reports whether a 400 is how this kind says that it does not know the credential.
func (p *Provider) badKeyIn(resp *http.Response) bool {
	if decompress(resp) != nil {
		return false
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if err != nil {
		return false
	}
	e := refusal.Parse(body)
	return e.KeyRefused || p.BadKey(e.Message)
}

// expiresSoon is how long before its end a certificate is worth a warning: those renewed by machines are renewed earlier.
const expiresSoon = 14 * 24 * time.Hour

// judgeCertificate is about the certificate of a handshake that succeeded.
func judgeCertificate(c *x509.Certificate, now time.Time) Finding {
	until := "the certificate is good until " + c.NotAfter.UTC().Format(time.DateOnly)
	if left := c.NotAfter.Sub(now); left < expiresSoon {
		return Finding{
			Step: StepTLS, Verdict: Warning, Found: fmt.Sprintf("%s, %d more days", until, int(left/(24*time.Hour))),
			Advice: "have the operator of that server renew it before then",
		}
	}
	return Finding{Step: StepTLS, Verdict: Good, Found: until}
}

// judgeHandshake says why a handshake has failed.
func judgeHandshake(err error, now time.Time) Finding {
	finding := func(found, advice string) Finding {
		return Finding{Step: StepTLS, Verdict: Bad, Found: found, Advice: advice}
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
		return finding("the handshake failed: "+cause(Wordless(err)).Error(), "check base_url, and that the server speaks TLS 1.2 or later")
	}
}
