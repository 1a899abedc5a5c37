package app

import (
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/gateway"
)

// runningRequests lists requests that run here, for the admin API.
func (a *App) runningRequests(q *admin.RunningQuery) admin.RunningList {
	list, admitted := a.gateway.Running(&gateway.Look{Key: q.Key, Team: q.Team, Model: q.Model, Provider: q.Provider, Tag: q.Tag, After: q.After, Limit: q.Limit})
	shown := admin.RunningList{Data: make([]admin.Running, len(list)), Instance: a.ledger.Instance(), Admitted: admitted}
	now := time.Now()
	for i := range list {
		shown.Data[i] = a.shownRunning(&list[i], now)
	}
	return shown
}

// cutRequest ends a request that runs here.
func (a *App) cutRequest(id string) (admin.Running, bool) {
	cut, ok := a.gateway.Cut(id)
	if !ok {
		return admin.Running{}, false
	}
	return a.shownRunning(&cut, time.Now()), true
}

func (a *App) shownRunning(r *gateway.Running, now time.Time) admin.Running {
	shown := admin.Running{
		Request: r.ID, ClientID: orNil(r.ClientID), Instance: a.ledger.Instance(), Started: r.Started.Round(0).In(a.zone),
		Key: r.KeyID, KeyName: r.KeyName, Team: orNil(r.TeamID), TeamName: orNil(r.TeamName), Tags: []string{},
		Model: r.Model, Endpoint: r.Endpoint, Stream: r.Stream, Provider: orNil(r.Provider), Upstream: orNil(r.Upstream), Attempts: r.Attempts,
		AgeMicros: now.Sub(r.Started).Microseconds(), BytesIn: r.BytesIn, BytesOut: r.BytesOut, Held: r.Held,
	}
	for _, tag := range r.Tags {
		shown.Tags = append(shown.Tags, tag.String())
	}
	if !r.First.IsZero() {
		shown.FirstMicros = new(r.First.Sub(r.Started).Microseconds())
	}
	return shown
}

// shownLive shows requests to those who watch. It implements gateway.Live.
type shownLive struct{ *App }

// Watched implements gateway.Live.
func (a shownLive) Watched() bool { return a.live.Watched() }

// Began implements gateway.Live.
func (a shownLive) Began(r *gateway.Running) {
	a.live.Publish(&admin.LiveEvent{Running: a.shownRunning(r, time.Now())})
}

// Ended implements gateway.Live.
func (a shownLive) Ended(e *gateway.Ended) {
	a.live.Publish(&admin.LiveEvent{Running: a.shownRunning(&e.Running, e.At), Ended: &admin.LiveEnded{Status: e.Status, Error: e.Err, Calls: e.Calls}})
}
