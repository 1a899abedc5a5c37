package importer

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/money"
)

// keyBegin is what callers send before what the database has of a key.
const keyBegin = "sk-"

// token converts a row of tokens, whose keys are in clear: the digest of what callers send goes over.
func (a *newapi) token(n *Node) {
	key := strings.TrimPrefix(strings.TrimSpace(n.Get("key").Text()), keyBegin) // Postgres fills columns of a fixed length up
	switch {
	case key == "" || strings.Contains(key, "*"):
		a.say(n, Manual, "left out: the source does not have the whole key")
		return
	case n.Get("deleted_at").Text() != "" || n.Get("DeletedAt").Text() != "":
		a.say(n, Exact, "left out: it was deleted")
		return
	}
	name := word(n.Get("name").Text())
	if name == "" {
		name = "token-" + n.Get("id").Text()
	}
	k := &Key{Name: a.to.keyNames.take(name, "-"), Digest: auth.DigestOf(keyBegin + key)}
	user := n.Get("user_id").Text()
	k.Team = a.team(user)
	if until, ok := n.Get("expired_time").Int(); ok {
		k.Expires = expiry(until)
	}
	a.budget(n, k)
	k.Ended = a.refused(n, k)
	if k.Ended {
		a.about(n, Approximate, "it is switched off: it is revoked here, which is for good")
	}
	if k.Team == nil && a.listed {
		k.Ended = true
		a.about(n, Approximate, "its user is missing or was deleted, so it is revoked")
	}
	a.models(n, user, k)
	if ips := n.First("allow_ips", "subnet"); ips.Text() != "" {
		a.about(n, Unsupported, "Weir does not look where callers come from: restrict that before it")
	}
	if other := a.to.addKey(k); other != nil {
		a.say(n, Manual, sameSecret(other))
		return
	}
	a.say(n, Exact, fmt.Sprintf("the key %s with the digest of %s and the token: its callers go on with it", k.Name, keyBegin))
}

// never is the time of expiry of a token that has none. Any other time that is past, 0 too, has the token refused.
const never = -1

// expiry is when a token expires; zero for never, and after the year 9999, which JSON cannot write.
func expiry(unix int64) time.Time {
	if last := time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC); unix == never || unix > last.Unix() {
		return time.Time{}
	}
	return time.Unix(max(unix, 1), 0).UTC()
}

// What the status of a token says besides that it is enabled or, by any other number, is not. These last until someone changes the status, even if
// the expiry or the quota was changed meanwhile.
const (
	expired   = 3
	exhausted = 4
)

// refused reports whether new-api refuses a token for a reason that the key does not have by its expiry and its budget.
func (a *newapi) refused(n *Node, k *Key) bool {
	switch status, known := n.Get("status").Int(); {
	case !known || status == enabled:
		return false
	case status == expired:
		return k.Expires.IsZero() || k.Expires.After(a.now)
	case status == exhausted:
		return k.Budget == nil || k.Budget.Budgets[0].Limit > k.Spent
	}
	return true
}

// about reports something of a row besides what is said of it as a whole.
func (a *newapi) about(n *Node, c Class, text string) {
	a.Add(Finding{n.File, n.Line, n.Column, c, n.Path, text})
}

// budget sets what the key may spend in all, and has spent.
func (a *newapi) budget(n *Node, k *Key) {
	used, _ := n.Get("used_quota").Int()
	k.Spent = a.dollars(max(used, 0))
	if unlimited := n.Get("unlimited_quota"); truth(unlimited) {
		return
	}
	remain, _ := n.Get("remain_quota").Int()
	k.Spent = spentOf(k.Spent, remain)
	k.Budget = &budget.Policy{Budgets: []budget.Spec{{Unit: budget.Dollars, Period: budget.Total, Limit: min(max(a.dollars(max(remain, 0))+k.Spent, 1), maxDollars*1e9)}}}
}

// spentOf is what is spent of a quota of which so much is left: at least the least budget, if nothing is.
func spentOf(used money.Nano, left int64) money.Nano {
	if left <= 0 {
		return max(used, 1)
	}
	return used
}

// dollars are the nanodollars that a quota is.
func (a *newapi) dollars(quota int64) money.Nano {
	r := new(big.Rat).Quo(new(big.Rat).SetInt64(quota), a.perUnit)
	if r.Cmp(big.NewRat(maxDollars, 1)) > 0 {
		return maxDollars * 1e9
	}
	r.Mul(r, big.NewRat(1e9, 1))
	return new(big.Int).Quo(r.Num(), r.Denom()).Int64()
}

// truth reports whether a column is true, which some databases write as 1.
func truth(n *Node) bool {
	on, _ := n.Bool()
	one, _ := n.Int()
	return on || one == 1
}

// models sets which models a key may use: those of its own, else those of the channels of its group.
func (a *newapi) models(n *Node, user string, k *Key) {
	limits := n.Get("model_limits")
	limited := truth(n.Get("model_limits_enabled"))
	if a.one {
		limits = n.Get("models")
		limited = limits.Text() != ""
	}
	group, allowed := a.group(n, user)
	grouped := len(allowed) < len(a.names)
	if limited {
		for _, name := range parts(limits.Text()) {
			switch {
			case a.legs[name] == nil:
				a.about(n, Manual, fmt.Sprintf("it may use the model %q, which the result does not have", name))
				if strings.Contains(name, "*") { // it would be a pattern
					continue
				}
			case grouped && !allowed[name]:
				a.about(n, Approximate, fmt.Sprintf("it may not use the model %q, which no channel of its group %q has", name, group))
				continue
			}
			k.Models = append(k.Models, name)
		}
	} else if grouped {
		for name := range allowed {
			k.Models = append(k.Models, name)
		}
		if len(allowed) > 0 {
			a.about(n, Approximate, fmt.Sprintf("it may use the models that its group %q has now, and no later ones", group))
		}
	}
	if len(k.Models) == 0 && (limited || grouped) { // an empty list would allow all
		a.about(n, Manual, fmt.Sprintf("it may use no model, by its own list or as no channel is for its group %q, so it is revoked: create it again, with models", group))
		k.Ended = true
	}
	var left int
	if k.Models, left = patterns(k.Models); left > 0 {
		a.about(n, Manual, tooMany(left))
	}
}

// team is the team that a user is, nil without users: all tokens of a user spend from one quota.
func (a *newapi) team(id string) *Team {
	n := a.users[id]
	if n == nil || a.teams[id] != nil {
		return a.teams[id]
	}
	name := word(n.Get("username").Text())
	if name == "" {
		name = "user-" + id
	}
	quota, _ := n.Get("quota").Int()
	used, _ := n.Get("used_quota").Int()
	status, known := n.Get("status").Int()
	t := &Team{Name: a.to.teamNames.take(name, "-"), Spent: a.dollars(max(used, 0)), Ended: known && status != enabled}
	t.Spent = spentOf(t.Spent, quota)
	t.Budget = &budget.Policy{Budgets: []budget.Spec{{Unit: budget.Dollars, Period: budget.Total, Limit: min(max(a.dollars(max(quota, 0))+t.Spent, 1), maxDollars*1e9)}}}
	if t.Ended {
		a.about(n, Approximate, "the user is switched off: the team is revoked here, which is for good")
	}
	a.say(n, Exact, fmt.Sprintf("the team %s, with what the user has left and has used as a budget in total", t.Name))
	a.teams[id] = t
	a.to.Accounts.Teams = append(a.to.Accounts.Teams, t)
	return t
}
