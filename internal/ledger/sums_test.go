package ledger

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

// Hours and days are those of the wall clock, where it changes and where it is half an hour off, too.
func TestHoursAndDaysAreThoseOfTheWallClock(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ zone, at, hour, day, dayBegins string }{
		{"UTC", "2026-03-01T10:59:59Z", "2026-03-01T10:00:00Z", "2026-03-01", "2026-03-01T00:00:00Z"},
		{"UTC", "1969-12-31T23:30:00Z", "1969-12-31T23:00:00Z", "1969-12-31", "1969-12-31T00:00:00Z"},
		{"Asia/Kolkata", "2026-03-01T18:29:59Z", "2026-03-01T17:30:00Z", "2026-03-01", "2026-02-28T18:30:00Z"},
		{"Asia/Kolkata", "2026-03-01T18:30:00Z", "2026-03-01T18:30:00Z", "2026-03-02", "2026-03-01T18:30:00Z"},
		{"Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25T00:00:00Z", "2026-10-25", "2026-10-24T22:00:00Z"}, // 2:30 for the first time
		{"Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-25T01:00:00Z", "2026-10-25", "2026-10-24T22:00:00Z"}, // and again
		{"Europe/Berlin", "2026-10-25T22:59:00Z", "2026-10-25T22:00:00Z", "2026-10-25", "2026-10-24T22:00:00Z"},
		// Clocks are set forward at midnight: these dates begin at one.
		{"America/Havana", "2026-03-08T05:10:00Z", "2026-03-08T05:00:00Z", "2026-03-08", "2026-03-08T05:00:00Z"},
		{"America/Santiago", "2026-09-06T12:10:00Z", "2026-09-06T12:00:00Z", "2026-09-06", "2026-09-06T04:00:00Z"},
		{"Asia/Beirut", "2026-03-29T12:10:00Z", "2026-03-29T12:00:00Z", "2026-03-29", "2026-03-28T22:00:00Z"},
		{"Asia/Kathmandu", "2026-03-01T00:20:00Z", "2026-03-01T00:15:00Z", "2026-03-01", "2026-02-28T18:15:00Z"},
	} {
		zone, err := time.LoadLocation(tt.zone)
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC3339, tt.at)
		if err != nil {
			t.Fatal(err)
		}
		at = at.In(zone)
		day := DayOf(at)
		got := [...]string{HourOf(at).Begin().UTC().Format(time.RFC3339), day.String(), day.Begin(zone).UTC().Format(time.RFC3339)}
		if diff := cmp.Diff([...]string{tt.hour, tt.day, tt.dayBegins}, got); diff != "" {
			t.Errorf("%s %s: %s", tt.zone, tt.at, diff)
		}
	}
}

// Whatever a span is, its pieces cover it once: hours of whole days that are not summed by the day, and no other time.
func TestPiecesCoverASpanOnce(t *testing.T) {
	t.Parallel()
	var zones []*time.Location
	for _, name := range []string{"UTC", "Asia/Kolkata", "Europe/Berlin", "America/St_Johns", "America/Havana"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		zones = append(zones, zone)
	}
	begin := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		zone := rapid.SampledFrom(zones).Draw(t, "zone")
		since := begin.Add(time.Duration(rapid.Int64Range(0, 60*24*300).Draw(t, "since")) * time.Minute).In(zone)
		until := since.Add(time.Duration(rapid.Int64Range(1, 60*24*9).Draw(t, "minutes")) * time.Minute)
		span := Span{since, until}
		wide := span.Widened()
		at := wide.Since
		for _, p := range span.Pieces(Zones{{Since: 1, Location: zone}}) {
			from, to := Hour(p.From).Begin(), Hour(p.To).Begin()
			if p.Days {
				from, to = Day(p.From).Begin(zone), Day(p.To).Begin(zone)
			} else if DayOf(from.In(zone)) != p.Day || DayOf(to.Add(-1).In(zone)) != p.Day {
				t.Fatalf("%+v has several dates", p)
			}
			if !from.Equal(at) || !to.After(from) {
				t.Fatalf("a piece from %v to %v after %v", from, to, at)
			}
			at = to
		}
		if !at.Equal(wide.Until) {
			t.Fatalf("the pieces of %v end at %v", wide, at)
		}
		if wide.Since.After(since) || since.Sub(wide.Since) >= time.Hour || wide.Until.Before(until) || wide.Until.Sub(until) >= time.Hour {
			t.Fatalf("%v is widened to %v", span, wide)
		}
	})
}

