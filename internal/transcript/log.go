package transcript

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"sync"
)

// Log collects JSON lines, so that an Instance can hand a slog.JSONHandler somewhere to write to and answer
// Instance.Log from it. It is safe for concurrent use.
type Log struct {
	// Keep decides which lines are events of a request; nil keeps all.
	Keep func(line json.RawMessage) bool

	mu      sync.Mutex // guards what follows
	events  []json.RawMessage
	all     bytes.Buffer
	changed chan struct{} // closed and replaced when an event comes; nil before the first wait
}

// Write takes one line, as slog's handlers write them.
func (l *Log) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all.Write(line)
	if l.Keep != nil && !l.Keep(line) {
		return len(line), nil
	}
	l.events = append(l.events, slices.Clone(bytes.TrimSpace(line)))
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
	return len(line), nil
}

// String is everything that was logged, for reports.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

// Wait is Instance.Log.
func (l *Log) Wait(ctx context.Context, done func([]json.RawMessage) bool) ([]json.RawMessage, error) {
	for {
		l.mu.Lock()
		events := slices.Clone(l.events)
		if l.changed == nil {
			l.changed = make(chan struct{})
		}
		changed := l.changed
		l.mu.Unlock()
		if done(events) {
			return events, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return events, ctx.Err()
		}
	}
}
