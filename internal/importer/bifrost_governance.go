package importer

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
)

// virtualBegin is how virtual keys begin. Bifrost takes one that does not in x-bf-vk alone.
const virtualBegin = "sk-bf-"

// bifrostGovernance converts virtual keys, teams and customers, with their budgets and limits.
type bifrostGovernance struct {
	*bifrost
	at    *Node
	teams map[string]*Team // by id; of customers by customer/ and the id
	bare  bifrostBare

	bounded map[string][]*Node // budgets and rate limits, by their kind, a field that has an id, and that
	holder  map[*Node]*Node    // the first that has a budget or a rate limit
}

// governance converts the section governance.
func (b *bifrost) governance(n *Node) {
	g := &bifrostGovernance{bifrost: b, at: n, teams: map[string]*Team{}, bare: bifrostBare{legs: map[string][]bifrostChoice{}}, bounded: map[string][]*Node{}, holder: map[*Node]*Node{}}
	g.index()
	for _, team := range n.Get("teams").list() {
		g.team(team)
	}
	keys := n.Get("virtual_keys").list()
	for _, key := range keys {
		g.key(key)
	}
	g.bareModels()
	for _, k := range g.to.Accounts.Keys {
		var left int
		if k.Models, left = patterns(k.Models); left > 0 {
			g.about(n.Get("virtual_keys"), Manual, "the key "+k.Name+": "+tooMany(left))
		}
	}
	if len(keys) > 0 {
		g.about(n.Get("virtual_keys"), Manual, "callers that send a virtual key in x-bf-vk must send it as Authorization: Bearer, x-api-key, api-key or x-goog-api-key, which Bifrost takes as well")
	}
	if slices.ContainsFunc(g.to.Accounts.Keys, inDollars) {
		g.about(n.Get("virtual_keys"), Approximate, "a key with a budget in dollars may use targets whose price Weir knows: set price at the others, or price_unknown at their models")
	}
	g.customers()
	g.leftovers()
}

// inDollars reports whether what a key may spend is bounded, by its own budget or its team's.
func inDollars(k *Key) bool {
	has := func(p *budget.Policy) bool {
		return p != nil && slices.ContainsFunc(p.Budgets, func(s budget.Spec) bool { return s.Unit == budget.Dollars })
	}
	return has(k.Budget) || k.Team != nil && has(k.Team.Budget)
}

// list is the list of that name in the section.
func (g *bifrostGovernance) list(name string) []*Node { return g.at.Get(name).list() }

// team converts a team.
func (g *bifrostGovernance) team(n *Node) {
	t := g.newTeam(n, "team-")
	if id := n.Get("customer_id").Text(); id != "" {
		g.about(n, Manual, fmt.Sprintf("it belongs to the customer %q, whose budget and limits Weir does not share among teams: give each team its part", id))
	}
	g.teams[n.Get("id").Text()] = t
}

// customer is the team that a customer with keys of its own is.
func (g *bifrostGovernance) customer(id string) *Team {
	if t := g.teams["customer/"+id]; t != nil {
		return t
	}
	for _, n := range g.list("customers") {
		if n.Get("id").Text() == id {
			t := g.newTeam(n, "customer-")
			g.teams["customer/"+id] = t
			return t
		}
	}
	return nil
}

// newTeam adds a team to the accounts.
func (g *bifrostGovernance) newTeam(n *Node, begin string) *Team {
	name := word(n.Get("name").Text())
	if name == "" {
		name = begin + word(n.Get("id").Text())
	}
	t := &Team{Name: g.to.teamNames.take(name, "-")}
	bounds := g.bounds(n, strings.TrimSuffix(begin, "-")+"_id")
	t.Limits, t.Budget, t.Spent, t.Longer, t.Ended = bounds.limits, bounds.policy, bounds.spent, bounds.longer, bounds.none
	g.unknown(n, "customer_id", "profile", "config", "claims", "customer", "virtual_keys", "virtual_key_count", "teams", "access_profile")
	g.say(n, Exact, "the team "+t.Name)
	g.to.Accounts.Teams = append(g.to.Accounts.Teams, t)
	return t
}

// key converts a virtual key.
func (g *bifrostGovernance) key(n *Node) {
	digest, why := g.digest(n)
	if why != "" {
		g.say(n, Manual, "left out: "+why)
		return
	}
	name := word(n.Get("name").Text())
	if name == "" {
		name = "key-" + word(n.Get("id").Text())
	}
	k := &Key{Name: g.to.keyNames.take(name, "-"), Digest: digest}
	g.owner(n, k)
	bounds := g.bounds(n, "virtual_key_id")
	k.Limits, k.Budget, k.Spent, k.Longer, k.Ended = bounds.limits, bounds.policy, bounds.spent, bounds.longer, k.Ended || bounds.none
	if active := n.Get("is_active"); active != nil && !truth(active) {
		k.Ended = true
		g.about(n, Approximate, "it is switched off: it is revoked here, which is for good")
	}
	if until, err := momentOf(n.Get("expires_at").Text()); err != nil {
		k.Ended = true
		g.about(n, Manual, "expires_at is no time, so it is revoked: create it again")
	} else {
		k.Expires = until
	}
	g.models(n, k)
	if len(n.Get("mcp_configs").list()) > 0 {
		g.about(n, Unsupported, "mcp_configs: Weir is no gateway for MCP")
	}
	g.unknown(n, "value", "value_hash", "is_active", "expires_at", "provider_configs", "mcp_configs", "team_id", "customer_id", "team", "customer", "encryption_status")
	if other := g.to.addKey(k); other != nil {
		g.say(n, Manual, sameSecret(other))
		return
	}
	said := fmt.Sprintf("the key %s with the digest of the virtual key: its callers go on with it", k.Name)
	if k.Ended {
		said = fmt.Sprintf("the key %s, revoked", k.Name)
	}
	g.say(n, Exact, said)
}