// Facts come back as they were, and what is no facts is refused.
func TestFacts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(-10, 1<<40), rapid.Int64Range(-1<<62, 1<<62))
		text := rapid.OneOf(rapid.Just(""), rapid.StringN(0, 40, 200), rapid.StringMatching("[a-zA-Z0-9_-]{0,140}"), rapid.StringMatching("[a-z0-9\\n\\r=-]{0,12}"))
		n := func(name string) int64 { return number.Draw(t, name) }
		micros := func(name string) time.Duration {
			return time.Duration(rapid.Int64Range(0, 1<<40).Draw(t, name)) * time.Microsecond
		}
		r := Row{Seq: Seq(rapid.Int64Range(1, 1<<52).Draw(t, "seq"))}
		r.Started = r.Seq.Time().Add(-micros("late")).UTC()
		r.ClientID, r.Try, r.Call, r.Credential, r.Hold = text.Draw(t, "client"), int(n("try")), int(n("call")), int(n("credential")), n("hold")
		r.Model, r.Upstream = "m", text.Draw(t, "upstream")
		r.Status, r.Source, r.CostSource, r.Cost, r.Listed = int(n("status")), Counted, money.Unpriced, n("cost")/2, n("listed")/2
		r.Adjusts, r.Reason = max(r.Seq-Seq(rapid.Int64Range(1, 1<<40).Draw(t, "later")), 0), text.Draw(t, "reason")
		r.UpstreamModel, r.UpstreamID = text.Draw(t, "upstream model"), text.Draw(t, "id")
		r.First, r.Took, r.Own = micros("first"), micros("took"), micros("own")
		r.Usage = llm.Usage{
			Fresh: n("fresh"), AudioIn: n("audio"), ImageIn: n("image"), CacheRead: n("read"), CacheWrite: n("write"), CacheWrite1h: n("hour"), Text: n("text"),
			Reasoning: n("reasoning"), AudioOut: n("spoken"), ImageOut: n("painted"), Searches: n("searches"), Tier: text.Draw(t, "tier"),
			Cost: llm.Cost{Nanodollars: rapid.Int64Range(0, 1<<50).Draw(t, "billed"), Known: true},
		}
		for range rapid.IntRange(0, 3).Draw(t, "tags") {
			r.Tags = append(r.Tags, Tag{text.Draw(t, "name"), text.Draw(t, "value")})
		}
		named := rapid.Bool().Draw(t, "named")
		packed := r.AppendFacts(nil, named)
		back := Row{Seq: r.Seq, Intent: Intent{Model: "other", Upstream: "other"}}
		if named {
			back.Model, back.Upstream = r.Model, r.Upstream
		}
		if err := back.ReadFacts(packed); err != nil {
			t.Fatal(err)
		}
		want := r.Kept()
		if !named {
			want.Upstream = bounded(want.Upstream)
		}
		if want.UpstreamModel == bounded(r.Upstream) {
			want.UpstreamModel = back.UpstreamModel // the bound has made them equal
		}
		if diff := cmp.Diff(want, back); diff != "" {
			t.Fatal(diff)
		}
		if cut := rapid.IntRange(0, len(packed)-1).Draw(t, "cut"); new(Row).ReadFacts(packed[:cut]) == nil {
			t.Fatalf("%d bytes of %d were read", cut, len(packed))
		}
		if new(Row).ReadFacts(append(packed, 0)) == nil {
			t.Fatal("more was read")
		}
	})
}

// Ids take 6 bits a character, and what earlier versions wrote whole is read as before.
func TestIdsArePacked(t *testing.T) {
	t.Parallel()
	for text, size := range map[string]int{
		"": 1, "chatcmpl": 8, "chatcmpl-BxYz0189_AbCdEfGhIjKlMnOpQrSt": 2 + 29, "msg_01ABC.": 11, "abc\ndefghijk": 13, strings.Repeat("z", 200): 2 + 96, "a=b=c=d=e=": 11,
	} {
		packed := appendPacked(nil, text)
		if len(packed) != size {
			t.Errorf("%q takes %d bytes, want %d", text, len(packed), size)
		}
		for _, written := range [][]byte{packed, appendText(nil, text)} {
			in := factsReader{rest: written}
			if got := in.packed(); got != bounded(text) || in.bad || len(in.rest) > 0 {
				t.Errorf("%q came back as %q", text, got)
			}
		}
	}
	for _, odd := range [][]byte{{0x80 + 1, 2}, {0xff, 0xff, 3}, binary.AppendUvarint(nil, 2*maxText+1)} {
		in := factsReader{rest: odd}
		if got := in.packed(); got != "" || !in.bad {
			t.Errorf("%v was read as %q", odd, got)
		}
	}
}

func TestTextsAreBoundedAtACharacter(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                            "",
		strings.Repeat("a", 128):      strings.Repeat("a", 128),
		strings.Repeat("a", 129):      strings.Repeat("a", 128),
		strings.Repeat("é", 65):       strings.Repeat("é", 64),
		"a" + strings.Repeat("é", 64): "a" + strings.Repeat("é", 63),
		strings.Repeat("\x80", 200):   strings.Repeat("\x80", 124),
	} {
		if got := bounded(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
