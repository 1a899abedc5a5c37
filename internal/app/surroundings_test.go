package app

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/store/postgres"
)

// That clocks are apart is said when it begins, whichever is ahead, and again after it was over.
func TestClocksThatAreApartAreSaid(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	o := surroundings{log: slog.New(slog.NewJSONHandler(&log, nil)), name: "w"}
	for i, tt := range []struct {
		ahead time.Duration
		said  int // so far
	}{{time.Second, 0}, {6 * time.Second, 1}, {7 * time.Second, 1}, {-time.Second, 1}, {-time.Minute, 2}} {
		o.learn(&postgres.Standing{Name: "w", Ahead: tt.ahead})
		if n := strings.Count(log.String(), "are apart"); n != tt.said {
			t.Errorf("%d: it was said %d times, want %d", i, n, tt.said)
		}
	}
}
