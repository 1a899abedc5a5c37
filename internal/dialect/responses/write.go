package responses

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/cited"
	"github.com/weirproxy/weir/internal/llm"
)

// showing is where the model's readable reasoning goes.
type showing uint8

const (
	hidden    showing = iota
	asSummary         // the caller asked for a summary, and is given what there is
	asContent
)

// Writer writes an answer as a response: each event as those of a stream, or all of them as one object. It is used for one answer.
type Writer struct {
	dialect.Writing
	// Seal is how a server of the API encrypts a summary; nil for callers of Weir, whose summaries any target can go on from.
	Seal func(text string) string

	tools    map[string]origin // the caller's tools, by the names that the model knows
	shows    showing
	encrypts bool   // the caller wants what brings reasoning back, or it is stored
	stores   bool   // the answer is stored
	sums     bool   // the answer is the summary of a conversation
	summary  []byte // which it is so far, without quotes
	alone    bool   // it is all that was asked for
	scores   bool   // the caller wants log probabilities
	own      bool   // the answer is the API's own, see Serve
	echo     []byte // members of the request, which every response repeats

	forms  llm.Forms
	turns  llm.Turns
	whole  bool     // one object is wanted: no events are written
	number int      // of the next event
	id     llm.JSON // of the response
	model  llm.JSON
	output []byte // the finished items, a list without brackets
	items  int    // begun
	open   item
	calls  int // of tools
	said   cited.Length
	reason string // see FinishReason

	out []byte
}

// item is an item of the output while it is written.
type item struct {
	kind        llm.PartKind
	there       bool // a block is open, or its text was not closed yet
	started     bool // it was announced to the caller
	tool        origin
	id, call    llm.JSON // call: the id by which its result names it
	text        []byte   // what it says so far, without quotes
	opaque      []byte   // by which its model recognises it
	from        int64    // characters of the answer's text before it
	annotations []byte   // a list without brackets
	logprobs    []byte   // likewise
	cited       int
}

// Writer implements dialect.Chat.
func (r *Request) Writer(s dialect.Writing) dialect.Writer {
	w := &Writer{Writing: s, echo: echoOf(&r.Body)}
	if box, err := r.box(); err == nil { // else there is no answer to write
		w.tools = box.origins
	}
	reasoning := r.Value("reasoning")
	switch {
	case given(memberOf(reasoning, "summary")) != nil, given(memberOf(reasoning, "generate_summary")) != nil:
		w.shows = asSummary
	case reasoning.Kind() == '{':
		w.shows = asContent
	}
	w.scores = includes(r.Value("include"), includeLogprobs)
	w.stores = r.stores
	w.encrypts = r.stores || includes(r.Value("include"), includeEncrypted)
	w.alone = r.sums
	w.sums = r.sums || r.triggered
	return w
}

// FinishReason implements dialect.Writer.
func (w *Writer) FinishReason() string { return w.reason }

// Held implements dialect.Writer.
func (w *Writer) Held() int {
	return cap(w.output) + cap(w.open.text) + cap(w.open.opaque) + cap(w.open.annotations) + cap(w.open.logprobs) + cap(w.echo) + cap(w.summary)
}

// UsageChunk implements dialect.Writer. The last event always has the usage.
func (w *Writer) UsageChunk(dst []byte, _ *llm.Event) []byte { return dst }

// Chunk implements dialect.Writer.
func (w *Writer) Chunk(dst []byte, ev *llm.Event) []byte {
	w.out = dst
	w.take(ev)
	return w.out
}

// Collect implements dialect.Writer.
func (w *Writer) Collect(ev *llm.Event) {
	w.whole = true
	w.take(ev)
}

// Answer implements dialect.Writer.
func (w *Writer) Answer(end *llm.Event) []byte {
	w.Collect(end)
	w.out = make([]byte, 0, len(w.output)+len(w.echo)+512)
	if w.alone {
		w.compaction(end)
		return w.out
	}
	w.response(statusOf(w.reason), w.output, end)
	return w.out
}

