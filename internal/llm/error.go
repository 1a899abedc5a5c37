package llm

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// ErrNoAnswer is wrapped by the errors of readers for what can be read, but is no answer of their dialect.
var ErrNoAnswer = errors.New("no answer")

// EndedError is the error of an answer that its model ended in a way that makes it none. It is ErrNoAnswer.
type EndedError struct {
	Reason string // as the provider spells it
	Said   string // the provider's own words about it, which may repeat the prompt; "" without them
}

// Error leaves out the provider's words: they are shown where they can be masked.
func (e *EndedError) Error() string {
	return ErrNoAnswer.Error() + ": the model ended with " + e.Reason
}

// Unwrap makes it ErrNoAnswer.
func (e *EndedError) Unwrap() error { return ErrNoAnswer }

// ErrNameless is returned by readers for a tool call that has no tool name, or no id to answer it with. Clients wait for what an
// answer says that it calls.
var ErrNameless = fmt.Errorf("%w: a call of a tool has no name, or no id", ErrNoAnswer)

// ErrError is returned by readers for a body or an event with an error in place of an answer.
var ErrError = errors.New("an error in place of an answer")

// Kind says what went wrong. It decides the status, the type and the code that a caller sees.
type Kind uint8

// The kinds. Their rows are in the table below.
const (
	Internal Kind = iota
	MissingKey
	InvalidKey
	InvalidJSON
	MissingParameter
	InvalidType
	InvalidValue
	ModelNotFound
	PreviousNotFound // a stored response that a request goes on from
	UnsupportedParameter
	UnsupportedHeader
	UnknownURL
	MethodNotAllowed
	UpgradeRequired // a WebSocket was asked for
	UnsupportedMediaType
	TooLarge
	RequestTimeout
	Overloaded
	LedgerUnavailable // the call cannot be recorded
	KeysUnavailable   // the key may have been revoked: the store was not read for too long
	LoopDetected
	BudgetUsedUp // a budget has no room for the request before it is reset
	PriceUnknown // no target has a price, and a budget in dollars applies
	Timeout
	UpstreamRefused // the upstream refused the request itself: the caller gets its status and body
	UpstreamRateLimited
	UpstreamOverloaded
	UpstreamAuth
	UpstreamFailed
	UpstreamMisconfigured
	NoHealthyTarget
	RequestLimit           // a limit of requests, a minute or at once, or running requests have reserved what is left of a budget
	TokenLimit             // a limit of tokens a minute
	ExceedsLimit           // the request is larger than its limit, or a whole budget, can ever be
	IdempotencyMismatch    // the Idempotency-Key was used for another request
	IdempotencyInProgress  // the first request with the Idempotency-Key still runs
	IdempotencyUnavailable // whether a request ran before cannot be found out, or not be written down
	NotFound               // no such thing: at the admin API, or a stored response
	Conflict               // admin API: the name is taken, or the thing cannot be changed here
	Misdirected            // admin API: the Host is not the listener's
	Forbidden              // admin API: the caller is known, and may not do this
	TooManyGuesses         // admin API: wrong tokens came from the address
	CutOff                 // an operator ended the request while it ran
	Canceled               // the client hung up: the answer is not read
)

const (
	invalidRequest = "invalid_request_error"
	serverError    = "server_error"
	upstreamError  = "upstream_error"
)

