package config

import "github.com/weirproxy/weir/internal/secret"

// SimKind is the kind of the built-in simulated provider, which runs inside this process: it has no
// base URL and no key. It is known even if Loader.Kinds does not name it.
const SimKind = "sim"

// RegionHere is the placeholder for the account's region in a default base URL.
const RegionHere = "{region}"

// Kind is what this package must know of a kind of provider. The rows come from the provider table;
// nothing here knows a vendor.
type Kind struct {
	Name           string // as in `kind:`
	DefaultBaseURL string // used when base_url is not set; "" makes base_url required
	ExampleBaseURL string // an example of base_url where it is required, with words in capitals to replace; "" if none is known
	NeedsKey       bool   // without a key its default base URL (or any, if it has no default) cannot work
	APIVersion     bool   // may set api_version
	Region         bool   // needs region, which replaces RegionHere in its default base URL
	Translated     bool   // speaks another dialect: its requests are translated, so members cannot be renamed
	Wordless       bool   // accepts no other form of reasoning effort
	Routes         bool   // is itself a gateway: members of a request choose models or providers that it reaches
	Cloud          Cloud  // where its credentials are from when they are no key
	EnvVar         string // the variable that holds its key by custom, "" if none. Example: OPENAI_API_KEY

	// BaseEnv is the variable that holds its address for the vendor's own clients, or "". BaseOf makes a base URL from its
	// value. Example: OPENAI_BASE_URL.
	BaseEnv string
	BaseOf  func(address string) string
}

// local reports whether the kind is a model server that one runs oneself.
func (k *Kind) local() bool { return !k.NeedsKey && k.DefaultBaseURL != "" }

// Provider is an upstream account: what it speaks, where it is, how to authenticate.
type Provider struct {
	// Name is the key of the mapping.
	Name string `yaml:"-"`

	// What the provider speaks and how it authenticates. `openai` fits any OpenAI-compatible server;
	// `sim` is the built-in simulated provider.
	Kind string `yaml:"kind" jsonschema:"required" example:"openai"`

	// The root of the provider's API, /v1 included where it has one; no query, no credentials. If you set your own, the
	// kind's list of params and what Weir knows of its models do not apply, and a key is optional. It may lead anywhere
	// but to link-local addresses and to the metadata services of clouds. Default: the kind's own. Example:
	// `http://127.0.0.1:8000/v1`.
	BaseURL string `yaml:"base_url"`

	// Kind azure only: the dated API version; the target's model is then the deployment. Absent means
	// the v1 API. Example: `"2024-10-21"`.
	APIVersion string `yaml:"api_version"`

	// Kinds bedrock and vertex: the region of the account, which is part of the address. Example: `eu-central-1`.
	Region string `yaml:"region"`

	// The credential. Example: `"${OPENAI_API_KEY}"` or `"${file:/run/secrets/openai}"`.
	APIKey secret.Text `yaml:"api_key"`

	// Several credentials, used in rotation, in place of `api_key`. Example: `["${GROQ_1}", "${GROQ_2}"]`.
	APIKeys []secret.Text `yaml:"api_keys"`

	// Kind bedrock only: whose credentials sign the calls where no key is set. Default: what the process has of AWS: in its
	// environment, in ~/.aws, or as the role of its container or machine. Example: `{profile: production}`.
	AWS AWS `yaml:"aws"`

	// Kind vertex only: the id or the number of the project, which is part of the address. Example: `my-project`.
	Project string `yaml:"project"`

	// Kind vertex only: path of a file of Google credentials: the key of a service account, a user's sign-in, or the
	// account of another cloud. Relative to the config file. Default: what the process has of Google: the file that
	// GOOGLE_APPLICATION_CREDENTIALS names, the one that gcloud writes, or the service account of the machine.
	// Example: `./google.json`.
	CredentialsFile string `yaml:"credentials_file"`

	// Kind azure only, in place of a key: sign in to Microsoft Entra. `{}` takes all of it from the environment, or signs
	// in as the managed identity of the machine. Example: `{tenant: contoso.onmicrosoft.com, client_id: 0-0-0, client_secret: "${AZURE_CLIENT_SECRET}"}`.
	Entra *Entra `yaml:"entra"`

	// How many requests may be at the provider at once, over all its models. One more goes to the next target at once, and
	// waits only if all are full. Then none of its targets has a `concurrent` of its own. Default: any number. Example: `4`.
	Concurrent int `yaml:"concurrent"`

	// Headers that are added to every call. Example: `{X-Title: weir}`.
	Headers map[string]secret.Text `yaml:"headers"`

	// Whether calls carry a traceparent, and the caller's tracestate, so that the spans of a model server of your own become part of the
	// trace. They name the call's span if `traces` is set, else the caller's. Default `false`.
	Traceparent bool `yaml:"traceparent"`

	// Names of the caller's headers that are passed on. Credentials, cookies and what describes the
	// connection are never passed on and cannot be named. Example: `[x-trace]`.
	ForwardHeaders []string `yaml:"forward_headers"`

	// The proxy for calls to this provider: an http, https or socks5 URL. Default: what the environment
	// says (HTTPS_PROXY, HTTP_PROXY, NO_PROXY). What the proxy connects to is its own affair.
	// Example: `http://proxy:3128`.
	Proxy secret.Text `yaml:"proxy"`

	// Path of a PEM file with the certificate authorities to trust in place of the system's. Relative to
	// the config file. Example: `./ca.pem`.
	CAFile string `yaml:"ca_file"`

	// Whether streams are asked for usage when the caller did not: `auto` as the kind's row says,
	// `always`, `never`. Default `auto`.
	StreamUsage StreamUsage `yaml:"stream_usage"`

	// Where the cost of a call comes from, for kinds that are OpenAI-compatible: `reported` is what the answer's `usage` says that it
	// costs, `listed` the target's price. Default: `reported` at the own addresses of avian, openrouter, perplexity, vercel and xai, else
	// `listed`: a server at a `base_url` of your own may say anything. Example: `reported`.
	Cost CostSource `yaml:"cost"`

	// Which APIs a server of your own speaks, kinds that are OpenAI-compatible only: `chat` is OpenAI's chat completions, `messages`
	// Anthropic's, `responses` OpenAI's newer one. A caller of `/v1/messages` or `/v1/responses` is then served without translation.
	// All others are translated to chats, or without `chat` to Responses. Beside `chat`, name `responses` only for a server that has
	// all of it: tools in namespaces, custom tools, reasoning that comes back. Default: `[chat]`. Example: `[chat, messages]`.
	Speaks []API `yaml:"speaks"`

	// Whether Weir fetches the images that callers name by URL, and sends their bytes. It fetches only from the public
	// internet, without a proxy and without following redirects, at most 10 MiB each. Without it a provider that takes
	// URLs is sent them, and for one that takes bytes alone such requests are refused. Otherwise providers that take
	// URLs get them, and such requests are refused for providers that take only bytes. Default `false`.
	FetchImages bool `yaml:"fetch_images"`

	// What becomes of top-level members of a request that this provider is sent.
	Params Params `yaml:"params"`
}

