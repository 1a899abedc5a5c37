package agents

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/sim"
)

const guide = "../../docs/guides/agents.md"

var fenced = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// guideFiles are the files that the guide has readers write, by their agents: the language of the block, and where the file is below the agent's home.
var guideFiles = map[string][2]string{"codex": {"toml", ".codex/config.toml"}, "opencode": {"json", "work/opencode.json"}}

// linesOf are an agent's lines in the guide, the last of which starts it, and its file.
func linesOf(t *testing.T, name string) (lines, file string) {
	t.Helper()
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range fenced.FindAllStringSubmatch(string(text), -1) {
		all := strings.Split(strings.TrimSpace(m[2]), "\n")
		switch last := all[len(all)-1]; {
		case m[1] == "sh" && strings.Fields(last)[0] == name:
			lines = strings.TrimSpace(m[2])
		case m[1] == guideFiles[name][0]:
			file = m[2]
		}
	}
	if lines == "" || (file == "") != (guideFiles[name][0] == "") {
		t.Fatalf("%s has no lines for %s, or no file", guide, name)
	}
	return lines, file
}

// TestGuide has each agent answer with the lines of the guide, which a shell reads as they are printed, with the address of this Weir in place of the printed one.
func TestGuide(t *testing.T) {
	slots := make(chan struct{}, together)
	for i := range agents {
		t.Run(agents[i].name, func(t *testing.T) {
			t.Parallel()
			slots <- struct{}{}
			defer func() { <-slots }()
			a := &agents[i]
			lines, file := linesOf(t, a.name)
			var p *place
			here := func(text string) string { return strings.ReplaceAll(text, "https://weir.example.com", p.url) }
			byGuide := *a
			byGuide.setup = nil
			byGuide.env = func(p *place) []string { return append(untouched(a.env(p), p), "WEIR_KEY="+p.key) }
			byGuide.settings = func(at *place) map[string]string {
				p = at
				all := map[string]string{}
				if a.settings != nil {
					all = a.settings(at)
				}
				if file != "" {
					all[guideFiles[a.name][1]] = here(file)
				}
				return all
			}
			byGuide.ask = func(prompt string, more ...string) []string {
				return append([]string{"-e", "-c", here(lines) + ` "$@"`, "sh"}, withoutModel(a.ask(prompt, more...))...)
			}
			s := setUp(t, &byGuide, &targets[1], func(*place) []sim.Rule { return []sim.Rule{{Text: farewell}} })
			s.env = []string{"PATH=" + filepath.Dir(s.program) + string(filepath.ListSeparator) + os.Getenv("PATH")}
			s.program = "/bin/sh"
			if out, err := s.run(t, prompt); err != nil || !strings.Contains(out, farewell) {
				t.Errorf("%v, the agent:\n%s", err, out)
			}
			if turns, _ := s.count(t); turns == 0 {
				t.Error("the target was not asked")
			}
		})
	}
}

// untouched are the variables that are about the tests, and not about where the model is.
func untouched(env []string, p *place) []string {
	return slices.DeleteFunc(env, func(v string) bool {
		return strings.Contains(v, p.url) || strings.Contains(v, p.key) || strings.Contains(v, "_MODEL=")
	})
}

// withoutModel is a command line without what the guide's lines have.
func withoutModel(args []string) (rest []string) {
	for i := 0; i < len(args); i++ {
		if slices.Contains([]string{"--model", "-m", "--auth-type"}, args[i]) {
			i++
			continue
		}
		rest = append(rest, args[i])
	}
	return rest
}
