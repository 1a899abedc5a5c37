package storetest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/idempotency"
)

var idempotencyTests = map[string]func(*testing.T, func() Store){
	"a claim is in the way of others":           claimsAreInTheWay,
	"of many claims at once one is made":        oneOfManyClaims,
	"a claim of a dead process is free":         deadClaimsAreFree,
	"a claim becomes an answer":                 claimsBecomeAnswers,
	"only its owner keeps or releases a claim":  claimsAreTheirOwners,
	"records expire":                            recordsExpire,
	"records of revoked keys go":                recordsOfRevokedKeysGo,
	"the oldest answers of a key make room":     oldestOfAKeyMakeRoom,
	"the oldest answers of all make room":       oldestOfAllMakeRoom,
	"what is deleted does not count any longer": deletedAnswersDoNotCount,
}

var plenty = idempotency.Bounds{Key: 1 << 20, Total: 1 << 20}

func owner(instance, epoch string) idempotency.Owner {
	return idempotency.Owner{Instance: instance, Epoch: epoch}
}

// claimOf is the claim of a name, which is a letter, made at a time by instance i in epoch 1.
func claimOf(keyID, name string, made time.Time) idempotency.Record {
	r := idempotency.Record{Owner: owner("i", "1"), CreatedAt: made, Until: made.Add(time.Hour)}
	r.Name = idempotency.Name{KeyID: keyID, Hash: hashOf(keyID + name)}
	r.Request = hashOf("request " + name)
	return r
}

func hashOf(text string) (h idempotency.Hash) {
	copy(h[:], strings.Repeat(text+" ", len(h)))
	return h
}

// answerOf is an answer in the place of a claim.
func answerOf(claim idempotency.Record, size int) idempotency.Record {
	claim.Answer = bytes.Repeat([]byte{0xff}, size)
	return claim
}

// wantClaimed fails unless a claim is made, or another is in the way.
func wantClaimed(t *testing.T, s Store, r idempotency.Record, now time.Time, want bool) idempotency.Record {
	t.Helper()
	other, claimed, err := s.ClaimIdempotent(t.Context(), r, now)
	if err != nil || claimed != want {
		t.Fatalf("claimed: %v, want %v; %v", claimed, want, err)
	}
	return other
}

// keep claims and keeps answers, each at its time.
func keep(t *testing.T, s Store, most idempotency.Bounds, list ...idempotency.Record) {
	t.Helper()
	for _, r := range list {
		claim := r
		claim.Answer = nil
		wantClaimed(t, s, claim, r.CreatedAt, true)
		if kept, err := s.KeepIdempotent(t.Context(), r, most); err != nil || !kept {
			t.Fatalf("kept: %v, %v", kept, err)
		}
	}
}

