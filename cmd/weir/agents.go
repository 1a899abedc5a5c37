package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"text/tabwriter"
	"text/template"

	"github.com/weirproxy/weir/internal/llm"
)

type agentsCmd struct {
	Agent   string `arg:"" optional:"" help:"The agent: claude-code, codex, gemini, opencode, cline, aider or qwen-code. Default: list them."`
	URL     string `default:"http://127.0.0.1:8930" placeholder:"URL" help:"Where the agent reaches Weir, with or without /v1. Default: http://127.0.0.1:8930."`
	Model   string `placeholder:"NAME" help:"The model to use. Default: one that the agent asks for by itself, or a common one."`
	KeyFile string `placeholder:"FILE" help:"File with the key, which the lines read; it is not printed. Default: the lines take it from WEIR_KEY."`
}

func (agentsCmd) Help() string {
	return `Prints the lines that let a coding agent reach every model of a Weir: environment variables, or a file of the agent's. Nothing is
asked or changed, and no key is printed. docs/guides/agents.md says what works with each agent.

Examples:
  weir agents claude-code --model claude-smart
  weir agents codex --url https://weir.example.com --model gpt-5.5
  eval "$(weir agents claude-code --key-file weir-data/first-key)"`
}

// agent is a program that can use Weir.
type agent struct {
	name, api string // as it is typed; what it speaks
	model     string // what is asked for without --model
	file      string // where the settings go, "" for none but the lines
	settings  string // of the file
	lines     string // for a shell, the last one starts the agent
}

// agents are set up as their own documentation says. Tried with Claude Code 2.1.331, Codex 0.169.0, Gemini CLI 0.61.0, opencode 1.18.33, Cline 3.0.65,
// aider 0.86.2 and Qwen Code 0.24.4: sdktest/agents runs the lines.
var agents = []agent{
	{
		name: "claude-code", api: "Anthropic's Messages", model: "claude-opus-4-8",
		lines: `export ANTHROPIC_BASE_URL={{sh .URL}}
export ANTHROPIC_AUTH_TOKEN={{.Key}}
claude --model {{sh .Model}}
`,
	},
	{
		name: "codex", api: "OpenAI's Responses", model: "gpt-5.5", file: "~/.codex/config.toml",
		settings: `model = {{quote .Model}}
model_provider = "weir"

[model_providers.weir]
name = "Weir"
base_url = {{quote .V1}}
env_key = "WEIR_KEY"
wire_api = "responses"
`,
		lines: `{{.Export}}codex
`,
	},
	{
		name: "gemini", api: "Google's generateContent", model: "gemini-3-pro",
		lines: `export GOOGLE_GEMINI_BASE_URL={{sh .URL}}
export GEMINI_API_KEY={{.Key}}
gemini -m {{sh .Model}}
`,
	},
	{
		name: "opencode", api: "chat completions", model: "gpt-5.5", file: "opencode.json",
		settings: `{
  "$schema": "https://opencode.ai/config.json",
  "provider": {
    "weir": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "Weir",
      "options": {"baseURL": {{quote .V1}}, "apiKey": "{env:WEIR_KEY}"},
      "models": { {{- quote .Model}}: {}}
    }
  }
}
`,
		lines: `{{.Export}}opencode --model {{sh (print "weir/" .Model)}}
`,
	},
	{
		name: "cline", api: "chat completions", model: "gpt-5.5",
		lines: `cline auth --provider openai-compatible --baseurl {{sh .V1}} --apikey {{.Key}} --modelid {{sh .Model}}
cline
`,
	},
	{
		name: "aider", api: "chat completions", model: "gpt-5.5",
		lines: `export OPENAI_API_BASE={{sh .V1}}
export OPENAI_API_KEY={{.Key}}
aider --model {{sh (print "openai/" .Model)}}
`,
	},
	{
		name: "qwen-code", api: "chat completions", model: "gpt-5.5",
		lines: `export OPENAI_BASE_URL={{sh .V1}}
export OPENAI_API_KEY={{.Key}}
export OPENAI_MODEL={{sh .Model}}
qwen --auth-type openai
`,
	},
}

// setup is what the lines of an agent are made of.
type setup struct {
	URL, V1 string // without and with /v1
	Model   string
	Key     string // the key, in the words of a shell
	Export  string // the line that gives it to programs as WEIR_KEY, or ""
}

// Run prints the lines, or the list.
func (c agentsCmd) Run(sys *system) error {
	if c.Agent == "" {
		return c.list(sys)
	}
	for i := range agents {
		if agents[i].name == c.Agent {
			with, err := c.setup(&agents[i])
			if err != nil {
				return &exitError{2, err}
			}
			text, err := agents[i].print(with)
			if err == nil {
				_, err = fmt.Fprint(sys.stdout, text)
			}
			return err
		}
	}
	return &exitError{2, fmt.Errorf("%q is not an agent that is known here: weir agents lists these. Any other agent that takes a base URL works, as docs/guides/agents.md shows", c.Agent)}
}

func (c agentsCmd) list(sys *system) error {
	out := tabwriter.NewWriter(sys.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "AGENT\tSPEAKS") // Flush returns the errors of all
	for i := range agents {
		fmt.Fprintf(out, "%s\t%s\n", agents[i].name, agents[i].api)
	}
	return out.Flush()
}

func (c agentsCmd) setup(a *agent) (setup, error) {
	u, err := url.Parse(c.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return setup{}, fmt.Errorf("--url %q is not the address of a server: write for example https://weir.example.com", c.URL)
	}
	with := setup{URL: strings.TrimSuffix(strings.TrimRight(c.URL, "/"), "/v1"), Model: cmp.Or(c.Model, a.model), Key: `"$WEIR_KEY"`}
	if !llm.ValidModelName(with.Model) {
		return setup{}, fmt.Errorf("--model must be a printable name of at most 256 bytes")
	}
	with.V1 = with.URL + "/v1"
	if c.KeyFile != "" {
		with.Key = `"$(cat ` + forShell(c.KeyFile) + `)"`
		with.Export = "export WEIR_KEY=" + with.Key + "\n"
	}
	return with, nil
}

// print writes the settings, in comments' company, and the lines. With no settings the whole can be run by a shell.
func (a *agent) print(with setup) (string, error) {
	var out strings.Builder
	for _, text := range []string{a.settings, a.lines} {
		made, err := template.New(a.name).Funcs(template.FuncMap{"sh": forShell, "quote": inFile}).Parse(text)
		if err != nil {
			return "", err
		}
		if text == a.lines && a.file != "" {
			out.WriteString("\n# Then:\n\n")
		} else if text != "" && a.file != "" {
			out.WriteString("# In " + a.file + ":\n\n")
		}
		if err := made.Execute(&out, with); err != nil {
			return "", err
		}
	}
	return out.String(), nil
}

// plain are words that a shell takes as they are.
var plain = regexp.MustCompile(`^[\w@%+=:,./~-]+$`)

// forShell is a word for a shell.
func forShell(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return quoted(word)
}

// inFile is a string for JSON and TOML, which spell these alike.
func inFile(text string) (string, error) {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(text)
	return strings.TrimSuffix(out.String(), "\n"), err
}
