package ledger

import (
	"context"
	"encoding/base64"
	"errors"
	"net/url"
	"testing"
	"testing/synctest"
	"time"
)

// slow are reports of a call each millisecond, whose pages take a second each.
type slow struct{ Reports }

// Rows implements Reports.
func (slow) Rows(ctx context.Context, q *RowsQuery) (rows []Row, more bool, err error) {
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
		return nil, false, context.Cause(ctx)
	}
	for at := q.Before.Seq - 1; len(rows) < q.Limit; at -= 1000 {
		rows = append(rows, Row{Seq: at, Intent: Intent{Request: at.Time().String()}})
	}
	return rows, true, nil
}

// A search that begins in the middle reads what may belong to its first requests, but not for ever.
func TestASearchFailsInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if _, err := Requests(t.Context(), slow{}, &RequestsQuery{Span: Span{Until: began}, Limit: 10}); !errors.Is(err, ErrTooLong) || time.Since(began) > 15*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// A cursor goes no farther back up than calls of a request may be.
func TestCursorsOfRequests(t *testing.T) {
	t.Parallel()
	ask := func(s Spot) error {
		_, err := AskRequests(url.Values{"cursor": {*s.Cursor()}}, time.Now())
		return err
	}
	hour := Seq(time.Hour.Microseconds())
	for _, s := range []Spot{{5, 5}, {5, 5 + hour}, {1e15, 1e15 + 1}, {maxSeq, maxSeq}} {
		if err := ask(s); err != nil {
			t.Errorf("%v: %v", s, err)
		}
	}
	for _, s := range []Spot{{1, maxSeq}, {5, 6 + hour}, {6, 5}, {0, 5}, {maxSeq, maxSeq + 1}} {
		if wrong := (*AskError)(nil); !errors.As(ask(s), &wrong) || wrong.Param != "cursor" {
			t.Errorf("%v: %v", s, ask(s))
		}
	}
	if _, err := AskRequests(url.Values{"cursor": {base64.RawURLEncoding.EncodeToString([]byte("05-5"))}}, time.Now()); err == nil {
		t.Error("another spelling of a cursor passes")
	}
}
