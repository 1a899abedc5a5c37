package anthropic_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect/anthropic"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/dialect/sse"
	"github.com/weirproxy/weir/internal/llm"
)

var update = flag.Bool("update", false, "write what comes out into the golden files")

// TestGolden holds translations against files that a person can read. Each has an input, in its first section, and what
// becomes of it: requests go from OpenAI's dialect to this one, answers and streams the other way.
func TestGolden(t *testing.T) {
	t.Parallel()
	for folder, translate := range map[string]func(*testing.T, string) string{"requests": goldenRequest, "answers": goldenAnswer, "streams": goldenStream} {
		files, err := filepath.Glob(filepath.Join("testdata", folder, "*.txt"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files of %s: %v", folder, err)
		}
		for _, file := range files {
			t.Run(folder+"/"+strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
				t.Parallel()
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				input, want, _ := strings.Cut(string(data), "-- becomes --\n")
				got := translate(t, input)
				if *update {
					if err := os.WriteFile(file, []byte(input+"-- becomes --\n"+got), 0o600); err != nil {
						t.Fatal(err)
					}
					return
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// encode translates a request for a model.
func encode(raw string) ([]byte, []string, *llm.Error) {
	r, err := openai.ParseRequest(llm.Chat, []byte(raw), 0)
	if err != nil {
		return nil, nil, err
	}
	request, err := r.Decode(nil)
	if err != nil {
		return nil, nil, err
	}
	request.Model = r.Model
	return anthropic.Encode(request)
}

func goldenRequest(t *testing.T, input string) string {
	body, left, refusal := encode(input)
	if refusal != nil {
		return "refused: " + refusal.Param + ": " + refusal.Message + "\n"
	}
	out := indent(t, body)
	if len(left) > 0 {
		out += "left out: " + strings.Join(left, ", ") + "\n"
	}
	return out
}

func indent(t *testing.T, body []byte) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Indent(&out, body, "", "  "); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return out.String() + "\n"
}

// produce translates a complete answer.
func produce(body []byte) ([]byte, error) {
	p := openai.Producer{Now: 1700000000, Asked: "asked"}
	end, err := anthropic.ReadAnswer(body, p.Collect)
	if err != nil {
		return nil, err
	}
	return p.Answer(&end), nil
}

func goldenAnswer(t *testing.T, input string) string {
	out, err := produce([]byte(input))
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	return indent(t, out)
}

// relay translates a stream, and reports whether it was whole.
func relay(body io.Reader) (payloads []string, whole bool, err error) {
	reader := sse.NewReader(body, 1<<20)
	var st anthropic.Stream
	p := openai.Producer{Now: 1700000000, Asked: "asked"}
	tell := func(ev *llm.Event) {
		if chunk := p.Chunk(nil, ev); len(chunk) > 0 {
			payloads = append(payloads, string(chunk))
		}
		if whole = ev.Kind == llm.End; whole {
			payloads = append(payloads, string(p.UsageChunk(nil, ev)))
		}
	}
	for !whole {
		event, err := reader.Next()
		if err != nil {
			return payloads, false, nil // the end
		}
		if err := st.Read(event.Data, tell); err != nil {
			return payloads, false, err
		}
	}
	return payloads, true, nil
}

func goldenStream(_ *testing.T, input string) string {
	payloads, whole, err := relay(strings.NewReader(input))
	out := strings.Join(payloads, "\n") + "\n"
	switch {
	case err != nil:
		out += "error: " + err.Error() + "\n"
	case whole:
		out += "[DONE]\n"
	default:
		out += "cut short\n"
	}
	return out
}
