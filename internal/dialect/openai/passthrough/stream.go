package passthrough

import (
	"strconv"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

// Stream follows one stream of one attempt and mends it where it strays from the convention. It is pure:
// payloads in, findings and edits out. Set the exported fields before the first Walk.
type Stream struct {
	// AskedUsage says that Weir asked for usage on its own account: what that adds is cut out again.
	AskedUsage bool
	// WantUsage says that the caller asked for the usage chunk, which then comes from Tail.
	WantUsage bool
	// EchoModel, if not empty, replaces the model's name.
	EchoModel string
	// Legacy says that the stream answers a call of /completions.
	Legacy bool
	// Name, Now and Asked replace an id, a time and a model that the upstream left out. Name is unique for the request
	// and needs no escaping, Now is Unix seconds, Asked is the model's name in the call. They are empty during the
	// first look at payloads, before the caller can be sent any; see Restart.
	Name  string
	Now   int64
	Asked string

	dialect.Found // Usage is that of the last chunk that had one

	head    head
	choices []*choiceState
	more    bool    // more choices came than are remembered
	tools   int     // calls of all choices
	tail    []byte  // the chunk with the usage, kept back so that it comes last
	told    bool    // usage came in its proper place
	aside   []byte  // usage that came in another place
	e       *editor // nil while nothing is walked, and before
}

// head is what every chunk of a stream has in common, as JSON text; empty until it is known.
type head struct{ id, created, model string }

// Restart starts a stream that was looked at from the beginning, with replacements for its id, time and model. The same
// payloads are walked again, for the caller this time. It keeps the id, time and model that they named, because some
// vendors leave them empty in a chunk that comes before the others.
//
//go:noinline
func (st *Stream) Restart(stand dialect.Stand) {
	*st = Stream{
		AskedUsage: st.AskedUsage, WantUsage: st.WantUsage, EchoModel: st.EchoModel, Legacy: st.Legacy,
		Name: stand.Name, Now: stand.Now, Asked: stand.Asked, head: st.head, e: st.e,
	}
}

// chunk is the state of one Walk.
type chunk struct {
	dialect.Chunk
	counted  int           // choices that stay
	skipped  int           // choices that came after their end
	choices  bool          // the member is there and is an array
	usage    jsonwalk.Span // zero if absent
	nullUse  bool
	lessUse  bool // it is empty, and one before was not
	aside    bool // usage came in another place
	unknown  bool // an unusual member
	flat     bool // a member that flat shapes of errors have: vLLM's, FastAPI's
	id, made bool // the members are there
	model    bool
	object   bool
	before   dialect.Repairs // what was counted when the chunk came
}

// Walk takes the next payload. The error is about JSON that cannot be relayed.
func (st *Stream) Walk(payload []byte) (dialect.Chunk, error) { return st.WalkBehind(nil, payload) }

// WalkBehind takes the next payload while the caller has not been sent the one in which a choice ended. held is that earlier
// payload, as repaired. Some servers send a finish reason before the end, one even after each piece of the answer. If the only
// choice goes on, the reason is taken back, and sent when the choice has ended.
func (st *Stream) WalkBehind(held, payload []byte) (dialect.Chunk, error) {
	if st.e == nil {
		st.e = editors.Get().(*editor)
	}
	st.e.reset(payload, &st.Repairs)
	st.e.held = held
	c := &st.e.chunk
	c.before = st.Repairs
	top, ok := st.e.enterObject()
	for ok && top.next() {
		st.member(&top, c)
	}
	if err := st.e.scan.End(); err != nil {
		st.Repairs = c.before
		return c.Chunk, err
	}
	c.Error = c.Error || c.flat && !c.choices && c.usage == (jsonwalk.Span{})
	if c.Error { // it is not relayed
		st.Repairs = c.before
	} else {
		st.complete(&top, c)
		st.Said += st.e.heard()
		if c.aside || c.usage != (jsonwalk.Span{}) && !c.nullUse && !c.lessUse {
			st.Covered = st.Said
		}
	}
	top.close()
	c.Edits, c.Reopened = st.e.done(), st.e.reopened
	if c.Drop && c.usage != (jsonwalk.Span{}) && !c.nullUse && !c.lessUse && st.WantUsage {
		st.tail = jsonwalk.Apply(st.tail[:0], payload, c.Edits)
	}
	return c.Chunk, nil
}

// Rest gives back the memory that is needed only while payloads are walked: a waiting stream may wait for minutes. The
// edits of the last one are not valid any more. A stream that ends without it loses nothing.
func (st *Stream) Rest() {
	if st.e != nil {
		st.e.rest()
		st.e = nil
	}
}

// member walks over one top-level member.
func (st *Stream) member(top *container, c *chunk) {
	s, name := &st.e.scan, st.e.scan.NameSpan()
	kind := s.Kind()
	start := s.Pos()
	switch string(s.Name()) {
	case "choices":
		c.choices = kind == '['
		st.walkChoices(c)
		top.took(name, start)
		if !c.choices {
			st.e.replace(dialect.RepairChoices, jsonwalk.Span{Start: start, End: s.Pos()}, "[]")
		}
		return
	case "usage":
		st.walkUsage(top, c, name)
		return
	case "error":
		c.Error = c.Error || kind != 'n'
		s.Skip()
		top.took(name, start)
		top.cutLast(dialect.RepairError)
		return
	case "id":
		c.id = true
		if span := s.Skip(); !st.latch(&st.head.id, span, kind) && s.Err() == nil {
			st.hold(dialect.RepairID, span, st.id())
		}
	case "model":
		c.model = true
		st.walkModel(kind)
	case "created":
		c.made = true
		st.created(s.Skip())
	case "object":
		c.object = true
		if span := s.Skip(); s.Err() == nil && string(span.Of(st.e.data)) != st.object() {
			st.e.replace(dialect.RepairObject, span, st.object())
		}
	case "x_groq":
		c.unknown = c.unknown || kind != 'n'
		st.walkGroq(c, kind)
	case "message", "detail", "errors", "base_resp":
		c.flat = c.flat || kind != 'n'
		c.unknown = c.unknown || kind != 'n'
		s.Skip()
	case "service_tier":
		st.walkTier(top, name)
		return
	case "system_fingerprint", "obfuscation":
		s.Skip()
	default:
		c.unknown = c.unknown || kind != 'n'
		s.Skip()
	}
	top.took(name, start)
}

// walkModel reads the model's name.
func (st *Stream) walkModel(kind byte) {
	span := st.e.scan.Skip()
	if st.e.scan.Err() != nil {
		return
	}
	if st.Model == "" {
		st.Model = llm.JSON(span.Of(st.e.data)).Model()
	}
	if st.EchoModel != "" {
		st.e.keep(jsonwalk.Edit{Span: span, New: quote(st.EchoModel)})
	} else if !st.latch(&st.head.model, span, kind) {
		st.hold(dialect.RepairModel, span, st.model())
	}
}

// walkTier reads the service tier, and cuts one that OpenAI does not have.
func (st *Stream) walkTier(top *container, name jsonwalk.Span) {
	s := &st.e.scan
	span := s.Skip()
	tier, known := tierOf(llm.JSON(span.Of(st.e.data)))
	if tier != "" {
		st.Usage.Tier = tier
	}
	if top.took(name, span.Start); !known && s.Err() == nil {
		top.cutLast(dialect.RepairTier)
	}
}

// walkUsage reads the usage and cuts it where the caller did not ask for it. What came because Weir asked is no
// repair.
func (st *Stream) walkUsage(top *container, c *chunk, name jsonwalk.Span) {
	s := &st.e.scan
	kind := s.Kind()
	start := s.Pos()
	c.nullUse = kind != '{'
	if u, ok := openai.ReadUsage(s, st.e.data); ok {
		u.Tier = st.Usage.Tier
		st.Usage, st.HasUsage, st.told = u, true, true
	} else {
		c.lessUse = st.told
	}
	c.usage = jsonwalk.Span{Start: start, End: s.Pos()}
	top.took(name, start)
	switch {
	case st.WantUsage:
	case st.AskedUsage:
		top.dropLast()
	case !c.nullUse:
		top.cutLast(dialect.RepairUsage)
	}
}

func (st *Stream) object() string {
	if st.Legacy {
		return `"text_completion"`
	}
	return `"chat.completion.chunk"`
}

// latch takes the first value of a string member that is not empty for the stream's. It reports false once the
// stream has one, and for a value of another kind.
func (st *Stream) latch(latched *string, span jsonwalk.Span, kind byte) bool {
	if *latched != "" || kind != '"' || span.Len() <= len(`""`) || span.Len() > openai.MaxHead || st.e.scan.Err() != nil {
		return false
	}
	*latched = string(span.Of(st.e.data))
	return true
}

// hold has a member be what it is in the whole stream. What is not known yet changes nothing.
func (st *Stream) hold(kind dialect.Repair, span jsonwalk.Span, text string) {
	if text != "" && string(span.Of(st.e.data)) != text {
		st.e.replace(kind, span, text)
	}
}

// created holds the time to its first value, in whole seconds.
func (st *Stream) created(span jsonwalk.Span) {
	if st.e.scan.Err() != nil {
		return
	}
	raw := span.Of(st.e.data)
	if string(raw) == st.head.created {
		return
	}
	seconds, whole := wholeSeconds(raw)
	if st.head.created == "" && seconds > 0 {
		st.head.created = strconv.FormatInt(seconds, 10)
		if whole {
			return
		}
	}
	st.e.replace(dialect.RepairCreated, span, st.time())
}

// complete decides, when the whole chunk was seen, what becomes of it, and puts in what it lacks.
func (st *Stream) complete(top *container, c *chunk) {
	hasUsage := c.usage != (jsonwalk.Span{}) && !c.nullUse
	switch {
	case c.counted > 0:
		if hasUsage && st.WantUsage {
			st.moveUsage(top, c)
		}
	case hasUsage && st.WantUsage: // it comes last
		c.Drop = true
	case hasUsage && st.AskedUsage:
		st.drop(c)
		return
	case hasUsage:
		st.drop(c, dialect.RepairUsage)
		return
	case c.skipped > 0:
		st.drop(c, dialect.RepairAfterFinish)
		return
	case !c.choices && !c.unknown:
		st.drop(c, dialect.RepairEmpty)
		return
	}
	if !c.choices && !c.hasChoices(st, top) {
		top.add(dialect.RepairChoices, `"choices":[]`)
	}
	st.completeHead(top, c)
}

// completeHead puts in what every chunk has.
func (st *Stream) completeHead(top *container, c *chunk) {
	if !c.model {
		if model := st.model(); model != "" {
			top.add(dialect.RepairModel, `"model":`+model)
		}
	}
	if !c.made && (st.head.created != "" || st.Now != 0) {
		top.add(dialect.RepairCreated, `"created":`+st.time())
	}
	if !c.object {
		top.add(dialect.RepairObject, `"object":`+st.object())
	}
	if !c.id {
		if id := st.id(); id != "" {
			top.add(dialect.RepairID, `"id":`+id)
		}
	}
}

// drop keeps the chunk from the caller: what was mended in it counts no more, only why it is dropped.
func (st *Stream) drop(c *chunk, why ...dialect.Repair) {
	c.Drop = true
	st.Repairs = c.before
	for _, kind := range why {
		st.Repairs[kind]++
	}
}

// hasChoices reports whether a member of that name is there, even if null.
func (c *chunk) hasChoices(st *Stream, top *container) bool {
	for _, m := range st.e.members[top.base:] {
		if string(m.Name.Of(st.e.data)) == `"choices"` {
			return true
		}
	}
	return false
}

// id is the stream's, made from the request's name if the upstream has none. Without a name nothing is made up:
// the upstream's id may still come.
func (st *Stream) id() string {
	switch {
	case st.head.id != "" || st.Name == "":
	case st.Legacy:
		st.head.id = quote("cmpl-" + st.Name)
	default:
		st.head.id = quote("chatcmpl-" + st.Name)
	}
	return st.head.id
}

// model is the model's name for the caller, in JSON; "" if unknown.
func (st *Stream) model() string {
	switch {
	case st.EchoModel != "":
		return quote(st.EchoModel)
	case st.head.model == "" && st.Asked != "":
		st.head.model = quote(st.Asked)
	}
	return st.head.model
}

func (st *Stream) time() string {
	if st.head.created == "" {
		if st.Now == 0 {
			return "0"
		}
		st.head.created = strconv.FormatInt(st.Now, 10)
	}
	return st.head.created
}

// moveUsage takes the usage out of a chunk with choices and keeps it for a chunk of its own.
func (st *Stream) moveUsage(top *container, c *chunk) {
	for i, m := range st.e.members[top.base:] {
		if m.Value == c.usage && i < 64 {
			top.cuts |= 1 << i
			st.Repairs[dialect.RepairUsage]++
		}
	}
	if !c.lessUse {
		st.tail = st.usageChunk(st.tail[:0], c.usage.Of(st.e.data))
	}
}

// usageChunk appends a chunk with the usage.
func (st *Stream) usageChunk(dst, usage []byte) []byte {
	return append(append(append(st.beginChunk(dst), `],"usage":`...), usage...), '}')
}

// beginChunk appends the text before the choices of a chunk that Weir makes.
func (st *Stream) beginChunk(dst []byte) []byte {
	dst = append(dst, `{"id":`+st.id()+`,"object":`+st.object()+`,"created":`+st.time()...)
	if model := st.model(); model != "" {
		dst = append(dst, `,"model":`+model...)
	}
	return append(dst, `,"choices":[`...)
}

// walkGroq reads what Groq adds to a chunk: the usage, without being asked for it.
func (st *Stream) walkGroq(c *chunk, kind byte) {
	s := &st.e.scan
	if kind != '{' {
		s.Skip()
		return
	}
	for ok := s.EnterObject(); ok && s.NextMember(); {
		if string(s.Name()) == "usage" {
			st.usageAside(c)
		} else {
			s.Skip()
		}
	}
}

// usageAside reads the usage that Moonshot sends inside a choice, and Groq in a member of its own. It stays there, like unknown members;
// a caller that asked for usage also gets it in its proper place.
func (st *Stream) usageAside(c *chunk) {
	s := &st.e.scan
	start := pos(s)
	u, ok := openai.ReadUsage(s, st.e.data)
	if !ok || st.told {
		return
	}
	u.Tier = st.Usage.Tier
	st.Usage, st.HasUsage, c.aside = u, true, true
	if raw := st.e.data[start:s.Pos()]; st.WantUsage && len(raw) <= openai.MaxHead {
		st.aside = append(st.aside[:0], raw...)
	}
}

// Last implements dialect.Walk.
func (st *Stream) Last(payload []byte) bool { return string(payload) == "[DONE]" }

// Ending is the chunk that ends the choices that went on after their finish reason and got no other one. It is sent when all
// else was; nil without such choices.
func (st *Stream) Ending() []byte {
	if !st.Complete(false) { // only [DONE] said that this is all
		st.Repairs[dialect.RepairUnfinished]++
	}
	var ends []byte
	for _, c := range st.choices {
		if c.finished || c.ending == 0 {
			continue
		}
		reason := c.ending.String()
		if (reason == "stop" || reason == "function_call") && len(c.tools) > 0 {
			reason = "tool_calls"
		}
		ends = append(strconv.AppendInt(append(ends, `,{"index":`...), c.index, 10), `,"`...)
		if st.Legacy {
			ends = append(ends, `text":"","logprobs":null`...)
		} else {
			ends = append(ends, `delta":{}`...)
		}
		ends = append(append(append(ends, `,"finish_reason":"`...), reason...), `"}`...)
		c.finished, st.Finish = true, reason
	}
	if ends == nil {
		return nil
	}
	return append(append(append(st.beginChunk(nil), ends[1:]...), ']'), '}')
}

// Tail is the chunk with the usage, to be sent before [DONE]; nil if it is not to be sent.
func (st *Stream) Tail() []byte {
	if len(st.tail) == 0 && len(st.aside) > 0 {
		st.tail = st.usageChunk(nil, st.aside)
		st.Repairs[dialect.RepairUsage]++
	}
	if len(st.tail) == 0 {
		return nil
	}
	return st.tail
}

// Complete reports whether a stream that ended here was whole. Either every choice seen got a finish reason, or
// the upstream sent [DONE] itself and no tool call is open. For choices that are not remembered, only [DONE] shows
// the end.
func (st *Stream) Complete(done bool) bool {
	if len(st.choices) == 0 {
		return false
	}
	all := !st.more
	for _, c := range st.choices {
		all = all && c.ending != 0
		if done && c.ending == 0 && len(c.tools) > 0 {
			return false
		}
	}
	return all || done
}
