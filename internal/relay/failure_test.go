package relay

import (
	"errors"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/config"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/provider"
	"github.com/weirproxy/weir/internal/route"
)

func TestVerdict(t *testing.T) {
	t.Parallel()
	own := &llm.Error{Kind: llm.UpstreamRefused, Refusal: &llm.Refusal{Status: 400, Body: []byte(`{}`)}}
	fail := func(outcomes ...route.Outcome) []failure {
		var all []failure
		for i, c := range outcomes {
			f := failure{outcome: c, target: &route.Target{Provider: "p" + string(rune('1'+i)), Model: "m"}, reason: "did " + c.String(), cause: errors.New("x")}
			if c == route.TooLong {
				f.own = own
			}
			all = append(all, f)
		}
		return all
	}
	for _, tt := range []struct {
		name     string
		failures []failure
		kind     llm.Kind
		status   int
	}{
		{"rate limits", fail(route.RateLimited, route.RateLimited), llm.UpstreamRateLimited, 429},
		{"overload", fail(route.Overloaded), llm.UpstreamOverloaded, 503},
		{"overload and rate limits", fail(route.RateLimited, route.Overloaded), llm.UpstreamOverloaded, 503},
		{"credentials", fail(route.BadCredential, route.Denied), llm.UpstreamAuth, 502},
		{"credentials and another", fail(route.BadCredential, route.Failed), llm.UpstreamFailed, 502},
		{"failures", fail(route.Failed, route.Unreachable), llm.UpstreamFailed, 502},
		{"no answers", fail(route.Malformed), llm.UpstreamFailed, 502},
		{"misconfigured", fail(route.Misconfigured), llm.UpstreamMisconfigured, 502},
		{"misconfigured and another", fail(route.Misconfigured, route.Failed), llm.UpstreamFailed, 502},
		{"timeouts", fail(route.TimedOut), llm.Timeout, 504},
		{"no such model at one, the other at its rate limit", fail(route.NoSuchModel, route.RateLimited), llm.UpstreamRateLimited, 429},
		{"no such model at one, the other failed", fail(route.NoSuchModel, route.Failed), llm.UpstreamFailed, 502},
		{"too long for one, the other down", fail(route.TooLong, route.Failed), llm.UpstreamRefused, 400},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := verdict(tt.failures, false)
			if err.Kind != tt.kind || err.HTTPStatus() != tt.status {
				t.Fatalf("kind %d, status %d", err.Kind, err.HTTPStatus())
			}
			if err != own && !strings.Contains(err.Message, "provider p1 did") {
				t.Fatalf("message %q", err.Message)
			}
			if hidden := verdict(tt.failures, true); strings.Contains(hidden.Message, "p1") {
				t.Fatalf("a hidden target is told: %q", hidden.Message)
			}
			if err.NoRetry != (tt.kind == llm.UpstreamAuth) {
				t.Fatalf("NoRetry = %v", err.NoRetry)
			}
			wantWait := tt.kind == llm.UpstreamRateLimited || tt.kind == llm.UpstreamOverloaded
			if (err.RetryAfter > 0) != wantWait {
				t.Fatalf("RetryAfter = %v", err.RetryAfter)
			}
		})
	}
}

// What callers can bring about with what they ask for is not held against the target: a breaker is shared.
func TestOutcomeOfStatus(t *testing.T) {
	t.Parallel()
	upstream, err := provider.New(config.Provider{Name: "p", Kind: "openai", BaseURL: "http://127.0.0.1:1"}, provider.Identity{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(upstream.Close)
	r := &run{Request: &Request{Ingress: passthrough.Chat, Asked: new(passthrough.Request), Route: route.Route{Model: new(route.Model)}}}
	a := &attempt{refusals: own, exchange: &pass{order: order{run: r}}, run: r, provider: upstream, target: new(route.Target)}
	for want, statuses := range map[route.Outcome][]int{
		route.Failed:        {408, 424, 500, 501, 502, 504, 520, 599},
		route.Malformed:     {201, 204, 206, 406, 409, 410, 411, 412, 414, 415, 416, 417, 418, 421, 423, 425, 426, 428, 431, 451, 477, 499},
		route.Overloaded:    {498, 503, 529},
		route.RateLimited:   {429},
		route.BadCredential: {401, 402},
		route.Denied:        {403},
		route.Misconfigured: {302, 404, 405},
		route.TooLong:       {413},
		route.Refused:       {400, 422},
	} {
		for _, status := range statuses {
			if f := a.classify(status, nil, []byte(`{"error":{"message":"m"}}`)); f.outcome != want {
				t.Errorf("%d: %v, want %v", status, f.outcome, want)
			}
		}
	}
}

// That this process has no file descriptor left is no target's fault, and would meet the next one as well.
func TestNoFileDescriptors(t *testing.T) {
	t.Parallel()
	r := &run{Request: &Request{Route: route.Route{Model: new(route.Model)}}, result: new(Result), ctx: t.Context()}
	a := &attempt{refusals: own, exchange: new(pass), run: r, target: new(route.Target)}
	socket := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("socket", syscall.EMFILE)}
	for name, tt := range map[string]struct {
		err  error
		want route.Outcome
	}{
		"of the process": {socket, route.Crowded},
		"of the machine": {&net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("socket", syscall.ENFILE)}, route.Crowded},
		"for a lookup":   {&net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Name: "up.test", Err: socket.Error()}}, route.Crowded},
		"refused":        {&net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}, route.Unreachable},
		"no such name":   {&net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Name: "up.test", Err: "no such host"}}, route.Unreachable},
	} {
		f := a.broken(t.Context(), &provider.ConnectError{Err: tt.err})
		if f.outcome != tt.want {
			t.Errorf("%s: %v, want %v", name, f.outcome, tt.want)
		}
		if err := r.over(f); tt.want == route.Crowded && (err == nil || err.Kind != llm.Overloaded || !strings.Contains(err.Message, "file descriptor")) {
			t.Errorf("%s: the caller is told %v", name, err)
		}
	}
}

// A target that cannot be sent the request is reported if no other failure is.
func TestVerdictOfWhatWasLost(t *testing.T) {
	t.Parallel()
	r := &run{Request: &Request{}, lost: strictly("logit_bias")}
	if err := r.verdict(); err.Kind != llm.UnsupportedParameter || err.Param != "logit_bias" {
		t.Fatalf("%+v", err)
	}
}

func TestSoonest(t *testing.T) {
	t.Parallel()
	if got := soonest([]failure{{retryAfter: 9 * time.Second}, {}, {retryAfter: 3 * time.Second}}); got != 3*time.Second {
		t.Error(got)
	}
	if got := soonest([]failure{{retryAfter: 9 * time.Second}, {}}); got != 9*time.Second {
		t.Error(got)
	}
	if got := soonest([]failure{{}}); got != unknownWait {
		t.Error(got)
	}
}

func TestAcceptsGzip(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]bool{
		"": false, "gzip": true, "GZIP;q=0.5": true, "gzip;q=0": false, "*": true, "br, gzip": true, "br": false,
		"gzip;q=0, *": false, "*, gzip;q=0": false, "identity": false, "gzip; q=1.0": true,
	} {
		if got := AcceptsGzip(http.Header{"Accept-Encoding": {accept}}); got != want {
			t.Errorf("%q: %v", accept, got)
		}
	}
}
