package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	neturl "net/url"
	"os"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/config"
)

// healthPatience bounds one health check. Container engines have a bound of their own, often of 30 s, and say nothing then.
const healthPatience = 5 * time.Second

type healthcheckCmd struct {
	Config string `placeholder:"FILE" help:"Config file that names the address. Default: WEIR_CONFIG, else ./weir.yaml if it exists."`
	Listen string `placeholder:"ADDR" help:"The address that weir serve was given by --listen."`
	Ready  bool   `help:"Ask whether it may take traffic (GET /readyz), not only whether it is alive (GET /healthz)."`
}

func (healthcheckCmd) Help() string {
	return `Asks the Weir that listens on the config's address on this machine. The exit status is 0 if it is well and 1 if it is not or does not
answer: a probe for images that have no shell and no curl.

Examples:
  weir healthcheck
  weir healthcheck --ready --config /etc/weir/weir.yaml`
}

// Run prints nothing if all is well.
func (c healthcheckCmd) Run(ctx context.Context, sys *system) error {
	listen, unread := c.listener(sys)
	url, err := localURL("listen", "--listen ADDR", listen)
	if err == nil {
		err = c.ask(ctx, url, listen.TLS)
	}
	if err == nil {
		return nil
	}
	return errors.Join(err, unread) // exit 1, whatever it was: engines know 0 and 1 only
}

// listener is what is to be asked. A running Weir may have started with an earlier version of a config that cannot be read
// now. So that error is reported only if no server answers.
func (c healthcheckCmd) listener(sys *system) (config.Listener, error) {
	loader := configLoader(sys)
	loader.Only = []string{"listen"} // a probe needs no credentials
	cfg, err := loadConfig(loader, c.Config, sys)
	if err != nil {
		plain, parseErr := loader.Parse("-", nil)
		if parseErr != nil {
			return config.Listener{}, errors.Join(err, parseErr)
		}
		if overrideErr := plain.Override(environmentOverrides(sys)); overrideErr != nil {
			return config.Listener{}, errors.Join(err, overrideErr)
		}
		cfg = plain
	}
	cfg.Listen.Addr = cmp.Or(c.Listen, cfg.Listen.Addr)
	var exit *exitError
	if errors.As(err, &exit) {
		err = exit.err
	}
	return cfg.Listen, err
}

// ask returns an error unless the answer is 200.
func (c healthcheckCmd) ask(ctx context.Context, url string, files *config.TLS) error {
	transport := &http.Transport{} // without a proxy: it is this machine that is asked
	if files != nil {
		transport.TLSClientConfig = onlyCertificate(files)
	}
	defer transport.CloseIdleConnections()
	path := "/healthz"
	if c.Ready {
		path = "/readyz"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+path, nil)
	if err != nil {
		return err
	}
	resp, err := (&http.Client{Timeout: healthPatience, Transport: transport}).Do(req)
	if err != nil {
		var asked *neturl.Error
		if errors.As(err, &asked) {
			err = asked.Err // it lacks the address, which is already named
		}
		return fmt.Errorf("no Weir answers at %s: start it with weir serve, or name its address with --listen or --config (%w)", url, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s%s answers %d", url, path, resp.StatusCode)
	}
	return nil
}

// onlyCertificate trusts the listener's own certificate and no other. It is made for the name that callers use, which is not
// that of this machine's loopback, so that names are not compared.
func onlyCertificate(files *config.TLS) *tls.Config {
	return &tls.Config{
		InsecureSkipVerify: true, // the next function verifies
		VerifyConnection: func(state tls.ConnectionState) error {
			text, err := os.ReadFile(files.Cert)
			if err != nil {
				return err
			}
			block, _ := pem.Decode(text)
			own := cmp.Or(block, &pem.Block{}).Bytes
			if !slices.ContainsFunc(state.PeerCertificates, func(c *x509.Certificate) bool { return slices.Equal(c.Raw, own) }) {
				return errors.New("what listens there has another certificate than " + files.Cert)
			}
			return nil
		},
	}
}
