package gemini

import (
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// FuzzEmbed: whatever a caller asks for, it is refused, or its texts reach a target as a valid body, one vector for each.
func FuzzEmbed(f *testing.F) {
	f.Add([]byte(`{"content":{"parts":[{"text":"a"}]},"taskType":"X","outputDimensionality":3,"title":"t"}`), false)
	f.Add([]byte(`{"requests":[{"model":"models/m","content":{"parts":[{"text":"a"}]}},{"content":"b"}]}`), true)
	f.Add([]byte(`{"content":{"parts":[{"text":1}]},"embedContentConfig":{"autoTruncate":true}}`), false)
	f.Fuzz(func(t *testing.T, raw []byte, batch bool) {
		r, refused := parseEmbed(raw, batch, dialect.ParseOptions{Model: "m"})
		if refused != nil {
			return
		}
		typed, refused := r.DecodeEmbeddings(nil)
		if refused != nil {
			return
		}
		if len(typed.Inputs) != r.Inputs {
			t.Fatalf("%d texts, and %d were counted", len(typed.Inputs), r.Inputs)
		}
		typed.Model = "up"
		body, _, refused := EncodeEmbeddings(typed, typed.Inputs)
		if refused != nil || jsonwalk.Valid(body, jsonwalk.Options{}) != nil {
			t.Fatalf("%v: %s", refused, body)
		}
	})
}

// What is no vector fails the answer: neither numbers nor float32s.
func TestVectorsForCallers(t *testing.T) {
	t.Parallel()
	r := &EmbedRequest{batch: true}
	for value, want := range map[string]string{
		`[1,2.5]`:        `{"values":[1,2.5]}`,
		`"AACAPwAAAMA="`: `{"values":[1,-2]}`,
		`"AA=="`:         "", `""`: "", `[]`: "", `["x"]`: "", `null`: "", `{}`: "",
	} {
		got, err := r.AppendVectors(nil, []llm.JSON{llm.JSON(value)}, 0)
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%s becomes %s %v", value, got, err)
		}
	}
}
