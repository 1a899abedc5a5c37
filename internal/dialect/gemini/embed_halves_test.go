package gemini_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect/gemini"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

// embeddings is one of the APIs for embeddings, both halves of it.
type embeddings struct {
	encode func(*llm.EmbeddingRequest, []llm.JSON) ([]byte, []string, *llm.Error)
	decode func([]byte) (*llm.EmbeddingRequest, *llm.Error)
	read   func([]byte) (llm.Vectors, error)
	write  func(model string, v llm.Vectors) []byte
}

var (
	developers = embeddings{
		gemini.EncodeEmbeddings, gemini.DecodeEmbeddings, gemini.ReadEmbeddings,
		func(_ string, v llm.Vectors) []byte { return gemini.WriteEmbeddings(v) },
	}
	clouds = embeddings{gemini.EncodeVertexEmbeddings, gemini.DecodeVertexEmbeddings, gemini.ReadVertexEmbeddings, gemini.WriteVertexEmbeddings}
)

// sameRequest: a request encodes, once it was decoded, to an equal JSON value, but for what holds anyway.
func (e embeddings) sameRequest(t *testing.T, model string, body []byte) {
	t.Helper()
	r, refusal := e.decode(body)
	if refusal != nil {
		t.Fatalf("%v: %s", refusal, body)
	}
	r.Model = model
	again, left, refusal := e.encode(r, r.Inputs)
	if refusal != nil || len(left) > 0 {
		t.Fatalf("left %q, %v: %s", left, refusal, body)
	}
	if diff := cmp.Diff(truncates(t, body), truncates(t, again)); diff != "" {
		t.Error(diff)
	}
}

// truncates is a request that says that texts are cut where it does not: that is what holds on Vertex AI.
func truncates(t *testing.T, body []byte) map[string]any {
	t.Helper()
	var request map[string]any
	if err := json.Unmarshal(body, &request); err != nil {
		t.Fatal(err)
	}
	for inputs, name := range map[string]string{"instances": "parameters", "content": "embedContentConfig"} {
		if request[inputs] == nil {
			continue
		}
		config, _ := request[name].(map[string]any)
		if config == nil {
			config = map[string]any{}
		}
		if config["autoTruncate"] == nil {
			config["autoTruncate"] = true
		}
		request[name] = config
	}
	return request
}

