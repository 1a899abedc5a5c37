package secret

import "strings"

// How the secrets begin that Weir mints itself. What follows is letters, digits, '-' and '_'.
const (
	KeyPrefix        = "sk-weir-"    // an API key; its id follows, which may be shown
	AdminTokenPrefix = "weir-admin-" // a token of the admin API
)

// The least number of characters after a prefix for a text to be hidden. It is more than a key's id, and nearly a whole token,
// because names of machines may begin like one.
const (
	leastOfKey   = 20
	leastOfToken = 32
)

// hidden replaces a secret in texts from outside.
const hidden = "[hidden]"

// Hide replaces all that has the form of an API key or of an admin token of Weir. It is for texts from outside that are logged or
// sent back: callers put keys into models, paths and ids by mistake. If the text has no secret, it costs a search for a few bytes
// and returns the text itself.
func Hide[T string | []byte](text T) T {
	var kept []byte
	done := 0
	for i := nextWeir(text, 0); i >= 0; i = nextWeir(text, i+1) {
		start, end := minted(text, i)
		if end == 0 || start < done {
			continue
		}
		kept = append(append(kept, text[done:start]...), hidden...)
		done = end
	}
	if done == 0 {
		return text
	}
	return T(append(kept, text[done:]...))
}

// HideOne replaces one secret in a text. One shorter than eight bytes is a placeholder, and stays.
func HideOne(text, known string) string {
	if len(known) < shortest {
		return text
	}
	return strings.ReplaceAll(text, known, hidden)
}

// Minted reports whether all of text has the form of a key or a token of Weir, which Hide knows.
func Minted(text string) bool {
	i := nextWeir(text, 0)
	if i < 0 {
		return false
	}
	start, end := minted(text, i)
	return start == 0 && end == len(text)
}

// common is what all prefixes have in common.
const common = "weir-"

// nextWeir is the position of the next common, or -1.
func nextWeir[T string | []byte](text T, from int) int {
	// A loop over the rarest byte is as fast as strings.Index for texts this short, and takes both types.
	for i := from; i+len(common) <= len(text); i++ {
		if text[i] == 'w' && string(text[i:i+len(common)]) == common {
			return i
		}
	}
	return -1
}

// minted is where what Weir minted begins and ends around a common at i. end is 0 if there is nothing of that kind.
func minted[T string | []byte](text T, i int) (start, end int) {
	const beforeKey = len(KeyPrefix) - len(common)
	if i >= beforeKey && string(text[i-beforeKey:i+len(common)]) == KeyPrefix {
		if n := run(text, i+len(common)); n >= leastOfKey {
			return i - beforeKey, i + len(common) + n
		}
	}
	if rest := i + len(AdminTokenPrefix); rest <= len(text) && string(text[i:rest]) == AdminTokenPrefix {
		if n := run(text, rest); n >= leastOfToken {
			return i, rest + n
		}
	}
	return 0, 0
}

// run is how many characters from i on a key or a token may be made of.
func run[T string | []byte](text T, i int) int {
	n := 0
	for ; i+n < len(text); n++ {
		c := text[i+n]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			break
		}
	}
	return n
}
