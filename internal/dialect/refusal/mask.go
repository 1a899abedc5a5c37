package refusal

import (
	"bytes"
	"strings"
)

// Mask replaces organisation and project ids and pieces of keys in a text of an upstream. Secrets that Weir knows are hidden by
// secret.Mask.
func Mask(text []byte) []byte {
	var masked []byte
	done, m := 0, masker{text: text}
	for i := 0; i < len(text); i++ {
		if end := m.secret(i); end > 0 {
			masked = append(append(masked, text[done:i]...), "[hidden]"...)
			done, i = end, end-1
		}
	}
	if masked == nil {
		return text
	}
	return append(masked, text[done:]...)
}

// masker finds ids and pieces of keys, starred out or not. An upstream may send a megabyte of near matches, so each byte is looked
// at only a few times. A regular expression takes a hundred times as long.
type masker struct {
	text    []byte
	keyless int // no "key_" before this place is one
}

// The characters of ids and keys, besides letters and digits.
const (
	ofID  = "_-"
	ofKey = "*_.-"
)

// secret is where an id or a piece of a key ends that begins at a place, 0 if none does.
func (m *masker) secret(at int) (end int) {
	if strings.IndexByte("opAksgxnhfc", m.text[at]) < 0 || !m.begins(at) {
		return 0
	}
	rest := m.text[at:]
	for _, id := range [...]string{"org-", "proj_"} {
		if tail := after(rest, id); tail != nil {
			return m.end(tail, ofID, 4)
		}
	}
	if tail := after(rest, "AIza"); tail != nil {
		return m.end(tail, "*_-", 6)
	}
	for _, key := range [...]string{"key-", "key_"} {
		if tail := after(rest, key); tail != nil {
			return m.key(at, tail)
		}
	}
	for _, key := range [...]string{"sk-", "sk_", "gsk-", "gsk_", "xai-", "xai_", "pplx-", "pplx_", "nvapi-", "nvapi_", "hf-", "hf_", "fw-", "fw_", "csk-", "csk_"} {
		if tail := after(rest, key); tail != nil {
			return m.end(tail, ofKey, 6)
		}
	}
	return 0
}

// end is the end of a run of letters, digits or characters of a class at the beginning of the rest; 0 if the run is shorter than
// least.
func (m *masker) end(rest []byte, class string, least int) int {
	n := 0
	for n < len(rest) && (isWord(rest[n]) && rest[n] != '_' || strings.IndexByte(class, rest[n]) >= 0) {
		n++
	}
	if n < least {
		return 0
	}
	return len(m.text) - len(rest) + n
}

// key is secret for what begins with "key_" or "key-", as ordinary words do too: in a key a digit or a star follows.
func (m *masker) key(at int, rest []byte) int {
	if at < m.keyless {
		return 0
	}
	n := 0
	for n < len(rest) && (isWord(rest[n]) || rest[n] == '.' || rest[n] == '-') && !isDigit(rest[n]) {
		n++
	}
	m.keyless = len(m.text) - len(rest) + n
	if n == len(rest) || !isDigit(rest[n]) && rest[n] != '*' {
		return 0
	}
	return m.end(rest[n+1:], ofKey, 4)
}

// begins reports whether no word goes on at a place. The character before may belong to a JSON escape, whose letter is not part of a
// word.
func (m *masker) begins(at int) bool {
	before := m.text[:at]
	n := len(before)
	switch {
	case n == 0 || !isWord(before[n-1]):
		return true
	case n >= 2 && before[n-2] == '\\':
		return strings.IndexByte("bfnrt", before[n-1]) >= 0
	}
	return n >= 6 && before[n-6] == '\\' && before[n-5] == 'u' && len(bytes.Trim(before[n-4:], "0123456789abcdefABCDEF")) == 0
}

// after is the text after a prefix, nil if it does not begin with it.
func after(text []byte, prefix string) []byte {
	if rest, ok := bytes.CutPrefix(text, []byte(prefix)); ok {
		return rest
	}
	return nil
}

// isWord reports whether words are made of such bytes.
func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c) || c == '_'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
