package relay

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

var update = flag.Bool("update", false, "write what comes out into the golden files")

var dialects = map[string]llm.Dialect{"gemini": llm.Gemini, "cohere": llm.Cohere, "converse": llm.Converse, "vertex": llm.Vertex}

// dialectOf is the dialect that a golden file begins its name with.
func dialectOf(file string) *dialect.Embedder {
	name, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txt"), "-")
	return embedders[dialects[name]]
}

// TestEmbeddingsGolden compares translations with readable files: requests and the calls made from them, answers and
// what a caller gets.
func TestEmbeddingsGolden(t *testing.T) {
	t.Parallel()
	for folder, translate := range map[string]func(*testing.T, *dialect.Embedder, string) string{"requests": goldenCalls, "answers": goldenVectors} {
		files, err := filepath.Glob(filepath.Join("testdata/embeddings", folder, "*.txt"))
		if err != nil || len(files) < 10 {
			t.Fatalf("%d files of %s: %v", len(files), folder, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			input, want, _ := strings.Cut(string(data), "-- becomes --\n")
			got := translate(t, dialectOf(file), input)
			if *update {
				if err := os.WriteFile(file, []byte(input+"-- becomes --\n"+got), 0o600); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s", file, diff)
			}
		}
	}
}

// callsOf are the bodies of all calls that a request takes, and what is left out.
func callsOf(e *dialect.Embedder, raw string) (calls [][]byte, left []string, refused *llm.Error) {
	r, refused := passthrough.ParseRequest(llm.Embeddings, []byte(raw), 0)
	if refused != nil {
		return nil, nil, refused
	}
	request, refused := r.DecodeEmbeddings(nil)
	if refused != nil {
		return nil, nil, refused
	}
	request.Model = r.Model
	for inputs := range slices.Chunk(request.Inputs, e.Most(r.Model)) {
		body, lost, refused := e.Encode(request, inputs)
		if refused != nil {
			return nil, nil, refused
		}
		calls, left = append(calls, body), lost
	}
	return calls, left, nil
}

func goldenCalls(t *testing.T, e *dialect.Embedder, input string) string {
	t.Helper()
	calls, left, refused := callsOf(e, input)
	if refused != nil {
		return "refused: " + refused.Param + ": " + refused.Message + "\n"
	}
	var out bytes.Buffer
	for _, body := range calls {
		if err := json.Indent(&out, body, "", "  "); err != nil {
			t.Fatalf("%v in %s", err, body)
		}
		out.WriteString("\n")
	}
	if len(left) > 0 {
		out.WriteString("left out: " + strings.Join(left, ", ") + "\n")
	}
	return out.String()
}

// answered is what a caller gets, in the requested encoding, with the number of vectors that came.
func answered(e *dialect.Embedder, body []byte, base64 bool) ([]byte, llm.Vectors, error) {
	v, err := e.Read(body)
	if err != nil {
		return nil, v, err
	}
	asked := scanned(dialect.Scanned{Endpoint: llm.Embeddings, Inputs: len(v.List)})
	asked.Base64 = base64
	a := &attempt{run: &run{Request: &Request{Asked: asked}}}
	p := part{to: len(v.List)}
	if err := (&vectors{asked: asked}).keep(a, &p, v); err != nil {
		return nil, v, err
	}
	if len(v.List) == 0 {
		return nil, v, llm.ErrNoAnswer
	}
	whole := asked.JoinVectors([][]byte{p.data}, llm.Quote("m"), v.Tokens)
	out, _, err := asked.Pass(whole, &dialect.Changes{}, dialect.Stand{})
	if err == nil && string(out) != string(whole) {
		err = fmt.Errorf("%s would be mended to %s", whole, out)
	}
	return whole, v, err
}

func goldenVectors(t *testing.T, e *dialect.Embedder, input string) string {
	t.Helper()
	var out string
	for _, base64 := range []bool{false, true} {
		body, v, err := answered(e, []byte(input), base64)
		if err != nil {
			return "error: " + err.Error() + "\n"
		}
		out += string(body) + "\n"
		if !v.Told {
			out += "its tokens are not told\n"
		}
	}
	return out
}

// The caller gets the same vectors as the recorded answers have, in the same order; in base64 to the last bit of a float32.
// Recorded errors have none.
func TestRecordedVectors(t *testing.T) {
	t.Parallel()
	for provider, dialect := range map[string]llm.Dialect{"cohere": llm.Cohere, "bedrock": llm.Converse, "vertex": llm.Vertex} {
		recorded.EmbeddingsOf(t, provider, 1, func(t *testing.T, r recorded.Interaction) {
			body := r.Response.Body.Bytes()
			e := embedders[dialect]
			numbers, _, err := answered(e, body, false)
			if r.Response.Status != 200 {
				if !errors.Is(err, llm.ErrError) {
					t.Errorf("an error was taken for %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			texts, _, err := answered(e, body, true)
			if err != nil {
				t.Fatal(err)
			}
			want := recorded.Vectors(t, body)
			recorded.CheckVectors(t, numbers, want)
			recorded.CheckVectors(t, texts, want)
		})
	}
}

// FuzzEmbedders: whatever is asked, what goes upstream is JSON that names no member twice; whatever is answered, what a
// caller gets is an answer.
func FuzzEmbedders(f *testing.F) {
	for _, folder := range []string{"requests", "answers"} {
		files, err := filepath.Glob(filepath.Join("testdata/embeddings", folder, "*.txt"))
		if err != nil || len(files) == 0 {
			f.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			input, _, _ := bytes.Cut(data, []byte("-- becomes --\n"))
			f.Add(input)
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, dialect := range dialects {
			e := embedders[dialect]
			calls, _, _ := callsOf(e, string(raw))
			for _, body := range calls {
				if err := jsonwalk.Valid(body, jsonwalk.Options{Unique: true}); err != nil {
					t.Fatalf("%v in %s", err, body)
				}
			}
			for _, base64 := range []bool{false, true} {
				out, _, err := answered(e, raw, base64)
				if err == nil && !json.Valid(out) {
					t.Fatalf("%s becomes %s", raw, out)
				}
			}
		}
	})
}

// TestEmbeddingsFidelity writes the table of docs/how-it-works/translation/embeddings.md: what becomes of each example for a model of each API.
func TestEmbeddingsFidelity(t *testing.T) {
	t.Parallel()
	columns := []struct {
		name    string
		dialect llm.Dialect
		model   string
	}{
		{"Gemini", llm.Gemini, "gemini-embedding-001"},
		{"Vertex", llm.Vertex, "text-embedding-005"},
		{"Cohere", llm.Cohere, "embed-v4.0"},
		{"Titan 2", llm.Converse, "amazon.titan-embed-text-v2:0"},
		{"Nova", llm.Converse, "amazon.nova-2-multimodal-embeddings-v1:0"},
		{"Cohere on Bedrock", llm.Converse, "cohere.embed-v4:0"},
	}
	head, rule := "| example |", "|---|"
	for _, c := range columns {
		head, rule = head+" "+c.name+" |", rule+"---|"
	}
	table := head + "\n" + rule + "\n"
	for _, example := range []string{
		`"input":"a"`, `"input":["a","b"]`, `"input":[1,2]`, `"input":[[1],[2]]`,
		`"dimensions":256`, `"encoding_format":"float"`, `"encoding_format":"base64"`, `"encoding_format":"ubinary"`, `"user":"u-1"`,
		`"task_type":"RETRIEVAL_QUERY"`, `"input_type":"search_query"`, `"truncate":"START"`, `"normalize":false`, `"auto_truncate":true`, `"embeddingPurpose":"CLUSTERING"`,
	} {
		table += "| `" + example + "` |"
		for _, c := range columns {
			table += " " + outcomeOfEmbedding(embedders[c.dialect], c.model, example) + " |"
		}
		table += "\n"
	}
	const marks = "<!-- written by go test ./internal/relay -run TestEmbeddingsFidelity -update: "
	onPage(t, "../../docs/how-it-works/translation/embeddings.md", marks+"begin -->\n", marks+"end -->\n", table)
}

// outcomeOfEmbedding is what becomes of an example for a model.
func outcomeOfEmbedding(e *dialect.Embedder, model, example string) string {
	start := `{"model":"` + model + `",`
	input := strings.HasPrefix(example, `"input":`)
	if !input {
		start += `"input":"a",`
	}
	body, left, refused := callsOf(e, start+example+"}")
	bare, _, _ := callsOf(e, `{"model":"`+model+`","input":"a"}`)
	switch {
	case refused != nil && refused.Kind == llm.UnsupportedParameter:
		return "impossible"
	case refused != nil:
		return refused.Message
	case len(left) > 0:
		return "left out"
	case string(body[0]) == string(bare[0]) && !input && !strings.Contains(example, "encoding_format"): // vectors are encoded here
		return "without effect"
	}
	return "exact"
}

// A dialect that has embeddings reads its errors, too.
func TestEmbeddersHaveCodecs(t *testing.T) {
	t.Parallel()
	for dialect := range embedders {
		if codecs[dialect] == nil {
			t.Errorf("dialect %d cannot read an error", dialect)
		}
	}
}
