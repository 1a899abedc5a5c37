package responses

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// repeated is a piece of text many times, with a comma between and its number in it.
func repeated(n int, piece string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, piece, i)
	}
	return b.String()
}

// Bodies that hold very many of anything are read in time proportional to their length: what took the square of it would not end here.
func TestManyOfAnything(t *testing.T) {
	t.Parallel()
	const many = 100_000
	tools := repeated(many, `{"type":"function","name":"f%d"}`)
	for name, body := range map[string]string{
		"items":        `"input":[` + repeated(many, `{"role":"user","content":"%d"}`) + `]`,
		"calls":        `"input":[` + repeated(many, `{"type":"function_call","call_id":"c%[1]d","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c%[1]d","output":""}`) + `]`,
		"parts":        `"input":[{"role":"user","content":[` + repeated(many, `{"type":"input_text","text":"%d"}`) + `]}]`,
		"tools":        `"input":"x","tools":[` + tools + `]`,
		"choices":      `"input":"x","tools":[` + tools + `],"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[` + tools + `]}`,
		"built-ins":    `"input":"x","tools":[` + repeated(many, `{"type":"w%d"}`) + `,{"type":"function","name":"f"}]`,
		"found tools":  `"input":[{"type":"tool_search_call","call_id":"c","arguments":{}},{"type":"tool_search_output","call_id":"c","tools":[` + tools + `]}]`,
		"members":      `"input":"x",` + repeated(many, `"m%d":1`),
		"nested texts": `"input":[{"role":"user","content":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}]`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := Parse([]byte(`{"model":"m",`+body+`}`), dialect.ParseOptions{})
			if err != nil {
				t.Fatal(err)
			}
			r.Profile(llm.Wants{Needs: 0xff, Least: 1, Tokens: true, Prefix: true, User: true})
			if _, err := r.Decode(nil); err != nil && name != "nested texts" {
				t.Error(err)
			}
			r.Writer(dialect.Writing{})
		})
	}
}

// Answers too, whole and as the end of a stream in which many items began at once.
func TestManyOfAnythingAnswered(t *testing.T) {
	t.Parallel()
	const many = 100_000
	begun := strings.Split(repeated(maxItems, `{"type":"response.output_item.added","output_index":%d,"item":{"type":"message"}}`), "},{")
	for name, output := range map[string]string{
		"items":       repeated(many, `{"type":"message","content":[{"type":"output_text","text":"%d"}]}`),
		"nothing":     repeated(many, `{},{"n":%d}`),
		"calls":       repeated(many, `{"type":"function_call","call_id":"c%d","name":"f","arguments":"{}"}`),
		"parts":       `{"type":"message","content":[` + repeated(many, `{"type":"output_text","text":"%d"}`) + `]}`,
		"annotations": `{"type":"message","content":[{"type":"output_text","text":"a","annotations":[` + repeated(many, `{"type":"url_citation","start_index":0,"end_index":%d,"url":"u"}`) + `]}]}`,
		"summaries":   `{"type":"reasoning","summary":[` + repeated(many, `{"type":"summary_text","text":"%d"}`) + `]}`,
		"refusals":    `{"type":"message","content":[` + repeated(many, `{"type":"refusal","refusal":"%d"}`) + `]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 0
			count := func(*llm.Event) { n++ }
			if _, err := ReadAnswer([]byte(`{"status":"completed","output":[`+output+`]}`), count); err != nil || n == 0 {
				t.Errorf("%d events, %v", n, err)
			}
			var st Stream
			for i, ev := range begun {
				if i > 0 {
					ev = "{" + ev
				}
				if i < len(begun)-1 {
					ev += "}"
				}
				if err := st.Read([]byte(ev), count); err != nil {
					t.Fatalf("%v: %s", err, ev)
				}
			}
			if err := st.Read([]byte(`{"type":"response.completed","response":{"status":"completed","output":[`+output+`]}}`), count); err != nil {
				t.Error(err)
			}
		})
	}
}
