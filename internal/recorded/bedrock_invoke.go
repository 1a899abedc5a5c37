package recorded

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// Invoked runs test for every recorded Messages API call by Amazon Bedrock's InvokeModel. It turns its streams into those of the API
// itself: each of their frames has one event, as base64.
func Invoked(t *testing.T, test func(t *testing.T, r Interaction)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(beside(t), "bedrock", "invoke.*.json"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range files {
		r := load(t, file)
		if !bytes.Contains(r.Request.Body.Bytes(), []byte(`"anthropic_version"`)) {
			continue
		}
		n++
		if r.Stream {
			r.Frames, r.Response.Body = r.Response.Body.Base64, Body{Text: invokedEvents(t, r.Response.Body.Events)}
		}
		t.Run(r.Name, func(t *testing.T) { test(t, r) })
	}
	if n < 17 {
		t.Errorf("found only %d recordings", n)
	}
}

func invokedEvents(t *testing.T, frames []Frame) string {
	t.Helper()
	var events strings.Builder
	for _, f := range frames {
		var chunk struct{ Bytes []byte }
		if err := json.Unmarshal([]byte(f.Payload), &chunk); err != nil {
			t.Fatalf("%v in %s", err, f.Payload)
		}
		events.WriteString("data: " + string(chunk.Bytes) + "\n\n")
	}
	return events.String()
}
