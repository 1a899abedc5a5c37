// Package passthrough is OpenAI's dialect where a request and its answer pass as bytes: what Weir reads of a caller's request, what it changes in
// it for a target, and how it mends an answer or a stream. Nothing is decoded into a tree. One walk finds the few members that matter,
// and changes are a list of edits to the bytes. The package is pure: bytes in, bytes and findings out.
//
// Callers choose the package by the path, see Chat. For targets of other dialects it hands requests to package openai, the codec. What
// targets of OpenAI's dialect answer to callers of others is mended here before the codec reads it, see AnswerReader.
package passthrough

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

// Request is what Weir knows of a call's body. It keeps the caller's bytes; Encode yields what goes upstream.
// It is immutable between ParseRequest and Forget, and safe for concurrent use.
type Request struct {
	dialect.Scanned

	openai.VectorForm // embeddings

	members []member
	options streamOptions
	earlier earlier
}

// member is one top-level member of the body.
type member struct {
	name string
	jsonwalk.Member
	null bool
	ours bool // the config adds it, the caller says nothing of it
}

// streamOptions is the place of the body's stream_options, if it is an object.
type streamOptions struct {
	index   int           // among the members, -1 if absent
	object  bool          // it is an object, not null
	empty   bool          // it has no members
	include jsonwalk.Span // the value of include_usage, zero if absent
}

// Forget releases the caller's bytes, and returns how many there were, once no more calls will be made from them. A
// stream may run for minutes after its prompt.
func (r *Request) Forget() int {
	r.members = nil
	return r.Release()
}

// Text is the value of a top-level member that is a string, or "".
func (r *Request) Text(name string) string {
	for i := range r.members {
		if m := &r.members[i]; m.name == name {
			text, _ := jsonwalk.Text(m.Value.Of(r.Raw))
			return text
		}
	}
	return ""
}

// AsksSchema reports whether the answer has to follow a JSON schema.
func (r *Request) AsksSchema() bool {
	p := profiler{}
	for i := range r.members {
		if m := &r.members[i]; m.name == "response_format" && !m.null {
			p.format(m.Value.Of(r.Raw))
		}
	}
	return p.out.Needs&llm.TakesSchema != 0
}

// OffersTools reports whether there are tools that the model may call.
func (r *Request) OffersTools() bool {
	return slices.ContainsFunc(r.members, func(m member) bool {
		return (m.name == "tools" || m.name == "functions") && !m.null && !jsonwalk.Hollow(m.Value.Of(r.Raw))
	})
}

// ParseRequest walks over raw once, strictly, and checks only what Weir itself reads. The body is an object and
// names the model, the endpoint's main member is there, stream and stream_options are valid. Everything else is
// the upstream's to judge. raw is kept and must not change.
func ParseRequest(endpoint llm.Endpoint, raw []byte, maxDepth int) (*Request, *llm.Error) {
	return parseRequestWithin(nil, endpoint, raw, maxDepth)
}

// parseRequestWithin is ParseRequest for bodies that may try to fill the memory. Room is asked before much of one is
// remembered; without room the request is refused as one too many.
func parseRequestWithin(room jsonwalk.Room, endpoint llm.Endpoint, raw []byte, maxDepth int) (*Request, *llm.Error) {
	return parseRequestFor("", room, endpoint, raw, maxDepth)
}

