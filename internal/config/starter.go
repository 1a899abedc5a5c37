package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Starter is a commented config file for the kinds that were found: those whose variable is set, and those named
// in found, as in Default. The other kinds and the settings are there as comments. It holds no credential, only
// the names of variables. schema is the path of the JSON Schema for editors, relative to the file.
func (l Loader) Starter(schema string, found ...string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# yaml-language-server: $schema=%s\n", schema)
	b.WriteString(starterHead)
	b.WriteString(l.starterBody(found))
	b.WriteString(starterTail)
	return []byte(b.String())
}

const starterHead = `#
# Weir's config file. Everything here is optional; what is commented out shows the default or an example.
# ${VAR}, ${VAR:-default} and ${file:PATH} are replaced in values. Check it with: weir check

# listen: 127.0.0.1:8930                 # callers; 0.0.0.0:8930 for all interfaces
# admin: {listen: 127.0.0.1:8931}        # keys, reload, metrics
# store: sqlite:./weir-data/weir.db
# data: ./weir-data
# drain: {delay: 5s, timeout: 20s}
# limits: {body: 64MiB, answer: 10MiB, connections: 10000, depth: 256}
# cors: {origins: ["https://chat.example.com"]}

`

const starterTail = `
  # Names of your own, with the targets that serve them, in the order of trying:
  # smart:
  #   targets: [openai/gpt-5, groq/llama-3.3-70b-versatile]
  #   timeouts: {connect: 10s, first_token: 10m, idle: 2m, total: 30m, hold: 20s}
  #   retries: {max_attempts: 3}

# Keys that live in version control; ` + "`weir keys create --offline`" + ` mints one and prints its line.
# keys:
#   - {name: ci, digest: "sha256:…", models: [smart]}
`

// starterBody is the providers and models for what is found; the simulated provider if nothing is.
func (l Loader) starterBody(found []string) string {
	var live, local, idle, models strings.Builder // local belongs to idle, and is written first
	for _, k := range l.Kinds {
		line, ok := l.starterLine(k)
		switch {
		case !ok:
		case k.DefaultBaseURL != "" && (l.announced(k) || k.local() && slices.Contains(found, k.Name)):
			live.WriteString("  " + line)
			fmt.Fprintf(&models, "  \"%s/*\": {targets: [\"%s/*\"]}\n", k.Name, k.Name)
		case k.local():
			local.WriteString("  # " + line)
		default:
			idle.WriteString("  # " + line)
		}
	}
	if live.Len() == 0 {
		live.WriteString("  sim: {kind: sim}   # simulated answers, until there is a provider\n")
		models.WriteString("  sim/chat: {targets: [sim/chat]}\n  sim/embed: {targets: [sim/embed]}\n")
	}
	local.WriteString("  # local: {kind: openai, base_url: \"http://127.0.0.1:8000/v1\"}   # any OpenAI-compatible server\n")
	return "providers:\n" + live.String() + local.String() + idle.String() +
		"\nmodels:\n  # What callers name, and what serves it. NAME/* passes every model of a provider through:\n" + models.String()
}

// starterLine is the provider of one kind, named like it.
func (l Loader) starterLine(k Kind) (line string, ok bool) {
	if k.Name == SimKind {
		return "", false
	}
	fields := []string{"kind: " + k.Name}
	if k.DefaultBaseURL == "" {
		path := ""
		if k.APIVersion {
			path = "/openai/v1" // the API that needs no api_version
		}
		fields = append(fields, fmt.Sprintf(`base_url: %q`, cmp.Or(k.ExampleBaseURL, "https://…"+path)))
	}
	variable := k.EnvVar
	address := l.address(k)
	if address != "" && !l.own(address) {
		fields = append(fields, fmt.Sprintf("base_url: %q", strings.ReplaceAll(address, "$", "$$")))
		if !l.set(variable) { // what is there may well ask for none
			return fmt.Sprintf("%s: {%s}   # from %s\n", k.Name, strings.Join(fields, ", "), k.BaseEnv), true
		}
	}
	if k.Region {
		fields = append(fields, "region: eu-central-1")
	}
	if k.Cloud == GoogleCloud {
		fields = append(fields, "project: my-project")
	} else if k.NeedsKey || l.set(variable) {
		if variable == "" {
			variable = strings.ToUpper(k.Name) + "_API_KEY"
		}
		fields = append(fields, fmt.Sprintf(`api_key: "${%s}"`, variable))
	}
	return fmt.Sprintf("%s: {%s}\n", k.Name, strings.Join(fields, ", ")), true
}

// announced reports whether the environment holds a key meant for this kind, or the address of a server. A general token in the
// environment, such as HF_TOKEN, is not an offer to spend it. Neither is a key without its region, nor an address of this Weir.
func (l Loader) announced(k Kind) bool {
	if k.Region || k.local() {
		return !k.Region && l.keyed(k)
	}
	switch address := l.address(k); {
	case address == "":
		return l.keyed(k) && !l.ourKey(k.EnvVar)
	case l.own(address):
		return false
	}
	return true
}

// keyed reports whether the variable of the kind's key is set, and is one for keys alone.
func (l Loader) keyed(k Kind) bool { return strings.HasSuffix(k.EnvVar, "_API_KEY") && l.set(k.EnvVar) }

func (l Loader) ourKey(variable string) bool {
	value, _ := l.Env(variable)
	return l.OurKey != nil && l.OurKey(strings.TrimSpace(value))
}

// set reports whether a variable is in the environment and more than white space.
func (l Loader) set(name string) bool {
	if name == "" || l.Env == nil {
		return false
	}
	value, ok := l.Env(name)
	return ok && strings.TrimSpace(value) != ""
}
