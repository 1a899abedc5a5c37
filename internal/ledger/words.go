package ledger

import "strings"

// flagWords are the words for flags in reports, by their places.
var flagWords = [...]string{
	"orphaned", "cancelled", "cut", "truncated", "timed_out", "in_doubt", "unsent", "retry", "hedge_loser", "absurd", "fee_unpriced", "tier_unpriced",
}

// Words are the flags in words.
func (f Flags) Words() []string {
	words := []string{}
	for place, word := range flagWords {
		if f&(1<<place) != 0 {
			words = append(words, word)
		}
	}
	return words
}

// flagOf is the flag that a word stands for.
func flagOf(word string) (f Flags, ok bool) {
	for place, w := range flagWords {
		if w == word {
			return 1 << place, true
		}
	}
	return 0, false
}

// String is the word in reports.
func (s Source) String() string { return word(int(s), "provider", "counted", "reserved") }

// String is the word in reports.
func (s CostSource) String() string { return word(int(s), "price", "provider", "unpriced", "fixed") }

func word(n int, words ...string) string {
	if n < 0 || n >= len(words) {
		return "unknown"
	}
	return words[n]
}

// oneOf lists what is allowed, for people.
func oneOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
