package ledger

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/money"
)

// appendIntent appends the record of an intent, without Seq and checksum.
func appendIntent(b []byte, in *Intent) []byte {
	b = appendSeq(startFrame(b, intentKind), 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(in.Price))
	b = appendName(b, in.Request)
	b = appendText(b, in.ClientID)
	b = appendInt(b, int64(in.Try))
	b = appendInt(b, int64(in.Call))
	b = appendInt(b, in.Started.UnixNano())
	b = appendName(b, in.Key)
	b = appendName(b, in.Team)
	b = appendTags(b, in.Tags)
	b = appendName(b, in.Model)
	b = appendName(b, in.Provider)
	b = appendText(b, in.Upstream)
	b = appendInt(b, int64(in.Credential))
	b = appendUsage(b, &in.Held)
	b = appendInt(b, in.Hold)
	if in.Adjusts != 0 || in.Reason != "" {
		b = appendText(appendInt(b, int64(in.Adjusts)), in.Reason)
	}
	if in.Chosen {
		b = append(b, chosen)
	}
	return b
}

// chosen ends the record of an intent whose Upstream the caller chose.
const chosen = 1

// appendSettlement appends the record of a settlement, without checksum.
func appendSettlement(b []byte, seq Seq, s *Settlement) []byte {
	b = appendSeq(startFrame(b, settleKind), seq)
	b = appendInt(b, int64(s.Status))
	b = appendText(b, s.Outcome)
	b = binary.AppendUvarint(b, uint64(s.Flags))
	b = append(b, byte(s.Source), byte(s.CostSource))
	b = appendUsage(b, &s.Usage)
	b = appendInt(b, s.Cost)
	b = appendInt(b, s.Listed)
	b = appendText(b, s.UpstreamModel)
	b = appendText(b, s.UpstreamID)
	b = appendInt(b, int64(s.First))
	b = appendInt(b, int64(s.Took))
	return appendInt(b, int64(s.Own))
}

// appendPrice appends the record of a price, without checksum.
func appendPrice(b []byte, p PricedAs) []byte {
	b = startFrame(b, priceKind)
	b = binary.LittleEndian.AppendUint64(b, uint64(p.ID))
	return append(b, p.JSON...)
}

func appendUsage(b []byte, u *llm.Usage) []byte {
	for _, n := range [...]int64{u.Fresh, u.AudioIn, u.ImageIn, u.CacheRead, u.CacheWrite, u.CacheWrite1h, u.Text, u.Reasoning, u.AudioOut, u.ImageOut, u.Searches} {
		b = appendInt(b, n)
	}
	b = appendText(b, u.Tier)
	known := byte(0)
	if u.Cost.Known {
		known = 1
	}
	return appendInt(append(b, known), u.Cost.Nanodollars)
}

func appendInt(b []byte, n int64) []byte { return binary.AppendVarint(b, n) }

// appendName appends a text that callers and upstreams do not choose: it is kept whole.
func appendName(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// errPayload is the error of a payload that is not of its kind. Its checksum was right, so another version of Weir wrote it.
var errPayload = errors.New("the record is not of a form that this version of Weir knows")

func decodeIntent(payload []byte) (seq Seq, in Intent, err error) {
	d := newDecoder(payload)
	seq = Seq(d.fixed())
	in.Price = money.ID(d.fixed())
	in.Request = d.text()
	in.ClientID = d.text()
	in.Try = int(d.varint())
	in.Call = int(d.varint())
	in.Started = time.Unix(0, d.varint()).UTC()
	in.Key = d.text()
	in.Team = d.text()
	in.Tags = d.tags()
	in.Model = d.text()
	in.Provider = d.text()
	in.Upstream = d.text()
	in.Credential = int(d.varint())
	d.usage(&in.Held)
	in.Hold = d.varint()
	if len(d.rest) > 1 {
		in.Adjusts, in.Reason = Seq(d.varint()), d.text()
	}
	if len(d.rest) == 1 && d.rest[0] == chosen {
		in.Chosen, d.rest = true, nil
	}
	return seq, in, d.end()
}

func decodeSettlement(payload []byte) (seq Seq, s Settlement, err error) {
	d := newDecoder(payload)
	seq = Seq(d.fixed())
	s.Status = int(d.varint())
	s.Outcome = d.text()
	s.Flags = Flags(d.uvarint())
	s.Source = Source(d.byte())
	s.CostSource = money.Source(d.byte())
	d.usage(&s.Usage)
	s.Cost = d.varint()
	s.Listed = d.varint()
	s.UpstreamModel = d.text()
	s.UpstreamID = d.text()
	s.First = time.Duration(d.varint())
	s.Took = time.Duration(d.varint())
	s.Own = time.Duration(d.varint())
	return seq, s, d.end()
}

// decodePrice returns a price of its own memory.
func decodePrice(payload []byte) (p PricedAs, err error) {
	d := newDecoder(payload)
	p.ID = money.ID(d.fixed())
	p.JSON = append([]byte(nil), d.rest...)
	d.rest = nil
	return p, d.end()
}

// decoder reads a payload. After a failure everything is zero.
type decoder struct{ factsReader }

func newDecoder(payload []byte) decoder { return decoder{factsReader{rest: payload}} }

// end says whether all was read, and nothing is left.
func (d *decoder) end() error {
	if d.bad || len(d.rest) > 0 {
		return errPayload
	}
	return nil
}

// take returns the next n bytes, or as many zeros.
func (d *decoder) take(n int) []byte {
	if d.bad = d.bad || n > len(d.rest); d.bad {
		return make([]byte, n)
	}
	taken := d.rest[:n]
	d.rest = d.rest[n:]
	return taken
}

func (d *decoder) fixed() uint64 { return binary.LittleEndian.Uint64(d.take(8)) }

func (d *decoder) byte() byte { return d.take(1)[0] }

func (d *decoder) usage(u *llm.Usage) {
	for _, n := range [...]*int64{&u.Fresh, &u.AudioIn, &u.ImageIn, &u.CacheRead, &u.CacheWrite, &u.CacheWrite1h, &u.Text, &u.Reasoning, &u.AudioOut, &u.ImageOut, &u.Searches} {
		*n = d.varint()
	}
	u.Tier = d.text()
	u.Cost.Known = d.byte() == 1
	u.Cost.Nanodollars = d.varint()
}