func TestEmbeddingsRoundTrip(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"requests":[{"model":"models/m","content":{"parts":[{"text":"a"}]}},{"model":"models/m","content":{"parts":[{"text":"b"}]}}]}`,
		`{"requests":[{"model":"models/m","content":{"parts":[{"text":"a"}]},"taskType":"CLUSTERING","outputDimensionality":4},{"model":"models/m","content":{"parts":[{"text":"b"}]},"taskType":"CLUSTERING","outputDimensionality":4}]}`,
	} {
		developers.sameRequest(t, "m", []byte(body))
	}
	for _, body := range []string{
		`{"instances":[{"content":"a","task_type":"CLUSTERING"},{"content":"b","task_type":"CLUSTERING"}],"parameters":{"outputDimensionality":4,"autoTruncate":false}}`,
		`{"instances":[{"content":"a"}]}`,
	} {
		clouds.sameRequest(t, "m", []byte(body))
	}
	clouds.sameRequest(t, "gemini-embedding-2", []byte(`{"content":{"parts":[{"text":"a"}]},"embedContentConfig":{"autoTruncate":false}}`))
	for provider, e := range map[string]embeddings{"gemini": developers, "vertex": clouds} {
		recorded.EmbeddingsOf(t, provider, 1, func(t *testing.T, r recorded.Interaction) {
			t.Parallel()
			address := r.Request.URL
			model, method, _ := strings.Cut(address[strings.LastIndexByte(address, '/')+1:], ":")
			if method == "countTokens" { // of a chat
				dialect.SameRequest(t, address, r.Request.Body.Bytes())
				return
			}
			e.sameRequest(t, model, r.Request.Body.Bytes())
			if r.Response.Status == 200 {
				e.sameAnswer(t, model, r.Response.Body.Bytes())
			}
		})
	}
}

// sameAnswer: an answer that is written again has the same vectors, and the same usage.
func (e embeddings) sameAnswer(t *testing.T, model string, body []byte) {
	t.Helper()
	want, err := e.read(body)
	if err != nil {
		t.Fatal(err)
	}
	written := e.write(model, want)
	got, err := e.read(written)
	if err != nil {
		t.Fatalf("%v: %s", err, written)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: %s", written, diff)
	}
}

func TestEmbeddingsWritten(t *testing.T) {
	t.Parallel()
	developers.sameAnswer(t, "m", []byte(`{"embeddings":[{"values":[0.5,-2]},{"values":[1]}],"usageMetadata":{"promptTokenCount":3}}`))
	developers.sameAnswer(t, "m", []byte(`{"embeddings":[{"values":[0.5,-2]}]}`))
	clouds.sameAnswer(t, "m", []byte(`{"predictions":[{"embeddings":{"values":[0.5],"statistics":{"token_count":3}}},{"embeddings":{"values":[1],"statistics":{"token_count":1,"truncated":true}}}]}`))
	clouds.sameAnswer(t, "gemini-embedding-2", []byte(`{"embedding":{"values":[0.5,-2]},"usageMetadata":{"promptTokenCount":3}}`))
	// Half, and minus two, as little-endian float32s.
	encoded := llm.Vectors{List: []llm.JSON{llm.JSON(`"AAAAPwAAAMA="`)}, Tokens: 3, Told: true}
	if got := string(gemini.WriteEmbeddings(encoded)); got != `{"embeddings":[{"values":[0.5,-2]}],"usageMetadata":{"promptTokenCount":3}}` {
		t.Error(got)
	}
	if got := string(gemini.WriteVertexEmbeddings("m", encoded)); got != `{"predictions":[{"embeddings":{"values":[0.5,-2],"statistics":{"token_count":3,"truncated":false}}}]}` {
		t.Error(got)
	}
}

func TestEmbeddingsRefuse(t *testing.T) {
	t.Parallel()
	one := func(more string) string {
		return `{"requests":[{"model":"models/m","content":{"parts":[{"text":"a"}]}},{"model":"models/m","content":{"parts":[{"text":"b"}]}` + more + `}]}`
	}
	for body, param := range map[string]string{
		`[]`:              "",
		`{}`:              "requests",
		`{"requests":[]}`: "requests",
		`{"input":"a"}`:   "input",
		`{"requests":[{"content":{"parts":[{"text":1}]}}]}`:                "requests[0].content.parts[0].text",
		`{"requests":[{"content":{"parts":[{"text":"a"},{"text":"b"}]}}]}`: "requests[0].content",
		`{"requests":[{"content":{"parts":[{"inlineData":{}}]}}]}`:         "requests[0].content.parts[0].inlineData",
		`{"requests":[{"content":{"parts":[{"text":"a"}]},"title":"t"}]}`:  "requests[0].title",
		one(`,"taskType":"CLUSTERING"`):                                    "requests[1]",
		one(`,"outputDimensionality":4`):                                   "requests[1]",
		one(`,"outputDimensionality":"4"`):                                 "requests[1].outputDimensionality",
	} {
		if r, err := gemini.DecodeEmbeddings([]byte(body)); err == nil || err.Param != param {
			t.Errorf("%s: %+v, %+v", body, r, err)
		}
	}
	for body, param := range map[string]string{
		`{}`:                 "instances",
		`{"instances":[{}]}`: "instances[0].content",
		`{"instances":[{"content":"a"},{"content":"b","task_type":"X"}]}`:         "instances[1]",
		`{"instances":[{"content":"a","title":"t"}]}`:                             "instances[0].title",
		`{"instances":[{"content":"a"}],"parameters":{"autoTruncate":1}}`:         "parameters.autoTruncate",
		`{"instances":[{"content":"a"}],"parameters":{"outputDimensionality":0}}`: "parameters.outputDimensionality",
		`{"instances":[{"content":"a"}],"labels":{}}`:                             "labels",
	} {
		if r, err := gemini.DecodeVertexEmbeddings([]byte(body)); err == nil || err.Param != param {
			t.Errorf("%s: %+v, %+v", body, r, err)
		}
	}
}

// FuzzDecodeEmbeddings: what decodes and can be asked for encodes to what decodes to the same again.
func FuzzDecodeEmbeddings(f *testing.F) {
	f.Add([]byte(`{"requests":[{"model":"models/m","content":{"parts":[{"text":"a"}]},"taskType":"CLUSTERING","outputDimensionality":4}]}`))
	f.Add([]byte(`{"instances":[{"content":"a","task_type":"CLUSTERING"}],"parameters":{"outputDimensionality":4,"autoTruncate":false}}`))
	f.Add([]byte(`{"content":{"parts":[{"text":"a"}]},"embedContentConfig":{"autoTruncate":false}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, e := range []embeddings{developers, clouds} {
			r, refusal := e.decode(body)
			if refusal != nil {
				continue
			}
			first, left, refusal := e.encode(r, r.Inputs)
			if refusal != nil {
				t.Fatalf("%v: %s", refusal, body)
			}
			if len(left) > 0 { // which the model does not take
				continue
			}
			again, refusal := e.decode(first)
			if refusal != nil {
				t.Fatalf("%v: %s", refusal, first)
			}
			if diff := cmp.Diff(r, again); diff != "" {
				t.Fatalf("%s: %s", first, diff)
			}
		}
	})
}
