package gemini

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// sentAs is a body for a target, and what it lacks.
func sentAs(t testing.TB, body string, c dialect.Changes, added *llm.Added) (string, []string) {
	t.Helper()
	var asked dialect.Request
	asked, refused := Parse([]byte(body), false, dialect.ParseOptions{Model: "m"})
	if refused == nil && added != nil {
		asked, _, refused = asked.With(added, llm.Chat, nil)
	}
	if refused != nil {
		t.Fatal(refused)
	}
	out, applied := asked.(dialect.Passing).Encode(c)
	if loses := asked.(dialect.Passing).Loses(c); (loses != "") != (len(applied.Ignored) > 0) {
		t.Errorf("it loses %q, of %q", loses, applied.Ignored)
	}
	return string(out.Bytes()), applied.Ignored
}

func TestOwnBytesForATarget(t *testing.T) {
	t.Parallel()
	set := func(params ...llm.Param) *llm.Added { return &llm.Added{Set: params} }
	p := func(name, value string) llm.Param { return llm.Param{Name: name, Value: llm.JSON(value)} }
	const (
		foreign  = `{"text":"x","thought":true,"thoughtSignature":"d2VpcjEuPy4="}`
		redacted = `{"text":"","thoughtSignature":"d2VpcjEuLWNsYXVkZS5hYmM="}`
		call     = `{"functionCall":{"name":"f","args":{}}}`
		skip     = `{"functionCall":{"name":"f","args":{}},"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="}`
	)
	hi := `{"role":"user","parts":[{"text":"hi"}]}`
	turn := func(parts ...string) string { return `{"role":"model","parts":[` + strings.Join(parts, ",") + `]}` }
	contents := func(turns ...string) string { return `{"contents":[` + strings.Join(turns, ",") + `]}` }
	for name, test := range map[string]struct {
		body    string
		changes dialect.Changes
		added   *llm.Added
		want    string
		left    string
	}{
		"as it came":               {`{ "contents" : [{"parts":[{"text":"hi"}]}], "new":[1.0],"tools":[{"googleSearch":{}}]}`, dialect.Changes{}, nil, `{ "contents" : [{"parts":[{"text":"hi"}]}], "new":[1.0],"tools":[{"googleSearch":{}}]}`, ""},
		"the model is in the path": {`{"model":"models/m","contents":[]}`, dialect.Changes{}, nil, `{"contents":[]}`, ""},
		"left out":                 {`{"generation_config":{"temperature":1,"topK":3},"contents":[]}`, dialect.Changes{Omit: []string{"temperature"}}, nil, `{"generation_config":{"topK":3},"contents":[]}`, "generationConfig.temperature"},
		"left out at the top":      {`{"cached_content":"x","contents":[]}`, dialect.Changes{Omit: []string{"cachedContent"}}, nil, `{"contents":[]}`, "cached_content"},
		"set":                      {`{"generationConfig":{"maxOutputTokens":9,"topK":3},"contents":[]}`, dialect.Changes{}, set(p("max_tokens", "5"), p("temperature", "0.5")), `{"generationConfig":{"maxOutputTokens":5,"topK":3,"temperature":0.5},"contents":[]}`, ""},
		"added":                    {`{"contents":[]}`, dialect.Changes{}, set(p("max_tokens", "5")), `{"contents":[],"generationConfig":{"maxOutputTokens":5}}`, ""},
		"effort":                   {`{"contents":[]}`, dialect.Changes{}, set(p("reasoning_effort", `"low"`)), `{"contents":[],"generationConfig":{"thinkingConfig":{"thinkingLevel":"LOW"}}}`, ""},
		"another's reasoning":      {contents(hi, turn(foreign, `{"text":"a"}`), hi), dialect.Changes{}, nil, contents(hi, turn(`{"text":"a"}`), hi), "contents[].thoughtSignature"},
		"reasoning cut on its way": {contents(hi, turn(`{"text":"x","thought":true,"thoughtSignature":"d2VpcjEub3"}`, `{"text":"a"}`), hi), dialect.Changes{}, nil, contents(hi, turn(`{"text":"a"}`), hi), "contents[].thoughtSignature"},
		"nothing but reasoning":    {contents(hi, turn(foreign, redacted), hi), dialect.Changes{}, nil, contents(hi, hi), "contents[].thoughtSignature"},
		"a call without signature": {contents(hi, turn(call, call)), dialect.Changes{}, nil, contents(hi, turn(skip, call)), ""},
		"refused signatures":       {contents(hi, turn(`{"text":"x","thought":true,"thoughtSignature":"abc"}`, `{"text":"a","thoughtSignature":"abc"}`, `{"functionCall":{"name":"f","args":{}},"thoughtSignature":"abc"}`, call)), dialect.Changes{OmitEncrypted: true}, nil, contents(hi, turn(`{"text":"a"}`, skip, call)), "contents[].thoughtSignature"},
		"of older models":          {contents(hi, turn(`{"functionCall":{"name":"f","args":{}},"thoughtSignature":"abc"}`)), dialect.Changes{Model: "gemini-2.5-pro", OmitEncrypted: true}, nil, contents(hi, turn(call)), "contents[].thoughtSignature"},
		"none to refuse":           {contents(hi, turn(skip, call)), dialect.Changes{OmitEncrypted: true}, nil, contents(hi, turn(skip, call)), ""},
		"signatures of its own":    {contents(turn(`{"functionCall":{"name":"f"},"thoughtSignature":"abc"}`, call)), dialect.Changes{}, nil, contents(turn(`{"functionCall":{"name":"f"},"thoughtSignature":"abc"}`, call)), ""},
	} {
		if test.changes.Model == "" {
			test.changes.Model = "gemini-3-pro"
		}
		got, left := sentAs(t, test.body, test.changes, test.added)
		if got != test.want || strings.Join(left, ",") != test.left {
			t.Errorf("%s: it became\n%s, not\n%s; left %q", name, got, test.want, left)
		}
	}
}

