package relay

import (
	"io"

	"github.com/weirproxy/weir/internal/dialect/anthropic"
	"github.com/weirproxy/weir/internal/dialect/cohere"
	"github.com/weirproxy/weir/internal/dialect/converse"
	"github.com/weirproxy/weir/internal/dialect/gemini"
	"github.com/weirproxy/weir/internal/dialect/refusal"
	"github.com/weirproxy/weir/internal/llm"
)

// codec is what a dialect other than the caller's does for a call: the request is written in it, and what comes back is
// read as events.
type codec struct {
	// encode writes a chat request. left are the parameters that it could not carry, err says why the target cannot be asked
	// at all.
	encode func(*llm.Request) (body []byte, left []string, err *llm.Error)
	// inline says that images must be in the request: encode is never given one by its URL.
	inline bool
	// answer reads a complete answer: it tells all events but the last, and returns that one. Beside an error that has what the
	// answer took, if it says so.
	answer func(body []byte, tell func(*llm.Event)) (end llm.Event, err error)
	stream func() reader
	// frames splits a stream into payloads; nil for server-sent events.
	frames   func(source io.Reader, most int, a *attempt) frames
	refusals refusal.Vendor
	// maker is who made a model, as llm.Part has it; nil if the dialect's models sign no reasoning.
	maker func(model string) string
}

// reader reads the payloads of one stream. The stream is whole when it has told the event End.
type reader interface {
	// Read takes the next payload and tells the events that are in it, none or several. An error event is llm.ErrError, what can
	// be read but makes no sense wraps llm.ErrNoAnswer.
	Read(payload []byte, tell func(*llm.Event)) error
}

// ender is a reader of a dialect whose streams end without a word.
type ender interface {
	// Close is called when the stream has ended. It tells the event End, unless the stream was cut short.
	Close(tell func(*llm.Event))
}

// counter is a reader that knows what a stream takes before it has told the event End, or though it never will.
type counter interface {
	Used() llm.Usage // zero if that was not told
}

// holder is a reader that remembers more than a few bytes of an answer.
type holder interface {
	Held() int // about how many
}

// google is the codec of one of Google's two dialects, whose answers are the same.
func google(encode func(*llm.Request) ([]byte, []string, *llm.Error)) *codec {
	return &codec{
		encode: encode, answer: gemini.ReadAnswer, stream: func() reader { return new(gemini.Stream) },
		refusals: refusal.Vendor{Status: gemini.Status},
	}
}

// own stands for the caller's own dialect, whose bytes pass. Only errors are read by it.
var own = new(codec)

// codecOf is a dialect's.
func codecOf(d llm.Dialect) *codec {
	if c := codecs[d]; c != nil {
		return c
	}
	return own
}

// codecs are those of the dialects, the caller's own left out.
var codecs = map[llm.Dialect]*codec{
	llm.Anthropic: {
		encode: anthropic.Encode, answer: anthropic.ReadAnswer, stream: func() reader { return new(anthropic.Stream) },
		refusals: refusal.Vendor{Status: anthropic.Status}, maker: anthropic.Maker,
	},
	llm.Cohere: {
		encode: cohere.Encode, answer: cohere.ReadAnswer, stream: func() reader { return new(cohere.Stream) },
		refusals: refusal.Vendor{Status: cohere.Status, Moderated: cohere.Moderated},
	},
	llm.Gemini: google(gemini.Encode),
	llm.Vertex: google(gemini.EncodeVertex),
	llm.Converse: {
		encode: converse.Encode, answer: converse.ReadAnswer, stream: func() reader { return new(converse.Stream) },
		frames: newBinary, inline: true, maker: converse.Maker,
		refusals: refusal.Vendor{Status: converse.Status, Header: converse.ErrorHeader, Code: converse.Code},
	},
}
