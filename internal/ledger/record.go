package ledger

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/weirproxy/weir/internal/money"
)

// A record in a segment is
//
//	length of the payload   4 bytes, little-endian
//	checksum                4 bytes: CRC-32C of length, kind and payload, begun at a number made of segment and offset
//	kind                    1 byte
//	payload
//
// The segment and the offset are not stored, only summed up. So a record is valid in one place alone. Nothing that an earlier use of the
// disk left behind can be read as a record.
const (
	frameHead = 9
	kindAt    = 8
	maxRecord = 32 << 10 // of a whole record
)

// kind is what a record says.
type kind uint8

const (
	headKind   kind = iota + 1 // the head of a segment
	priceKind                  // the JSON of a price: id, text
	intentKind                 // a call that is about to be made
	settleKind                 // a call that has ended
	voidKind                   // a call that was not made after all: its intent could not be made durable
)

// castagnoli is the table of CRC-32C, for which processors have an instruction.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// startFrame appends the room for a record's head. The payload is appended after it; seal completes it.
func startFrame(b []byte, k kind) []byte {
	return append(b, 0, 0, 0, 0, 0, 0, 0, 0, byte(k))
}

// seal writes length and checksum of a whole record for its place.
func seal(frame []byte, segment uint64, offset int64) {
	binary.LittleEndian.PutUint32(frame, uint32(len(frame)-frameHead))
	binary.LittleEndian.PutUint32(frame[4:], checksum(frame, segment, offset))
}

// checksum is the CRC of a record in its place. The place is where the sum begins: two places begin differently, but for one chance in 2³².
func checksum(frame []byte, segment uint64, offset int64) uint32 {
	place := segment*0x9e3779b97f4a7c15 + uint64(offset)
	place = (place ^ place>>32) * 0xd6e8feb86659fd93
	return crc32.Update(crc32.Update(uint32(place>>32), castagnoli, frame[:4]), castagnoli, frame[8:])
}

// frameSize reads the size of the record that begins b, head included. It is 0 if no record can begin so.
func frameSize(b []byte) int {
	if len(b) < frameHead {
		return 0
	}
	n := binary.LittleEndian.Uint32(b)
	if n > maxRecord-frameHead || b[8] == 0 || b[8] > byte(voidKind) {
		return 0
	}
	return frameHead + int(n)
}

// valid reports whether frame is a whole record of this place.
func valid(frame []byte, segment uint64, offset int64) bool {
	return frameSize(frame) == len(frame) && binary.LittleEndian.Uint32(frame[4:]) == checksum(frame, segment, offset)
}

// An intent's payload begins with its Seq and its price, at fixed places: the one is known only when it is written, the other decides
// whether the price has to be written before it. Payloads of settlements and voids begin with the Seq of their intent.
const (
	seqAt   = frameHead
	priceAt = frameHead + 8
)

func putSeq(frame []byte, s Seq)     { binary.LittleEndian.PutUint64(frame[seqAt:], uint64(s)) }
func seqOf(frame []byte) Seq         { return Seq(binary.LittleEndian.Uint64(frame[seqAt:])) }
func priceOf(intent []byte) money.ID { return money.ID(binary.LittleEndian.Uint64(intent[priceAt:])) }
func kindOf(frame []byte) kind       { return kind(frame[8]) }
func payload(frame []byte) []byte    { return frame[frameHead:] }
func hasSeq(frame []byte) bool       { return len(frame) >= seqAt+8 }
func hasPrice(intent []byte) bool    { return len(intent) >= priceAt+8 }
func firstFrame(frames []byte) []byte {
	return frames[:frameHead+int(binary.LittleEndian.Uint32(frames))]
}

func setLength(frame []byte) []byte {
	binary.LittleEndian.PutUint32(frame, uint32(len(frame)-frameHead))
	return frame
}
func voidFrame(b []byte, s Seq) []byte { return setLength(appendSeq(startFrame(b, voidKind), s)) }

func appendSeq(b []byte, s Seq) []byte { return binary.LittleEndian.AppendUint64(b, uint64(s)) }

// scanner reads the records of one segment, in order.
type scanner struct {
	file    io.ReaderAt
	segment uint64
	at, end int64 // where the next record begins, and where the last one ends at the latest
	salvage bool  // what is not valid is passed over, to the next valid record; else it ends the segment

	bad bool  // something was not valid before end
	err error // the file could not be read

	window []byte // of the file, from start
	start  int64
}

const windowSize = 256 << 10

// next returns the next record and where it begins; nil at the end. The bytes are valid until the next call.
func (s *scanner) next() (frame []byte, at int64) {
	for s.at+frameHead <= s.end {
		head := s.read(s.at, frameHead)
		if s.err != nil {
			return nil, 0
		}
		size := frameSize(head)
		if size > 0 && s.at+int64(size) <= s.end {
			frame = s.read(s.at, size)
			if s.err != nil {
				return nil, 0
			}
			if valid(frame, s.segment, s.at) {
				at = s.at
				s.at += int64(size)
				return frame, at
			}
		}
		s.bad = true
		if !s.salvage {
			return nil, 0
		}
		s.at += max(1, s.zeros()-kindAt)
	}
	if s.at < s.end && s.salvage {
		s.bad, s.at = true, s.end
	}
	return nil, 0
}

// zeros is how many zeros begin here, of those in the window. A record has none in the place of its kind.
func (s *scanner) zeros() int64 {
	rest := s.window[s.at-s.start:]
	return int64(len(rest) - len(bytes.TrimLeft(rest, "\x00")))
}

// read returns n bytes of the file. What is after its end is zero.
func (s *scanner) read(at int64, n int) []byte {
	if at < s.start || at+int64(n) > s.start+int64(len(s.window)) {
		if cap(s.window) == 0 {
			s.window = make([]byte, 0, windowSize)
		}
		s.window, s.start = s.window[:max(n, int(min(windowSize, s.end-at)))], at
		if err := readFull(s.file, s.window, at); err != nil {
			s.err, s.window = err, s.window[:0]
			return nil
		}
	}
	return s.window[at-s.start:][:n]
}
