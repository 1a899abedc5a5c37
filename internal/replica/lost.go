package replica

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/escrow"
)

// lack notes which budgets lack room that others have, if those may be lost. The lock is held.
func (d *Desk) lack(wants []Want, now time.Duration) {
	if d.lostAfter == 0 {
		return
	}
	for i := range wants {
		if w := &wants[i]; !w.Strict && d.replica.Judge(w.Name, w.Need, w.Strict, now) == escrow.Short {
			d.lacked[w.Name] = true
		}
	}
}

// reclaim takes from lost replicas what they have of budgets that lack room.
func (d *Desk) reclaim(ctx context.Context) {
	d.mu.Lock()
	now := d.now()
	if len(d.lacked) == 0 || now < d.reclaimed+reclaimEach {
		d.mu.Unlock()
		return
	}
	names := slices.Collect(maps.Keys(d.lacked))
	clear(d.lacked)
	d.reclaimed = now
	d.mu.Unlock()
	leases, err := d.db.Reclaim(ctx, names, d.lostAfter)
	if err == nil && leases > 0 {
		d.log.Warn("slices of replicas that were not seen for long are given back: budgets that are not strict can be exceeded by what these spend after all", "slices", leases, "lost_after", d.lostAfter.String())
	}
}
