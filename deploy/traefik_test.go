package deploy

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"
)

// traefik has what Traefik 3 takes in a file of its file provider, of what the example could use: the members, types and required members of
// https://www.schemastore.org/traefik-v3-file-provider.json. Traefik itself is not run here: it takes too long to compile.
type traefik struct {
	HTTP struct {
		Routers  map[string]traefikRouter
		Services map[string]struct {
			LoadBalancer *traefikServers `yaml:"loadBalancer"`
		}
	}
}

type traefikRouter struct {
	EntryPoints []string `yaml:"entryPoints"`
	Rule        string
	RuleSyntax  string `yaml:"ruleSyntax"`
	Priority    uint
	Middlewares []string
	Service     string
	TLS         *struct {
		Options      string
		CertResolver string `yaml:"certResolver"`
		Domains      []struct {
			Main string
			SANs []string
		}
	}
}

type traefikServers struct {
	Servers            []struct{ URL string }
	Sticky             *struct{ Cookie map[string]yaml.Node }
	HealthCheck        *traefikHealth   `yaml:"healthCheck"`
	PassHostHeader     *bool            `yaml:"passHostHeader"`
	ResponseForwarding *traefikFlushing `yaml:"responseForwarding"`
	ServersTransport   string           `yaml:"serversTransport"`
}

type traefikHealth struct {
	Method, Path, Scheme, Hostname string
	Port                           int
	Interval, Timeout              time.Duration
	Headers                        map[string]string
	FollowRedirects                *bool `yaml:"followRedirects"`
}

type traefikFlushing struct {
	FlushInterval string `yaml:"flushInterval"`
}

var hostRule = regexp.MustCompile("^Host\\(`[a-z0-9.-]+`\\)$")

// traefikFaults is what is wrong with a file for Traefik, nil if nothing is.
func traefikFaults(text string) error {
	var file traefik
	decoder := yaml.NewDecoder(strings.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		return err
	}
	var all []error
	fault := func(wrong bool, format string, args ...any) {
		if wrong {
			all = append(all, fmt.Errorf(format, args...))
		}
	}
	fault(len(file.HTTP.Routers) == 0, "it has no router")
	for name, r := range file.HTTP.Routers {
		fault(!hostRule.MatchString(r.Rule), "the rule of %s is %s", name, r.Rule)
		fault(file.HTTP.Services[r.Service].LoadBalancer == nil, "%s leads to the service %s, which does not exist", name, r.Service)
		fault(r.TLS == nil || len(r.Middlewares) > 0 || !slices.Equal(r.EntryPoints, []string{"websecure"}), "%s is not what the guide says of it: %+v", name, r)
	}
	for name, s := range file.HTTP.Services {
		if s.LoadBalancer == nil || s.LoadBalancer.HealthCheck == nil {
			fault(true, "%s balances nothing, or looks at no server's health", name)
			continue
		}
		h := s.LoadBalancer.HealthCheck
		fault(h.Path != "/readyz" || h.Interval != 2*time.Second || h.Timeout <= 0 || h.Timeout > h.Interval, "%s looks at the health as %+v", name, *h)
		fault(len(s.LoadBalancer.Servers) != 2, "%s has %d servers", name, len(s.LoadBalancer.Servers))
		for _, one := range s.LoadBalancer.Servers {
			at, err := url.Parse(one.URL)
			fault(err != nil || at.Scheme != "http" || at.Port() != "8930" || at.Path != "", "%s has the server %s: %v", name, one.URL, err)
		}
	}
	return errors.Join(all...)
}

// TestTraefiksFile holds the file to what Traefik takes, and to what the guide says of it.
func TestTraefiksFile(t *testing.T) {
	t.Parallel()
	text := read(t, "balancers/traefik.yaml")
	if err := traefikFaults(text); err != nil {
		t.Error(err)
	}
	for old, wrong := range map[string]string{
		"loadBalancer:": "loadbalancer:", "healthCheck:": "healthcheck:", "interval: 2s": "interval: 2", "service: weir": "service: wier", "Host(`": "Host('", "url:": "uri:", ":8930": ":8931/v1",
	} {
		if !strings.Contains(text, old) {
			t.Errorf("the file has no %s", old)
		} else if traefikFaults(strings.Replace(text, old, wrong, 1)) == nil {
			t.Errorf("%s is let through", wrong)
		}
	}
}
