package admin

import (
	"container/list"
	"net"
	"net/netip"
	"sync"
	"time"
)

// The bounds on wrong tokens: an address may send so many at once, and then one each second. The right token is still accepted
// from an address that lately sent it, so that others at the operator's address cannot lock the operator out.
const (
	guessBurst     = 10
	guessInterval  = time.Second
	trusted        = time.Hour
	maxGuessers    = 1024 // addresses that are remembered; the one longest unheard of is forgotten first
	networkOfHome  = 64   // bits of an IPv6 address that count: a household or a machine has the others to itself
	bitsOfVersion4 = 32
)

// guesses remembers, by address, who sent wrong tokens. It is safe for concurrent use.
type guesses struct {
	mu    sync.Mutex // guards what follows
	by    map[netip.Prefix]*list.Element
	order list.List // of *guesser, the most recent first
}

// guesser is one address.
type guesser struct {
	address netip.Prefix
	full    time.Time // when it will have its whole burst again
	right   time.Time // when the right token came last
	logged  bool      // the log has it, until then
}

// admit decides about a token that came from an address, right or wrong, at now. If wait is more than 0 it is not looked at, and
// may be sent again then. logged is true for the first refusal in a row.
func (g *guesses) admit(remote string, right bool, now time.Time) (wait time.Duration, logged bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	one := g.find(prefixOf(remote))
	if !one.full.After(now) {
		one.full, one.logged = now, false
	}
	one.full = earliest(one.full, now.Add(guessBurst*guessInterval)) // a clock that is put back keeps no address out for longer
	if right && !one.right.IsZero() && now.Sub(one.right).Abs() < trusted {
		one.right = now
		return 0, false
	}
	if wait := one.full.Sub(now) - (guessBurst-1)*guessInterval; wait > 0 {
		logged, one.logged = !one.logged, true
		return wait, logged
	}
	if right {
		one.right = now
	} else {
		one.full = one.full.Add(guessInterval)
	}
	return 0, false
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// find returns the entry of an address, and makes it if needed. g.mu is held.
func (g *guesses) find(address netip.Prefix) *guesser {
	if element, ok := g.by[address]; ok {
		g.order.MoveToFront(element)
		return element.Value.(*guesser)
	}
	if g.by == nil {
		g.by = map[netip.Prefix]*list.Element{}
	}
	if g.order.Len() >= maxGuessers {
		last := g.order.Back()
		delete(g.by, last.Value.(*guesser).address)
		g.order.Remove(last)
	}
	one := &guesser{address: address}
	g.by[address] = g.order.PushFront(one)
	return one
}

// prefixOf is what counts of the address of a client, host:port. What is no address is all one.
func prefixOf(remote string) netip.Prefix {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return netip.Prefix{}
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Prefix{}
	}
	ip = ip.Unmap().WithZone("")
	bits := bitsOfVersion4
	if ip.Is6() {
		bits = networkOfHome
	}
	prefix, _ := ip.Prefix(bits) // it fits either version
	return prefix
}
