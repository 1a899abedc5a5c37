package importer

import (
	"fmt"
	"slices"
	"strings"
)

// secrets spells what a source says of credentials as Weir's config does. None of them is copied.
type secrets struct {
	*Report
	refers    func(text string) (variable string, ok bool) // the variable of the environment that a text of the source stands for
	variables map[string]string                            // of secrets that stand in the source: the variables that hold them from now on
	taken     names                                        // of variables
}

// newSecrets returns the secrets of a source. The variables that it refers to are taken.
func newSecrets(report *Report, root *Node, refers func(string) (string, bool)) *secrets {
	s := &secrets{Report: report, refers: refers, variables: map[string]string{}}
	s.take(root)
	return s
}

func (s *secrets) take(n *Node) {
	if name, ok := s.refers(n.Text()); ok && !s.taken.has(variableName(name)) {
		s.taken.take(variableName(name), "_")
	}
	for _, f := range n.Fields {
		s.take(f.Value)
	}
	for _, item := range n.Items {
		s.take(item)
	}
}

// value is a value that is no secret.
func (s *secrets) value(n *Node) Text {
	name, ok := s.refers(n.Text())
	if !ok {
		return Literal(n.Text())
	}
	plain := variableName(name)
	if plain != name {
		s.Manual(n, fmt.Sprintf("the variable %q has a name that no shell takes: set %s to its value", name, plain))
	}
	return Variable(plain)
}

// secret is a credential. One that stands in the source moves into a variable, by the given name if that is free, and is reported.
func (s *secrets) secret(n *Node, name string) Text {
	if _, ok := s.refers(n.Text()); ok || n.Text() == "" {
		return s.value(n)
	}
	value, variable := s.hide(n.Text(), name)
	if variable != "" {
		s.Manual(n, fmt.Sprintf("the secret stands in the source, and is not copied: set the variable %s to it", variable))
	}
	return value
}

// shortest is how long a secret of letters is at least: what is shorter, or one of these words, fills a field that must not be empty.
const shortest = 8

var fillers = []string{"anything", "fake-key", "dummy-key", "not-needed", "no-key-required", "sk-no-key-required", "placeholder", "not-used", "local-key"}

// fills reports whether a text only fills a field for a credential. What begins as keys do, or has a digit, is one, however short.
func fills(text string) bool {
	text = strings.ToLower(text)
	return slices.Contains(fillers, text) || len(text) < shortest && !strings.HasPrefix(text, "sk-") && !strings.ContainsAny(text, "*.<0123456789")
}

// hide is a text that is a credential, and the variable that it moves into, "" for a text that only fills a field that must not be empty.
func (s *secrets) hide(text, name string) (value Text, variable string) {
	if fills(text) {
		return Literal(text), ""
	}
	variable, known := s.variables[text]
	if !known {
		variable = s.free(name)
		s.variables[text] = variable
	}
	return Variable(variable), variable
}

// address is a URL that may have a user and a password in it, and is a secret then.
func (s *secrets) address(n *Node, name string) Text {
	if _, ok := s.refers(n.Text()); !ok && strings.Contains(n.Text(), "@") {
		return s.secret(n, name)
	}
	return s.value(n)
}

// ownHeader reports whether Weir or the connection sets a header of this name, which a provider then cannot.
func ownHeader(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "content-") || strings.HasPrefix(name, "proxy-") || slices.Contains([]string{
		"accept", "accept-encoding", "connection", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "user-agent", "via",
	}, name)
}

// secretHeader reports whether a header of this name, or with such a value, has a credential.
func secretHeader(name, value string) bool {
	name, value = strings.ToLower(name), strings.ToLower(value)
	if strings.HasPrefix(value, "bearer ") || strings.HasPrefix(value, "basic ") || strings.HasPrefix(value, "sk-") {
		return true
	}
	return slices.ContainsFunc([]string{"auth", "cookie", "credential", "key", "pass", "secret", "session", "signature", "token"}, func(part string) bool { return strings.Contains(name, part) })
}

// free is a new variable, by the given name if that is free.
func (s *secrets) free(name string) string {
	return s.taken.take(variableName(name), "_")
}

// variableName is a name that a variable of the environment may have.
func variableName(name string) string {
	plain := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, name)
	if plain == "" || plain[0] >= '0' && plain[0] <= '9' {
		return "_" + plain
	}
	return plain
}

// keyVariable is the name of the variable that has the key of an account.
func keyVariable(account string) string {
	return strings.ToUpper(variableName(strings.TrimPrefix(account, "@"))) + "_API_KEY"
}

// substituted is the variable that a text like ${NAME} or $NAME stands for, as in files that envsubst fills in.
func substituted(text string) (variable string, ok bool) {
	name, ok := strings.CutPrefix(text, "$")
	if !ok {
		return "", false
	}
	if inner, ok := strings.CutPrefix(name, "{"); ok {
		name, ok = strings.CutSuffix(inner, "}")
		if !ok {
			return "", false
		}
	}
	return name, name != "" && variableName(name) == name
}
