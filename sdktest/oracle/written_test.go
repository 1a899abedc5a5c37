package oracle

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
)

// TestWrittenMessages has Anthropic's SDK read what the server side of its dialect writes. A stream adds up to the same message as
// the complete answer, and neither has a member that the SDK does not know.
func TestWrittenMessages(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "..", "internal", "dialect", "anthropic", "testdata", "written", "*.jsonl"))
	if err != nil || len(files) < 9 {
		t.Fatalf("only %d files: %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		answer, payloads, _ := strings.Cut(string(data), "\n")
		var whole, streamed anthropic.Message
		if err := json.Unmarshal([]byte(answer), &whole); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for payload := range strings.Lines(payloads) {
			var event anthropic.MessageStreamEventUnion
			if err := json.Unmarshal([]byte(payload), &event); err != nil {
				t.Fatalf("%s: %v in %s", file, err, payload)
			}
			if err := streamed.Accumulate(event); err != nil {
				t.Fatalf("%s: %v at %s", file, err, payload)
			}
		}
		if is, want := decode(t, streamed.RawJSON()), decode(t, answer); !reflect.DeepEqual(is, want) {
			t.Errorf("%s: the stream adds up to %v, not to %v", file, is, want)
		}
		known := whole.JSON
		for name, ok := range map[string]bool{
			"id": known.ID.Valid(), "type": known.Type.Valid(), "role": known.Role.Valid(), "model": known.Model.Valid(), "content": known.Content.Valid(),
			"stop_reason": known.StopReason.Valid(), "usage": known.Usage.Valid(),
		} {
			if !ok {
				t.Errorf("%s: the SDK misses %s", file, name)
			}
		}
		extra := len(known.ExtraFields) + len(whole.Usage.JSON.ExtraFields)
		for _, block := range whole.Content {
			if block.AsAny() == nil {
				t.Errorf("%s: the SDK does not know the block %s", file, block.RawJSON())
			}
		}
		if extra > 0 {
			t.Errorf("%s: the SDK does not know all members of %s", file, answer)
		}
	}
}
