package recorded

import (
	"strings"
	"testing"
)

const (
	chunk1 = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"a"},"finish_reason":null}],"n":1.0,"x":{"y":[1,2],"z":null}}`
	chunk2 = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"b"},"finish_reason":null}]}`
	chunk3 = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	chunk4 = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":1}}`
)

// What was done to a stream without a rule for it is found, whatever it is.
func TestUnexplainedChangesAreFound(t *testing.T) {
	t.Parallel()
	in := []string{chunk1, chunk2, chunk3, chunk4}
	if c := CompareStreams(in, in, Caller); len(c.Unexplained) > 0 || c.Kinds["usage"] != 0 {
		t.Fatalf("the same stream: %+v", c)
	}
	for name, out := range map[string][]string{
		"a number's spelling":     {strings.Replace(chunk1, "1.0", "1", 1), chunk2, chunk3, chunk4},
		"white space":             {strings.Replace(chunk1, "[1,2]", "[1, 2]", 1), chunk2, chunk3, chunk4},
		"the order of members":    {strings.Replace(chunk1, `"y":[1,2],"z":null`, `"z":null,"y":[1,2]`, 1), chunk2, chunk3, chunk4},
		"a member lost":           {strings.Replace(chunk1, `,"z":null`, ``, 1), chunk2, chunk3, chunk4},
		"a member invented":       {strings.Replace(chunk1, `"n":`, `"refusal":null,"n":`, 1), chunk2, chunk3, chunk4},
		"an element lost":         {strings.Replace(chunk1, `[1,2]`, `[1]`, 1), chunk2, chunk3, chunk4},
		"text":                    {chunk1, strings.Replace(chunk2, `"b"`, `"c"`, 1), chunk3, chunk4},
		"text lost":               {chunk1, strings.Replace(chunk2, `{"content":"b"}`, `{}`, 1), chunk3, chunk4},
		"an escape":               {chunk1, strings.Replace(chunk2, `"b"`, `"\u0062"`, 1), chunk3, chunk4},
		"a finish reason made up": {chunk1, strings.Replace(chunk2, `null`, `"stop"`, 1), chunk3, chunk4},
		"a finish reason lost":    {chunk1, chunk2, strings.Replace(chunk3, `"stop"`, `null`, 1), chunk4},
		"logprobs made up":        {chunk1, chunk2, strings.Replace(chunk3, `"stop"`, `"stop","logprobs":null`, 1), chunk4},
		"a chunk lost":            {chunk1, chunk3, chunk4},
		"the first lost":          {chunk2, chunk3, chunk4},
		"the finish lost":         {chunk1, chunk2, chunk4},
		"usage lost":              {chunk1, chunk2, chunk3},
		"usage changed":           {chunk1, chunk2, chunk3, strings.Replace(chunk4, `":1}}`, `":2}}`, 1)},
		"usage told twice":        {chunk1, chunk2, chunk3, chunk4, chunk4},
		"usage too early":         {chunk1, chunk2, chunk4, chunk3},
		"a chunk twice":           {chunk1, chunk2, chunk2, chunk3, chunk4},
		"a chunk made up":         {chunk1, chunk2, chunk3, strings.Replace(chunk2, `"b"`, `"c"`, 1), chunk4},
		"no JSON":                 {chunk1, chunk2 + "}", chunk3, chunk4},
		"nothing at all":          {},
	} {
		if c := CompareStreams(in, out, Caller); len(c.Unexplained) == 0 {
			t.Errorf("%s: this was not found: %+v", name, c.Kinds)
		}
	}
}

// What has a rule is explained by it, and counted.
func TestRepairsAreExplained(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		was, is string
		kind    string
	}{
		{`{"id":"","choices":[{}]}`, `{"id":"c","choices":[{}]}`, "id"},
		{`{"created":1.5,"choices":[{}]}`, `{"created":1,"choices":[{}]}`, "created"},
		{`{"error":null,"choices":[{}]}`, `{"choices":[{}]}`, "error_null"},
		{`{"choices":[{"message":{"role":"assistant"}}]}`, `{"choices":[{"index":0,"message":{"role":"assistant"}}]}`, "index"},
		{`{"choices":[{"finish_reason":"eos"}]}`, `{"choices":[{"finish_reason":"stop"}]}`, "finish_reason"},
		{`{"choices":[{"finish_reason":"stop"}]}`, `{"choices":[{"finish_reason":"tool_calls"}]}`, "finish_tools"},
		{`{"choices":[{"message":{"content":[{"type":"text","text":"a"}]}}]}`, `{"choices":[{"message":{"content":"a","reasoning_content":"b"}}]}`, "content_parts"},
		{`{"choices":[{"message":{"content":"a"}}]}`, `{"choices":[{"message":{"content":"a","reasoning_content":"b"}}]}`, ""},
		{`{"choices":[{"message":{"tool_calls":[]}}]}`, `{"choices":[{"message":{}}]}`, "tool_calls_empty"},
		{`{"choices":[{"message":{"tool_calls":[{}]}}]}`, `{"choices":[{"message":{}}]}`, ""},
		{`{"choices":[{"message":{"tool_calls":[{"function":{"arguments":{"a":1}}}]}}]}`, `{"choices":[{"message":{"tool_calls":[{"function":{"arguments":"{\"a\":1}"}}]}}]}`, "arguments"},
		{`{"choices":[{"message":{"tool_calls":[{"function":{"arguments":"{}"}}]}}]}`, `{"choices":[{"message":{"tool_calls":[{"function":{"arguments":""}}]}}]}`, ""},
		{`{"choices":[{"finish_reason":"length"}]}`, `{"choices":[{"finish_reason":null}]}`, ""},
		{`{"choices":[{"delta":{"role":""}}]}`, `{"choices":[{"delta":{"role":"assistant"}}]}`, ""}, // a delta is in no answer
	} {
		c := CompareAnswers(tt.was, tt.is)
		if explained := len(c.Unexplained) == 0; explained != (tt.kind != "") || c.Kinds[tt.kind] != 1 && explained || len(c.Kinds) > 1 {
			t.Errorf("%s to %s: %+v", tt.was, tt.is, c)
		}
	}
}
