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
	// Tokens is how many tokens the inputs took, if Told.
	Tokens int64
	Told   bool
	Absurd bool    // the figure cannot be true
	Each   []int64 // how many tokens each of them took; nil if unknown
	Cut    []bool  // whether each of them was too long and was cut; nil if unknown
	// Model is how the upstream calls itself, a string; nil if it does not say.
	Model JSON
}
