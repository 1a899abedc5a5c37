package postgres

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/money"
)

const (
	// A copy of all tables, as a standby has it that lacks what is committed from now on.
	sqlStandby = `
	DO $$ DECLARE t TEXT; BEGIN
		CREATE SCHEMA standby;
		FOR t IN SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' LOOP
			EXECUTE format('CREATE TABLE standby.%I AS TABLE public.%I', t, t);
		END LOOP;
	END $$`

	sqlFailOver = `
	DO $$ DECLARE t TEXT; BEGIN
		FOR t IN SELECT table_name FROM information_schema.tables WHERE table_schema = 'standby' LOOP
			EXECUTE format('DELETE FROM public.%I', t);
			EXECUTE format('INSERT INTO public.%I TABLE standby.%I', t, t);
		END LOOP;
	END $$`
)

// A database that fails over to a copy without the last commits has forgotten numbers of names and prices, too, and gives them to others. A replica that
// knew them, its own or read, ships nothing under a number that is another's by now.
func TestForgottenNumbersAreNotUsed(t *testing.T) {
	t.Parallel()
	for _, fresh := range []string{"", "fresh", "lost-2"} { // who takes the numbers: no one, another name, or one of the lost names
		url := server.Database(t)
		a, b, c := open(t, url), open(t, url), open(t, url)
		at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
		want := map[string]int64{}
		prices := map[string]int{}
		ship := func(db *DB, instance, model string, price money.ID) {
			t.Helper()
			at = at.Add(time.Minute)
			s := shipmentOf(instance, at, 1)
			s.Rows[0].Model, s.Rows[0].Price = model, price
			if err := db.Ship(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			want[model]++
			prices[fmt.Sprint(model, " ", price)]++
		}
		ship(a, "a", "kept", 1)
		ship(b, "b", "kept", 1)
		edit(t, url, sqlStandby)
		ship(a, "a", "lost-1", 11)
		ship(a, "a", "lost-2", 12)
		ship(b, "b", "lost-1", 12) // which reads all that a has numbered
		edit(t, url, sqlFailOver)
		clear(want)
		clear(prices)
		want["kept"], prices["kept 1"] = 2, 2
		if fresh != "" {
			ship(c, "c", fresh, 13)
			ship(c, "c", fresh+"-too", 14)
		}
		ship(b, "b", "lost-2", 12)
		ship(b, "b", "lost-1", 11)
		ship(a, "a", "lost-1", 11)
		ship(a, "a", "lost-2", 12)
		list, _, err := c.Rows(t.Context(), &ledger.RowsQuery{Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		got, gotPrices := map[string]int64{}, map[string]int{}
		for i := range list {
			gotPrices[fmt.Sprint(list[i].Model, " ", list[i].Price)]++
		}
		for _, db := range []*DB{a, b, c} {
			clear(got)
			for _, line := range sumsOf(t, db)[ledger.ByModel] {
				got[line.Group] += line.Attempts
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("after %q: %s", fresh, diff)
			}
		}
		if diff := cmp.Diff(prices, gotPrices); diff != "" {
			t.Errorf("after %q: %s", fresh, diff)
		}
	}
}
