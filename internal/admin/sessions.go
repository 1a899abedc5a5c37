package admin

import (
	"container/list"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"sync"
	"time"
)

const (
	sessionLasts = time.Hour // of a session that the admin token made, used or not
	maxSessions  = 256       // at once; the oldest ends for a new one
	idBytes      = 32        // of randomness in the id of a session
)

// sessions are those of this process. They are in its memory alone: after a restart, and at another Weir, the console asks for the token again. It is
// safe for concurrent use.
type sessions struct {
	mu  sync.Mutex // guards what follows
	by  map[[sha256.Size]byte]*list.Element
	age list.List // of *session, the oldest first
}

// session is one browser that the admin token was given to.
type session struct {
	digest  [sha256.Size]byte // of its id, which only the browser has
	expires time.Time
	ended   context.Context // ends when the session is ended early
	end     context.CancelFunc
}

// begin makes a session at now, and returns it with its id.
func (s *sessions) begin(now time.Time) (*session, string) {
	bits := make([]byte, idBytes)
	_, _ = rand.Read(bits) // it never fails
	id := base64.RawURLEncoding.EncodeToString(bits)
	one := &session{digest: sha256.Sum256([]byte(id)), expires: now.Add(sessionLasts)}
	one.ended, one.end = context.WithCancel(context.Background())
	s.mu.Lock()
	defer s.mu.Unlock()
	for oldest := s.age.Front(); oldest != nil; oldest = s.age.Front() {
		if old := oldest.Value.(*session); s.age.Len() < maxSessions && !old.over(now) {
			break
		}
		s.drop(oldest)
	}
	if s.by == nil {
		s.by = map[[sha256.Size]byte]*list.Element{}
	}
	s.by[one.digest] = s.age.PushBack(one)
	return one, id
}

// find returns the session with an id that goes on at now; nil without one. It looks the id's digest up, so that the time that takes says
// nothing about other ids.
func (s *sessions) find(id string, now time.Time) *session {
	digest := sha256.Sum256([]byte(id))
	s.mu.Lock()
	defer s.mu.Unlock()
	element, ok := s.by[digest]
	if !ok {
		return nil
	}
	one := element.Value.(*session)
	if one.over(now) {
		s.drop(element)
		return nil
	}
	return one
}

// finish ends a session.
func (s *sessions) finish(one *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if element, ok := s.by[one.digest]; ok {
		s.drop(element)
	}
}

// drop forgets a session, and ends what goes on in it. s.mu is held.
func (s *sessions) drop(element *list.Element) {
	one := element.Value.(*session)
	delete(s.by, one.digest)
	s.age.Remove(element)
	one.end()
}

// over reports whether the time of the session is over at now: by the clock on the wall, which goes on while the machine sleeps, or by the steady one,
// which cannot be put back.
func (s *session) over(now time.Time) bool {
	return !now.Before(s.expires) || !now.Round(0).Before(s.expires.Round(0))
}

// during is a context that ends with the session, too. Its cancel function must be called.
func (s *session) during(ctx context.Context, now time.Time) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, s.expires.Sub(now))
	forget := context.AfterFunc(s.ended, cancel)
	return ctx, func() { forget(); cancel() }
}
