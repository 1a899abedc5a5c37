package passthrough

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

const shortID = 40

// fit is an id in the form. The same one always becomes the same, so that calls and results stay together.
func fit(f dialect.IDForm, id string) string {
	switch {
	case f == dialect.ShortID && len(id) > shortID:
		sum := sha256.Sum256([]byte(id))
		return "call_" + hex.EncodeToString(sum[:16])
	case f == dialect.NineOfID && !nine(id):
		sum := sha256.Sum256([]byte(id))
		const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		out := make([]byte, 9)
		for i := range out {
			out[i] = letters[int(sum[i])%len(letters)]
		}
		return string(out)
	}
	return id
}

func nine(id string) bool {
	for i := range len(id) {
		if c := id[i]; !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9') {
			return false
		}
	}
	return len(id) == 9
}

// optional are members of messages that not all vendors know. They are the members in which answers carry their reasoning, by
// vendor, and what OpenAI's answers have besides their text, even if empty. They are also other vendors' marks, on messages,
// parts, calls and tools. Clients send all of these back.
var optional = [...]string{
	"reasoning_content", "reasoning", "reasoning_details", openai.ThinkingBlocks, "refusal", "annotations", "audio", "function_call", "name", openai.CacheControl, openai.ExtraContent,
}

const (
	marks  = len(optional) - 2 // where the marks begin
	byName = marks - 1         // who speaks; no provider refuses a tool's

	_ uint16 = 1 << (len(optional) - 1) // earlier has a bit for each
)

// Roles, as messages have them. That of what the developer of a client says was system before.
const (
	asDeveloper = `"developer"`
	asSystem    = `"system"`
	asTool      = `"tool"`
)

// optionalAt is the index of a member among optional, or -1.
func optionalAt(name []byte) int {
	for i, n := range optional {
		if string(name) == n {
			return i
		}
	}
	return -1
}

// earlier is what the walk of a request noticed of its earlier turns. Turns that need no change, nearly all, are
// then not walked again.
type earlier struct {
	turns   int    // messages, ids and optional members: at most so many places may change
	longest int    // id, in bytes
	given   uint16 // the optional members that something has, by their bits
	present uint16 // likewise, be they null or empty
	called  bool   // tools were called
	thought bool   // an id carries reasoning
	advised bool   // a developer speaks
}

// speaker is what the walk has noticed of who speaks in the message that is open.
type speaker struct{ tool, named, called bool }

// messages walks over the messages of a chat.
func (p *parser) messages(kind byte) jsonwalk.Span {
	if p.Endpoint != llm.Chat || kind != '[' {
		return p.s.Skip()
	}
	start := p.s.Pos()
	for ok := p.s.EnterArray(); ok && p.s.NextElement(); {
		p.earlier.turns++
		if p.s.Kind() != '{' {
			p.s.Skip()
			continue
		}
		p.speaker = speaker{}
		for ok := p.s.EnterObject(); ok && p.s.NextMember(); {
			p.alike(turnNames)
			p.turn(p.s.Name())
		}
		if p.speaker.named && !p.speaker.tool {
			p.earlier.notes(byName, p.speaker.called)
		}
	}
	return jsonwalk.Span{Start: start, End: p.s.Pos()}
}

// turn reads one member of a message.
func (p *parser) turn(name []byte) {
	switch i := optionalAt(name); {
	case i == byName:
		kind := p.s.Kind()
		p.speaker.named, p.speaker.called = true, !emptyValue(p.s.Skip().Of(p.Raw), kind)
	case i >= 0:
		p.note(i)
	case string(name) == "role":
		role := p.s.Skip().Of(p.Raw)
		p.speaker.tool = string(role) == asTool
		p.earlier.advised = p.earlier.advised || string(role) == asDeveloper
	case string(name) == "tool_call_id":
		p.id()
	case string(name) == "tool_calls":
		p.pieces(true)
	case string(name) == "content":
		if p.s.Kind() == '[' {
			p.pieces(false)
		} else {
			p.Heard += p.s.Skip().Len()
		}
	default:
		p.s.Skip()
	}
}

