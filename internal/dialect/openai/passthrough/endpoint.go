package passthrough

import (
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// EndpointOf is the endpoint that a body is meant for, by its main member: Chat unless it can only be another's. The body need
// not be JSON.
func EndpointOf(body []byte) llm.Endpoint {
	endpoint := llm.Chat
	for name := range jsonwalk.Members(body) {
		switch string(name) {
		case "messages":
			return llm.Chat
		case "prompt":
			endpoint = llm.Completions
		case "input":
			endpoint = llm.Embeddings
		}
	}
	return endpoint
}
