package passthrough

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/dialect/openai"
	"github.com/weirproxy/weir/internal/llm"
)

// What an upstream sends does not decide how much of a stream is remembered, nor how much larger an answer
// becomes.

func TestStreamRemembersLittle(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 10_000)
	st := Stream{Name: "r", Now: 1, Asked: "m"}
	walk := func(format string, args ...any) string {
		t.Helper()
		payload := fmt.Sprintf(format, args...)
		c, err := st.Walk([]byte(payload))
		if err != nil {
			t.Fatal(err)
		}
		return string(jsonwalk.Apply(nil, []byte(payload), c.Edits))
	}
	if got := walk(`{"id":"%s","model":"%[1]s","created":1,"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant"},"finish_reason":null}]}`, long); strings.Contains(got, "xx") {
		t.Errorf("a name of %d bytes would be put into every chunk: %.200s", len(long), got)
	}
	for i := range 3 * maxTools {
		walk(`{"choices":[{"index":%d,"delta":{"tool_calls":[{"index":%[1]d,"id":"%[1]d%[2]s","type":"function","function":{"name":"%[1]d%[2]s","arguments":""}}]}}]}`, i, long)
	}
	if len(st.choices) > openai.MaxChoices {
		t.Errorf("%d choices are remembered", len(st.choices))
	}
	tools := 0
	for _, c := range st.choices {
		tools += len(c.tools)
		for _, tool := range c.tools {
			if len(tool.id) > maxToolName || len(tool.name) > maxToolName {
				t.Fatalf("an id of %d bytes and a name of %d are remembered", len(tool.id), len(tool.name))
			}
		}
	}
	if tools > maxTools {
		t.Errorf("%d tool calls are remembered", tools)
	}
}

// An answer that is made a stream of does not become many times as long.
func TestChoicesOfAStream(t *testing.T) {
	t.Parallel()
	r := mustParse(t, llm.Chat, `{"model":"m","messages":[{}],"stream":true}`)
	body := func(beside, choices int) []byte {
		return []byte(`{"x":"` + strings.Repeat("x", beside) + `","choices":[` + strings.TrimSuffix(strings.Repeat(`{"index":0},`, choices), ",") + `]}`)
	}
	if _, err := r.StreamOf(body(60, maxRepeated/100)); err != nil {
		t.Error(err)
	}
	if _, err := r.StreamOf(body(1<<20, maxRepeated>>20)); !errors.Is(err, openai.ErrNoAnswer) {
		t.Errorf("all of it would be sent again for each choice: %v", err)
	}
}

// No figure of an upstream makes a negative one, or one that cannot be added up.
func TestUsageOfAnySize(t *testing.T) {
	t.Parallel()
	const format = `{"prompt_tokens":%[1]s,"completion_tokens":%[1]s,"total_tokens":%[1]s,"cached_tokens":%[1]s,"prompt_tokens_details":{"cached_tokens":%[1]s,"cache_write_tokens":%[1]s},"completion_tokens_details":{"reasoning_tokens":%[1]s}}`
	for _, figure := range []string{fmt.Sprint(math.MaxInt64), fmt.Sprint(math.MinInt64), "9007199254740992", "9007199254740993", "1e18", "1e400", "-1e400", "1.5", "-0", "99999999999999999999"} {
		text := []byte(fmt.Sprintf(format, figure))
		u, ok := openai.ReadUsage(jsonwalk.NewScanner(text, jsonwalk.Options{}), text)
		for _, n := range []int64{u.Fresh, u.CacheRead, u.CacheWrite, u.Text, u.Reasoning, u.Input(), u.Input() + u.Output()} {
			if n < 0 || n > 8*llm.MaxCount {
				t.Errorf("%s became %+v", figure, u)
			}
		}
		if !ok {
			t.Errorf("%s is no usage", figure)
		}
	}
}

func TestTooManyVectors(t *testing.T) {
	t.Parallel()
	vectors := func(n int) []byte {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,{"index":%d,"embedding":[1]}`, i)
		}
		return []byte(`{"data":[` + b.String()[1:] + `]}`)
	}
	one := mustParse(t, llm.Embeddings, `{"model":"m","input":"a"}`)
	if _, _, err := one.Pass(vectors(1000), &dialect.Changes{}, dialect.Stand{Echo: ""}); !errors.Is(err, openai.ErrNoAnswer) {
		t.Errorf("a thousand vectors for one input: %v", err)
	}
	unknown := mustParse(t, llm.Embeddings, `{"model":"m","input":[{"x":1},{"y":2}]}`)
	unknown.Inputs = -1
	if _, _, err := unknown.Pass(vectors(openai.MaxKept), &dialect.Changes{}, dialect.Stand{Echo: ""}); err != nil {
		t.Error(err)
	}
	if _, _, err := unknown.Pass(vectors(openai.MaxKept+1), &dialect.Changes{}, dialect.Stand{Echo: ""}); !errors.Is(err, openai.ErrNoAnswer) {
		t.Errorf("%d vectors: %v", openai.MaxKept+1, err)
	}
}

// Thoughts within thoughts are not followed: each level would look at all below it once more.
func TestNestedThoughts(t *testing.T) {
	t.Parallel()
	raw := `[{"type":"thinking","thinking":[{"type":"text","text":"a"},{"thinking":[{"text":"b"}]},{"thinking":"c"}]},{"text":"d"}]`
	summed := `[{"type":"reasoning","summary":[{"type":"summary_text","text":"I ","signature":"s"},{"type":"summary_text","text":"look."}]},{"type":"text","text":"d"}]`
	if text, thinking := textOfParts([]byte(summed), false); text != "d" || thinking != "I look." {
		t.Errorf("%q, %q", text, thinking)
	}
	if text, thinking := textOfParts([]byte(raw), false); text != "d" || thinking != "a" {
		t.Errorf("%q %q", text, thinking)
	}
}

// A choice among as many tools as a body has room for takes no more time than it takes to read them.
func TestManyAllowedTools(t *testing.T) {
	t.Parallel()
	const many = 100_000
	var tools, allowed strings.Builder
	for i := range many {
		if i > 0 {
			tools.WriteByte(',')
			allowed.WriteByte(',')
		}
		fmt.Fprintf(&tools, `{"type":"function","function":{"name":"f%d"}}`, i)
		fmt.Fprintf(&allowed, `{"type":"function","function":{"name":"f%d"}}`, many-i/2-1)
	}
	r, err := mustParse(t, llm.Chat, `{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[`+tools.String()+
		`],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[`+allowed.String()+`]}}}`).Decode(nil)
	if err != nil || len(r.Tools) != many/2 || r.Tools[0].Name.Text() != fmt.Sprintf("f%d", many/2) {
		t.Errorf("%v: %d tools are offered", err, len(r.Tools))
	}
}
