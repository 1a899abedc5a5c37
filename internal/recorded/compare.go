package recorded

import (
	"fmt"
	"slices"
	"strings"
)

// Changes are what was done to an answer on its way: how many edits of each kind of repair, and what no rule explains.
type Changes struct {
	Kinds       map[string]int
	Unexplained []string
}

// Usage says who asked for the usage of a stream.
type Usage uint8

// Which side asked for it.
const (
	Nobody Usage = iota // what comes all the same is a stray
	Weir                // on its own account: what that adds is cut out again
	Caller              // it comes in one chunk, the last
)

func newChanges() *Changes { return &Changes{Kinds: map[string]int{}} }

// refuse notes what should not be.
func (c *Changes) refuse(format string, args ...any) {
	c.Unexplained = append(c.Unexplained, fmt.Sprintf(format, args...))
}

// CompareAnswers names what is different about the complete answer that was relayed.
func CompareAnswers(recorded, relayed string) Changes {
	c := newChanges()
	was, is, err := parseBoth(recorded, relayed)
	if err != nil {
		c.refuse("%v", err)
		return *c
	}
	c.compare(was, is, "message", Nobody)
	return *c
}

// CompareStreams names what is different about the chunks that were relayed. It goes by what the caller is promised, and
// knows nothing of how that is done.
func CompareStreams(recorded, relayed []string, asked Usage) Changes {
	s := streams{Changes: newChanges(), asked: asked, left: relayed, ended: map[int]bool{}}
	for _, payload := range recorded {
		chunk, err := parse(payload)
		if err != nil {
			s.refuse("%v", err)
			return *s.Changes
		}
		s.chunk(chunk)
	}
	if s.usage == "" && s.aside != "" && asked == Caller {
		s.usage = s.aside
		s.Kinds["usage"]++
	}
	if s.usage != "" {
		s.last()
	}
	for _, p := range s.left {
		s.refuse("a chunk too many: %s", p)
	}
	return *s.Changes
}

// streams is the state of one comparison of streams.
type streams struct {
	*Changes
	asked Usage
	left  []string // relayed chunks that no recorded one was found for yet
	ended map[int]bool
	usage string // the last recorded usage, which must come last, or ""
	own   *value // the chunk that it was recorded in, if that has nothing else
	aside string // the last usage that was recorded in another place, or ""
}

// chunk finds what became of a recorded chunk.
func (s *streams) chunk(was value) {
	cut := s.withoutEnded(&was)
	usage := was.member("usage")
	reported := usage != nil && usage.kind == '{'
	if groq := was.member("x_groq"); groq != nil {
		if usage := groq.member("usage"); usage != nil {
			s.aside = usage.raw
		}
	}
	if reported && s.asked == Caller {
		s.usage, s.own = usage.raw, nil
	}
	switch choices := was.member("choices"); {
	case choices != nil && len(choices.items) > 0:
	case reported && s.asked == Caller:
		s.own = &was
		s.Kinds["after_finish"] += cut
		return
	case reported && s.asked == Weir:
		return
	case reported:
		s.Kinds["usage"]++
		return
	case cut > 0:
		s.Kinds["after_finish"]++
		return
	case (choices == nil || choices.kind != '[') && was.holdsNothing():
		s.Kinds["empty_event"]++
		return
	}
	s.Kinds["after_finish"] += cut
	if len(s.left) == 0 {
		s.refuse("a chunk is missing: %s", was.raw)
		return
	}
	is, err := parse(s.left[0])
	s.left = s.left[1:]
	if err != nil {
		s.refuse("%v", err)
		return
	}
	s.compare(was, is, "delta", s.asked)
}

// withoutEnded takes the choices out of a chunk that had ended before, and notes which end with it.
func (s *streams) withoutEnded(chunk *value) (cut int) {
	choices := chunk.member("choices")
	if choices == nil {
		return 0
	}
	var kept []value
	for position, choice := range choices.items {
		index := position
		if own := choice.member("index"); own != nil && own.kind == '0' {
			_, _ = fmt.Sscan(own.raw, &index) // what cannot be read stays the position
		}
		if s.ended[index] {
			cut++
			continue
		}
		if finish := choice.member("finish_reason"); finish != nil && finish.kind == '"' && len(finish.raw) > len(`""`) {
			s.ended[index] = true
		}
		kept = append(kept, choice)
	}
	choices.items = kept
	if cut > 0 {
		chunk.raw, choices.raw = "", "" // they are not to be found again byte for byte
	}
	return cut
}

// last compares the chunk with the usage.
func (s *streams) last() {
	if len(s.left) == 0 {
		s.refuse("no chunk has the usage: %s", s.usage)
		return
	}
	is, err := parse(s.left[0])
	s.left = s.left[1:]
	usage, choices := is.member("usage"), is.member("choices")
	switch {
	case err != nil:
		s.refuse("%v", err)
	case usage == nil || usage.raw != s.usage || choices == nil || choices.kind != '[' || len(choices.items) > 0:
		s.refuse("the last chunk does not have the usage %s: %s", s.usage, is.raw)
	case s.own != nil:
		s.compare(*s.own, is, "delta", s.asked)
	case !slices.Equal(is.names, []string{"id", "object", "created", "model", "choices", "usage"}):
		s.refuse("the chunk that was made for the usage is %s", is.raw)
	}
}

// compare explains each difference between two bodies whose choices hold messages, or deltas.
func (c *Changes) compare(was, is value, message string, asked Usage) {
	all := differences("", was, is)
	if len(all) == 0 && was.raw != "" && was.raw != is.raw {
		c.refuse("the white space is another: %q, not %q", is.raw, was.raw)
	}
	for _, d := range all {
		kind, ok := d.explained(message, asked, all)
		if !ok {
			c.refuse("%s", d)
			continue
		}
		if kind != "" {
			c.Kinds[kind]++
		}
	}
}

// holdsNothing reports whether a chunk without choices has nothing that a caller could read.
func (v value) holdsNothing() bool {
	common := []string{"id", "model", "created", "object", "choices", "usage", "error", "system_fingerprint", "service_tier", "obfuscation"}
	for i, name := range v.names {
		if v.items[i].kind != 'n' && !slices.Contains(common, name) {
			return false
		}
	}
	return true
}

// pattern is a path in which each index of a list is a star, as is the message or delta.
func (d difference) pattern(message string) string {
	parts := strings.Split(d.path, "/")
	for i, p := range parts {
		if p != "" && strings.Trim(p, "0123456789") == "" {
			parts[i] = "*"
		}
	}
	return strings.Replace(strings.Join(parts, "/"), "/choices/*/"+message, "/choices/*/message", 1)
}