// digest is the digest of what callers send. why says why it is missing.
func (g *bifrostGovernance) digest(n *Node) (d auth.Digest, why string) {
	if hash := n.Get("value_hash").Text(); len(hash) == hex.EncodedLen(len(d)) {
		if _, err := hex.Decode(d[:], []byte(hash)); err == nil {
			return d, ""
		}
	}
	value := n.Get("value").Text()
	variable, refers := g.secrets.refers(value)
	switch {
	case value == "":
		return d, "the file has no value, so Bifrost made one: read its database, which has the digest"
	case refers:
		return d, fmt.Sprintf("its value is in the variable %s, which is not read: read Bifrost's database, which has the digest", variable)
	case isElsewhere(value):
		return d, "its value is in a vault, or encrypted, and the source has no digest of it: create another key"
	}
	if !strings.HasPrefix(strings.ToLower(value), virtualBegin) {
		g.about(n, Manual, "Bifrost takes it in x-bf-vk alone, because it does not begin with "+virtualBegin+": have its callers send it as Authorization: Bearer")
	}
	return auth.DigestOf(value), ""
}

// owner gives a key its team.
func (g *bifrostGovernance) owner(n *Node, k *Key) {
	team, customer := n.Get("team_id").Text(), n.Get("customer_id").Text()
	switch {
	case team != "":
		k.Team = g.teams[team]
	case customer != "":
		k.Team = g.customer(customer)
	default:
		return
	}
	if k.Team == nil {
		k.Ended = true
		g.about(n, Manual, "its team or customer is missing in the source, and with it the budget, so it is revoked: create it again")
	}
}

// customers reports those that have become no team.
func (g *bifrostGovernance) customers() {
	for _, n := range g.list("customers") {
		if n.said {
			continue
		}
		shared := slices.Concat(g.owned(n, "budget", "customer_id"), g.owned(n, "rate_limit", "customer_id"))
		for _, one := range shared {
			g.say(one, Manual, "left out: teams of a customer share it, and Weir has no budget or limits for several teams: give each a part")
		}
		if len(shared) == 0 {
			g.say(n, Exact, "left out: it has no keys of its own, and neither budget nor limits")
		} else {
			g.say(n, Approximate, "left out: it has no keys of its own")
		}
	}
}

// leftovers reports what else is in the section.
func (g *bifrostGovernance) leftovers() {
	for _, name := range []string{"budgets", "rate_limits"} {
		for _, n := range g.list(name) {
			if !n.said {
				g.say(n, Approximate, "left out: no key, team or customer has it")
			}
		}
	}
	for _, f := range []struct {
		name  string
		class Class
		why   string
	}{
		{"routing_rules", Unsupported, "Weir has no rules that choose by what a request holds: models, their targets and fallbacks do"},
		{"model_configs", Manual, "Weir has no budgets of models: set rpm and tpm at their targets"},
		{"providers", Manual, "Weir has no budgets of providers: set rpm and tpm at targets, and concurrent at the provider"},
		{"pricing_overrides", Manual, "set price at the targets"},
		{"auth_config", Manual, "Weir's managing API takes admin.token: set it, or use the one that Weir makes at its first start"},
		{"complexity_analyzer_config", Unsupported, "Weir does not choose models by what a prompt asks"},
	} {
		if n := g.at.Get(f.name); n != nil && !n.IsNull() && (n.IsMap() || len(n.Items) > 0) {
			g.say(n, f.class, f.why)
		}
	}
}

// described are the fields of all that is in the section.
var described = []string{"id", "name", "description", "budget_id", "budget", "budgets", "rate_limit_id", "rate_limit", "calendar_aligned", "config_hash", "created_at", "updated_at", "created_by"}

// unknown reports the fields of a value that are not read here.
func (g *bifrostGovernance) unknown(n *Node, known ...string) {
	for _, f := range n.Fields {
		if !slices.Contains(described, f.Name) && !slices.Contains(known, f.Name) && !f.Value.IsNull() && !f.Value.said {
			g.say(f.Value, Unsupported, "Weir knows nothing that corresponds to this setting of bifrost: it was left out")
		}
	}
}

// momentOf is a time, as JSON has it or as databases write it.
func momentOf(text string) (time.Time, error) {
	for _, layout := range []string{"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999", "2006-01-02 15:04:05.999999999 -0700 MST"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), nil
		}
	}
	return moment(text)
}
