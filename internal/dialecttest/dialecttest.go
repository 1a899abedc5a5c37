// Package dialecttest holds what the tests of all dialects do with one: requests go from OpenAI's dialect to it, answers
// and streams the other way. It is test support.
package dialecttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/dialect/sse"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/recorded"
)

var update = flag.Bool("update", false, "write what comes out into the golden files, or onto the pages")

// Update reports whether to write the results to the golden files.
func Update() bool { return *update }

// Dialect is a dialect: the client's half, and the server's, if it has one.
type Dialect struct {
	Encode func(*llm.Request) (body []byte, left []string, err *llm.Error)
	Answer func(body []byte, tell func(*llm.Event)) (llm.Event, error)
	Stream func() Reader
	Last   string // the part of an event that makes a stream complete

	// Frames reads the payloads of a stream, one with each call, and Framed makes a stream from its golden file. Both
	// are nil for server-sent events, whose golden files hold the stream itself.
	Frames func(io.Reader) func() ([]byte, error)
	Framed func(lines string) []byte

	// The server's half.
	Decode func(body []byte) (*llm.Request, *llm.Error)
	// DecodeAt is in place of Decode if what a body means depends on the model, which the address of the call names.
	DecodeAt func(url string, body []byte) (*llm.Request, *llm.Error)
	Path     func(url string, r *llm.Request) // what the address of a call says of the request; nil if that says nothing
	Writer   func() Writer
	Same     []Same
	Plain    func(request any) any // does what Same cannot; may be nil
}

// Reader reads one stream.
type Reader interface {
	Read(payload []byte, tell func(*llm.Event)) error
}

// ender is a reader that must be called at the end of the stream, because the stream does not mark it.
type ender interface {
	Close(tell func(*llm.Event))
}

// Request translates a request for the model that it names.
func (d Dialect) Request(raw string) ([]byte, []string, *llm.Error) {
	r, err := passthrough.ParseRequest(llm.Chat, []byte(raw), 0)
	if err != nil {
		return nil, nil, err
	}
	request, err := r.Decode(nil)
	if err != nil {
		return nil, nil, err
	}
	request.Model = r.Model
	return d.Encode(request)
}

// producer writes an answer. It does not know the caller's request, so a tool named write counts as one that takes a text.
func producer() openai.Producer {
	return openai.Producer{Now: 1700000000, Asked: "asked", Custom: []string{"write"}}
}

// Produce translates a complete answer.
func (d Dialect) Produce(body []byte) ([]byte, error) {
	p := producer()
	end, err := d.Answer(body, p.Collect)
	if err != nil {
		return nil, err
	}
	return p.Answer(&end), nil
}

// Relay translates a stream, and reports whether it was whole.
func (d Dialect) Relay(body io.Reader) (payloads []string, whole bool, err error) {
	next, st := d.payloads(body), d.Stream()
	p := producer()
	tell := func(ev *llm.Event) {
		if chunk := p.Chunk(nil, ev); len(chunk) > 0 {
			payloads = append(payloads, string(chunk))
		}
		if whole = ev.Kind == llm.End; whole {
			if chunk := p.UsageChunk(nil, ev); len(chunk) > 0 {
				payloads = append(payloads, string(chunk))
			}
		}
	}
	for !whole {
		payload, err := next()
		if err != nil { // the end
			if st, ok := st.(ender); ok {
				st.Close(tell)
			}
			return payloads, whole, nil
		}
		if string(payload) == "[DONE]" {
			continue
		}
		if err := st.Read(payload, tell); err != nil {
			return payloads, false, err
		}
	}
	return payloads, true, nil
}

func (d Dialect) payloads(body io.Reader) func() ([]byte, error) {
	if d.Frames != nil {
		return d.Frames(body)
	}
	reader := sse.NewReader(body, 1<<20)
	return func() ([]byte, error) {
		event, err := reader.Next()
		return event.Data, err
	}
}

