package catalog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/capability"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// Placeholders in paths.
const (
	ModelHere   = "{model}"   // the name of the model
	ProjectHere = "{project}" // the project of the account
)

// Face is how a kind is spoken to about some of its models: clouds serve those of other vendors in the dialect of each.
type Face struct {
	Models  string   // how their names begin; "" fits all
	Named   []string // patterns of their names, nil for all that begin so
	Dialect llm.Dialect
	Hosted  string // the API's version, which goes into the body in place of the model's name
	Table   string // its name in the table of capabilities, where that is not the kind's

	Passes  []Passed        // headers of callers that speak its dialect
	Takes   *dialect.Subset // what it takes of the requests of these callers, nil for all; others are translated
	Carrier llm.Dialect     // in whose frames and errors its answers come, if not in those of Dialect

	Paths   map[llm.Endpoint]string // below the base URL, where they differ from OpenAI's; {model} is replaced by the model's name
	Streams map[llm.Endpoint]string // the same for answers in events, where they are called elsewhere
}

// Of reports whether a model is spoken to so.
func (f *Face) Of(model string) bool {
	return strings.HasPrefix(model, f.Models) && (f.Named == nil || slices.ContainsFunc(f.Named, func(pattern string) bool { return llm.Match(pattern, model) }))
}

// responsesAlone is how the models with some names are spoken to that a vendor serves in the Responses API alone.
func responsesAlone(names ...string) []Face {
	f := ResponsesFace
	f.Named = names
	return []Face{f}
}

// MessagesFace is how a server of one's own is spoken to that speaks Anthropic's API, too.
var MessagesFace = Face{
	Dialect: llm.Anthropic, Paths: map[llm.Endpoint]string{llm.Chat: "/messages", llm.Counting: "/messages/count_tokens"},
}

// ResponsesFace is how a server is spoken to that has OpenAI's Responses API, too.
var ResponsesFace = Face{
	Dialect: llm.Responses, Paths: map[llm.Endpoint]string{llm.Chat: "/responses", llm.Counting: "/responses/input_tokens", llm.Compacting: "/responses/compact"},
	Passes: []Passed{{Header: "Openai-Beta"}},
}

// chatsOnly are parts of the names of OpenAI's models that the Responses API does not serve.
var chatsOnly = []string{"-search-preview", "-audio", "gpt-audio"}

// Answers reports whether an API that a kind has besides its own serves a model.
func (f *Face) Answers(model string) bool {
	return f.Of(model) && (f.Dialect != llm.Responses || !slices.ContainsFunc(chatsOnly, func(part string) bool { return strings.Contains(model, part) }))
}

// Passed is a header of callers that goes to targets that speak their dialect, where it says how the body is to be read.
type Passed struct {
	Header string   // canonical
	Only   []string // of its values, a list with commas, those that the kind knows; nil passes it as it is
	Body   bool     // the values go into the body
}

// Path of an endpoint below the base URL.
func (f *Face) Path(e llm.Endpoint, stream bool) string {
	if stream {
		return cmp.Or(f.Streams[e], f.Paths[e], e.Path())
	}
	return cmp.Or(f.Paths[e], e.Path())
}

// Vendor is the kind's name in the table of capabilities, for a model.
func (k *Kind) Vendor(model string) string {
	for _, f := range k.Faces {
		if f.Of(model) {
			return cmp.Or(f.Table, k.Table, k.Name)
		}
	}
	return cmp.Or(k.Table, k.Name)
}

// VendorOf is Vendor for a kind by its name; "" if there is no such kind.
func VendorOf(kindName, model string) string {
	if i := index(kindName); i >= 0 {
		return kinds[i].Vendor(model)
	}
	return ""
}

// HistoryOf is what a kind takes of the earlier turns of a chat.
func HistoryOf(kindName string) dialect.History {
	if i := index(kindName); i >= 0 {
		return kinds[i].History
	}
	return dialect.History{}
}

// Known reports whether anything is known of the kind's model, even if only that of its family.
func Known(kindName, model string) bool {
	k, ok := Find(kindName)
	if !ok {
		return false
	}
	_, ok = capability.Find(k.Vendor(model), model)
	return ok
}
