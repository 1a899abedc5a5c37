package config

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
)

var linePattern = regexp.MustCompile(`^( *(?:- )?)("[^"]*":|[^\s":]+:(?: |$))?(.*)$`)

// breakLine returns the ways to break a line of YAML: what is wrong, and the broken line.
func breakLine(line string) map[string]string {
	text, isName := strings.CutSuffix(line, " # name")
	match := linePattern.FindStringSubmatch(text)
	indent, key, value := match[1], match[2], match[3]
	breaks := map[string]string{}
	if value != "" {
		breaks["wrong type"] = indent + key + "[{zzz: [zzz]}]"
		breaks["nothing"] = indent + key
		breaks["unset variable"] = indent + key + `"${ZZZ}"`
		breaks["unclosed"] = indent + key + `"${"`
	}
	if key != "" && !isName {
		breaks["unknown"] = indent + "zzz" + key + value
	}
	if key != "" && value != "" && !strings.Contains(indent, "-") {
		breaks["twice"] = line + "\n" + line
	}
	return breaks
}

// TestEveryFieldIsGuarded breaks each line of a file that has every field, with every likely slip. The error must
// name that line.
func TestEveryFieldIsGuarded(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/good/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	tried := 0
	for i, line := range lines {
		if strings.HasPrefix(line, "#") {
			continue
		}
		breaks := breakLine(line)
		for kind, broken := range breaks {
			tried++
			at := i + 1
			if kind == "twice" {
				at++
			}
			mutated := strings.Join(lines[:i], "\n") + "\n" + broken + "\n" + strings.Join(lines[i+1:], "\n")
			_, err := testLoader().Parse("testdata/good/full.yaml", []byte(mutated))
			var list Errors
			if !errors.As(err, &list) {
				t.Errorf("%s: accepted: %s", kind, broken)
				continue
			}
			found := false
			for _, e := range list {
				found = found || e.Line == at
			}
			if !found {
				t.Errorf("%s: line %d is not named for %q, but\n%v", kind, at, broken, err)
			}
		}
	}
	if tried < 300 {
		t.Errorf("only %d ways were tried", tried)
	}
}
