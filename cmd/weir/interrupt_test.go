package main

import (
	"os"
	"strings"
	"testing"
)

// Ctrl-C with nothing running ends at once: drain.delay is for load balancers.
func TestAnInterruptOfAnIdleWeirEndsAtOnce(t *testing.T) {
	config, _ := drained(t, "{delay: 1h, timeout: 1h}")
	s := start(t, environment(t.TempDir()), "--config", config).ready()
	if resp := s.call("POST", "/v1/chat/completions", madeUp, strings.Replace(hello, "sim/", "", 1)); resp.StatusCode != 200 {
		t.Fatal(resp.StatusCode)
	}
	s.signals <- os.Interrupt
	if code := s.end(); code != 0 {
		t.Errorf("exit %d: %s", code, s.stderr)
	}
}

// With a request running it goes on until that has its answer, whole.
func TestAnInterruptWaitsForRunningRequestsOnly(t *testing.T) {
	config, _ := drained(t, "{delay: 1h, timeout: 1h}")
	s := start(t, environment(t.TempDir()), "--config", config).ready()
	slow := s.begin("slow")
	s.signals <- os.Interrupt
	eventually(t, "it is not ready", func() bool { return s.call("GET", "/readyz", "", "").StatusCode == 503 })
	if text := read(t, slow.Body); !strings.HasSuffix(text, "data: [DONE]\n\n") || strings.Contains(text, `"error"`) {
		t.Errorf("the stream ended with %q", text)
	}
	if code := s.end(); code != 0 {
		t.Errorf("exit %d: %s", code, s.stderr)
	}
}
