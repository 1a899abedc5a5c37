package responses

import (
	"bytes"
	"fmt"

	"github.com/weirproxy/weir/internal/dialect/cited"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// reader makes events of the items of an answer. Items come one after the other, in the API's own streams too. A server that sends several at
// a time has the first go out as it comes; the others are said when they are whole.
type reader struct {
	tell    func(*llm.Event)
	sent    llm.Event
	started bool

	block    int // of the next event
	open     bool
	part     llm.PartKind
	said     cited.Length // of all text
	refusal  []byte       // without quotes
	calls    int
	searches int64

	live    bool // an item is read piece by piece
	index   int64
	now     running
	pending map[int64]bool // items that began beside the live one
	waiting []llm.JSON     // those that ended since
}

// running is what is known of the live item.
type running struct {
	typ             string
	from            int64 // characters of the text before it
	content         int64 // the part of it that is open
	texts           bool  // something of what it says was sent
	openly          bool  // it is reasoning that is sent as it is, and no summary
	refused         bool
	cites, scores   bool
	custom, escaped bool // a call of a custom tool, whose arguments have begun
}

func (r *reader) emit(ev llm.Event) {
	ev.Block = r.block
	r.sent = ev
	r.tell(&r.sent)
}

func (r *reader) start(id, model llm.JSON) {
	r.started = true
	r.emit(llm.Event{Kind: llm.Start, ID: id, Name: model})
}

// begin begins a block.
func (r *reader) begin(ev llm.Event) {
	r.stop()
	r.open, r.part = true, ev.Part
	ev.Kind = llm.BlockStart
	r.emit(ev)
}

// delta sends a piece of the open block.
func (r *reader) delta(text, opaque llm.JSON) {
	if r.part == llm.Text {
		r.said.Add(text)
	}
	r.emit(llm.Event{Kind: llm.Delta, Part: r.part, Text: text, Opaque: opaque})
}

// stop ends the open block.
func (r *reader) stop() {
	if r.open {
		r.emit(llm.Event{Kind: llm.BlockStop, Part: r.part})
		r.open = false
		r.block++
	}
}

// await notes an item that began and is not read piece by piece.
func (r *reader) await(index int64) {
	if r.pending == nil {
		r.pending = map[int64]bool{}
	}
	r.pending[index] = true
}

// awaits reports whether an item began and has not ended, and forgets it.
func (r *reader) awaits(index int64) bool {
	waited := r.pending[index]
	delete(r.pending, index)
	return waited
}

// maxItems bounds what an answer can make us remember.
const maxItems = 4096

var errItems = fmt.Errorf("%w: it has too many items", llm.ErrNoAnswer)

// event takes an event about an item.
func (r *reader) event(ev *payload) error {
	switch string(ev.typ) {
	case "response.output_item.added":
		return r.added(ev)
	case "response.output_item.done":
		return r.done(ev.output, ev.item)
	}
	if r.live && ev.output >= 0 && ev.output != r.index {
		return nil // it is said when it is whole
	}
	switch string(ev.typ) {
	case "response.output_text.delta":
		r.text(ev)
	case "response.output_text.annotation.added":
		if r.is("message") {
			r.now.cites = true
			r.cite(r.now.from, ev.annotation)
		}
	case "response.refusal.delta":
		if r.is("message") {
			r.now.refused = true
			r.refusal = append(r.refusal, ev.delta.Inner()...)
		}
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		r.reasons(ev)
	case "response.function_call_arguments.delta":
		if r.is("function_call") && len(ev.delta.Inner()) > 0 {
			r.now.texts = true
			r.delta(ev.delta, nil)
		}
	case "response.custom_tool_call_input.delta":
		if r.is("custom_tool_call") && len(ev.delta.Inner()) > 0 {
			r.now.texts = true
			r.input(ev.delta)
		}
	}
	return nil
}

// is reports whether the live item is of a type.
func (r *reader) is(typ string) bool { return r.live && r.now.typ == typ }

// added takes the beginning of an item.
func (r *reader) added(ev *payload) error {
	if len(r.pending) >= maxItems {
		return errItems
	}
	if r.live {
		r.await(ev.output)
		return nil
	}
	now := running{typ: memberOf(ev.item, "type").Text(), from: r.said.Characters, content: -1}
	switch now.typ {
	case "message", "reasoning":
	case "function_call", "custom_tool_call":
		if call := callOf(ev.item); call.Nameless() { // its end has them
			r.await(ev.output)
			return nil
		}
		now.custom = now.typ == "custom_tool_call"
	default:
		r.await(ev.output)
		return nil
	}
	r.live, r.index, r.now = true, ev.output, now
	if now.typ == "function_call" || now.custom {
		r.calls++
		r.begin(callOf(ev.item))
	}
	return nil
}

// callOf is the beginning of a call.
func callOf(item llm.JSON) llm.Event {
	id, name, namespace := memberOf(item, "call_id"), memberOf(item, "name"), memberOf(item, "namespace").Text()
	if namespace != "" {
		name = llm.Quote(flat(namespace, name.Text()))
	}
	ev := llm.Event{Part: llm.ToolCall, ID: id, Name: name}
	if own, signature := splitID(id.Text()); signature != nil {
		ev.ID, ev.Opaque = llm.Quote(own), signature
	}
	return ev
}

// text takes a piece of a text. A server that did not announce the item begins it so.
func (r *reader) text(ev *payload) {
	if len(ev.delta.Inner()) == 0 {
		return
	}
	if !r.live {
		r.live, r.index, r.now = true, ev.output, running{typ: "message", from: r.said.Characters, content: -1}
	}
	if r.now.typ != "message" {
		return
	}
	if !r.open || r.now.content != ev.content {
		r.now.from = r.said.Characters
		r.begin(llm.Event{Part: llm.Text})
	}
	r.now.texts, r.now.content = true, ev.content
	r.delta(ev.delta, nil)
	if r.score(ev.logprobs) {
		r.now.scores = true
	}
}

// reasons takes a piece of reasoning, or of its summary: of the two, the one that comes first is sent.
func (r *reader) reasons(ev *payload) {
	openly, part := string(ev.typ) == "response.reasoning_text.delta", ev.summary
	if openly {
		part = ev.content
	}
	if len(ev.delta.Inner()) == 0 {
		return
	}
	if !r.live {
		r.live, r.index, r.now = true, ev.output, running{typ: "reasoning", content: -1}
	}
	switch now := &r.now; {
	case now.typ != "reasoning", now.texts && now.openly != openly:
		return
	case !now.texts:
		now.texts, now.openly = true, openly
		r.begin(llm.Event{Part: llm.Reasoning})
	case now.content != part:
		r.delta(between, nil)
	}
	r.now.content = part
	r.delta(ev.delta, nil)
}

// between divides the parts of a reasoning.
var between = llm.JSON(`"\n\n"`)

// input sends a piece of the input of a custom tool, as a part of its arguments: what is escaped once becomes escaped twice.
func (r *reader) input(piece llm.JSON) {
	out := llm.JSON{'"'}
	if !r.now.escaped {
		r.now.escaped = true
		out = append(out, `{\"`+customInput+`\":\"`...)
	}
	for _, b := range piece.Inner() {
		if b == '\\' || b == '"' {
			out = append(out, '\\')
		}
		out = append(out, b)
	}
	r.delta(append(out, '"'), nil)
}

// done takes an item that is whole.
func (r *reader) done(index int64, item llm.JSON) error {
	if r.live && index >= 0 && index != r.index {
		r.awaits(index)
		if len(r.waiting) >= maxItems {
			return errItems
		}
		r.waiting = append(r.waiting, bytes.Clone(item))
		return nil
	}
	r.awaits(index)
	if !r.live || memberOf(item, "type").Text() != r.now.typ {
		if err := r.leave(); err != nil {
			return err
		}
		return r.item(item)
	}
	if err := r.say(item); err != nil {
		return err
	}
	return r.leave()
}

// leave ends the live item, and says those that waited for that.
func (r *reader) leave() error {
	if r.live && r.now.custom && r.open {
		if !r.now.escaped {
			r.input(nil)
		}
		r.delta(llm.JSON(`"\"}"`), nil)
	}
	r.stop()
	r.live = false
	waiting := r.waiting
	r.waiting = nil
	for _, item := range waiting {
		if err := r.item(item); err != nil {
			return err
		}
	}
	return nil
}

// item says a whole item of which nothing was said yet.
func (r *reader) item(item llm.JSON) error {
	r.stop()
	r.now = running{typ: memberOf(item, "type").Text(), from: r.said.Characters, content: -1}
	switch r.now.typ {
	case "function_call", "custom_tool_call":
		call := callOf(item)
		if call.Nameless() {
			return llm.ErrNameless
		}
		r.now.custom = r.now.typ == "custom_tool_call"
		r.calls++
		r.begin(call)
	case "web_search_call":
		r.searches += searches(item)
	case "computer_call", "local_shell_call", "shell_call", "apply_patch_call", "mcp_approval_request", "tool_search_call":
		if memberOf(item, "execution").Text() != "server" {
			return fmt.Errorf("%w: it calls a tool that it was not offered, by a %s", llm.ErrNoAnswer, r.now.typ)
		}
	}
	r.live = true
	if err := r.say(item); err != nil {
		return err
	}
	waiting := r.waiting // those wait for their turn still
	r.waiting = nil
	err := r.leave()
	r.waiting = waiting
	return err
}

// say says what was not said yet of an item.
func (r *reader) say(item llm.JSON) error {
	switch now := &r.now; now.typ {
	case "message":
		r.message(memberOf(item, "content"))
	case "reasoning":
		r.thought(item)
	case "function_call":
		if args := memberOf(item, "arguments"); !now.texts && len(args.Inner()) > 0 {
			r.delta(args, nil)
		}
	case "custom_tool_call":
		if input := memberOf(item, "input"); !now.texts && len(input.Inner()) > 0 {
			r.input(input)
		}
	}
	return nil
}

// message says what a whole message says, but for what was said already.
func (r *reader) message(content llm.JSON) {
	said, refused, cites, scores := r.now.texts, r.now.refused, r.now.cites, r.now.scores
	at := r.now.from
	if said && !cites {
		at = r.said.Characters - textLength(content)
	}
	for _, part := range jsonwalk.Elements(content) {
		switch memberOf(part, "type").Text() {
		case "output_text", "text":
			text := memberOf(part, "text")
			if !said && len(text.Inner()) > 0 {
				r.begin(llm.Event{Part: llm.Text})
				at = r.said.Characters
				r.delta(text, nil)
			}
			for _, annotation := range jsonwalk.Elements(memberOf(part, "annotations")) {
				if !cites {
					r.cite(at, annotation)
				}
			}
			if !scores {
				r.score(memberOf(part, "logprobs"))
			}
			at += lengthOf(text)
		case "refusal":
			if !refused {
				r.refusal = append(r.refusal, memberOf(part, "refusal").Inner()...)
			}
		}
	}
}

// textLength is how many characters the texts of a message have.
func textLength(content llm.JSON) (n int64) {
	for _, part := range jsonwalk.Elements(content) {
		n += lengthOf(memberOf(part, "text"))
	}
	return n
}

func lengthOf(text llm.JSON) int64 {
	var l cited.Length
	l.Add(text)
	return l.Characters
}

// thought says what a whole reasoning says, and by what its maker knows it again.
func (r *reader) thought(item llm.JSON) {
	opaque := memberOf(item, "encrypted_content")
	for _, name := range [...]string{"content", "summary"} {
		if r.now.texts {
			break
		}
		for _, part := range jsonwalk.Elements(memberOf(item, name)) {
			text := memberOf(part, "text")
			if len(text.Inner()) == 0 {
				continue
			}
			if !r.now.texts {
				r.now.texts = true
				r.begin(llm.Event{Part: llm.Reasoning})
			} else {
				r.delta(between, nil)
			}
			r.delta(text, nil)
		}
	}
	switch {
	case len(opaque.Inner()) == 0:
	case r.now.texts:
		r.delta(nil, opaque)
	default:
		r.begin(llm.Event{Part: llm.Redacted, Opaque: opaque})
	}
}

// cite sends a source. at is where the text begins that it is about.
func (r *reader) cite(at int64, annotation llm.JSON) {
	url := memberOf(annotation, "url")
	if memberOf(annotation, "type").Text() != "url_citation" || len(url.Inner()) == 0 {
		return
	}
	c := llm.Citation{URL: url, Title: given(memberOf(annotation, "title"))}
	c.Start, _ = memberOf(annotation, "start_index").Count()
	c.End, _ = memberOf(annotation, "end_index").Count()
	c.Start, c.End = c.Start+at, c.End+at
	if c.Title.Kind() != '"' {
		c.Title = nil
	}
	r.emit(llm.Event{Kind: llm.Cited, Citation: &c})
}

// score sends log probabilities, and reports whether there were any.
func (r *reader) score(list llm.JSON) bool {
	if string(list) == "[]" { // as nearly always
		return false
	}
	tokens := tokensOf(list)
	if len(tokens) > 0 {
		r.emit(llm.Event{Kind: llm.Scored, Tokens: tokens})
	}
	return len(tokens) > 0
}

func tokensOf(list llm.JSON) (tokens []llm.Token) {
	for _, v := range jsonwalk.Elements(list) {
		t := llm.Token{Text: memberOf(v, "token"), Logprob: memberOf(v, "logprob"), Top: tokensOf(memberOf(v, "top_logprobs"))}
		if t.Text.Kind() == '"' && t.Logprob.Kind() == '0' {
			tokens = append(tokens, t)
		}
	}
	return tokens
}
