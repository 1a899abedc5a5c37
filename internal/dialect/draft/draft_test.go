package draft

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/weirproxy/weir/internal/llm"
)

// What only one dialect knows is that dialect's: others leave it out by its name, or refuse where the answer would be to another
// question.
func TestForeign(t *testing.T) {
	t.Parallel()
	own := llm.JSON(`{"type":"own"}`)
	block := llm.Part{Kind: llm.Native, Raw: own, Of: llm.Anthropic}
	said := func(parts ...llm.Part) []llm.Message { return []llm.Message{{At: 3, Parts: parts}} }
	for _, tt := range []struct {
		name  string
		r     llm.Request
		left  []string
		param string
	}{
		{"nothing", llm.Request{Left: []string{"a"}}, []string{"a"}, ""},
		{"extra", llm.Request{Extras: []llm.Extra{{Of: llm.Anthropic, Name: "a.b", Value: own}}}, []string{"a.b"}, ""},
		{"null", llm.Request{Extras: []llm.Extra{{Of: llm.Anthropic, Name: "a.b", Value: llm.JSON("null")}}}, nil, ""},
		{"tool", llm.Request{Tools: []llm.Tool{{Raw: own, Of: llm.Anthropic}}}, nil, "tools"},
		{"block", llm.Request{Messages: said(block)}, nil, "messages[3].content"},
		{"block in a result", llm.Request{Messages: said(llm.Part{Kind: llm.Result, Parts: []llm.Part{block}})}, nil, "messages[3].content"},
		{"block of the system", llm.Request{System: []llm.Part{block}}, nil, "messages[0].content"},
	} {
		if _, left, bad := draftOf(&tt.r, llm.Anthropic); bad != nil || !slices.Equal(left, tt.r.Left) {
			t.Errorf("%s, its own: left %q, %v", tt.name, left, bad)
		}
		_, left, bad := draftOf(&tt.r, llm.Converse)
		if param := paramOf(bad); param != tt.param || bad == nil && !slices.Equal(left, tt.left) {
			t.Errorf("%s, another's: left %q, refused %q", tt.name, left, param)
		}
	}
}

func draftOf(r *llm.Request, dialect llm.Dialect) ([]byte, []string, *llm.Error) {
	d := Of(r, dialect)
	return d.Done()
}

func paramOf(err *llm.Error) string {
	if err == nil {
		return ""
	}
	return err.Param
}

// However much is left out, each is noted once, in order, and in time proportional to the body.
func TestManyLeft(t *testing.T) {
	t.Parallel()
	const many = 300_000
	d, r := Draft{Left: []string{"0"}}, Reading{Out: &llm.Request{Left: []string{"0"}}}
	for i := range 2 * many {
		name := strconv.Itoa(i % many)
		d.Leave(name)
		r.Leave(name)
	}
	for _, left := range [][]string{d.Left, r.Out.Left} {
		if len(left) != many {
			t.Fatalf("%d names, not %d", len(left), many)
		}
		for i, name := range left {
			if name != strconv.Itoa(i) {
				t.Fatalf("name %d is %s", i, name)
			}
		}
	}
}

func TestExtras(t *testing.T) {
	t.Parallel()
	one, two := llm.JSON("1"), llm.JSON("2")
	r := &llm.Request{Extras: []llm.Extra{
		{Of: llm.Gemini, Name: "labels", Value: one},
		{Of: llm.Gemini, Name: "generationConfig.mediaResolution", Value: two},
		{Of: llm.Anthropic, Name: "container", Value: two},
	}}
	for parent, want := range map[string]string{"": "labels", "generationConfig": "mediaResolution", "a": ""} {
		got := ""
		for name := range maps.Collect(Extras(r, llm.Gemini, parent)) {
			got += name
		}
		if got != want {
			t.Errorf("%q: %q", parent, got)
		}
	}
}

// What is no JSON object, or one that two readers may understand differently, is not read.
func TestReadingOf(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		` {"a":1} `: "", `{}`: "",
		``: "invalid_json", `[]`: "invalid_json", `{"a":1`: "invalid_json", `{} {}`: "invalid_json", `{"a":1,"\u0061":2}`: "invalid_json",
	} {
		r := ReadingOf([]byte(body))
		if _, err := r.Done(); err == nil != (want == "") || err != nil && err.Code() != want {
			t.Errorf("%q: %v", body, err)
		}
	}
	names := ""
	for name := range Given(llm.JSON(`{"a":null,"b":1,"c":"null"}`)) {
		names += string(name)
	}
	if names != "bc" {
		t.Errorf("given: %q", names)
	}
}
