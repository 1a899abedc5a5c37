package converse

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"slices"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// system writes the system and developer messages, which are separate from all others.
func (e *encoder) system() {
	sep := ""
	for _, p := range e.System {
		if p.Kind != llm.Native && (p.Kind != llm.Text || p.Text.Blank()) {
			continue
		}
		e.open(&sep, `,"system":[`)
		e.block(0, &p)
		e.cachePoint(p.Cache)
	}
	if sep != "" {
		e.Text("]")
	}
}

// messages writes the turns. Successive messages of one side become one turn. The two sides must alternate, and the
// results of all tool calls belong in the next turn.
func (e *encoder) messages() {
	for i := 0; i < len(e.Messages); {
		role, at := e.Messages[i].Role, e.Messages[i].At
		var parts []llm.Part
		for ; i < len(e.Messages) && e.Messages[i].Role == role; i++ {
			for _, p := range e.Messages[i].Parts {
				if e.fits(e.Messages[i].At, &p) {
					parts = append(parts, p)
				}
			}
		}
		e.turn(at, role, parts)
	}
	if e.turns == 0 {
		e.NoTurns(e.Messages)
	}
}

// The sides of a conversation. A side that must say something but has no text says stopgap.
const (
	user      = "user"
	assistant = "assistant"
	stopgap   = "."
)

// turn writes one turn, unless nothing is in it.
func (e *encoder) turn(at int, role llm.Role, parts []llm.Part) {
	// Results come first: the API wants them right after the calls.
	slices.SortStableFunc(parts, func(a, b llm.Part) int { return order(a) - order(b) })
	name := [...]string{llm.User: user, llm.Assistant: assistant}[role]
	results := 0
	for results < len(parts) && isResult(parts[results]) {
		results++
	}
	if e.apart && results > 0 && results < len(parts) {
		e.blocks(at, name, parts[:results])
		parts = parts[results:]
	}
	if len(parts) > 0 {
		e.blocks(at, name, parts)
	}
}

func order(p llm.Part) int {
	if isResult(p) {
		return 0
	}
	return 1
}

// blocks writes a turn, after one of the other side.
func (e *encoder) blocks(at int, role string, parts []llm.Part) {
	other := user
	if role == user {
		other = assistant
	}
	if e.last == role || e.turns == 0 && role == assistant && !e.first {
		e.begin(other)
		e.Text(`{"text":"` + stopgap + `"}]}`)
	}
	e.begin(role)
	alone := false // a document needs a text in the same turn
	for i := range parts {
		if i > 0 {
			e.Text(",")
		}
		e.block(at, &parts[i])
		e.cachePoint(parts[i].Cache)
		alone = alone || parts[i].Kind == llm.File
	}
	if alone && !slices.ContainsFunc(parts, func(p llm.Part) bool { return p.Kind == llm.Text }) {
		e.Text(`,{"text":"` + stopgap + `"}`)
	}
	e.Text("]}")
}

func (e *encoder) begin(role string) {
	if e.turns > 0 {
		e.Text(",")
	}
	e.turns++
	e.last = role
	e.Text(`{"role":"` + role + `","content":[`)
}

// fits reports whether a part is to be sent: the API refuses texts of nothing, and models reasoning that is not theirs. Those
// not known to reason are not sent any.
func (e *encoder) fits(at int, p *llm.Part) bool {
	switch p.Kind {
	case llm.Text:
		return !p.Text.Blank()
	case llm.Image:
		if p.Data == nil {
			e.Impossible(at, "an image by its address")
		} else if imageFormat(p.Media) == "" {
			e.Impossible(at, "an image that is not PNG, JPEG, GIF or WebP")
		}
	case llm.File:
		if p.Data == nil {
			e.Impossible(at, "a file by its address")
		} else if fileFormat(p.Media) == "" {
			e.Impossible(at, "a file or sound of a type that it does not know")
		}
	case llm.Reasoning, llm.Redacted:
		if e.unsigned && p.Kind == llm.Reasoning && p.Opaque == nil || p.Unsigned() {
			return e.unsigned
		}
		if e.effort == noEffort || p.Maker != e.maker {
			e.LeaveThoughts()
			return false
		}
	}
	return true
}

