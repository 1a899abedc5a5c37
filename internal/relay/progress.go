package relay

import (
	"sync/atomic"
	"time"

	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/route"
)

// Progress is how far a request has come.
type Progress struct {
	Target   *route.Target // of the call that the caller hears or, before that, of the newest; nil before the first
	Attempts int
	First    time.Time  // when the first content came; zero before that
	Held     money.Nano // what its running calls hold of budgets in dollars
}

// Holding is an Entry that holds a part of budgets while its call runs.
type Holding interface {
	// Holds is how many dollars that are. It may be called from any goroutine, at any time.
	Holds() money.Nano
}

// Watched is a request of which others see how far it has come. The zero value has not come anywhere.
type Watched struct {
	calls atomic.Pointer[calls]
}

// see shows the calls that are made for the request.
func (w *Watched) see(c *calls) {
	if w != nil {
		w.calls.Store(c)
	}
}

// Progress is how far the request has come. It may be called from any goroutine, at any time.
func (w *Watched) Progress() (p Progress) {
	calls := w.calls.Load()
	if calls == nil {
		return p
	}
	for _, holding := range calls.progress(&p) { // budgets have locks of their own
		p.Held += holding.Holds()
	}
	return p
}

// progress fills in p, but for what is held. It returns what holds that.
func (c *calls) progress(p *Progress) (holding []Holding) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p.Attempts = c.attempts
	for _, call := range c.all {
		if p.First.IsZero() {
			p.Target = call.Target
		}
		if p.First.IsZero() && call.First > 0 {
			p.First = call.Started.Add(call.First)
		}
		if held, ok := call.entry.(Holding); ok && call.Outcome == "" {
			holding = append(holding, held)
		}
	}
	return holding
}
