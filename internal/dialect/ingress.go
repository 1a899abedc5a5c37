package dialect

import (
	"fmt"
	"iter"
	"time"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Ingress is the dialect of a caller at one endpoint: how the request is read, and how answers, streams and errors are written. It is
// chosen by the path of the request, and never changed.
type Ingress struct {
	Name     string       // of the endpoint, in logs and metrics
	Path     string       // path of the endpoint, below /v1/
	Endpoint llm.Endpoint // that is called at targets
	Dialect  llm.Dialect  // a target that speaks it is sent the caller's own bytes
	Parse    func(raw []byte, o ParseOptions) (Request, *llm.Error)
	Framing  Framing
	Errors   *Errors
	// Param is the caller's name of a parameter that a codec names as OpenAI does; nil if that is the caller's.
	Param func(name string) string
	// Betas is the header in which callers ask for experimental parts of the API, a list with commas; "" without one.
	Betas string
	// Plain is the endpoint of a request without alt=sse in its query; nil where the query does not count.
	Plain *Ingress
	// Stored is there if answers of the endpoint can be stored, or its requests continue stored ones; else nil.
	Stored *Stored
	// Counting is there if the endpoint only says how many tokens a prompt has; else nil.
	Counting *Counting
	// Patience is how long the dialect's clients wait for an event before they repeat the request; 0 is for ever. Weir gives up on
	// a target before that, unless the config says how long to wait for it.
	Patience time.Duration
}

// Counting is how a dialect says how many tokens a prompt has.
type Counting struct {
	Write func(tokens int64) []byte
	// Read finds the number in an answer of a target; ok is false without one.
	Read func(body []byte) (tokens int64, ok bool)
}

// Framing is what streams are made of besides events: all of it as it goes over the wire.
type Framing struct {
	// Name is the name of the event with a payload, for dialects whose events have names; else nil. The name is part of the
	// payload, or "".
	Name      func(payload []byte) []byte
	Array     bool   // a stream is one JSON array of the payloads, and no server-sent events
	KeepAlive string // breaks a silence, and says nothing
	Done      string // ends a whole stream, after its last event
	// Error is the payload of the event that ends a stream which failed.
	Error func(*llm.Error) []byte
}

// ParseOptions say how a body is parsed. The zero value takes any body.
type ParseOptions struct {
	// Model is the name in the path, if not "". Then the body need not name a model, and what it names does not count.
	Model    string
	MaxDepth int // depth of the JSON; 0 is the default
	// StoreAs is a name, unique for the request, that needs no escaping: the answer may be stored under an id made of it, and the
	// request may continue a stored answer. Nothing is stored if it is "".
	StoreAs string
	// Room is asked before much of a body is remembered; nil has room for anything. Without room, the request is refused as
	// one too many.
	Room jsonwalk.Room
}

// Scanned is what Weir knows of every request, whatever its dialect.
type Scanned struct {
	Endpoint  llm.Endpoint
	Raw       []byte // the caller's bytes; nil after Forget
	Model     string // the logical model that the caller named, in the body or in the path
	Stream    bool
	WantUsage bool // the caller asked for the usage at the end of a stream
	Inputs    int  // embeddings: how many vectors are asked for, -1 if only the upstream knows
	Heard     int  // about how many bytes of it the model reads; see BytesOfMedia

	Texts jsonwalk.Texts // the long ones of Raw
}

// BytesOfMedia is what an image, a recording or a file counts in Heard, about a thousand tokens. Its bytes are no text.
const BytesOfMedia = 4000

// Scan is the part of a Request that it is embedded for.
func (s *Scanned) Scan() *Scanned { return s }

// Splice returns the caller's bytes with edits made to them, which are in order and do not overlap. Nothing is copied.
func (s *Scanned) Splice(edits []jsonwalk.Edit) Body { return splice(s.Raw, s.Texts, edits) }

// Release lets go of the caller's bytes, and returns how many there were.
func (s *Scanned) Release() int {
	n := len(s.Raw)
	s.Raw, s.Texts = nil, nil
	return n
}

// Request is a caller's request. It keeps the caller's bytes. It is immutable between Parse and Forget, and safe for concurrent use.
// What it is beyond that follows from its endpoint: a Chat, Prompts, or Embeddings. If a target may speak its dialect, it is Passing too.
type Request interface {
	Scan() *Scanned
	// Profile is what the request needs from the target that serves it, as far as w asks. It must not be called after
	// Forget.
	Profile(w llm.Wants) llm.Profile
	// Forget lets go of the caller's bytes, and returns how many those were, once no call will be made of them any more.
	Forget() int
	// With is the request as a caller would have sent it with the members. It also returns the first of the caller's members
	// whose value was replaced, or "". Members that the endpoint does not have are not added. The caller's own members named
	// in unheard do not count.
	With(added *llm.Added, endpoint llm.Endpoint, unheard []string) (with Request, replaced string, err *llm.Error)
	// Ours reports whether a member is there only because the config adds it.
	Ours(name string) bool
	// Typed is about how many bytes the typed form takes in addition to the caller's bytes.
	Typed() int
	Asking
}

// Asking is what a provider wants to know of a request to see what has to change for one of its models.
type Asking interface {
	Scan() *Scanned
	// Text is the value of a top-level member that is a string, or "".
	Text(name string) string
	// AsksSchema reports whether the answer has to follow a JSON schema.
	AsksSchema() bool
	// OffersTools reports whether there are tools that the model may call.
	OffersTools() bool
}

// Passing is how a request and its answer pass, where caller and target speak the same dialect.
type Passing interface {
	// Encode is the body for a target. Its pieces alias the caller's bytes.
	Encode(c Changes) (Body, Applied)
	// Loses is the first member of the request that a target with these changes cannot carry, "" if none.
	Loses(c Changes) string
	// Places is about how many bytes Encode takes for changes of the earlier turns.
	Places(c Changes) int
	// Pass walks over a complete answer to a request that was sent with the changes, and mends it where it strays from the
	// convention. out are the bytes to send, body itself if nothing had to change.
	Pass(body []byte, c *Changes, stand Stand) (out []byte, answer Answer, err error)
	// Walk follows one stream of one attempt. echo is the model's name to answer with, "" for the upstream's own.
	Walk(c *Changes, echo string) Walk
	// StreamOf turns a complete answer, as Pass returned it, into the payloads of a stream of it.
	StreamOf(body []byte) (iter.Seq[[]byte], error)
}

// Stand has replacements for members that an upstream left out.
type Stand struct {
	Echo  string // the model's name to answer with, "" for the upstream's own
	Asked string // the model's name in the call to the upstream
	Name  string // unique for the request, needs no escaping
	Now   int64  // Unix seconds
}

// Found is what Weir learned from an answer as it passed.
type Found struct {
	Usage    llm.Usage
	HasUsage bool
	Model    string // the model that answers, as the upstream names it; "" if it does not
	Finish   string // the finish reason of the first choice, or in a stream the last one seen
	Said     int64  // bytes of text, reasoning and arguments that passed
	Covered  int64  // of these, what had passed when Usage was reported
	Repairs  Repairs
}

// Account is the part of a Walk that it is embedded for.
func (f *Found) Account() *Found { return f }

// Answer is a complete answer as it passed.
type Answer struct {
	Found
	IsError bool // the body holds an error instead of an answer
}

// Walk follows a stream as it passes and mends it where it strays from the convention. It is pure: payloads in, findings and edits
// out. It first sees the payloads that are kept back, then, after Restart, all from the beginning.
type Walk interface {
	// Last reports whether a payload marks the end of a stream; callers do not see it as it is.
	Last(payload []byte) bool
	// WalkBehind takes the next payload. held, if not nil, is the one before, in which a choice ended, as repaired: the caller has
	// not been sent it yet. The error is about JSON that cannot be relayed.
	WalkBehind(held, payload []byte) (Chunk, error)
	// Rest gives back the memory that is needed only while payloads are walked. The edits of the last one are not valid any more.
	Rest()
	// Restart starts again for the caller, with replacements for id, time and model. It keeps what was learned of these.
	Restart(stand Stand)
	// Complete reports whether a stream that ended here was whole; done says that the upstream said Last.
	Complete(done bool) bool
	// Ending is an event to send when all else was: it ends the choices that were not ended yet. It is nil without such
	// choices.
	Ending() []byte
	// Tail is the event after that, which reports the usage, or nil.
	Tail() []byte
	// Account is what was found so far.
	Account() *Found
}

// ErrOrder is the error of a Walk whose payload cannot follow those before it: one of them is missing. It is llm.ErrNoAnswer.
var ErrOrder = fmt.Errorf("%w: its events are out of order, or one is missing", llm.ErrNoAnswer)

// Chunk is what one payload of a stream is.
type Chunk struct {
	Content bool            // the caller would see content, or the end of a choice
	Error   bool            // the payload is an error
	Drop    bool            // the payload is not for the caller, or not yet
	Ends    bool            // the only choice ends, unless it goes on after that
	Edits   []jsonwalk.Edit // valid until the next payload

	Reopened jsonwalk.Span // in the payload that was held: the finish reason that has to become null, zero if none
}

// Writer writes events as an answer in the caller's dialect: each event of a stream as a chunk, or all of them as one body. It is used
// for one answer.
type Writer interface {
	// Chunk appends the payloads for an event to dst, or nothing. A line break separates them; payloads have no line breaks.
	Chunk(dst []byte, ev *llm.Event) []byte
	// UsageChunk appends the last payload of a stream whose caller asked for usage; it appends nothing if none was reported.
	UsageChunk(dst []byte, ev *llm.Event) []byte
	// Collect takes an event of a complete answer, but for the last one, which is given to Answer.
	Collect(ev *llm.Event)
	// Answer is the complete answer that was collected.
	Answer(end *llm.Event) []byte
	// FinishReason is why the choice ended that was reported last, or of a complete answer the first; "" until one has.
	FinishReason() string
	// Held is about how many bytes it remembers.
	Held() int
}

// Failer is a Writer, or a Walk, whose streams end, when they fail after they began, with an event that depends on what was sent before.
type Failer interface {
	// Failure appends the payload of that event to dst.
	Failure(dst []byte, err *llm.Error) []byte
}

// Writing is what a Writer has to know.
type Writing struct {
	Stand
	Maker  string   // maker of the model, which its reasoning names when it comes back, as in llm.Part
	Custom []string // the names of the tools that take a text
	Heard  int      // about how many bytes of the request the model reads; see Scanned
}

// Chat is a request that the typed model can hold, for targets of another dialect.
type Chat interface {
	Request
	// Decode is the typed form. The members named in omit are left out, and listed as such.
	Decode(omit []string) (*llm.Request, *llm.Error)
	Writer(w Writing) Writer
}

// Prompts is a legacy request for targets that have only chats: one for each prompt.
type Prompts interface {
	Request
	// DecodeCompletion is a chat without messages, and the prompts: each is what the user says in one. The members named in omit are
	// left out, and listed as such.
	DecodeCompletion(omit []string) (*llm.Request, []llm.JSON, *llm.Error)
	// Writer writes the answers of all chats, one after the other, as one answer.
	Writer(w Writing) Writer
}

// Embeddings is a request for vectors.
type Embeddings interface {
	Request
	// DecodeEmbeddings is the typed form. The members named in omit are left out, and listed as such.
	DecodeEmbeddings(omit []string) (*llm.EmbeddingRequest, *llm.Error)
	// AppendVectors appends vectors as the caller wants them. The first is that of input number first. What is no vector is an error.
	AppendVectors(dst []byte, list []llm.JSON, first int) ([]byte, error)
	// JoinVectors makes an answer of what AppendVectors wrote, in the order of the inputs.
	JoinVectors(data [][]byte, model llm.JSON, tokens int64) []byte
}

// Inputs is a request for vectors whose target may speak its dialect, and takes some of the inputs in one call.
type Inputs interface {
	Embeddings
	Passing
	// Splits reports whether the request can go upstream in several calls, each for some of the inputs.
	Splits(c Changes) bool
	// InputSpans are the places of the inputs in Raw, if they are a list.
	InputSpans() []jsonwalk.Span
	// EncodeInputs is Encode for the inputs of a list within the span.
	EncodeInputs(c Changes, inputs jsonwalk.Span) Body
	// ReadVectors reads an answer of the caller's dialect to a call for n of the inputs.
	ReadVectors(body []byte, n int) (llm.Vectors, error)
}
