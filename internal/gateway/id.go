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

// newID is the id of a request that came at now: 48 bits of milliseconds since 1970, which make ids rise with time, and 80 random
// ones.
func newID(now time.Time) string {
	var id [16]byte
	binary.BigEndian.PutUint64(id[:8], uint64(now.UnixMilli())<<16)
	_, _ = rand.Read(id[6:]) // never fails
	var text [26]byte
	ids.Encode(text[:], id[:])
	return idPrefix + string(text[:])
}