// What a stream says as it passes is what a reader of it learns, and all of it passes as it came.
func TestStreamsPass(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/streams/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		given, _, _ := strings.Cut(string(text), "-- becomes --")
		walk, reader := &Passage{}, &Stream{}
		var failed, broken bool
		for line := range strings.Lines(given) {
			data, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "data: ")
			if !ok {
				continue
			}
			chunk, err := walk.WalkBehind(nil, []byte(data))
			failed = failed || err != nil || chunk.Error
			broken = reader.Read([]byte(data), func(*llm.Event) {}) != nil || broken
		}
		ended := false
		reader.Close(func(ev *llm.Event) { ended = ended || ev.Kind == llm.End })
		if walk.HasUsage && walk.Usage != reader.Used() {
			t.Errorf("%s: %+v is not %+v", file, walk.Usage, reader.Used())
		}
		if !broken && !failed && walk.Complete(true) != ended {
			t.Errorf("%s: that it is whole is %v, and for a reader %v", file, walk.Complete(true), ended)
		}
		if failed && !broken {
			t.Errorf("%s fails as it passes, and can be read", file)
		}
	}
}

// An event costs nothing.
func TestPassingCostsNoMemory(t *testing.T) {
	payload := []byte(`{"candidates":[{"content":{"parts":[{"text":"Hello"}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":4,"totalTokenCount":14},"modelVersion":"gemini-3-pro","responseId":"R"}`)
	p := &Passage{}
	n := testing.AllocsPerRun(100, func() {
		if c, err := p.WalkBehind(nil, payload); err != nil || !c.Content || c.Ends {
			t.Error("it is no content, or ends something")
		}
		p.Rest()
	})
	if n > 0 {
		t.Errorf("a piece takes %v allocations", n)
	}
}

func TestAnswersPass(t *testing.T) {
	t.Parallel()
	const answer = `{"candidates":[{"content":{"parts":[{"text":"Hi"},{"functionCall":{"name":"f"}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2},"modelVersion":"up"}`
	for body, want := range map[string]string{
		answer: strings.Replace(answer, `"up"`, `"mine"`, 1),
		`{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":3}}`: `{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":3}}`,
		`{"error":{"code":500,"message":"x"}}`:                                               "",
		`{}`:                                                                                 "", `[]`: "", `{`: "",
	} {
		out, got, err := new(Request).Pass([]byte(body), nil, dialect.Stand{Echo: "mine"})
		if string(out) != want || (err == nil) != (want != "") {
			t.Errorf("%s became %s %v", body, out, err)
		}
		if want != "" && (!got.HasUsage || got.Usage.Input() != 3 || got.Finish == "" || got.Covered != got.Said) {
			t.Errorf("%s: %+v", body, got)
		}
	}
}

// FuzzPassing: whatever passes through stays JSON, whatever a target needs changed in it, and whatever comes back is no panic.
func FuzzPassing(f *testing.F) {
	f.Add([]byte(`{"contents":[{"parts":[{"text":"x","thought":true,"thoughtSignature":"d2VpcjEuPy4="},{"function_call":{}}]}],"generation_config":{"topK":1},"cachedContent":null}`))
	f.Add([]byte(`{"candidates":[{"content":{"parts":[{"text":"x"}]},"finishReason":"STOP","index":1}],"usageMetadata":{"promptTokenCount":1}}`))
	f.Add([]byte(`{"contents":[{"parts":[],"parts ":1},{"role":"model"},3],"\u0063ontents":[]}`))
	added := &llm.Added{Set: []llm.Param{{Name: "max_tokens", Value: llm.JSON("5")}}}
	f.Fuzz(func(t *testing.T, body []byte) {
		p := &Passage{echo: "m"}
		if chunk, err := p.WalkBehind(nil, body); err == nil {
			if out := jsonwalk.Apply(nil, body, chunk.Edits); !json.Valid(out) {
				t.Fatalf("%s became %s", body, out)
			}
		}
		r, refused := Parse(bytes.Clone(body), true, dialect.ParseOptions{Model: "m"})
		if refused != nil {
			return
		}
		with, _, refused := r.With(added, llm.Chat, nil)
		if refused != nil {
			return
		}
		out, _ := with.(*Request).Encode(dialect.Changes{Model: "gemini-3-pro", Omit: []string{"temperature", "tools", "cachedContent"}})
		if err := jsonwalk.Valid(out.Bytes(), jsonwalk.Options{}); err != nil {
			t.Fatalf("%v: %s became %s", err, body, out.Bytes())
		}
	})
}
