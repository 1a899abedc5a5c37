package passthrough

import (
	"io"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// A model that the path names needs none in the body, and goes before one.
func TestModelsInPaths(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, body, want string
		changes          dialect.Changes
	}{
		{"none in the body", `{ "messages":[1] }`, `{ "messages":[1],"model":"up" }`, dialect.Changes{}},
		{"another in the body", `{"model":"other","messages":[1]}`, `{"model":"up","messages":[1]}`, dialect.Changes{}},
		{"one that is no name", `{"messages":[1],"model":{"a":1}}`, `{"messages":[1],"model":"up"}`, dialect.Changes{}},
		{"asked for usage, too", `{"stream":true,"messages":[1]}`, `{"stream":true,"messages":[1],"model":"up","stream_options":{"include_usage":true}}`, dialect.Changes{AskUsage: true}},
		{"where the last is left out", `{"messages":[1],"logprobs":true}`, `{"messages":[1],"model":"up"}`, dialect.Changes{Omit: []string{"logprobs"}}},
		{"after what is renamed", `{"messages":[1],"max_completion_tokens":1}`, `{"messages":[1],"max_tokens":1,"model":"up"}`, dialect.Changes{Rename: map[string]string{"max_completion_tokens": "max_tokens"}}},
	} {
		r, err := parseRequestFor("named", nil, llm.Chat, []byte(tt.body), 64)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		tt.changes.Model = "up"
		body, _ := r.Encode(tt.changes)
		if got, _ := io.ReadAll(body.Reader()); r.Model != "named" || string(got) != tt.want || body.Len() != int64(len(tt.want)) {
			t.Errorf("%s: model %q, %s, want %s", tt.name, r.Model, got, tt.want)
		}
	}
	if _, err := parseRequestFor("a\x00b", nil, llm.Chat, []byte(`{"messages":[1]}`), 64); err == nil || err.Kind != llm.InvalidValue || err.Param != "model" {
		t.Errorf("a name that cannot be: %v", err)
	}
}