// kinds is the error table of the public contract, one row a kind.
var kinds = [...]struct {
	status int
	typ    string
	code   string
}{
	Internal:               {http.StatusInternalServerError, serverError, "internal_error"},
	MissingKey:             {http.StatusUnauthorized, invalidRequest, "missing_api_key"},
	InvalidKey:             {http.StatusUnauthorized, invalidRequest, "invalid_api_key"},
	InvalidJSON:            {http.StatusBadRequest, invalidRequest, "invalid_json"},
	MissingParameter:       {http.StatusBadRequest, invalidRequest, "missing_required_parameter"},
	InvalidType:            {http.StatusBadRequest, invalidRequest, "invalid_type"},
	InvalidValue:           {http.StatusBadRequest, invalidRequest, "invalid_value"},
	ModelNotFound:          {http.StatusNotFound, invalidRequest, "model_not_found"},
	PreviousNotFound:       {http.StatusBadRequest, invalidRequest, "previous_response_not_found"},
	UnsupportedParameter:   {http.StatusBadRequest, invalidRequest, "unsupported_parameter"},
	UnsupportedHeader:      {http.StatusBadRequest, invalidRequest, "unsupported_header"},
	UnknownURL:             {http.StatusNotFound, invalidRequest, "unknown_url"},
	MethodNotAllowed:       {http.StatusMethodNotAllowed, invalidRequest, "method_not_allowed"},
	UpgradeRequired:        {http.StatusUpgradeRequired, invalidRequest, "upgrade_required"},
	UnsupportedMediaType:   {http.StatusUnsupportedMediaType, invalidRequest, "unsupported_media_type"},
	TooLarge:               {http.StatusRequestEntityTooLarge, invalidRequest, "request_too_large"},
	RequestTimeout:         {http.StatusRequestTimeout, invalidRequest, "request_timeout"},
	Overloaded:             {http.StatusServiceUnavailable, serverError, "overloaded"},
	LedgerUnavailable:      {http.StatusServiceUnavailable, serverError, "ledger_unavailable"},
	KeysUnavailable:        {http.StatusServiceUnavailable, serverError, "keys_unavailable"},
	LoopDetected:           {http.StatusLoopDetected, serverError, "loop_detected"},
	BudgetUsedUp:           {http.StatusTooManyRequests, "insufficient_quota", "insufficient_quota"},
	PriceUnknown:           {http.StatusServiceUnavailable, serverError, "price_unknown"},
	Timeout:                {http.StatusGatewayTimeout, upstreamError, "timeout"},
	UpstreamRefused:        {http.StatusBadRequest, upstreamError, "upstream_refused"},
	UpstreamRateLimited:    {http.StatusTooManyRequests, upstreamError, "upstream_rate_limited"},
	UpstreamOverloaded:     {http.StatusServiceUnavailable, upstreamError, "upstream_overloaded"},
	UpstreamAuth:           {http.StatusBadGateway, upstreamError, "upstream_auth"},
	UpstreamFailed:         {http.StatusBadGateway, upstreamError, "upstream_failed"},
	UpstreamMisconfigured:  {http.StatusBadGateway, upstreamError, "upstream_misconfigured"},
	NoHealthyTarget:        {http.StatusServiceUnavailable, upstreamError, "no_healthy_target"},
	RequestLimit:           {http.StatusTooManyRequests, "requests", "rate_limit_exceeded"},
	TokenLimit:             {http.StatusTooManyRequests, "tokens", "rate_limit_exceeded"},
	ExceedsLimit:           {http.StatusBadRequest, invalidRequest, "request_exceeds_limit"},
	IdempotencyMismatch:    {http.StatusUnprocessableEntity, invalidRequest, "idempotency_mismatch"},
	IdempotencyInProgress:  {http.StatusConflict, invalidRequest, "idempotency_in_progress"},
	IdempotencyUnavailable: {http.StatusServiceUnavailable, serverError, "idempotency_unavailable"},
	NotFound:               {http.StatusNotFound, invalidRequest, "not_found"},
	Conflict:               {http.StatusConflict, invalidRequest, "conflict"},
	Misdirected:            {http.StatusMisdirectedRequest, invalidRequest, "misdirected_request"},
	Forbidden:              {http.StatusForbidden, invalidRequest, "forbidden"},
	TooManyGuesses:         {http.StatusTooManyRequests, invalidRequest, "too_many_wrong_tokens"},
	CutOff:                 {http.StatusForbidden, invalidRequest, "cut_by_operator"},
	Canceled:               {499, invalidRequest, "client_closed_request"},
}

// Error is the one error that reaches a caller. Message says what happened and what to do; it never
// holds a secret. Cause stays in the log. An Error is not changed after it was made.
type Error struct {
	Kind    Kind
	Message string
	Param   string // the member at fault, "" for none

	// RetryAfter is how long the caller should wait; 0 is unknown.
	RetryAfter time.Duration
	// NoRetry tells SDKs not to repeat the call, whatever the status.
	NoRetry bool

	// Refusal is an upstream's own, for UpstreamRefused; nil for all else.
	Refusal *Refusal

	Cause error
}

// Refusal is what an upstream says of a request that it finds at fault. Secrets are hidden in it, but it may repeat the prompt: it is for
// the caller, not for the log.
type Refusal struct {
	Status                     int
	Message, Type, Param, Code string
	Body                       []byte // the upstream's own, if it has the envelope of package dialect; else nil
}

// Error implements error. It is for logs: the message and then the cause.
func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Message + ": " + e.Cause.Error()
	}
	return e.Message
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// HTTPStatus is the status that the caller gets.
func (e *Error) HTTPStatus() int {
	if e.Refusal != nil {
		return e.Refusal.Status
	}
	return kinds[e.Kind].status
}

// Code is the stable code of the error's kind, also the word in logs and metrics.
func (e *Error) Code() string { return kinds[e.Kind].code }

// Type is the error's type, in the words of OpenAI's errors.
func (e *Error) Type() string { return kinds[e.Kind].typ }

// SaysWhen reports whether the message itself ends in how long to wait: those of Weir's own limits do, for callers of every dialect.
func (e *Error) SaysWhen() bool { return e.Kind == RequestLimit || e.Kind == TokenLimit }

// RetrySeconds is RetryAfter as callers get it, in whole seconds from 1 to 60. Some clients ignore a longer time,
// and some sleep for all of it.
func (e *Error) RetrySeconds() int {
	return int(min(max((e.RetryAfter+time.Second-1)/time.Second, 1), 60))
}

// AsError returns err as an *Error. Any other error becomes an Internal one whose message shows nothing.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Kind: Internal, Message: "Weir failed to handle this request. Its x-request-id finds the reason in the log.", Cause: err}
}

// Clip keeps what a caller sent from filling a message, and the log.
func Clip(s string) string {
	if len(s) > 200 {
		s = s[:200] + "…"
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