func (e *encoder) block(at int, p *llm.Part) {
	switch p.Kind {
	case llm.Native:
		e.Raw(p.Raw)
	case llm.Text:
		e.Text(`{"text":`)
		e.Raw(p.Text)
		e.Text("}")
	case llm.Image:
		e.LeaveDetail(p)
		e.Text(`{"image":{"format":"` + imageFormat(p.Media) + `","source":{"bytes":"`)
		e.Raw(p.Data)
		e.Text(`"}}}`)
	case llm.File:
		e.file(p)
	case llm.ToolCall:
		e.Text(`{"toolUse":{"toolUseId":"` + e.toolID(p.ID) + `","name":`)
		e.Raw(p.Name)
		e.Text(`,"input":`)
		e.Raw(p.Args)
		e.Text("}}")
	case llm.Result:
		e.result(at, p)
	case llm.Reasoning:
		e.Text(`{"reasoningContent":{"reasoningText":{"text":`)
		e.Raw(p.Text)
		if p.Opaque != nil {
			e.Text(`,"signature":`)
			e.Raw(p.Opaque)
		}
		e.Text("}}}")
	case llm.Redacted:
		e.Text(`{"reasoningContent":{"redactedContent":`)
		e.Raw(p.Opaque)
		e.Text("}}")
	}
}

func (e *encoder) result(at int, p *llm.Part) {
	e.Text(`{"toolResult":{"toolUseId":"` + e.toolID(p.ID) + `","content":[`)
	sep := ""
	for i := range p.Parts {
		part := &p.Parts[i]
		if !e.fits(at, part) {
			continue
		}
		e.open(&sep, "")
		if e.object && part.Kind == llm.Text {
			e.resultObject(part.Text)
		} else {
			e.block(at, part)
		}
	}
	e.Text("]")
	if p.Failed {
		e.Text(`,"status":"error"`)
	}
	e.Text("}}")
	for i := range p.Parts { // a cache point may follow a result, but not be in it
		if c := p.Parts[i].Cache; c != nil && p.Cache == nil {
			p.Cache = c
		}
	}
}

// resultObject writes the text of a result as an object, which it may well be.
func (e *encoder) resultObject(text llm.JSON) {
	said := []byte(text.Text())
	if llm.JSON(said).Kind() == '{' && jsonwalk.Valid(said, jsonwalk.Options{}) == nil {
		e.Text(`{"json":`)
		e.Raw(said)
		e.Text("}")
		return
	}
	e.Text(`{"json":{"result":`)
	e.Raw(text)
	e.Text("}}")
}

func imageFormat(media string) string {
	switch media {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return strings.TrimPrefix(media, "image/")
	case "image/jpg":
		return "jpeg"
	}
	return ""
}

// fileFormats are the types of files that the API knows, and its words for them.
var fileFormats = [...]struct{ media, format string }{
	{"application/pdf", "pdf"},
	{"text/csv", "csv"},
	{"text/html", "html"},
	{"text/markdown", "md"},
	{"text/plain", "txt"},
	{"application/msword", "doc"},
	{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"},
	{"application/vnd.ms-excel", "xls"},
	{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"},
}

// fileFormat is the API's word for a type of files, "" if it does not know it.
func fileFormat(media string) string {
	for _, f := range fileFormats {
		if f.media == media {
			return f.format
		}
	}
	return ""
}

// maxName is how long the name of a document may be here, without its number.
const maxName = 150

// inName reports whether the name of a document may have that letter. Between two there may be a space.
func inName(r rune) bool {
	return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || strings.ContainsRune("-()[]", r)
}

// file writes a document. Its name has few letters to choose from, and no other may have it.
func (e *encoder) file(p *llm.Part) {
	name := p.Name.Text()
	if !validName(name) || e.files[name] {
		name = strings.Map(func(r rune) rune {
			if inName(r) {
				return r
			}
			return '-'
		}, name)
		name = cmp.Or(strings.Trim(name[:min(len(name), maxName)], "-"), "document")
		name = e.numbered(name)
	}
	if e.files == nil {
		e.files = map[string]bool{}
	}
	e.files[name] = true
	e.Text(`{"document":{"format":"` + fileFormat(p.Media) + `","name":"` + name + `","source":{"bytes":"`)
	e.Raw(p.Data)
	e.Text(`"}}}`)
}

// numbered is a name with a number after it: the document's, unless another document has that name.
func (e *encoder) numbered(name string) string {
	e.number = max(e.number, len(e.files)) + 1
	for e.files[name+"-"+strconv.Itoa(e.number)] {
		e.number++
	}
	return name + "-" + strconv.Itoa(e.number)
}

// toolID is an id as the API takes it: other vendors' have other letters too, and may be longer. The same one always
// becomes the same.
func (e *encoder) toolID(id string) string {
	most, letters := 64, "_-"
	if e.nine {
		most, letters = 9, ""
	}
	if e.dotted {
		letters += ".:"
	}
	fits := func(r rune) bool {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || strings.ContainsRune(letters, r)
	}
	if id != "" && len(id) <= most && (!e.nine || len(id) == most) && strings.IndexFunc(id, func(r rune) bool { return !fits(r) }) < 0 {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return base32.StdEncoding.EncodeToString(sum[:])[:min(most, 16)]
}
