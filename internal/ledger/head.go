package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A segment begins with a head, which has the first page to itself, and with the records that are repeated in it. The head is written after
// these. It counts only if all of these can be read: otherwise power was lost before the segment was synced for the first time.
const (
	headRoom = 4096
	maxSeals = 256 // as many fit into a head; older segments are in the heads of older ones
)

// head is what a segment says about itself and about those before it.
type head struct {
	instance string
	begin    int64 // where the records end that were repeated
	seals    []sealed
}

// sealed says how far an earlier segment counts. What follows there was repeated in a later one, or was given up.
type sealed struct {
	segment uint64
	end     int64
}

// version is of the format of a whole segment.
const version = 1

func appendHead(b []byte, h *head) []byte {
	b = append(startFrame(b, headKind), version)
	b = appendName(b, h.instance)
	b = binary.AppendUvarint(b, uint64(h.begin))
	seals := h.seals[max(0, len(h.seals)-maxSeals):]
	b = binary.AppendUvarint(b, uint64(len(seals)))
	for _, s := range seals {
		b = binary.AppendUvarint(binary.AppendUvarint(b, s.segment), uint64(s.end))
	}
	return b
}

var errNoHead = errors.New("the segment has no head")

// parseHead reads the head in the first page of a segment.
func parseHead(page []byte, segment uint64) (h head, err error) {
	size := frameSize(page)
	if size == 0 || size > len(page) || kindOf(page) != headKind || !valid(page[:size], segment, 0) {
		return head{}, errNoHead
	}
	d := newDecoder(payload(page[:size]))
	if v := d.byte(); v != version {
		return head{}, fmt.Errorf("the segment has format %d, and this version of Weir reads format %d", v, version)
	}
	h.instance = d.text()
	h.begin = int64(d.uvarint())
	n := d.uvarint()
	if n > maxSeals {
		return head{}, errPayload
	}
	for range n {
		h.seals = append(h.seals, sealed{d.uvarint(), int64(d.uvarint())})
	}
	return h, d.end()
}

// Segments are files named by their number. One that is damaged is renamed when its rows have been shipped; Weir does not read it again.
const (
	segmentPrefix = "segment-"
	damagedSuffix = ".damaged"
)

func segmentName(n uint64) string { return fmt.Sprintf("%s%010d", segmentPrefix, n) }

// segmentNumber reads the number in a file's name. Damaged is set for one that was put aside.
func segmentNumber(name string) (n uint64, damaged, ok bool) {
	digits, found := strings.CutPrefix(name, segmentPrefix)
	if !found {
		return 0, false, false
	}
	digits, damaged = strings.CutSuffix(digits, damagedSuffix)
	n, err := strconv.ParseUint(digits, 10, 63)
	return n, damaged, err == nil && segmentName(n) == segmentPrefix+digits
}
