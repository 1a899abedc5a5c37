package llm

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// JSON is one JSON value as it is spelled, white space around it left off. Texts keep their spelling on the way from
// one dialect to another. Every dialect is JSON, so unescaping would only lead to escaping again. And where two readers
// might understand a text differently, it stays as the sender wrote it.
type JSON []byte

// Quote is s as a JSON string.
func Quote(s string) JSON { return AppendQuote(make([]byte, 0, len(s)+2), s) }

const hexDigits = "0123456789abcdef"

// AppendQuote appends s as a JSON string. Bytes that are not UTF-8 become U+FFFD.
func AppendQuote[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			n := runeLength(s[i:min(i+utf8.UTFMax, len(s))])
			if n == 0 {
				dst = append(append(dst, s[from:i]...), "\uFFFD"...)
				i++
				from = i
				continue
			}
			i += n
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		dst = append(dst, s[from:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\r':
			dst = append(dst, '\\', 'r')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}

// runeLength is the length of the character at the start of s, 0 if it is invalid.
func runeLength[T string | []byte](s T) int {
	r, n := utf8.DecodeRuneInString(string(s))
	if r == utf8.RuneError && n == 1 {
		return 0
	}
	return n
}

// One reports whether it is the number 1, as it is commonly spelled.
func (j JSON) One() bool { return string(j) == "1" || string(j) == "1.0" }

// Text is the value of a JSON string that is known to be valid, "" of anything else.
func (j JSON) Text() string {
	if len(j) < 2 || j[0] != '"' {
		return ""
	}
	for _, c := range j {
		if c == '\\' {
			var s string
			_ = json.Unmarshal(j, &s) // known to be valid
			return s
		}
	}
	return string(j[1 : len(j)-1])
}

// maxModel is the longest name of a model that is kept of what an upstream says.
const maxModel = 128

// Model is a string as an upstream's name of a model, of which the beginning is kept if it is long; "" for anything else, and for what is
// far too long to be one.
func (j JSON) Model() string {
	const escaped = len(`\u0000`) // the longest spelling of a byte
	if len(j) > escaped*maxModel {
		return ""
	}
	name := j.Text()
	if len(name) > maxModel {
		name = strings.ToValidUTF8(name[:maxModel], "")
	}
	return name
}

// Inner is the text between the quotes of a JSON string: the inner parts of several strings make one.
func (j JSON) Inner() []byte {
	if len(j) < 2 || j[0] != '"' {
		return nil
	}
	return j[1 : len(j)-1]
}

// Kind is the first byte of the value, with '0' for any number, and 0 for none.
func (j JSON) Kind() byte {
	if len(j) == 0 {
		return 0
	}
	if c := j[0]; c != '-' && (c < '0' || c > '9') {
		return c
	}
	return '0'
}

// Blank reports whether a JSON string holds nothing but white space.
func (j JSON) Blank() bool {
	inner := j.Inner()
	for i := 0; i < len(inner); i++ {
		switch c := inner[i]; {
		case c == ' ':
		case c == '\\' && i+1 < len(inner) && (inner[i+1] == 'n' || inner[i+1] == 't' || inner[i+1] == 'r'):
			i++
		default:
			return false
		}
	}
	return true
}
