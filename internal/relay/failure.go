package relay

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/dialect/refusal"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/route"
)

// failure is a failed attempt.
type failure struct {
	outcome    route.Outcome
	skip       route.Skip // for Skipped: why no call was made
	target     *route.Target
	status     int
	reason     string // what the target did, to follow its name; "" for NoSuchModel if the upstream said so
	said       string // the upstream's own words, masked: for the caller, whose prompt they may repeat, not for the log
	cause      error  // for the log
	retryAfter time.Duration
	silence    route.Silence // for attempts canceled before any content came
	void       bool          // it was answered with an error or with nothing, which costs nothing, though with a 200
	ends       Ends          // for the account

	refused refusable  // what the upstream would not have refused the request without
	own     *llm.Error // the caller's error, such as the upstream's own refusal; nil to make it from the rest
}

// ran reports whether the upstream may have worked on a call that failed so, with this status of its answer. A prompt that may have been
// read is counted. A refusal costs nothing, nor does an error inside a 200.
func (f *failure) ran(status int) bool {
	return f.ends&Unsent == 0 && !f.void && (status == 0 || status == http.StatusOK)
}

// outcomes are what the kinds of refusals mean to the router.
var outcomes = [...]route.Outcome{
	refusal.Failed: route.Failed, refusal.Odd: route.Malformed, refusal.Overloaded: route.Overloaded, refusal.RateLimited: route.RateLimited,
	refusal.BadCredential: route.BadCredential, refusal.NotAllowed: route.Denied, refusal.Denied: route.Denied, refusal.NoSuchModel: route.NoSuchModel,
	refusal.Misplaced: route.Misconfigured, refusal.TooLong: route.TooLong, refusal.Moderated: route.Moderated, refusal.Refused: route.Refused,
}

// reasons follow the name of a target that refused. For other kinds the status is given; NoSuchModel has its own words.
var reasons = map[refusal.Kind]string{
	refusal.NotAllowed:    "does not allow this to the credentials that Weir has for it",
	refusal.BadCredential: "refused the credentials that Weir has for it",
	refusal.Denied:        "denied access to this model",
	refusal.RateLimited:   "is at its rate limit",
	refusal.Overloaded:    "is overloaded",
	refusal.NoSuchModel:   "",
}

// classify says what an answer other than a 200 means.
func (a *attempt) classify(status int, header http.Header, body []byte) *failure {
	m := a.refusals.Read(status, header, body, a.provider.BadKey, time.Now())
	f := &failure{
		outcome: outcomes[m.Kind], target: a.target, status: m.Status, retryAfter: m.RetryAfter, said: shorten(a.mask(m.Said)),
		cause: a.upstreamStatus(m.Status, m.Error),
	}
	reason, known := reasons[m.Kind]
	switch {
	case known:
		f.reason = reason
	case m.Kind == refusal.Misplaced:
		a.misplace(f)
	default:
		f.reason = fmt.Sprintf("answered %d", m.Status)
	}
	if m.Kind.OfRequest() {
		f.own = a.ownRefusal(&m, body)
	}
	f.refused = a.refusedPart(&m, body)
	return f
}

// refusedPart is the part of the request that an upstream refused, if Weir can do without it.
func (a *attempt) refusedPart(m *refusal.Meaning, body []byte) refusable {
	switch {
	case m.Kind == refusal.Misplaced && a.exchange.endpoint() == llm.Compacting:
		return ownSummary
	case m.Kind != refusal.Refused:
	case a.asksUsage && bytes.Contains(body, []byte("stream_options")):
		return askedUsage
	case m.Error.Unreadable():
		return encrypted
	}
	return nothing
}

// upstreamStatus is what the log has about an error: not the upstream's own words, which may repeat the prompt.
func (a *attempt) upstreamStatus(status int, e refusal.Error) error {
	if e.Code == "" {
		return fmt.Errorf("upstream status %d", status)
	}
	return fmt.Errorf("upstream status %d, code %q", status, shorten(a.mask(e.Code)))
}

// misplace makes f the failure of an address that is no API's.
func (a *attempt) misplace(f *failure) {
	f.outcome = route.Misconfigured
	f.reason = fmt.Sprintf("answered %d at %s", f.status, a.address())
	if version := a.provider.LacksVersion(); version != "" {
		f.reason += "; does base_url lack " + version + "?"
	}
}

// address is where the upstream was called.
func (a *attempt) address() string {
	return a.provider.Address(a.exchange.endpoint(), a.target.Model, a.run.Asked.Scan().Stream, a.dialect())
}

// ownRefusal is the upstream's refusal of the request itself, in its own words.
func (a *attempt) ownRefusal(m *refusal.Meaning, body []byte) *llm.Error {
	return &llm.Error{
		Kind: llm.UpstreamRefused, Message: "The upstream refused the request.", Cause: a.upstreamStatus(m.Status, m.Error),
		Refusal: a.refusals.Refusal(m, body, a.mask),
	}
}

