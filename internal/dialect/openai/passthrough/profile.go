package passthrough

import (
	"bytes"
	"cmp"
	"hash/crc32"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Profile is what the request needs from the target that serves it, as far as w asks. Only the part of the body that may
// hold it is walked again. It must not be called after Forget.
func (r *Request) Profile(w llm.Wants) llm.Profile {
	if len(r.Raw) < shortestToken*w.Least {
		w.Least = 0
	}
	if w == (llm.Wants{}) {
		return llm.Profile{}
	}
	p := profiler{
		endpoint: r.Endpoint, wants: w, counts: w.Tokens || w.Least > 0,
		parts: w.Needs & (llm.TakesImages | llm.TakesAudio | llm.TakesFiles), begins: w.Prefix, ends: w.Needs&llm.TakesPrefill != 0,
		table: crc32.MakeTable(crc32.Castagnoli),
	}
	p.texts = r.Texts
	for i := range r.members {
		if m := &r.members[i]; !m.null {
			p.at = m.Value.Start
			p.member(m.name, m.Value.Of(r.Raw))
		}
	}
	return p.wanted()
}

// wanted is the wanted part of the findings.
func (p *profiler) wanted() llm.Profile {
	out := p.out
	out.Needs &= p.wants.Needs
	if p.wants.Least == 0 {
		out.Least = 0
	}
	if !p.wants.Tokens {
		out.Prompt, out.Output = 0, 0
	} else if n := max(p.choices, 1) * max(p.prompts, 1); n > 1 && p.endpoint != llm.Embeddings {
		out.Answers = n
	}
	if p.begun {
		out.Prefix = uint64(p.messagesSum)<<32 | uint64(p.toolsSum) | 1
	}
	if p.wants.User {
		out.User = cmp.Or(p.users[0], p.users[1], p.users[2])
	}
	return out
}

const (
	shortestToken = 2   // bytes that anything takes which surely is a token, with what divides it from the next
	longestWord   = 24  // bytes that a token has at most, on the average of a long text without spaces
	imageTokens   = 800 // that a picture likely takes
	mostChoices   = 128 // that OpenAI gives
)

// profiler is the state of one Profile.
type profiler struct {
	endpoint llm.Endpoint
	wants    llm.Wants
	counts   bool        // tokens are counted
	parts    llm.Ability // wanted abilities that the parts of messages have not yet shown to be needed
	begins   bool        // the messages walked over are still those that the prompt begins with
	begun    bool        // there were such
	ends     bool        // whose the last message is matters
	out      llm.Profile

	table                 *crc32.Table
	messagesSum, toolsSum uint32
	messageSum            uint32    // messagesSum with what was read of the message
	users                 [3]uint64 // by prompt_cache_key, safety_identifier, user
	output                bool      // max_completion_tokens has said how many
	choices, prompts      int       // how many answers are wanted to each prompt, and how many prompts there are

	s     jsonwalk.Scanner
	value llm.JSON       // that s walks over
	at    int            // where that is in the body
	texts jsonwalk.Texts // the long ones of the body
}

// member reads one top-level member, which is not null.
func (p *profiler) member(name string, value llm.JSON) {
	switch name {
	case "messages":
		if p.endpoint == llm.Chat {
			p.messages(value)
		}
	case "prompt", "input": // each endpoint has one of them; what else is called so is the upstream's
		if p.endpoint != llm.Chat && (name == "input") == (p.endpoint == llm.Embeddings) && p.counts {
			p.inputs(value)
		}
	case "tools", "functions":
		p.tools(value)
	case "response_format":
		p.format(value)
	case "max_completion_tokens", "max_tokens":
		p.most(name, value)
	case "n":
		p.several(value)
	case "prompt_cache_key":
		p.users[0] = p.user(value)
	case "safety_identifier":
		p.users[1] = p.user(value)
	case "user":
		p.users[2] = p.user(value)
	}
}

// user is the hash of a name, 0 without one.
func (p *profiler) user(value llm.JSON) uint64 {
	if len(value.Inner()) == 0 {
		return 0
	}
	return uint64(crc32.Checksum(value, p.table)) + 1
}

func (p *profiler) tools(value llm.JSON) {
	if value.Kind() != '[' || jsonwalk.Hollow(value) {
		return
	}
	p.out.Needs |= llm.TakesTools
	p.out.Prompt += len(value) / 4
	if p.wants.Prefix {
		p.toolsSum = crc32.Update(p.toolsSum, p.table, value)
	}
}

func (p *profiler) format(value llm.JSON) {
	for name, v := range jsonwalk.Members(value) {
		if string(name) == "type" && string(v) == `"json_schema"` {
			p.out.Needs |= llm.TakesSchema
		}
	}
}

// most reads how many tokens the answer may have; the newer name counts more.
func (p *profiler) most(name string, value llm.JSON) {
	n, err := strconv.Atoi(string(value))
	newer := name == "max_completion_tokens"
	if err == nil && n > 0 && (newer || !p.output) {
		p.out.Output, p.output = n, newer
	}
}

// several reads how many answers are wanted.
func (p *profiler) several(value llm.JSON) {
	if n, err := strconv.Atoi(string(value)); err == nil {
		p.choices = min(n, mostChoices)
	}
}

// messages walks over the messages of a chat, as long as they may show anything that is wanted.
func (p *profiler) messages(value llm.JSON) {
	if p.walk(value); p.s.Kind() != '[' {
		return
	}
	var role llm.JSON
	for ok := p.s.EnterArray(); ok && (p.counts || p.parts != 0 || p.begins || p.ends) && p.s.NextElement(); {
		role = p.message()
	}
	if p.ends && string(role.Inner()) == "assistant" {
		p.out.Needs |= llm.TakesPrefill
	}
}

func (p *profiler) walk(value llm.JSON) {
	p.value = value
	p.s.Reset(value, jsonwalk.Options{Known: p.texts, At: p.at})
}

// message reads a message and returns its role.
func (p *profiler) message() (role llm.JSON) {
	if p.s.Kind() != '{' {
		p.s.Skip()
		return nil
	}
	p.messageSum = p.messagesSum
	for ok := p.s.EnterObject(); ok && p.s.NextMember(); {
		switch string(p.s.Name()) {
		case "role":
			role = llm.JSON(p.s.Skip().Of(p.value))
		case "content":
			p.content()
		case "tool_calls":
			p.out.Prompt += p.s.Skip().Len() / 4
		default:
			p.other()
		}
	}
	if p.begins {
		p.beginning(role.Inner())
	}
	return role
}

// beginning takes the current message as one that other conversations may begin with too: those of the system, up to the first of
// the user.
func (p *profiler) beginning(role []byte) {
	switch string(role) {
	case "system", "developer", "user":
		p.sum(role)
		p.messagesSum = p.messageSum
		p.begun, p.begins = true, string(role) != "user"
	}
}

// sum adds a piece of a message to the prompt's hash. A text counts the same alone and as part of a list. Clients that set cache
// marks turn the one into the other, and mark another message with the next turn.
func (p *profiler) sum(piece []byte) {
	if p.begins {
		p.messageSum = crc32.Update(p.messageSum, p.table, piece)
	}
}

// other takes a member that nothing else is read of.
func (p *profiler) other() {
	if name := p.s.Name(); p.begins && string(name) != "cache_control" {
		p.sum(name)
		p.sum(p.s.Skip().Of(p.value))
		return
	}
	p.s.Skip()
}

func (p *profiler) content() {
	switch p.s.Kind() {
	case '"':
		p.text(p.s.Skip())
	case '[':
		for ok := p.s.EnterArray(); ok && p.s.NextElement(); {
			p.part()
		}
	default:
		p.s.Skip()
	}
}

func (p *profiler) part() {
	if p.s.Kind() != '{' {
		p.s.Skip()
		return
	}
	for ok := p.s.EnterObject(); ok && p.s.NextMember(); {
		switch name := string(p.s.Name()); name {
		case "type":
			p.partType(llm.JSON(p.s.Skip().Of(p.value)))
		case "text":
			p.text(p.s.Skip())
		default:
			p.other()
		}
	}
}

func (p *profiler) partType(value llm.JSON) {
	var needs llm.Ability
	switch string(value.Inner()) {
	case "image_url":
		needs = llm.TakesImages
		p.out.Prompt += imageTokens
	case "input_audio":
		needs = llm.TakesAudio
	case "file":
		needs = llm.TakesFiles
	}
	p.out.Needs |= needs
	p.parts &^= needs
}

// text counts the tokens of a piece of the prompt.
func (p *profiler) text(at jsonwalk.Span) {
	text := llm.JSON(at.Of(p.value))
	p.sum(text.Inner())
	if p.wants.Least > 0 {
		p.out.Least += leastTokens(text.Inner())
	}
	if !p.wants.Tokens || len(text.Inner()) == 0 {
		return
	}
	if long, ok := p.texts.Starts(p.at + at.Start); ok {
		p.out.Prompt += int(llm.TokensOf(len(text.Inner()), long.Escapes, long.Coded, long.Wide))
	} else {
		p.out.Prompt += int(llm.EstimateTokens(text))
	}
}

// inputs counts the tokens of a legacy prompt, or of embedding inputs: a string, a list of numbers that are the tokens, or a
// list of either. Each of a list has to fit alone.
func (p *profiler) inputs(value llm.JSON) {
	p.walk(value)
	if p.s.Kind() == '"' {
		p.text(p.s.Skip())
		return
	}
	least, tokens := 0, 0
	for ok := p.s.Kind() == '[' && p.s.EnterArray(); ok && p.s.NextElement(); {
		p.out.Least = 0
		kind := p.s.Kind()
		switch at := p.s.Skip(); kind {
		case '"':
			p.text(at)
			p.prompts++
		case '[':
			p.numbers(llm.JSON(at.Of(p.value)))
			p.prompts++
		case '0':
			tokens++
		}
		least = max(least, p.out.Least)
	}
	p.out.Least = max(least, tokens)
	p.out.Prompt += tokens
}

// numbers counts the tokens of a list of them.
func (p *profiler) numbers(value llm.JSON) {
	n := 0
	for range jsonwalk.Elements(value) {
		n++
	}
	p.out.Least, p.out.Prompt = n, p.out.Prompt+n
}

// leastTokens is a lower bound of a text's tokens, from the text between its quotes. No tokenizer in use joins two words into
// one token, so it is the number of words. Where writing has no spaces between words, it is a small part of the length.
func leastTokens(inner []byte) int {
	words, high, within := 0, 0, uint64(0)
	for len(inner) > 0 {
		escape := bytes.IndexByte(inner, '\\')
		plain := inner
		if escape >= 0 {
			plain = inner[:escape]
		}
		for _, c := range plain {
			in := (lettersBelow64>>c | lettersFrom64>>(c-64) | uint64(c>>7)) & 1
			words += int(in &^ within)
			high += int(c >> 7)
			within = in
		}
		if escape < 0 {
			break
		}
		letter := len(inner) > escape+5 && inner[escape+1] == 'u'
		inner = inner[min(escape+2, len(inner)):]
		if letter { // the four digits are skipped as well, and count as a letter
			inner = inner[4:]
			words, within = words+int(1-within), 1
		} else {
			within = 0
		}
	}
	return words + high/longestWord
}

// What words are made of: a bit for each digit and apostrophe, and for each letter.
const (
	lettersBelow64 = 0x03ff<<'0' | 1<<'\''
	lettersFrom64  = 0x07fffffe | 0x07fffffe<<32
)
