package gemini

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// ReadAnswer reads a complete answer, calls tell with its events, and returns the last one. For an answer that cannot be translated,
// that one has the usage. A stream that was not asked for as events comes as a list of its pieces, and is read as well.
func ReadAnswer(body []byte, tell func(*llm.Event)) (end llm.Event, err error) {
	if err := jsonwalk.Valid(body, jsonwalk.Options{}); err != nil {
		return end, err
	}
	var st Stream
	pieces := 0
	for _, piece := range jsonwalk.Elements(body) {
		pieces++
		if err := st.read(piece, tell); err != nil {
			return llm.Event{Usage: st.Used()}, err
		}
	}
	if pieces == 0 {
		if err := st.read(body, tell); err != nil {
			return llm.Event{Usage: st.Used()}, err
		}
	}
	st.Close(func(ev *llm.Event) {
		if ev.Kind == llm.End {
			end = *ev
			return
		}
		tell(ev)
	})
	if end.Kind != llm.End {
		return llm.Event{Usage: st.Used()}, fmt.Errorf("%w: it does not say that it has ended", llm.ErrNoAnswer)
	}
	return end, nil
}

// unknownPart is the kind of parts that a chat answer has no place for.
const unknownPart llm.PartKind = 255

// part is a part of an answer.
type part struct {
	kind            llm.PartKind
	text, signature llm.JSON // strings
	id, name, args  llm.JSON // of a call: its id, name and arguments
}

// readPart reads a part. What the vendor's own tools did is no part of a chat answer.
func readPart(value llm.JSON) part {
	p := part{kind: unknownPart}
	thought := false
	for name, v := range jsonwalk.Members(value) {
		v := llm.JSON(v)
		switch string(name) {
		case "text":
			if p.text = str(v); p.text != nil {
				p.kind = llm.Text
			}
		case "thought":
			thought = v.Kind() == 't'
		case "thoughtSignature", "thought_signature":
			if len(v.Inner()) > 0 {
				p.signature = v
			}
		case "functionCall":
			p.readCall(v)
		case "inlineData":
			p.readMedia(v)
		}
	}
	switch {
	case thought && p.kind == llm.Text:
		p.kind, p.signature = llm.Reasoning, nil // it is not to be sent back
	case p.kind == unknownPart && p.signature != nil:
		p.kind, p.text = llm.Text, llm.JSON(`""`)
	}
	return p
}

func (p *part) readCall(value llm.JSON) {
	for name, v := range jsonwalk.Members(value) {
		v := llm.JSON(v)
		switch string(name) {
		case "id":
			p.id = str(v)
		case "name":
			p.name = str(v)
		case "args":
			if v.Kind() == '{' {
				p.args = v
			}
		}
	}
	p.kind = llm.ToolCall
}

// readMedia makes an image a piece of Markdown: a chat answer has no other place for it.
func (p *part) readMedia(value llm.JSON) {
	var media, data llm.JSON
	for name, v := range jsonwalk.Members(value) {
		switch string(name) {
		case "mimeType":
			media = str(v)
		case "data":
			data = str(v)
		}
	}
	if len(media.Inner()) > 6 && string(media.Inner()[:6]) == "image/" {
		p.kind = llm.Text
		p.text = append(append(append(append(append(llm.JSON(`"![image](data:`), media.Inner()...), ";base64,"...), data.Inner()...), ')'), '"')
	}
}

// counts are the figures of usageMetadata. Those of each piece are of the answer so far: the last of each counts.
type counts struct {
	prompt, cached, tools, candidates, thoughts int64
	inPrompt, inCache, inTools, inAnswer        modalities
	tier                                        string

	searches int64 // of the web
	asOne    bool  // the vendor bills all searches for a prompt as one

	absurd bool // a figure cannot be true
}

// searched notes the searches that an answer rests on so far. Each query counts once, and no empty ones, as the vendor bills them
// (https://ai.google.dev/gemini-api/docs/google-search).
func (c *counts) searched(grounding llm.JSON) {
	var queries []string
	for _, q := range jsonwalk.Elements(inObject(grounding, "webSearchQueries")) {
		if text := llm.JSON(q).Text(); text != "" && len(queries) < mostQueries && !slices.Contains(queries, text) {
			queries = append(queries, text)
		}
	}
	c.searches = max(c.searches, int64(len(queries)))
}

