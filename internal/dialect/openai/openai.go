// Package openai converts between OpenAI's wire and the typed model. It decodes requests and encodes them, and it writes answers and
// reads them, each as a whole or as a stream. What passes between a caller and a target that both speak OpenAI's dialect is not converted:
// package passthrough walks over its bytes. The package is pure.
//
// Source of the shapes: OpenAI's published OpenAPI document, version 2.3.0.
package openai

import "errors"

// ErrNoAnswer is wrapped by the errors of bodies that are JSON but no answer.
var ErrNoAnswer = errors.New("the body is no answer")

// Bounds on what is remembered of an answer.
const (
	MaxChoices = 128     // choices of a stream, as many as OpenAI's API gives
	MaxHead    = 1 << 10 // bytes of id, or of model: they are put into every chunk that lacks them

	// MaxKept bounds edits, members of containers that are open, and vectors. What an upstream answers is a few of each; a payload of
	// nothing but empty objects would take thirty times its length.
	MaxKept = 1 << 16
)

// CacheControl is Anthropic's mark that a cache may end here. The whole request may have it, too.
const CacheControl = "cache_control"
