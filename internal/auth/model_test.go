package auth_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/auth"
)

// known is what the test remembers of one secret: whose it is, and until when it works. The rules for that are
// written here a second time, as simply as possible.
type known struct {
	id    string
	until time.Time // zero for as long as the key works
	dead  bool
}

// machine drives Keys at random and compares them with the simple model.
type machine struct {
	room    *room
	keys    *auth.Keys
	secrets map[string]*known
	current map[string]string    // the newest secret of each living key, by id
	expires map[string]time.Time // by id; zero is never
	made    int
}

func (m *machine) living(rt *rapid.T) string {
	ids := slices.Sorted(maps.Keys(m.current))
	if len(ids) == 0 {
		rt.Skip("no key lives")
	}
	return rapid.SampledFrom(ids).Draw(rt, "key")
}

func drawWait(rt *rapid.T, name string) time.Duration {
	return time.Duration(rapid.IntRange(0, 5).Draw(rt, name)) * time.Minute
}

func (m *machine) create(rt *rapid.T) {
	m.made++
	draft := auth.Draft{Name: fmt.Sprint("k", m.made)}
	if wait := drawWait(rt, "expires"); wait > 0 {
		draft.ExpiresAt = m.room.clock.now().Add(wait)
	}
	key, text, err := m.keys.Create(rt.Context(), draft)
	if err != nil {
		rt.Fatal(err)
	}
	m.current[key.ID], m.expires[key.ID] = text.Reveal(), draft.ExpiresAt
	m.secrets[text.Reveal()] = &known{id: key.ID}
}

func (m *machine) rotate(rt *rapid.T) {
	id, grace, now := m.living(rt), drawWait(rt, "grace"), m.room.clock.now()
	_, text, err := m.keys.Rotate(rt.Context(), id, grace)
	if expired := !m.expires[id].IsZero() && !now.Before(m.expires[id]); expired != (err != nil) {
		rt.Fatalf("expired %v, error %v", expired, err)
	}
	if err != nil {
		return
	}
	for _, secret := range m.secrets {
		secret.dead = secret.dead || secret.id == id && !secret.until.IsZero() // the one before the last
	}
	m.secrets[m.current[id]].until = now.Add(grace)
	m.current[id] = text.Reveal()
	m.secrets[text.Reveal()] = &known{id: id}
}

func (m *machine) revoke(rt *rapid.T) {
	id := m.living(rt)
	if _, err := m.keys.Revoke(rt.Context(), id, rapid.Bool().Draw(rt, "now")); err != nil {
		rt.Fatal(err)
	}
	delete(m.current, id)
	for _, secret := range m.secrets {
		secret.dead = secret.dead || secret.id == id
	}
}

func (m *machine) extend(rt *rapid.T) {
	id, at := m.living(rt), time.Time{}
	if wait := drawWait(rt, "expires"); wait > 0 {
		at = m.room.clock.now().Add(wait)
	}
	if _, err := m.keys.Update(rt.Context(), id, auth.Change{ExpiresAt: &at}); err != nil {
		rt.Fatal(err)
	}
	m.expires[id] = at
}

func (m *machine) check(rt *rapid.T) {
	now := m.room.clock.now()
	for text, secret := range m.secrets {
		want := !secret.dead &&
			(secret.until.IsZero() || now.Before(secret.until)) &&
			(m.expires[secret.id].IsZero() || now.Before(m.expires[secret.id]))
		p, err := m.keys.Authenticate(text)
		if want != (err == nil) || want && p.KeyID != secret.id {
			rt.Fatalf("a secret of %s: let in %v, want %v (%+v, now %v)", secret.id, err == nil, want, secret, now)
		}
	}
}

// Whatever is done to keys in whatever order, restarts included, Authenticate agrees with the model.
func TestKeysAgreeWithTheModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := newRoom(t)
		m := &machine{room: r, keys: r.Keys, secrets: map[string]*known{}, current: map[string]string{}, expires: map[string]time.Time{}}
		rt.Repeat(map[string]func(*rapid.T){
			"create":  m.create,
			"rotate":  m.rotate,
			"revoke":  m.revoke,
			"extend":  m.extend,
			"wait":    func(rt *rapid.T) { r.clock.advance(drawWait(rt, "wait")) },
			"restart": func(*rapid.T) { m.keys = r.reopen(t) },
			"":        m.check,
		})
	})
}
