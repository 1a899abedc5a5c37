// Package agents runs unmodified coding agents against the real program, at targets that speak five dialects, and writes what works where into
// docs/reference/agents.md. Each reads a file, edits it, runs a command and answers; it sees a picture, gives its answer a form, and meets errors, streams that
// are cut, and Ctrl-C. How often the targets are asked is counted: agents repeat in silence what failed.
//
//	make clients                                                            all of it, with the other clients, and writes the page
//	go test -count=1 ./sdktest/agents -run 'TestAgents/codex' -v            one agent
//	go test -count=1 ./sdktest/agents -run 'TestAgents/codex/gemini/image' -v
//
// Without -update the results of each agent must be those of the page. package.json and requirements.txt pin the agents, which are installed outside git, each by
// itself: one that cannot be had fails alone. A missing Node, Python or git skips those that need it, but fails where CI is set.
package agents

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/sim"
	"github.com/weirproxy/weir/sdktest/internal/install"
)

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
	url, key            string
	home, work          string
	file, picture, form string // files in work
}

type agent struct {
	name, pin, api string // pin is its line in package.json or requirements.txt
	// ask is the command line of a session that ends with its answer.
	ask func(prompt string, more ...string) []string
	env func(p *place) []string
	// setup is the command line of a run before, which stores its settings, and settings are files below its home, by their paths.
	setup    func(p *place) []string
	settings func(p *place) map[string]string
	// steps are what the model does for the three steps, the last first.
	steps    []func(p *place) sim.Rule
	main     string                                                    // is in the requests of a turn, and in none beside, such as for a title
	aside    int                                                       // requests beside those of a session's turns
	mention  string                                                    // the words by which a prompt shows it the picture
	tests    []string                                                  // the arguments by which it runs the command, if the model cannot ask for it
	shows    func(p *place) []string                                   // the arguments that show it a picture; nil if its own tool reads pictures
	forms    func(p *place) []string                                   // those that give the answer a form
	form     func() sim.Rule                                           // what the model answers then; nil for the text
	patience func(p *place) (env []string, settings map[string]string) // has it repeat a request once only; nil if it has no such setting
	lacks    map[string]string                                         // features that it does not have, and why
}

func call(name string, arguments any) sim.Call {
	text, err := json.Marshal(arguments)
	if err != nil {
		panic(err) // it is made of strings
	}
	return sim.Call{Name: name, Arguments: text}
}

type object map[string]any

// calls are the steps of an agent that has a tool for each.
func calls(read, edit, run func(p *place) sim.Call) []func(p *place) sim.Rule {
	step := func(contains string, c func(p *place) sim.Call) func(p *place) sim.Rule {
		return func(p *place) sim.Rule {
			return sim.Rule{Match: sim.Match{Contains: contains}, Calls: []sim.Call{c(p)}, Text: "{}"}
		}
	}
	return []func(p *place) sim.Rule{step(after, run), step(before, edit), step("", read)}
}

const (
	onlyTexts = "it asks for no forms"
	schema    = `{"type":"object","properties":{"greeting_of_weir":{"type":"string"}},"required":["greeting_of_weir"],"additionalProperties":false}`
	formed    = `{"greeting_of_weir":"good morning"}`
)

func codexSettings(p *place) string {
	return fmt.Sprintf("model = \"gpt-5.5\"\nmodel_provider = \"weir\"\n\n[model_providers.weir]\nname = \"Weir\"\nbase_url = %q\nenv_key = \"WEIR_KEY\"\nwire_api = \"responses\"\n", p.url+"/v1")
}

const geminiSettings = `{"security":{"auth":{"selectedType":"gemini-api-key"}},"privacy":{"usageStatisticsEnabled":false},"general":{"enableAutoUpdate":false%s}}`

