// Package agents runs unmodified coding agents against the real program. Each reads a file, edits it, runs a command and answers, at targets
// that speak different dialects. How often the target is asked is counted: agents repeat in silence what failed.
//
//	make clients                                                       all of it, with the other clients
//	go test -count=1 ./sdktest/agents -run 'TestAgents/codex' -v       one agent
//
// package.json pins them, and they are installed next to it. A missing Node skips them, but fails where CI is set.
package agents

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weirproxy/weir/internal/app/apptest"
	"github.com/weirproxy/weir/internal/sim"
	"github.com/weirproxy/weir/sdktest/internal/install"
)

// patience bounds an agent's run.
const patience = 45 * time.Second

// What the file says before and after, what the command prints, and what the agent says at the end.
const (
	before, after = "alpha-before", "beta-after"
	command       = "printf ran-%s 42"
	printed       = "ran-42"
	farewell      = "All three steps are done."
	prompt        = "Do what is to be done in this folder."
	patch         = "*** Begin Patch\n*** Update File: task.txt\n@@\n-" + before + "\n+" + after + "\n*** End Patch\n"
)

// place is where an agent works.
type place struct {
	url, key, file string
	home           string
}

type agent struct {
	name  string
	model string
	// read, edit and run are the calls of the agent's own tools that do the three steps.
	read, edit, run func(file string) sim.Call
	args            []string
	setup           func(p *place) []string // the arguments of a first run, which stores its settings
	env             func(p *place) []string
	// settings are files below its home, by their paths.
	settings func(p *place) map[string]string
	aside    int // calls beside those of the turn, such as for a title
}

func call(name string, arguments any) sim.Call {
	text, err := json.Marshal(arguments)
	if err != nil {
		panic(err) // it is made of strings
	}
	return sim.Call{Name: name, Arguments: text}
}

type object map[string]any