// shorten keeps a message of an upstream from filling ours.
func shorten(text string) string {
	const most = 300
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// unknownWait is the wait for callers when no upstream said how long to wait.
const unknownWait = 5 * time.Second

// strictly is the error of a parameter that a target cannot be sent, in strict mode.
func strictly(lost string) *llm.Error {
	lost = llm.Clip(lost)
	return &llm.Error{
		Kind: llm.UnsupportedParameter, Param: lost,
		Message: fmt.Sprintf("Unsupported parameter: '%s' is not supported with this model, and strict mode forbids leaving it out. Remove it, or do without strict mode (the header Weir-Strict, or strict in the model's config).", lost),
	}
}

// noFiles is the error of a request that could not connect because file descriptors ran out. What runs ends within
// seconds, as a rule.
func noFiles(cause error) *llm.Error {
	return &llm.Error{
		Kind: llm.Overloaded, RetryAfter: time.Second, Cause: cause,
		Message: "Weir has no file descriptor left to connect to a provider at the moment. Send the request again.",
	}
}

// verdict is the error of a request that no target answered.
func (r *run) verdict() *llm.Error {
	now := time.Now()
	switch wait, down := r.tries.Down(now); {
	case len(r.failures) > 0:
		err := verdict(r.failures, r.Hide)
		if wait, ok := r.tries.Untried(now); ok { // another target may answer, and sooner than these
			err.RetryAfter = min(max(wait, time.Second), err.RetryAfter)
			err.NoRetry = false
		}
		return err
	case r.barred != nil:
		return r.barred.Err
	case r.tries.Full():
		wait, _ := r.tries.Room(now)
		return &llm.Error{
			Kind: llm.Overloaded, RetryAfter: max(wait, time.Millisecond),
			Message: "This model is not available now: its targets have as many requests as they may have, at once or in a minute. Send the request again later.",
		}
	case down:
		return &llm.Error{
			Kind: llm.NoHealthyTarget, RetryAfter: max(wait, time.Millisecond),
			Message: "This model is not available now: its providers have failed too often in the last seconds, and are not called until one may be tried again. Send the request again later.",
		}
	case r.lost != nil:
		return r.lost
	case len(r.unfit) > 0 && !r.tries.Skipped(route.NoCredential): // no target has it, and not only for now
		return verdict(r.unfit, r.Hide)
	default:
		return &llm.Error{
			Kind: llm.UpstreamAuth, NoRetry: true,
			Message: "This model is not available now: the credentials that Weir has for its providers were refused, and are tried again from time to time. The operator finds the reasons in the log.",
		}
	}
}

// verdict is the error of a request whose attempts all failed; hide keeps the targets' names from the caller.
func verdict(failures []failure, hide bool) *llm.Error {
	// A target that does not have the model counts as skipped: whether it helps to ask again depends on the others.
	deciding := slices.DeleteFunc(slices.Clone(failures), func(f failure) bool { return f.outcome == route.NoSuchModel })
	if len(deciding) == 0 {
		return absent(failures, hide)
	}
	all := func(outcomes ...route.Outcome) bool { return allOf(deciding, outcomes) }
	for _, f := range deciding {
		if f.own != nil { // too long, or forbidden, wherever else the request may have been tried
			return f.own
		}
	}
	err := &llm.Error{Kind: llm.UpstreamFailed, Message: blame(failures, hide), Cause: causes(failures)}
	switch {
	case all(route.RateLimited):
		err.Kind, err.RetryAfter = llm.UpstreamRateLimited, soonest(deciding)
	case all(route.RateLimited, route.Overloaded):
		err.Kind, err.RetryAfter = llm.UpstreamOverloaded, soonest(deciding)
	case all(route.BadCredential, route.StaleCredential, route.Denied):
		err.Kind, err.NoRetry = llm.UpstreamAuth, true
	case all(route.Misconfigured):
		err.Kind = llm.UpstreamMisconfigured
	case all(route.TimedOut):
		err.Kind = llm.Timeout
	}
	return err
}

// absent is the error of a request for a model that no target has. If the model's name is passed through, the caller chose it. If a
// target lacks the whole endpoint, the caller asks the wrong model. All else the config names wrongly.
func absent(failures []failure, hide bool) *llm.Error {
	err := &llm.Error{Kind: llm.UpstreamMisconfigured, NoRetry: true, Message: blame(failures, hide), Cause: causes(failures)}
	if slices.ContainsFunc(failures, func(f failure) bool { return f.reason != "" || f.target.PassedThrough() }) {
		err.Kind, err.Param, err.NoRetry = llm.ModelNotFound, "model", false // no SDK repeats a 404
		err.Message = "This model does not exist."
		if !hide {
			err.Message = "This model cannot be used: " + listed(failures) + "."
		}
		err.Message += " GET /v1/models lists the models that your key may use."
	} else if !hide {
		err.Message += " The operator has to correct the targets of this model."
	}
	return err
}

func allOf(failures []failure, outcomes []route.Outcome) bool {
	return !slices.ContainsFunc(failures, func(f failure) bool { return !slices.Contains(outcomes, f.outcome) })
}

// soonest is when the first of the targets may be tried again.
func soonest(failures []failure) time.Duration {
	var least time.Duration
	for _, f := range failures {
		if f.retryAfter > 0 && (least == 0 || f.retryAfter < least) {
			least = f.retryAfter
		}
	}
	if least == 0 {
		return unknownWait
	}
	return least
}

// blame says what each target did.
func blame(failures []failure, hide bool) string {
	if hide {
		return fmt.Sprintf("This model is not available now: %d target(s) failed. The operator finds the reasons under this request's x-request-id.", len(failures))
	}
	return "This model is not available now: " + listed(failures) + "."
}

// listed lists what each target did.
func listed(failures []failure) string {
	lines := make([]string, 0, len(failures))
	for _, f := range failures {
		line := "provider " + f.target.Provider + " " + f.reason
		if f.outcome == route.NoSuchModel && f.reason == "" {
			line = f.target.String() + " does not exist there"
		}
		if f.said != "" {
			line += " (" + f.said + ")"
		}
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}

// causes joins what the log has to show.
func causes(failures []failure) error {
	lines := make([]string, 0, len(failures))
	for _, f := range failures {
		lines = append(lines, fmt.Sprintf("%s: %s: %v", f.target, f.outcome, f.cause))
	}
	return fmt.Errorf("%s", strings.Join(lines, "; "))
}
