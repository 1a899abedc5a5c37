package config

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// expand replaces ${VAR}, ${VAR:-default}, ${file:PATH}, ${vault:PATH#FIELD}, ${exec:COMMAND} and $$ in one value, which is at a place. What it puts in is not read
// again. A problem never shows a value, only the names that the file shows anyway. Where secrets are left out, unknown says that
// something would be put in that is not looked at.
func (d *decoder) expand(s string, at place) (text string, unknown bool, problems []string) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "$")
		b.WriteString(before)
		switch {
		case !found:
			return b.String(), unknown, problems
		case strings.HasPrefix(rest, "$"):
			b.WriteByte('$')
			s = rest[1:]
			continue
		case !strings.HasPrefix(rest, "{"):
			b.WriteByte('$')
			s = rest
			continue
		}
		inner, after, closed := strings.Cut(rest[1:], "}")
		if !closed {
			return b.String(), unknown, append(problems, "a ${ without its }: close it, or write $${ for the characters themselves")
		}
		value, err := d.lookup(inner, at)
		if errors.Is(err, errUnknown) {
			unknown = true
		} else if err != nil {
			problems = append(problems, err.Error())
		}
		b.WriteString(value)
		s = after
	}
}

// errUnknown is what lookup has for a value that is not looked at.
var errUnknown = errors.New("it is not looked at")

// lookup returns the value of ${inner}.
func (d *decoder) lookup(inner string, at place) (string, error) {
	for _, scheme := range Schemes() {
		if name, ok := strings.CutPrefix(inner, string(scheme)+":"); ok {
			if scheme == SchemeFile && name == "" {
				return "", errors.New("${file:} names no file: write ${file:PATH}")
			}
			return d.elsewhere(scheme, name, at)
		}
	}
	name, fallback, hasFallback := strings.Cut(inner, ":-")
	if !variableName.MatchString(name) {
		return "", fmt.Errorf("${%s} is not ${VAR}, ${VAR:-default}, ${file:PATH}, ${vault:PATH#FIELD} or ${exec:COMMAND}: write $${ for the characters themselves", inner)
	}
	if strings.Contains(fallback, "${") {
		return "", fmt.Errorf("${%s:-…}: a default cannot hold another ${…}", name)
	}
	if d.loader.WithoutSecrets && fallback == "" {
		return "", errUnknown
	}
	value, set := "", false
	if d.loader.Env != nil && !d.loader.WithoutSecrets {
		value, set = d.loader.Env(name)
	}
	switch {
	case hasFallback && value == "":
		return fallback, nil
	case !set:
		return "", fmt.Errorf("the environment variable %s is not set: set it, or write ${%s:-default}", name, name)
	}
	return value, nil
}
