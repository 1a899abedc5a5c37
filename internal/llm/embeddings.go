package llm

// EmbeddingRequest asks for vectors, in no dialect in particular. Its values alias the bytes that it was decoded from.
type EmbeddingRequest struct {
	Model      string  // the target's name of the model
	Inputs     []JSON  // strings
	Dimensions int64   // how long the vectors are to be, 0 if not said
	Params     []Param // everything else, in the order of the request
	Left       []string
}

// Vectors is what an upstream answers to a call for some of the inputs. It aliases the bytes that it was read from.
type Vectors struct {
	// List has a vector for each input, in their order: an array of numbers, or a string with little-endian float32s in
	// base64.
	List []JSON
	// Tokens is what the inputs took, if Told.
	Tokens int64
	Told   bool
	Each   []int64 // what each of them took, where that is told; nil if not
	Cut    []bool  // whether each of them was too long, and was cut, where that is told; nil if not
	// Model is how the upstream calls itself, a string; nil if it does not say.
	Model JSON
}

// EstimateTokens is about how many tokens a JSON string holds, for providers that do not count them: four bytes of ASCII, two
// letters of another alphabet, or one character of those scripts that write whole words in one. It is at least 1.
func EstimateTokens(text JSON) int64 {
	var quarters int64
	inner := text.Inner()
	for i := 0; i < len(inner); i++ {
		switch c := inner[i]; {
		case c == '\\' && i+5 < len(inner) && inner[i+1] == 'u':
			quarters += 2
			i += 5
		case c == '\\':
			quarters++
			i++
		case c < 0x80:
			quarters++
		case c >= 0xE0: // three or four bytes
			quarters += 4
		case c >= 0xC0: // two
			quarters += 2
		}
	}
	return max((quarters+3)/4, 1)
}
