package provider

import (
	"sync/atomic"
	"time"

	"github.com/weirproxy/weir/internal/dial"
)

// pool is a provider's connections. A connection is kept while it is busy now and then, wherever its name leads by
// now; so all are replaced when they reach an age. Calls under way go on.
type pool struct {
	make    func() *transport
	now     func() time.Time
	current atomic.Pointer[generation]
}

// generation is the connections made within one span of dial.MaxAge.
type generation struct {
	*transport
	since time.Time
}

func newPool(connections func() *transport) *pool {
	p := &pool{make: connections, now: time.Now}
	p.current.Store(&generation{connections(), p.now()})
	return p
}

// transport is what a call that begins now is made with.
func (p *pool) transport() *transport {
	now, old := p.now(), p.current.Load()
	if now.Sub(old.since) < dial.MaxAge {
		return old.transport
	}
	next := &generation{p.make(), now}
	if !p.current.CompareAndSwap(old, next) {
		return p.current.Load().transport
	}
	old.close() // and each busy one when it becomes idle
	return next.transport
}

// close frees the idle connections.
func (p *pool) close() { p.current.Load().close() }
