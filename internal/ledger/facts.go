package ledger

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math/bits"
	"time"
	"unicode/utf8"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

// Stores keep most of a row as one packed value, its facts: 45 columns would take more room for their heads than for what is in them, and
// most of them are 0. A row's ids, names, price and flags are columns, which sums, filters and readers of the file need.
//
// Facts are a mask of the fields that are not 0, 7 bits a byte, and these fields in their order: numbers as zigzag varints, texts with their
// length before them, and then the tags. Texts that are ids have 6 bits a character. The order below is part of the format, so it only grows.

// maxText is the longest text that callers and upstreams choose, in bytes.
const maxText = 128

// bounded is a text without what is beyond the bound. It stays valid UTF-8 if it was.
func bounded(text string) string {
	if len(text) <= maxText {
		return text
	}
	end := maxText
	for end > maxText-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// The places of the fields in the mask. Those that most rows have come first, for the mask is short then.
const (
	factOwn = iota
	factTook
	factStatus
	factFresh
	factText
	factCost
	factHold

	factFirst
	factUpstreamID
	factUpstreamModel // if it is not the target's
	factCacheRead
	factReasoning
	factStarted // how long before the row's number
	factListed  // beyond the cost

	factClientID
	factTry // beyond the first
	factCall
	factSource
	factCostSource
	factCredential
	factTier

	factTags
	factCacheWrite
	factCacheWrite1h
	factSearches
	factBilled // one more than what the provider says, because that may be 0
	factAudioIn
	factImageIn

	factAudioOut
	factImageOut
	factAdjusts // how long before the row's number
	factModel   // the names of a row that found no numbers
	factUpstream
	factReason
	facts // their number
)

// numbers are the fields of a row that are numbers, by their places, as differences from what they mostly are.
func (r *Row) numbers() [facts]int64 {
	billed := int64(0)
	if r.Usage.Cost.Known {
		billed = r.Usage.Cost.Nanodollars + 1
	}
	adjusts := int64(0)
	if r.Adjusts != 0 {
		adjusts = int64(r.Seq - r.Adjusts)
	}
	return [...]int64{
		factOwn: r.Own.Microseconds(), factTook: r.Took.Microseconds(), factStatus: int64(r.Status), factFresh: r.Usage.Fresh, factText: r.Usage.Text,
		factCost: r.Cost, factHold: r.Hold, factFirst: r.First.Microseconds(), factCacheRead: r.Usage.CacheRead, factReasoning: r.Usage.Reasoning,
		factStarted: int64(r.Seq) - r.Started.UnixMicro(), factListed: r.Listed - r.Cost, factTry: int64(r.Try - 1), factCall: int64(r.Call),
		factSource: int64(r.Source), factCostSource: int64(r.CostSource), factCredential: int64(r.Credential), factCacheWrite: r.Usage.CacheWrite,
		factCacheWrite1h: r.Usage.CacheWrite1h, factSearches: r.Usage.Searches, factBilled: billed, factAudioIn: r.Usage.AudioIn,
		factImageIn: r.Usage.ImageIn, factAudioOut: r.Usage.AudioOut, factImageOut: r.Usage.ImageOut, factAdjusts: adjusts, factReason: 0,
	}
}

// setNumbers is the inverse of numbers, for a row whose Seq is set.
func (r *Row) setNumbers(n *[facts]int64) {
	micros := func(place int) time.Duration { return time.Duration(n[place]) * time.Microsecond }
	r.Own, r.Took, r.First = micros(factOwn), micros(factTook), micros(factFirst)
	r.Status, r.Try, r.Call, r.Credential = int(n[factStatus]), int(n[factTry]+1), int(n[factCall]), int(n[factCredential])
	r.Cost, r.Hold, r.Listed = n[factCost], n[factHold], n[factListed]+n[factCost]
	r.Source, r.CostSource = Source(n[factSource]), money.Source(n[factCostSource])
	r.Started = time.UnixMicro(int64(r.Seq) - n[factStarted]).UTC()
	if n[factAdjusts] != 0 {
		r.Adjusts = r.Seq - Seq(n[factAdjusts])
	}
	u := &r.Usage
	u.Fresh, u.Text, u.CacheRead, u.Reasoning, u.CacheWrite, u.CacheWrite1h = n[factFresh], n[factText], n[factCacheRead], n[factReasoning], n[factCacheWrite], n[factCacheWrite1h]
	u.Searches, u.AudioIn, u.ImageIn, u.AudioOut, u.ImageOut = n[factSearches], n[factAudioIn], n[factImageIn], n[factAudioOut], n[factImageOut]
	if n[factBilled] != 0 {
		u.Cost.Known, u.Cost.Nanodollars = true, n[factBilled]-1
	}
}

// texts are the places of the fields that are texts, in their order.
var texts = [...]int{factUpstreamID, factUpstreamModel, factClientID, factTier, factModel, factUpstream, factReason}

func (r *Row) text(place int) *string {
	switch place {
	case factUpstreamID:
		return &r.UpstreamID
	case factUpstreamModel:
		return &r.UpstreamModel
	case factClientID:
		return &r.ClientID
	case factTier:
		return &r.Usage.Tier
	case factModel:
		return &r.Model
	case factUpstream:
		return &r.Upstream
	case factReason:
		return &r.Reason
	}
	return nil
}

// AppendFacts appends the row's facts. named says whether the model and the upstream's model have numbers of their own; otherwise they are
// among the facts.
func (r *Row) AppendFacts(b []byte, named bool) []byte {
	numbers := r.numbers()
	var mask uint64
	for place, n := range numbers {
		if n != 0 {
			mask |= 1 << place
		}
	}
	for _, place := range texts {
		has := *r.text(place) != ""
		switch place {
		case factUpstreamModel:
			has = r.UpstreamModel != r.Upstream
		case factModel, factUpstream:
			has = !named
		}
		if has {
			mask |= 1 << place
		}
	}
	if len(r.Tags) > 0 {
		mask |= 1 << factTags
	}
	b = binary.AppendUvarint(b, mask)
	for rest := mask; rest != 0; rest &= rest - 1 {
		place := bits.TrailingZeros64(rest)
		switch text := r.text(place); {
		case place == factTags:
			b = appendTags(b, r.Tags)
		case text != nil:
			b = appendPacked(b, *text)
		default:
			b = binary.AppendVarint(b, numbers[place])
		}
	}
	return b
}

func appendTags(b []byte, tags []Tag) []byte {
	b = binary.AppendUvarint(b, uint64(len(tags)))
	for _, tag := range tags {
		b = appendText(appendText(b, tag.Name), tag.Value)
	}
	return b
}

func appendText(b []byte, text string) []byte {
	text = bounded(text)
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// appendPacked appends a text. One of letters, digits, - and _ alone, as most ids are, takes 6 bits a character: its length is written with
// maxText added, which no other text's length reaches.
func appendPacked(b []byte, text string) []byte {
	text = bounded(text)
	var whole [maxText + 3]byte // of groups of four characters, as the encoding wants them
	n := copy(whole[:], text)
	for ; n%4 != 0; n++ {
		whole[n] = 'A' // is zeros
	}
	head := binary.AppendUvarint(b, uint64(maxText+len(text)))
	packed, err := base64.RawURLEncoding.AppendDecode(head, whole[:n])
	if err != nil || len(packed) != len(head)+n/4*3 || len(text) < shortestPacked {
		return appendText(b, text)
	}
	return packed[:len(head)+packedSize(len(text))]
}

// shortestPacked is the length of the shortest text that is packed: shorter ones gain nothing.
const shortestPacked = 8

func packedSize(length int) int { return (6*length + 7) / 8 }

var errFacts = errors.New("the facts of a row are damaged, or a newer Weir wrote them")

// ReadFacts reads what AppendFacts wrote into a row that has its columns already.
func (r *Row) ReadFacts(b []byte) error {
	in := factsReader{rest: b}
	mask := in.uvarint()
	if mask>>facts != 0 {
		return errFacts
	}
	var numbers [facts]int64
	for rest := mask; rest != 0 && !in.bad; rest &= rest - 1 {
		place := bits.TrailingZeros64(rest)
		switch text := r.text(place); {
		case place == factTags:
			r.Tags = in.tags()
		case text != nil:
			*text = in.packed()
		default:
			numbers[place] = in.varint()
		}
	}
	if in.bad || len(in.rest) > 0 || uint64(numbers[factSource]) > uint64(Reserved) || uint64(numbers[factCostSource]) > uint64(money.Fixed) {
		return errFacts
	}
	r.setNumbers(&numbers)
	if mask&(1<<factUpstreamModel) == 0 {
		r.UpstreamModel = r.Upstream
	}
	return nil
}

type factsReader struct {
	rest []byte
	bad  bool
}

func (in *factsReader) uvarint() uint64 {
	n, size := binary.Uvarint(in.rest)
	if in.bad = in.bad || size <= 0; in.bad {
		return 0
	}
	in.rest = in.rest[size:]
	return n
}

func (in *factsReader) varint() int64 {
	n := in.uvarint()
	return int64(n>>1) ^ -int64(n&1)
}

func (in *factsReader) text() string {
	n := in.uvarint()
	if in.bad = in.bad || n > uint64(len(in.rest)); in.bad {
		return ""
	}
	text := string(in.rest[:n])
	in.rest = in.rest[n:]
	return text
}

// packed reads what appendPacked wrote.
func (in *factsReader) packed() string {
	before := in.rest
	n := in.uvarint()
	if n <= maxText {
		in.rest = before
		return in.text()
	}
	n -= maxText
	if in.bad = in.bad || n > maxText || packedSize(int(n)) > len(in.rest); in.bad {
		return ""
	}
	var bytes [packedSizeOfAny]byte
	size := copy(bytes[:], in.rest[:packedSize(int(n))])
	in.rest = in.rest[size:]
	var text [4 * packedSizeOfAny / 3]byte
	base64.RawURLEncoding.Encode(text[:], bytes[:])
	return string(text[:n])
}

// packedSizeOfAny is the size of the longest packed text.
const packedSizeOfAny = 6 * maxText / 8

func (in *factsReader) tags() []Tag {
	n := in.uvarint()
	var tags []Tag
	for ; n > 0 && !in.bad; n-- {
		tags = append(tags, Tag{in.text(), in.text()})
	}
	return tags
}

// Kept is the row as a store gives it back: without Held, of which Hold is the price, and Chosen, with times to the microsecond and bounded texts.
func (r Row) Kept() Row {
	r.Held, r.Chosen = llm.Usage{}, false
	r.Started = r.Started.Truncate(time.Microsecond).UTC()
	for _, d := range [...]*time.Duration{&r.First, &r.Took, &r.Own} {
		*d = d.Truncate(time.Microsecond)
	}
	for _, text := range [...]*string{&r.UpstreamID, &r.UpstreamModel, &r.ClientID, &r.Usage.Tier, &r.Reason} {
		*text = bounded(*text)
	}
	tags := make([]Tag, 0, len(r.Tags))
	for _, t := range r.Tags {
		tags = append(tags, Tag{bounded(t.Name), bounded(t.Value)})
	}
	if r.Tags = tags; len(tags) == 0 {
		r.Tags = nil
	}
	return r
}
