package sim

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The Converse API takes a schema for its answer as a string, and refuses what the real one refuses.
func TestConverseIsChecked(t *testing.T) {
	t.Parallel()
	const (
		hi     = `{"role":"user","content":[{"text":"hi"}]}`
		file   = `{"document":{"format":"pdf","name":"a","source":{"bytes":"aGk="}}}`
		tools  = `,"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}]}`
		schema = `,"outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":{"schema":SCHEMA,"name":"n"}}}}`
	)
	said := func(block string) string { return `{"role":"user","content":[{"text":"hi"},` + block + `]}` }
	fields := func(members string) string { return `,"additionalModelRequestFields":{` + members + `}` }
	for name, tt := range map[string]struct{ messages, more, says string }{
		"right":              {hi, "", `"stopReason":"end_turn"`},
		"an unknown member":  {hi, `,"seed":1`, "unknown field"},
		"warmth in a word":   {hi, `,"inferenceConfig":{"temperature":"warm"}`, "must be a number"},
		"another cache":      {said(`{"cachePoint":{"type":"x"}}`), "", "cachePoint.type"},
		"more of a cache":    {said(`{"cachePoint":{"type":"default","x":1}}`), "", "must set one of"},
		"a file elsewhere":   {said(`{"document":{"format":"pdf","name":"a","source":{"s3Location":{"uri":"s3://b/k"}}}}`), "", `"stopReason":"end_turn"`},
		"its name":           {said(`{"document":{"format":"pdf","name":"a/b","source":{"s3Location":{"uri":"s3://b/k"}}}}`), "", "document file name"},
		"its name again":     {said(file + `,{"document":{"format":"pdf","name":"a","source":{"s3Location":{"uri":"s3://b/k"}}}}`), "", "document file name"},
		"more of a file":     {said(strings.Replace(file, `"name"`, `"x":1,"name"`, 1)), "", "must set one of"},
		"more of a form":     {hi, strings.Replace(strings.Replace(schema, "SCHEMA", `"{}"`, 1), `"type"`, `"x":1,"type"`, 1), "unknown field"},
		"too small a budget": {hi, fields(`"thinking":{"type":"enabled","budget_tokens":5},"output_config":{"effort":"low"}`), "budget_tokens"},
		"no budget":          {hi, fields(`"thinking":{"type":"enabled","display":"omitted"}`), "budget_tokens"},
		"more of thinking":   {hi, fields(`"thinking":{"type":"enabled","budget_tokens":2000,"x":1}`), "unknown field"},
		"a forced thought":   {hi, tools + fields(`"thinking":{"type":"enabled","budget_tokens":2000},"tool_choice":{"type":"any"}`), "forces tool use"},
		"a forced call":      {hi, tools + fields(`"tool_choice":{"type":"any","disable_parallel_tool_use":true}`), `"stopReason":"tool_use"`},
		"a top by a word":    {hi, fields(`"top_k":"x"`), "of another type"},
		"a blank text":       {`{"role":"user","content":[{"text":" "}]}`, "", "is blank"},
		"a wrong order":      {hi + "," + hi, "", "must alternate"},
		"a schema":           {hi, strings.Replace(schema, "SCHEMA", `"{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"null\"}},\"additionalProperties\":false}"`, 1), `{\"x\":null}`},
		"an unquoted schema": {hi, strings.Replace(schema, "SCHEMA", `{"type":"object"}`, 1), "must be a string"},
		"no schema at all":   {hi, strings.Replace(schema, "SCHEMA", `""`, 1), "must be a JSON schema"},
		"another form":       {hi, `,"outputConfig":{"textFormat":{"type":"text"}}`, "must be json_schema"},
	} {
		r := httptest.NewRequest(http.MethodPost, "/model/m/converse", strings.NewReader(`{"messages":[`+tt.messages+`]`+tt.more+`}`))
		w := httptest.NewRecorder()
		New(Script{}).ServeHTTP(w, r)
		if body := w.Body.String(); !strings.Contains(body, tt.says) {
			t.Errorf("%s: %s", name, body)
		}
	}
}

// A model takes back the thoughts that one of its own maker signed, and refuses all others.
func TestConverseSignatures(t *testing.T) {
	t.Parallel()
	said := func(model, messages string) string {
		r := httptest.NewRequest(http.MethodPost, "/model/"+model+"/converse",
			strings.NewReader(`{"messages":[`+messages+`],"additionalModelRequestFields":{"reasoning_effort":"low"}}`))
		w := httptest.NewRecorder()
		New(Script{}).ServeHTTP(w, r)
		return w.Body.String()
	}
	models := []string{"us.anthropic.claude-opus-4-6-v1", "us.amazon.nova-2-lite-v1:0", "openai.gpt-oss-120b-1:0"}
	const hi = `{"role":"user","content":[{"text":"hi"}]}`
	for _, from := range models {
		_, thought, _ := strings.Cut(said(from, hi), `"content":[`)
		thought, _, ok := strings.Cut(thought, `,{"text"`)
		if !ok || !strings.Contains(thought, `"signature":"`) {
			t.Fatalf("%s signs no thought: %s", from, thought)
		}
		for _, to := range models {
			answer := said(to, hi+`,{"role":"assistant","content":[`+thought+`]},`+hi)
			if refused := strings.Contains(answer, "Invalid `signature`"); refused != (from != to) {
				t.Errorf("%s to %s: %s", from, to, answer)
			}
		}
	}
}