// framed is a stream as a golden file has it.
func (d Dialect) framed(text string) io.Reader {
	if d.Framed != nil {
		return bytes.NewReader(d.Framed(text))
	}
	return strings.NewReader(text)
}

// Golden holds translations against files that a person can read. Each has an input, in its first section, and what
// becomes of it.
func (d Dialect) Golden(t *testing.T) {
	t.Helper()
	d.GoldenRequests(t, "requests")
	golden(t, "answers", d.goldenAnswer)
	golden(t, "streams", d.goldenStream)
}

// GoldenRequests does so with the requests in a folder alone.
func (d Dialect) GoldenRequests(t *testing.T, folder string) {
	t.Helper()
	golden(t, folder, d.goldenRequest)
}

func golden(t *testing.T, folder string, translate func(*testing.T, string) string) {
	t.Helper()
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

func (d Dialect) goldenRequest(t *testing.T, input string) string {
	body, left, refusal := d.Request(input)
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

func (d Dialect) goldenAnswer(t *testing.T, input string) string {
	out, err := d.Produce([]byte(input))
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	return indent(t, out)
}

func (d Dialect) goldenStream(_ *testing.T, input string) string {
	payloads, whole, err := d.Relay(d.framed(input))
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

// Recording holds the answer of a recorded call against an independent reading of it, and a stream against all that Splits does.
func (d Dialect) Recording(t *testing.T, r recorded.Interaction, read func(*testing.T, recorded.Interaction) recorded.Told) {
	t.Helper()
	body := r.Response.Body.Bytes()
	var got []string
	switch {
	case r.Response.Status != 200:
		if _, err := d.Produce(body); !errors.Is(err, llm.ErrError) {
			t.Errorf("an error was taken for %v", err)
		}
		return
	case r.Stream:
		payloads, whole, err := d.Relay(bytes.NewReader(body))
		if err != nil || !whole {
			t.Fatalf("whole: %v, %v", whole, err)
		}
		d.Splits(t, body, payloads)
		got = payloads
	default:
		out, err := d.Produce(body)
		if err != nil {
			t.Fatal(err)
		}
		got = []string{string(out)}
	}
	if diff := cmp.Diff(read(t, r), recorded.Heard(t, got)); diff != "" {
		t.Errorf("the recording says something else (-) than the caller gets (+):\n%s", diff)
	}
}

// Splits reads a stream byte by byte, and in two parts, cut at every byte. It also ends the stream after every event and within
// each, before its end: none of these counts as whole. What translates a stream sees its payloads and nothing of how they came,
// so where it is cut in two the payloads are compared.
func (d Dialect) Splits(t *testing.T, body []byte, want []string) {
	t.Helper()
	if got, whole, err := d.Relay(iotest.OneByteReader(bytes.NewReader(body))); err != nil || !whole || !slices.Equal(got, want) {
		t.Fatalf("byte by byte: whole %v, %v: %s", whole, err, cmp.Diff(want, got))
	}
	payloads := d.appendPayloads(nil, bytes.NewReader(body))
	var split []byte
	for at := 1; at < len(body); at++ {
		split = d.appendPayloads(split[:0], io.MultiReader(bytes.NewReader(body[:at]), bytes.NewReader(body[at:])))
		if !bytes.Equal(split, payloads) {
			t.Fatalf("split at %d: %s", at, cmp.Diff(string(payloads), string(split)))
		}
	}
	for cut := range recorded.Cuts(body, d.Last) {
		if _, whole, _ := d.Relay(bytes.NewReader(cut.Body)); whole {
			t.Fatalf("cut %s, the stream passes for whole", cut)
		}
	}
}

// appendPayloads appends what is read of a stream, and how it ends.
func (d Dialect) appendPayloads(dst []byte, body io.Reader) []byte {
	next := d.payloads(body)
	for {
		payload, err := next()
		if err != nil {
			return append(dst, err.Error()...)
		}
		dst = append(append(dst, payload...), '\n')
	}
}
