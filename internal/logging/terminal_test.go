package logging

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// onTerminal is what people read of an event, without its time.
func onTerminal(t *testing.T, colour bool, level slog.Level, msg string, args ...any) string {
	t.Helper()
	var out bytes.Buffer
	o := Options{Format: "text", Colour: colour}
	r := slog.NewRecord(time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC), level, msg, 0)
	r.Add(args...)
	if err := o.handler(&out).Handle(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	rest, ok := strings.CutPrefix(strings.ReplaceAll(strings.ReplaceAll(out.String(), dim, "<"), normal, ">"), "15:04:05  ")
	if !ok && !colour {
		t.Errorf("no time: %s", out.String())
	}
	return rest
}

// A request is one line in columns, with what is out of the ordinary after them, and nothing that has no value.
func TestTerminalShowsARequestInALine(t *testing.T) {
	t.Parallel()
	answered := []any{
		"request_id", "req_1", "client_address", "10.0.0.7", "method", "POST", "path", "/v1/chat/completions", "endpoint", "chat", "key_id", "x", "key", "ci", "model", "smart", "route", "smart",
		"status", 200, "duration_ms", 1240.5, "stream", true, "provider", "groq", "upstream_model", "llama", "attempts", 1, "input_tokens", int64(812), "output_tokens", int64(95), "ttft_ms", 312.4, "cut", false,
	}
	for want, args := range map[string][]any{
		"200    1.24s  ci            10.0.0.7         chat         smart → groq/llama                    812 in 95 out      first=312ms\n": answered,
		"404    0.2ms                10.0.0.7         GET /nowhere  unknown_url  reason=Unknown request URL  request_id=req_2\n": {
			"request_id", "req_2", "client_address", "10.0.0.7", "method", "GET", "path", "/nowhere", "status", 404, "error", "unknown_url", "reason", "Unknown request URL", "duration_ms", 0.21,
		},
		"502     2m0s                                 chat         a/b                                   waited=20ms  upstream_error  tried=a/b failed 500 2ms, a/b timeout 2m0s  request_id=req_3\n": {
			"request_id", "req_3", "endpoint", "chat", "model", "a/b", "provider", "a", "upstream_model", "b", "status", 502, "duration_ms", 120_000.0, "error", "upstream_error", "waited_ms", 20.0,
			"tried",
			[]string{"a/b failed 500 2ms", "a/b timeout 2m0s"},
			"skipped", []string(nil),
		},
		`200     12ms                                 GET /\x1b[2J\n` + "\n": {"method", "GET", "path", "/\x1b[2J\n", "status", 200, "duration_ms", 12.0},
	} {
		if got := onTerminal(t, false, slog.LevelInfo, "request", args...); got != want {
			t.Errorf("\n%q, want\n%q", got, want)
		}
	}
	for _, key := range []string{"", "ci", "indexer"} {
		got := onTerminal(t, false, slog.LevelInfo, "request", "status", 401, "duration_ms", 0.2, "key", key, "client_address", "10.0.0.7", "endpoint", "chat")
		if strings.Index(got, "10.0.0.7") != 28 || strings.Index(got, "chat") != 45 {
			t.Errorf("with the key %q the columns are elsewhere: %q", key, got)
		}
	}
	if got := onTerminal(t, true, slog.LevelInfo, "request", answered...); !strings.HasPrefix(got, "<15:04:05>  "+green+"200>  ") || strings.Count(got, "\n") != 1 {
		t.Errorf("in colour it is %q", got)
	}
	if got := onTerminal(t, true, slog.LevelWarn, "request", "status", 502); !strings.Contains(got, red+"502>") {
		t.Errorf("in colour a failure is %q", got)
	}
}

// Other events are a message and the fields that have a value.
func TestTerminalShowsOtherEvents(t *testing.T) {
	t.Parallel()
	got := onTerminal(t, false, slog.LevelInfo, "weir is serving", "url", "http://127.0.0.1:8930/v1", "providers", []string{"a", "b"}, "none", []string{}, "empty", "", "memory_limit", 0)
	if want := "INFO   weir is serving  url=http://127.0.0.1:8930/v1  providers=a, b  memory_limit=0\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	got = onTerminal(t, true, slog.LevelError, "x", "a", "b")
	if want := "<15:04:05>  " + red + "ERROR>  x  <a=>b\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var out bytes.Buffer
	o := Options{Format: "text", Level: slog.LevelWarn}
	log := slog.New(o.handler(&out)).With("a", 1).WithGroup("g").With("b", 2)
	log.Info("silent")
	log.Warn("loud", "c", 3)
	if got := out.String(); !strings.HasSuffix(got, "  WARN   loud  a=1  g.b=2  g.c=3\n") || strings.Contains(got, "silent") {
		t.Errorf("%q", got)
	}
}
