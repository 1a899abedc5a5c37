package passthrough

import (
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// finishReason brings a finish reason into one of the five that the convention knows. fails says that it means a failure of the
// upstream. The words of vendors' own APIs come from compatible endpoints, too. They may be in capitals, and some of Google's
// follow a prefix. They mean what the packages of their dialects take them for.
func finishReason(told string) (reason string, fails bool) {
	if strings.HasPrefix(told, "content_filter: ") {
		return "content_filter", false
	}
	switch word := strings.ToLower(strings.TrimPrefix(told, "function_call_filter: ")); word {
	case "stop", "length", "tool_calls", "content_filter", "function_call":
		return word, false
	case "model_length", "max_tokens", "incomplete", "max_output_tokens", "model_context_window_exceeded", "continuation":
		return "length", false
	case "tool_use", "tool_call":
		return "tool_calls", false
	case "safety", "sensitive", "content_filtered", "refusal", "guardrail_intervened", "error_toxic",
		"recitation", "blocklist", "prohibited_content", "spii", "image_safety", "image_prohibited_content", "image_recitation", "model_armor":
		return "content_filter", false
	case "insufficient_system_resource", "network_error", "error", "error_limit", "timeout",
		"abort", "cancel", // vLLM's and SGLang's, FastFlowLM's: the server ended the request
		"malformed_function_call", "unexpected_tool_call", "too_many_tool_calls", "missing_thought_signature", "malformed_response",
		"malformed_model_output", "malformed_tool_use":
		return "", true
	default: // eos, eos_token, stop_sequence, end_turn, …
		return "stop", false
	}
}

// tierOf reads a service tier: the vendor's word for it, and whether OpenAI's convention has it. Typed clients refuse an answer with
// another one (async-openai, validators of OpenAI's schema).
func tierOf(value llm.JSON) (tier string, known bool) {
	tier = value.Tier()
	switch string(value) {
	case "null", `"auto"`, `"default"`, `"flex"`, `"scale"`, `"priority"`, `"fast"`:
		return tier, true
	}
	return tier, false
}

// ending is the last finish reason of a choice, 0 without one.
type ending uint8

// String is the finish reason.
func (e ending) String() string {
	return [numEndings]string{"", "stop", "length", "tool_calls", "content_filter", "function_call"}[e]
}

const numEndings = 6

// endingOf takes one of the five.
func endingOf(reason string) ending {
	e := ending(numEndings - 1)
	for e > 0 && e.String() != reason {
		e--
	}
	return e
}

// wholeSeconds reads a time of creation in any of the ways seen: a number, with a fraction, in milliseconds, in
// a string. ok says that it needs no repair; 0 that it cannot be read.
func wholeSeconds(raw []byte) (seconds int64, ok bool) {
	text := strings.Trim(string(raw), `"`)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 0 {
		if n > 100_000_000_000 { // the year 5138 in seconds, or 1973 in milliseconds
			return n / 1000, false
		}
		return n, raw[0] != '"'
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(f > 0 && f < 1e15) {
		return 0, false
	}
	if f > 100_000_000_000 {
		f /= 1000
	}
	return int64(f), false
}

// textOfParts joins content that came as a list of parts. It returns the text of the text parts, and separately that of the thinking
// parts (Mistral) and of summaries of reasoning (Databricks). Strings inside the parts of these are text.
func textOfParts(raw []byte, nested bool) (text, thinking string) {
	s := jsonwalk.NewScanner(raw, jsonwalk.Options{})
	var texts, thoughts strings.Builder
	for ok := s.EnterArray(); ok && s.NextElement(); {
		part := readPart(s, raw, nested)
		texts.WriteString(part.text)
		thoughts.WriteString(part.thinking)
	}
	return texts.String(), thoughts.String()
}

type part struct{ text, thinking string }

func readPart(s *jsonwalk.Scanner, raw []byte, nested bool) part {
	var p part
	if s.Kind() == '"' {
		p.text, _ = jsonwalk.Text(s.Skip().Of(raw))
		return p
	}
	if s.Kind() != '{' {
		s.Skip()
		return p
	}
	for ok := s.EnterObject(); ok && s.NextMember(); {
		name, kind := string(s.Name()), s.Kind()
		value := s.Skip().Of(raw)
		switch {
		case name == "text" && kind == '"':
			p.text, _ = jsonwalk.Text(value)
		case (name == "thinking" || name == "summary") && kind == '[' && !nested:
			p.thinking, _ = textOfParts(value, true)
		case name == "thinking" && kind == '"':
			p.thinking, _ = jsonwalk.Text(value)
		}
	}
	return p
}
