package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
)

const (
	commandLinePage  = "../../docs/reference/command-line.md"
	commandLineBegin = "<!-- written by go test ./cmd/weir -run TestCommandLinePage -update: begin -->\n"
	commandLineEnd   = "<!-- written by go test ./cmd/weir -run TestCommandLinePage -update: end -->\n"
)

// TestCommandLinePage holds the page of the command line against what --help prints for each command.
func TestCommandLinePage(t *testing.T) {
	oneAfterAnother(t)
	t.Setenv("COLUMNS", "80")
	page, err := filepath.Abs(commandLinePage)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), commandLineBegin)
	old, after, ok := strings.Cut(rest, commandLineEnd)
	if !ok {
		t.Fatalf("%s has lost the lines around what is generated", commandLinePage)
	}
	var b strings.Builder
	commands := 0
	describe(t, &b, newParser(t).Model.Node, &commands)
	if commands < 40 {
		t.Errorf("only %d commands were found", commands)
	}
	want := b.String() + "\n"
	switch diff := cmp.Diff(old, want); {
	case *update:
		if err := os.WriteFile(page, []byte(before+commandLineBegin+want+commandLineEnd+after), 0o600); err != nil {
			t.Fatal(err)
		}
	case diff != "":
		t.Errorf("%s says something else; -update writes it:\n%s", commandLinePage, diff)
	}
}

// describe writes the help of the commands below a node, each after those of whose name it is a part.
func describe(t *testing.T, b *strings.Builder, above *kong.Node, commands *int) {
	t.Helper()
	for _, command := range above.Children {
		if command.Hidden || command.Type != kong.CommandNode {
			continue
		}
		*commands++
		path := command.FullPath()
		help := runIn(t, ".", nil, "", append(strings.Fields(path)[1:], "--help")...)
		if help.code != 0 || help.stderr != "" || !strings.HasPrefix(help.stdout, "Usage: "+path) {
			t.Errorf("%s --help: %+v", path, help)
		}
		fmt.Fprintf(b, "\n## %s\n\n```text\n%s\n```\n", path, strings.TrimSpace(help.stdout))
		describe(t, b, command, commands)
	}
}
