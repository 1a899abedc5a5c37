package escrow

import (
	"testing"
	"time"
)

// TestDrainOfRates: before a replica exits, the database has the units that no request used, and knows what was used beyond them.
func TestDrainOfRates(t *testing.T) {
	t.Parallel()
	for _, used := range []int64{0, 100, 900} {
		c := newCluster(2, 6000)
		r := c.replicas[0]
		r.NeedRate(c.rate, c.limit, 100, c.now)
		for range 10 {
			c.step()
		}
		charge := r.TakeRate(c.rate, c.limit, 60, c.now) // 40 units are not taken
		r.SettleRate(charge, used, c.now)
		if r.Drain(c.now); r.Drained() != (used == 100) {
			t.Errorf("with %d used of 100, the database knows all: %v", used, r.Drained())
		}
		began := c.now
		for !r.Drained() && c.now < began+time.Second {
			c.step()
		}
		if took := c.now - began; took > 10*time.Millisecond {
			t.Errorf("the drain takes %v", took)
		}
		other := c.replicas[1]
		other.InquireRate(c.rate, c.limit, c.now)
		for range 10 {
			c.step()
		}
		left, _ := other.RateLeft(c.rate, c.limit, c.now)
		if want := c.limit - used; left < want || left > want+5 {
			t.Errorf("after %d were used, %d are left, want %d", used, left, want)
		}
	}
}
