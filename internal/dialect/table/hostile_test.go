package table_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/dialect/table"
	"github.com/weirproxy/weir/internal/llm"
)

// chats are requests of callers of each dialect that a chat can be made of.
var chats = map[string]string{
	"chat/completions": `{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"custom","custom":{"name":"w"}},{"type":"function","function":{"name":"f"}}]}`,
	"messages":         `{"model":"m","stream":true,"max_tokens":9,"messages":[{"role":"user","content":"hi"}],"tools":[{"name":"f","input_schema":{"type":"object"}}]}`,
	"responses":        `{"model":"m","stream":true,"input":"hi","tools":[{"type":"custom","name":"w"},{"type":"function","name":"f","parameters":{"type":"object"}}]}`,
}

// FuzzChunks has what compatible servers could send be answered to callers of every dialect. Each payload is JSON on one line, and so is
// a whole answer.
func FuzzChunks(f *testing.F) {
	const head = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":`
	for _, deltas := range []string{
		`{"content":"a"}|{"content":"b"}`, `{"reasoning_content":"r"}|{"content":"b"}`, `{"refusal":"no"}`,
		`{"tool_calls":[{"index":0,"id":"i","type":"function","function":{"name":"f","arguments":"{\"a\":"}},{"index":1,"id":"j","function":{"name":"g"}}]}|{"content":"x"}|{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}`,
		`{"tool_calls":[{"index":0,"id":"i","type":"custom","custom":{"name":"w","input":"a\n"}}]}`, "{\"content\":[{\"text\":\"a\"},\n{\"thinking\":\"b\"}]}",
		`{"thinking_blocks":[{"type":"thinking","thinking":"t","signature":"s"}],"annotations":[{"url_citation":{"url":"u","title":"t"}}]}`, `null|{}|[]`,
		`{"tool_calls":[null,{},{"index":null,"id":null,"function":null},{"function":{"name":{},"arguments":[]}}]}`, `{"role":{},"content":{},"reasoning":[]}`,
	} {
		var stream []string
		for d := range strings.SplitSeq(deltas, "|") {
			stream = append(stream, head+d+`,"finish_reason":null}]}`)
		}
		f.Add(strings.Join(append(stream, head+`{},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`, "[DONE]"), "|"))
		f.Add(`{"id":{"a":` + "\n" + `1},"model":["x"],"choices":[{"index":0,"message":` + strings.SplitN(deltas, "|", 2)[0] + `,"logprobs":{"content":[{"token":"a","logprob":-1,"top_logprobs":[{}]}]},"finish_reason":"stop"}]}`)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for path, body := range chats {
			in := table.At(path)
			if in == nil {
				t.Fatalf("no endpoint at %s", path)
			}
			asked, refused := in.Parse([]byte(body), dialect.ParseOptions{MaxDepth: 64})
			if refused != nil {
				t.Fatal(refused)
			}
			chat := asked.(dialect.Chat)
			if _, err := chat.Decode(nil); err != nil {
				t.Fatal(err)
			}
			writer := func() dialect.Writer {
				return chat.Writer(dialect.Writing{Stand: dialect.Stand{Asked: "m", Name: "n", Now: 1}, Custom: []string{"w"}})
			}
			w, r := writer(), new(passthrough.AnswerReader)
			tell := func(ev *llm.Event) {
				out := w.Chunk(nil, ev)
				if ev.Kind == llm.End {
					if usage := w.UsageChunk(nil, ev); len(usage) > 0 {
						out = append(append(out, '\n'), usage...)
					}
				}
				for line := range bytes.SplitSeq(bytes.TrimLeft(out, "\n"), []byte("\n")) {
					if len(line) > 0 && !json.Valid(line) {
						t.Fatalf("%s: the caller is sent %q", path, line)
					}
				}
			}
			for payload := range strings.SplitSeq(text, "|") {
				if r.Read([]byte(payload), tell) != nil {
					break
				}
			}
			r.Close(tell)
			whole := writer()
			if end, err := passthrough.ReadAnswer([]byte(text), whole.Collect); err == nil {
				if out := whole.Answer(&end); !json.Valid(out) {
					t.Fatalf("%s: the caller is sent %q", path, out)
				}
			}
		}
	})
}