// mostQueries bounds the work of telling queries apart.
const mostQueries = 256

// model notes which model answered. Those before Gemini 3 are billed by the prompt that was searched for.
func (c *counts) model(version llm.JSON) {
	name := version.Inner()
	c.asOne = bytes.HasPrefix(name, []byte("gemini-1")) || bytes.HasPrefix(name, []byte("gemini-2"))
}

// modalities are the tokens of a figure that are not text.
type modalities struct{ audio, image int64 }

// parse reads a list of {modality, tokenCount}, and reports whether a figure cannot be true.
func (m *modalities) parse(list llm.JSON) (absurd bool) {
	*m = modalities{}
	for _, one := range jsonwalk.Elements(list) {
		var modality string
		var n int64
		for name, v := range jsonwalk.Members(one) {
			switch string(name) {
			case "modality":
				modality = llm.JSON(v).Text()
			case "tokenCount":
				var wrong bool
				n, _, wrong = llm.JSON(v).Tokens()
				absurd = absurd || wrong
			}
		}
		switch modality {
		case "AUDIO":
			m.audio = n
		case "IMAGE":
			m.image = n
		}
	}
	return absurd
}

func (c *counts) read(usage llm.JSON) {
	c.scan(jsonwalk.NewScanner(usage, jsonwalk.Options{}), usage)
}

// scan is read with a scanner that is at the beginning of the figures.
func (c *counts) scan(s *jsonwalk.Scanner, usage llm.JSON) {
	for ok := s.Kind() == '{' && s.EnterObject(); ok && s.NextMember(); {
		to, parts, tier := c.figure(string(s.Name()))
		v := llm.JSON(s.Skip().Of(usage))
		switch {
		case tier:
			c.tier = v.Tier()
		case parts != nil:
			c.absurd = parts.parse(v) || c.absurd
		case to != nil:
			n, told, absurd := v.Tokens()
			if c.absurd = c.absurd || absurd; told {
				*to = n
			}
		}
	}
}

// figure is what a member says: a number, those of each modality, or the tier.
func (c *counts) figure(name string) (to *int64, parts *modalities, tier bool) {
	switch name {
	case "promptTokenCount":
		to = &c.prompt
	case "cachedContentTokenCount":
		to = &c.cached
	case "toolUsePromptTokenCount":
		to = &c.tools
	case "candidatesTokenCount":
		to = &c.candidates
	case "thoughtsTokenCount":
		to = &c.thoughts
	case "promptTokensDetails":
		parts = &c.inPrompt
	case "cacheTokensDetails":
		parts = &c.inCache
	case "toolUsePromptTokensDetails":
		parts = &c.inTools
	case "candidatesTokensDetails":
		parts = &c.inAnswer
	}
	return to, parts, name == "trafficType" || name == "serviceTier"
}

// usage is the usage in disjoint classes: cached tokens are part of the prompt's, and thoughts are not part of the
// candidates'.
func (c *counts) usage() llm.Usage {
	u := llm.Usage{CacheRead: c.cached, Reasoning: c.thoughts, Tier: c.tier, Absurd: c.absurd}
	fresh := max(c.prompt-c.cached, 0) + c.tools
	u.AudioIn = min(max(c.inPrompt.audio-c.inCache.audio, 0)+c.inTools.audio, fresh)
	u.ImageIn = min(max(c.inPrompt.image-c.inCache.image, 0)+c.inTools.image, fresh-u.AudioIn)
	u.Fresh = fresh - u.AudioIn - u.ImageIn
	u.AudioOut = min(c.inAnswer.audio, c.candidates)
	u.ImageOut = min(c.inAnswer.image, c.candidates-u.AudioOut)
	u.Text = c.candidates - u.AudioOut - u.ImageOut
	switch {
	case c.prompt == 0: // nothing is reported yet
	case c.asOne:
		u.Searches = min(c.searches, 1)
	default:
		u.Searches = c.searches
	}
	return u
}
