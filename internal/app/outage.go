package app

import (
	"context"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/idempotency"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/store/postgres"
	"github.com/weirproxy/weir/internal/stored"
)

// patient is a store for requests of callers and changes by operators, none of which waits for one that does not answer. Operators wait for longer.
type patient struct {
	database
	while, changing func(context.Context) (context.Context, context.CancelFunc)
}

// forRequests is the store as requests have it.
func (a *App) forRequests(db database) database {
	if _, shared := db.(*postgres.DB); !shared {
		return db
	}
	changing := func(ctx context.Context) (context.Context, context.CancelFunc) {
		if a.sharing == nil { // the program is being built
			return ctx, func() {}
		}
		if j := a.sharing.joined.Load(); j != nil {
			return j.desk.WhileItMayAnswer(ctx)
		}
		return away(ctx)
	}
	return patient{db, func(ctx context.Context) (context.Context, context.CancelFunc) { return a.budgets.While(ctx) }, changing}
}

// away is a context that has ended, since the store has not been reached.
func away(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(ctx)
	end(errAway)
	return ctx, func() {}
}

func (p patient) InsertKey(ctx context.Context, key auth.Key) (auth.Key, error) {
	ctx, end := p.changing(ctx)
	defer end()
	return p.database.InsertKey(ctx, key)
}

func (p patient) UpdateKey(ctx context.Context, id string, change func(*auth.Key) error) (auth.Key, error) {
	ctx, end := p.changing(ctx)
	defer end()
	return p.database.UpdateKey(ctx, id, change)
}

func (p patient) InsertTeam(ctx context.Context, team auth.Team) (auth.Team, error) {
	ctx, end := p.changing(ctx)
	defer end()
	return p.database.InsertTeam(ctx, team)
}

func (p patient) UpdateTeam(ctx context.Context, id string, change func(*auth.Team) error) (auth.Team, error) {
	ctx, end := p.changing(ctx)
	defer end()
	return p.database.UpdateTeam(ctx, id, change)
}

func (p patient) SaveResponse(ctx context.Context, r stored.Row, most stored.Bounds) (saved bool, err error) {
	ctx, end := p.while(ctx)
	defer end()
	return p.database.SaveResponse(ctx, r, most)
}

func (p patient) Response(ctx context.Context, id, keyID string, now time.Time) (r stored.Row, found bool, err error) {
	ctx, end := p.while(ctx)
	defer end()
	return p.database.Response(ctx, id, keyID, now)
}

func (p patient) DeleteResponse(ctx context.Context, id, keyID string, now time.Time) (found bool, err error) {
	ctx, end := p.while(ctx)
	defer end()
	return p.database.DeleteResponse(ctx, id, keyID, now)
}

func (p patient) Idempotent(ctx context.Context, name idempotency.Name, now time.Time) (r idempotency.Record, found bool, err error) {
	ctx, end := p.while(ctx)
	defer end()
	return p.database.Idempotent(ctx, name, now)
}

func (p patient) ClaimIdempotent(ctx context.Context, r idempotency.Record, now time.Time) (other idempotency.Record, claimed bool, err error) {
	ctx, end := p.while(ctx)
	defer end()
	return p.database.ClaimIdempotent(ctx, r, now)
}

func (p patient) KeepIdempotent(ctx context.Context, r idempotency.Record, most idempotency.Bounds) (kept bool, err error) {
	ctx, end := p.while(ctx)
	defer end()
	return p.database.KeepIdempotent(ctx, r, most)
}

func (p patient) ReleaseIdempotent(ctx context.Context, name idempotency.Name, owner idempotency.Owner) error {
	ctx, end := p.while(ctx)
	defer end()
	return p.database.ReleaseIdempotent(ctx, name, owner)
}

func (p patient) Usage(ctx context.Context, q *ledger.UsageQuery) ([]ledger.UsageLine, error) {
	ctx, end := p.while(ctx)
	defer end()
	return p.database.Usage(ctx, q)
}
