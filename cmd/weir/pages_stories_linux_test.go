package main

// story is what a reader has before the first command of a page, and what of the page does not run here.
type story struct {
	before  string            // commands of a shell that run first
	files   map[string]string // blocks of the page that are files: "yaml 1" is the first one in YAML
	instead []string          // what is put in place of what: old, new, old, new
	left    map[string]string // beginnings of commands that are not run, and why
	fails   map[string]int    // beginnings of commands that end with another status than 0
	shows   bool              // the page shows what its commands write. Of other pages the figures are an example's
}

// elsewhereRun are programs whose commands are left out on every page, and why.
var elsewhereRun = map[string]string{
	"docker":    "it needs a daemon; the tests of deploy read what it reads",
	"kubectl":   "it needs a cluster; the tests of deploy hold the manifests to its schemas",
	"helm":      "it needs a cluster; the tests of deploy render the chart",
	"systemctl": "it is for the machine's own services; the tests of deploy verify the units",
	"install":   "it writes to folders of the machine",
	"ssh":       "it needs another machine",
	"vault":     "it needs a server; internal/source has one for its tests",
	"psql":      "it needs a server; the tests of the stores have one",
	"cosign":    "it asks the transparency log of a release that is published",
	"make":      "it makes a release; tools/release does so in its tests",
	"go":        "it runs benchmarks of the sources",
}

// house is a running Weir as guides have it, with models, keys and a team, and a request that was answered.
const house = `export OPENAI_API_KEY=sk-openai-of-the-reader
cat >weir.yaml <<'@@'
providers:
  openai: {kind: openai, base_url: "http://127.0.0.1:8941/v1", api_key: "${OPENAI_API_KEY}"}
  sim: {kind: sim}
models:
  smart: {targets: [openai/gpt-5]}
  fast: {targets: [sim/chat]}
  embed-small: {targets: [sim/embed]}
  "sim/*": {targets: ["sim/*"]}
@@
echo '{"model": "smart", "messages": [{"role": "user", "content": "Hello!"}]}' >request.json
weir sim --listen 127.0.0.1:8941 & ready http://127.0.0.1:8941/v1/models $!
weir serve & serving=$!; ready http://127.0.0.1:8930/readyz $serving
export KEY=$(weir keys create --name house --idempotency 24h)
curl -s -o answer.json -D headers "$WEIR/v1/chat/completions" -H "Authorization: Bearer $KEY" --json @request.json`

// upstream is a provider that guides may name.
const upstream = "weir sim --listen 127.0.0.1:8941 & ready http://127.0.0.1:8941/v1/models $!"

// withApp is the house with a key that many guides call app.
const withApp = house + "\nweir keys create --name app >app.key"

