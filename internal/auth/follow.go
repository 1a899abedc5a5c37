package auth

import (
	"context"
	"log/slog"
	"time"
)

// readWithin is how long one look at the store's changes may take.
const readWithin = 10 * time.Second

// Follow has the changes take effect here that other processes make to the keys and teams of the store. It looks for them, again and again with
// the pause every, and when Changed is called, until ctx ends. A failure is logged when it begins, and when it is over.
func (k *Keys) Follow(ctx context.Context, every time.Duration, log *slog.Logger) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	failing := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-k.changed:
		}
		err := k.CatchUp(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && !failing:
			log.Error("the store cannot be read: keys that another process revokes still work here, and keys that it creates do not work yet; Weir keeps trying", "reason", err.Error())
		case err == nil && failing:
			log.Info("the store can be read again, and its keys are followed")
		}
		failing = err != nil
	}
}

// Changed has Follow look at once, since something is said to have changed.
func (k *Keys) Changed() {
	select {
	case k.changed <- struct{}{}:
	default: // it is about to look
	}
}

// CatchUp has all changes take effect that the store has by now. It takes ten seconds at most.
func (k *Keys) CatchUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	k.following.Lock()
	defer k.following.Unlock()
	k.mu.RLock()
	highest := max(k.highest, k.followed)
	k.mu.RUnlock()
	began := time.Now()
	version, err := k.store.ChangesSince(ctx, k.followed, k.putTeam, k.put)
	if err == nil && version < highest {
		version, err = k.reload(ctx)
	}
	if err == nil {
		k.followed = version
		k.currency.renew(began)
	}
	return err
}

// reload takes all keys and teams as the store has them. Its versions say nothing about what is known here, since it was replaced by an
// earlier store. A key that it lacks is refused from now on, and so are the keys of a team that it lacks. k.following is held.
func (k *Keys) reload(ctx context.Context) (Version, error) {
	if err := k.acquire(ctx); err != nil { // a key that is created meanwhile would seem to be lacking
		return 0, err
	}
	defer k.release()
	has, hasTeam := map[string]bool{}, map[string]bool{}
	version, err := k.store.ChangesSince(ctx, 0, func(team Team) {
		hasTeam[team.ID] = true
		k.mu.Lock()
		defer k.mu.Unlock()
		k.index.teams.set(&team)
	}, func(key Key) {
		has[key.ID] = true
		k.mu.Lock()
		defer k.mu.Unlock()
		k.set(key)
	})
	if err != nil {
		return 0, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.highest = version
	k.index.teams.keepStored(hasTeam)
	var lost []Key
	k.index.stored.after(nil, func(r *record) bool {
		if !has[r.principal.KeyID] {
			lost = append(lost, r.key())
		}
		return true
	})
	for i := range lost {
		revoke(&lost[i], k.instant(), false)
		lost[i].Version = 0
		k.set(lost[i])
	}
	return version, nil
}
