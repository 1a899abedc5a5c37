package provider

import (
	"crypto/tls"
	"errors"
	"net"
	"strings"
)

// mostSaid is how much of an error is worth keeping.
const mostSaid = 1000

// Wordless keeps what an upstream sent out of an error about it, of a call or of reading its answer. net/http quotes
// what it cannot read. That may be a piece of an answer, of any length, and must not be in a log.
func Wordless(err error) error {
	var (
		unsent      *ConnectError
		network     net.Error
		certificate *tls.CertificateVerificationError
		credential  *CredentialError
	)
	if text := err.Error(); len(text) > mostSaid { // a certificate has names of any length
		return errors.New(strings.ToValidUTF8(text[:mostSaid], "") + "…")
	}
	if errors.As(err, &unsent) || errors.As(err, &network) || errors.As(err, &certificate) || errors.As(err, &credential) {
		return err
	}
	text := err.Error()
	for _, sign := range [...]string{`"`, "line: "} {
		if before, _, found := strings.Cut(text, sign); found {
			text = strings.TrimSpace(before) + " …"
		}
	}
	if text == err.Error() {
		return err
	}
	return errors.New(text)
}
