// Package responses is the dialect of OpenAI's Responses API from both sides. Callers' requests are read into the typed model, and answers are written
// as responses. For targets that have only this API, requests are written and answers read. It is pure: bytes in, the typed model out, and the other
// way round.
//
// Source of the shapes: the types of OpenAI's Python SDK, version 3.54.0, and what its clients were seen to send and to need.
package responses

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/crc32"
	"strconv"
	"sync"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/incoming"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Request is what Weir knows of a caller's body of POST /v1/responses. It keeps the caller's bytes. It is immutable between Parse and
// Forget but for what is remembered of its tools, and safe for concurrent use.
type Request struct {
	incoming.Body
	added     *llm.Added // what the target's config adds, nil for nothing
	sums      bool       // all that is asked for is a summary that takes the place of the input
	foreign   bool       // the input may have something that Weir wrapped
	triggered bool       // the input ends with a call for such a summary
	// reference is the number of the first item of the input that names a stored one, from 1; 0 without one.
	reference int
	stores    bool   // the answer is to be stored
	as        string // the id that it is stored by; "" if Weir stores no answers
	tools     *offered
}

// offered are the tools of a request, which are read once, when they are needed first.
type offered struct {
	once sync.Once
	box  *toolbox
	err  *llm.Error
}

// names are the members that Weir reads.
var names = []string{
	"model", "input", "instructions", "stream", "max_output_tokens", "temperature", "top_p", "tools", "tool_choice", "parallel_tool_calls", "reasoning",
	"text", "include", "store", "previous_response_id", "conversation", "background", "prompt", "prompt_cache_key", "safety_identifier", "user",
	"service_tier", "truncation", "metadata",
}

// Parse walks over raw once, strictly, and checks only what Weir itself reads. raw is kept and must not change.
func Parse(raw []byte, o dialect.ParseOptions) (*Request, *llm.Error) {
	r := &Request{tools: new(offered)}
	if err := r.Parse(raw, o, names, r.take); err != nil {
		return nil, err
	}
	if o.StoreAs != "" {
		r.as = "resp_" + o.StoreAs
		switch v := r.Value("store"); v.Kind() {
		case 0, 't':
			r.stores = true
		case 'f':
		default:
			return nil, &llm.Error{Kind: llm.InvalidType, Param: "store", Message: "'store' must be true or false."}
		}
	}
	if err := r.stateless(); err != nil {
		return nil, err
	}
	return r, nil
}

// stateless refuses what needs state that Weir does not have. What upstreams have is another key's as well, in the same account.
func (r *Request) stateless() *llm.Error {
	for _, name := range [...]string{"previous_response_id", "conversation", "prompt"} {
		v := r.Value(name)
		switch {
		case v == nil:
		case r.as == "":
			return kept(name)
		case name != "previous_response_id":
			return unknown(name)
		case v.Kind() != '"' || v.Text() == "":
			return &llm.Error{Kind: llm.InvalidType, Param: name, Message: "'previous_response_id' must be the id of a response."}
		}
	}
	if v := r.Value("background"); v != nil && string(v) != "false" {
		if r.as != "" {
			return unknown("background")
		}
		return kept("background")
	}
	if r.reference > 0 {
		name := "input[" + strconv.Itoa(r.reference-1) + "]"
		if r.as != "" {
			return unknown(name)
		}
		return kept(name)
	}
	return nil
}

func kept(name string) *llm.Error {
	return &llm.Error{Kind: llm.UnsupportedParameter, Param: name, Message: fmt.Sprintf(
		"Unsupported parameter: '%s' needs responses that are stored, and Weir stores none. Send the whole history as 'input', with store=false.", name)}
}

func unknown(name string) *llm.Error {
	return &llm.Error{Kind: llm.UnsupportedParameter, Param: name, Message: fmt.Sprintf(
		"Unsupported parameter: '%s' is not served by Weir. Go on from a response with 'previous_response_id', or send the whole history as 'input'.", name)}
}

// take walks over a member, and counts what the model reads of it.
func (r *Request) take(p *incoming.Parser, name string, kind byte) jsonwalk.Span {
	switch name {
	case "input":
		if kind != '"' && kind != '[' && kind != 'n' {
			p.Wrong(llm.InvalidType, name, "'input' must be a string or an array of items.")
		}
		if kind != '[' {
			break
		}
		start, i := p.Pos(), 0
		for ok := p.EnterArray(); ok && p.NextElement(); {
			if i++; r.item(p) && r.reference == 0 {
				r.reference = i
			}
		}
		return jsonwalk.Span{Start: start, End: p.Pos()}
	case "instructions", "tools":
	default:
		return p.Skip()
	}
	value := p.Skip()
	p.Heard += value.Len()
	return value
}

