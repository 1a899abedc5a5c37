package sim

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// cohereCallOf calls Cohere's Chat API.
func cohereCallOf(t *testing.T, s *Server, body string) (int, string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/v2/chat", strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer k")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// The Chat API refuses what the real one refuses.
func TestCohereIsChecked(t *testing.T) {
	t.Parallel()
	const (
		hi    = `{"role":"user","content":"hi"}`
		tools = `,"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`
		call  = `{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}`
		done  = `{"role":"tool","tool_call_id":"a","content":"x"}`
	)
	for name, tt := range map[string]struct{ messages, more, says string }{
		"right":                          {hi, "", `"finish_reason":"COMPLETE"`},
		"a call":                         {hi, tools, `"finish_reason":"TOOL_CALL"`},
		"no call":                        {hi, tools + `,"tool_choice":"NONE"`, `"finish_reason":"COMPLETE"`},
		"a result":                       {hi + "," + call + "," + done, tools, "You said: x"},
		"thinking":                       {hi, `,"thinking":{"type":"enabled","token_budget":5}`, `"type":"thinking"`},
		"JSON":                           {hi, `,"response_format":{"type":"json_object","json_schema":{"type":"object","properties":{"n":{"type":"integer"}}}}`, `{\"n\":1}`},
		"too long":                       {hi, `,"max_tokens":2`, `"finish_reason":"MAX_TOKENS"`},
		"an unknown member":              {hi, `,"top_p":1`, "unknown field"},
		"an unknown member of a message": {`{"role":"user","content":"x","name":"n"}`, ``, "unknown field"},
		"a system message late":          {hi + `,{"role":"system","content":"x"}`, "", "must be the first"},
		"two system messages":            {`{"role":"system","content":"x"},` + hi + `,{"role":"system","content":"x"},` + hi, "", "must be the first"},
		"an empty system message":        {`{"role":"system","content":[]},` + hi, "", "must be the first"},
		"warmth in a word":               {hi, `,"temperature":"hot"`, "must be a number"},
		"logprobs by number":             {hi, `,"logprobs":5`, "must be true or false"},
		"a call of another type":         {hi + "," + strings.Replace(call, `"function",`, `"custom",`, 1) + "," + done, tools, "unknown field"},
		"an unknown member of a call":    {hi + "," + strings.Replace(call, `"{}"`, `"{}","x":1`, 1) + "," + done, tools, "unknown field"},
		"an unknown member of an image":  {`{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"},"y":1}]}`, "", "unknown field"},
		"a tool without a name":          {hi, strings.Replace(tools, `"f"`, `""`, 1), "Missing required"},
		"an unknown role":                {`{"role":"developer","content":"x"}`, "", "must be system, user, assistant or tool"},
		"nothing said":                   {hi + `,{"role":"assistant"}`, "", "must not be empty"},
		"an image of the assistant":      {hi + `,{"role":"assistant","content":[{"type":"image_url","image_url":{}}]}`, "", "is not for the role"},
		"a result without a call":        {hi + "," + done, "", "not that of a call"},
		"a choice of OpenAI's":           {hi, tools + `,"tool_choice":"required"`, "REQUIRED or NONE"},
		"a choice without tools":         {hi, `,"tool_choice":"REQUIRED"`, "no tools"},
		"a tool without parameters":      {hi, `,"tools":[{"type":"function","function":{"name":"f"}}]`, "name and parameters"},
		"a format beside tools":          {hi, tools + `,"response_format":{"type":"json_object"}`, "not supported"},
		"no budget":                      {hi, `,"thinking":{"type":"enabled","token_budget":0}`, "above zero"},
		"all tokens":                     {hi, `,"p":1`, "between 0.01 and 0.99"},
		"too many stops":                 {hi, `,"stop_sequences":["1","2","3","4","5","6"]`, "no more than 5"},
	} {
		_, body := cohereCallOf(t, New(Script{Key: "k"}), `{"model":"m","stream":false,"messages":[`+tt.messages+`]`+tt.more+`}`)
		if !strings.Contains(body, tt.says) {
			t.Errorf("%s: %s", name, body)
		}
	}
	if status, body := cohereCallOf(t, New(Script{Key: "other"}), `{}`); status != 401 || !strings.Contains(body, "invalid api token") {
		t.Errorf("with a wrong key: %d %s", status, body)
	}
	if status, body := cohereCallOf(t, New(Script{Key: "k", Models: []string{"x"}}), `{"model":"m","stream":false,"messages":[`+hi+`]}`); status != 404 || !strings.Contains(body, "model 'm' not found") {
		t.Errorf("with an unknown model: %d %s", status, body)
	}
}

// A stream says the same as the complete answer, and its tokens are counted.
func TestCohereStream(t *testing.T) {
	t.Parallel()
	s := New(Script{Key: "k"})
	_, body := cohereCallOf(t, s, `{"model":"m","max_tokens":5,"stream":true,"messages":[{"role":"user","content":"hi"}]}`)
	for _, want := range []string{`"type":"message-start"`, `"type":"content-start","index":0`, `"finish_reason":"MAX_TOKENS"`, "data: [DONE]"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	if n := strings.Count(body, "content-delta"); n != 5 {
		t.Errorf("%d tokens, not 5", n)
	}
}
