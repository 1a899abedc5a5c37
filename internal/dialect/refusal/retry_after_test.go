package refusal

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		ms, value string
		want      time.Duration
	}{
		{"", "", 0},
		{"", "7", 7 * time.Second},
		{"", "0.5", 500 * time.Millisecond},
		{"", "Sat, 21 Nov 2026 12:00:30 GMT", 30 * time.Second},
		{"", "Sat, 21 Nov 2026 11:00:00 GMT", 0},
		{"", "soon", 0},
		{"", "-3", 0},
		{"", "NaN", 0},
		{"", "1e300", 0},
		{"250", "7", 250 * time.Millisecond},
		{"0", "1", time.Second},
	} {
		h := http.Header{}
		h.Set("Retry-After-Ms", tt.ms)
		h.Set("Retry-After", tt.value)
		if got := retryAfter(h, now); got != tt.want {
			t.Errorf("%q, %q: %v, want %v", tt.ms, tt.value, got, tt.want)
		}
	}
}

// Where no header says how long to wait, the message may, in the words that clients look for. They are not
// repeated.
func TestRetryAfterInWords(t *testing.T) {
	t.Parallel()
	var vendor Vendor
	never := func(string) bool { return false }
	for message, want := range map[string]time.Duration{
		"Limit 3, Used 3.":                                0,
		"Limit 3, Used 3. Please try again in 6ms.":       6 * time.Millisecond,
		"Limit 3, Used 3. Please try again in 20s. Visit": 20 * time.Second,
		"Limit 3, Used 3. Please try again in 7m12.5s.":   7*time.Minute + 12500*time.Millisecond,
		"Limit 3, Used 3. Please try again in 1h12m0s.":   72 * time.Minute,
		"Limit 3, Used 3. Please retry in 34.074824224s.": 34074824224 * time.Nanosecond,
		"Limit 3, Used 3. Please retry after 1 second.":   time.Second,
		"Limit 3, Used 3. please retry after 20 Seconds.": 20 * time.Second,
		"Limit 3, Used 3. Please try again in 2 minutes.": 2 * time.Minute,
		"Limit 3, Used 3. Please try again in 9.":         9 * time.Second,
		"Limit 3, Used 3. Please try again in 3 days.":    0,
		"Limit 3, Used 3. Please try again later.":        0,
	} {
		body := fmt.Appendf(nil, `{"error":{"message":%q}}`, message)
		m := vendor.Read(http.StatusTooManyRequests, nil, body, never, time.Time{})
		if m.RetryAfter != want {
			t.Errorf("%s: %v", message, m.RetryAfter)
		}
		if rest := strings.TrimPrefix(m.Said, "Limit 3, Used 3."); strings.ContainsAny(rest, "0123456789") || strings.Contains(message, "Visit") != strings.HasSuffix(rest, " Visit") {
			t.Errorf("%s: %q is told on", message, rest)
		}
		if told := vendor.Read(http.StatusTooManyRequests, http.Header{"Retry-After": {"7"}}, body, never, time.Time{}).RetryAfter; told != 7*time.Second {
			t.Errorf("%s: %v, though the header says 7 s", message, told)
		}
	}
}
