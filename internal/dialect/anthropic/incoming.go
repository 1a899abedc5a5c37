package anthropic

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Request is what Weir knows of a caller's body of POST /v1/messages. It keeps the caller's bytes. It is immutable between ParseRequest and
// Forget, and safe for concurrent use.
type Request struct {
	dialect.Scanned
	members []member
	foreign bool // an earlier turn may hold reasoning that Weir wrapped
}

// member is one top-level member of the body.
type member struct {
	name string
	jsonwalk.Member
	null bool
	ours bool // the config adds it, the caller says nothing of it
}

// read are the members that Weir reads or changes. Some servers match names without regard to case, and take the last one that
// matches. So a name that differs from one of these only in case is refused.
var read = []string{
	"model", "messages", "system", "stream", "max_tokens", "tools", "tool_choice", "thinking", "output_config", "output_format", "metadata", "stop_sequences",
	"temperature", "top_p", "top_k", "service_tier", "cache_control", "anthropic_version",
}

// ParseRequest walks over raw once, strictly, and checks only what Weir itself reads: the body is an object that names the model, has
// messages, and says true or false of stream. Everything else is the upstream's to judge. raw is kept and must not change.
func ParseRequest(raw []byte, o dialect.ParseOptions) (*Request, *llm.Error) {
	r := &Request{Scanned: dialect.Scanned{Endpoint: llm.Chat, Raw: raw, Model: o.Model}, members: make([]member, 0, 12)}
	p := parser{Request: r, room: o.Room, named: o.Model != "", s: jsonwalk.NewScanner(raw, jsonwalk.Options{MaxDepth: o.MaxDepth, Unique: true, Room: o.Room})}
	if kind := p.s.Kind(); kind != '{' && kind != 0 {
		p.s.Skip()
		if p.s.End() == nil {
			return nil, &llm.Error{Kind: llm.InvalidJSON, Message: "The request body must be a JSON object, such as {\"model\": …}."}
		}
	} else {
		p.object()
	}
	switch err := p.s.End(); {
	case err != nil:
		return nil, invalidJSON(err)
	case p.full:
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
	var syntax *jsonwalk.SyntaxError
	if !errors.As(err, &syntax) || errors.Is(err, jsonwalk.ErrNoRoom) {
		return noRoom()
	}
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

	named, speaks bool // the model is known; there are messages
}

func (p *parser) object() {
	for ok := p.s.EnterObject(); ok && p.s.NextMember(); {
		m := member{name: string(p.s.Name()), Member: jsonwalk.Member{Name: p.s.NameSpan()}}
		p.alike(m.name)
		kind := p.s.Kind()
		if m.null = kind == 'n'; m.name == "messages" && kind == '[' {
			m.Value = p.messages()
		} else {
			m.Value = p.s.Skip()
		}
		if p.s.Err() != nil {
			return
		}
		p.read(&m, kind)
		p.remember(m)
	}
}

// alike refuses a name that some servers take for one that Weir reads.
func (p *parser) alike(name string) {
	i := slices.IndexFunc(read, func(known string) bool { return known != name && strings.EqualFold(known, name) })
	if i >= 0 {
		p.wrong(llm.InvalidJSON, "", fmt.Sprintf("The body has a member %q, which some servers take for %q. Spell it %q, or leave it out.", name, read[i], read[i]))
	}
}

// manyMembers is how many members a body may have before they are counted, and memberSize about what each then takes, with its name.
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
func (p *parser) read(m *member, kind byte) {
	switch value := m.Value.Of(p.Raw); m.name {
	case "model":
		switch {
		case p.named && p.Model != "", kind == 'n': // the path named it
		case kind != '"':
			p.wrong(llm.InvalidType, "model", "'model' must be a string that names a model; GET /v1/models lists them.")
		default:
			p.Model, _ = jsonwalk.Text(value)
			p.named = p.Model != ""
		}
	case "messages":
		switch {
		case kind == 'n':
			return
		case kind != '[':
			p.wrong(llm.InvalidType, "messages", "'messages' must be an array of messages.")
		case jsonwalk.NoElements(value):
			p.wrong(llm.InvalidType, "messages", "'messages' is empty; it needs at least one message.")
		}
		p.speaks = true
	case "system", "tools":
		p.Heard += len(value)
	case "stream":
		switch kind {
		case 't':
			p.Stream = true
		case 'f', 'n':
		default:
			p.wrong(llm.InvalidType, "stream", "'stream' must be true or false.")
		}
	}
}

// check reports what is missing once the whole body was read.
func (p *parser) check() {
	switch {
	case !p.named:
		p.wrong(llm.MissingParameter, "model", "You must provide a 'model' parameter; GET /v1/models lists the models that your key may use.")
	case !llm.ValidModelName(p.Model):
		p.wrong(llm.InvalidValue, "model", "'model' must be a printable name of at most 256 bytes.")
	case !p.speaks:
		p.wrong(llm.MissingParameter, "messages", "Missing required parameter: 'messages'.")
	}
}

func (p *parser) wrong(kind llm.Kind, param, message string) {
	if p.bad == nil {
		p.bad = &llm.Error{Kind: kind, Param: param, Message: message}
	}
}

// messages walks over the messages, and counts what the model reads of them.
func (p *parser) messages() jsonwalk.Span {
	p.s.Kind()
	start := p.s.Pos()
	for ok := p.s.EnterArray(); ok && p.s.NextElement(); {
		if p.s.Kind() != '{' {
			p.s.Skip()
			continue
		}
		for ok := p.s.EnterObject(); ok && p.s.NextMember(); {
			if string(p.s.Name()) == "content" {
				p.content()
			} else {
				p.s.Skip()
			}
		}
	}
	return jsonwalk.Span{Start: start, End: p.s.Pos()}
}

// content walks over a text, or over blocks.
func (p *parser) content() {
	if p.s.Kind() != '[' {
		p.Heard += p.s.Skip().Len()
		return
	}
	for ok := p.s.EnterArray(); ok && p.s.NextElement(); {
		if p.s.Kind() != '{' {
			p.s.Skip()
			continue
		}
		for ok := p.s.EnterObject(); ok && p.s.NextMember(); {
			switch string(p.s.Name()) {
			case "content":
				p.content()
			case "source":
				p.Heard += min(p.s.Skip().Len(), dialect.BytesOfMedia)
			case "signature":
				value := p.s.Skip()
				p.foreign = p.foreign || isWrapped(llm.JSON(value.Of(p.Raw)))
			case "data":
				value := p.s.Skip()
				p.foreign = p.foreign || isWrapped(llm.JSON(value.Of(p.Raw)))
				p.Heard += min(value.Len(), dialect.BytesOfMedia)
			default:
				p.Heard += p.s.Skip().Len()
			}
		}
	}
}

// IsMessages reports whether a body has members that only this API has. The body need not be JSON.
func IsMessages(body []byte) bool {
	for name := range jsonwalk.Members(body) {
		switch string(name) {
		case "system", "stop_sequences", "output_config", "context_management", versionMember:
			return true
		}
	}
	return false
}

// Forget implements dialect.Request.
func (r *Request) Forget() int {
	n := len(r.Raw)
	r.Raw, r.members = nil, nil
	return n
}

// value is a top-level member, nil if it is null or absent.
func (r *Request) value(name string) llm.JSON {
	for i := range r.members {
		if m := &r.members[i]; m.name == name && !m.null {
			return m.Value.Of(r.Raw)
		}
	}
	return nil
}

// Text implements dialect.Asking.
func (r *Request) Text(name string) string { return r.value(name).Text() }

// AsksSchema implements dialect.Asking.
func (r *Request) AsksSchema() bool {
	return r.value("output_format") != nil || memberOf(r.value("output_config"), "format").Kind() == '{'
}

// OffersTools implements dialect.Asking.
func (r *Request) OffersTools() bool {
	tools := r.value("tools")
	return tools.Kind() == '[' && !jsonwalk.NoElements(tools)
}

// Ours implements dialect.Request.
func (r *Request) Ours(name string) bool {
	return slices.ContainsFunc(r.members, func(m member) bool { return m.ours && m.name == name })
}

// perObject is about how much memory an object of the request takes in the typed model and while it is encoded.
const perObject = 1 << 10

// Typed implements dialect.Request.
func (r *Request) Typed() int {
	n := 0
	for rest := r.Raw; ; {
		i := bytes.IndexByte(rest, '{')
		if i < 0 {
			return n
		}
		if rest = rest[i+1:]; len(rest) > 0 && rest[0] != '\\' { // it occurs there only in texts, of JSON or of programs
			n += perObject
		}
	}
}

// memberOf is a member of an object, nil without one.
func memberOf(object llm.JSON, name string) llm.JSON {
	for n, v := range jsonwalk.Members(object) {
		if string(n) == name {
			return v
		}
	}
	return nil
}
