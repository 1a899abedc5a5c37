package matrix

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirproxy/weir/sdktest/internal/install"
	"github.com/weirproxy/weir/sdktest/internal/snippet"
)

// pages have the programs for those who were given a URL and a key.
const pages = "../../docs/callers"

// TestSnippets runs the programs of the pages with the clients of this folder.
func TestSnippets(t *testing.T) {
	slots := make(chan struct{}, together)
	for _, c := range clients {
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			slots <- struct{}{}
			defer func() { <-slots }()
			command, _ := c.install(t)
			for _, s := range snippet.Of(t, pages, "chat", c.name()) {
				s.Run(t, func(code, dir string) *exec.Cmd { return c.snippet(t, s, command, code, dir) })
			}
		})
	}
}

// snippet is the command that runs a program of the pages; command runs the client's own.
func (c client) snippet(t *testing.T, s snippet.Snippet, command []string, code, dir string) *exec.Cmd {
	t.Helper()
	switch c.language {
	case python:
		return s.Python(command[0])
	case node:
		return snippet.Node(command[0], filepath.Join("node", c.program))
	case golang:
		return snippet.Go(t, filepath.Join("go", c.program), code, dir)
	case java:
		return exec.Command(command[0], "-cp", command[2], snippet.Write(t, dir, "Hello.java", code))
	}
	return c.rustSnippet(t, code, dir)
}

// rustSnippet has the program in the place of the client's own, with the same packages, which are compiled by now.
func (c client) rustSnippet(t *testing.T, code, dir string) *exec.Cmd {
	t.Helper()
	for _, name := range []string{"Cargo.toml", "Cargo.lock"} {
		text, err := os.ReadFile(filepath.Join("rust", name))
		if err != nil {
			t.Fatal(err)
		}
		renamed := strings.Replace(strings.Replace(string(text), `name = "async-openai"`+"\ndescription", `name = "hello"`+"\ndescription", 1), "client = {", "async-openai = {", 1)
		renamed = strings.Replace(renamed, "name = \"async-openai\"\nversion = \"0.0.0\"", "name = \"hello\"\nversion = \"0.0.0\"", 1)
		snippet.Write(t, dir, name, renamed)
	}
	snippet.Write(t, dir, "src/main.rs", code)
	target := install.Cache(t, "matrix-"+c.program)
	install.Step(t, dir, []string{"CARGO_TARGET_DIR=" + target}, install.Program(t, "cargo", "--version", 1, 85), "build", "--quiet", "--offline")
	return exec.Command(filepath.Join(target, "debug", "hello"))
}
