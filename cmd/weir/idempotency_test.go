package main

import (
	"strings"
	"testing"
)

// How long a key's answers are kept is set, shown, changed and taken away.
func TestKeysKeepAnswers(t *testing.T) {
	s := newAdminServer(t)
	s.ok("keys", "create", "--name", "app", "--idempotency", "1d")
	kept := func() string {
		if of := s.show("app").Idempotency; of != nil {
			return *of
		}
		return ""
	}
	if got := kept(); got != "24h" {
		t.Errorf("kept for %q", got)
	}
	if out := s.ok("keys", "show", "app"); !strings.Contains(out, "idempotency 24h") {
		t.Error(out)
	}
	s.ok("keys", "update", "app", "--rpm", "5")
	if out := s.ok("keys", "show", "app"); !strings.Contains(out, "rpm 5,idempotency 24h") {
		t.Error(out)
	}
	for flag, want := range map[string]string{"90m": "1h30m", "90s": "1m30s", "none": ""} {
		s.ok("keys", "update", "app", "--idempotency", flag)
		if got := kept(); got != want {
			t.Errorf("%s: kept for %q", flag, got)
		}
	}
	if out := s.ok("keys", "list", "--format", "csv"); !strings.Contains(out, "warn,idempotency,created_at") {
		t.Error(out)
	}
}
