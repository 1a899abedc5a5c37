package llm

// longestWord is how many bytes a token has at most, on the average of a long text without spaces.
const longestWord = 24

// LeastTokens is a lower bound of the tokens of a JSON string. No tokenizer in use joins two words into one token, so it is the number of
// words. Where writing has no spaces between words, it is a small part of the length.
func LeastTokens(text JSON) int {
	inner := text.Inner()
	words, high, within := 0, 0, false
	for i := 0; i < len(inner); i++ {
		c := inner[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '\'' || c >= 0x80
		if c == '\\' && i+1 < len(inner) {
			if i++; inner[i] == 'u' { // the four digits count as a letter
				letter, i = true, i+4
			}
		}
		if c >= 0x80 {
			high++
		}
		if letter && !within {
			words++
		}
		within = letter
	}
	return words + high/longestWord
}
