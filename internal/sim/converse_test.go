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
		schema = `,"outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":{"schema":SCHEMA,"name":"n"}}}}`
	)
	for name, tt := range map[string]struct{ messages, more, says string }{
		"right":              {hi, "", `"stopReason":"end_turn"`},
		"an unknown member":  {hi, `,"seed":1`, "unknown field"},
		"a blank text":       {`{"role":"user","content":[{"text":" "}]}`, "", "is blank"},
		"a wrong order":      {hi + "," + hi, "", "must alternate"},
		"a schema":           {hi, strings.Replace(schema, "SCHEMA", `"{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"null\"}}}"`, 1), `{\"x\":null}`},
		"an unquoted schema": {hi, strings.Replace(schema, "SCHEMA", `{"type":"object"}`, 1), "cannot unmarshal"},
		"no schema at all":   {hi, strings.Replace(schema, "SCHEMA", `""`, 1), "must be a JSON schema"},
		"another form":       {hi, `,"outputConfig":{"textFormat":{"type":"text"}}`, "must be a JSON schema"},
	} {
		r := httptest.NewRequest(http.MethodPost, "/model/m/converse", strings.NewReader(`{"messages":[`+tt.messages+`]`+tt.more+`}`))
		w := httptest.NewRecorder()
		New(Script{}).ServeHTTP(w, r)
		if body := w.Body.String(); !strings.Contains(body, tt.says) {
			t.Errorf("%s: %s", name, body)
		}
	}
}
