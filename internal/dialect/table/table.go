// Package table lists the dialects: those that callers speak, by the path of their requests, and those that targets speak. It is the one
// place that names them all.
package table

import (
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/anthropic"
	"github.com/weirproxy/weir/internal/dialect/cohere"
	"github.com/weirproxy/weir/internal/dialect/converse"
	"github.com/weirproxy/weir/internal/dialect/gemini"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/dialect/refusal"
	"github.com/weirproxy/weir/internal/dialect/responses"
	"github.com/weirproxy/weir/internal/llm"
)

// ingresses are the endpoints that callers have.
var ingresses = [...]*dialect.Ingress{
	passthrough.Chat, anthropic.Messages, anthropic.CountTokens, responses.Responses, responses.InputTokens, responses.Compact, passthrough.Completions, passthrough.Embeddings,
}

// At is the endpoint at a path below /v1/, or nil.
func At(path string) *dialect.Ingress {
	for _, in := range ingresses {
		if in.Path == path {
			return in
		}
	}
	return nil
}

// Stored is how the stored answers below a path are read, and what comes after it; nil at any other path.
func Stored(path string) (api *dialect.Stored, rest string) {
	for _, in := range ingresses {
		if in.Stored == nil {
			continue
		}
		if rest, ok := strings.CutPrefix(path, in.Stored.Path); ok && rest != "" {
			return in.Stored, rest
		}
	}
	return nil, ""
}

// verbs are the endpoints of Google's APIs, whose paths end with a model and a verb.
var verbs = [...]*dialect.Ingress{gemini.Generate, gemini.Streaming, gemini.Count, gemini.Embed, gemini.EmbedAll}

// Verb is the endpoint at a path of Google's, with or without its version, and the escaped name of the model in it; nil at any other path.
func Verb(path string) (in *dialect.Ingress, model string) {
	at := strings.LastIndexByte(path, ':')
	if at < 0 {
		return nil, ""
	}
	for _, in := range verbs {
		if in.Path != path[at+1:] {
			continue
		}
		rest := Unversioned(path[:at])
		if _, model, ok := strings.Cut(rest, "publishers/google/"); ok && (strings.HasPrefix(rest, "projects/") || strings.HasPrefix(rest, "publishers/")) {
			rest = model
		}
		for _, list := range [...]string{"models/", "tunedModels/"} {
			if model, ok := strings.CutPrefix(rest, list); ok && model != "" {
				return in, model
			}
		}
	}
	return nil, ""
}

// Paths are those of all endpoints.
func Paths() []string {
	paths := make([]string, len(ingresses))
	for i, in := range ingresses {
		paths[i] = in.Path
	}
	return paths
}

// All are the endpoints at every path, in each of their forms.
func All() (all []*dialect.Ingress) {
	for _, in := range slices.Concat(ingresses[:], verbs[:]) {
		if all = append(all, in); in.Plain != nil {
			all = append(all, in.Plain)
		}
	}
	return all
}

// Errors is how errors are written at a path below /v1/ that no endpoint has. The header says who asks where several dialects have the path.
func Errors(path string, header http.Header) *dialect.Errors {
	if strings.HasPrefix(path, anthropic.Messages.Path+"/") {
		return anthropic.Messages.Errors
	}
	if models := Models(path, header); models != nil {
		return models.Errors
	}
	return &dialect.Own
}

// Unversioned is a path without the version that is in front of Google's. That is v1 too, which others have as well.
func Unversioned(path string) string {
	for _, version := range [...]string{"v1beta/", "v1alpha/", "v1beta1/"} {
		if rest, ok := strings.CutPrefix(path, version); ok {
			return rest
		}
	}
	return path
}

// KeyInQuery reports whether clients may send their key in the query at a path. It is never logged.
func KeyInQuery(path string) bool {
	in, _ := Verb(path)
	return in != nil || Unversioned(path) != path
}

// Models is how models are listed at a path for a client with the header; nil for OpenAI's clients, and those of Weir's own members.
func Models(path string, header http.Header) *dialect.Models {
	switch {
	case Unversioned(path) != path || len(header["X-Goog-Api-Key"]) > 0:
		return &gemini.Models
	case len(header["Anthropic-Version"]) > 0:
		return &anthropic.Models
	}
	return nil
}

// Of is the endpoint that a body is meant for. The body need not be JSON.
func Of(body []byte) *dialect.Ingress {
	if anthropic.IsMessages(body) {
		return anthropic.Messages
	}
	return At(passthrough.EndpointOf(body).Path()[1:])
}

// Codec is how the dialect of a target is written and read for callers of another; nil if it cannot be.
func Codec(d llm.Dialect) *dialect.Codec { return codecs[d] }

