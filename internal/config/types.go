package config

import "github.com/weirproxy/weir/internal/secret"

// Config is one config file, checked, with defaults filled in and paths made absolute. The comments of
// the fields in this file, types_keys.go, provider.go, cloud.go, capabilities.go, admin.go, ledger.go, alerts.go, traces.go and secrets.go are the manual: `weir schema` prints them and editors show
// them. Once loaded, the names of headers are in canonical form. A Config is never changed once it is in use, so it may be read from many goroutines.
type Config struct {
	// Path of the file as given; "" without a file.
	Path string `yaml:"-"`

	// The address that callers use: host:port, or {addr, tls: {cert, key}} to serve HTTPS. No host means
	// all interfaces. A change needs a restart. Default `127.0.0.1:8930`. Example: `0.0.0.0:8930`.
	Listen Listener `yaml:"listen"`

	// The listener for administration: keys, reload, metrics. It is separate from the public one, so that a firewall
	// can distinguish them.
	Admin Admin `yaml:"admin"`

	// Serve the console, pages for browsers, on the admin listener. `false` removes them, and with them the way to log in from a browser.
	// A change needs a restart. Default `true`.
	Console bool `yaml:"console"`

	// Where keys and the ledger are stored. `sqlite:` and a path: a file, which several Weirs on one machine may share. `postgres://` and
	// USER:PASSWORD@HOST:PORT/DATABASE: a Postgres database of version 13 or later, which Weirs on many machines may share. Its parameters are
	// `sslmode` (`verify-full` over a network), `sslrootcert`, `sslcert`, `sslkey`, `target_session_attrs`, `host` (the folder of a socket)
	// and `pool` (connections at most, 10). A change needs a restart. Default: weir.db in the `data` folder.
	// Example: `postgres://weir:${file:/run/secrets/db}@db/weir?sslmode=verify-full`.
	Store Store `yaml:"store"`

	// How long keys of the store go on while the store cannot be read. A key that was revoked by another Weir meanwhile works here until
	// then. After it, keys of the store get 503 `keys_unavailable` until the store can be read again; those of this file go on. At least
	// 1s. Default `1h`.
	StaleKeys Duration `yaml:"stale_keys"`

	// Start also while the Postgres of `store` cannot be reached, with the keys that it had. A snapshot of them, digests and no secrets, is
	// then kept in the `data` folder. `stale_keys` counts from when the store was last read. Keys with budgets are refused until the store
	// is reached. Without a snapshot of this store, and for other failures, the start fails as usual. A change needs a restart. Default `false`.
	StartWithoutStore bool `yaml:"start_without_store"`

	// After how long a Weir that the Postgres of `store` has not seen counts as lost. The others may then spend what it has of budgets that are
	// on `expected`. If it is only cut off, and spends that after all, such a budget is exceeded by it, so by at most what it had. `strict`
	// budgets get nothing back by time, whatever this is. At least 1m; 0 is never. A change needs a restart. Default `0s`. Example: `10m`.
	LostAfter Duration `yaml:"lost_after"`

	// The folder for what Weir keeps on disk: the admin token, the lock that keeps a second process out,
	// the default store. It is made if it is missing. A change needs a restart. Default `./weir-data`.
	Data string `yaml:"data"`

	// How a SIGTERM ends the process without breaking requests.
	Drain Drain `yaml:"drain"`

	// What one caller's request may cost this process.
	Limits Limits `yaml:"limits"`

	// Answers of the Responses API that Weir keeps, so that callers can go on from them. Off by default.
	Responses Responses `yaml:"responses"`

	// How large the ledger's journal may grow, in the `data` folder. It holds what the store does not have yet: a few hundred kilobytes
	// as a rule, and all calls of the time when the store cannot be written. When it is full, calls are refused. At least 1MiB. A change
	// needs a restart. Default `1GiB`.
	Journal Size `yaml:"journal"`

	// What the ledger keeps when the power fails. `background`: all but the last 100 ms. `power`: everything, for which each call waits
	// for the disk twice. A crash of Weir alone loses nothing either way. A change needs a restart. Default `background`.
	Durability Durability `yaml:"durability"`

	// How long calls are kept in the store, and what happens when they cannot be recorded.
	Ledger Ledger `yaml:"ledger"`

	// Webhooks that say that a share of a budget is spent. Off by default.
	Alerts Alerts `yaml:"alerts"`

	// Spans of requests and of calls to upstreams, for a collector of OpenTelemetry. Off by default.
	Traces Traces `yaml:"traces"`

	// How `${vault:…}` and `${exec:…}` are read.
	Secrets Secrets `yaml:"secrets"`

	// The time zone whose days are summed in reports, by its name. Days that are summed already stay as they are. A change needs a
	// restart. Default `UTC`. Example: `Europe/Berlin`.
	Timezone Zone `yaml:"timezone"`

	// Which web pages may call Weir from a browser. Off by default.
	CORS CORS `yaml:"cors"`

	// Which headers of its own Weir adds to answers.
	Headers Headers `yaml:"headers"`

	// The proxies in front of Weir, as addresses or networks. A request that comes from one of them has the client's
	// address in X-Forwarded-For: the last one there that is not of a trusted proxy. The log has it; nothing is
	// decided by it. Default: none, and the log has the address of the connection.
	// Example: `[10.0.0.0/8, "fd00::/8"]`.
	TrustedProxies []Network `yaml:"trusted_proxies"`

	// Where else `GET /metrics` is served, and who may read it.
	Metrics Metrics `yaml:"metrics"`

	// A config without providers, models or keys is meant. Unless this is set, Weir refuses a reload that would leave no providers, no
	// models, or no keys (neither here nor in the store), if there were some before. An emptied or truncated file looks like that.
	// Default `false`.
	Empty bool `yaml:"empty"`

	// The upstream accounts, by name. A target refers to its provider by this name. Names are printable,
	// without spaces, slashes and `*`, at most 256 bytes.
	Providers []Provider `yaml:"providers,named"`

	// The logical models, by the name that callers use. A name may end in one `*`: it then matches every name with
	// that beginning. An exact name wins, then the longest pattern. Names are printable, with spaces inside if you
	// like, at most 256 bytes. Example: `fast: {targets: [groq/llama-3.3-70b-versatile]}`.
	Models []Model `yaml:"models,named"`

	// Teams of keys that live in version control. They are read-only elsewhere. A team that living keys are in cannot be removed. A
	// key's requests count for its team. Example: `[{name: research, models: [fast]}]`.
	Teams []Team `yaml:"teams"`

	// API keys that live in version control. They are read-only elsewhere; `weir keys create --offline`
	// mints one and prints the lines for this list.
	Keys []Key `yaml:"keys"`

	// Files is every file that was read for this config: itself, ${file:…}, ca_file, TLS files. A change
	// of any is a change of the config. Absolute paths, each once, in the order of reading.
	Files []string `yaml:"-"`

	// References are those that the config refers to, files included, each once.
	References []Reference `yaml:"-"`

	// Warnings are what the file may say and hardly means, in its order. They keep nothing from working.
	Warnings Errors `yaml:"-"`

	teamsAt  place     // of teams in the file
	settings []Setting // all values, with where they are from
	storeSet bool      // store was set, so it does not follow an overridden data folder
}