// note notes an optional member.
func (p *parser) note(i int) {
	kind := p.s.Kind()
	p.earlier.notes(i, !emptyValue(p.s.Skip().Of(p.Raw), kind))
}

// notes notes that something has an optional member, and whether that says anything.
func (e *earlier) notes(i int, given bool) {
	e.present |= 1 << i
	if given {
		e.given |= 1 << i
	}
	e.turns++
}

// pieces walks over the calls of a message, its parts, or tools.
func (p *parser) pieces(calls bool) jsonwalk.Span {
	if p.s.Kind() != '[' {
		return p.s.Skip()
	}
	start := p.s.Pos()
	for ok := p.s.EnterArray(); ok && p.s.NextElement(); {
		if p.s.Kind() != '{' {
			p.s.Skip()
			continue
		}
		p.earlier.called = p.earlier.called || calls
		for ok := p.s.EnterObject(); ok && p.s.NextMember(); {
			p.alike(pieceNames)
			switch i := optionalAt(p.s.Name()); {
			case i >= marks:
				p.note(i)
			case calls && string(p.s.Name()) == "id":
				p.id()
			default:
				media := isMedia(p.s.Name())
				if n := p.s.Skip().Len(); !media {
					p.Heard += n
				} else {
					p.Heard += dialect.BytesOfMedia
				}
			}
		}
	}
	return jsonwalk.Span{Start: start, End: p.s.Pos()}
}

// isMedia reports whether a member of a part holds what is no text.
func isMedia(name []byte) bool {
	switch string(name) {
	case "image_url", "input_audio", "video_url", "file":
		return true
	}
	return false
}

func (p *parser) id() {
	p.earlier.turns++
	id := p.s.Skip()
	p.earlier.longest = max(p.earlier.longest, id.Len()-len(`""`))
	p.earlier.thought = p.earlier.thought || id.Len() > len(openai.ThoughtMark) && bytes.Contains(id.Of(p.Raw), []byte(openai.ThoughtMark))
}

// touches reports whether a target that takes h has to be sent the earlier turns otherwise than they are.
func (e *earlier) touches(h *dialect.History) bool {
	switch {
	case e.thought, h.System && e.advised, h.Insists && e.called, h.IDs == dialect.ShortID && e.longest > shortID, h.IDs == dialect.NineOfID && e.longest > 0:
		return true
	}
	return e.has(h, 0)
}

// has reports whether an optional member, from a given one on, is refused or goes by another name.
func (e *earlier) has(h *dialect.History, from int) bool {
	for i, name := range optional[from:] {
		if e.present>>(from+i)&1 != 0 && (slices.Contains(h.Refuses, name) || renames(h, name)) {
			return true
		}
	}
	return false
}

// renames reports whether a member of reasoning goes by another name there. Only two differ in nothing but the name:
// texts.
func renames(h *dialect.History, name string) bool {
	return h.Reasoning != "" && name != h.Reasoning && (name == optional[0] || name == optional[1])
}

// loses is the first member that h refuses, as the caller gets to know it, "" if none. Reasoning that only the model that
// signed it can read is not announced.
func (e *earlier) loses(h *dialect.History) string {
	for i, name := range optional {
		switch {
		case e.given>>i&1 == 0 || !slices.Contains(h.Refuses, name) || renames(h, name) || name == openai.ThinkingBlocks || name == openai.ExtraContent:
		case name == openai.CacheControl: // wherever it was
			return name
		default:
			return "messages[]." + name
		}
	}
	return ""
}

// perPlace is about what one change of the earlier turns takes: an edit, and the two pieces that it makes of the body.
const perPlace = 128

// Places is about how many bytes Encode takes for changes of the earlier turns.
func (r *Request) Places(c dialect.Changes) int {
	if !r.earlier.touches(&c.History) {
		return 0
	}
	return perPlace * r.earlier.turns
}
