package dialecttest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
)

// seed gives a fuzzer what becomes of the inputs of the golden files in a folder; nil is the inputs themselves.
func seed(f *testing.F, folder string, become func([]byte) []byte) {
	f.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.txt"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no files of %s: %v", folder, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		input, _, _ := strings.Cut(string(data), "-- becomes --\n")
		if become == nil {
			f.Add([]byte(input))
		} else {
			f.Add(become([]byte(input)))
		}
	}
}

// Requests: whatever is asked, what goes upstream is JSON that names no member of it twice.
func (d Dialect) Requests(f *testing.F) {
	seed(f, "requests", nil)
	f.Fuzz(func(t *testing.T, raw []byte) {
		body, _, refusal := d.Request(string(raw))
		if refusal != nil {
			return
		}
		if err := jsonwalk.Valid(body, jsonwalk.Options{}); err != nil {
			t.Fatalf("%v in %s", err, body)
		}
		seen := map[string]bool{}
		for name := range jsonwalk.Members(body) {
			if seen[string(name)] {
				t.Fatalf("%s twice in %s", name, body)
			}
			seen[string(name)] = true
		}
	})
}

// Answers: whatever is answered, what goes to the caller is an answer that needs no mending.
func (d Dialect) Answers(f *testing.F) {
	seed(f, "answers", nil)
	request := &passthrough.Request{Scanned: dialect.Scanned{Endpoint: llm.Chat}}
	f.Fuzz(func(t *testing.T, raw []byte) {
		body, err := d.Produce(raw)
		if err != nil {
			return
		}
		answer, err := request.ParseAnswer(body, dialect.Stand{Name: "x", Now: 1})
		if err != nil {
			t.Fatalf("%v in %s", err, body)
		}
		for kind, n := range answer.Repairs {
			if n > 0 && kind != int(dialect.RepairID) && kind != int(dialect.RepairToolID) { // an id may be missing, or empty
				t.Fatalf("repair %d of %s", kind, body)
			}
		}
	})
}

// Streams: whatever is streamed, every chunk is JSON, and a whole stream has a finish reason.
func (d Dialect) Streams(f *testing.F) {
	seed(f, "streams", nil)
	f.Fuzz(func(t *testing.T, raw []byte) {
		payloads, whole, _ := d.Relay(d.framed(string(raw)))
		st := passthrough.Stream{WantUsage: true, Name: "x", Now: 1}
		for _, p := range payloads {
			if chunk, err := st.Walk([]byte(p)); err != nil || chunk.Error {
				t.Fatalf("%v: %s", err, p)
			}
		}
		if whole && !st.Complete(false) {
			t.Fatalf("a whole stream without its end: %s", payloads)
		}
	})
}
