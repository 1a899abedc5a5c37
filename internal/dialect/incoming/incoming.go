// Package incoming reads the outermost object of a caller's body, in one strict walk: which model, whether the answer is to stream, and
// where its members are. What they mean is the dialect's.
package incoming

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

// Body is a caller's body. It is immutable between Parse and Forget, and safe for concurrent use.
type Body struct {
	dialect.Scanned
	Members []Member
}

// Member is one top-level member of a body.
type Member struct {
	Name string
	At   jsonwalk.Member // in Raw
	Null bool
	Ours bool // the config adds it, the caller says nothing of it
}

// Take consumes the value of a member, and returns where it is. kind is as in jsonwalk.Scanner.Kind.
type Take func(p *Parser, name string, kind byte) jsonwalk.Span

// Parse makes b the body raw, over which it walks once. names are the members that Weir reads: some servers match names without regard to case, and take the last
// one that matches, so a name that differs from one of these only in case is refused. take is called for every member. raw is kept and
// must not change.
func (b *Body) Parse(raw []byte, o dialect.ParseOptions, names []string, take Take) *llm.Error {
	*b = Body{Scanned: dialect.Scanned{Endpoint: llm.Chat, Raw: raw, Model: o.Model}, Members: make([]Member, 0, 8)}
	s := jsonwalk.Borrow(raw, jsonwalk.Options{MaxDepth: o.MaxDepth, Unique: true, Room: o.Room, Note: &b.Texts})
	defer s.Return()
	p := Parser{Body: b, Scanner: s, names: names, take: take, room: o.Room, named: o.Model != ""}
	if kind := s.Kind(); kind != '{' && kind != 0 {
		s.Skip()
		if s.End() == nil {
			return &llm.Error{Kind: llm.InvalidJSON, Message: "The request body must be a JSON object, such as {\"model\": …}."}
		}
	} else {
		p.object()
	}
	switch err := s.End(); {
	case err != nil:
		return invalidJSON(err)
	case p.full:
		return noRoom()
	}
	p.check()
	return p.bad
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

// Parser is the state of one Parse.
type Parser struct {
	*Body
	*jsonwalk.Scanner
	names []string
	take  Take
	room  jsonwalk.Room
	named bool       // the path named the model
	full  bool       // the members did not fit into memory
	bad   *llm.Error // the first invalid member; reported only if the whole body is JSON
}

func (p *Parser) object() {
	for ok := p.EnterObject(); ok && p.NextMember(); {
		name, at, kind := p.name(), p.NameSpan(), p.Kind()
		m := Member{Name: name, At: jsonwalk.Member{Name: at}, Null: kind == 'n'}
		m.At.Value = p.take(p, name, kind)
		if p.Err() != nil {
			return
		}
		p.read(&m, kind)
		p.remember(m)
	}
}

// name is the name of the current member. It refuses one that some servers take for one that Weir reads.
func (p *Parser) name() string {
	name, known := jsonwalk.Known(p.Name(), p.names)
	if known {
		return name
	}
	if i := slices.IndexFunc(p.names, func(known string) bool { return strings.EqualFold(known, name) }); i >= 0 {
		p.Wrong(llm.InvalidJSON, "", fmt.Sprintf("The body has a member %q, which some servers take for %q. Spell it %q, or leave it out.", name, p.names[i], p.names[i]))
	}
	return name
}

// manyMembers is how many members a body may have before they are counted, and memberSize about what each then takes, with its name.
const (
	manyMembers = 256
	memberSize  = 128
)

func (p *Parser) remember(m Member) {
	if n := len(p.Members); n == cap(p.Members) && n >= manyMembers {
		if p.full = p.full || p.room != nil && !p.room.Grow(memberSize*n); p.full {
			return
		}
		p.Members = slices.Grow(p.Members, n)
	}
	p.Members = append(p.Members, m)
}

// read takes what every dialect has: the model's name, and whether the answer is to stream.
func (p *Parser) read(m *Member, kind byte) {
	switch m.Name {
	case "model":
		switch {
		case p.named, kind == 'n':
		case kind != '"':
			p.Wrong(llm.InvalidType, "model", "'model' must be a string that names a model; GET /v1/models lists them.")
		default:
			p.Model, _ = jsonwalk.Text(m.At.Value.Of(p.Raw))
		}
	case "stream":
		switch kind {
		case 't':
			p.Stream = true
		case 'f', 'n':
		default:
			p.Wrong(llm.InvalidType, "stream", "'stream' must be true or false.")
		}
	}
}

func (p *Parser) check() {
	switch {
	case p.Model == "":
		p.Wrong(llm.MissingParameter, "model", "You must provide a 'model' parameter; GET /v1/models lists the models that your key may use.")
	case !llm.ValidModelName(p.Model):
		p.Wrong(llm.InvalidValue, "model", "'model' must be a printable name of at most 256 bytes.")
	}
}

// Wrong refuses the body, if nothing else was wrong before.
func (p *Parser) Wrong(kind llm.Kind, param, message string) {
	if p.bad == nil {
		p.bad = &llm.Error{Kind: kind, Param: param, Message: message}
	}
}

// Forget lets go of the caller's bytes, and returns how many those were.
func (b *Body) Forget() int {
	b.Members = nil
	return b.Release()
}

// Value is a top-level member, nil if it is null or absent.
func (b *Body) Value(name string) llm.JSON {
	for i := range b.Members {
		if m := &b.Members[i]; m.Name == name && !m.Null {
			return m.At.Value.Of(b.Raw)
		}
	}
	return nil
}

// Text is the value of a top-level member that is a string, or "".
func (b *Body) Text(name string) string { return b.Value(name).Text() }

// perObject is about how much memory an object of the request takes in the typed model and while it is encoded.
const perObject = 1 << 10

// Typed is about how many bytes the typed form takes in addition to the caller's bytes.
func (b *Body) Typed() int {
	n := 0
	for rest := b.Raw; ; {
		i := bytes.IndexByte(rest, '{')
		if i < 0 {
			return n
		}
		if rest = rest[i+1:]; len(rest) > 0 && rest[0] != '\\' { // it occurs there only in texts, of JSON or of programs
			n += perObject
		}
	}
}
