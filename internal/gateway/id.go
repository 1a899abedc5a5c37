package gateway

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"time"
)

// idPrefix is what the ids of requests begin with.
const idPrefix = "req_"

// ids spells bytes so that texts are in the order of the bytes.
var ids = base32.HexEncoding.WithPadding(base32.NoPadding)

// requestID names a request. If Weir begins a trace with the request, the trace has the same bytes as its id.
type requestID [16]byte

// newID is the id of a request that came at now: 48 bits of milliseconds since 1970, which make ids rise with time, and 80 random
// ones.
func newID(now time.Time) (id requestID) {
	binary.BigEndian.PutUint64(id[:8], uint64(now.UnixMilli())<<16)
	_, _ = rand.Read(id[6:]) // never fails
	return id
}

// String is the id as callers see it.
func (id requestID) String() string {
	var text [26]byte
	ids.Encode(text[:], id[:])
	return idPrefix + string(text[:])
}
