package listener

import (
	"context"
	"log/slog"
	"net"
	"sync"
	"time"
)

// Reason is why a listener refused a client before there was a request that a handler could answer.
type Reason int

// The reasons.
const (
	Memory    Reason = iota // a header that did not fit into memory: 503
	Malformed               // a header that cannot be read, or is too large: 400, 431
	Slow                    // a header that did not arrive whole in time: closed
	Address                 // a connection of an address that holds its share: closed
	Idle                    // a connection without a request, closed to make room for another
	reasons
)

// Reasons are all there are.
func Reasons() []Reason {
	return []Reason{Memory, Malformed, Slow, Address, Idle}
}

// String is the reason as the log and the metrics have it.
func (t Reason) String() string {
	return [...]string{"memory", "malformed", "slow", "address", "idle"}[t]
}

// logEvery is how often a log has a line about what was refused, at most: a flood must not fill it.
const logEvery = time.Minute

// refused counts what a listener refused. It is safe for concurrent use.
type refused struct {
	wake chan struct{}

	mu     sync.Mutex // guards the rest
	counts [reasons]uint64
	last   net.Addr // client of the last one
}

// add counts one.
func (a *refused) add(reason Reason, client net.Addr) {
	a.mu.Lock()
	a.counts[reason]++
	a.last = client
	a.mu.Unlock()
	select {
	case a.wake <- struct{}{}:
	default: // it is awake already
	}
}

func (a *refused) read() ([reasons]uint64, net.Addr) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.counts, a.last
}

// Refused is how many clients were refused for a reason.
func (l *Listener) Refused(reason Reason) uint64 {
	counts, _ := l.refused.read()
	return counts[reason]
}

// LogRefused logs refusals until ctx ends: the first at once, and then at most one line a minute with the number of each reason
// since the line before. It is called once at most.
func (l *Listener) LogRefused(ctx context.Context, log *slog.Logger) {
	var reported [reasons]uint64
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.refused.wake:
		}
		counts, last := l.refused.read()
		attributes := []slog.Attr{slog.String("client_address", addressOnly(last))}
		for _, reason := range Reasons() {
			if n := counts[reason] - reported[reason]; n > 0 {
				attributes = append(attributes, slog.Uint64(reason.String(), n))
			}
		}
		if reported = counts; len(attributes) > 1 {
			log.LogAttrs(ctx, slog.LevelWarn, "clients were refused before there was a request", attributes...)
			pause(ctx, logEvery)
		}
	}
}

// addressOnly is an address without its port.
func addressOnly(a net.Addr) string {
	if a == nil {
		return ""
	}
	host, _, err := net.SplitHostPort(a.String())
	if err != nil {
		return ""
	}
	return host
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