// Listener is an address to listen on, with or without TLS. In the file it is a string, or a mapping.
type Listener struct {
	// host:port to listen on. No host means all interfaces; port 0 takes any free one. Default: that
	// of the short form. Example: `0.0.0.0:8930`.
	Addr string `yaml:"addr"`

	// Serve HTTPS with this certificate. Absent means plain HTTP. The files are read again when they change.
	TLS *TLS `yaml:"tls"`
}

// TLS is the certificate of a listener.
type TLS struct {
	// Path of the certificate chain, PEM, the listener's own certificate first. Relative to the config file.
	Cert string `yaml:"cert" jsonschema:"required" example:"./cert.pem"`

	// Path of the private key, PEM. Relative to the config file.
	Key string `yaml:"key" jsonschema:"required" example:"./key.pem"`
}

// Drain is the end of the process: first not ready, then closed, then cut.
type Drain struct {
	// How long after SIGTERM new requests are still served while /readyz already refuses, so that load balancers
	// notice first. An interrupt (Ctrl-C) waits only for running requests. Default `5s`.
	Delay Duration `yaml:"delay"`

	// How long running requests may then go on before they are ended with an error. Default `20s`.
	Timeout Duration `yaml:"timeout"`
}

// Limits bounds what callers and upstreams may cost.
type Limits struct {
	// The largest request body, as sent and after decompression: bytes, or with KB, MB, GB, KiB, MiB, GiB. A larger body
	// gets a 413. With little memory the limit is lower, because a body must fit together with others: see
	// docs/reference/limits.md. Default `64MiB`.
	Body Size `yaml:"body"`

	// The largest answer that Weir accepts from an upstream, after decompression. For a stream, the limit holds for
	// each event, and for all that comes before the first content. Weir holds so much in memory. An answer to
	// embeddings may have 128 KiB for each input, up to 256 MiB, if that is more. Models that answer in pictures or
	// sound may need more. Default `10MiB`.
	Answer Size `yaml:"answer"`

	// How many connections the public listener holds open at once. When they are used up, the one longest without a request
	// is closed for a new one; if all have requests running, new ones wait. One public address (of IPv6, its first 64 bits)
	// holds at most half of them; what it opens beyond that is closed. With less than 1.25 GiB of memory the limit is lower:
	// one connection for each 128 KiB. At most it is two for every five files that the process may open (`ulimit -n`). A
	// change needs a restart. Default `10000`.
	Connections int `yaml:"connections"`

	// How many requests are relayed at once. Further ones wait, and are answered 503 if that takes longer than `wait`;
	// health checks and the admin listener are not counted. Default: nine tenths of the connections that there may be,
	// so that some are left to refuse with and for health checks. Example: `2000`.
	Requests int `yaml:"requests"`

	// How long a request waits for a place among `requests`, or at a target where `concurrent` bounds them; 0 refuses it at
	// once. When more come than can be served, only the first in line waits so long, and most are refused at once.
	// At most 1 minute. Default `1s`.
	Wait Duration `yaml:"wait"`

	// How deep the JSON of a request may nest, 1 to 10000; a deeper one is answered 400. Default `256`.
	Depth int `yaml:"depth"`
}

