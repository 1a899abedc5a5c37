package sdktest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// callers is the dialect of the SDKs: what has this dialect gets what they send.
const callers = "openai"

const upstreamKey = "upstream-key"

// column is a dialect behind the models.
type column struct {
	dialect string // as ARCHITECTURE.md has it; the models of all but the callers' begin with it
	title   string
	kind    string // kind of the provider
	path    string // path of its base URL
	speaks  string // the provider's speaks, "" for none
	// family begins the names of the provider's models: one that can do what the dialect can do.
	family string
	embeds string // the model that embeds, "" for one of the family
	// begun is after how many events of a stream some content is out, but not all.
	begun   int
	refused string // the body of a refusal, in the vendor's words
	code    string // OpenAI's code for it, "" for null
	// cannot are the features that it cannot have, each with the reason. They have to fail.
	cannot map[string]string
}

const (
	noEmbeddings = "the API has no embeddings: 404 `model_not_found`"
	noTokens     = "the API takes no tokens, only text: 400 `unsupported_parameter`"
	leastLength  = "the API bounds answers at 16 tokens at least: a lower bound is raised, and announced"
	oneChoice    = "the API gives one choice: `n` is left out, and announced"
)

// columns are the dialects, the callers' own first.
func columns() []column {
	return []column{
		{
			dialect: callers, title: "OpenAI", kind: "openai", path: "/v1", begun: 3,
			refused: `{"error":{"message":"The upstream's own words.","type":"invalid_request_error","param":null,"code":"upstream_says_so"}}`,
			code:    "upstream_says_so",
		},
		{
			dialect: "responses", title: "Responses", kind: "openai", path: "/v1", family: "gpt-5-pro-", begun: 6, speaks: "[responses]",
			refused: `{"error":{"message":"The upstream's own words.","type":"invalid_request_error","param":null,"code":"upstream_says_so"}}`,
			code:    "upstream_says_so",
			cannot: map[string]string{
				"embeddings": noEmbeddings, "embeddings of tokens": noEmbeddings, "stream choices": oneChoice,
				"chat length": leastLength, "response length": leastLength,
			},
		},
		{
			dialect: "anthropic", title: "Anthropic", kind: "anthropic", path: "/v1", family: "claude-sonnet-4-5-", begun: 5,
			refused: `{"type":"error","error":{"type":"invalid_request_error","message":"The upstream's own words."}}`,
			cannot: map[string]string{
				"embeddings": noEmbeddings, "embeddings of tokens": noEmbeddings, "stream choices": oneChoice,
			},
		},
		{
			dialect: "cohere", title: "Cohere", kind: "cohere", family: "command-a-03-", embeds: "embed-v4.0", begun: 5,
			refused: `{"id":"x","message":"The upstream's own words."}`,
			cannot: map[string]string{
				"embeddings of tokens": noTokens, "stream choices": oneChoice,
			},
		},
		{
			dialect: "gemini", title: "Gemini", kind: "gemini", path: "/v1beta", family: "gemini-2.5-flash-", embeds: "gemini-embedding-001", begun: 2,
			refused: `{"error":{"code":400,"message":"The upstream's own words.","status":"INVALID_ARGUMENT"}}`,
			cannot:  map[string]string{"embeddings of tokens": noTokens},
		},
		{
			dialect: "converse", title: "Converse", kind: "bedrock", family: "anthropic.claude-sonnet-4-5-", embeds: "cohere.embed-v4:0", begun: 5,
			refused: `{"message":"The upstream's own words."}`,
			cannot: map[string]string{
				"embeddings of tokens": noTokens, "stream choices": oneChoice,
			},
		},
	}
}

// reason is why a column cannot have a feature, "" if it can.
func reason(dialect, feature string) string {
	for _, c := range columns() {
		if c.dialect == dialect {
			return c.cannot[feature]
		}
	}
	return ""
}

// prefix begins the names under which the SDKs know the models.
func (c column) prefix() string {
	if c.dialect == callers {
		return ""
	}
	return c.dialect + "/"
}

// upstream is the provider's name of a model.
func (c column) upstream(name string) string {
	if name == "embed" && c.embeds != "" {
		return c.embeds
	}
	return c.family + name
}

// names are the models that the suites use.
var names = [...]string{"chat", "embed", "limited", "limited-once", "broken", "refused", "breaks", "cut", "endless"}

// absent is a model whose target the provider does not have.
const absent = "absent"

// script is what the simulated provider does with them.
func (c column) script() []byte {
	var list []string
	for _, name := range names {
		list = append(list, c.upstream(name))
	}
	models, _ := json.Marshal(list) // strings
	body, _ := json.Marshal(c.refused)
	return fmt.Appendf(nil, strings.NewReplacer("FAMILY", c.family, "BEGUN", strconv.Itoa(c.begun)).Replace(`{
  "key": "`+upstreamKey+`",
  "models": %s,
  "rules": [
    {"match": {"model": "FAMILYlimited"}, "status": 429, "headers": {"Retry-After": "7"}},
    {"match": {"model": "FAMILYlimited-once", "nth": 1}, "status": 429, "headers": {"Retry-After-Ms": "1"}},
    {"match": {"model": "FAMILYbroken"}, "status": 500},
    {"match": {"model": "FAMILYrefused"}, "status": 400, "body": %s},
    {"match": {"model": "FAMILYbreaks"}, "error_event": BEGUN},
    {"match": {"model": "FAMILYcut"}, "cut": BEGUN},
    {"match": {"model": "FAMILYendless"}, "stall": BEGUN}
  ]
}`), models, body)
}

// config is a config file with a provider for each column.
type config struct{ providers, models strings.Builder }

func newConfig() *config { return &config{} }

func (f *config) add(c column, url string) {
	speaks := ""
	if c.speaks != "" {
		speaks = ", speaks: " + c.speaks
	}
	fmt.Fprintf(&f.providers, "  %s: {kind: %s, base_url: %q, api_key: %s%s}\n", c.dialect, c.kind, strings.TrimSuffix(url, "/v1")+c.path, upstreamKey, speaks)
	for _, name := range append(names[:], "team/chat", absent) {
		target := c.dialect + "/" + c.upstream(strings.TrimPrefix(name, "team/"))
		fmt.Fprintf(&f.models, "  %s%s: {targets: [%q]}\n", c.prefix(), name, target)
	}
}

func (f *config) String() string {
	return "providers:\n" + f.providers.String() + "models:\n" + f.models.String()
}

// feature is the name of a suite's test in plain words: test_stream_usage and TestStreamUsage are stream usage.
func feature(test string) string {
	test = strings.TrimPrefix(strings.TrimPrefix(test, "test_"), "Test")
	if strings.Contains(test, " ") {
		return test
	}
	var words strings.Builder
	for i, r := range strings.ReplaceAll(test, "_", " ") {
		if unicode.IsUpper(r) && i > 0 {
			words.WriteByte(' ')
		}
		words.WriteRune(unicode.ToLower(r))
	}
	return words.String()
}
