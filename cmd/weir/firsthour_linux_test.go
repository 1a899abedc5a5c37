package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// released is the folder with the files of a release, of which TestFirstHour then uses the archive. tools/release sets it in its tests.
const released = "WEIR_RELEASE"

var took = regexp.MustCompile(`@@ took (\d+)`)

// TestFirstHour: a developer with a provider's key and Ollama on the machine types what the first page says, and nothing else. Whatever Weir found answers,
// within a minute of the download.
func TestFirstHour(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds the program, which -short leaves out")
	}
	commands := firstCommands(t)
	for _, model := range []string{"ollama/llama3.2", "openai/gpt-5"} {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			var script strings.Builder
			script.WriteString(shell + `cd reader || exit 1
echo '{"models": ["llama3.2"]}' >../ollama.json
weir sim --listen 127.0.0.1:11434 --script ../ollama.json & ready http://127.0.0.1:11434/v1/models $!
echo '{"models": ["gpt-5"]}' >../openai.json
weir sim --listen 127.0.0.1:8941 --script ../openai.json & ready http://127.0.0.1:8941/v1/models $!
export OPENAI_API_KEY=sk-openai-of-the-reader OPENAI_BASE_URL=http://127.0.0.1:8941/v1
began=$(date +%s%N); set -e
`)
			for _, one := range commands {
				fmt.Fprintln(&script, launched(strings.Replace(one, "sim/chat", model, 1)))
			}
			script.WriteString("echo; echo @@ took $((($(date +%s%N) - began) / 1000000))\n")
			out := alone(t, time.Minute, script.String())
			after := took.FindStringSubmatch(out)
			if after == nil || !strings.Contains(out, "You said: Hello!") || !strings.Contains(out, `"id":"`+model+`"`) {
				t.Fatalf("it does not answer:\n%s", out)
			}
			t.Logf("the first answer came after %s ms", after[1])
		})
	}
}

// firstCommands are those of the first page up to the first answer. A release is checked and unpacked, and its program serves; without one the program that is
// built here does.
func firstCommands(t *testing.T) []string {
	t.Helper()
	_, page := storyOf(t, "start/first-steps.md")
	find := func(beginning string) int {
		at := slices.IndexFunc(page, func(one step) bool { return strings.HasPrefix(one.command, beginning) })
		if at < 0 {
			t.Fatalf("the page has no command %s", beginning)
		}
		return at
	}
	const folder = "weir_0.1.0_linux_amd64"
	commands := []string{page[find("weir serve")].command}
	if from := os.Getenv(released); from != "" {
		archive := one(t, from, "*_"+runtime.GOOS+"_"+runtime.GOARCH+".tar.gz")
		_, verify := storyOf(t, "guides/verify.md")
		commands = []string{fmt.Sprintf("cp %s %s .", filepath.Join(from, "SHA256SUMS"), archive), verify[0].command}
		for _, beginning := range []string{"tar -xzf " + folder, "./" + folder} {
			commands = append(commands, strings.ReplaceAll(page[find(beginning)].command, folder, strings.TrimSuffix(filepath.Base(archive), ".tar.gz")))
		}
	}
	for _, one := range page[find("export KEY="):] {
		commands = append(commands, one.command)
		if strings.Contains(one.command, "chat/completions") {
			break
		}
	}
	return commands
}

// one is the only file of a folder that fits.
func one(t *testing.T, folder, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s has %d files %s: %v", folder, len(found), pattern, err)
	}
	return found[0]
}