// Responses are answers of the Responses API that callers can read again, delete, and go on from with previous_response_id. They hold what
// callers and models said, and are the only place where Weir keeps that. A caller who sends `store: false` has none kept.
type Responses struct {
	// How long an answer is kept. 0 keeps none: then callers send the whole history with each request. Default `0s`. Example: `720h`.
	Keep Duration `yaml:"keep"`

	// What seals the answers in the store: at least 32 characters, such as those of `openssl rand -base64 32`. All Weirs that share a
	// store need the same. Under another secret the answers from before are not found any more. Needed with `keep`.
	// Example: `"${WEIR_RESPONSES_SECRET}"`.
	Secret secret.Text `yaml:"secret"`

	// The largest answer that is kept, together with the input of its request. A larger one is answered with `store: false`.
	// Default `1MiB`.
	Max Size `yaml:"max"`

	// How many bytes are kept of one key's answers. The key's oldest go for a new one. Default `64MiB`.
	PerKey Size `yaml:"per_key"`

	// How many bytes are kept of all answers. When they are used up, no further answer is kept until others expire or are deleted.
	// Default `1GiB`.
	Total Size `yaml:"total"`
}

// CORS lets web pages call Weir from a browser.
type CORS struct {
	// The origins that may: scheme://host or scheme://host:port, or `"*"` for all. None turns CORS off.
	// Example: `["https://chat.example.com"]`.
	Origins []string `yaml:"origins"`
}

// Headers says which headers of its own Weir adds to answers.
type Headers struct {
	// Add the weir-* headers (provider, model, attempts). `false` hides all of them but
	// weir-ignored-params. Default `true`.
	Weir bool `yaml:"weir"`
}