var agents = []agent{
	{
		name: "claude", pin: "@anthropic-ai/claude-code", api: "Messages", main: `"Bash"`,
		ask: func(prompt string, more ...string) []string {
			return append([]string{"-p", prompt, "--dangerously-skip-permissions"}, more...)
		},
		steps: calls(
			func(p *place) sim.Call { return call("Read", object{"file_path": p.file}) },
			func(p *place) sim.Call {
				// As it sends it back: Google's signatures hold for the call as it was.
				return sim.Call{Name: "Edit", Arguments: fmt.Appendf(nil, `{"replace_all":false,"file_path":%q,"old_string":%q,"new_string":%q}`, p.file, before, after)}
			},
			func(*place) sim.Call {
				return call("Bash", object{"command": command, "description": "prints a number"})
			},
		),
		env: func(p *place) []string {
			return []string{"ANTHROPIC_BASE_URL=" + p.url, "ANTHROPIC_AUTH_TOKEN=" + p.key, "ANTHROPIC_MODEL=claude-opus-4-8", "IS_SANDBOX=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"}
		},
		patience: func(*place) ([]string, map[string]string) { return []string{"CLAUDE_CODE_MAX_RETRIES=1"}, nil },
		forms:    func(*place) []string { return []string{"--output-format", "json", "--json-schema", schema} },
		form: func() sim.Rule {
			return sim.Rule{Calls: []sim.Call{{Name: "StructuredOutput", Arguments: json.RawMessage(formed)}}}
		},
	},
	{
		name: "codex", pin: "@openai/codex", api: "Responses", main: `"exec_command"`,
		ask: func(prompt string, more ...string) []string {
			return append([]string{"exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt}, more...)
		},
		steps: calls(
			func(*place) sim.Call { return call("exec_command", object{"cmd": "cat task.txt"}) },
			func(*place) sim.Call { return call("apply_patch", patch) },
			func(*place) sim.Call { return call("exec_command", object{"cmd": command}) },
		),
		env: func(p *place) []string { return []string{"WEIR_KEY=" + p.key} },
		settings: func(p *place) map[string]string {
			return map[string]string{".codex/config.toml": codexSettings(p)}
		},
		patience: func(p *place) ([]string, map[string]string) {
			return nil, map[string]string{".codex/config.toml": codexSettings(p) + "request_max_retries = 1\nstream_max_retries = 0\n"}
		},
		shows: func(p *place) []string { return []string{"-i", p.picture} },
		forms: func(p *place) []string { return []string{"--output-schema", p.form} },
	},
	{
		name: "gemini", pin: "@google/gemini-cli", api: "generateContent", main: `"run_shell_command"`,
		ask: func(prompt string, more ...string) []string {
			return append([]string{"-m", "gemini-3-pro", "--yolo", "-p", prompt}, more...)
		},
		steps: calls(
			func(p *place) sim.Call { return call("read_file", object{"file_path": p.file}) },
			func(p *place) sim.Call {
				return call("replace", object{"file_path": p.file, "old_string": before, "new_string": after, "instruction": "Replace the word."})
			},
			func(*place) sim.Call { return call("run_shell_command", object{"command": command}) },
		),
		env: func(p *place) []string {
			return []string{"GOOGLE_GEMINI_BASE_URL=" + p.url, "GEMINI_API_KEY=" + p.key, "GEMINI_CLI_TRUST_WORKSPACE=true"}
		},
		settings: func(*place) map[string]string {
			return map[string]string{".gemini/settings.json": fmt.Sprintf(geminiSettings, "")}
		},
		patience: func(*place) ([]string, map[string]string) {
			return nil, map[string]string{".gemini/settings.json": fmt.Sprintf(geminiSettings, `,"maxAttempts":2`)}
		},
		mention: "@picture.png ",
		lacks:   map[string]string{"structured": onlyTexts},
	},
	{
		name: "qwen", pin: "@qwen-code/qwen-code", api: "Chat completions", main: `"run_shell_command"`,
		ask: func(prompt string, more ...string) []string {
			return append([]string{"--auth-type", "openai", "--yolo", "-p", prompt}, more...)
		},
		steps: calls(
			func(p *place) sim.Call { return call("read_file", object{"file_path": p.file}) },
			func(p *place) sim.Call {
				return call("edit", object{"file_path": p.file, "old_string": before, "new_string": after})
			},
			func(*place) sim.Call {
				return call("run_shell_command", object{"command": command, "is_background": false, "description": "prints a number"})
			},
		),
		env: func(p *place) []string {
			return []string{"OPENAI_BASE_URL=" + p.url + "/v1", "OPENAI_API_KEY=" + p.key, "OPENAI_MODEL=gpt-5.5"}
		},
		settings: func(*place) map[string]string {
			return map[string]string{".qwen/settings.json": `{"privacy":{"usageStatisticsEnabled":false},"general":{"disableAutoUpdate":true}}`}
		},
		mention: "@picture.png ",
		forms:   func(*place) []string { return []string{"--json-schema", schema} },
		form: func() sim.Rule {
			return sim.Rule{Calls: []sim.Call{{Name: "structured_output", Arguments: json.RawMessage(formed)}}}
		},
	},
	{
		name: "opencode", pin: "opencode-ai", api: "Chat completions", main: `"bash"`, aside: 1,
		ask: func(prompt string, more ...string) []string {
			return append([]string{"run", prompt, "--model", "weir/smart"}, more...)
		},
		steps: calls(
			func(p *place) sim.Call { return call("read", object{"filePath": p.file}) },
			func(p *place) sim.Call {
				return call("edit", object{"filePath": p.file, "oldString": before, "newString": after})
			},
			func(*place) sim.Call {
				return call("bash", object{"command": command, "description": "prints a number"})
			},
		),
		env: func(p *place) []string {
			return []string{"WEIR_KEY=" + p.key, "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1"}
		},
		settings: func(p *place) map[string]string {
			return map[string]string{"work/opencode.json": fmt.Sprintf(`{"provider":{"weir":{"npm":"@ai-sdk/openai-compatible","name":"Weir","options":{"baseURL":%q,"apiKey":"{env:WEIR_KEY}"},"models":{"smart":{"attachment":true,"modalities":{"input":["text","image"],"output":["text"]}}}}}}`, p.url+"/v1")}
		},
		shows: func(p *place) []string { return []string{"--file", p.picture} },
		lacks: map[string]string{"structured": onlyTexts},
	},
	{
		name: "cline", pin: "cline", api: "Chat completions", main: `"run_commands"`,
		ask: func(prompt string, more ...string) []string { return append([]string{prompt}, more...) },
		setup: func(p *place) []string {
			return []string{"auth", "--provider", "openai-compatible", "--baseurl", p.url + "/v1", "--apikey", p.key, "--modelid", "gpt-5.5"}
		},
		steps: calls(
			func(p *place) sim.Call { return call("read_files", object{"files": []object{{"path": p.file}}}) },
			func(*place) sim.Call { return call("apply_patch", object{"input": patch}) },
			func(*place) sim.Call { return call("run_commands", object{"commands": []string{command}}) },
		),
		env: func(*place) []string {
			// Else it starts a server that goes on after it.
			return []string{"CLINE_SESSION_BACKEND_MODE=local", "CLINE_NO_AUTO_UPDATE=1"}
		},
		lacks: map[string]string{"structured": onlyTexts},
	},
	{
		name: "aider", pin: "aider-chat", api: "Chat completions",
		ask: func(prompt string, more ...string) []string {
			return append([]string{"--model", "openai/gpt-5.5", "--message", prompt, "--yes-always", "--no-check-update", "--analytics-disable", "--no-show-model-warnings", "--edit-format", "diff"}, more...)
		},
		// It has no tools: files that an answer names are shown, blocks in it are edits, and it runs tests, whose failure the model sees.
		steps: []func(p *place) sim.Rule{
			func(*place) sim.Rule {
				return sim.Rule{Match: sim.Match{Contains: "commit message"}, Text: "Replace the word"}
			},
			func(*place) sim.Rule {
				return sim.Rule{Match: sim.Match{Contains: before}, Text: "task.txt\n```\n<<<<<<< SEARCH\n" + before + "\n=======\n" + after + "\n>>>>>>> REPLACE\n```\n"}
			},
			func(*place) sim.Rule { return sim.Rule{Text: "Let me see task.txt."} },
		},
		shows: func(p *place) []string { return []string{"--model", "openai/gpt-4o", p.picture} }, // it has a list of models that see
		tests: []string{"--auto-test", "--test-cmd", command + "; test -e tested || { touch tested; exit 1; }"},
		env: func(p *place) []string {
			return []string{"OPENAI_API_BASE=" + p.url + "/v1", "OPENAI_API_KEY=" + p.key}
		},
		lacks: map[string]string{"structured": onlyTexts},
	},
}

// target is a provider behind Weir, by the dialect that it speaks.
type target struct {
	name     string
	provider string // with the address of the upstream, without /v1
	model    string
	overload int // the vendor's status for being overloaded
	begun    int // after so many events of a stream some content is out, but not all
}

var targets = []target{
	{"anthropic", `{kind: anthropic, base_url: "%s/v1", api_key: k}`, "claude-opus-4-8", 529, 5},
	{"chat", `{kind: openai, base_url: "%s/v1", api_key: k}`, "gpt-5.5", 503, 3},
	{"responses", `{kind: openai, base_url: "%s/v1", api_key: k, speaks: [responses]}`, "gpt-5.5", 503, 6},
	{"gemini", `{kind: gemini, base_url: "%s/v1beta", api_key: k}`, "gemini-3-pro-preview", 503, 2},
	{"bedrock", `{kind: bedrock, base_url: "%s", api_key: k}`, "anthropic.claude-sonnet-4-5-20250929-v1:0", 503, 5},
}

// program is the agent's, installed.
func (a *agent) program(t *testing.T) string {
	t.Helper()
	if a.name != "aider" {
		bin, err := install.Package(t, a.pin+"@"+a.version(), a.name)
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Join(bin, a.name)
	}
	install.Program(t, "git", "--version", 2, 0)
	return filepath.Join(filepath.Dir(install.Venv(t, "agents", "requirements.txt")), a.name)
}

// version is what the agent is pinned to.
func (a *agent) version() string {
	for _, file := range []string{"package.json", "requirements.txt"} {
		text, err := os.ReadFile(file)
		if err != nil {
			panic(err) // it is next to this file
		}
		if m := regexp.MustCompile(`(?m)^[ "]*` + regexp.QuoteMeta(a.pin) + `[":= ]+([0-9.]+)`).FindSubmatch(text); m != nil {
			return string(m[1])
		}
	}
	return ""
}

// title is what the page calls it.
func (a *agent) title() string {
	return strings.TrimSpace(map[string]string{
		"claude": "Claude Code", "codex": "Codex", "gemini": "Gemini CLI", "qwen": "Qwen Code", "opencode": "opencode", "cline": "Cline CLI", "aider": "aider",
	}[a.name] + " " + a.version())
}
