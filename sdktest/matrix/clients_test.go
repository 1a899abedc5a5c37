package matrix

import (
	"path/filepath"
	"testing"

	"github.com/weirproxy/weir/sdktest/internal/install"
)

// client is one row of the matrix. Its program is in the folder of its language.
type client struct {
	language language
	program  string // the client's name, and its program's
}

func (c client) name() string { return string(c.language) + "/" + c.program }

type language string

const (
	python language = "python"
	node   language = "node"
	golang language = "go"
	java   language = "java"
	rust   language = "rust"
)

var clients = []client{
	{python, "openai"},
	{python, "langchain-openai"},
	{python, "llama-index-llms-openai-like"},
	{python, "pydantic-ai"},
	{python, "instructor"},
	{python, "litellm"},
	{python, "llm"},
	{node, "openai"},
	{node, "openai-7.5.0"},
	{node, "openai-4.104.0"},
	{node, "ai-sdk-openai-compatible"},
	{node, "ai-sdk-openai"},
	{node, "langchain-openai"},
	{node, "continuedev-openai-adapters"},
	{golang, "openai-go"},
	{golang, "go-openai"},
	{java, "openai-java"},
	{rust, "async-openai"},
}

// known are failures that are the client's own fault, each with how that was seen. What is no longer one fails the test.
var known = []struct{ client, feature, why string }{}

// install makes the client's program ready, and returns the command that runs it and the folder to run it in.
func (c client) install(t *testing.T) (command []string, dir string) {
	t.Helper()
	switch c.language {
	case python:
		interpreter := install.Venv(t, "matrix-"+c.program, filepath.Join("python", "requirements", c.program+".txt"))
		return []string{interpreter, c.program + ".py"}, "python"
	case node:
		dir := filepath.Join("node", c.program)
		return []string{install.Node(t, dir), "suite.mjs"}, dir
	case golang:
		return c.installGo(t), "."
	case java:
		return c.installJava(t), "."
	case rust:
		return c.installRust(t), "."
	}
	t.Fatalf("no such language: %s", c.language)
	return nil, ""
}

func (c client) installGo(t *testing.T) []string {
	t.Helper()
	tool := install.Program(t, "go", "version", 1, 26)
	binary := install.Cache(t, "matrix-"+c.program)
	install.Step(t, filepath.Join("go", c.program), []string{"GOFLAGS=", "GOWORK=off"}, tool, "build", "-o", binary, ".")
	return []string{binary}
}

// installJava keeps what Maven builds and the libraries outside of the source, like all the rest.
func (c client) installJava(t *testing.T) []string {
	t.Helper()
	vm := install.Program(t, "java", "-version", 17, 0)
	maven := install.Program(t, "mvn", "-version", 3, 8)
	target := install.Cache(t, "matrix-"+c.program)
	install.Step(t, "java", nil, maven, "--quiet", "--batch-mode", "-Dweir.target="+target, "package", "dependency:copy-dependencies")
	return []string{vm, "-cp", filepath.Join(target, "classes") + string(filepath.ListSeparator) + filepath.Join(target, "dependency", "*"), "Suite"}
}

func (c client) installRust(t *testing.T) []string {
	t.Helper()
	cargo := install.Program(t, "cargo", "--version", 1, 85)
	target := install.Cache(t, "matrix-"+c.program)
	install.Step(t, "rust", []string{"CARGO_TARGET_DIR=" + target}, cargo, "build", "--quiet", "--locked")
	return []string{filepath.Join(target, "debug", c.program)}
}
