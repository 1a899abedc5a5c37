package storetest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/money"
	"github.com/weirproxy/weir/internal/store"
	"github.com/weirproxy/weir/internal/stored"
)

// Fill fills a store with something of everything: keys and teams of all kinds, model lists, responses, claims and answers, and the rows of
// several instances over some days and time zones, of which the oldest are forgotten.
func Fill(t *testing.T, s Store, random *rand.Rand) {
	t.Helper()
	fillKeys(t, s, random)
	for i := range random.IntN(4) {
		list := store.ModelList{Provider: fmt.Sprint("p", i), JSON: []byte(fmt.Sprintf(`["%c\u00e4"]`, 'a'+i)), FetchedAt: at(i)}
		if err := s.SaveModelList(t.Context(), list); err != nil {
			t.Fatal(err)
		}
	}
	for i := range random.IntN(6) {
		sealed := make([]byte, random.IntN(1000))
		row := stored.Row{ID: fmt.Sprint("resp_", i), KeyID: fmt.Sprintf("%012d", i%3), CreatedAt: at(i), ExpiresAt: at(i).Add(time.Hour), Sealed: sealed}
		if saved, err := s.SaveResponse(t.Context(), row, stored.Bounds{Key: 1 << 20, Total: 1 << 20}); err != nil || !saved {
			t.Fatal(saved, err)
		}
	}
	for i := range random.IntN(6) {
		claim := claimOf(fmt.Sprintf("%012d", i%3), fmt.Sprint(i), at(i))
		if i%2 == 0 {
			keep(t, s, plenty, answerOf(claim, 1+random.IntN(500)))
		} else {
			wantClaimed(t, s, claim, claim.CreatedAt, true)
		}
	}
	fillLedger(t, s, random)
}

func fillKeys(t *testing.T, s Store, random *rand.Rand) {
	t.Helper()
	for i := range random.IntN(3) {
		team := auth.Team{ID: fmt.Sprintf("t%011d", i), Name: fmt.Sprint("team ", i), Models: []string{"a*"}, CreatedAt: at(i)}
		if _, err := s.InsertTeam(t.Context(), team); err != nil {
			t.Fatal(err)
		}
	}
	for i := range random.IntN(12) {
		key := sample(fmt.Sprintf("%012d", i), fmt.Sprintf("key %d \"ü\"", i))
		if i%2 == 0 {
			key.TeamID, key.Limits, key.Idempotency = "t00000000000", auth.Limits{Requests: int64(i + 1), Tokens: 9007199254740993}, time.Hour
			key.Spending = &budget.Policy{Budgets: []budget.Spec{{Limit: 12_500_000_000, Unit: budget.Dollars, Period: budget.Month}}, Strict: true, Warn: []int{50}}
		}
		if i%3 == 0 {
			key.Previous, key.PreviousUntil, key.ExpiresAt, key.Explain = auth.Digest{byte(i), 1}, at(i), at(i+1), true
		}
		insert(t, s, key)
		if i%5 == 4 {
			if _, err := s.UpdateKey(t.Context(), key.ID, func(k *auth.Key) error { k.RevokedAt, k.Cut = at(i), true; return nil }); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func fillLedger(t *testing.T, s Store, random *rand.Rand) {
	t.Helper()
	zones := []*time.Location{nil, time.FixedZone("", 0)}
	for _, name := range []string{"Europe/Berlin", "Asia/Kathmandu"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		zones = append(zones, zone)
	}
	zones[1] = time.UTC
	began, at := callsBegan, ledger.SeqAt(callsBegan)
	for n := range 1 + random.IntN(8) {
		batch := &ledger.Shipment{Instance: fmt.Sprint("i", random.IntN(3)), Upto: ledger.Position{Segment: 1 + uint64(n), Offset: int64(random.IntN(9999))}, Zone: zones[random.IntN(len(zones))]}
		batch.Prices = []ledger.PricedAs{{ID: money.ID(1 + n%3), JSON: []byte(`{"input":1}`)}}
		for range random.IntN(150) {
			at += ledger.Seq(random.Int64N(int64(ledger.SeqAt(began.Add(time.Hour)) - ledger.SeqAt(began))))
			row := full()
			row.Instance, row.Seq, row.Key, row.Model = batch.Instance, at, fmt.Sprintf("%012d", random.IntN(5)), fmt.Sprint("m", random.IntN(4))
			row.Price, row.Cost, row.Flags = money.ID(1+n%3), random.Int64N(1<<40), ledger.Flags(random.IntN(2))
			switch random.IntN(5) {
			case 0:
				row.Request = "an id of another form"
			case 1:
				row.Request = "fifteen letters"
			case 2:
				row.Tags = nil
			}
			batch.Rows = append(batch.Rows, row)
		}
		if err := s.Ship(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	if random.IntN(2) == 0 {
		if _, err := s.Forget(t.Context(), began.Add(3*time.Hour), 10); err != nil {
			t.Fatal(err)
		}
	}
}

// GoOn has a filled store go on as a Weir does: it makes a key, ships rows with old and new names, and keeps an answer.
func GoOn(t *testing.T, s Store) {
	t.Helper()
	_, before := keysSince(t, s, 0)
	insert(t, s, sample("zzzzzzzzzzzz", "one more"))
	if changed, _ := keysSince(t, s, before); len(changed) != 1 {
		t.Errorf("%d keys have changed", len(changed))
	}
	row := call(60 * 24 * 60)
	row.Instance = "i0"
	other := call(60*24*60 + 1)
	other.Instance, other.Key, other.Model, other.Price = "new", "new", "new", 99
	for _, r := range []ledger.Row{row, other} {
		if err := s.Ship(t.Context(), &ledger.Shipment{Instance: r.Instance, Rows: []ledger.Row{r}, Upto: ledger.Position{Segment: 99}}); err != nil {
			t.Fatal(err)
		}
	}
	keep(t, s, plenty, answerOf(claimOf("000000000001", "more", at(9)), 10))
	if deleted, err := s.ForgetIdempotent(t.Context(), at(9).Add(48*time.Hour), 100); err != nil || deleted == 0 {
		t.Errorf("%d answers were deleted, %v", deleted, err)
	}
}
