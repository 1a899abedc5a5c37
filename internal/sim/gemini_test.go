package sim

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// generate calls generateContent.
func generate(t *testing.T, s *Server, method, body string) (int, string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/v1beta/models/"+method, strings.NewReader(body))
	r.Header.Set("X-Goog-Api-Key", "k")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// generateContent refuses what the real one refuses.
func TestGenerateContentIsChecked(t *testing.T) {
	t.Parallel()
	const (
		hi    = `{"role":"user","parts":[{"text":"hi"}]}`
		tools = `,"tools":[{"functionDeclarations":[{"name":"f"}]}]`
		call  = `{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}}}]}`
		done  = `{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{"output":"x"}}}]}`
	)
	with := func(signature string) string {
		return strings.Replace(call, `{}}}`, `{}},"thoughtSignature":"`+signature+`"}`, 1)
	}
	own := with(sign("a" + "f" + "{}"))
	config := func(s string) string { return `,"generationConfig":{` + s + `}` }
	for name, tt := range map[string]struct{ model, contents, more, says string }{
		"right":                              {"gemini-3-x", hi, "", `"finishReason":"STOP"`},
		"a call":                             {"gemini-3-x", hi, tools, `"functionCall":{"id":`},
		"a signed call":                      {"gemini-3-x", hi, tools, `"thoughtSignature"`},
		"a result":                           {"gemini-3-x", hi + "," + own + "," + done, tools, "You said: "},
		"thinking":                           {"gemini-3-x", hi, config(`"thinkingConfig":{"thinkingLevel":"LOW","includeThoughts":true}`), `"thought":true`},
		"no signature":                       {"gemini-3-x", hi + "," + call + "," + done, tools, "missing a thought_signature"},
		"no signature before":                {"gemini-2.5-x", hi + "," + call + "," + done, tools, "You said: "},
		"a forged signature":                 {"gemini-3-x", hi + "," + with("eA==") + "," + done, tools, "Corrupted"},
		"what stands in for a signature":     {"gemini-3-x", hi + "," + with(unsignedCall) + "," + done, tools, "You said: "},
		"an unknown member":                  {"gemini-3-x", hi, `,"n":1`, "unknown field"},
		"a tool of the vendor's":             {"gemini-3-x", hi, `,"tools":[{"googleSearch":{}}]`, `"finishReason":"STOP"`},
		"an unknown tool":                    {"gemini-3-x", hi, `,"tools":[{"newSearch":{}}]`, "unknown field"},
		"an unknown member of a text":        {"gemini-3-x", `{"role":"user","parts":[{"text":"x","y":1}]}`, "", "unknown field"},
		"an unknown member of the system":    {"gemini-3-x", hi, `,"systemInstruction":{"parts":[{"text":"x","y":1}]}`, "unknown field"},
		"half a top_k":                       {"gemini-3-x", hi, config(`"topK":1.5`), "top_k"},
		"a tier that is no word":             {"gemini-3-x", hi, `,"serviceTier":5`, "service_tier"},
		"an unknown role":                    {"gemini-3-x", `{"role":"system","parts":[{"text":"x"}]}`, "", "valid role"},
		"an empty text":                      {"gemini-3-x", `{"role":"user","parts":[{"text":""}]}`, "", `"finishReason":"STOP"`},
		"nothing":                            {"gemini-3-x", "", "", "not specified"},
		"a call without result":              {"gemini-3-x", hi + "," + own + "," + hi, tools, "number of function response parts"},
		"a call at the end":                  {"gemini-3-x", hi + "," + own, tools, "number of function response parts"},
		"a result without call":              {"gemini-3-x", hi + "," + done, tools, "immediately after a function call"},
		"a result of another call":           {"gemini-3-x", hi + "," + own + "," + strings.Replace(done, `"a"`, `"b"`, 1), tools, "immediately after a function call"},
		"a level for a model with a budget":  {"gemini-2.5-x", hi, config(`"thinkingConfig":{"thinkingLevel":"LOW"}`), "Thinking level"},
		"a form beside tools":                {"gemini-2.5-x", hi, tools + config(`"responseMimeType":"application/json"`), "mime type"},
		"too warm":                           {"gemini-3-x", hi, config(`"temperature":2.5`), "temperature"},
		"two candidates":                     {"gemini-2.5-x", hi, config(`"candidateCount":2`), `"index":1`},
		"two candidates of Gemini 3":         {"gemini-3-x", hi, config(`"candidateCount":2`), "Multiple candidates"},
		"too many candidates":                {"gemini-2.5-x", hi, config(`"candidateCount":9`), "candidate count"},
		"too many stops":                     {"gemini-3-x", hi, config(`"stopSequences":["1","2","3","4","5","6"]`), "stop sequences"},
		"allowed names without being forced": {"gemini-3-x", hi, tools + `,"toolConfig":{"functionCallingConfig":{"mode":"AUTO","allowedFunctionNames":["f"]}}`, "Allowed function names"},
	} {
		if _, body := generate(t, New(Script{Key: "k"}), tt.model+":generateContent", `{"contents":[`+tt.contents+`]`+tt.more+`}`); !strings.Contains(body, tt.says) {
			t.Errorf("%s: %s", name, body)
		}
	}
	if status, body := generate(t, New(Script{Key: "other"}), "m:generateContent", `{}`); status != 400 || !strings.Contains(body, "API key not valid.") {
		t.Errorf("with a wrong key: %d %s", status, body)
	}
	if status, body := generate(t, New(Script{Key: "k", Models: []string{"x"}}), "m:generateContent", `{"contents":[`+hi+`]}`); status != 404 || !strings.Contains(body, "NOT_FOUND") {
		t.Errorf("with an unknown model: %d %s", status, body)
	}
}

// Log probabilities are reported where the real providers report them.
func TestGenerateContentScores(t *testing.T) {
	t.Parallel()
	const scored = `"responseLogprobs":true`
	for name, tt := range map[string]struct{ path, method, config, says string }{
		"not asked":           {"v1/publishers/google/models/gemini-2.5-x", "generateContent", "", `"index":0}]`},
		"chosen tokens":       {"v1/publishers/google/models/gemini-2.5-x", "generateContent", scored, `"index":0,"logprobsResult":{"chosenCandidates":[{"token":"This","tokenId":0,"logProbability":-0.5},{"token":`},
		"others in the place": {"v1/publishers/google/models/gemini-2.5-x", "generateContent", scored + `,"logprobs":2`, `"topCandidates":[{"candidates":[{"token":"This","tokenId":0,"logProbability":-0.5},{"token":"This1","tokenId":1001,"logProbability":-1}]},`},
		"too many others":     {"v1/publishers/google/models/gemini-2.5-x", "generateContent", scored + `,"logprobs":21`, "in the range of"},
		"none":                {"v1/publishers/google/models/gemini-2.5-x", "generateContent", scored + `,"logprobs":0`, "in the range of"},
		"others alone":        {"v1/publishers/google/models/gemini-2.5-x", "generateContent", `"logprobs":2`, "response_logprobs"},
		"of a stream":         {"v1/publishers/google/models/gemini-2.5-x", "streamGenerateContent?alt=sse", scored, "not supported for streaming"},
		"of Gemini 3":         {"v1/publishers/google/models/gemini-3-x", "generateContent", scored, "not supported for this model"},
		"of the Gemini API":   {"v1beta/models/gemini-2.5-x", "generateContent", scored, "not enabled for this model"},
	} {
		body := `{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"generationConfig":{` + tt.config + `}}`
		r := httptest.NewRequest(http.MethodPost, "/"+tt.path+":"+tt.method, strings.NewReader(body))
		r.Header.Set("X-Goog-Api-Key", "k")
		w := httptest.NewRecorder()
		New(Script{Key: "k"}).ServeHTTP(w, r)
		if got := w.Body.String(); !strings.Contains(got, tt.says) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A stream says why it ended with its last piece, and its tokens are counted.
func TestGenerateContentStream(t *testing.T) {
	t.Parallel()
	_, body := generate(t, New(Script{Key: "k"}), "m:streamGenerateContent?alt=sse", `{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"generationConfig":{"maxOutputTokens":5}}`)
	if n := strings.Count(body, "data: "); n != 6 || strings.Contains(body, "[DONE]") || strings.Count(body, `"finishReason":"MAX_TOKENS"`) != 1 || !strings.Contains(body, `"candidatesTokenCount":5`) {
		t.Errorf("%d pieces: %s", n, body)
	}
}