// item walks over an item of the input, and reports whether it names a stored one: it has the type for that, or no type and nothing of a
// message but an id, which the API takes for the same.
func (r *Request) item(p *incoming.Parser) bool {
	if p.Kind() != '{' {
		r.heard(p)
		return false
	}
	var typ, role bool // there is one
	var id, named bool
	for ok := p.EnterObject(); ok && p.NextMember(); {
		switch string(p.Name()) {
		case "type":
			v := llm.JSON(p.Skip().Of(p.Raw))
			typ = v.Kind() != 'n'
			if len(v) > len(itemReference)*len(`\u0000`)+2 {
				continue
			}
			switch v.Text() {
			case itemReference:
				named = true
			case "compaction_trigger":
				r.triggered = true
			}
		case "role":
			role = p.Kind() != 'n'
			r.heard(p)
		case "id":
			id = p.Kind() != 'n'
			r.heard(p)
		default:
			r.member(p)
		}
	}
	return named || id && !typ && !role
}

const itemReference = "item_reference"

// heard walks over a value, and counts its texts. Those that hold an image or a file count as such.
func (r *Request) heard(p *incoming.Parser) {
	switch p.Kind() {
	case '{':
		for ok := p.EnterObject(); ok && p.NextMember(); {
			r.member(p)
		}
	case '[':
		for ok := p.EnterArray(); ok && p.NextElement(); {
			r.heard(p)
		}
	default:
		p.Heard += p.Skip().Len()
	}
}

// member walks over the member of an object within the input.
func (r *Request) member(p *incoming.Parser) {
	switch string(p.Name()) {
	case "image_url", "file_data", "data":
		p.Heard += min(p.Skip().Len(), dialect.BytesOfMedia)
	case "encrypted_content":
		value := p.Skip()
		r.foreign = r.foreign || isWrapped(value.Of(p.Raw))
		p.Heard += min(value.Len(), dialect.BytesOfMedia)
	case "call_id":
		value := p.Skip()
		r.foreign = r.foreign || bytes.Contains(value.Of(p.Raw), []byte(signatureMark))
		p.Heard += value.Len()
	default:
		r.heard(p)
	}
}

// Profile implements dialect.Request.
func (r *Request) Profile(w llm.Wants) llm.Profile {
	if w == (llm.Wants{}) {
		return llm.Profile{}
	}
	typed, err := r.Decode(nil)
	if err != nil { // the first target that is asked reports what is wrong
		return llm.Profile{}
	}
	out := typed.Profile(w)
	if w.User {
		out.User = hashOf(cmp.Or(r.Text("prompt_cache_key"), r.Text("safety_identifier"), r.Text("user")))
	}
	return out
}

// hashOf is a hash of a name, 0 for none.
func hashOf(name string) uint64 {
	if name == "" {
		return 0
	}
	return uint64(crc32.Checksum([]byte(name), crc32.MakeTable(crc32.Castagnoli))) + 1
}

// With implements dialect.Request. The members are those of OpenAI's chats; Decode takes them for what they are here.
func (r *Request) With(added *llm.Added, _ llm.Endpoint, unheard []string) (dialect.Request, string, *llm.Error) {
	with := *r
	var replaced string
	with.added, replaced = incoming.Added(added, unheard, r.says)
	return &with, nameOf(replaced), nil
}

// says reports whether the caller gave a parameter, which is named as in OpenAI's chats.
func (r *Request) says(name string) bool {
	parent, child := place(name)
	value := r.Value(parent)
	if child != "" {
		value = memberOf(value, child)
	}
	return value.Kind() != 0 && value.Kind() != 'n'
}

// Ours implements dialect.Request.
func (r *Request) Ours(name string) bool {
	return r.added != nil && r.added.Has(name) && !r.says(name)
}

// Text implements dialect.Asking, for names of OpenAI's chats.
func (r *Request) Text(name string) string {
	parent, child := place(name)
	if child == "" {
		return r.Body.Text(parent)
	}
	return memberOf(r.Value(parent), child).Text()
}

// AsksSchema implements dialect.Asking.
func (r *Request) AsksSchema() bool {
	return memberOf(memberOf(r.Value("text"), "format"), "type").Text() == "json_schema"
}

// OffersTools implements dialect.Asking.
func (r *Request) OffersTools() bool {
	box, err := r.box()
	return err == nil && len(box.list) > 0
}

// box are the request's tools.
func (r *Request) box() (*toolbox, *llm.Error) {
	r.tools.once.Do(func() { r.tools.box, r.tools.err = gather(r.Value("tools"), r.Value("input")) })
	return r.tools.box, r.tools.err
}

// places are the members that OpenAI's chats have in another place, or by another name.
var places = map[string]string{
	"max_tokens": "max_output_tokens", "max_completion_tokens": "max_output_tokens", "reasoning_effort": "reasoning.effort",
	"response_format": "text.format", "verbosity": "text.verbosity", "messages": "input",
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
