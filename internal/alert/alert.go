// Package alert sends webhooks about budgets to the operator's receiver. They are signed as Standard Webhooks defines it. A webhook that the
// receiver does not accept is sent again, for an hour.
package alert

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/deliver"
)

// Outcome is what became of an event in the end.
type Outcome string

// The outcomes.
const (
	Sent    Outcome = "sent"    // the receiver has taken it
	Failed  Outcome = "failed"  // it was given up, or the program ended before
	Dropped Outcome = "dropped" // too many waited
)

// Outcomes are all of them.
func Outcomes() []Outcome { return []Outcome{Sent, Failed, Dropped} }

// Metrics counts what became of events. It may be called from several goroutines.
type Metrics interface {
	// Alert is called once for each event that was sent, failed or dropped.
	Alert(o Outcome)
}

// Terms say where events go.
type Terms struct {
	URL string
	Key []byte // that signs them
}

// Options are what a Sender needs.
type Options struct {
	Transport http.RoundTripper // such as deliver.Transport
	Agent     string            // as what it names itself
	Log       *slog.Logger
	Metrics   Metrics
	Now       func() time.Time // of the wall clock
}

// Sender sends events, one after the other. It is safe for concurrent use.
type Sender struct {
	o     Options
	added chan struct{} // has one if something was added that Run has not seen

	mu    sync.Mutex // guards what follows; not held while something is sent
	terms *Terms     // nil sends nothing
	queue queue
}

// New returns a Sender that sends nothing until it has Terms and runs.
func New(o Options) *Sender { return &Sender{o: o, added: make(chan struct{}, 1)} }

// Set has events go where the terms say from now on, those that wait, too. With nil none is sent, and those that wait are dropped.
func (s *Sender) Set(t *Terms) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.terms = t
	if t != nil {
		return
	}
	for _, w := range s.queue.events {
		s.drop(w, "alerts were removed from the config")
	}
	s.queue = queue{}
}

// Send has an event sent. It does not wait.
func (s *Sender) Send(e *Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.terms == nil {
		return
	}
	if fallen := s.queue.add(&waiting{Event: e, id: e.id(), body: e.body(), due: e.Time}); fallen != nil {
		s.drop(fallen, fmt.Sprintf("%d newer ones wait, as many as can", most))
	}
	select {
	case s.added <- struct{}{}:
	default:
	}
}

func (s *Sender) drop(w *waiting, why string) {
	s.o.Metrics.Alert(Dropped)
	s.log(slog.LevelError, "an alert was dropped", w, "reason", why)
}

// Run sends events until ctx ends. What waits then is not sent any more.
func (s *Sender) Run(ctx context.Context) {
	defer s.abandon()
	for {
		w, terms := s.next()
		wait := time.Duration(-1) // without an end
		if w != nil {
			wait = max(w.due.Sub(s.o.Now()), 0)
		}
		if wait != 0 {
			if !s.pause(ctx, wait) {
				return
			}
			continue
		}
		err := s.try(ctx, w, terms)
		if ctx.Err() != nil && err != nil {
			return
		}
		s.tried(w, err)
	}
}

// next is the event that is due first, and where it goes.
func (s *Sender) next() (*waiting, *Terms) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queue.next(), s.terms
}

// pause waits until there is something to do. It returns false when ctx has ended.
func (s *Sender) pause(ctx context.Context, wait time.Duration) bool {
	var due <-chan time.Time
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-ctx.Done():
		return false
	case <-s.added:
	case <-due:
	}
	return true
}

// tried says what is to become of an event that was tried. It may have been dropped meanwhile.
func (s *Sender) tried(w *waiting, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.queue.has(w) {
		return
	}
	w.tries++
	if err != nil && w.failed(s.o.Now()) {
		s.log(slog.LevelWarn, "an alert was not delivered, and will be sent again", w, "wait", w.wait.String(), "reason", err.Error())
		return
	}
	s.queue.remove(w)
	if err != nil {
		s.o.Metrics.Alert(Failed)
		s.log(slog.LevelError, "an alert was not delivered within an hour, and is given up", w, "reason", err.Error())
		return
	}
	s.o.Metrics.Alert(Sent)
	s.log(slog.LevelInfo, "an alert was sent", w)
}

// log logs what happened to an event.
func (s *Sender) log(level slog.Level, message string, w *waiting, more ...any) {
	about := []any{"alert", w.id, "of", w.Of, "id", w.OwnerID, "budget", w.Budget, "percent", w.Percent, "tries", w.tries}
	s.o.Log.Log(context.Background(), level, message, append(about, more...)...)
}

// abandon gives up what waits at the end.
func (s *Sender) abandon() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.queue.events {
		s.o.Metrics.Alert(Failed)
		s.log(slog.LevelError, "an alert was not delivered before Weir stopped", w)
	}
	s.queue, s.terms = queue{}, nil
}

// within is how long one try may take.
const within = 15 * time.Second

// try sends an event once. Its error shows nothing of the URL but the host: the rest may hold a credential.
func (s *Sender) try(ctx context.Context, w *waiting, terms *Terms) error {
	h := headers(w.id, s.o.Now(), w.body, terms.Key)
	h["User-Agent"] = []string{s.o.Agent}
	answer, err := (&deliver.Post{Receiver: "the receiver", URL: terms.URL, Header: h, Body: w.body, Within: within}).Send(ctx, s.o.Transport)
	switch {
	case err != nil:
		return err
	case answer.Status/100 == 2:
		return nil
	case answer.Status/100 == 3:
		return fmt.Errorf("the receiver answered %d, and redirects are not followed", answer.Status)
	}
	return fmt.Errorf("the receiver answered %d", answer.Status)
}
