package importer

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"
)

// NewAPI is new-api, or one-api that it comes from. Both keep their config in a database, so a source is what that has: an object with the rows
// of the tables channels, tokens and users as lists of objects, or the answer of the managing API's /api/channel.
type NewAPI struct {
	Now time.Time // says which tokens have expired
}

// Name implements Source.
func (NewAPI) Name() string { return "newapi" }

// newapi is one conversion.
type newapi struct {
	to *Draft
	*Report
	secrets *secrets
	one     bool // it is one-api
	now     time.Time
	perUnit *big.Rat // how much quota is a dollar
	ratios  newapiRatios
	auto    newapiAuto

	names  []string                   // of models, in their order
	legs   map[string][]newapiLeg     // by model
	groups map[string]map[string]bool // models, by group of channels
	teams  map[string]*Team           // by id of the user
	users  map[string]*Node           // by id, without those that were deleted
	listed bool                       // the source has users
}

// newapiLeg is a channel that serves a model.
type newapiLeg struct {
	priority int64
	weight   int64
	target   *Target
}

// Convert implements Source.
func (from NewAPI) Convert(doc *Document, to *Draft) error {
	a := &newapi{
		to: to, Report: to.Report, now: from.Now, perUnit: big.NewRat(quotaPerDollar, 1), auto: newapiAutoDefault, legs: map[string][]newapiLeg{}, groups: map[string]map[string]bool{},
		teams: map[string]*Team{}, users: map[string]*Node{},
	}
	channels, err := channelsOf(doc)
	if err != nil {
		return err
	}
	a.secrets = newSecrets(to.Report, &Node{}, substituted)
	a.one = slices.ContainsFunc(channels.Items, func(n *Node) bool {
		return n.Get("config") != nil && n.Get("channel_info") == nil && n.Get("auto_ban") == nil
	})
	a.options(doc.Root)
	for _, channel := range channels.Items {
		a.channel(channel)
	}
	a.prices(doc.Root.Get("options"))
	for _, name := range a.names {
		a.model(name)
	}
	if len(channels.Items) == 0 {
		a.say(channels, Manual, "there are no channels, so the result has no models: add providers and models")
	}
	a.listed = doc.Root.Get("users").IsList()
	for _, user := range doc.Root.Get("users").list() {
		if user.Get("deleted_at").Text() != "" {
			a.say(user, Exact, "left out: it was deleted")
			continue
		}
		a.users[user.Get("id").Text()] = user
	}
	for _, token := range doc.Root.Get("tokens").list() {
		a.token(token)
	}
	for _, user := range doc.Root.Get("users").list() {
		if !user.said {
			a.say(user, Exact, "no team: the user has no tokens")
		}
	}
	return nil
}

// channelsOf is the list of channels.
func channelsOf(doc *Document) (*Node, error) {
	root := doc.Root
	for _, n := range []*Node{root.Get("channels"), root.Get("data").Get("items"), root.Get("data")} {
		if n.IsList() {
			for i, item := range n.Items {
				if item.Get("type") == nil || item.Get("models") == nil {
					return nil, &SourceError{doc.Name, item.Line, item.Column, fmt.Sprintf("channel %d has no type or no models: it is of a version that is not known here, or no channel of new-api's", i)}
				}
			}
			return n, nil
		}
	}
	return nil, &SourceError{doc.Name, root.Line, root.Column, "there are no channels of new-api's here: it has neither the list channels nor, as the managing API answers, data"}
}

// options reads how much quota is a dollar, and what models cost.
func (a *newapi) options(root *Node) {
	for _, option := range root.Get("options").list() {
		value := option.Get("value")
		switch name := option.Get("key").Text(); name {
		default:
			a.ratios.read(name, value)
		case "QuotaPerUnit":
			if n, ok := rational(value.Text()); ok && n.Sign() > 0 {
				a.perUnit = n
				a.say(option, Exact, "read: so much quota is a dollar")
			} else {
				a.say(option, Manual, fmt.Sprintf("it is no number above 0: %d is taken to be a dollar", quotaPerDollar))
			}
		case "AutoGroups", "UserUsableGroups":
			if a.auto.read(name, value) != nil {
				a.say(option, Manual, "it is no JSON that is known here: the group auto has fewer groups than before")
			} else {
				a.say(option, Exact, "read: which groups the group auto is")
			}
		case "RetryTimes":
			a.say(option, Approximate, "not needed: Weir makes up to retries.max_attempts attempts, 3 by default")
		}
	}
}

// quotaPerDollar is how much quota a dollar is where the options do not say.
const quotaPerDollar = 500_000

// enabled is the status of what is in use.
const enabled = 1

// model adds a model: the channels of the highest priority are drawn by weight, and those of lower ones are for when they have failed.
func (a *newapi) model(name string) {
	legs := a.legs[name]
	slices.SortStableFunc(legs, func(x, y newapiLeg) int { return cmp.Compare(y.priority, x.priority) })
	var tiers []tier
	for i, leg := range legs {
		if i == 0 || leg.priority != legs[i-1].priority {
			tiers = append(tiers, nil)
		}
		last := &tiers[len(tiers)-1]
		leg.target.Weight = min(max(leg.weight, 1), maxWeight)
		*last = append(*last, leg.target)
	}
	m, _ := a.to.tiered(name, legs[0].target.At, tiers)
	if len(legs) > 3 {
		m.Attempts = min(int64(len(legs)), 10)
	}
}

// row has the fields of a row that is a text of JSON.
func row(n *Node) *Node {
	if n == nil || n.IsMap() || n.IsList() {
		return n
	}
	if text := strings.TrimSpace(n.Text()); strings.HasPrefix(text, "{") {
		if doc, err := (&Document{}).parse("", []byte(text)); err == nil {
			return doc
		}
	}
	return nil
}

// parts are the parts of a text between commas.
func parts(text string) (all []string) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" && !slices.Contains(all, part) {
			all = append(all, part)
		}
	}
	return all
}
