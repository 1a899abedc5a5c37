package anthropic

import (
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/incoming"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Request is what Weir knows of a caller's body of POST /v1/messages. It keeps the caller's bytes. It is immutable between ParseRequest and
// Forget, and safe for concurrent use.
type Request struct {
	incoming.Body
	foreign   bool // an earlier turn may hold reasoning that Weir wrapped
	elsewhere bool // an image or a document is named, and not in the request
}

// read are the members that Weir reads or changes.
var read = []string{
	"model", "messages", "system", "stream", "max_tokens", "tools", "tool_choice", "thinking", "output_config", "output_format", "metadata", "stop_sequences",
	"temperature", "top_p", "top_k", "service_tier", "cache_control", "anthropic_version",
}

// ParseRequest walks over raw once, strictly, and checks only what Weir itself reads: the body is an object that names the model, has
// messages, and says true or false of stream. Everything else is the upstream's to judge. raw is kept and must not change.
func ParseRequest(raw []byte, o dialect.ParseOptions) (*Request, *llm.Error) {
	r := &Request{}
	if err := r.Parse(raw, o, read, r.take); err != nil {
		return nil, err
	}
	if r.Value("messages") == nil {
		return nil, &llm.Error{Kind: llm.MissingParameter, Param: "messages", Message: "Missing required parameter: 'messages'."}
	}
	return r, nil
}

// take walks over a member, and counts what the model reads of it.
func (r *Request) take(p *incoming.Parser, name string, kind byte) jsonwalk.Span {
	switch name {
	case "messages":
		if kind == '[' {
			return r.messages(p)
		}
		if kind != 'n' {
			p.Wrong(llm.InvalidType, name, "'messages' must be an array of messages.")
		}
	case "system", "tools":
		value := p.Skip()
		p.Heard += value.Len()
		return value
	}
	return p.Skip()
}

// messages walks over the messages, and counts what the model reads of them.
func (r *Request) messages(p *incoming.Parser) jsonwalk.Span {
	start, empty := p.Pos(), true
	for ok := p.EnterArray(); ok && p.NextElement(); empty = false {
		if p.Kind() != '{' {
			p.Skip()
			continue
		}
		for ok := p.EnterObject(); ok && p.NextMember(); {
			if string(p.Name()) == "content" {
				r.content(p)
			} else {
				p.Skip()
			}
		}
	}
	if empty {
		p.Wrong(llm.InvalidType, "messages", "'messages' is empty; it needs at least one message.")
	}
	return jsonwalk.Span{Start: start, End: p.Pos()}
}

// content walks over a text, or over blocks.
func (r *Request) content(p *incoming.Parser) {
	if p.Kind() != '[' {
		p.Heard += p.Skip().Len()
		return
	}
	for ok := p.EnterArray(); ok && p.NextElement(); {
		if p.Kind() != '{' {
			p.Skip()
			continue
		}
		for ok := p.EnterObject(); ok && p.NextMember(); {
			switch string(p.Name()) {
			case "content":
				r.content(p)
			case "source":
				value := p.Skip()
				r.elsewhere = r.elsewhere || isElsewhere(value.Of(p.Raw))
				p.Heard += min(value.Len(), dialect.BytesOfMedia)
			case "signature":
				value := p.Skip()
				r.foreign = r.foreign || isWrapped(llm.JSON(value.Of(p.Raw)))
			case "data":
				value := p.Skip()
				r.foreign = r.foreign || isWrapped(llm.JSON(value.Of(p.Raw)))
				p.Heard += min(value.Len(), dialect.BytesOfMedia)
			default:
				p.Heard += p.Skip().Len()
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

// AsksSchema implements dialect.Asking.
func (r *Request) AsksSchema() bool {
	return r.Value("output_format") != nil || memberOf(r.Value("output_config"), "format").Kind() == '{'
}

// OffersTools implements dialect.Asking.
func (r *Request) OffersTools() bool {
	tools := r.Value("tools")
	return tools.Kind() == '[' && !jsonwalk.NoElements(tools)
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
