package responses

import (
	"encoding/base64"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// What only its maker can read goes out in encrypted_content, with what Weir needs to give it back: base64 of an object, after this mark.
// What comes without the mark is OpenAI's own.
const mark = "weir1."

// The kinds of what is wrapped.
const (
	wrapsThinking = "thinking"
	wrapsRedacted = "redacted"
	wrapsSummary  = "summary"
)

// wrap is an encrypted_content. text and opaque are JSON strings, or nil.
func wrap(kind, maker string, text, opaque llm.JSON) llm.JSON {
	object := llm.AppendQuote([]byte(`{"kind":`), kind)
	if maker != "" {
		object = llm.AppendQuote(append(object, `,"maker":`...), maker)
	}
	if text != nil {
		object = append(append(object, `,"text":`...), text...)
	}
	if opaque != nil {
		object = append(append(object, `,"opaque":`...), opaque...)
	}
	out := base64.RawURLEncoding.AppendEncode([]byte(`"`+mark), append(object, '}'))
	return append(out, '"')
}

// unwrap is the object in an encrypted_content, nil if Weir did not write it, or it was changed since.
func unwrap(encrypted llm.JSON) llm.JSON {
	text, ok := strings.CutPrefix(encrypted.Text(), mark)
	if !ok {
		return nil
	}
	object, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || jsonwalk.Valid(object, jsonwalk.Options{MaxDepth: 2}) != nil {
		return nil
	}
	return object
}

// unwrapThought is the reasoning in an encrypted_content that Weir wrote.
func unwrapThought(encrypted llm.JSON) (llm.Part, bool) {
	object := unwrap(encrypted)
	p := llm.Part{Text: memberOf(object, "text"), Opaque: memberOf(object, "opaque"), Maker: memberOf(object, "maker").Text()}
	switch memberOf(object, "kind").Text() {
	case wrapsThinking:
		p.Kind = llm.Reasoning
		if p.Opaque == nil {
			p.Maker = llm.UnsaidMaker
		}
		return p, p.Text.Kind() == '"'
	case wrapsRedacted:
		p.Kind = llm.Redacted
		return p, len(p.Opaque.Inner()) > 0
	}
	return p, false
}

// Google's models sign calls of tools. The signature follows the call's id, which every client sends back.
const signatureMark = "__sig__"

// appendID appends the id of a call, with its signature.
func appendID(dst []byte, id, signature llm.JSON) []byte {
	dst = append(append(dst, '"'), id.Inner()...)
	if len(signature.Inner()) > 0 {
		dst = base64.RawURLEncoding.AppendEncode(append(dst, signatureMark...), []byte(signature.Text()))
	}
	return append(dst, '"')
}

// splitID is the id of a call as its model gave it, and the call's signature, or nil.
func splitID(id string) (own string, signature llm.JSON) {
	own, behind, ok := strings.Cut(id, signatureMark)
	if !ok {
		return id, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(behind)
	if err != nil {
		return id, nil
	}
	return own, llm.Quote(string(text))
}

// sumUp asks a model for the summary with which a conversation goes on once it has become too long.
const sumUp = "The conversation is about to be replaced by a summary of it, because it has become too long. Write that summary now, for the model that goes on " +
	"with the work: the task and what the user wants, decisions and their reasons, what was done and what was found out, files and commands that " +
	"matter, what is left to do and what comes next. Write nothing else, and call no tool."

// sumUp asks for a summary after item i.
func (d *decoder) sumUp(i int) {
	if d.sums = true; d.own { // its server has its own words
		return
	}
	d.say(llm.User, i, llm.Part{Kind: llm.Text, Text: llm.Quote(sumUp)})
}

// summaryIs introduces a summary to the model that goes on.
const summaryIs = "What came before this was replaced by a summary of it:\n\n"

// compaction reads a summary that took the place of earlier items.
func (d *decoder) compaction(i int, path string, v llm.JSON) {
	object := unwrap(memberOf(v, "encrypted_content"))
	if memberOf(object, "kind").Text() != wrapsSummary {
		if opaque := memberOf(v, "encrypted_content"); d.own && opaque.Kind() == '"' {
			d.say(llm.User, i, llm.Part{Kind: llm.Redacted, Opaque: opaque, Maker: Maker(d.Out.Model, "")})
			return
		}
		d.impossible(path+".encrypted_content", "a compaction that only its vendor can read")
		return
	}
	d.say(llm.User, i, llm.Part{Kind: llm.Text, Text: inText(llm.Quote(summaryIs), memberOf(object, "text"))})
}