// parseRequestFor is parseRequestWithin for a request whose path names the model, unless model is "". Then the body need not name one,
// and what it names does not count: it is replaced by the target's, as any name is.
func parseRequestFor(model string, room jsonwalk.Room, endpoint llm.Endpoint, raw []byte, maxDepth int) (*Request, *llm.Error) {
	r := &Request{Scanned: dialect.Scanned{Endpoint: endpoint, Raw: raw, Model: model}, options: streamOptions{index: -1}, members: make([]member, 0, 8)}
	p := parser{Request: r, room: room, model: model != "", s: jsonwalk.Borrow(raw, jsonwalk.Options{MaxDepth: maxDepth, Unique: true, Room: room, Note: &r.Texts})}
	defer p.s.Return()
	if kind := p.s.Kind(); kind != '{' && kind != 0 {
		p.s.Skip()
		if err := p.s.End(); err == nil {
			return nil, &llm.Error{Kind: llm.InvalidJSON, Message: "The request body must be a JSON object, such as {\"model\": …}."}
		}
	} else {
		p.object()
	}
	if err := p.s.End(); err != nil {
		return nil, invalidJSON(err)
	}
	if p.full {
		return nil, noRoom()
	}
	if p.bad == nil {
		p.check()
	}
	if p.bad != nil {
		return nil, p.bad
	}
	return r, nil
}

func noRoom() *llm.Error {
	return &llm.Error{Kind: llm.Overloaded, RetryAfter: time.Second, Message: "Weir is short of memory for a body with so many members at the moment. Send it again."}
}

func invalidJSON(err error) *llm.Error {
	if errors.Is(err, jsonwalk.ErrNoRoom) {
		return noRoom()
	}
	var syntax *jsonwalk.SyntaxError
	errors.As(err, &syntax)
	return &llm.Error{
		Kind:    llm.InvalidJSON,
		Message: fmt.Sprintf("We could not parse the JSON body of your request: %s (after %d bytes). Send one JSON object, encoded as UTF-8, that names no member twice.", syntax.Message, syntax.Offset),
	}
}

// parser is the state of one ParseRequest.
type parser struct {
	*Request
	s    *jsonwalk.Scanner
	room jsonwalk.Room
	full bool       // the members did not fit into memory
	bad  *llm.Error // the first invalid member; reported only if the whole body is JSON

	speaker speaker // of the open message

	model, main, input bool
}

func (p *parser) object() {
	for ok := p.s.EnterObject(); ok && p.s.NextMember(); {
		name, known := jsonwalk.Known(p.s.Name(), bodyNames)
		if !known {
			p.alike(bodyNames)
		}
		m := member{name: name, Member: jsonwalk.Member{Name: p.s.NameSpan()}}
		kind := p.s.Kind()
		m.null = kind == 'n'
		switch m.name {
		case "stream_options":
			p.options.index = len(p.members)
			m.Value = p.streamOptions(kind)
		case "messages":
			m.Value = p.messages(kind)
		case "input":
			p.input = kind != 'n'
			m.Value = p.inputs(kind)
			p.Heard += m.Value.Len()
		case "tools":
			m.Value = p.pieces(false)
		case "response_format":
			m.Value = p.checkFormat(kind)
		default:
			m.Value = p.s.Skip()
		}
		if p.s.Err() != nil {
			return
		}
		p.read(m, kind)
		p.remember(m)
	}
}

// manyMembers is how many members a body may have before they are counted, and memberSize about what each then takes,
// with its name.
const (
	manyMembers = 256
	memberSize  = 128
)

func (p *parser) remember(m member) {
	if n := len(p.members); n == cap(p.members) && n >= manyMembers {
		if p.full = p.full || p.room != nil && !p.room.Grow(memberSize*n); p.full {
			return
		}
		p.members = slices.Grow(p.members, n)
	}
	p.members = append(p.members, m)
}

// read takes what Weir needs of a member.
func (p *parser) read(m member, kind byte) {
	value := m.Value.Of(p.Raw)
	switch m.name {
	case "model":
		if !p.model { // otherwise the path named it
			p.readModel(value, kind)
		}
	case "messages":
		p.readMessages(value, kind)
	case "prompt":
		p.Heard += len(value)
		p.main = p.main || p.Endpoint == llm.Completions && kind != 'n'
	case "stream":
		switch kind {
		case 't':
			p.Stream = true
		case 'f', 'n':
		default:
			p.wrong(llm.InvalidType, "stream", "'stream' must be true or false.")
		}
	case "encoding_format":
		if p.Endpoint == llm.Embeddings {
			p.VectorForm = openai.VectorFormOf(value)
		}
	}
}

