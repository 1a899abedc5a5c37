package converse_test

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect/converse"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

const hi = `"messages":[{"role":"user","content":[{"text":"hi"}]}]`

// A fault in a request is reported with the name of the member.
func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	said := func(block string) string { return `{"messages":[{"role":"user","content":[` + block + `]}]}` }
	for body, param := range map[string]string{
		`7`:                                "",
		`{"messages":[],"messages":[]}`:    "",
		`{"messages":{}}`:                  "messages",
		`{"messages":[7]}`:                 "messages[0]",
		`{"messages":[{"role":"system"}]}`: "messages[0].role",
		`{"messages":[{"content":"hi"}]}`:  "messages[0].content",
		said(`7`):                          "messages[0].content[0]",
		said(`{"toolUse":{"toolUseId":"a","name":"f","input":"x"}}`):                                                  "messages[0].content[0].toolUse.input",
		said(`{"toolUse":{"name":"f","input":{}}}`):                                                                   "messages[0].content[0].toolUse.toolUseId",
		said(`{"toolUse":{"toolUseId":"a","x":"f","input":{}}}`):                                                      "messages[0].content[0].toolUse.name",
		said(`{"toolResult":{"content":[]}}`):                                                                         "messages[0].content[0].toolResult.toolUseId",
		`{` + hi + `,"system":"x"}`:                                                                                   "system",
		`{` + hi + `,"inferenceConfig":[]}`:                                                                           "inferenceConfig",
		`{` + hi + `,"inferenceConfig":{"maxTokens":0.5}}`:                                                            "inferenceConfig.maxTokens",
		`{` + hi + `,"inferenceConfig":{"stopSequences":[7]}}`:                                                        "inferenceConfig.stopSequences[0]",
		`{` + hi + `,"inferenceConfig":{"temperature":"warm"}}`:                                                       "inferenceConfig.temperature",
		`{` + hi + `,"inferenceConfig":{"topP":{}}}`:                                                                  "inferenceConfig.topP",
		`{` + hi + `,"toolConfig":{"tools":[{"toolSpec":{}}]}}`:                                                       "toolConfig.tools[0].toolSpec.name",
		`{` + hi + `,"toolConfig":{"toolChoice":{"auto":{"x":1}}}}`:                                                   "toolConfig.toolChoice",
		`{` + hi + `,"toolConfig":{"toolChoice":{"tool":{"name":"f","x":1}}}}`:                                        "toolConfig.toolChoice",
		`{` + hi + `,"toolConfig":{"toolChoice":{"none":{}}}}`:                                                        "toolConfig.toolChoice",
		`{` + hi + `,"outputConfig":{"textFormat":{"type":"text"}}}`:                                                  "outputConfig.textFormat.type",
		`{` + hi + `,"outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":{"schema":"["}}}}}`: "outputConfig.textFormat.structure.jsonSchema.schema",
		`{` + hi + `,"outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":{"schema":{}}}}}}`:  "outputConfig.textFormat.structure.jsonSchema.schema",
	} {
		r, err := converse.Decode("m", []byte(body))
		if err == nil || r != nil || err.Param != param {
			t.Errorf("%s: %v, %v", body, r, err)
		}
	}
}

// What only this API knows comes back to it as it was, and so does all else that was not recorded.
func TestDecodeKeeps(t *testing.T) {
	t.Parallel()
	const claude, nova = "us.anthropic.claude-sonnet-4-5-20250929-v1:0", "us.amazon.nova-2-lite-v1:0"
	const tools = `,"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}]`
	said := func(blocks string) string { return `{"messages":[{"role":"user","content":[` + blocks + `]}]}` }
	for _, tt := range []struct{ model, body string }{
		{claude, said(`{"text":"x"},{"document":{"format":"pdf","name":"A name","source":{"bytes":"QUJD"}}},{"image":{"format":"png","source":{"bytes":"QUJD"}}}`)},
		{claude, said(`{"text":"x"},{"document":{"format":"pdf","name":"a","source":{"s3Location":{"uri":"s3://b/k"}}}},{"video":{"format":"mp4"}}`)},
		{claude, said(`{"cachePoint":{"type":"default"}},{"text":"x"},{"cachePoint":{"type":"default","ttl":"1h"}},{"text":"y"},{"cachePoint":{"type":"default"}}`)},
		{claude, said(`{"toolResult":{"toolUseId":"a","status":"error","content":[{"json":{"x":1}},{"text":"y"}]}}`)[:1] + `"toolConfig":{"tools":[{"toolSpec":{"name":"f","description":"d","inputSchema":{"json":{"type":"object","properties":{"x":{}},"additionalProperties":false}},"strict":true}},{"cachePoint":{"type":"default"}},{"systemTool":{"name":"s"}}],"toolChoice":{"tool":{"name":"f"}}},` + said(`{"toolResult":{"toolUseId":"a","status":"error","content":[{"json":{"x":1}},{"text":"y"}]}}`)[1:]},
		{claude, `{` + hi + `,"additionalModelRequestFields":{"thinking":{"type":"enabled","budget_tokens":1024},"anthropic_beta":["x"]},"inferenceConfig":{"maxTokens":4000}}`},
		{claude, `{` + hi + tools + `},"additionalModelRequestFields":{"tool_choice":{"type":"any","disable_parallel_tool_use":true}}}`},
		{claude, `{` + hi + `,"additionalModelRequestFields":{"tool_choice":{"type":"any","disable_parallel_tool_use":true}}` + tools + `,"toolChoice":{"any":{}}}}`},
		{claude, `{` + hi + tools + `,"toolChoice":{"tool":{"name":"f"}}},"additionalModelRequestFields":{"tool_choice":{"type":"tool","name":"f","disable_parallel_tool_use":true}}}`},
		{claude, `{` + hi + tools + `,"toolChoice":{"tool":{"name":"f"}}},"additionalModelRequestFields":{"tool_choice":{"type":"tool","name":"g","disable_parallel_tool_use":true}}}`},
		{"anthropic.claude-opus-4-6", `{` + hi + `,"additionalModelRequestFields":{"thinking":{"type":"adaptive"},"output_config":{"effort":"low"}}}`},
		{"anthropic.claude-opus-4-6", `{` + hi + `,"additionalModelRequestFields":{"thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"low"}}}`},
		{nova, `{` + hi + `,"additionalModelRequestFields":{"reasoningConfig":{"type":"enabled","maxReasoningEffort":"low"},"inferenceConfig":{"topK":3}}}`},
		{nova, `{"messages":[{"role":"user","content":[{"text":"hi"}]},{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"hm"}}},{"reasoningContent":{"redactedContent":"QUJD"}},{"text":"x"}]}],"guardrailConfig":{"guardrailIdentifier":"g"}}`},
		{"qwen.qwen3-32b-v1:0", `{` + hi + `,"additionalModelRequestFields":{"reasoning_config":"high"},"serviceTier":{"type":"flex"},"requestMetadata":{"a":"b"}}`},
	} {
		dialect.SameRequest(t, tt.model, []byte(tt.body))
	}
}

