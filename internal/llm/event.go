package llm

// EventKind says what an event is.
type EventKind uint8

// The events of an answer, in their order: Start, for each block BlockStart, Delta …, BlockStop, and at last End. A complete
// answer has the same events as a stream. Each of several choices has a Start, and all but the first a ChoiceEnd; the events
// between these may be interleaved.
const (
	Start EventKind = iota
	BlockStart
	Delta
	BlockStop
	End
	Cited     // at any time after the start of the text that it is about: Citation
	Scored    // at any time after the text that it is about: Tokens
	ChoiceEnd // for a choice other than the first, which ends with the answer: Finish, Refusal
)

// Event is one step of an answer. Its values are valid until the next event is asked for.
type Event struct {
	Kind   EventKind
	Choice int      // the number of the choice that it is about
	Block  int      // the number of the block within its choice, the same in all its events
	Part   PartKind // what the block is: Text, ToolCall, Reasoning or Redacted

	Text   JSON // Delta: a string, of a tool call a piece of its arguments
	Opaque JSON // BlockStart, Delta: a string by which the model recognises this block; for whose it is, see Part

	Citation *Citation // Cited
	Tokens   []Token   // Scored: the text since the last of these events, token by token

	ID, Name JSON // strings. Start: of the answer, and the model's name; BlockStart: of a tool call, or of reasoning as in Part

	Finish  string // End: OpenAI's word for why
	Refusal JSON   // End: why the model refused, a string; nil if it did not say
	Usage   Usage  // End; Start, as far as it is known by then

	Uncounted bool // End: the provider did not report a usage, so Usage says nothing
}

// Nameless reports whether it begins a tool call that has no tool name or no id: readers return ErrNameless then.
func (e *Event) Nameless() bool {
	return e.Part == ToolCall && (len(e.ID.Inner()) == 0 || len(e.Name.Inner()) == 0)
}

// Citation says where a piece of an answer's text stems from.
type Citation struct {
	Start, End int64 // the piece, in characters of all text of the choice
	URL, Title JSON  // strings; the title may be nil
}

// Token is a token of an answer, or one that was likely in its place.
type Token struct {
	Text    JSON    // a string
	ID      JSON    // its number in the model's vocabulary; nil if unknown
	Logprob JSON    // the logarithm of its probability, a number
	Top     []Token // the likeliest alternatives; these have no Top
}