// take takes an event. A response has one answer alone.
func (w *Writer) take(ev *llm.Event) {
	if ev.Choice > 0 {
		return
	}
	before, ok := w.turns.Take(ev)
	for i := range before {
		w.write(&before[i])
	}
	if ok {
		w.write(ev)
	}
}

// write writes an event that comes in its turn.
func (w *Writer) write(ev *llm.Event) {
	ev = w.forms.Plain(ev)
	if w.sums && ev.Kind != llm.Start && ev.Kind != llm.End {
		if ev.Kind == llm.Delta && ev.Part == llm.Text {
			w.summary = append(w.summary, ev.Text.Inner()...)
		}
		return
	}
	switch ev.Kind {
	case llm.Start:
		w.start(ev.ID, ev.Name)
	case llm.BlockStart:
		w.close()
		w.begin(ev)
	case llm.Delta:
		w.delta(ev)
	case llm.Cited:
		w.cite(ev.Citation)
	case llm.Scored:
		w.score(ev.Tokens)
	case llm.BlockStop:
		if w.open.kind != llm.Text { // citations of a text may follow it
			w.close()
		}
	case llm.End:
		w.end(ev)
	}
}

func (w *Writer) add(texts ...string) {
	for _, s := range texts {
		w.out = append(w.out, s...)
	}
}

// event begins an event; its members follow, and a brace. A line break divides events.
func (w *Writer) event(typ string) {
	if len(w.out) > 0 {
		w.out = append(w.out, '\n')
	}
	w.add(`{"type":"response.`, typ, `","sequence_number":`)
	w.out = strconv.AppendInt(w.out, int64(w.number), 10)
	w.number++
}

// start tells the caller that the answer begins.
func (w *Writer) start(id, model llm.JSON) {
	w.name(id, model)
	if w.whole {
		return
	}
	for _, typ := range [...]string{"created", "in_progress"} {
		w.event(typ)
		w.add(`,"response":`)
		w.response("in_progress", nil, nil)
		w.add("}")
	}
}

// name takes the answer's id, and the model's name.
func (w *Writer) name(id, model llm.JSON) {
	if w.own {
		w.id, w.model = textOf(id), textOf(model)
		return
	}
	w.id = llm.Quote("resp_" + w.Name)
	switch {
	case w.Echo != "":
		w.model = llm.Quote(w.Echo)
	case len(model.Inner()) > 0:
		w.model = slices.Clone(model)
	default:
		w.model = llm.Quote(w.Asked)
	}
}

// textOf is a copy of a string, an empty one for nil.
func textOf(v llm.JSON) llm.JSON {
	return append(append(llm.JSON{'"'}, v.Inner()...), '"')
}

// end closes what is open, and tells the caller that the answer is whole.
func (w *Writer) end(ev *llm.Event) {
	if w.model == nil {
		w.start(nil, nil)
	}
	w.close()
	if w.sums {
		w.compact()
	}
	if ev.Refusal != nil {
		w.refuse(ev.Refusal)
	}
	w.reason = w.forms.Finish(ev, w.calls)
	if w.whole {
		return
	}
	status := statusOf(w.reason)
	w.event(status)
	w.add(`,"response":`)
	w.response(status, w.output, ev)
	w.add("}")
}

// statusOf is the status of a response that ended for a reason, in OpenAI's word for it.
func statusOf(finish string) string {
	if finish == "length" || finish == "content_filter" {
		return "incomplete"
	}
	return "completed"
}

// response writes the response object as it is by now. end is its last event, nil while it is running.
func (w *Writer) response(status string, output []byte, end *llm.Event) {
	w.add(`{"id":`, string(w.id), `,"object":"response","created_at":`)
	w.out = strconv.AppendInt(w.out, w.Now, 10)
	w.add(`,"status":"`, status, `","background":false,"error":null,"incomplete_details":`)
	switch {
	case status != "incomplete":
		w.add("null")
	case w.reason == "length":
		w.add(`{"reason":"max_output_tokens"}`)
	default:
		w.add(`{"reason":"content_filter"}`)
	}
	w.add(string(w.echo), `,"model":`, string(w.model), `,"output":[`, string(output), `],"store":`, strconv.FormatBool(w.stores), `,"usage":`)
	if end == nil || end.Uncounted {
		w.add("null}")
		return
	}
	w.usage(end.Usage)
	w.add("}")
}

