package refusal

import (
	"bytes"
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/llm"
)

// Kind is what an upstream means by an answer that is not a 200.
type Kind uint8

// The kinds.
const (
	Failed        Kind = iota // the upstream broke down
	Odd                       // an answer that callers can bring about, and that means nothing in particular
	Overloaded                // it has too much to do
	RateLimited               // the credential is at its rate limit
	BadCredential             // the credential is refused, or its account has no money
	NotAllowed                // the credential serves, but not for this request
	Denied                    // the credential may not use this model
	NoSuchModel               // the upstream does not have the model
	Misplaced                 // no API answers at this address
	TooLong                   // the request is more than this model takes
	Moderated                 // its rules forbid what the request says
	Refused                   // the request is at fault
)

// OfRequest reports whether the upstream found the request itself at fault, so that its own words are for the caller.
func (k Kind) OfRequest() bool { return k == TooLong || k == Moderated || k == Refused }

// Vendor is what a dialect has of its own for errors. The zero value is OpenAI's dialect and the vendors that are compatible with it.
type Vendor struct {
	// Status is that of an error by its type, 0 if it does not say. It counts for an error inside a 200, and before the
	// upstream's own status if a header names the type. nil is OpenAI's, which has codes.
	Status func(typ string) int
	Header string // that names the type of an error, or ""
	// Moderated is the status for content that the provider's rules forbid, 0 if it has none for that.
	Moderated int
	// Code is OpenAI's code for an error by its message, or ""; nil if the dialect needs no such code.
	Code func(message string) string
}

// Meaning is what an answer that is not a 200 means.
type Meaning struct {
	Kind       Kind
	Status     int // that the answer means
	Error      Error
	Said       string        // what may be repeated of its words, once secrets in it are hidden; "" for none
	RetryAfter time.Duration // how long it asks to wait, 0 if it does not say
}

// Read finds out what an answer means, by its status, which StatusOf or Inside may have corrected. badKey says whether words are how
// the provider refuses a credential; header may be nil.
func (v *Vendor) Read(status int, header http.Header, body []byte, badKey func(message string) bool, now time.Time) Meaning {
	e := v.said(header, body)
	if v.Moderated != 0 && v.Moderated == status {
		status, e.Code = http.StatusBadRequest, codeModerated
	}
	m := Meaning{Kind: v.kind(status, &e, body, badKey), Status: status, Error: e}
	m.RetryAfter = cmp.Or(retryAfter(header, now), e.RetryAfter, hinted(e.Message))
	switch trimmed := bytes.TrimSpace(body); {
	case m.Kind == BadCredential, m.Kind == Denied: // they may repeat it
	case m.Kind == Misplaced && (IsHTML(body) || !bytes.HasPrefix(trimmed, []byte("{"))): // otherwise an API's own words say more than our guess
	default:
		m.Said = tellable(e.Message)
	}
	return m
}

// kind is the heart of it: the first case that fits counts.
func (v *Vendor) kind(status int, e *Error, body []byte, badKey func(string) bool) Kind {
	bad, forbidden, client := status == http.StatusBadRequest, status == http.StatusForbidden, status/100 == 4
	unauthorized := status == http.StatusUnauthorized || status == http.StatusPaymentRequired
	limited := status == http.StatusTooManyRequests
	switch {
	case unauthorized && e.BeyondCredential():
		return NotAllowed
	case unauthorized, limited && e.QuotaExhausted(), (bad || forbidden) && (e.KeyRefused || badKey(e.Message)):
		return BadCredential
	case (bad || forbidden) && e.Moderated():
		return Moderated
	case forbidden, bad && v.meant(e) == http.StatusForbidden:
		return Denied
	case limited && e.BeyondLimit():
		return TooLong
	case limited:
		return RateLimited
	case isOverload(status):
		return Overloaded
	case client && e.ModelNotFound():
		return NoSuchModel
	case client && e.Unreadable():
		return Refused
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, status/100 == 3:
		return Misplaced
	case status == http.StatusRequestEntityTooLarge, client && e.ContextTooLong():
		return TooLong
	case client && IsHTML(body):
		return Misplaced
	case bad, status == http.StatusUnprocessableEntity:
		return Refused
	case isBreakdown(status):
		return Failed
	}
	return Odd
}