var agents = []agent{
	{
		name: "claude", model: "claude-opus-4-8", args: []string{"-p", prompt, "--dangerously-skip-permissions"},
		read: func(file string) sim.Call { return call("Read", object{"file_path": file}) },
		edit: func(file string) sim.Call {
			// As it sends it back: Google's signatures hold for the call as it was.
			return sim.Call{Name: "Edit", Arguments: fmt.Appendf(nil, `{"replace_all":false,"file_path":%q,"old_string":%q,"new_string":%q}`, file, before, after)}
		},
		run: func(string) sim.Call {
			return call("Bash", object{"command": command, "description": "prints a number"})
		},
		env: func(p *place) []string {
			return []string{"ANTHROPIC_BASE_URL=" + p.url, "ANTHROPIC_AUTH_TOKEN=" + p.key, "ANTHROPIC_MODEL=claude-opus-4-8", "IS_SANDBOX=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"}
		},
	},
	{
		name: "codex", model: "gpt-5.5", args: []string{"exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt},
		read: func(string) sim.Call { return call("exec_command", object{"cmd": "cat task.txt"}) },
		edit: func(string) sim.Call {
			return call("apply_patch", patch)
		},
		run: func(string) sim.Call { return call("exec_command", object{"cmd": command}) },
		env: func(p *place) []string { return []string{"WEIR_KEY=" + p.key} },
		settings: func(p *place) map[string]string {
			return map[string]string{".codex/config.toml": fmt.Sprintf("model = \"gpt-5.5\"\nmodel_provider = \"weir\"\n\n[model_providers.weir]\nname = \"Weir\"\nbase_url = %q\nenv_key = \"WEIR_KEY\"\nwire_api = \"responses\"\n", p.url+"/v1")}
		},
	},
	{
		name: "gemini", model: "gemini-3-pro", args: []string{"-m", "gemini-3-pro", "--yolo", "-p", prompt},
		read: func(file string) sim.Call { return call("read_file", object{"file_path": file}) },
		edit: func(file string) sim.Call {
			return call("replace", object{"file_path": file, "old_string": before, "new_string": after, "instruction": "Replace the word."})
		},
		run: func(string) sim.Call { return call("run_shell_command", object{"command": command}) },
		env: func(p *place) []string {
			return []string{"GOOGLE_GEMINI_BASE_URL=" + p.url, "GEMINI_API_KEY=" + p.key, "GEMINI_CLI_TRUST_WORKSPACE=true"}
		},
		settings: func(*place) map[string]string {
			return map[string]string{".gemini/settings.json": `{"security":{"auth":{"selectedType":"gemini-api-key"}},"privacy":{"usageStatisticsEnabled":false},"general":{"enableAutoUpdate":false}}`}
		},
	},
	{
		name: "qwen", model: "gpt-5.5", args: []string{"--auth-type", "openai", "--yolo", "-p", prompt},
		read: func(file string) sim.Call { return call("read_file", object{"file_path": file}) },
		edit: func(file string) sim.Call {
			return call("edit", object{"file_path": file, "old_string": before, "new_string": after})
		},
		run: func(string) sim.Call {
			return call("run_shell_command", object{"command": command, "is_background": false, "description": "prints a number"})
		},
		env: func(p *place) []string {
			return []string{"OPENAI_BASE_URL=" + p.url + "/v1", "OPENAI_API_KEY=" + p.key, "OPENAI_MODEL=gpt-5.5"}
		},
		settings: func(*place) map[string]string {
			return map[string]string{".qwen/settings.json": `{"privacy":{"usageStatisticsEnabled":false},"general":{"disableAutoUpdate":true}}`}
		},
	},
	{
		name: "opencode", model: "smart", args: []string{"run", "--model", "weir/smart", prompt},
		read: func(file string) sim.Call { return call("read", object{"filePath": file}) },
		edit: func(file string) sim.Call {
			return call("edit", object{"filePath": file, "oldString": before, "newString": after})
		},
		run: func(string) sim.Call {
			return call("bash", object{"command": command, "description": "prints a number"})
		},
		env: func(p *place) []string { return []string{"WEIR_KEY=" + p.key, "OPENCODE_DISABLE_AUTOUPDATE=1"} },
		settings: func(p *place) map[string]string {
			return map[string]string{"work/opencode.json": fmt.Sprintf(`{"provider":{"weir":{"npm":"@ai-sdk/openai-compatible","name":"Weir","options":{"baseURL":%q,"apiKey":"{env:WEIR_KEY}"},"models":{"smart":{}}}}}`, p.url+"/v1")}
		},
		aside: 1,
	},
	{
		name: "cline", model: "gpt-5.5", args: []string{prompt},
		setup: func(p *place) []string {
			return []string{"auth", "--provider", "openai-compatible", "--baseurl", p.url + "/v1", "--apikey", p.key, "--modelid", "gpt-5.5"}
		},
		read: func(file string) sim.Call { return call("read_files", object{"files": []object{{"path": file}}}) },
		edit: func(string) sim.Call { return call("apply_patch", object{"input": patch}) },
		run:  func(string) sim.Call { return call("run_commands", object{"commands": []string{command}}) },
		env: func(*place) []string {
			// Else it starts a server that goes on after it.
			return []string{"CLINE_SESSION_BACKEND_MODE=local", "CLINE_NO_AUTO_UPDATE=1"}
		},
	},
}

// targets are the dialects behind Weir: the kind of its provider, and the path of its address.
var targets = []struct{ name, provider string }{
	{"chat", `{kind: openai, base_url: "%s", api_key: k}`},
	{"responses", `{kind: openai, base_url: "%s", api_key: k, speaks: [responses]}`},
	{"anthropic", `{kind: anthropic, base_url: "%s", api_key: k}`},
	{"gemini", `{kind: gemini, base_url: "%s/v1beta", api_key: k}`},
}

// Agents run a whole loop at every target, and ask no more often than for its four turns.
func TestAgents(t *testing.T) {
	bin := install.Programs(t, ".")
	for _, a := range agents {
		for _, target := range targets {
			t.Run(a.name+"/"+target.name, func(t *testing.T) { a.loop(t, filepath.Join(bin, a.name), target.provider) })
		}
	}
}

// rules answer by what the conversation has in it by now: the last step first.
func (a *agent) rules(file string) []sim.Rule {
	after, err := json.Marshal(after)
	if err != nil {
		panic(err)
	}
	return []sim.Rule{
		{Match: sim.Match{Contains: printed}, Text: farewell},
		{Match: sim.Match{Contains: strings.Trim(string(after), `"`)}, Calls: []sim.Call{a.run(file)}, Text: "{}"},
		{Match: sim.Match{Contains: before}, Calls: []sim.Call{a.edit(file)}, Text: "{}"},
		{Calls: []sim.Call{a.read(file)}, Text: "{}"},
	}
}

func (a *agent) loop(t *testing.T, program, provider string) {
	home := t.TempDir()
	work := filepath.Join(home, "work")
	file := filepath.Join(work, "task.txt")
	write(t, file, before+"\n")
	script, err := json.Marshal(sim.Script{Key: "k", Rules: a.rules(file)})
	if err != nil {
		t.Fatal(err)
	}
	upstream := apptest.NewUpstream(t, script)
	weir := apptest.StartWith(t, "providers:\n  up: "+fmt.Sprintf(provider, upstream.URL())+"\nmodels:\n  \"*\": {targets: [up/"+a.model+"]}\n")
	p := &place{url: weir.URL(), key: weir.NewKey(t, "all"), file: file, home: home}
	if a.settings != nil {
		for path, text := range a.settings(p) {
			write(t, filepath.Join(home, path), text)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	start := func(args []string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Dir, cmd.WaitDelay = work, 5*time.Second
		cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TERM=dumb", "NO_COLOR=1", "NO_PROXY=127.0.0.1"}, a.env(p)...)
		return cmd
	}
	if a.setup != nil {
		if out, err := start(a.setup(p)).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	cmd := start(a.args)
	out, err := cmd.CombinedOutput()
	text, readErr := os.ReadFile(file)
	asked := 0
	for _, served := range upstream.Served() {
		if served.Endpoint != "/models" {
			asked++
		}
	}
	if err != nil || readErr != nil || strings.TrimSpace(string(text)) != after || !strings.Contains(string(out), farewell) {
		t.Errorf("%v %v: the file says %q", err, readErr, text)
	}
	if asked != 4+a.aside {
		t.Errorf("the target was asked %d times, not %d", asked, 4+a.aside)
	}
	if t.Failed() {
		t.Logf("it said:\n%s", out)
		for _, s := range upstream.Served() {
			t.Logf("%s %s %d: %.200s … %s", s.Endpoint, s.Model, s.Status, s.Body, s.Body[max(0, len(s.Body)-600):])
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
