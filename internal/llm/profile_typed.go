package llm

import "hash/crc32"

// imageTokens is how many tokens a picture, or a file, likely takes.
const imageTokens = 800

// Profile is what the request needs from the target that serves it, as far as w asks; but for User, which is the dialect's to say.
func (r *Request) Profile(w Wants) Profile {
	p := profiler{wants: w, table: crc32.MakeTable(crc32.Castagnoli), begins: w.Prefix}
	p.parts(r.System)
	p.begun = len(r.System) > 0
	for i := range r.Messages {
		m := &r.Messages[i]
		p.parts(m.Parts)
		if p.begins && m.Role == User {
			p.begun, p.begins = true, false
		}
	}
	p.tools(r)
	if r.Format.Kind == FormatSchema {
		p.out.Needs |= TakesSchema
	}
	if last := len(r.Messages) - 1; last >= 0 && r.Messages[last].Role == Assistant {
		p.out.Needs |= TakesPrefill
	}
	p.out.Output = int(r.MaxToken)
	p.out.Needs &= w.Needs
	if w.Least == 0 {
		p.out.Least = 0
	}
	if !w.Tokens {
		p.out.Prompt, p.out.Output = 0, 0
	}
	if w.Prefix && p.begun {
		p.out.Prefix = uint64(p.sum)<<32 | uint64(p.offered) | 1
	}
	return p.out
}

// profiler is the state of one Profile.
type profiler struct {
	wants        Wants
	out          Profile
	table        *crc32.Table
	sum, offered uint32
	begins       bool // what is looked at may be what the prompt begins with
	begun        bool // there was such
}

func (p *profiler) parts(parts []Part) {
	for i := range parts {
		switch part := &parts[i]; part.Kind {
		case Image:
			p.out.Needs |= TakesImages
			p.out.Prompt += imageTokens
		case File:
			p.out.Needs |= TakesFiles
			p.out.Prompt += imageTokens
		case ToolCall:
			p.out.Prompt += len(part.Args) / 4
			p.add(part.Args)
		case Result:
			p.parts(part.Parts)
		default:
			p.text(part.Text)
		}
	}
}

func (p *profiler) text(text JSON) {
	p.add(text.Inner())
	if p.wants.Least > 0 {
		p.out.Least += LeastTokens(text)
	}
	if p.wants.Tokens && len(text.Inner()) > 0 {
		p.out.Prompt += int(EstimateTokens(text))
	}
}

func (p *profiler) add(piece []byte) {
	if p.begins {
		p.sum = crc32.Update(p.sum, p.table, piece)
	}
}

func (p *profiler) tools(r *Request) {
	for i := range r.Tools {
		t := &r.Tools[i]
		p.out.Needs |= TakesTools
		for _, piece := range [...]JSON{t.Name, t.Description, t.Schema} {
			p.out.Prompt += len(piece) / 4
			p.offered = crc32.Update(p.offered, p.table, piece)
		}
	}
}
