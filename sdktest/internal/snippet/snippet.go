// Package snippet reads the programs of docs/callers and runs them as they are printed, each with the client that it is about. It is test support.
package snippet

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/sim"
	"github.com/weirproxy/weir/sdktest/internal/install"
)

// printedURL is the address of Weir in the pages.
const printedURL = "https://weir.example.com"

// patience bounds a program, so that one which hangs ends with its output.
const patience = 3 * time.Minute

// Snippet is a block of code, for one of the clients that it is run with.
type Snippet struct {
	Page     string // the file's name
	API      string // chat, Messages, Responses or generateContent
	Client   string // as the page of clients calls it, such as python/openai
	Language string // of the block: sh, python, js, go, java, rust
	Code     string
	Prints   string // what its output has
}

var block = regexp.MustCompile("(?ms)^<!-- run as (\\w+) ([^\\n]*?)(?:, which prints \"([^\"]+)\")? -->\n```(\\w+)\n(.*?)^```$")

// Read returns the programs of the pages in a folder.
func Read(t *testing.T, folder string) (all []Snippet) {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		found := block.FindAllStringSubmatch(string(text), -1)
		if fences := strings.Count(string(text), "\n```") / 2; len(found) != fences {
			t.Errorf("%s has %d blocks of code, and says of %d how they are run", page, fences, len(found))
		}
		for _, m := range found {
			s := Snippet{Page: filepath.Base(page), API: m[1], Prints: m[3], Language: m[4], Code: m[5]}
			if s.Prints == "" {
				s.Prints = "Hello!" // the simulated provider repeats what it is asked
			}
			for _, s.Client = range strings.Split(m[2], ", ") {
				all = append(all, s)
			}
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s has no programs", folder)
	}
	return all
}

// Of returns the programs for one client and API.
func Of(t *testing.T, folder, api, client string) []Snippet {
	t.Helper()
	all := slices.DeleteFunc(Read(t, folder), func(s Snippet) bool { return s.API != api || s.Client != client })
	if len(all) == 0 {
		t.Errorf("%s has no program for %s with %s", folder, client, api)
	}
	return all
}

// Run runs the program against a Weir of its own. A command that reads the program from its input gets it there; start gets it as well, with a folder for files.
func (s Snippet) Run(t *testing.T, start func(code, dir string) *exec.Cmd) {
	t.Helper()
	upstream := apptest.NewUpstream(t, nil)
	weir := apptest.StartWith(t, "providers:\n  up: {kind: openai, base_url: \""+upstream.URL()+"\", api_key: simulated}\nmodels:\n  smart: {targets: [up/smart]}\n")
	code, dir := strings.ReplaceAll(s.Code, printedURL, weir.URL()), t.TempDir()
	code = strings.ReplaceAll(code, "export WEIR_KEY=sk-weir-…\n", "")
	if strings.Contains(code, "weir.example.com") || !strings.Contains(code, weir.URL()) {
		t.Fatalf("%s names no address %s:\n%s", s.Page, printedURL, s.Code)
	}
	made := start(code, dir)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, made.Path, made.Args[1:]...)
	cmd.Dir, cmd.WaitDelay = made.Dir, 10*time.Second
	if cmd.Dir == "" {
		cmd.Dir = dir
	}
	cmd.Stdin = strings.NewReader(code)
	cmd.Env = append(environment(), "WEIR_KEY="+weir.NewKey(t, "caller"), "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1", "PYTHONWARNINGS=ignore",
		"PYTHONDONTWRITEBYTECODE=1", "LITELLM_LOCAL_MODEL_COST_MAP=True", "LANGSMITH_TRACING=false", "LLM_USER_PATH="+dir)
	cmd.Env = append(cmd.Env, made.Env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil || !strings.Contains(stdout.String(), s.Prints) {
		t.Errorf("%s, %s with %s: %v; its output has no %q:\n%s%s", s.Page, s.Client, s.API, err, s.Prints, stdout.Bytes(), stderr.Bytes())
	}
	s.look(t, upstream.Served())
}

// look checks that the program's question has come to the provider, once.
func (s Snippet) look(t *testing.T, served []sim.Served) {
	t.Helper()
	want := 1
	if strings.Contains(s.Code, "/v1/models") {
		want = 0
	}
	if len(served) != want || want == 1 && !bytes.Contains(served[0].Body, []byte("Hello!")) {
		t.Errorf("%s, %s with %s: the provider was asked %d times", s.Page, s.Client, s.API, len(served))
	}
}

// environment is this process's without what clients would read of it.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		return slices.ContainsFunc([]string{"OPENAI_", "ANTHROPIC_", "GOOGLE_", "GEMINI_", "WEIR_"}, func(prefix string) bool { return strings.HasPrefix(v, prefix) })
	})
}

// Python runs a program with an interpreter, of Python's own or a shell's, which finds the programs that are installed with it.
func (s Snippet) Python(interpreter string) *exec.Cmd {
	if s.Language == "sh" {
		return Shell("PATH=" + filepath.Dir(interpreter) + string(filepath.ListSeparator) + os.Getenv("PATH"))
	}
	return exec.Command(interpreter, "-")
}

// Shell runs lines as a shell does, and ends at the first that fails.
func Shell(env ...string) *exec.Cmd {
	cmd := exec.Command("sh", "-e")
	cmd.Env = env
	return cmd
}

// Node runs a program as a module that finds the packages of a folder.
func Node(node, dir string) *exec.Cmd {
	cmd := exec.Command(node, "--input-type=module")
	cmd.Dir = dir
	return cmd
}

// Go compiles a program with the packages of the module in a folder, and runs it.
func Go(t *testing.T, module, code, dir string) *exec.Cmd {
	t.Helper()
	tool, binary := install.Program(t, "go", "version", 1, 26), filepath.Join(dir, "hello")
	install.Step(t, module, []string{"GOFLAGS=", "GOWORK=off"}, tool, "build", "-o", binary, Write(t, dir, "main.go", code))
	return exec.Command(binary)
}

// Write writes a file of a program, and returns its path.
func Write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
