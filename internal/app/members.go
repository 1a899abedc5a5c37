package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/escrow"
	"github.com/weirproxy/weir/internal/store/postgres"
	"github.com/weirproxy/weir/internal/telemetry"
)

// seenFor is how long after it was seen a process may be alive that has this Weir's name.
const seenFor = escrow.SeenFor

// describeEvery is how often a Weir says who it is, and looks around.
const describeEvery = 15 * time.Second

// apart is how far the clocks of a Weir and of its database may be apart without a word. Nothing depends on them.
const apart = 5 * time.Second

// member is this Weir among those that share its database.
type member struct {
	escrow *postgres.Escrow
	id     string
	epoch  escrow.Epoch
	name   string // that others know it by, "" before it has one
	wished string

	standing postgres.Standing // guarded by App.looking
	apart    bool              // it was said that the clocks are
}

// join waits until no other process has the name of this Weir, as far as the database knows: two would take each other's slices. The lock of the data folder
// keeps others out on this machine; another machine may have a copy of the folder, or the same one over a network.
func (a *App) join(ctx context.Context, e *postgres.Escrow) (*member, error) {
	m := &member{escrow: e, id: a.ledger.Instance(), wished: a.host, epoch: escrow.Epoch{Began: a.now().UnixMicro(), Process: rand.Uint64()}}
	for said := false; ; said = true {
		ago, known, err := e.Seen(ctx, m.id)
		if err != nil {
			return nil, err
		}
		left := seenFor - ago
		if !known || left <= 0 {
			return m, nil
		}
		if !said {
			a.log.Warn("the database has seen another process under this Weir's name a moment ago: the start waits until that has been silent for ten seconds. One that crashed is; if one runs on "+
				"another machine, on this data folder or a copy of it, stop it", "replica", m.id, "data", a.config.Data, "seen_seconds_ago", ago.Seconds())
		}
		timer := time.NewTimer(left)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, fmt.Errorf("the start waited for another process under this Weir's name to end: %w", ctx.Err())
		}
	}
}

// leave says that this Weir has ended.
func (m *member) leave() error { return m.escrow.Leave(context.Background(), m.id, m.epoch) }

// describe says who this Weir is, again and again, since the database may forget it.
func (a *App) describe(ctx context.Context) {
	if a.member == nil {
		return
	}
	ticker := time.NewTicker(describeEvery)
	defer ticker.Stop()
	for {
		if err := a.lookAround(ctx); err != nil && !errors.Is(err, context.Canceled) {
			a.log.Debug("the database was not told who this Weir is", "reason", err.Error())
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// lookAround says who this Weir is, and learns how it stands.
func (a *App) lookAround(ctx context.Context) error {
	m := a.member
	wished := m.wished
	if m.name != "" {
		wished = m.name
	}
	s, err := m.escrow.Describe(ctx, m.id, wished, fingerprintOf(a.currentConfig()))
	if err != nil {
		return err
	}
	if s.Name != wished {
		a.log.Warn("another Weir that shares the database has this name: this one has another", "name", wished, "now", s.Name, "replica", m.id)
	}
	m.name = s.Name
	switch far := s.Ahead.Abs() > apart; {
	case far && !m.apart:
		a.log.Warn("the clocks of this Weir and of its database are apart: nothing depends on it, but times in reports and logs differ", "database_ahead_seconds", s.Ahead.Seconds())
		m.apart = true
	case !far:
		m.apart = false
	}
	a.looking.Lock()
	defer a.looking.Unlock()
	m.standing = s
	return nil
}

// fingerprintOf stands for what a config says about callers. Where it differs, replicas treat the same request differently.
func fingerprintOf(cfg *config.Config) string {
	text, err := json.Marshal([]any{cfg.Providers, cfg.Models, cfg.Teams, cfg.Keys, cfg.Limits, cfg.Timezone, cfg.Ledger, cfg.Durability})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:4])
}

// shareFigures are those of this Weir among others.
func (a *App) shareFigures() telemetry.Sharing {
	s := a.desk.Stats()
	var held budget.Amount
	a.desk.Held(func(name escrow.Name, amount int64) {
		if strings.HasPrefix(name.Budget, budget.Dollars.SharedPrefix()) {
			held.Money += amount
		} else {
			held.Tokens += amount
		}
	})
	a.looking.Lock()
	defer a.looking.Unlock()
	standing := &a.member.standing
	return telemetry.Sharing{
		Replicas: s.Replicas, Answers: s.Answers, RoundTrips: s.RoundTrips, Failed: s.Failed, Undone: s.Undone, Refused: s.Refused,
		Held: held, Doubt: standing.Doubt, Ahead: standing.Ahead,
	}
}
