package budget

import (
	"testing"
	"time"
)

// The name of a shared budget says all that is to be known of it, whatever the owner is called.
func TestSharedNamesSayWhatTheyName(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Australia/Lord_Howe")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 4, 5, 1, 50, 0, 0, zone)
	for _, o := range []Owner{{Key, "k"}, {Team, "a/b"}} {
		for u := range unitNames {
			for p := range periods {
				from, to := Period(p).Around(now, zone)
				span, unit, err := o.Share(Unit(u), Period(p), from).Span(zone)
				if err != nil || unit != Unit(u) || span.Owner != o || !span.From.Equal(from) || !span.To.Equal(to) {
					t.Errorf("%v %v %v: %+v %v %v", o, u, p, span, unit, err)
				}
			}
		}
	}
	for _, bad := range []string{"", "usd/month/key", "eur/month/key/k", "usd/year/key/k", "usd/month/user/k"} {
		if _, _, err := (Shared{Budget: bad}).Span(zone); err == nil {
			t.Errorf("%q is a budget", bad)
		}
	}
}

// What calls took is added up by the periods in which they began.
func TestTakenAddsUpByPeriods(t *testing.T) {
	t.Parallel()
	taken := NewTaken(time.UTC)
	at := time.Date(2026, 3, 31, 23, 59, 0, 0, time.UTC)
	taken.Add("k", "t", at, Amount{5, 7})
	taken.Add("k", "", at.Add(2*time.Minute), Amount{1, 2})
	taken.Add("k", "", at, Amount{-5, 0})
	got := map[Shared]int64{}
	taken.All(func(name Shared, took int64) { got[name] = took })
	march, _ := Month.Around(at, time.UTC)
	april, _ := Month.Around(at.Add(time.Hour), time.UTC)
	for name, want := range map[Shared]int64{
		{Budget: "usd/month/team/t", Period: march.Unix()}: 5,
		{Budget: "usd/total/team/t"}:                       5,
		{Budget: "usd/month/key/k", Period: april.Unix()}:  1,
		{Budget: "usd/total/key/k"}:                        1,
		{Budget: "tok/total/key/k"}:                        9,
		{Budget: "tok/month/key/k", Period: march.Unix()}:  7,
		{Budget: "usd/month/key/k", Period: march.Unix()}:  0,
	} {
		if got[name] != want {
			t.Errorf("%v: %d, want %d", name, got[name], want)
		}
	}
}
