package sim

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Each vendor's API for embeddings takes what the vendor takes, and refuses the rest in its words.
func TestVendorsEmbeddings(t *testing.T) {
	t.Parallel()
	many := func(n int, one string) string { return strings.TrimSuffix(strings.Repeat(one+",", n), ",") }
	const (
		gemini  = "/v1beta/models/g:batchEmbedContents"
		text    = `{"model":"models/g","content":{"parts":[{"text":"a"}]}}`
		predict = "/v1/projects/p/locations/l/publishers/google/models/text-embedding-005:predict"
		content = "/v1/projects/p/locations/l/publishers/google/models/gemini-embedding-2:embedContent"
		titan   = "/model/amazon.titan-embed-text-v2:0/invoke"
		nova    = "/model/us.amazon.nova-2-multimodal-embeddings-v1:0/invoke"
	)
	for _, tt := range []struct {
		path, body string
		status     int
		says       string
	}{
		{gemini, `{"requests":[` + many(100, text) + `]}`, 200, `{"embeddings":[{"values":[`},
		{gemini, `{"requests":[` + many(101, text) + `]}`, 400, `"status":"INVALID_ARGUMENT"`},
		{gemini, `{"requests":[{"model":"g","content":{"parts":[{"text":"a"}]}}]}`, 400, "model of a request"},
		{gemini, `{"requests":[{"model":"models/g","content":{"parts":[{"text":""}]}}]}`, 400, "empty"},
		{gemini, `{"requests":[` + text + `],"user":"u"}`, 400, "unknown field"},
		{"/v1beta/models/gemini-embedding-2:batchEmbedContents", `{"requests":[` + strings.ReplaceAll(text, "/g", "/gemini-embedding-2") + `]}`, 200, `"usageMetadata":{"promptTokenCount":1}`},
		{"/v2/embed", `{"model":"c","texts":[` + many(96, `"a"`) + `],"input_type":"search_query","embedding_types":["float"]}`, 200, `"billed_units":{"input_tokens":96}`},
		{"/v2/embed", `{"model":"c","texts":[` + many(97, `"a"`) + `],"input_type":"search_query","embedding_types":["float"]}`, 400, "at most 96"},
		{"/v2/embed", `{"model":"c","texts":["a"],"embedding_types":["float"]}`, 400, "input_type"},
		{"/v2/embed", `{"model":"c-v3","texts":["a"],"input_type":"search_query","embedding_types":["float"],"output_dimension":256}`, 400, "output_dimension"},
		{titan, `{"inputText":"a","dimensions":256,"normalize":true}`, 200, `"inputTextTokenCount":1`},
		{titan, `{"inputText":["a"]}`, 400, `{"message":`},
		{titan, `{"inputText":"a","dimensions":7}`, 400, "numbers"},
		{"/model/amazon.titan-embed-text-v1/invoke", `{"inputText":"a","dimensions":256}`, 400, "dimensions"},
		{nova, `{"taskType":"SINGLE_EMBEDDING","singleEmbeddingParams":{"embeddingPurpose":"GENERIC_INDEX","text":{"truncationMode":"NONE","value":"a"}}}`, 200, `"embeddingType":"TEXT"`},
		{nova, `{"inputText":"a"}`, 400, "unknown field"},
		{"/model/cohere.embed-v4:0/invoke", `{"texts":["a","b"],"input_type":"clustering","embedding_types":["float"]}`, 200, `{"embeddings":{"float":[[`},
		{predict, `{"instances":[` + many(250, `{"content":"a"}`) + `],"parameters":{"outputDimensionality":4}}`, 200, `"statistics":{"token_count":1,"truncated":false}`},
		{predict, `{"instances":[` + many(251, `{"content":"a"}`) + `]}`, 400, "250 instances"},
		{predict, `{"instances":[` + many(250, `{"content":"`+strings.Repeat("a", 400)+`"}`) + `]}`, 400, `"status":"INVALID_ARGUMENT"`},
		{predict, `{"instances":[{"content":"` + strings.Repeat("a", 10000) + `"}],"parameters":{"autoTruncate":false}}`, 400, "up to 2048"},
		{predict, `{"instances":[{"content":"` + strings.Repeat("a", 10000) + `"}]}`, 200, `"token_count":2048,"truncated":true`},
		{predict, `{"instances":[{"content":"a","task_type":"QUERY"}]}`, 400, "task type"},
		{predict, `{"instances":[{"content":"a","taskType":"CLUSTERING"}]}`, 400, "unknown field"},
		{strings.Replace(predict, "text-embedding-005", "gemini-embedding-001", 1), `{"instances":[` + many(2, `{"content":"a"}`) + `]}`, 400, "1 instances"},
		{strings.Replace(predict, "text-embedding-005", "gemini-embedding-2", 1), `{"instances":[{"content":"a"}]}`, 400, "not supported by this method"},
		{content, `{"content":{"parts":[{"text":"a"}]},"embedContentConfig":{"outputDimensionality":768}}`, 200, `"usageMetadata":{"promptTokenCount":1}`},
		{content, `{"content":{"parts":[]}}`, 400, "0 parts"},
		{content, `{"content":{"parts":[{"text":"a"}]},"outputDimensionality":768}`, 400, "unknown field"},
		{"/model/other/invoke", `{}`, 400, "identifier is invalid"},
	} {
		w := httptest.NewRecorder()
		New(Script{}).ServeHTTP(w, httptest.NewRequest(http.MethodPost, tt.path, strings.NewReader(tt.body)))
		if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.says) || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s %.80s: %d %.200s", tt.path, tt.body, w.Code, w.Body)
		}
		if w.Code == 200 && strings.HasSuffix(tt.path, "/invoke") && w.Header().Get("X-Amzn-Bedrock-Input-Token-Count") == "" {
			t.Errorf("%s: the tokens are not counted", tt.path)
		}
	}
}

// What a script has a vendor answer comes in the vendor's words, and a wrong credential is refused.
func TestVendorsEmbeddingsScripted(t *testing.T) {
	t.Parallel()
	server := New(Script{Key: "k", Rules: []Rule{{Match: Match{Model: "busy"}, Status: 429}}})
	for _, tt := range []struct {
		path, header, credential string
		status                   int
		says                     string
	}{
		{"/models/busy:batchEmbedContents", "X-Goog-Api-Key", "k", 429, `"status":"RESOURCE_EXHAUSTED"`},
		{"/models/other:batchEmbedContents", "X-Goog-Api-Key", "wrong", 401, `"status":"UNAUTHENTICATED"`},
		{"/model/busy/invoke", "Authorization", "Bearer k", 429, `{"message":`},
	} {
		r := httptest.NewRequest(http.MethodPost, tt.path, strings.NewReader("{}"))
		r.Header.Set(tt.header, tt.credential)
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.says) {
			t.Errorf("%s: %d %s", tt.path, w.Code, w.Body)
		}
	}
}