func (p *parser) readModel(value []byte, kind byte) {
	switch {
	case kind == 'n':
		return
	case kind != '"':
		p.wrong(llm.InvalidType, "model", "'model' must be a string that names a model; GET /v1/models lists them.")
		return
	}
	p.Model, _ = jsonwalk.Text(value)
	p.model = p.Model != ""
}

func (p *parser) readMessages(value []byte, kind byte) {
	if p.Endpoint != llm.Chat || kind == 'n' {
		return
	}
	p.main = true
	switch {
	case kind != '[':
		p.wrong(llm.InvalidType, "messages", "'messages' must be an array of messages.")
	case jsonwalk.Hollow(value):
		p.wrong(llm.InvalidType, "messages", "'messages' is empty; it needs at least one message.")
	}
}

func (p *parser) streamOptions(kind byte) jsonwalk.Span {
	start := p.s.Pos()
	if kind != '{' {
		span := p.s.Skip()
		if kind != 'n' {
			p.wrong(llm.InvalidType, "stream_options", "'stream_options' must be an object, such as {\"include_usage\": true}.")
		}
		return span
	}
	p.options.object, p.options.empty = true, true
	for ok := p.s.EnterObject(); ok && p.s.NextMember(); {
		p.options.empty = false
		p.alike(optionNames)
		usage := string(p.s.Name()) == "include_usage"
		kind := p.s.Kind()
		span := p.s.Skip()
		if usage {
			p.options.include = span
			p.WantUsage = kind == 't'
		}
	}
	return jsonwalk.Span{Start: start, End: p.s.Pos()}
}

// inputs counts what an embeddings call asks for: a string or a list of tokens is one input, a list of either
// is as many.
func (p *parser) inputs(kind byte) jsonwalk.Span {
	if p.Endpoint != llm.Embeddings || kind != '[' {
		if p.Inputs = -1; kind == '"' {
			p.Inputs = 1
		}
		return p.s.Skip()
	}
	start, n, tokens := p.s.Pos(), 0, false
	for ok := p.s.EnterArray(); ok && p.s.NextElement(); {
		n++
		tokens = tokens || p.s.Kind() == '0'
		p.s.Skip()
	}
	if p.Inputs = n; tokens {
		p.Inputs = 1
	}
	return jsonwalk.Span{Start: start, End: p.s.Pos()}
}

// check reports what is missing once the whole body was read.
func (p *parser) check() {
	switch p.main = p.main || p.Endpoint == llm.Embeddings && p.input; {
	case !p.model:
		p.wrong(llm.MissingParameter, "model", "You must provide a 'model' parameter; GET /v1/models lists the models that your key may use.")
	case !llm.ValidModelName(p.Model):
		p.wrong(llm.InvalidValue, "model", "'model' must be a printable name of at most 256 bytes.")
	case !p.main && p.Endpoint == llm.Chat && p.input:
		p.wrong(llm.MissingParameter, "messages", "Missing required parameter: 'messages'. This body has 'input', as the Responses API takes it; POST /v1/chat/completions takes 'messages', POST /v1/embeddings takes 'input'.")
	case !p.main:
		name := [...]string{llm.Chat: "messages", llm.Completions: "prompt", llm.Embeddings: "input"}[p.Endpoint]
		p.wrong(llm.MissingParameter, name, fmt.Sprintf("Missing required parameter: '%s'.", name))
	case p.options.object && !p.Stream:
		p.wrong(llm.InvalidValue, "stream_options", "The 'stream_options' parameter is only allowed when 'stream' is true.")
	}
	if p.Endpoint == llm.Embeddings {
		p.Stream, p.WantUsage = false, false
	}
}

func (p *parser) wrong(kind llm.Kind, param, message string) {
	if p.bad == nil {
		p.bad = &llm.Error{Kind: kind, Param: param, Message: message}
	}
}