// Metrics says where the figures are, and who may read them.
type Metrics struct {
	// An additional listener that serves only `/metrics`, `/healthz`, `/health` and `/readyz`: host:port, or {addr, tls: {cert, key}}.
	// A scraper then needs no way to the listener that makes keys. On a loopback address it answers to loopback names only, on others
	// to any. A change needs a restart. Absent means none. Example: `0.0.0.0:9100`.
	Listen *Listener `yaml:"listen"`

	// Add the metrics of OpenTelemetry's conventions for generative AI, `gen_ai_client_…`, which say again what others of Weir's say. A change
	// needs a restart. Default `false`.
	GenAI bool `yaml:"genai"`

	// Ask for the admin token on `GET /metrics` too, on either listener. A change needs a restart. Default `false`.
	Token bool `yaml:"token"`
}

// Model is a logical model: the name that callers use, and what serves it.
type Model struct {
	// Name is the key of the mapping. It may end in one `*`.
	Name string `yaml:"-"`

	// What serves the model: `provider/model`, split at the first slash, or
	// {provider, model, like, capabilities, weight, price}. A target may end in `*` if the model's name does: what the name's `*` matched
	// replaces it. Example: `[openai/gpt-5, groq/llama-3.3-70b-versatile]`.
	Targets []Target `yaml:"targets" jsonschema:"required" example:"[openai/gpt-5]"`

	// The order in which targets are tried. `ordered`: as listed here. `weighted`: drawn by weight. `fastest`: the
	// better of two drawn at random first, by the time to first content and by failures. `cheapest`: by what this
	// request would likely cost. `least_busy`: by the attempts in flight, for their capacity: `concurrent`, else
	// weight. Targets that are known not to serve a request are skipped in any case. Default `ordered`.
	Policy Policy `yaml:"policy"`

	// What picks the first target, so that requests alike meet a warm prompt cache; the policy orders the
	// others. `prefix`: how the prompt begins: its system or developer messages, tools and first user message.
	// `user`: prompt_cache_key, safety_identifier or user; of Messages, the session in metadata.user_id, or all of it; else the
	// session in the header X-Claude-Code-Session-Id, Session-Id or X-Session-Id.
	// Needs a policy other than ordered. Default `none`.
	Sticky Sticky `yaml:"sticky"`

	// The models to go on with when this one has failed: their names, or {on, to}. Their targets are tried by
	// their own policy; timeouts and max_attempts stay those of this model. That a key may not name them does not
	// matter. Example: `[fast]` or `{on: [context], to: [long]}`.
	Fallbacks Fallbacks `yaml:"fallbacks"`

	// How long things may take. What is not set keeps its default.
	Timeouts Timeouts `yaml:"timeouts"`

	// When another target is tried.
	Retries Retries `yaml:"retries"`

	// What all callers together may use of the model. A request that falls back on another model counts for the one that it names.
	// Example: `{rpm: 600, tpm: 1000000, concurrent: 20}`.
	Limits ModelLimits `yaml:"limits"`

	// What becomes of calls whose price is unknown, where a budget in dollars applies. `deny`: the target is passed over. `free`: they
	// cost nothing. `{hold: 0.05}`: each is charged so many dollars, unless the provider states what it bills. Default `deny`.
	PriceUnknown PriceUnknown `yaml:"price_unknown"`

	// Ask a second target as well when a stream is late: whichever has content first answers, the other is
	// cancelled, and both are paid for. Needs a second target. Absent means never.
	Hedge *Hedge `yaml:"hedge"`

	// Refuse a request that carries a parameter which no target can take, instead of leaving it out and
	// saying so in weir-ignored-params. Default `false`.
	Strict bool `yaml:"strict"`

	// Answer with the logical name as `model`, instead of what the upstream answered. Default `false`.
	EchoModel bool `yaml:"echo_model"`

	// What becomes of top-level members of a request. `rename` and `omit` replace those of the targets' providers, `default`
	// and `set` go before theirs name by name.
	Params Params `yaml:"params"`

	// The name that `GET /v1/models` shows to people. At most 256 bytes. Default: that of the first target,
	// if it is known and the model bears its name.
	DisplayName string `yaml:"display_name"`

	// How many tokens a request and its answer may have together, as `GET /v1/models` shows it. Weir does
	// not enforce it. Default: what the first target's provider says, else what is known of it.
	ContextLength int `yaml:"context_length"`

	// How many tokens an answer may have, as `GET /v1/models` shows it. Weir does not enforce it.
	// Default: what the first target's provider says, else what is known of it.
	MaxOutputTokens int `yaml:"max_output_tokens"`
}

