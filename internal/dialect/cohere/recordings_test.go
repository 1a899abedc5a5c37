package cohere_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/recorded"
)

// Every recorded answer and stream says to OpenAI's client what it says to one of its own.
func TestRecordings(t *testing.T) {
	t.Parallel()
	recorded.Chats(t, "cohere", 7, func(t *testing.T, r recorded.Interaction) {
		t.Parallel()
		dialect.Recording(t, r, recorded.ReadCohere)
	})
}

func parse(t *testing.T, data []byte, to any) {
	t.Helper()
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
}

// What was recorded as sent to the API is what the same request becomes that is made of it in OpenAI's words.
func TestRecordedRequests(t *testing.T) {
	t.Parallel()
	recorded.Chats(t, "cohere", 7, func(t *testing.T, r recorded.Interaction) {
		t.Parallel()
		raw := string(r.Request.Body.Bytes())
		if strings.Contains(raw, `"thinking"`) {
			t.Skip("thoughts of another vendor, which OpenAI's API has no word for")
		}
		asked := strings.NewReplacer(`"REQUIRED"`, `"required"`).Replace(raw)
		body, left, refusal := dialect.Request(asked)
		if refusal != nil || len(left) > 0 {
			t.Fatalf("%v, left out %v", refusal, left)
		}
		var want, got any
		parse(t, []byte(strings.ReplaceAll(raw, `"content": null,`, ``)), &want)
		parse(t, body, &got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}
