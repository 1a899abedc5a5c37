package sim

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// Script says how a simulated provider behaves. The zero value answers every call at once and correctly.
// As a file it is JSON with the names below; durations are text such as "50ms".
type Script struct {
	// Key is the only credential that is accepted, as bearer token or api-key header. Empty: no call needs
	// one. It is made up, not a secret: real credentials have no place in a script.
	Key string `json:"key,omitempty"`
	// Name comes before every text, so that tests can distinguish the answers of two providers.
	Name string `json:"name,omitempty"`
	// Models are the models that exist; a call that names another gets 404. Empty: every name is answered
	// and the list shows chat and embed.
	Models []string `json:"models,omitempty"`
	// TTFT is the time from the headers of a streamed answer to its first token; an answer that is not
	// streamed waits as long.
	TTFT Duration `json:"ttft,omitempty"`
	// Interval is the time that each further token takes.
	Interval Duration `json:"interval,omitempty"`
	// Jitter changes each of these times at random, by at most this much either way.
	Jitter Duration `json:"jitter,omitempty"`
	// Tokens is how long answers are: their sentence is repeated or cut to that many tokens. 0: one sentence.
	Tokens int `json:"tokens,omitempty"`
	// Seed decides ids and jitter: the same calls in the same order get the same answers.
	Seed uint64 `json:"seed,omitempty"`
	// Created is the time that all answers and models bear, in Unix seconds. 0: the time of the call.
	Created int64 `json:"created,omitempty"`
	// LogHeader is the name of a header of requests. The log then has its value, what usage each answer said that it took, and the id
	// that the answer bore, so that every call can be found in the account of the client.
	LogHeader string `json:"log_header,omitempty"`
	// Keep is how many ended calls the log in memory keeps. 0: all of them.
	Keep int `json:"keep,omitempty"`
	// Rules change single answers. The first rule that matches a call applies to it, and no other.
	Rules []Rule `json:"rules,omitempty"`
}

// BuiltIn is the script of the provider that serves when no other is configured: unhurried enough that
// streaming can be seen.
func BuiltIn() Script {
	return Script{
		Models:   []string{"chat", "embed"},
		TTFT:     Duration(50 * time.Millisecond),
		Interval: Duration(10 * time.Millisecond),
		Keep:     16,
	}
}

// Rule gives calls another answer, or breaks the answer on its way. The first answer set among Raw, Redirect,
// Body, Status from 400 up, Events and Answer counts. The faults apply to any answer.
type Rule struct {
	// Match says which calls; an empty one matches all.
	Match Match `json:"match,omitzero"`

	// Raw is written on the connection instead of an HTTP response, which then closes. HTTP/1 only.
	Raw string `json:"raw,omitempty"`
	// Redirect sends the caller elsewhere: 307 unless Status says another.
	Redirect string `json:"redirect,omitempty"`
	// Status is the answer's status. From 400 up, or with Body, it replaces the answer; without Body the provider
	// words the error itself. Below 400 and without Body the usual answer bears this status.
	Status int `json:"status,omitempty"`
	// Body replaces the answer verbatim; with ErrorEvent it is that event's payload instead.
	Body *string `json:"body,omitempty"`
	// ContentType is the answer's. Default: what the answer is.
	ContentType string `json:"content_type,omitempty"`
	// Headers are added to the answer's, or replace them.
	Headers map[string]string `json:"headers,omitempty"`
	// Answer is a complete JSON answer to give verbatim, to streaming calls too unless Events is set.
	Answer json.RawMessage `json:"answer,omitempty"`
	// Events are the payloads of a stream to give verbatim, to other calls too unless Answer is set. Nothing is
	// added: the last one should be [DONE].
	Events []string `json:"events,omitempty"`
	// AsJSON answers a call for a stream with one complete JSON answer.
	AsJSON bool `json:"as_json,omitempty"`
	// Calls are the calls of tools that the usual answer makes, in any dialect, if the request offers the first one's tool.
	Calls []Call `json:"calls,omitempty"`
	// Text is what the usual answer to a chat says, where no tool is called.
	Text string `json:"text,omitempty"`
	// Tokens replaces the script's Tokens.
	Tokens int `json:"tokens,omitempty"`
	// Huge makes the answer's text this many bytes, in one piece.
	Huge int `json:"huge,omitempty"`

	// Latency passes before the headers.
	Latency Duration `json:"latency,omitempty"`
	// TTFT and Interval replace the script's.
	TTFT     *Duration `json:"ttft,omitempty"`
	Interval *Duration `json:"interval,omitempty"`

	// Reset resets the connection (TCP RST; a stream reset in HTTP/2) at that point.
	Reset *Point `json:"reset,omitempty"`
	// Stall falls silent at that point, until the caller hangs up.
	Stall *Point `json:"stall,omitempty"`
	// Cut ends a stream cleanly after so many events: no finish reason, no [DONE].
	Cut *int `json:"cut,omitempty"`
	// Truncate closes the connection after so many bytes of the body, before its end.
	Truncate *int `json:"truncate,omitempty"`
	// ResetAfter resets it there instead, and StallAfter falls silent there until the caller hangs up. At most one of
	// the three may be set.
	ResetAfter *int `json:"reset_after,omitempty"`
	StallAfter *int `json:"stall_after,omitempty"`
	// BadJSON puts an event that is not JSON after so many events; the stream then goes on.
	BadJSON *int `json:"bad_json,omitempty"`
	// ErrorEvent puts the provider's own in-stream error after so many events and ends the stream cleanly.
	ErrorEvent *int `json:"error_event,omitempty"`
	// OneByte sends every byte of the body separately.
	OneByte bool `json:"one_byte,omitempty"`
	// Gzip compresses the body, whether the caller accepts that or not.
	Gzip bool `json:"gzip,omitempty"`
	// Framing writes streams in ways that are unusual or wrong.
	Framing []Framing `json:"framing,omitempty"`
}

