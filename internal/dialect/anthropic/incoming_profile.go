package anthropic

import (
	"bytes"
	"hash/crc32"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

const (
	shortestToken = 2   // bytes that anything takes which surely is a token, with what divides it from the next
	imageTokens   = 800 // that a picture likely takes
)

// Profile implements dialect.Request.
func (r *Request) Profile(w llm.Wants) llm.Profile {
	if len(r.Raw) < shortestToken*w.Least {
		w.Least = 0
	}
	if w == (llm.Wants{}) {
		return llm.Profile{}
	}
	p := profiler{wants: w, table: crc32.MakeTable(crc32.Castagnoli), begins: w.Prefix}
	for i := range r.Members {
		if m := &r.Members[i]; m.Name == "system" && !m.Null { // what the prompt begins with, wherever it stands
			p.system(m.At.Value.Of(r.Raw))
		}
	}
	for i := range r.Members {
		if m := &r.Members[i]; !m.Null {
			p.member(m.Name, m.At.Value.Of(r.Raw))
		}
	}
	out := p.out
	if r.AsksSchema() {
		out.Needs |= llm.TakesSchema
	}
	out.Needs &= w.Needs
	if w.Least == 0 {
		out.Least = 0
	}
	if !w.Tokens {
		out.Prompt, out.Output = 0, 0
	}
	if p.begun {
		out.Prefix = uint64(p.sum)<<32 | uint64(p.tools) | 1
	}
	if !w.User {
		out.User = 0
	}
	return out
}

// profiler is the state of one Profile.
type profiler struct {
	wants      llm.Wants
	out        llm.Profile
	table      *crc32.Table
	sum, tools uint32
	begins     bool // what is walked over may be what the prompt begins with
	begun      bool // there was such
}

// member reads one top-level member, which is not null.
func (p *profiler) member(name string, value llm.JSON) {
	switch name {
	case "messages":
		p.messages(value)
	case "tools":
		if value.Kind() == '[' && !jsonwalk.NoElements(value) {
			p.out.Needs |= llm.TakesTools
			p.out.Prompt += len(value) / 4
			p.tools = crc32.Update(p.tools, p.table, value)
		}
	case "max_tokens":
		if n, err := strconv.Atoi(string(value)); err == nil && n > 0 {
			p.out.Output = n
		}
	case "metadata":
		p.user(memberOf(value, "user_id"))
	}
}

// user takes who the request is for. Claude Code puts an object into a string: of that the session counts.
func (p *profiler) user(id llm.JSON) {
	if !p.wants.User || len(id.Inner()) == 0 {
		return
	}
	text := []byte(id.Text())
	if jsonwalk.Valid(text, jsonwalk.Options{}) == nil {
		if session := memberOf(text, "session_id"); len(session.Inner()) > 0 {
			text = session
		}
	}
	p.out.User = uint64(crc32.Checksum(text, p.table)) + 1
}

// system reads the system's text, but for the block that only bills the vendor's own clients: it differs with each request.
func (p *profiler) system(value llm.JSON) {
	for i, block := range jsonwalk.Elements(value) {
		if i > 0 || !isBilling(memberOf(block, "text")) {
			p.block(block)
		}
	}
	if value.Kind() == '"' {
		p.text(value)
	}
	p.begun = p.begun || p.begins
}

// isBilling reports whether a text is the one with which Claude Code says to its vendor who pays.
func isBilling(text llm.JSON) bool {
	return bytes.HasPrefix(text.Inner(), []byte("x-anthropic-billing-header:"))
}

// messages walks over the messages.
func (p *profiler) messages(value llm.JSON) {
	var role string
	for _, message := range jsonwalk.Elements(value) {
		role = memberOf(message, "role").Text()
		content := memberOf(message, "content")
		if content.Kind() == '"' {
			p.text(content)
		}
		for _, block := range jsonwalk.Elements(content) {
			p.block(block)
		}
		if p.begins && role == "user" {
			p.begun, p.begins = true, false
		}
	}
	if role == "assistant" {
		p.out.Needs |= llm.TakesPrefill
	}
}

// block reads one block.
func (p *profiler) block(block llm.JSON) {
	switch typeOf(block) {
	case "image":
		p.out.Needs |= llm.TakesImages
		p.out.Prompt += imageTokens
		return
	case "document":
		p.out.Needs |= llm.TakesFiles
		p.out.Prompt += imageTokens
		return
	}
	for name, v := range jsonwalk.Members(block) {
		switch v := llm.JSON(v); {
		case string(name) == "cache_control", string(name) == "type": // the one moves to another block with the next turn
		case v.Kind() == '"':
			p.text(v)
		case string(name) == "content" && v.Kind() == '[':
			for _, inner := range jsonwalk.Elements(v) {
				p.block(inner)
			}
		default:
			p.out.Prompt += len(v) / 4
			p.add(v)
		}
	}
}

func (p *profiler) text(v llm.JSON) {
	p.add(v.Inner())
	if p.wants.Least > 0 {
		p.out.Least += llm.LeastTokens(v)
	}
	if p.wants.Tokens {
		p.out.Prompt += int(llm.EstimateTokens(v))
	}
}

func (p *profiler) add(piece []byte) {
	if p.begins {
		p.sum = crc32.Update(p.sum, p.table, piece)
	}
}
