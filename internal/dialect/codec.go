package dialect

import (
	"io"

	"github.com/weirproxy/weir/internal/dialect/refusal"
	"github.com/weirproxy/weir/internal/llm"
)

// Codec is the dialect of a target for a chat whose caller speaks another. It writes the request, and reads the answer as events.
type Codec struct {
	// Encode writes a chat request. left are the parameters that it could not carry, err says why the target cannot be asked
	// at all.
	Encode func(*llm.Request) (body []byte, left []string, err *llm.Error)
	// Inline says that images must be in the request: Encode is never given one by its URL.
	Inline bool
	// Answer reads a complete answer: it calls tell with all events but the last, and returns that one. With an error, that
	// one has the usage of the answer, if reported.
	Answer func(body []byte, tell func(*llm.Event)) (end llm.Event, err error)
	// Stream reads one stream.
	Stream func() Reader
	// Frames splits a stream into payloads; nil for server-sent events. most bounds one payload, room is asked for memory.
	Frames func(source io.Reader, most int, room Room) Frames
	// Carries is Frames for a stream that has the payloads of another dialect in frames of this one; nil without such a stream.
	Carries func(source io.Reader, most int, room Room) Frames
	// Done says that a Reader takes [DONE], which ends streams of the dialect. To others it says nothing.
	Done bool
	// Own is how callers speak the dialect, if its servers differ so much that a body takes the target's Changes as a caller's does.
	Own *Ingress
	// Refusals is how errors are read.
	Refusals refusal.Vendor
	// Maker is who made a model, as llm.Part has it; nil if the dialect's models sign no reasoning. The account is the one that is asked:
	// what some models sign no other account can use.
	Maker func(model, account string) string
}

// Reader reads the payloads of one stream. The stream is whole when it has sent the event End.
type Reader interface {
	// Read takes the next payload and calls tell with its events, none or several. An error event is llm.ErrError, what can be
	// read but makes no sense wraps llm.ErrNoAnswer.
	Read(payload []byte, tell func(*llm.Event)) error
}

// Frames are the payloads of a stream.
type Frames interface {
	// Next returns the next payload, valid until it is called again.
	Next() ([]byte, error)
	// Buffered reports whether the next payload is at hand, so that Next returns it without reading.
	Buffered() bool
}

// Room is asked before much memory is taken. A negative number gives bytes back.
type Room interface {
	Grow(bytes int) bool
}

// Embedder is what the dialect of a target does for embeddings whose caller speaks another.
type Embedder struct {
	// Encode writes the call for some of the request's inputs. left are the parameters that it could not carry, err says why
	// the target cannot be asked at all. Neither depends on the choice of inputs.
	Encode func(r *llm.EmbeddingRequest, inputs []llm.JSON) (body []byte, left []string, err *llm.Error)
	// Read finds the vectors in an answer, in the order of the inputs.
	Read func(body []byte) (llm.Vectors, error)
	// Most is how many inputs a model takes in one call.
	Most func(model string) int
	// Tokens is about how many tokens the inputs of one call may have together, 0 for any number.
	Tokens int64
	// Own is the endpoint whose callers speak the dialect, if its servers differ; else nil. What Encode writes is then changed for the target
	// as their requests are, and so are the answers read: Read and Most are nil.
	Own *Ingress
}

// Ender is a Reader of a dialect whose streams end without a word.
type Ender interface {
	// Close is called when the stream has ended. It sends the event End, unless the stream was cut short.
	Close(tell func(*llm.Event))
}

// Counter is a Reader that can report usage before, or without, an End event.
type Counter interface {
	Used() llm.Usage // zero if it was not reported
}

// Holder is a Reader that remembers more than a few bytes of an answer.
type Holder interface {
	Held() int // about how many
}