// Target is one provider plus the provider's own model name.
type Target struct {
	// The name of a provider in `providers`.
	Provider string `yaml:"provider" jsonschema:"required" example:"openai"`

	// The provider's own name of the model; slashes are part of it. Ends in `*` to pass on what the `*`
	// of the logical name matched.
	Model string `yaml:"model" jsonschema:"required" example:"gpt-5"`

	// The model, as kind/model, whose known properties apply to this target. For a model under another name or at your
	// own base_url. Default: the provider's kind and the target's model, unless base_url is your own. Example:
	// `openai/gpt-5`.
	Like string `yaml:"like"`

	// The target's share of the requests, for the policy weighted and for sticky models. For least_busy it is the
	// target's capacity. From 1 to 10000. Default `1`.
	Weight int `yaml:"weight"`

	// How many requests may be at the target at once; of a target that ends in `*`, at each model. One more goes to the
	// next target at once, and waits only if all are full. Default: any number. Example: `8`.
	Concurrent int `yaml:"concurrent"`

	// How many requests a minute the vendor allows at the target; of a target that ends in `*`, at each model. A target that may
	// have no more is passed over until there is room again, and not waited for. It holds in all models that have the target.
	// Default: any number. Example: `500`.
	RPM int `yaml:"rpm"`

	// How many tokens a minute the vendor allows there, of prompts and answers, as with `rpm`. Default: any number. Example: `200000`.
	TPM int `yaml:"tpm"`

	// What the model takes, in place of what is known of it. `params` of model and provider apply as well. Example: `{images: false}`.
	Capabilities *Capabilities `yaml:"capabilities"`

	// What becomes of top-level members of a request that this target is sent. `rename` and `omit` replace those of the model and the
	// provider, `default` and `set` go before theirs name by name. Example: `{default: {reasoning_effort: low}}`.
	Params Params `yaml:"params"`

	// Whether to pass on the members with which callers choose models or providers at a provider that is itself a gateway:
	// openrouter's `models`, `provider` and others, vercel's `providerOptions`. A caller then reaches models that the
	// key's scope does not name. Default `false`.
	PassRouting bool `yaml:"pass_routing"`

	// What the target costs. `weir explain` and `weir-cost` show it, and the policy `cheapest` orders by it.
	// Default: what is known of the model.
	Price *Price `yaml:"price"`
}

// Price is what a target charges, in US dollars.
type Price struct {
	Rates `yaml:",inline"`

	// A thousand web searches that the provider makes for requests. Default: unknown, and then not part of the cost. Example: `10`.
	Searches *Dollars `yaml:"searches"`

	// Each call, whatever it uses. Default: nothing. Example: `0.005`.
	Request *Dollars `yaml:"request"`

	// Rates of long prompts, where they differ, the longer later. Example: `[{above: 200000, input: 2.5, output: 15}]`.
	Long []LongPrice `yaml:"long"`

	// Rates of other service tiers, by the provider's name of the tier. Example: `{flex: {input: 0.625, output: 5}}`.
	Tiers []TierPrice `yaml:"tiers,named"`
}

// LongPrice are the rates of prompts that are longer than a number of tokens. They hold for every class of the call's tokens.
type LongPrice struct {
	// Prompts of more tokens than this have these rates, cached ones included. Example: `200000`.
	Above int `yaml:"above" jsonschema:"required" example:"200000"`

	Rates `yaml:",inline"`
}

// TierPrice are the rates of a service tier.
type TierPrice struct {
	Name string `yaml:"-"`

	Rates `yaml:",inline"`

	// Rates of long prompts, where they differ, the longer later. Example: `[{above: 200000, input: 1.25, output: 7.5}]`.
	Long []LongPrice `yaml:"long"`
}

