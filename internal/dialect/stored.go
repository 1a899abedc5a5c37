package dialect

import (
	"net/url"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Stored is how the answers of an endpoint are stored and read again, and how requests continue them.
type Stored struct {
	// Path is where the answers are, below /v1/: each has its id there.
	Path string
	// Of is a request as one whose answer may be stored; nil if it is of another endpoint.
	Of func(Request) Storable
	// History are the items of earlier turns, the first turn first, as they are put before the input of a request.
	History func(turns []Turn) []llm.JSON
	// Items is the page of the turns' items that a query asks for.
	Items func(turns []Turn, query url.Values) ([]byte, *llm.Error)
	// Deleted is what a caller gets who deleted an answer.
	Deleted func(id string) []byte
}

// Storable is a request whose answer may be stored, or that continues a stored one.
type Storable interface {
	// Stores reports whether the caller wants the answer to be stored.
	Stores() bool
	// AnswerID is the id that the answer will have, if it is stored.
	AnswerID() string
	// Previous is the id of the answer that the request continues, "" for none.
	Previous() string
	// Input are the items of the request itself, with the caller's bytes.
	Input() llm.JSON
	// Continue is the body of the request with items before its input.
	Continue(items []llm.JSON) []byte
	// Ended is the place of the answer in the payload of the event that ends a stream; it is empty in other payloads.
	Ended(payload []byte) jsonwalk.Span
	// Unstored is an answer that says that it is not stored, made of one that says it is.
	Unstored(answer []byte) []byte
}

// Turn is a stored answer with what was asked.
type Turn struct {
	ID     string
	Input  llm.JSON // items: a list, or a string
	Answer llm.JSON
}
