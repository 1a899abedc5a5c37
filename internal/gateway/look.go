package gateway

import (
	"cmp"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/secret"
)

// Running is a request that runs, as far as it has come.
type Running struct {
	ID, ClientID     string // ClientID is "" if the caller sent none
	KeyID, KeyName   string
	TeamID, TeamName string // "" without one
	Tags             []ledger.Tag
	Model            string // the logical model that serves it
	Endpoint         string // which also says the dialect of the caller
	Stream           bool
	Started          time.Time
	BytesIn          int64

	BytesOut int64
	Provider string // of the target that was called last; "" before that
	Upstream string // the provider's own name of the model
	Attempts int
	First    time.Time  // when the first content came; zero before that
	Held     money.Nano // of budgets in dollars
}

// Look says which of the requests that run are wanted. What is empty admits all.
type Look struct {
	Key, Team, Model, Provider string // ids of the key and the team
	Tag                        string // name=value
	After                      string // the id of a request: those that came later
	Limit                      int    // how many are listed, the oldest
}

// Running lists requests that run in this process, the oldest first, and says how many are admitted, listed or not.
func (g *Gateway) Running(l *Look) (list []Running, admitted int) {
	all := slices.DeleteFunc(g.running.list(), func(r *running) bool { return !l.admits(r) })
	slices.SortFunc(all, func(a, b *running) int { return cmp.Compare(a.ev.ID, b.ev.ID) }) // ids rise with time
	for _, r := range all {
		if r.ev.ID > l.After && len(list) < l.Limit {
			list = append(list, r.seen())
		}
	}
	return list, len(all)
}

func (l *Look) admits(r *running) bool {
	ev := r.ev
	is := func(wanted, value string) bool { return wanted == "" || wanted == value }
	return is(l.Key, ev.KeyID) && is(l.Team, ev.TeamID) && is(l.Model, ev.Route) &&
		(l.Tag == "" || slices.ContainsFunc(ev.Tags, func(t ledger.Tag) bool { return t.String() == l.Tag })) &&
		(l.Provider == "" || l.Provider == r.seen().Provider)
}

// Cut ends a request, by its id, with an error that says that an operator did so. It returns what the request had come to, or false if
// it does not run in this process.
func (g *Gateway) Cut(id string) (Running, bool) {
	for _, r := range g.running.list() {
		if r.ev.ID == id {
			seen := r.seen()
			r.cutOff()
			return seen, true
		}
	}
	return Running{}, false
}

// seen is the request as others may see it. What the caller wrote may repeat its key.
func (r *running) seen() Running {
	ev, came := r.ev, r.relay.Progress()
	seen := Running{
		ID: ev.ID, ClientID: secret.HideOne(ev.ClientID, ev.key), KeyID: ev.KeyID, KeyName: ev.KeyName, TeamID: ev.TeamID, TeamName: ev.TeamName, Tags: ev.Tags,
		Model: secret.HideOne(ev.Route, ev.key), Endpoint: ev.Endpoint, Stream: ev.Stream, Started: ev.Started, BytesIn: ev.BytesIn,
		BytesOut: r.out.written.Load(), Attempts: came.Attempts, First: came.First, Held: came.Held,
	}
	if came.Target != nil {
		seen.Provider, seen.Upstream = came.Target.Provider, secret.HideOne(came.Target.Model, ev.key)
	}
	return seen
}
