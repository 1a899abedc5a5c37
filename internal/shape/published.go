package shape

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/weirproxy/weir/internal/recorded"
)

// messagesFile is Anthropic's description of its API, next to the repository. It is JSON.
const messagesFile = "specs/anthropic.openapi.yml"

// names are those that Anthropic's description gives the forms of its API.
var names = map[Form]string{
	Message: "Message", MessageEvent: "MessageStreamEvent", MessageTokens: "CountMessageTokensResponse", MessageModels: "ListResponse_ModelInfo_", MessageModel: "ModelInfo",
	MessageError: "ErrorResponse",
}

// published makes that oracle once for a test binary.
var published = sync.OnceValues(func() (*Oracle, error) {
	path, ok, err := recorded.Beside(messagesFile)
	if !ok || err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var description struct {
		Components struct{ Schemas object }
	}
	if err := json.Unmarshal(data, &description); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	schemas := description.Components.Schemas
	for name, schema := range schemas {
		if schemas[name], err = withoutNullable(schema); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, name, err)
		}
	}
	var list []Form
	for form, name := range names {
		schemas["weir."+string(form)] = schemas[name]
		list = append(list, "weir."+form)
	}
	o, err := compile(schemas, list)
	if err != nil {
		return nil, err
	}
	for form := range names {
		o.schemas[form] = o.schemas["weir."+form]
	}
	return o, nil
})

// withoutNullable is the schema of an object whose members may be left out if they may be null: the vendor itself leaves them out.
func withoutNullable(raw json.RawMessage) (json.RawMessage, error) {
	var schema object
	if err := json.Unmarshal(raw, &schema); err != nil || schema["required"] == nil {
		return raw, err
	}
	var required []string
	var properties map[string]struct {
		AnyOf   []struct{ Type string } `json:"anyOf"`
		Default json.RawMessage
	}
	if err := errors.Join(json.Unmarshal(schema["required"], &required), json.Unmarshal(schema["properties"], &properties)); err != nil {
		return nil, err
	}
	required = slices.DeleteFunc(required, func(name string) bool {
		null := slices.ContainsFunc(properties[name].AnyOf, func(one struct{ Type string }) bool { return one.Type == "null" })
		return null || properties[name].Default != nil
	})
	list, err := json.Marshal(required)
	if err != nil {
		return nil, err
	}
	schema["required"] = list
	return json.Marshal(schema)
}

// MessagesOrSkip returns the oracle of Anthropic's own schema, or skips the test where that is absent.
func MessagesOrSkip(t testing.TB) *Oracle {
	t.Helper()
	o, err := published()
	switch {
	case err != nil:
		t.Fatal(err)
	case o == nil:
		t.Skip("Anthropic's schema, " + messagesFile + ", is not kept next to the repository: no answer is compared with it")
	}
	return o
}
