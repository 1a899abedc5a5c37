// Package llm holds the nouns that the other rooms share: endpoints, usage, errors, name patterns.
// It does no I/O and imports only the standard library.
package llm

// Endpoint is one of the calls that Weir relays.
type Endpoint uint8

// The endpoints.
const (
	Chat Endpoint = iota
	Completions
	Embeddings
	Counting   // of the tokens of a prompt; it is free
	Compacting // of a conversation, into a summary that only its vendor can read
	numEndpoints
)

// Endpoints is how many there are.
const Endpoints = int(numEndpoints)

// Path is the endpoint's path below a base URL that includes /v1.
func (e Endpoint) Path() string {
	return [...]string{"/chat/completions", "/completions", "/embeddings", "/count_tokens", "/responses/compact"}[e]
}

// String is the endpoint's name in logs and metrics.
func (e Endpoint) String() string {
	return [...]string{"chat", "completions", "embeddings", "count_tokens", "compact"}[e]
}
