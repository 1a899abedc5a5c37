package llm

// EventKind tells what an event is.
type EventKind uint8

// The events of an answer, in their order: Start, for each block BlockStart, Delta …, BlockStop, and at last End. A
// complete answer is told by the same events as a stream. Of several choices each has a Start, and all but the first a ChoiceEnd;
// what is between these may come in turns.
const (
	Start EventKind = iota
	BlockStart
	Delta
	BlockStop
	End
	Cited     // at any time behind the start of the text that it is about: Citation
	Scored    // at any time behind what it is about: Tokens
	ChoiceEnd // of a choice other than the first, which ends with the answer: Finish, Refusal
)

// Event is one step of an answer. Its values are valid until the next event is asked for.
type Event struct {
	Kind   EventKind
	Choice int      // the number of the choice that it is about
	Block  int      // the number of the block within its choice, the same in all its events
	Part   PartKind // what the block is: Text, ToolCall, Reasoning or Redacted

	Text   JSON // Delta: a string, of a tool call a piece of its arguments
	Opaque JSON // BlockStart, Delta: a string by which the model knows this block again; whose it is, see Part

	Citation *Citation // Cited
	Tokens   []Token   // Scored: what was said since the last of these events, token by token

	ID, Name JSON // strings. Start: of the answer, and the model's name; BlockStart: of a tool call, or of reasoning as in Part

	Finish  string // End: OpenAI's word for why
	Refusal JSON   // End: why the model refused, a string; nil if it did not say
	Usage   Usage  // End; Start, as far as it is known by then

	Uncounted bool // End: the provider did not report a usage, so Usage says nothing
}

// Nameless reports whether it begins a call of a tool that does not say of which, or has no id to be answered by: readers return
// ErrNameless then.
func (e *Event) Nameless() bool {
	return e.Part == ToolCall && (len(e.ID.Inner()) == 0 || len(e.Name.Inner()) == 0)
}

// Citation says where a piece of an answer's text stems from.
type Citation struct {
	Start, End int64 // the piece, in characters of all text of the choice
	URL, Title JSON  // strings; the title is nil if there is none
}

// Token is a token of an answer, or one that might have stood in its place.
type Token struct {
	Text    JSON    // a string
	ID      JSON    // its number in the model's vocabulary; nil if that is not told
	Logprob JSON    // the logarithm of its probability, a number
	Top     []Token // the likeliest ones in its place; these have none of their own
}
