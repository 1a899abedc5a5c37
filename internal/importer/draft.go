package importer

import (
	"fmt"
	"strings"

	"github.com/weirproxy/weir/internal/auth"
)

// Text is a value as Weir's config spells it: ${NAME} is put in when it is read, and $$ is a dollar.
type Text string

// Literal is a value that means itself.
func Literal(s string) Text { return Text(strings.ReplaceAll(s, "$", "$$")) }

// Variable is the value of a variable of the environment.
func Variable(name string) Text { return Text("${" + name + "}") }

// Draft is a config of Weir's that is being made, with the report of how.
type Draft struct {
	From   string // the gateway's name
	File   string // the source
	Report *Report

	Known func(kind, model string) bool // reports whether Weir knows anything of a kind's model

	AdminToken Text
	Timezone   string
	Requests   int64 // limits.requests, 0 for the default

	Providers []*Provider
	Models    []*Model
	Offers    []Offer

	Accounts Accounts

	providers map[string]*Provider // by identity
	names     names                // of providers
	teamNames names
	keyNames  names
	digests   map[auth.Digest]*Key // keys by what Weir knows them by
	models    map[string]*Model    // by name
	groups    map[string][]string  // names of models, by the name that keys have for all of them
}

// Offer is a setting that is written as a comment, for someone to decide.
type Offer struct {
	Why   string
	Lines []string // YAML
}

// Provider is an upstream account.
type Provider struct {
	Name string
	At   *Node // where the source has it

	Kind            string
	BaseURL         Text
	APIVersion      Text
	Region          Text
	APIKeys         []Text
	Project         Text
	CredentialsFile Text
	Proxy           Text
	Concurrent      int64
	AWS             []Setting // of aws:
	Entra           []Setting // of entra:
	SignsIn         bool      // entra: {} is meant if Entra is empty
	Headers         []Setting
	ForwardHeaders  []string
}

// Setting is a name with a value.
type Setting struct {
	Name  string
	Value Text
}

// Model is a logical model.
type Model struct {
	Name      string
	At        *Node
	Policy    string // "" for ordered
	Targets   []*Target
	Fallbacks Fallbacks
	Attempts  int64  // retries.max_attempts, 0 for the default
	Total     string // timeouts.total
	First     string // timeouts.first_token
}

// Fallbacks are the models that a model falls back on.
type Fallbacks struct {
	On []string // "error", "rate_limit", "context", "content_filter"
	To []string
}

// Target is what serves a model.
type Target struct {
	At       *Node
	Provider *Provider
	Model    string
	Like     string
	Weight   int64
	RPM, TPM int64
	Places   int64     // concurrent
	Price    []Setting // of price:
	Default  []JSON    // of params.default
	Set      []JSON    // of params.set
	Omit     []string  // params.omit
	Takes    []JSON    // of capabilities:
}

// JSON is a name with a value of any kind.
type JSON struct{ Name, Value string }

// Provider returns the provider that is like p but for its name. If it is missing, Provider adds p, under its name or that with a number.
func (d *Draft) Provider(p Provider) *Provider {
	identity := p.identity()
	if other := d.providers[identity]; other != nil {
		return other
	}
	if d.providers == nil {
		d.providers = map[string]*Provider{}
	}
	p.Name = d.names.take(providerName(p.Name), "-")
	d.providers[identity] = &p
	d.Providers = append(d.Providers, &p)
	return &p
}

// identity is all that makes a provider another one.
func (p *Provider) identity() string {
	return strings.Join(p.lines(), "\n")
}

// providerName is a name that a provider may have.
func providerName(name string) string {
	return strings.NewReplacer("/", "-", "*", "-", " ", "-").Replace(name)
}

// Add adds a model, whose name must be new.
func (d *Draft) Add(m *Model) {
	if d.models == nil {
		d.models = map[string]*Model{}
	}
	d.models[m.Name] = m
	d.Models = append(d.Models, m)
}

// addKey adds a key, unless one with the same secret is there: that is other then.
func (d *Draft) addKey(k *Key) (other *Key) {
	if other = d.digests[k.Digest]; other != nil {
		return other
	}
	if d.digests == nil {
		d.digests = map[auth.Digest]*Key{}
	}
	d.digests[k.Digest] = k
	d.Accounts.Keys = append(d.Accounts.Keys, k)
	return nil
}

// sameSecret says of a key that it was left out because of another.
func sameSecret(other *Key) string {
	return fmt.Sprintf("left out: it has the same secret as the key %s, which is in the result", other.Name)
}

// Model is the logical model of that name, nil if it is missing.
func (d *Draft) Model(name string) *Model { return d.models[name] }

// Serves is the model that serves a name: an exact one, else the longest pattern; nil for none.
func (d *Draft) Serves(name string) *Model {
	if m := d.models[name]; m != nil {
		return m
	}
	for end := len(name); end >= 0; end-- {
		if m := d.models[name[:end]+"*"]; m != nil {
			return m
		}
	}
	return nil
}

// names are those that are taken, with the number that the next equal one may get: of many equal ones the last is found as fast as the first.
type names struct{ next map[string]int64 }

// has reports whether a name is taken.
func (n *names) has(name string) bool { return n.next[name] > 0 }

// take takes a name, or the name with the first number from 2 on that is not taken. mark goes before the number.
func (n *names) take(name, mark string) string {
	if n.next == nil {
		n.next = map[string]int64{}
	}
	unused := name
	for n.has(unused) {
		next := max(n.next[name], 2)
		unused, n.next[name] = name+mark+decimal(next), next+1
	}
	n.next[unused] = 1
	return unused
}
