package dialect

// Changes are what a target needs changed in the body of a caller who speaks its dialect.
type Changes struct {
	Model    string            // the upstream's own name of the model
	Hosted   string            // the version of the dialect's API, where the body has it in place of the model; "" elsewhere
	Betas    []string          // experimental parts of the API that the caller's header asks for, where the body has to name them
	Rename   map[string]string // top-level members to send under another name
	Omit     []string          // top-level members to leave out
	AskUsage bool              // ask a stream for usage, though the caller did not

	// DropOptions leaves stream_options out without a word, for upstreams that refuse it and report the usage
	// anyway: nothing is lost.
	DropOptions bool

	// DropFloat leaves encoding_format out without a word where it says "float", for upstreams that refuse the word and answer
	// numbers without it.
	DropFloat bool

	// Int8 silently leaves encoding_format out if it is one of OpenAI's. It is for upstreams that know neither value and
	// send vectors as base64 of signed bytes. The answer is then read as such.
	Int8 bool

	// OmitEncrypted leaves out the reasoning of earlier turns that its maker encrypted or signed, with the ids of these turns. It is for an
	// upstream that refused it: another account or model had made it, or a client has changed it.
	OmitEncrypted bool

	History History // what the target takes of the earlier turns
}

// History says what a target takes of the earlier turns of a chat. The zero value takes them as they are.
type History struct {
	Reasoning string   // the member for the reasoning of earlier answers, "" if unknown
	Insists   bool     // where tools were called, every earlier answer must have that member
	Refuses   []string // optional members that it refuses: of messages, their parts and calls, and of tools
	IDs       IDForm   // ids of tool calls
	System    bool     // it knows no role developer: what that says is the system's
}

// IDForm is the form that a target wants the ids of tool calls in.
type IDForm uint8

// The forms.
const (
	AnyID    IDForm = iota
	ShortID         // at most 40 characters
	NineOfID        // exactly nine letters and digits
)

// Applied is what Encode did that the caller must know.
type Applied struct {
	Ignored []string // members left out
	Renamed []string // members renamed, as "old=new"
}
