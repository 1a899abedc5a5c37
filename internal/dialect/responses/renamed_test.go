package responses

import (
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// A parameter has the target's name, whether the caller or the config gives it.
func TestWhatTheConfigAddsIsRenamed(t *testing.T) {
	t.Parallel()
	added := &llm.Added{Set: []llm.Param{{Name: "user", Value: llm.JSON(`"u"`)}}}
	c := dialect.Changes{Model: "up", Rename: map[string]string{"user": "safety_identifier"}}
	for body, want := range map[string]string{
		`{"model":"m","input":"hi","user":"x"}`:                `{"model":"up","input":"hi","safety_identifier":"u"}`,
		`{"model":"m","input":"hi"}`:                           `{"model":"up","input":"hi","safety_identifier":"u"}`,
		`{"model":"m","input":"hi","safety_identifier":"own"}`: `{"model":"up","input":"hi","safety_identifier":"own"}`,
	} {
		got, _ := sentAs(t, body, c, added)
		if got != want {
			t.Errorf("%s becomes %s", body, got)
		}
	}
}
