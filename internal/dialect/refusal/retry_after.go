package refusal

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// retryHint is what an upstream says of waiting. It is not repeated: clients look for that sentence in a message,
// and should find only Weir's own.
var retryHint = regexp.MustCompile(`(?i)\s*please (?:try again|retry) (?:in|after) (\d+(?:\.\d+)? ?[a-z]*(?:\d+(?:\.\d+)?[a-z]+)*)\.?`)

// accountID is how xAI and NVIDIA name the account that lacks a model.
var accountID = regexp.MustCompile(`\b(team|account) '?[A-Za-z0-9_-]{20,}'?`)

// inWords are the units of time that upstreams spell out.
var inWords = strings.NewReplacer(" ", "", "milliseconds", "ms", "seconds", "s", "second", "s", "secs", "s", "sec", "s",
	"minutes", "m", "minute", "m", "mins", "m", "min", "m", "hours", "h", "hour", "h")

// first is the part of a message that is read for its meaning: an upstream could make a longer one slow to read.
func first(message string) string { return message[:min(len(message), 4<<10)] }

// tellable is what may be repeated of a message: without how long to wait, and whose account it is.
func tellable(message string) string {
	return accountID.ReplaceAllString(retryHint.ReplaceAllString(first(strings.TrimSpace(message)), ""), "$1 [hidden]")
}

// hinted is how long a message asks to wait, 0 if it does not.
func hinted(message string) time.Duration {
	match := retryHint.FindStringSubmatch(first(message))
	if match == nil {
		return 0
	}
	text := inWords.Replace(strings.ToLower(match[1]))
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		text += "s"
	}
	d, _ := time.ParseDuration(text) // what is no time asks for none
	return d
}

// retryAfter reads how long the upstream asks to wait, 0 if it does not say. It reads retry-after-ms when it is
// above zero (Azure sends 0), otherwise retry-after as seconds or as a date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e10 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	value := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		if s > 0 && s < 1e7 {
			return time.Duration(s * float64(time.Second))
		}
		return 0
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
