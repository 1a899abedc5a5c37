package openai

import (
	"strconv"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// counts are the figures of a usage object as vendors report them, overlapping.
type counts struct {
	prompt, completion, total          int64
	cached, written, reasoning, topHit int64
	in, out                            modalities
	searches                           int64
	bill                               dialect.Bill

	absurd   bool // a figure cannot be true
	prompted bool // prompt is present, whatever its value
	told     bool // that, or what the answer or all of it took
}

// modalities are tokens that are not text, where a vendor counts them apart.
type modalities struct{ audio, image int64 }

// ReadUsage consumes the next value and reports whether it was a usage object with figures: some vendors end a stream with an empty
// one. Vendors that follow the convention differ in where they put cache reads, which are part of prompt_tokens. They are in
// prompt_tokens_details.cached_tokens, or at the top as cached_tokens (Moonshot) or prompt_cache_hit_tokens (DeepSeek).
func ReadUsage(s *jsonwalk.Scanner, data []byte) (llm.Usage, bool) {
	c, ok := readCounts(s, data)
	return c.usage(), ok && c.told
}

func readCounts(s *jsonwalk.Scanner, data []byte) (c counts, ok bool) {
	if s.Kind() != '{' {
		s.Skip()
		return c, false
	}
	for ok := s.EnterObject(); ok && s.NextMember(); {
		switch string(s.Name()) {
		case "prompt_tokens":
			c.prompt, c.prompted, c.told = c.tokens(s, data), true, true
		case "completion_tokens":
			c.completion, c.told = c.tokens(s, data), true
		case "total_tokens":
			c.total, c.told = c.tokens(s, data), true
		case "cached_tokens", "prompt_cache_hit_tokens":
			c.topHit = c.tokens(s, data)
		case "reasoning_tokens":
			c.reasoning = c.tokens(s, data)
		case "prompt_tokens_details":
			c.details(s, data, &c.in)
		case "completion_tokens_details":
			c.details(s, data, &c.out)
		default:
			c.billed(s, data)
		}
	}
	return c, s.Err() == nil
}

// billed consumes a member in which a vendor says what it bills besides tokens.
func (c *counts) billed(s *jsonwalk.Scanner, data []byte) {
	switch string(s.Name()) {
	case "server_tool_use", "server_tool_use_details":
		eachMember(s, func(name string) {
			if name == "web_search_requests" {
				c.searches = c.tokens(s, data)
			} else {
				s.Skip()
			}
		})
	case "num_search_queries":
		c.searches = c.tokens(s, data)
	default:
		name := s.Name()
		c.bill.Read(name, s.Skip().Of(data))
	}
}

// tokens consumes the next value as a number of tokens.
func (c *counts) tokens(s *jsonwalk.Scanner, data []byte) int64 {
	n, _, absurd := llm.JSON(s.Skip().Of(data)).Tokens()
	c.absurd = c.absurd || absurd
	return n
}

// eachMember steps through the object that comes next, if it is one; f consumes each value.
func eachMember(s *jsonwalk.Scanner, f func(name string)) {
	if s.Kind() != '{' {
		s.Skip()
		return
	}
	for ok := s.EnterObject(); ok && s.NextMember(); {
		f(string(s.Name()))
	}
}

func (c *counts) details(s *jsonwalk.Scanner, data []byte, m *modalities) {
	if s.Kind() != '{' {
		s.Skip()
		return
	}
	for ok := s.EnterObject(); ok && s.NextMember(); {
		switch string(s.Name()) {
		case "cached_tokens":
			c.cached = c.tokens(s, data)
		case "cache_write_tokens", "cache_creation_input_tokens":
			c.written = c.tokens(s, data)
		case "reasoning_tokens":
			c.reasoning = c.tokens(s, data)
		case "audio_tokens":
			m.audio = c.tokens(s, data)
		case "image_tokens":
			m.image = c.tokens(s, data)
		default:
			s.Skip()
		}
	}
}

// usage makes the classes disjoint. xAI reports completion tokens without the reasoning ones, which shows in its
// total.
func (c counts) usage() llm.Usage {
	if c.cached == 0 {
		c.cached = c.topHit
	}
	fresh := c.prompt
	if c.cached+c.written <= c.prompt {
		fresh -= c.cached + c.written
	}
	output := c.completion
	if c.reasoning > c.completion || c.reasoning > 0 && c.total == c.prompt+c.completion+c.reasoning {
		output += c.reasoning
	} else if hidden := c.total - c.prompt - c.completion; hidden > 0 && c.completion > 0 && c.prompt > 0 {
		// Google's OpenAI-compatible endpoint reports thoughts in the total alone.
		output += hidden
		c.reasoning += hidden
	}
	u := llm.Usage{CacheRead: c.cached, CacheWrite: c.written, Reasoning: c.reasoning, Searches: c.searches, Cost: c.bill.Cost(), Absurd: c.absurd}
	u.AudioIn = min(c.in.audio, fresh)
	u.ImageIn = min(c.in.image, fresh-u.AudioIn)
	u.Fresh = fresh - u.AudioIn - u.ImageIn
	u.AudioOut = min(c.out.audio, output-u.Reasoning)
	u.ImageOut = min(c.out.image, output-u.Reasoning-u.AudioOut)
	u.Text = output - u.Reasoning - u.AudioOut - u.ImageOut
	return u
}

// ReadInt consumes the next value and returns it if it is a count: not negative, cut to a whole number, and at
// most llm.MaxCount. Anything else is 0.
func ReadInt(s *jsonwalk.Scanner, data []byte) int64 {
	number := s.Kind() == '0'
	raw := s.Skip().Of(data)
	if !number {
		return 0
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil && n <= llm.MaxCount {
		return max(n, 0)
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || !(f >= 0 && f <= llm.MaxCount) {
		return 0
	}
	return int64(f)
}