// Call is a call of a tool.
type Call struct {
	Name string `json:"name"`
	// Arguments are an object; for a custom tool, its input as a string.
	Arguments json.RawMessage `json:"arguments"`
}

// Match selects calls; what is empty does not matter.
type Match struct {
	// Model is the model's name; each * matches any run of characters.
	Model string `json:"model,omitempty"`
	// Path is the endpoint, below /v1: /chat/completions, /completions, /embeddings, /models.
	Path string `json:"path,omitempty"`
	// Stream is whether a stream is asked for.
	Stream *bool `json:"stream,omitempty"`
	// Authorization is the credential, without "Bearer".
	Authorization string `json:"authorization,omitempty"`
	// Contains is a text that is in the body, as it is spelled there.
	Contains string `json:"contains,omitempty"`
	// Nth is the first call to apply to, counted from 1 over the calls that match the members above,
	// whichever rule answered them.
	Nth int `json:"nth,omitempty"`
	// Times is how many calls the rule applies to at most. 0: one with Nth, else any number.
	Times int `json:"times,omitempty"`
}

// Point is a place in an answer: BeforeHeaders, or a number of events after which something happens. 0 is
// after the headers and before the first event. An answer that is not a stream counts as one event. In
// JSON it is "headers" or the number.
type Point int

// BeforeHeaders is the point before any byte of the answer is sent.
const BeforeHeaders Point = -1

const headersPoint = `"headers"`

// MarshalJSON implements json.Marshaler.
func (p Point) MarshalJSON() ([]byte, error) {
	if p == BeforeHeaders {
		return []byte(headersPoint), nil
	}
	return strconv.AppendInt(nil, int64(p), 10), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *Point) UnmarshalJSON(b []byte) error {
	if string(b) == headersPoint {
		*p = BeforeHeaders
		return nil
	}
	n, err := strconv.Atoi(string(b))
	if err != nil || n < 0 {
		return fmt.Errorf(`a point in an answer is "headers" or a number of events, not %s`, b)
	}
	*p = Point(n)
	return nil
}

// Duration is a time.Duration that is text in JSON.
type Duration time.Duration

// MarshalText implements encoding.TextMarshaler.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	if err != nil || v < 0 {
		return fmt.Errorf(`%q is no duration; write for example "50ms" or "2s"`, b)
	}
	*d = Duration(v)
	return nil
}

// Framing is one way in which a stream's framing differs from the plain one.
type Framing string

// The framings. They can be combined as far as they do not contradict each other.
const (
	CRLF          Framing = "crlf"           // lines end in CRLF
	CR            Framing = "cr"             // lines end in CR
	NoSpace       Framing = "no_space"       // data:{…} without the space
	BOM           Framing = "bom"            // a byte order mark first
	Comments      Framing = "comments"       // comments before every event, alone and within it
	EventLines    Framing = "event_lines"    // an event: line in every event
	IDLines       Framing = "id_lines"       // an id: line in every event
	RetryLines    Framing = "retry_lines"    // a retry: line alone before every event
	MultiLine     Framing = "multi_line"     // an event's JSON over three data: lines
	SingleNewline Framing = "single_newline" // no blank line between events
	NoDone        Framing = "no_done"        // no [DONE] at the end
	NoFinalBlank  Framing = "no_final_blank" // the last event ends without any line end
)

var framings = []Framing{
	CRLF, CR, NoSpace, BOM, Comments, EventLines, IDLines, RetryLines, MultiLine, SingleNewline, NoDone, NoFinalBlank,
}