// Credentials is api_key or api_keys as one list; empty for a provider without a key.
func (p *Provider) Credentials() []secret.Text {
	if !p.APIKey.IsZero() {
		return []secret.Text{p.APIKey}
	}
	return p.APIKeys
}

// API is an API that a server speaks.
type API string

// The APIs that a server may speak.
const (
	APIChat      API = "chat"
	APIMessages  API = "messages"
	APIResponses API = "responses"
)

// CostSource says where the cost of a call comes from.
type CostSource string

// The sources.
const (
	CostReported CostSource = "reported"
	CostListed   CostSource = "listed"
)

var costSources = [...]CostSource{CostReported, CostListed}

// UnmarshalText accepts the sources there are.
func (c *CostSource) UnmarshalText(text []byte) error { return word(c, text, costSources[:]) }

// StreamUsage says whether streams are asked for usage when the caller did not ask.
type StreamUsage string

// The values of StreamUsage.
const (
	StreamUsageAuto   StreamUsage = "auto"
	StreamUsageAlways StreamUsage = "always"
	StreamUsageNever  StreamUsage = "never"
)

// Params is what is done to top-level members of a request. Nil and empty differ: nil means that the file does not
// set it, empty that it sets an empty list.
type Params struct {
	// Members that are renamed, old name to new. If set it replaces what is known of the kind and of its
	// models; `{}` renames nothing. Example: `{max_completion_tokens: max_tokens}`.
	Rename map[string]string `yaml:"rename"`

	// Members that are left out. If set it replaces what is known of the kind and of its models; `[]`
	// leaves out nothing. Example: `[logit_bias]`.
	Omit []string `yaml:"omit"`

	// Members that are added where the caller gave none, or null, with any value. What a target says of a name goes before what its
	// model says, and that before its provider's. Nothing is announced. Example: `{reasoning_effort: low}`.
	Default map[string]JSON `yaml:"default"`

	// Members that are sent whatever the caller gave. If that was another value it is announced as left out, and refused in strict
	// mode. Example: `{store: false}`.
	Set map[string]JSON `yaml:"set"`
}
