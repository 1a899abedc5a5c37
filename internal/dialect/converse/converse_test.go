package converse_test

import (
	"bytes"
	"cmp"
	"io"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect/converse"
	"github.com/weirproxy/weir/internal/dialect/eventstream"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialecttest"
	"github.com/weirproxy/weir/internal/llm"
)

var dialect = dialecttest.Dialect{
	Encode: converse.Encode, Answer: converse.ReadAnswer, Stream: func() dialecttest.Reader { return new(converse.Stream) },
	Last: `messageStop`, Framed: framed,
	Frames: func(src io.Reader) func() ([]byte, error) { return converse.NewFrames(src, 1<<20, nil).Next },

	DecodeAt: decode, Writer: func() dialecttest.Writer { return new(converse.Writer) },
	Same: []dialecttest.Same{
		dialecttest.Absent("a list of nothing is", `"(?:system|stopSequences)":\[\]`),
		dialecttest.Absent("an object of nothing is", `"inferenceConfig":\{\}`),
		dialecttest.Absent("a model is free to call tools unless it is told otherwise", `"toolChoice":\{"auto":\{\}\}`),
		dialecttest.Absent("a tool has not failed unless that is said", `"status":"success"`),
		{
			Why: "two sides take turns: what one says in two turns is one",
			Was: regexp.MustCompile(`\],"role":"user"\},\{"content":\[([^]]*\],"role":"user"\})`), Is: ",$1",
		},
	},
}

// decode reads a request. The address names the model, or is one; without it any model does.
func decode(address string, body []byte) (*llm.Request, *llm.Error) {
	models := []string{"anthropic.claude-sonnet-4-5", "anthropic.claude-opus-4-6", "us.amazon.nova-2-lite-v1:0", "mistral.mistral-large", "openai.gpt-oss-120b", "qwen.qwen3"}
	model := cmp.Or(address, models[len(body)%len(models)])
	if _, path, ok := strings.Cut(address, "/model/"); ok {
		path, _, _ = strings.Cut(path, "/")
		model, _ = url.PathUnescape(path)
	}
	return converse.Decode(model, body)
}

// TestRoundTrips: what the one half writes, the other reads, and the other way round.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	dialect.RoundTrips(t, "bedrock", 31)
}

// FuzzDecode: whatever is asked in this dialect, nothing of what it becomes is lost on the way back.
func FuzzDecode(f *testing.F) { dialect.Decodes(f) }

// framed is a stream of frames, one for each line: the type of an event or of an exception, and its payload.
func framed(lines string) []byte {
	var out []byte
	for line := range strings.Lines(lines) {
		typ, payload, _ := strings.Cut(strings.TrimSpace(line), " ")
		message := "event"
		if strings.HasSuffix(typ, "Exception") {
			message = "exception"
		}
		typ = typ[:min(len(typ), 1000)] // a header holds at most 65,535 bytes
		out = eventstream.Append(out, []byte(payload), eventstream.Header{Name: ":message-type", Value: message},
			eventstream.Header{Name: ":" + message + "-type", Value: typ})
	}
	return out
}

// TestGolden holds translations against files that a person can read.
func TestGolden(t *testing.T) {
	t.Parallel()
	dialect.Golden(t)
}

// TestFidelityPage holds docs/how-it-works/translation/converse.md against what happens to each of its examples.
func TestFidelityPage(t *testing.T) {
	t.Parallel()
	dialect.Fidelity(t, "converse", `{"model":"eu.anthropic.claude-sonnet-4-5-20250929-v1:0","messages":[{"role":"user","content":"hi"}]`, fidelity)
	dialect.Parts(t, "converse", "eu.anthropic.claude-sonnet-4-5-20250929-v1:0", parts)
	t.Run("every parameter", func(t *testing.T) { dialecttest.Complete(t, fidelity) })
}

// FuzzRequest: whatever is asked, what goes upstream is JSON that names no member of it twice.
func FuzzRequest(f *testing.F) { dialect.Requests(f) }

// FuzzTurns: whatever is said, the two sides take turns in what goes upstream, and what begins it is the model's to say.
func FuzzTurns(f *testing.F) {
	f.Add("uatrusaat", "amazon.nova-lite-v1:0")
	f.Add("attu", "mistral.mistral-large")
	f.Fuzz(func(t *testing.T, sides, model string) {
		raw := `{"model":` + string(llm.Quote(model)) + `,"messages":[`
		for i, c := range sides {
			if i > 0 {
				raw += ","
			}
			raw += map[rune]string{
				'a': `{"role":"assistant","content":"x","tool_calls":[{"id":"i","type":"function","function":{"name":"f","arguments":"{}"}}]}`,
				't': `{"role":"tool","tool_call_id":"i","content":"x"}`, 's': `{"role":"system","content":"x"}`, 'e': `{"role":"user","content":""}`,
			}[c]
			if !strings.ContainsRune("atse", c) {
				raw += `{"role":"user","content":"x"}`
			}
		}
		body, _, refusal := dialect.Request(raw + "]}")
		if refusal != nil {
			return
		}
		last := ""
		for name, v := range jsonwalk.Members(body) {
			for _, turn := range jsonwalk.Elements(v) {
				for member, role := range jsonwalk.Members(turn) {
					if string(name) == "messages" && string(member) == "role" {
						if string(role) == last {
							t.Fatalf("twice %s in %s", role, body)
						}
						last = string(role)
					}
				}
			}
		}
	})
}

// FuzzAnswer: whatever is answered, what goes to the caller is an answer that needs no mending.
func FuzzAnswer(f *testing.F) { dialect.Answers(f) }

// FuzzWrite: whatever is answered, what can be read of it can be written, and says the same.
func FuzzWrite(f *testing.F) { dialect.Writes(f) }

// FuzzStream: whatever is streamed, every chunk is JSON, and a whole stream has a finish reason.
func FuzzStream(f *testing.F) { dialect.Streams(f) }

// FuzzFrames: whatever bytes come, reading them ends, and what is read as an event is an object.
func FuzzFrames(f *testing.F) {
	f.Add(framed("messageStart {\"role\":\"assistant\"}\nthrottlingException {}\nodd []\nx  \n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		frames := converse.NewFrames(bytes.NewReader(raw), 1<<16, nil)
		for {
			payload, err := frames.Next()
			if err != nil {
				return
			}
			if err := new(converse.Stream).Read(payload, func(*llm.Event) {}); err == nil && payload[0] != '{' {
				t.Fatalf("%q was read", payload)
			}
		}
	})
}