// compaction writes the answer to a request for a summary alone.
func (w *Writer) compaction(end *llm.Event) {
	w.add(`{"id":`, string(w.id), `,"object":"response.compaction","created_at":`)
	w.out = strconv.AppendInt(w.out, w.Now, 10)
	w.add(`,"output":[`, string(w.output), `],"usage":`)
	if end.Uncounted {
		w.add("null}")
		return
	}
	w.usage(end.Usage)
	w.add("}")
}

func (w *Writer) usage(u llm.Usage) {
	for _, count := range [...]struct {
		before string
		n      int64
	}{
		{`{"input_tokens":`, u.Input()},
		{`,"input_tokens_details":{"cached_tokens":`, u.CacheRead},
		{`,"cache_write_tokens":`, u.CacheWrites()},
		{`},"output_tokens":`, u.Output()},
		{`,"output_tokens_details":{"reasoning_tokens":`, u.Reasoning},
		{`},"total_tokens":`, u.Input() + u.Output()},
	} {
		w.out = strconv.AppendInt(append(w.out, count.before...), count.n, 10)
	}
	w.add("}")
}

// Failure ends a stream that has begun, with the event that its clients take for a failure. It implements dialect.Failer.
func (w *Writer) Failure(dst []byte, e *llm.Error) []byte {
	w.out = dst
	if w.model == nil {
		w.name(nil, nil)
	}
	w.event("failed")
	w.add(`,"response":{"id":`, string(w.id), `,"object":"response","created_at":`)
	w.out = strconv.AppendInt(w.out, w.Now, 10)
	w.add(`,"status":"failed","background":false,"error":`)
	w.out = appendFailure(w.out, e)
	w.add(`,"incomplete_details":null`, string(w.echo), `,"model":`, string(w.model), `,"output":[`, string(w.output), `],"store":false,"usage":null}}`)
	return w.out
}

// longestEcho is how long a member of the request may be that responses repeat. Instructions and tools may be many times that, and would be
// sent three times with each stream.
const longestEcho = 1 << 10

// echoOf are the members that a response repeats, as they were sent if they are short. Each begins with a comma.
func echoOf(b bodyOf) (out []byte) {
	for _, m := range [...]struct{ name, otherwise string }{
		{"instructions", "null"},
		{"max_output_tokens", "null"},
		{"max_tool_calls", "null"},
		{"metadata", "{}"},
		{"parallel_tool_calls", "true"},
		{"previous_response_id", "null"},
		{"prompt_cache_key", "null"},
		{"reasoning", "null"},
		{"safety_identifier", "null"},
		{"service_tier", `"default"`},
		{"temperature", "null"},
		{"text", `{"format":{"type":"text"}}`},
		{"tool_choice", `"auto"`},
		{"tools", "[]"},
		{"top_logprobs", "0"},
		{"top_p", "null"},
		{"truncation", `"disabled"`},
		{"user", "null"},
	} {
		value := b.Value(m.name)
		if value == nil || len(value) > longestEcho {
			value = llm.JSON(m.otherwise)
		}
		out = append(llm.AppendQuote(append(out, ','), m.name), ':')
		out = append(out, onOneLine(value)...)
	}
	return out
}

// onOneLine is a value without line breaks, which would end an event.
func onOneLine(v llm.JSON) llm.JSON {
	if !bytes.ContainsAny(v, "\r\n") {
		return v
	}
	var out bytes.Buffer
	_ = json.Compact(&out, v) // it was validated
	return out.Bytes()
}

// bodyOf is a request's body.
type bodyOf interface{ Value(name string) llm.JSON }