// A member in a place where none belongs is named: it is not dropped silently.
func TestDecodeLeaves(t *testing.T) {
	t.Parallel()
	const schema = `"jsonSchema":{"schema":"{}","name":"n"}`
	for form, want := range map[string]int{
		`{"type":"json_schema","structure":{` + schema + `}}`:       0,
		`{"type":"json_schema","x":1,"structure":{` + schema + `}}`: 1,
		`{"type":"json_schema","structure":{"x":1,` + schema + `}}`: 1,
	} {
		r, err := converse.Decode("m", []byte(`{`+hi+`,"outputConfig":{"textFormat":`+form+`}}`))
		if err != nil || len(r.Left) != want {
			t.Errorf("%s: %+v, %v", form, r, err)
		}
	}
}

// A payload of the writer is a frame, and again the payload.
func TestAppendFrame(t *testing.T) {
	t.Parallel()
	payloads := []string{
		`{"type":"messageStart","role":"assistant"}`,
		`{"type":"contentBlockDelta","contentBlockIndex":0,"delta":{"text":"a \"type\":\"b\""}}`,
		`{"type":"empty"}`,
		`{"type":"error","error":{"type":"throttlingException","message":"Too many requests"}}`,
	}
	var stream []byte
	for _, p := range payloads {
		stream = converse.AppendFrame(stream, []byte(p))
	}
	frames := converse.NewFrames(bytes.NewReader(stream), 1<<20, nil)
	for _, want := range payloads {
		if got, err := frames.Next(); err != nil || string(got) != want {
			t.Errorf("%s, %v, not %s", got, err, want)
		}
	}
}

// A tool cannot be called with what is no object: the API has a word for a model that does.
func TestWriterRefusesArguments(t *testing.T) {
	t.Parallel()
	w := new(converse.Writer)
	end := llm.Event{Kind: llm.End, Finish: "tool_calls"}
	for _, ev := range []llm.Event{
		{Kind: llm.Start},
		{Kind: llm.BlockStart, Part: llm.ToolCall, ID: llm.Quote("a"), Name: llm.Quote("f")},
		{Kind: llm.Delta, Part: llm.ToolCall, Text: llm.Quote(`{"x":`)},
		{Kind: llm.BlockStop, Part: llm.ToolCall},
	} {
		w.Collect(&ev)
	}
	if body := string(w.Answer(&end)); !strings.Contains(body, `"input":{}`) || !strings.Contains(body, `"stopReason":"malformed_tool_use"`) {
		t.Error(body)
	}
}

// Documents that are all called the same, or as others are that get numbers, have names of their own, however many there are.
func TestNamesOfDocuments(t *testing.T) {
	t.Parallel()
	const many = 20_000
	r := llm.Request{Model: "anthropic.claude-sonnet-4-5", Messages: []llm.Message{{}}}
	parts := &r.Messages[0].Parts
	add := func(name string) {
		*parts = append(*parts, llm.Part{Kind: llm.File, Media: "application/pdf", Data: []byte("aGk="), Name: llm.Quote(name)})
	}
	for i := range many {
		add("x-" + strconv.Itoa(many+i)) // as the next ones would be called
	}
	for range many {
		add("x!")
	}
	body, _, refusal := converse.Encode(&r)
	if refusal != nil {
		t.Fatal(refusal)
	}
	names := map[string]bool{}
	for _, found := range regexp.MustCompile(`"name":"([^"]*)"`).FindAllSubmatch(body, -1) {
		names[string(found[1])] = true
	}
	if len(names) != 2*many {
		t.Errorf("%d names for %d documents", len(names), 2*many)
	}
}

// Unreadable reasoning without data is still valid JSON.
func TestWriterOfNothingRedacted(t *testing.T) {
	t.Parallel()
	w := new(converse.Writer)
	w.Collect(&llm.Event{Kind: llm.BlockStart, Part: llm.Redacted})
	w.Collect(&llm.Event{Kind: llm.BlockStop, Part: llm.Redacted})
	body := w.Answer(&llm.Event{Kind: llm.End, Finish: "stop"})
	if err := jsonwalk.Valid(body, jsonwalk.Options{Unique: true}); err != nil {
		t.Errorf("%v in %s", err, body)
	}
}
