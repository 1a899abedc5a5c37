package dialect

import (
	"io"
	"unsafe"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
)

// Body is an encoded request in pieces, to be sent one after the other. It is immutable; each Reader starts
// at the beginning, so a call can be sent again.
type Body struct{ *spliced }

type spliced struct {
	pieces [][]byte
	length int64
	few    [3][]byte // room for those of one edit, which most requests need

	texts jsonwalk.Texts // the long ones of the bytes that were edited
	kept  []int          // where pieces were in these bytes, -1 for what is new; nil if there are no long texts
}

// NewBody returns a body of the given bytes.
func NewBody(raw []byte) Body { return splice(raw, nil, nil) }

// splice is Scanned.Splice.
func splice(raw []byte, texts jsonwalk.Texts, edits []jsonwalk.Edit) Body {
	b := Body{&spliced{texts: texts}}
	if b.pieces = b.few[:0]; len(edits) > 1 {
		b.pieces = make([][]byte, 0, 2*len(edits)+1)
	}
	at := 0
	for _, e := range edits {
		b.add(raw[at:e.Start], at)
		b.add(unsafe.Slice(unsafe.StringData(e.New), len(e.New)), -1) // pieces are not changed
		at = e.End
	}
	b.add(raw[at:], at)
	return b
}

func (b *spliced) add(piece []byte, at int) {
	if len(piece) == 0 {
		return
	}
	b.pieces = append(b.pieces, piece)
	b.length += int64(len(piece))
	if len(b.texts) > 0 {
		b.kept = append(b.kept, at)
	}
}

// OutlineLen is about how many bytes the outline has, and not fewer.
func (b Body) OutlineLen() int {
	n := int(b.length)
	for i, at := range b.kept {
		if at >= 0 {
			n -= b.texts.Omitted(b.pieces[i], at)
		}
	}
	return n
}

// AppendOutline appends the body, with its long texts cut short. It is JSON as long as the body is, and has all names, and all values
// that have a meaning of their own. The long texts are not looked at for that.
func (b Body) AppendOutline(to []byte) []byte {
	for i, piece := range b.pieces {
		if b.kept == nil || b.kept[i] < 0 {
			to = append(to, piece...)
		} else {
			to = b.texts.AppendOutline(to, piece, b.kept[i])
		}
	}
	return to
}

// Len is the length in bytes.
func (b Body) Len() int64 { return b.length }

// Pieces are those of the body, in their order. They must not be changed.
func (b Body) Pieces() [][]byte { return b.pieces }

// Bytes returns the whole body as one slice.
func (b Body) Bytes() []byte {
	out := make([]byte, 0, b.length)
	for _, p := range b.pieces {
		out = append(out, p...)
	}
	return out
}

// Reader returns a reader over the body from its start. It has io.WriterTo, so that the pieces reach the
// connection without a copy in between.
func (b Body) Reader() io.ReadCloser { return &bodyReader{pieces: b.pieces} }

type bodyReader struct {
	pieces [][]byte
	at     int // in pieces[0]
}

// Read implements io.Reader.
func (r *bodyReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	total := 0
	for len(r.pieces) > 0 && total < len(p) {
		n := copy(p[total:], r.pieces[0][r.at:])
		total += n
		if r.at += n; r.at == len(r.pieces[0]) {
			r.pieces, r.at = r.pieces[1:], 0
		}
	}
	if total == 0 {
		return 0, io.EOF
	}
	return total, nil
}

// WriteTo implements io.WriterTo.
func (r *bodyReader) WriteTo(w io.Writer) (int64, error) {
	var total int64
	for len(r.pieces) > 0 {
		n, err := w.Write(r.pieces[0][r.at:])
		total += int64(n)
		if err != nil {
			return total, err
		}
		r.pieces, r.at = r.pieces[1:], 0
	}
	return total, nil
}

// Close implements io.Closer.
func (r *bodyReader) Close() error { return nil }
