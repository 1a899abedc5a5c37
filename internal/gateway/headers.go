package gateway

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/auth"
	"github.com/weirproxy/weir/internal/ledger"
	"github.com/weirproxy/weir/internal/llm"
)

// keyHeaders are the headers that may hold a key. The first that is there counts.
var keyHeaders = [...]string{"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key"}

// bearer finds the key that a request carries, "" if it has no key in a form that is understood. The scheme is
// read in any case and spaces around the key are ignored. A header that comes twice with different values is
// refused: a proxy in front may have read the other one.
func bearer(h http.Header) (string, *llm.Error) {
	for _, name := range keyHeaders {
		values := h[name]
		if len(values) == 0 {
			continue
		}
		for _, other := range values[1:] {
			if other != values[0] {
				return "", badHeader(name, "is repeated with different values. Send it once")
			}
		}
		key := strings.TrimSpace(values[0])
		if name == "Authorization" {
			scheme, rest, _ := strings.Cut(key, " ")
			if !strings.EqualFold(scheme, "bearer") {
				return "", nil
			}
			return strings.TrimSpace(rest), nil
		}
		if key != "" {
			return key, nil
		}
	}
	return "", nil
}

// wishes are what a caller's headers ask for.
type wishes struct {
	strict  bool
	explain bool          // report what was tried
	timeout time.Duration // 0 is no limit
	tags    []ledger.Tag  // for reports
	once    string        // the Idempotency-Key, "" for none
}

// maxVia is how many proxies a request may have come through.
const maxVia = 32

// readHeaders reads the headers that Weir honours. One that asks for something which Weir does not do is
// refused, because a promise that is not kept is worse than none.
func (g *Gateway) readHeaders(r *http.Request, caller *auth.Principal) (wishes, *llm.Error) {
	var w wishes
	for name, values := range r.Header {
		switch {
		case name == "Via":
			if err := g.loop(values); err != nil {
				return w, err
			}
		case name == "X-Request-Timeout":
			if w.timeout = parseTimeout(only(values)); w.timeout <= 0 {
				return w, badHeader(name, "is seconds, such as 30, or a duration, such as 1m30s")
			}
		case name == "Weir-Strict":
			var err error
			if w.strict, err = strconv.ParseBool(only(values)); err != nil {
				return w, badHeader(name, "is true or false")
			}
		case name == "Weir-Explain":
			var err *llm.Error
			if w.explain, err = mayExplain(name, only(values), caller); err != nil {
				return w, err
			}
		case name == "Weir-Tags":
			var err *llm.Error
			if w.tags, err = parseTags(only(values)); err != nil {
				return w, err
			}
		case name == idempotencyKey:
			var err *llm.Error
			if w.once, err = g.readIdempotencyKey(values, caller); err != nil {
				return w, err
			}
		case strings.HasPrefix(name, "Weir-"):
			return w, &llm.Error{
				Kind: llm.UnsupportedHeader, Param: strings.ToLower(name),
				Message: fmt.Sprintf("The header %q is not supported by this version of Weir. Remove it.", strings.ToLower(shown(name))),
			}
		}
	}
	return w, nil
}

// mayExplain reads whether the caller asks what was tried. The answer names targets and their health.
func mayExplain(name, value string, caller *auth.Principal) (bool, *llm.Error) {
	wanted, err := strconv.ParseBool(value)
	if err != nil {
		return false, badHeader(name, "is true or false")
	}
	if wanted && !caller.Explain {
		return false, &llm.Error{
			Kind: llm.UnsupportedHeader, Param: strings.ToLower(name),
			Message: "This key may not ask what was tried for its requests. Remove the header weir-explain, or have the operator allow it: weir keys update NAME --explain, or explain: true in the config.",
		}
	}
	return wanted, nil
}

// only is the value of a header that comes once; one that comes twice could be read in two ways.
func only(values []string) string {
	if len(values) != 1 {
		return ""
	}
	return values[0]
}

// loop refuses a request that came through this process before.
func (g *Gateway) loop(via []string) *llm.Error {
	hops := 0
	for _, line := range via {
		for hop := range strings.SplitSeq(line, ",") {
			if hops++; strings.TrimSpace(hop) == g.via || hops > maxVia {
				return &llm.Error{Kind: llm.LoopDetected, Message: "This request came back to the Weir that had sent it: a provider's base_url leads here. Point it at the provider."}
			}
		}
	}
	return nil
}

// parseTimeout reads seconds or a Go duration; what is neither is 0.
func parseTimeout(value string) time.Duration {
	value = strings.TrimSpace(value)
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		if s > 0 && s < 1e9 {
			return time.Duration(s * float64(time.Second))
		}
		return 0
	}
	d, err := time.ParseDuration(value)
	if err != nil {
		return 0
	}
	return d
}

func badHeader(name, wants string) *llm.Error {
	name = strings.ToLower(name)
	return &llm.Error{Kind: llm.InvalidValue, Param: name, Message: fmt.Sprintf("The header %q %s.", name, wants)}
}