// Rates are what a million tokens cost, in US dollars.
type Rates struct {
	// A million tokens of the prompt. Example: `1.25`.
	Input Dollars `yaml:"input" jsonschema:"required" example:"1.25"`

	// A million tokens of the answer. Example: `10`.
	Output Dollars `yaml:"output" jsonschema:"required" example:"10"`

	// A million tokens of the prompt that the provider read from its cache. Default: as `input`. Example: `0.125`.
	CacheRead *Dollars `yaml:"cache_read"`

	// A million tokens of the prompt that the provider wrote to its cache. Default: as `input`. Example: `1.5625`.
	CacheWrite *Dollars `yaml:"cache_write"`

	// A million tokens of the prompt that it wrote to its cache for an hour. Default: twice `input` if `cache_write` is more than
	// `input`, else as `cache_write`. Example: `2.5`.
	CacheWrite1h *Dollars `yaml:"cache_write_1h"`

	// A million tokens of audio in the prompt. Default: as `input`. Example: `10`.
	InputAudio *Dollars `yaml:"input_audio"`

	// A million tokens of images in the prompt. Default: as `input`. Example: `5`.
	InputImage *Dollars `yaml:"input_image"`

	// A million tokens of reasoning. Default: as `output`. Example: `12`.
	Reasoning *Dollars `yaml:"reasoning"`

	// A million tokens of audio in the answer. Default: as `output`. Example: `20`.
	OutputAudio *Dollars `yaml:"output_audio"`

	// A million tokens of images in the answer. Default: as `output`. Example: `40`.
	OutputImage *Dollars `yaml:"output_image"`
}

// Fallbacks are the models to go on with when one has failed. In the file they are a list of names, or a mapping.
type Fallbacks struct {
	// The failures that cause it: error (no target answered, or none is healthy), rate_limit (all are at a rate
	// limit), context (the prompt is too long for all), content_filter (the provider refused the request's content).
	// Default: error, rate_limit and context. Example: `[error, rate_limit]`.
	On []Cause `yaml:"on"`

	// The models, in the order of trying. Their own fallbacks are not followed. Example: `[fast]`.
	To []string `yaml:"to" jsonschema:"required" example:"[fast]"`
}

// Timeouts bounds a request and its attempts.
type Timeouts struct {
	// To connect to the upstream, TLS included. Default `10s`.
	Connect Duration `yaml:"connect"`

	// From sending an attempt to its first content, streams only. Default `10m`, and less than 300 s for callers of Messages and
	// Responses, whose clients repeat a request then.
	FirstToken Duration `yaml:"first_token"`

	// Between two reads from the upstream, streams only; pings count. Default `2m`.
	Idle Duration `yaml:"idle"`

	// For the whole request, all attempts together. Default `30m`.
	Total Duration `yaml:"total"`

	// How long Weir holds back a stream's status while it waits for the first content, so that another target can
	// still answer with a clean status. 0 sends it at once. Default `20s`.
	Hold Duration `yaml:"hold"`
}

// Retries says when another target is tried.
type Retries struct {
	// How many attempts one request may make, over all targets, the first included. 1 never tries again.
	// Default `3`.
	MaxAttempts int `yaml:"max_attempts"`

	// How many attempts may be repeats, as a share of the model's requests in the last ten seconds. A repeat uses
	// another credential, or a target that was unreachable or failed a moment ago. Ten in ten seconds are allowed in
	// any case; another target is no repeat. Default `10%`.
	Budget Percent `yaml:"budget"`
}

// Hedge says when a second target is asked for a stream that is late.
type Hedge struct {
	// When a stream without content counts as slow: after a fixed time, or `p95`, the time within which 95 % of the
	// target's last answers began. The p95 needs twenty answers. Default `p95`. Example: `1500ms`.
	After Lateness `yaml:"after"`

	// How many second calls may be made, as a share of the model's requests in the last ten seconds. One in ten
	// seconds is always allowed. Default `5%`.
	Budget Percent `yaml:"budget"`
}
