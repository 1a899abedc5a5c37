package openai

import (
	"bytes"
	"slices"

	"github.com/weirproxy/weir/internal/llm"
)

// freeform finds a custom tool's text in the arguments of its function, which come in pieces. It passes as it is spelled
// there: both are JSON.
type freeform struct {
	place  place
	depth  int
	within bool   // a string of what is passed over
	quoted bool   // after the backslash of such a string
	key    []byte // the last name of the object, as far as it matters
	held   []byte // bytes of the text: an escape that has not ended
	seen   []byte // all arguments, as long as the text was not found
	torn   []byte // bytes of the last piece, as spelled: half a character, whose other half the next piece has
}

// place is the position in the arguments of the next byte.
type place uint8

const (
	before   place = iota // the object
	inName                // in the name of a member
	behind                // a name
	inMember              // in a member that is another, or what is no object
	inText                // in the text
	past                  // the text
)

// unwrap appends what a piece of the arguments, a JSON string, has of the text, without quotes.
func (f *freeform) unwrap(dst []byte, piece llm.JSON) []byte {
	if len(f.torn) > 0 || tornAt(piece.Inner()) < len(piece.Inner()) {
		piece = f.mend(piece)
	}
	return f.take(dst, piece.Text())
}

// mend is a piece with the half of a character that the last one ended with, and without such at its own end.
func (f *freeform) mend(piece llm.JSON) llm.JSON {
	inner := slices.Concat(f.torn, piece.Inner())
	at := tornAt(inner)
	f.torn = inner[at:]
	return slices.Concat(llm.JSON{'"'}, inner[:at], llm.JSON{'"'})
}

// tornAt is where half a character begins that a text ends with, its length if it does not.
func tornAt(inner []byte) int {
	at := len(inner) - len(`\ud83d`)
	if at < 0 || inner[at] != '\\' || inner[at+1] != 'u' || !isHalf(inner[at:]) {
		return len(inner)
	}
	if before := inner[:at]; (at-len(bytes.TrimRight(before, `\`)))%2 > 0 { // the backslash is itself escaped
		return len(inner)
	}
	return at
}

// take takes a piece of the arguments.
func (f *freeform) take(dst []byte, text string) []byte {
	if f.place < inText {
		f.seen = append(f.seen, text...)
	}
	for i := range len(text) {
		switch c := text[i]; {
		case f.place == past:
			return dst
		case f.place == inText:
			dst = f.pass(dst, c)
		default:
			f.look(c)
		}
	}
	return dst
}

// look takes a byte in front of the text.
func (f *freeform) look(c byte) {
	switch {
	case f.within:
		f.inString(c)
	case c == ' ', c == '\t', c == '\n', c == '\r':
	case c == '"' && f.place == behind && string(f.key) == customInput:
		f.place, f.seen = inText, nil
	case c == '"':
		f.within = true
		if f.place == before && f.depth == 1 {
			f.place, f.key = inName, f.key[:0]
		}
	case c == ':' && f.place == inName:
		f.place = behind
	default:
		f.structure(c)
	}
}

// inString takes a byte of a string that is not the text.
func (f *freeform) inString(c byte) {
	switch {
	case f.quoted:
		f.quoted = false
	case c == '\\':
		f.quoted = true
	case c == '"':
		f.within = false
		return
	}
	if f.place == inName && len(f.key) <= len(customInput) {
		f.key = append(f.key, c)
	}
}

// structure takes a byte that is of no string.
func (f *freeform) structure(c byte) {
	switch c {
	case '{', '[':
		f.depth++
	case '}', ']':
		f.depth--
	case ',':
		if f.depth == 1 {
			f.place = before
			return
		}
	}
	if f.place != before || c != '{' {
		f.place = inMember
	}
}

// pass takes a byte of the text. An escape passes whole, and so do both escapes of one character. Escapes that JSON does not know,
// as models write them, become what they meant.
func (f *freeform) pass(dst []byte, c byte) []byte {
	n := len(f.held)
	switch {
	case n == 0 && c == '"':
		f.place = past
	case n == 0 && c == '\\':
		f.held = append(f.held, c)
	case n == 0 && c < ' ':
		quoted := llm.AppendQuote(nil, []byte{c})
		return append(dst, quoted[1:len(quoted)-1]...)
	case n == 0:
		return append(dst, c)
	default:
		return f.escape(dst, c)
	}
	return dst
}

// escape takes a byte after a backslash.
func (f *freeform) escape(dst []byte, c byte) []byte {
	switch n := len(f.held); {
	case n == 1 && c == 'u', n > 1 && n < 6 && isHex(c), n == 6 && c == '\\', n == 7 && c == 'u', n > 7 && isHex(c):
		f.held = append(f.held, c)
		if len(f.held) == 12 || len(f.held) == 6 && !isHalf(f.held) {
			return f.flush(dst)
		}
		return dst
	case n == 1 && isEscape(c):
		f.held = append(f.held, c)
		return f.flush(dst)
	case n >= 6: // half a character, and not its other half
		dst = append(dst, f.held[:6]...)
		f.held = append(f.held[:0], f.held[6:]...)
		return f.pass(dst, c)
	}
	dst = append(append(dst, '\\'), f.held...)
	f.held = f.held[:0]
	return f.pass(dst, c)
}

func (f *freeform) flush(dst []byte) []byte {
	dst = append(dst, f.held...)
	f.held = f.held[:0]
	return dst
}

// isHalf reports whether an escape is the first of two that make a character.
func isHalf(escape []byte) bool {
	return escape[2]|0x20 == 'd' && (escape[3] == '8' || escape[3] == '9' || escape[3]|0x20 == 'a' || escape[3]|0x20 == 'b')
}

// rest appends the remaining text once the arguments have ended. If they hold no such text, the arguments themselves are the tool's
// input.
func (f *freeform) rest(dst []byte) []byte {
	if len(f.torn) > 0 {
		dst = f.take(dst, "\uFFFD")
	}
	switch {
	case f.place == inText && len(f.held) >= 6:
		return append(dst, f.held[:6]...)
	case f.place < inText && len(f.seen) > 0 && string(f.seen) != "{}":
		quoted := llm.AppendQuote(nil, f.seen)
		return append(dst, quoted[1:len(quoted)-1]...)
	}
	return dst
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// isEscape reports whether a letter may follow a backslash, except u.
func isEscape(c byte) bool {
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	}
	return false
}
