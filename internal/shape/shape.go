// Package shape compares answers with OpenAI's own schema, if that is next to the repository: every body and every
// chunk that a test sees. It knows nothing of how Weir makes them. It is test support.
package shape

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/weirproxy/weir/internal/recorded"
)

// file is OpenAI's description of its API, next to the repository.
const file = "specs/openai.openapi.json"

// Form is what a body is meant to be.
type Form string

// The forms, by the name that OpenAI's description gives them.
const (
	Chat            Form = "CreateChatCompletionResponse"
	ChatChunk       Form = "CreateChatCompletionStreamResponse"
	Completion      Form = "CreateCompletionResponse"
	CompletionChunk Form = "CreateCompletionChunk" // our name: the description has one for this and the form above
	Embeddings      Form = "CreateEmbeddingResponse"
	Models          Form = "ListModelsResponse"
	Model           Form = "Model"
	Error           Form = "ErrorResponse"
)

// forms are all of them.
func forms() []Form {
	return []Form{Chat, ChatChunk, Completion, CompletionChunk, Embeddings, Models, Model, Error}
}

// Oracle knows what each form may look like. It is safe for concurrent use.
type Oracle struct {
	schemas map[Form]*jsonschema.Schema

	mu   sync.Mutex // guards good
	good map[string]bool
}

// remembered is how many correct bodies an oracle remembers, and longest the longest of these. Streams cut at each
// of their events are then not checked again each time.
const (
	remembered = 20_000
	longest    = 1 << 10
)

// read makes the oracle once for a test binary.
var read = sync.OnceValues(func() (*Oracle, error) {
	path, ok, err := recorded.Beside(file)
	if !ok || err != nil {
		return nil, err
	}
	return load(path, tolerated())
})

// Beside returns the oracle, nil if the schema is absent. A schema that cannot be used ends the test.
func Beside(t testing.TB) *Oracle {
	t.Helper()
	o, err := read()
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// OrSkip returns the oracle, or skips the test where the schema is absent.
func OrSkip(t testing.TB) *Oracle {
	t.Helper()
	o := Beside(t)
	if o == nil {
		t.Skip("OpenAI's schema, " + file + ", is not kept next to the repository: no answer is compared with it")
	}
	return o
}

// Check holds a body against a form. The error names every place in the body that is not as it should be, with the
// schema's rule.
func (o *Oracle) Check(f Form, body []byte) error {
	if len(body) > longest {
		return o.judge(f, body)
	}
	key := string(f) + string(body)
	o.mu.Lock()
	known := o.good[key]
	o.mu.Unlock()
	if known {
		return nil
	}
	err := o.judge(f, body)
	o.mu.Lock()
	defer o.mu.Unlock()
	if err == nil && len(o.good) < remembered {
		o.good[key] = true
	}
	return err
}

func (o *Oracle) judge(f Form, body []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("it is no JSON: %w", err)
	}
	err = o.schemas[f].Validate(value)
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return err
	}
	return fmt.Errorf("it is no %s: %s", f, strings.Join(faults(invalid.DetailedOutput()), "; "))
}

// faults are the places at which a body fails, each with the rule that it breaks there.
func faults(unit *jsonschema.OutputUnit) []string {
	if len(unit.Errors) == 0 {
		return []string{fmt.Sprintf("at %q %s (rule %s)", unit.InstanceLocation, unit.Error, unit.KeywordLocation)}
	}
	var all []string
	for i := range unit.Errors {
		all = append(all, faults(&unit.Errors[i])...)
	}
	return all
}
