package sim

import (
	"iter"
	"net/http"
)

// dialect is one wire format, seen from the provider's side. It knows what calls look like and what is
// correct to answer; pacing, faults and the log are not its business. It keeps no state.
type dialect interface {
	// route reports whether the call is one of this dialect's, and fills in its endpoint, its credential and
	// what its path says.
	route(c *call) bool
	// read fills in what the body says: model and stream. It tolerates anything; reply complains.
	read(c *call)
	// reply is the correct answer to the call.
	reply(c *call) reply
	// refusal is how this provider words an error of that status.
	refusal(status int) reply
	// streamError is the payload of its in-stream error.
	streamError() []byte
	// usage finds the usage in an answer or an event that a script gave. ok is false if it has none.
	usage(payload []byte) (prompt, completion int, ok bool)
}

// framed is a dialect whose streams are no server-sent events.
type framed interface {
	streamType() string
	// frame appends one event.
	frame(dst, payload []byte) []byte
}

// named is a dialect whose events have names.
type named interface {
	eventName(payload []byte) string
}

// call is one request, as far as it was understood.
type call struct {
	request    *http.Request
	body       []byte
	number     uint64 // counted from 1
	endpoint   string // the path below /v1, without what varies: "/models" for one model too
	credential string
	pathModel  string // a model or deployment that the path names
	dated      bool   // a path of Azure's dated API
	model      string
	stream     bool

	script *Script
	rule   *Rule // what applies to it; an empty one if none does
	// created is the time that the answer bears.
	created int64
}

// tokens is how long the answer's text should be, 0 for as long as the sentence.
func (c *call) tokens() int {
	if c.rule.Tokens > 0 {
		return c.rule.Tokens
	}
	return c.script.Tokens
}

// reply is an answer before it meets the network. Exactly one of body and events is set.
type reply struct {
	status      int
	header      http.Header // what is special about it; may be nil
	contentType string
	body        []byte
	events      iter.Seq[event]
	// prompt is the number of prompt tokens; completion that of a complete body. The events of a stream
	// bring their own.
	prompt, completion int
}

// event is one event of a streamed answer.
type event struct {
	payload []byte // valid until the next event
	tokens  int    // completion tokens in it
	paced   bool   // takes the time of one token
	last    bool   // ends the answer
}
