package admin_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/admin"
	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/ledger"
)

// held are reports that wait until they are let go.
type held struct {
	ledger.Reports
	begun        chan struct{}
	letGo        chan struct{}
	running, all atomic.Int64
	most         atomic.Int64
}

// Usage implements ledger.Reports.
func (h *held) Usage(ctx context.Context, q *ledger.UsageQuery) ([]ledger.UsageLine, error) {
	if now := h.running.Add(1); now > h.most.Load() {
		h.most.Store(now)
	}
	defer h.running.Add(-1)
	if h.all.Add(1) == 1 {
		close(h.begun)
	}
	<-h.letGo
	return h.Reports.Usage(ctx, q)
}

// Two hundred tabs ask at once. One report is made at a time, whatever else is asked of the admin API is answered meanwhile, and each tab gets its answer.
func TestTwoHundredTabs(t *testing.T) {
	t.Parallel()
	var reports *held
	s := newServer(t, func(o *admin.Options) {
		reports = &held{Reports: o.Reports, begun: make(chan struct{}), letGo: make(chan struct{})}
		o.Reports = reports
	})
	s.ship()
	statuses := make([]int, 200)
	var tabs sync.WaitGroup
	for i := range statuses {
		tabs.Go(func() {
			query := "by=key,day&since=90d"
			if i%2 == 1 {
				query = "by=key,hour&since=90d"
			}
			statuses[i] = s.do("GET", "/admin/v1/usage?"+query, "").status
		})
	}
	<-reports.begun
	for _, call := range [][3]string{{"GET", "/healthz", ""}, {"GET", "/admin/v1/keys", ""}, {"POST", "/admin/v1/keys", `{"name":"new","models":["*"]}`}, {"GET", "/metrics", ""}} {
		if got := s.do(call[0], call[1], call[2]); got.status != 200 {
			t.Errorf("%s %s: %d %s", call[0], call[1], got.status, got.body)
		}
	}
	close(reports.letGo)
	tabs.Wait()
	for i, status := range statuses {
		if want := []int{200, 400}[i%2]; status != want {
			t.Fatalf("tab %d got %d, want %d", i, status, want)
		}
	}
	if most, all := reports.most.Load(), reports.all.Load(); most != 1 || all != 100 {
		t.Errorf("%d reports at once, %d in all", most, all)
	}
}

// Calls that are numbered ahead of a clock that was set back are found: among requests at once, in sums when the span has them.
func TestAClockThatWasSetBack(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	s.ship()
	s.now = start.Add(-3 * time.Hour)
	until := start.Format(time.RFC3339)
	for path, want := range map[string]int{
		"requests": 2, "requests?since=24h": 2, "requests?until=" + until: 2, "attempts": 3, "usage": 0, "usage?until=" + until: 2, "latency": 0, "latency?until=" + until: 1,
	} {
		var page struct{ Data []json.RawMessage }
		got := s.do("GET", "/admin/v1/"+path, "")
		if err := json.Unmarshal([]byte(got.body), &page); err != nil || got.status != 200 || len(page.Data) != want {
			t.Errorf("%s: %d, %d lines, want %d: %v", path, got.status, len(page.Data), want, err)
		}
	}
}

// Cursors of another list, of another kind, and made up ones are refused. A true one of long ago is no error.
func TestBrokenCursors(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	s.ship()
	page := ledger.Place{Seq: 5, Instance: "one"}.Cursor()
	spot := *(&ledger.Spot{Below: 5, From: 6}).Cursor()
	for i, path := range []string{"requests?cursor=" + page, "attempts?cursor=" + spot, "requests?cursor=" + spot[1:], "requests?cursor=%00", "requests?cursor=" + fmt.Sprintf("%0500d", 1), "requests?cursor=" + *(&ledger.Spot{Below: 6, From: 5}).Cursor()} {
		if got := s.do("GET", "/admin/v1/"+path, ""); got.status != 400 {
			t.Errorf("%d: %d %s", i, got.status, got.body)
		}
	}
	for _, path := range []string{"requests?cursor=" + spot, "attempts?cursor=" + page} {
		if got := s.do("GET", "/admin/v1/"+path, ""); got.status != 200 {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
}

// breaking are reports of which the first panics.
type breaking struct {
	ledger.Reports
	asked atomic.Int64
}

// Usage implements ledger.Reports.
func (b *breaking) Usage(ctx context.Context, q *ledger.UsageQuery) ([]ledger.UsageLine, error) {
	if b.asked.Add(1) == 1 {
		panic("the roof")
	}
	return b.Reports.Usage(ctx, q)
}

// A report that panics ends with an error, and gives its turn to the next.
func TestAReportThatPanicsFreesItsTurn(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(o *admin.Options) { o.Reports = &breaking{Reports: o.Reports} })
	for _, want := range []int{500, 200} {
		if got := s.do("GET", "/admin/v1/usage", ""); got.status != want {
			t.Errorf("%d %s, want %d", got.status, got.body, want)
		}
	}
}

// Large requests are explained one after the other, and small ones meanwhile.
func TestLargeRequestsAreExplainedInTurn(t *testing.T) {
	t.Parallel()
	large, begun, letGo := strings.Repeat(" ", 100_000)+"{}", make(chan struct{}, 10), make(chan struct{})
	var running, most atomic.Int64
	s := newServer(t, func(o *admin.Options) {
		o.Explain = func(_ context.Context, _ *auth.Principal, _ string, body []byte) (admin.Explanation, error) {
			if len(body) < len(large) {
				return admin.Explanation{}, nil
			}
			most.Store(max(most.Load(), running.Add(1)))
			defer running.Add(-1)
			begun <- struct{}{}
			<-letGo
			return admin.Explanation{}, nil
		}
	})
	var tabs sync.WaitGroup
	for range 10 {
		tabs.Go(func() {
			if got := s.do("POST", "/admin/v1/explain?model=m", large); got.status != 200 {
				t.Errorf("%d %s", got.status, got.body)
			}
		})
	}
	<-begun
	for _, call := range [][2]string{{"POST", "{}"}, {"GET", ""}} {
		if got := s.do(call[0], "/admin/v1/explain?model=m", call[1]); got.status != 200 {
			t.Errorf("%s: %d %s", call[0], got.status, got.body)
		}
	}
	close(letGo)
	tabs.Wait()
	if most.Load() != 1 {
		t.Errorf("%d at once", most.Load())
	}
}