var stories = map[string]*story{
	"README.md": {
		before: "true", shows: true, instead: []string{"go run ./cmd/weir", "weir"},
		fails: map[string]int{"curl -s http://127.0.0.1:8930/v1/chat/completions": 22},
	},
	"start/first-steps.md": {
		before: upstream, shows: true, files: map[string]string{"yaml 1": "weir.yaml"},
		instead: []string{"sk-weir-i6oj…", "$(cat weir-data/first-key)", "openai: {kind: openai,", `openai: {kind: openai, base_url: "http://127.0.0.1:8941/v1",`},
		left:    map[string]string{"tar -xzf": "it needs a release, as TestFirstHour has one", "./weir_0.1.0": "it needs a release"},
	},

	"guides/caddy-and-traefik.md": {
		before: house, instead: []string{"https://weir.example.com", "http://127.0.0.1:8930"},
		left: map[string]string{"cp deploy/balancers": "it writes to a folder of the machine"},
	},
	"guides/console.md": {before: house},
	"guides/deploy.md": {left: map[string]string{
		"cd deploy/compose": "it is for docker compose", "mkdir -m 700 secrets": "it is for docker compose", "openssl rand": "it is for docker compose",
		"printf %s": "it is for docker compose", "chmod 644 secrets": "it is for docker compose", "curl http://127.0.0.1:8080": "it is for docker compose",
		"WEIR_DATA=/var/lib/weir": "it is for a service of the machine",
	}},
	"guides/explain.md": {before: withApp},
	"guides/gitops.md": {
		before:  house + "\nexport WEIR_ADMIN_TOKEN=$(cat weir-data/admin.token) && mkdir -p srv/config && git -C srv/config init -q && cp weir.yaml srv/config",
		instead: []string{"/srv/config", "srv/config", "/etc/weir/", "./", "https://weir-admin.example.com", "http://127.0.0.1:8931"},
		left:    map[string]string{"git -C": "it pulls from another machine"},
	},
	"guides/idempotency.md": {before: house + "\ncommand -v uuidgen >uuid || uuidgen() { cat /proc/sys/kernel/random/uuid; }"},
	"guides/import-litellm.md": {
		before: upstream + `
export OPENAI_API_KEY=sk-openai-of-the-reader
cat >config.yaml <<'@@'
model_list:
  - model_name: smart
    litellm_params: {model: openai/gpt-5, api_base: "http://127.0.0.1:8941/v1", api_key: os.environ/OPENAI_API_KEY}
@@
echo '{"models": ["smart"]}' >litellm.json
weir sim --listen 127.0.0.1:4000 --script litellm.json & ready http://127.0.0.1:4000/v1/models $!`,
		instead: []string{"sk-…", "$(cat weir-data/first-key)"},
		left: map[string]string{
			"weir import litellm config.yaml --keys": "it needs LiteLLM's own database",
			"weir import archive":                    "the file is from that database",
		},
	},
	"guides/import-others.md":  {before: `echo '{"providers": {"openai": {"keys": [{"name": "one", "value": "env.OPENAI_API_KEY", "models": ["gpt-5"], "weight": 1}]}}}' >config.json`},
	"guides/keys.md":           {before: house},
	"guides/load-test.md":      {before: "weir serve & serving=$!; ready http://127.0.0.1:8930/readyz $serving", instead: []string{"--duration 10s", "--duration 300ms"}},
	"guides/local-models.md":   {before: "ollama() { weir sim --listen 127.0.0.1:11434; }", instead: []string{"$KEY", "$(cat weir-data/first-key)"}},
	"guides/move-the-store.md": {before: house + "\ncp weir.yaml old.yaml && (cat weir.yaml; echo 'data: new') >new.yaml && leave"},
	"guides/reload.md":         {before: house + "\ncp weir.yaml weir.yaml.new"},
	"guides/replicas.md":       {left: map[string]string{"weir replicas": "it needs Weirs that share a Postgres; the tests of replicas have them"}},
	"guides/see-what-is-used.md": {
		before:  withApp + "\nREQ=$(sed -n 's/^x-request-id: //ip' headers | tr -d '\\r')\nuntil weir requests $REQ >found 2>&1; do sleep 0.05; done", // its row is written a moment after the answer
		instead: []string{"req_0D1JUTABCDEFGH000000000000", "$REQ"},
	},
	"guides/simulated-provider.md": {before: "true", shows: true, files: map[string]string{"json 1": "faults.json"}},
	"guides/teams.md":              {before: house + "\nweir keys create --name indexer >indexer.key"},
	"guides/troubleshoot.md":       {before: withApp},
	"guides/tune.md": {
		before: house + "\nexport WEIR_KEY=$KEY", instead: []string{"--duration 10s", "--duration 300ms"},
		left: map[string]string{"weir top$": "it draws on a terminal until it is closed"},
	},
	"guides/upgrade.md": {before: house + "\nmkdir var", instead: []string{"./weir-new", "weir", "/etc/weir/", "./", "/var/lib/weir", "var", "install -d -m 700", "mkdir -m 700"}},
	"guides/verify.md": {left: map[string]string{
		"sha256sum": "it needs a release; tools/release runs it in its tests", "git checkout": "it needs a clone with tags", "diff release/": "it needs a release",
	}},
	"guides/watch.md": {
		before: withApp, instead: []string{"--over 10s", "--over 1s"},
		left: map[string]string{"weir top$": "it draws on a terminal until it is closed"},
	},
}
