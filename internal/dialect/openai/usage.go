package openai

import (
	"strconv"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// counts are the figures of a usage object as vendors report them, overlapping.
type counts struct {
	prompt, completion, total          int64
	cached, written, reasoning, topHit int64

	prompted bool // prompt is told, whatever it says
	told     bool // that, or what the answer or all of it took
}

// readUsage consumes the value that comes next and reports whether it was a usage object that tells something: some end a stream with an
// empty one. Vendors that follow
// the convention differ in where they put cache reads: in prompt_tokens_details.cached_tokens, at the top as
// cached_tokens (Moonshot) or prompt_cache_hit_tokens (DeepSeek), all three being part of prompt_tokens.
func readUsage(s *jsonwalk.Scanner, data []byte) (llm.Usage, bool) {
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
			c.prompt, c.prompted, c.told = readInt(s, data), true, true
		case "completion_tokens":
			c.completion, c.told = readInt(s, data), true
		case "total_tokens":
			c.total, c.told = readInt(s, data), true
		case "cached_tokens", "prompt_cache_hit_tokens":
			c.topHit = readInt(s, data)
		case "reasoning_tokens":
			c.reasoning = readInt(s, data)
		case "prompt_tokens_details", "completion_tokens_details":
			c.details(s, data)
		default:
			s.Skip()
		}
	}
	return c, s.Err() == nil
}

func (c *counts) details(s *jsonwalk.Scanner, data []byte) {
	if s.Kind() != '{' {
		s.Skip()
		return
	}
	for ok := s.EnterObject(); ok && s.NextMember(); {
		switch string(s.Name()) {
		case "cached_tokens":
			c.cached = readInt(s, data)
		case "cache_write_tokens", "cache_creation_input_tokens":
			c.written = readInt(s, data)
		case "reasoning_tokens":
			c.reasoning = readInt(s, data)
		default:
			s.Skip()
		}
	}
}

// usage makes the classes disjoint. xAI reports completion tokens without the reasoning ones: its total tells.
func (c counts) usage() llm.Usage {
	if c.cached == 0 {
		c.cached = c.topHit
	}
	u := llm.Usage{Fresh: c.prompt, CacheRead: c.cached, CacheWrite: c.written, Output: c.completion, Reasoning: c.reasoning}
	if c.cached+c.written <= c.prompt {
		u.Fresh = c.prompt - c.cached - c.written
	}
	if c.reasoning > c.completion || c.reasoning > 0 && c.total == c.prompt+c.completion+c.reasoning {
		u.Output = c.completion + c.reasoning
	}
	return u
}

// readInt consumes the next value and returns it if it is a count: a number that is not negative, cut to a
// whole one, and not above llm.MaxCount; anything else is 0.
func readInt(s *jsonwalk.Scanner, data []byte) int64 {
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
