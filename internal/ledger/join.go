package ledger

import (
	"errors"
	"io"
	"slices"

	"github.com/weirproxy/weir/internal/money"
)

// joiner reads a segment and joins settlements with their intents. It remembers where intents are, not what they say.
type joiner struct {
	scanner
	open     map[Seq]span // intents without a settlement so far
	prices   map[money.ID][]byte
	greatest Seq
	suspects map[Seq][]byte // calls of damaged segments before this one that have no settlement there; those repeated here are struck off
	strange  int            // settlements whose intent is missing, and records of a form that is not known

	intent []byte // of a row, if the window has moved on
}

// span is the place of a record.
type span struct {
	at   int64
	size int
}

// begin goes to another segment. Whatever was open in the one before is repeated in it.
func (j *joiner) begin(file io.ReaderAt, number uint64, end int64, salvage bool) {
	window := j.window[:0]
	j.scanner = scanner{file: file, segment: number, at: headRoom, end: end, salvage: salvage, window: window}
	j.open, j.prices, j.strange = map[Seq]span{}, map[money.ID][]byte{}, 0
}

// step returns the next settlement and the place of its intent; nil at the end. The bytes are valid until the next call.
func (j *joiner) step() (settlement []byte, intent span) {
	for {
		frame, at := j.next()
		if frame == nil {
			return nil, span{}
		}
		switch k := kindOf(frame); {
		case k == priceKind:
			if p, err := decodePrice(payload(frame)); err == nil {
				j.prices[p.ID] = p.JSON
			} else {
				j.strange++
			}
		case k == intentKind && hasPrice(frame):
			j.open[seqOf(frame)] = span{at, len(frame)}
			j.greatest = max(j.greatest, seqOf(frame))
			delete(j.suspects, seqOf(frame))
		case k == voidKind && hasSeq(frame):
			delete(j.open, seqOf(frame))
		case k == settleKind && hasSeq(frame):
			intent, found := j.open[seqOf(frame)]
			if found {
				delete(j.open, seqOf(frame))
				return frame, intent
			}
			j.strange++
		default:
			j.strange++
		}
	}
}

// row makes the row of what step returned. It is false if a record has no form that is known.
func (j *joiner) row(instance string, settlement []byte, intent span) (row Row, ok bool) {
	seq, s, err := decodeSettlement(payload(settlement)) // first: what follows may move the window
	if err != nil {
		j.strange++
		return Row{}, false
	}
	size := len(settlement)
	frame := j.frame(intent)
	if frame == nil { // it is read again the next time
		j.at -= int64(size)
		j.open[seq] = intent
		return Row{}, false
	}
	_, in, err := decodeIntent(payload(frame))
	if err != nil {
		j.strange++
		return Row{}, false
	}
	return Row{Instance: instance, Seq: seq, Intent: in, Settlement: s}, true
}

// frame returns the record at a place that step has passed; nil if it cannot be read. The window stays where it is.
func (j *joiner) frame(p span) []byte {
	if from := p.at - j.start; from >= 0 && from+int64(p.size) <= int64(len(j.window)) {
		return j.window[from:][:p.size]
	}
	j.intent = slices.Grow(j.intent[:0], p.size)[:p.size]
	if err := readFull(j.file, j.intent, p.at); err != nil {
		j.err = err
		return nil
	}
	return j.intent
}

// readFull reads b from a place of the file. What is after the file's end is zero.
func readFull(file io.ReaderAt, b []byte, at int64) error {
	n, err := file.ReadAt(b, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	clear(b[n:])
	return nil
}