// isOverload knows the ways of saying "too busy": 529 is Anthropic's, 498 Groq's.
func isOverload(status int) bool {
	return status == http.StatusServiceUnavailable || status == 529 || status == 498
}

// isBreakdown reports whether a status means that the upstream failed: besides 5xx these are Bedrock's for a model that took too long
// or failed. All others the caller may have brought about.
func isBreakdown(status int) bool {
	return status >= http.StatusInternalServerError || status == http.StatusRequestTimeout || status == http.StatusFailedDependency
}

// said is the error in a body, with the type from its header and OpenAI's code for it.
func (v *Vendor) said(header http.Header, body []byte) Error {
	e := Parse(body)
	if v.Status == nil {
		return e
	}
	if typ, _, _ := strings.Cut(header.Get(v.Header), ":"); typ != "" {
		e.Type = typ
	}
	if _, notNumber := strconv.Atoi(e.Code); e.Code == "" || notNumber == nil {
		e.Code = ""
		if v.Code != nil {
			e.Code = v.Code(e.Message)
		}
	}
	return e
}

// meant is the status of an error's type or code, 0 if it does not say.
func (v *Vendor) meant(e *Error) int {
	if v.Status == nil || e.ModelNotFound() {
		return e.MeantStatus()
	}
	return v.Status(cmp.Or(e.Type, e.RPC))
}

// StatusOf is the status that an error means. Where a header names the type, the type counts more than the status.
func (v *Vendor) StatusOf(status int, header http.Header, body []byte) int {
	if v.Header == "" {
		return status
	}
	if e := v.said(header, body); e.ModelNotFound() {
		return http.StatusNotFound
	}
	return cmp.Or(v.Status(header.Get(v.Header)), status)
}

// Inside reads an error inside a 200, as a body or as an event, and the status that it means, 0 if unknown. Vendors who answer so
// put the status into the code.
func (v *Vendor) Inside(body []byte) (e Error, status int) {
	if len(body) <= maxInside {
		e = Parse(body)
	}
	status, _ = strconv.Atoi(e.Code)
	if status < 400 || status > 599 { // a code of the vendor's own
		status = v.meant(&e)
	}
	if status < 400 || status > 599 {
		status = 0
	}
	return e, status
}

// maxInside is the longest error inside a 200 that is read.
const maxInside = 1 << 20

// Refusal is the upstream's refusal of the request itself, for the caller: with its body if that has the envelope's shape, else with the
// codes that clients know. hide hides secrets.
func (v *Vendor) Refusal(m *Meaning, body []byte, hide func(string) string) *llm.Refusal {
	e := m.Error
	if !e.Conventional {
		e = v.convert(m, body)
	}
	r := e.refusal(m.Status)
	for _, text := range [...]*string{&r.Message, &r.Type, &r.Param, &r.Code} {
		*text = hide(*text)
	}
	if e.Conventional {
		r.Body = []byte(hide(string(body)))
	}
	return r
}

// convert brings an error that has another shape into the words of the convention.
func (v *Vendor) convert(m *Meaning, body []byte) Error {
	e := m.Error
	if v.Header != "" {
		e.Type = "" // OpenAI's clients know none of these types
	}
	switch {
	case e.ContextTooLong(): // whatever code the vendor has for it: clients know this one
		e.Code = "context_length_exceeded"
	case (e.Code == "" || e.Code == strconv.Itoa(m.Status)) && e.Moderated():
		e.Code = codeModerated
	}
	return e.Told(body)
}

// codeModerated is the code of what an upstream's rules forbid.
const codeModerated = "content_filter"
