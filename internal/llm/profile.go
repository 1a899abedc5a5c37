package llm

// Ability is a set of what a request may need of the model that serves it, and a model may lack.
type Ability uint8

// The abilities.
const (
	TakesImages Ability = 1 << iota
	TakesAudio
	TakesFiles
	TakesTools
	TakesSchema  // answers by a JSON schema
	TakesPrefill // goes on with an answer that the caller has begun
	TakesChoice  // can be made to call a tool; that alone is no reason to ask another
)

// Profile is what a request needs from the target that serves it, as far as it helps to choose one. What was not asked
// for is zero.
type Profile struct {
	Needs   Ability
	Least   int    // tokens that the prompt surely has
	Prompt  int    // tokens that it likely has
	Output  int    // tokens that an answer may have, 0 if that is not said
	Answers int    // how many are wanted; 0 is one
	Prefix  uint64 // a hash of what the prompt begins with and others may begin with too, 0 for none
	User    uint64 // a hash of the end user that the request names, 0 without one
}

// Wants is what has to be known of a request. The zero value is nothing, and costs nothing.
type Wants struct {
	Needs  Ability // abilities among these that it needs
	Least  int     // whether its prompt surely has more tokens than this; 0 does not matter
	Tokens bool    // Prompt, Output and Answers
	Prefix bool
	User   bool
}
