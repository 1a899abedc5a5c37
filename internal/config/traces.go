package config

import (
	"maps"
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/secret"
)

// Traces says which requests become spans, and which collector of OpenTelemetry they are sent to.
type Traces struct {
	// The http or https URL that spans are POSTed to, in OpenTelemetry's protocol over HTTP, its path included. It may lead anywhere but to
	// link-local addresses and to the metadata services of clouds. Absent means no spans. Example: `http://collector:4318/v1/traces`.
	Endpoint string `yaml:"endpoint" settings:"hidden"`

	// Headers of each POST, such as the collector's credential. Example: `{Authorization: "Bearer ${OTLP_TOKEN}"}`.
	Headers map[string]secret.Text `yaml:"headers"`

	// How much is kept of the requests that nothing is special about and whose caller is in no trace: failed, retried, cut and slow ones
	// are always kept, and of a caller's trace what the caller records. Of requests without a key no more than this is kept. Default `100%`. Example: `5%`.
	Ratio Percent `yaml:"ratio"`

	// From how long on a request is slow, from its arrival to the end of its answer; 0 is never. Default `30s`.
	Slow Duration `yaml:"slow"`

	// What spans say of this Weir in addition to `service.name` (weir), `service.version` and `service.instance.id`, or in place of these.
	// Example: `{service.name: weir-eu, deployment.environment.name: production}`.
	Resource map[string]string `yaml:"resource"`

	// Path of a PEM file with the certificate authorities to trust in place of the system's. Relative to the config file.
	// Example: `./ca.pem`.
	CAFile string `yaml:"ca_file"`
}

// mostResource bounds the attributes of the resource, which each batch of spans repeats.
const mostResource = 32

func (d *decoder) checkTraces(t *Traces) {
	if d.given(&t.Endpoint) {
		if problem := collectorURL(t.Endpoint); problem != "" {
			d.errorf(d.where(&t.Endpoint), "endpoint %s", problem) // it may hold a credential
		}
	}
	t.Headers = d.canonical(&t.Headers, func(string) string { return "" })
	d.checkAuthorities(&t.CAFile)
	if len(t.Resource) > mostResource {
		d.errorf(d.name(&t.Resource), "resource has %d attributes, and may have %d", len(t.Resource), mostResource)
	}
	if _, empty := t.Resource[""]; empty {
		d.errorf(d.name(&t.Resource), "an attribute of resource has no name")
	}
	if d.present(&t.Endpoint) {
		return
	}
	for _, other := range []struct {
		name string
		at   any
	}{{"headers", &t.Headers}, {"ratio", &t.Ratio}, {"slow", &t.Slow}, {"resource", &t.Resource}, {"ca_file", &t.CAFile}} {
		if d.present(other.at) {
			d.errorf(d.name(other.at), "traces have no endpoint: add one, such as http://collector:4318/v1/traces, or remove %s", other.name)
			return
		}
	}
}

// collectorURL says what is wrong with the URL of a collector, "" if nothing is.
func collectorURL(text string) string {
	if problem := receiverURL(text, "http://collector:4318/v1/traces", "write them into headers, as Authorization"); problem != "" {
		return problem
	}
	if u, err := url.Parse(text); err == nil && strings.Trim(u.Path, "/") == "" {
		return "has no path: collectors take spans at /v1/traces"
	}
	return ""
}

// canonical is a map of headers with their names in canonical form, nil if it is empty. also says what else is wrong with a name.
func (d *decoder) canonical(headers *map[string]secret.Text, also func(header string) string) map[string]secret.Text {
	canonical := make(map[string]secret.Text, len(*headers))
	for _, name := range slices.Sorted(maps.Keys(*headers)) {
		id := entry{headers, name}
		header := textproto.CanonicalMIMEHeaderKey(name)
		_, twice := canonical[header]
		switch more := also(header); {
		case !headerName(name):
			d.errorf(d.name(id), "%q cannot be the name of a header", name)
		case reserved(header):
			d.errorf(d.name(id), "header %s is set by Weir itself: remove it", name)
		case more != "":
			d.errorf(d.name(id), "header %s %s", header, more)
		case twice:
			d.errorf(d.name(id), "header %s is here twice, in different case: remove one", name)
		case d.usable(id) && !headerValue((*headers)[name]):
			d.errorf(d.where(id), "header %s holds a line break or another control character", name)
		}
		canonical[header] = (*headers)[name]
		if at, ok := d.at[id]; ok {
			d.at[entry{headers, header}] = at
		}
	}
	if len(canonical) == 0 {
		return nil
	}
	return canonical
}
