package dialect

import (
	"net/url"

	"github.com/weirproxy/weir/internal/llm"
)

// Model is a model as it is listed; what is not known is zero.
type Model struct {
	ID, DisplayName                string
	Created                        int64 // Unix seconds
	ContextLength, MaxOutputTokens int   // tokens
}

// Models is how a dialect lists models.
type Models struct {
	// List is the page of the models, which are sorted by their ids, that a query asks for.
	List   func(all []Model, query url.Values) ([]byte, *llm.Error)
	One    func(Model) []byte
	Errors *Errors
}
