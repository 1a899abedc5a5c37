package ledger

import "strings"

// flagOf is the flag that a word stands for.
func flagOf(word string) (f Flags, ok bool) {
	for place, w := range flagNames {
		if w == word {
			return 1 << place, true
		}
	}
	return 0, false
}

// String is the word in reports.
func (s Source) String() string { return [...]string{"provider", "counted", "reserved"}[s] }

// oneOf lists what is allowed, for people.
func oneOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