// Embedder is Codec for embeddings.
func Embedder(d llm.Dialect) *dialect.Embedder { return embedders[d] }

// Refusals is how errors of the dialect are read.
func Refusals(d llm.Dialect) *refusal.Vendor {
	return &codecs[d].Refusals
}

// google is the codec of one of Google's two dialects, whose answers are the same.
func google(encode func(*llm.Request) ([]byte, []string, *llm.Error)) *dialect.Codec {
	return &dialect.Codec{
		Encode: encode, Answer: gemini.ReadAnswer, Stream: func() dialect.Reader { return new(gemini.Stream) },
		Refusals: refusal.Vendor{Status: gemini.Status},
	}
}

// graded is an encoder of one of OpenAI's dialects for callers whose dialect has efforts of its own: those that not all servers know become
// the nearest that they do, unless the config says that the model knows them.
func graded(encode func(*llm.Request) ([]byte, []string, *llm.Error)) func(*llm.Request) ([]byte, []string, *llm.Error) {
	return func(r *llm.Request) ([]byte, []string, *llm.Error) {
		effort := r.Effort
		switch {
		case !r.Graded, r.Takes != nil && slices.Contains(r.Takes.Efforts, effort):
		case effort == "max", effort == "xhigh":
			effort = "high"
		case effort == "minimal":
			effort = "low"
		case effort == "none":
			effort = ""
		}
		with := *r
		with.Effort = effort
		body, left, err := encode(&with)
		if effort != r.Effort && err == nil {
			left = append(left, "reasoning_effort")
		}
		return body, left, err
	}
}

// ofAnyAccount is the Maker of a dialect whose signatures any account of the vendor can use.
func ofAnyAccount(maker func(model string) string) func(model, account string) string {
	return func(model, _ string) string { return maker(model) }
}

func frames(source io.Reader, most int, room dialect.Room) dialect.Frames {
	return converse.NewFrames(source, most, room)
}

func chunks(source io.Reader, most int, room dialect.Room) dialect.Frames {
	return converse.NewChunks(source, most, room)
}

var codecs = map[llm.Dialect]*dialect.Codec{
	llm.OpenAI: {
		Encode: graded(openai.Encode), Answer: passthrough.ReadAnswer, Stream: func() dialect.Reader { return new(passthrough.AnswerReader) }, Done: true,
		Own: passthrough.Chat,
	},
	llm.Responses: {
		Encode: graded(responses.Encode), Answer: responses.ReadAnswer, Stream: func() dialect.Reader { return new(responses.Stream) }, Maker: responses.Maker,
	},
	llm.Anthropic: {
		Encode: anthropic.Encode, Answer: anthropic.ReadAnswer, Stream: func() dialect.Reader { return new(anthropic.Stream) },
		Refusals: refusal.Vendor{Status: anthropic.Status}, Maker: ofAnyAccount(anthropic.Maker),
	},
	llm.Cohere: {
		Encode: cohere.Encode, Answer: cohere.ReadAnswer, Stream: func() dialect.Reader { return new(cohere.Stream) },
		Refusals: refusal.Vendor{Status: cohere.Status, Moderated: cohere.Moderated},
	},
	llm.Gemini: google(gemini.Encode),
	llm.Vertex: google(gemini.EncodeVertex),
	llm.Converse: {
		Encode: converse.Encode, Answer: converse.ReadAnswer, Stream: func() dialect.Reader { return new(converse.Stream) },
		Frames: frames, Carries: chunks, Inline: true, Maker: ofAnyAccount(converse.Maker),
		Refusals: refusal.Vendor{Status: converse.Status, Header: converse.ErrorHeader, Code: converse.Code},
	},
}

var embedders = map[llm.Dialect]*dialect.Embedder{
	llm.OpenAI:   {Encode: openai.EncodeEmbeddings, Own: passthrough.Embeddings},
	llm.Gemini:   {Encode: gemini.EncodeEmbeddings, Read: gemini.ReadEmbeddings, Most: gemini.MaxInputs},
	llm.Cohere:   {Encode: cohere.EncodeEmbeddings, Read: cohere.ReadEmbeddings, Most: cohere.MaxInputs},
	llm.Converse: {Encode: converse.EncodeEmbeddings, Read: converse.ReadEmbeddings, Most: converse.MaxInputs},
	// Half of the bound, because it is held against an estimate.
	llm.Vertex: {Encode: gemini.EncodeVertexEmbeddings, Read: gemini.ReadVertexEmbeddings, Most: gemini.VertexInputs, Tokens: gemini.VertexTokens / 2},
}
