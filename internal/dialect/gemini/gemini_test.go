package gemini_test

import (
	"testing"

	"github.com/weirproxy/weir/internal/dialect/gemini"
	"github.com/weirproxy/weir/internal/dialecttest"
	"github.com/weirproxy/weir/internal/llm"
)

var dialect = dialecttest.Dialect{
	Encode: gemini.Encode, Answer: gemini.ReadAnswer, Stream: func() dialecttest.Reader { return new(gemini.Stream) },
	Last: `"finishReason"`, Decode: gemini.Decode, Path: path, Writer: newWriter, Plain: plain,
}

func newWriter() dialecttest.Writer { return new(gemini.Writer) }

// vertex is the dialect on Vertex AI, whose answers are the same.
var vertex = dialecttest.Dialect{
	Encode: gemini.EncodeVertex, Answer: dialect.Answer, Stream: dialect.Stream, Last: dialect.Last,
	Decode: gemini.Decode, Path: path, Writer: newWriter, Plain: func(request any) any { return plain(nameless(request)) },
}

// unbilled reads all but the searches of the web, whose words are not written.
func unbilled(d dialecttest.Dialect) dialecttest.Dialect {
	d.Answer = func(body []byte, tell func(*llm.Event)) (llm.Event, error) {
		end, err := gemini.ReadAnswer(body, tell)
		end.Usage.Searches = 0
		return end, err
	}
	d.Stream = func() dialecttest.Reader { return new(freeStream) }
	return d
}

type freeStream struct{ gemini.Stream }

func (st *freeStream) Close(tell func(*llm.Event)) {
	st.Stream.Close(func(ev *llm.Event) {
		ev.Usage.Searches = 0
		tell(ev)
	})
}

// TestGolden holds translations against files that a person can read.
func TestGolden(t *testing.T) {
	t.Parallel()
	dialect.Golden(t)
	vertex.GoldenRequests(t, "requests-of-vertex")
}

// TestFidelityPage holds docs/how-it-works/translation/gemini.md against what happens to each of its examples.
func TestFidelityPage(t *testing.T) {
	t.Parallel()
	dialect.Fidelity(t, "gemini", `{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"hi"}]`, fidelity)
	vertex.Fidelity(t, "vertex", `{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"hi"}]`, fidelityOnVertex)
	dialect.Parts(t, "gemini", "gemini-3-pro-preview", parts)
	t.Run("every parameter", func(t *testing.T) { dialecttest.Complete(t, fidelity) })
}

// FuzzRequest: whatever is asked, what goes upstream is JSON that names no member of it twice.
func FuzzRequest(f *testing.F) { dialect.Requests(f) }

// FuzzVertexRequest is FuzzRequest for Vertex AI.
func FuzzVertexRequest(f *testing.F) { vertex.Requests(f) }

// FuzzAnswer: whatever is answered, what goes to the caller is an answer that needs no mending.
func FuzzAnswer(f *testing.F) { dialect.Answers(f) }

// FuzzStream: whatever is streamed, every chunk is JSON, and a whole stream has a finish reason.
func FuzzStream(f *testing.F) { dialect.Streams(f) }
