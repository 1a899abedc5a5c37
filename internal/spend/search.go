package spend

import (
	"bytes"
	"strings"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// mediaTypes begin the types of what is no text, wherever they stand, in the dialects: a part whose form is not known is found all the
// same.
var mediaTypes = [...]string{
	"image", "audio", "video", "document", "file", "input_image", "input_audio", "input_video", "input_file", "item_reference",
	"computer_screenshot",
}

// search walks over a body, once, and finds what makes its prompt larger or dearer, wherever that is. It knows members by their names,
// however these are spelled. A long body is mostly long texts, which the walk passes over many bytes at a time.
type search struct {
	s     *jsonwalk.Scanner
	body  []byte
	media bool // there is what is no text
	hour  bool // a value is "1h", as where a cache is asked to last an hour
}

// value walks over the value that comes next, and returns it.
func (f *search) value() llm.JSON {
	kind := f.s.Kind()
	start := f.s.Pos()
	switch kind {
	case '{':
		f.object(false)
	case '[':
		for ok := f.s.EnterArray(); ok && f.s.NextElement(); {
			f.value()
		}
	default:
		f.hour = isHour(f.s.Skip().Of(f.body)) || f.hour
	}
	return f.body[start:f.s.Pos()]
}

// object walks over the object that comes next. If it may be a part of Converse's, that is media if it has a source.
// The sound of an earlier answer, in a chat, has an id.
func (f *search) object(part bool) {
	for ok := f.s.EnterObject(); ok && f.s.NextMember(); {
		switch string(f.s.Name()) {
		case "type":
			f.media = isMedia(f.value()) || f.media
		case "inlineData", "inline_data", "fileData", "file_data":
			f.media = true
			f.value()
		case "image", "document", "video", "audio":
			if f.s.Kind() == '{' {
				f.object(true)
			} else {
				f.value()
			}
		case "source", "id": // the id of an answer's sound that the vendor keeps
			f.media = f.media || part
			f.value()
		default:
			f.value()
		}
	}
}

// isHour reports whether a value is "1h", however that is spelled.
func isHour(value llm.JSON) bool {
	const hour, longest = "1h", `"\u0031\u0068"`
	if bytes.IndexByte(value[:min(len(value), len(longest))], '\\') < 0 {
		return string(value) == `"`+hour+`"`
	}
	return len(value) <= len(longest) && value.Text() == hour
}

// isMedia reports whether the value of a type says that something is no text.
func isMedia(value llm.JSON) bool {
	if value.Kind() != '"' {
		return false
	}
	text := value.Inner()
	if bytes.IndexByte(text, '\\') >= 0 {
		text = []byte(value.Text())
	}
	for _, word := range mediaTypes {
		if len(text) >= len(word) && string(text[:len(word)]) == word {
			return true
		}
	}
	return false
}

// read adds what the outline of a body says to what is known of the prompt and the answer. What is no object, which no codec makes, bounds
// nothing.
func read(body []byte, d llm.Dialect, p *budget.Prompt, a *budget.Answer) {
	f := search{s: jsonwalk.Borrow(body, jsonwalk.Options{}), body: body}
	defer f.s.Return()
	r := reading{dialect: d, prompts: 1}
	for ok := f.s.EnterObject(); ok && f.s.NextMember(); {
		name := strings.ToLower(string(f.s.Name())) // some servers read names whatever their case
		if value := f.value(); string(value) != "null" {
			r.member(name, value)
		}
	}
	p.Tools, p.Tier = p.Tools || r.tools, r.tier
	if r.fast {
		p.Tier = fast
	}
	p.Opaque = p.Opaque || f.media || r.hosted || f.s.End() != nil
	p.Hour = f.hour
	if r.unread {
		r.most = 0
	}
	a.Most, a.N = r.most, mostAnswers(r.prompts, max(r.n, r.best, 1))
}
