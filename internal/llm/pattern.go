package llm

import (
	"strings"
	"unicode"
)

// Match reports whether name matches pattern, in which each * matches any run of characters, slashes included. It
// takes time proportional to len(pattern)·len(name) at worst and allocates nothing.
func Match(pattern, name string) bool {
	prefix, rest, wild := strings.Cut(pattern, "*")
	if !wild {
		return pattern == name
	}
	if !strings.HasPrefix(name, prefix) {
		return false
	}
	name = name[len(prefix):]
	for {
		part, next, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(name, part)
		}
		i := strings.Index(name, part)
		if i < 0 {
			return false
		}
		name, rest = name[i+len(part):], next
	}
}

// ValidModelName reports whether a name can be a model's: printable, at most 256 bytes. It may go into headers.
func ValidModelName(name string) bool {
	return len(name) <= 256 && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) })
}