// wantRecord fails unless the record of a name is as wanted.
func wantRecord(t *testing.T, s Store, want idempotency.Record, now time.Time) {
	t.Helper()
	got, found, err := s.Idempotent(t.Context(), want.Name, now)
	if err != nil || !found {
		t.Fatalf("found: %v, %v", found, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("another record (-want +got):\n%s", diff)
	}
}

// wantFound fails unless exactly the wanted ones of some records are found.
func wantFound(t *testing.T, s Store, now time.Time, list []idempotency.Record, want ...int) {
	t.Helper()
	var got []int
	for i, r := range list {
		_, found, err := s.Idempotent(t.Context(), r.Name, now)
		if err != nil {
			t.Fatal(err)
		}
		if found {
			got = append(got, i)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("there are %v, want %v", got, want)
	}
}

func claimsAreInTheWay(t *testing.T, open func() Store) {
	s, other := open(), open()
	a := claimOf("k", "a", at(0))
	wantClaimed(t, s, a, at(0), true)
	wantRecord(t, other, a, at(1))
	second := claimOf("k", "a", at(1))
	second.Owner = owner("j", "1")
	if got := wantClaimed(t, other, second, at(1), false); !cmp.Equal(got, a) {
		t.Errorf("in the way is %+v", got)
	}
	wantClaimed(t, other, claimOf("k", "b", at(1)), at(1), true)
	wantClaimed(t, other, claimOf("k2", "a", at(1)), at(1), true)
}

func oneOfManyClaims(t *testing.T, open func() Store) {
	stores := []Store{open(), open()}
	var mu sync.Mutex
	claimed := 0
	var all sync.WaitGroup
	for i := range 40 {
		r := claimOf("k", "a", at(0))
		r.Owner = owner(fmt.Sprintf("i%d", i), "1")
		all.Go(func() {
			_, ok, err := stores[i%2].ClaimIdempotent(t.Context(), r, at(0))
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			if ok {
				claimed++
			}
		})
	}
	all.Wait()
	if claimed != 1 {
		t.Errorf("%d claims were made", claimed)
	}
}

func deadClaimsAreFree(t *testing.T, open func() Store) {
	s := open()
	dead := claimOf("k", "a", at(0))
	wantClaimed(t, s, dead, at(0), true)
	again := claimOf("k", "a", at(1))
	again.Owner = owner("i", "2")
	again.Request = hashOf("another request")
	wantClaimed(t, open(), again, at(1), true)
	wantRecord(t, s, again, at(1))

	kept := claimOf("k", "b", at(0))
	keep(t, s, plenty, answerOf(kept, 1))
	kept.Owner = owner("i", "2")
	if got := wantClaimed(t, s, kept, at(1), false); len(got.Answer) != 1 {
		t.Errorf("in the way is %+v", got)
	}
}

func claimsBecomeAnswers(t *testing.T, open func() Store) {
	s, other := open(), open()
	a := claimOf("k", "a", at(0))
	wantClaimed(t, s, a, at(0), true)
	answer := answerOf(a, 5)
	answer.CreatedAt, answer.Until = at(1), at(1).Add(2*time.Hour)
	if kept, err := s.KeepIdempotent(t.Context(), answer, plenty); err != nil || !kept {
		t.Fatal(kept, err)
	}
	wantRecord(t, other, answer, at(0).Add(90*time.Minute))
	if kept, err := s.KeepIdempotent(t.Context(), answer, plenty); err != nil || kept {
		t.Error("an answer was kept in the place of an answer", err)
	}
	if err := s.ReleaseIdempotent(t.Context(), a.Name, a.Owner); err != nil {
		t.Fatal(err)
	}
	wantRecord(t, other, answer, at(2))
}

func claimsAreTheirOwners(t *testing.T, open func() Store) {
	s := open()
	a := claimOf("k", "a", at(0))
	wantClaimed(t, s, a, at(0), true)
	for _, stranger := range []idempotency.Owner{owner("i", "2"), owner("j", "1")} {
		foreign := answerOf(a, 1)
		foreign.Owner = stranger
		if kept, err := s.KeepIdempotent(t.Context(), foreign, plenty); err != nil || kept {
			t.Errorf("%v: kept %v, %v", stranger, kept, err)
		}
		if err := s.ReleaseIdempotent(t.Context(), a.Name, stranger); err != nil {
			t.Error(err)
		}
		wantRecord(t, s, a, at(1))
	}
	if err := s.ReleaseIdempotent(t.Context(), a.Name, a.Owner); err != nil {
		t.Fatal(err)
	}
	wantFound(t, s, at(1), []idempotency.Record{a})
	if kept, err := s.KeepIdempotent(t.Context(), answerOf(a, 1), plenty); err != nil || kept {
		t.Error("an answer was kept without a claim", err)
	}
}

func recordsExpire(t *testing.T, open func() Store) {
	s := open()
	var list []idempotency.Record
	for _, name := range []string{"a", "b", "c", "d"} {
		r := claimOf("k", name, at(0))
		if name == "d" {
			r.Until = r.Until.Add(time.Hour)
		}
		list = append(list, r)
	}
	keep(t, s, plenty, answerOf(list[0], 1), answerOf(list[1], 1), answerOf(list[3], 1))
	wantClaimed(t, s, list[2], at(0), true)
	end := at(0).Add(time.Hour)
	wantFound(t, s, end.Add(-time.Microsecond), list, 0, 1, 2, 3)
	wantFound(t, s, end, list, 3)
	other := claimOf("k", "c", end)
	other.Owner = owner("j", "1")
	wantClaimed(t, s, other, end, true) // before the old one is deleted
	wantRecord(t, s, other, end)
	for _, want := range []int{1, 1, 0} {
		if n, err := s.ForgetIdempotent(t.Context(), end, 1); err != nil || n != want {
			t.Errorf("%d were deleted, want %d: %v", n, want, err)
		}
	}
	wantFound(t, s, at(1), list, 2, 3)
}

func recordsOfRevokedKeysGo(t *testing.T, open func() Store) {
	s := open()
	dead, living := sample("000000000001", "dead"), sample("000000000002", "living")
	dead.RevokedAt = at(1)
	insert(t, s, dead, living)
	list := []idempotency.Record{claimOf(dead.ID, "a", at(0)), claimOf(dead.ID, "b", at(0)), claimOf(living.ID, "a", at(0)), claimOf("cfg-file", "a", at(0)), claimOf(dead.ID, "runs", at(0))}
	for _, r := range list[:4] {
		keep(t, s, plenty, answerOf(r, 1))
	}
	wantClaimed(t, s, list[4], at(0), true)
	for _, want := range []int{1, 1, 0} {
		if n, err := s.ForgetIdempotent(t.Context(), at(1), 1); err != nil || n != want {
			t.Errorf("%d were deleted, want %d: %v", n, want, err)
		}
	}
	wantFound(t, s, at(1), list, 2, 3, 4)
}

const answerSize = 100 + idempotency.RowBytes

func oldestOfAKeyMakeRoom(t *testing.T, open func() Store) {
	s := open()
	most := idempotency.Bounds{Key: 2 * answerSize, Total: 100 * answerSize}
	list := []idempotency.Record{claimOf("k", "a", at(0)), claimOf("k2", "a", at(0)), claimOf("k", "b", at(1)), claimOf("k", "c", at(2)), claimOf("k", "runs", at(0))}
	wantClaimed(t, s, list[4], at(0), true)
	for _, r := range list[:4] {
		keep(t, s, most, answerOf(r, 100))
	}
	wantFound(t, s, at(3), list, 1, 2, 3, 4)
	big := claimOf("k", "big", at(3))
	wantClaimed(t, s, big, at(3), true)
	if kept, err := s.KeepIdempotent(t.Context(), answerOf(big, 2*answerSize), most); err != nil || kept {
		t.Errorf("one that is larger than the bounds was kept: %v, %v", kept, err)
	}
	wantFound(t, s, at(3), list, 1, 2, 3, 4)
	if kept, err := s.KeepIdempotent(t.Context(), answerOf(big, 2*100+idempotency.RowBytes), most); err != nil || !kept {
		t.Errorf("one as large as the bounds was not kept: %v, %v", kept, err)
	}
	wantFound(t, s, at(3), list, 1, 4)
}

func oldestOfAllMakeRoom(t *testing.T, open func() Store) {
	s := open()
	most := idempotency.Bounds{Key: 3 * answerSize, Total: 3 * answerSize}
	list := []idempotency.Record{claimOf("k1", "a", at(1)), claimOf("k2", "a", at(0)), claimOf("k3", "a", at(2)), claimOf("k4", "a", at(3))}
	for _, r := range list {
		keep(t, s, most, answerOf(r, 100))
	}
	wantFound(t, s, at(4), list, 0, 2, 3)
}

func deletedAnswersDoNotCount(t *testing.T, open func() Store) {
	s := open()
	most := idempotency.Bounds{Key: 2 * answerSize, Total: 2 * answerSize}
	dead := sample("000000000001", "dead")
	dead.RevokedAt = at(1)
	insert(t, s, dead)
	gone := []idempotency.Record{claimOf(dead.ID, "a", at(0)), claimOf("k", "expires", at(0))}
	for _, r := range gone {
		keep(t, s, most, answerOf(r, 100))
	}
	late := at(0).Add(time.Hour)
	again := claimOf("k", "expires", late)
	keep(t, s, most, answerOf(again, 100)) // in the place of the expired one
	if n, err := s.ForgetIdempotent(t.Context(), late, 10); err != nil || n != 1 {
		t.Errorf("%d were deleted: %v", n, err)
	}
	b := claimOf("k", "b", late.Add(time.Second))
	keep(t, s, most, answerOf(b, 100))
	wantFound(t, s, late.Add(time.Minute), []idempotency.Record{again, b}, 0, 1)
}
