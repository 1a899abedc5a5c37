package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The lines do in a shell what they say, whatever the names have in them, and no key is printed.
func TestAgentsLinesRun(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	folder := t.TempDir()
	writeTest(t, filepath.Join(folder, "it's a key"), "made-up\n")
	const model, url = `a 'b" $c \d`, "https://weir.example.com/it's"
	for name, want := range map[string]string{
		"claude-code": "--model " + model + "|" + url + "|made-up",
		"codex":       "|made-up",
		"gemini":      "-m " + model + "|" + url + "|made-up",
		"opencode":    "--model weir/" + model + "|made-up",
		"cline":       "auth --provider openai-compatible --baseurl " + url + "/v1 --apikey made-up --modelid " + model,
		"aider":       "--model openai/" + model + "|" + url + "/v1|made-up",
		"qwen-code":   "--auth-type openai|" + url + "/v1|made-up|" + model,
	} {
		did := runIn(t, folder, nil, "", "agents", name, "--url", url+"/v1/", "--model", model, "--key-file", "it's a key")
		if did.code != 0 || did.stderr != "" || strings.Contains(did.stdout, "made-up") {
			t.Errorf("%s: %+v", name, did)
		}
		_, lines, found := strings.Cut(did.stdout, "# Then:\n")
		if !found {
			lines = did.stdout
		}
		stubs := `say() { printf %s "$*"; for v in ANTHROPIC_BASE_URL ANTHROPIC_AUTH_TOKEN GOOGLE_GEMINI_BASE_URL GEMINI_API_KEY OPENAI_API_BASE ` +
			`OPENAI_BASE_URL OPENAI_API_KEY OPENAI_MODEL WEIR_KEY; do eval "x=\$$v"; [ -z "$x" ] || printf '|%s' "$x"; done; }
claude() { say "$@"; }; codex() { say "$@"; }; gemini() { say "$@"; }; opencode() { say "$@"; }; cline() { [ -z "$*" ] || say "$@"; }; aider() { say "$@"; }; qwen() { say "$@"; }
`
		command := exec.CommandContext(t.Context(), shell, "-c", stubs+lines)
		command.Dir, command.Env = folder, []string{"PATH=" + os.Getenv("PATH")}
		out, err := command.CombinedOutput()
		if got := string(out); err != nil || got != want {
			t.Errorf("%s: %v\n%s\nwant\n%s\nof\n%s", name, err, got, want, did.stdout)
		}
	}
}

// Files are what the agents can read: JSON is JSON.
func TestAgentsFiles(t *testing.T) {
	did := runIn(t, t.TempDir(), nil, "", "agents", "opencode", "--model", `a "b"`)
	_, text, _ := strings.Cut(did.stdout, "opencode.json:\n")
	text, _, _ = strings.Cut(text, "# Then:")
	var read struct {
		Provider map[string]struct{ Models map[string]struct{} }
	}
	if err := json.Unmarshal([]byte(text), &read); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if _, ok := read.Provider["weir"].Models[`a "b"`]; !ok {
		t.Errorf("%+v", read)
	}
}

func TestAgentsWrongUsage(t *testing.T) {
	for want, args := range map[string][]string{
		`weir: "emacs" is not an agent that is known here: weir agents lists these.`: {"emacs"},
		`weir: --url "weir" is not the address of a server`:                          {"codex", "--url", "weir"},
		`weir: --url "https://me:secret@host" is not the address of a server`:        {"codex", "--url", "https://me:secret@host"},
		"weir: --model must be a printable name":                                     {"codex", "--model", "a\nb"},
	} {
		if did := runIn(t, t.TempDir(), nil, "", append([]string{"agents"}, args...)...); did.code != 2 || did.stdout != "" || !strings.HasPrefix(did.stderr, want) {
			t.Errorf("%v: %+v", args, did)
		}
	}
	if did := runIn(t, t.TempDir(), nil, "", "agents"); did.code != 0 || !strings.Contains(did.stdout, "codex        OpenAI's Responses\n") {
		t.Errorf("%+v", did)
	}
}

// The guide shows what the command prints.
func TestAgentsAreInTheGuide(t *testing.T) {
	page, err := os.ReadFile("../../docs/guides/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	for i := range agents {
		did := runIn(t, t.TempDir(), nil, "", "agents", agents[i].name, "--url", "https://weir.example.com")
		settings, lines, two := strings.Cut(did.stdout, "\n# Then:\n\n")
		if !two {
			settings, lines = "", settings
		}
		if _, text, ok := strings.Cut(settings, ":\n\n"); ok {
			settings = text
		}
		if !strings.Contains(string(page), "\n"+lines+"```") || !strings.Contains(string(page), settings) {
			t.Errorf("docs/guides/agents.md shows other lines than weir agents %s:\n%s%s", agents[i].name, settings, lines)
		}
	}
}
