package postgres

import (
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/idempotency"
)

// A claim is its replica's: another may not have it before its time is over, or before its replica is forgotten. The replica, if it lives after all,
// finds that it lost the claim.
func TestClaimsOfForgottenReplicasAreFree(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	lost, other := open(t, url), open(t, url)
	member(t, lost, "lost")
	member(t, other, "other")
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	claim := func(replica, name string) idempotency.Record {
		r := idempotency.Record{Owner: idempotency.Owner{Instance: replica, Epoch: replica + "'s"}, CreatedAt: now, Until: now.Add(time.Minute)}
		r.Name = idempotency.Name{KeyID: "k", Hash: idempotency.Hash{name[0]}}
		return r
	}
	claims := func(db *DB, r idempotency.Record, at time.Time, want bool) {
		t.Helper()
		if before, claimed, err := db.ClaimIdempotent(t.Context(), r, at); claimed != want || err != nil || !want && before.Owner.Instance != "lost" {
			t.Errorf("%s: claimed %v, after %+v, %v", r.Owner.Instance, claimed, before.Owner, err)
		}
	}
	for _, name := range []string{"a", "b", "c"} {
		claims(lost, claim("lost", name), now, true)
		claims(other, claim("other", name), now.Add(59*time.Second), false)
	}
	answered := claim("lost", "c")
	answered.Answer = []byte("an answer")
	bounds := idempotency.Bounds{Key: 1 << 20, Total: 1 << 20}
	if kept, err := lost.KeepIdempotent(t.Context(), answered, bounds); !kept || err != nil {
		t.Fatal(kept, err)
	}
	claims(other, claim("other", "a"), now.Add(time.Minute), true) // its time is over
	if err := NewEscrow(other, nothing).Forget(t.Context(), "lost", true); err != nil {
		t.Fatal(err)
	}
	claims(other, claim("other", "b"), now.Add(time.Second), true)  // its replica is forgotten
	claims(other, claim("other", "c"), now.Add(time.Second), false) // an answer stays
	late := claim("lost", "b")
	late.Answer = []byte("late")
	if kept, err := lost.KeepIdempotent(t.Context(), late, bounds); kept || err != nil {
		t.Errorf("the forgotten replica kept an answer: %v, %v", kept, err)
	}
}
