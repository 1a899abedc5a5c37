package secret

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"
)

// shortest is how many bytes a secret has at least to be masked, and the end of one. Shorter ones are placeholders, such as "null"
// or "ollama", which also occur in ordinary text.
const shortest = 8

// Mask hides known secrets in texts of an upstream: whole, in base64 and in hex, and as JSON and URLs escape them. It also hides the
// end of a credential, because vendors show that to identify keys. A text is read once, however many secrets there are. It is
// immutable and safe for concurrent use; nil hides nothing.
type Mask struct {
	pairs [1 << 10]uint64             // a bit for each two bytes that needles end in
	tails map[[shortest]byte][]needle // by their last bytes
}

// needle is one form of a secret.
type needle struct {
	text  string
	least int // bytes at its end that are hidden without the others
}

// NewMask makes a mask for credentials, whose ends count, and for other texts, which count only as a whole.
func NewMask(credentials, others []string) *Mask {
	m := &Mask{tails: map[[shortest]byte][]needle{}}
	for _, c := range credentials {
		if len(c) >= shortest {
			m.add(c, true)
		}
	}
	for _, o := range others {
		if len(o) >= shortest {
			m.add(o, false)
		}
	}
	return m
}

// add adds all forms of a secret.
func (m *Mask) add(secret string, ends bool) {
	least := func(n int, form string) int {
		if !ends {
			return len(form)
		}
		return min(n, len(form))
	}
	escaped, _ := json.Marshal(secret) // a string marshals
	inJSON := string(escaped[1 : len(escaped)-1])
	for _, form := range []string{secret, inJSON, strings.ReplaceAll(inJSON, "/", `\/`), url.QueryEscape(secret), url.PathEscape(secret)} {
		m.needle(form, least(shortest, form))
	}
	digits := hex.EncodeToString([]byte(secret))
	for _, form := range []string{digits, strings.ToUpper(digits)} {
		m.needle(form, least(2*shortest, form))
	}
	// In base64 a text has three forms, by its place in what is encoded. The characters at either end that its neighbours
	// change are left out.
	for before := range 3 {
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			form := encoding.EncodeToString(append(make([]byte, before), secret...))
			if (before+len(secret))%3 != 0 {
				form = form[:len(form)-1]
			}
			form = form[[...]int{0, 2, 3}[before]:]
			m.needle(form, least(11, form))
		}
	}
}

func (m *Mask) needle(text string, least int) {
	if least < shortest { // base64 of so little that it could be anything
		return
	}
	tail := tailOf(text, len(text))
	for _, have := range m.tails[tail] {
		if have.text == text && have.least <= least {
			return
		}
	}
	m.tails[tail] = append(m.tails[tail], needle{text, least})
	pair := pairOf(text, len(text))
	m.pairs[pair>>6] |= 1 << (pair & 63)
}

// HideKnown replaces the mask's secrets in a text. Without any it returns the text itself, and allocates nothing.
func HideKnown[T string | []byte](m *Mask, text T) T {
	if m == nil {
		return text
	}
	var kept []byte
	done := 0
	for end := shortest; end <= len(text); end++ {
		pair := pairOf(text, end)
		if m.pairs[pair>>6]&(1<<(pair&63)) == 0 {
			continue
		}
		switch start := startOf(m, text, done, end); {
		case start == end:
		case start < done: // it begins in what is hidden already
			done = end
		default:
			kept = append(append(kept, text[done:start]...), hidden...)
			done = end
		}
	}
	if done == 0 {
		return text
	}
	return T(append(kept, text[done:]...))
}

// startOf is where a secret that ends at end begins, or end if none does. Before done it compares only the last bytes that
// every secret is found by.
func startOf[T string | []byte](m *Mask, text T, done, end int) int {
	first := end
	for _, n := range m.tails[tailOf(text, end)] {
		length := shortest // the tail is equal
		for length < len(n.text) && end-length > done && text[end-length-1] == n.text[len(n.text)-length-1] {
			length++
		}
		if length >= n.least && !n.endsInWord(length) {
			first = min(first, end-length)
		}
	}
	return first
}

// endsInWord reports whether the last bytes of a needle are one lower-case word of several. Placeholders such as
// sk-no-key-required end in words that occur in ordinary text.
func (n *needle) endsInWord(length int) bool {
	rest := len(n.text) - length
	if rest == 0 || isLetter(n.text[rest-1]) {
		return false
	}
	for _, c := range []byte(n.text[rest:]) {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// tailOf is the last bytes of a text that ends at end.
func tailOf[T string | []byte](text T, end int) (tail [shortest]byte) {
	copy(tail[:], text[end-shortest:end])
	return tail
}

// pairOf is the last two of them, as a number.
func pairOf[T string | []byte](text T, end int) int { return int(text[end-2])<<8 | int(text[end-1]) }
