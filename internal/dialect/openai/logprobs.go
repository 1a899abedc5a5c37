package openai

// The text around the tokens in a choice's log probabilities, and the bytes of a token where they are unknown.
const (
	openLogprobs  = `,"logprobs":{"content":[`
	closeLogprobs = `],"refusal":null}`
	noBytes       = `null`
)
