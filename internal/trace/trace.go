// Package trace is the W3C trace context: the headers that say which trace a request, or a call to an upstream, is part of. It is pure.
package trace

import (
	"encoding/binary"
	"encoding/hex"
)

// ID names a trace. The zero value names none.
type ID [16]byte

// String is the id in lower-case hex.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// SpanID names a span within a trace. 0 names none.
type SpanID uint64

// SpanOf names a span by a random number.
func SpanOf(random uint64) SpanID { return SpanID(random | 1) } // 0 is none

// String is the id in lower-case hex.
func (id SpanID) String() string {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(id))
	return hex.EncodeToString(b[:])
}

// The flags of a traceparent that have a meaning. Others are not passed on.
const (
	Sampled byte = 1 << iota // the caller records the trace
	Random                   // the last seven bytes of the trace's id are random
)

// Context is where a request stands in a trace. The zero value stands in none.
type Context struct {
	ID     ID
	Parent SpanID // the caller's span, 0 if it named none
	Span   SpanID // the request's own, 0 if it has none because Weir records no traces
	Flags  byte
}

// The places of what a traceparent holds: 00-<32 hex digits>-<16>-<2>.
const (
	atID, atParent, atFlags = 3, 36, 53
	length                  = 55
)

// Parse reads a traceparent (W3C Trace Context, section 3.2). ok is false if it is not valid. Later versions may have more at its end.
func Parse(text string) (c Context, ok bool) {
	if len(text) < length || text[2] != '-' || text[atParent-1] != '-' || text[atFlags-1] != '-' || text[:2] == "ff" ||
		len(text) > length && (text[:2] == "00" || text[length] != '-') {
		return Context{}, false
	}
	var version, flags [1]byte
	var parent [8]byte
	if !unhex(version[:], text) || !unhex(c.ID[:], text[atID:]) || !unhex(parent[:], text[atParent:]) || !unhex(flags[:], text[atFlags:]) {
		return Context{}, false
	}
	c.Parent, c.Flags = SpanID(binary.BigEndian.Uint64(parent[:])), flags[0]&(Sampled|Random)
	if c.ID == (ID{}) || c.Parent == 0 {
		return Context{}, false
	}
	return c, true
}

// unhex fills dst from the beginning of text, which has enough digits of lower-case hex, or it fails.
func unhex(dst []byte, text string) bool {
	text = text[:2*len(dst)]
	wrong := byte(0)
	for i := range dst {
		high, low := digits[text[2*i]], digits[text[2*i+1]]
		dst[i] = high<<4 | low&0xf
		wrong |= high | low
	}
	return wrong <= 0xf
}

// digits are the values of the digits of lower-case hex, and 255 for everything else.
var digits = func() (values [256]byte) {
	for i := range values {
		values[i] = 255
	}
	for i, c := range []byte("0123456789abcdef") {
		values[c] = byte(i)
	}
	return values
}()

// Traceparent is the header for a call that is made in a span of the trace.
func (c *Context) Traceparent(span SpanID) string {
	var id [8]byte
	binary.BigEndian.PutUint64(id[:], uint64(span))
	b := make([]byte, 0, length)
	b = hex.AppendEncode(append(b, "00-"...), c.ID[:])
	b = hex.AppendEncode(append(b, '-'), id[:])
	return string(hex.AppendEncode(append(b, '-'), []byte{c.Flags}))
}

// Ratio is a share of all traces. It takes the same ones wherever it is asked.
type Ratio uint64

// RatioOf is a share given in millionths.
func RatioOf(millionths int64) Ratio { return Ratio(uint64(millionths) * (1 << 63 / 1_000_000)) }

// All takes every trace.
const All Ratio = 1_000_000 * (1 << 63 / 1_000_000)

// Takes reports whether a trace belongs to the share. It goes by the end of its id, which is random.
func (r Ratio) Takes(id ID) bool { return r >= All || Ratio(binary.BigEndian.Uint64(id[8:])>>1) < r }
