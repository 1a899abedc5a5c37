package gateway

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/relay"
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

// seen is the request as others may see it.
func (r *running) seen() Running {
	came := r.relay.Progress()
	seen := r.ev.seen(r.out)
	seen.Attempts, seen.First, seen.Held = came.Attempts, came.First, came.Held
	if came.Target != nil {
		seen.Provider, seen.Upstream = came.Target.Provider, secret.HideOne(came.Target.Model, r.ev.key)
	}
	return seen
}

// seen is what the event itself has. What the caller wrote may repeat its key.
func (ev *Event) seen(out *response) Running {
	return Running{
		ID: ev.ID, ClientID: secret.HideOne(ev.ClientID, ev.key), KeyID: ev.KeyID, KeyName: ev.KeyName, TeamID: ev.TeamID, TeamName: ev.TeamName, Tags: ev.Tags,
		Model: secret.HideOne(ev.Route, ev.key), Endpoint: ev.Endpoint, Stream: ev.Stream, Started: ev.Started, BytesIn: ev.BytesIn, BytesOut: out.written.Load(),
	}
}

// Ended is a request that has ended.
type Ended struct {
	Running
	At     time.Time
	Status int             // of the answer
	Err    *llm.Error      // nil if it did not fail
	Calls  *ledger.Request // as the ledger has them; nil if none was made
}

// enter has a request run, and shows that it does.
func (g *Gateway) enter(parent context.Context, own *relaying, caller *auth.Principal, limit time.Duration) context.Context {
	ev := own.running.ev
	ev.account = &own.account
	ctx := g.running.enter(parent, &own.running, caller, limit, ev.Started)
	if g.live != nil && g.live.Watched() {
		seen := own.running.seen()
		g.live.Began(&seen)
	}
	return ctx
}

// showEnd shows that a request has ended. Without a key that works there is nothing to see: anyone could fill the watchers' screens.
func (g *Gateway) showEnd(ev *Event, out *response) {
	if g.live == nil || !g.live.Watched() || !ev.Counted || ev.KeyID == "" {
		return
	}
	g.live.Ended(&Ended{Running: ev.seen(out), At: ev.Ended, Status: ev.Status, Err: ev.Err, Calls: ev.calls()})
}

// calls are the rows of the request's calls, as the ledger has them; nil if none was made.
func (ev *Event) calls() *ledger.Request {
	if ev.Result == nil || ev.account == nil {
		return nil
	}
	a := ev.account
	made := slices.Clone(ev.Result.Calls)
	slices.SortStableFunc(made, func(x, y relay.Call) int { return x.Started.Compare(y.Started) })
	rows := make([]ledger.Row, len(made))
	for i := range made {
		c := &made[i]
		rows[i] = ledger.Row{
			Intent: ledger.Intent{
				Request: ev.ID[len(idPrefix):], ClientID: secret.HideOne(ev.ClientID, ev.key), Try: c.Attempt, Call: i, Started: c.Started.UTC(), Key: ev.KeyID, Team: ev.TeamID, Tags: ev.Tags,
				Model: secret.HideOne(ev.Route, ev.key), Provider: c.Target.Provider, Upstream: secret.HideOne(c.Target.Model, ev.key), Credential: c.Credential,
			},
			Settlement: a.settlement(c),
		}
	}
	if len(rows) > 0 {
		rows[0].Own = a.first.own
	}
	return ledger.RequestOf(rows)
}
