package passthrough

import (
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// The walk of a request counts what a model reads of it: texts, arguments and tools by their bytes, media as so much each.
func TestHeard(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		endpoint llm.Endpoint
		body     string
		want     int
	}{
		{llm.Chat, `{"model":"m","messages":[{"role":"user","content":"12345678"}]}`, len(`"12345678"`)},
		{llm.Chat, `{"model":"m","messages":[{"role":"user","content":null}]}`, len(`null`)},
		{llm.Chat, `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"1234"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAAAAAAAAAAAAAAAAAAAAAA"}}]}]}`, len(`"text""1234""image_url"`) + dialect.BytesOfMedia},
		{llm.Chat, `{"model":"m","messages":[{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}]}`, len(`"function"{"name":"f","arguments":"{}"}`)},
		{llm.Chat, `{"model":"m","messages":[{"role":"user","content":"a"}],"tools":[{"type":"function","function":{"name":"f"}}],"metadata":{"a":"b"}}`, len(`"a""function"{"name":"f"}`)},
		{llm.Completions, `{"model":"m","prompt":"1234"}`, len(`"1234"`)},
		{llm.Embeddings, `{"model":"m","input":["1234","5"]}`, len(`["1234","5"]`)},
	} {
		if got := mustParse(t, tt.endpoint, tt.body).Heard; got != tt.want {
			t.Errorf("%s: %d bytes, want %d", tt.body, got, tt.want)
		}
	}
}

// The walk of an answer counts what the model says: reasoning that comes under two names once, and nothing that was sent before.
func TestSaid(t *testing.T) {
	t.Parallel()
	st := &Stream{}
	for _, payload := range []string{
		`{"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}`,
		`{"choices":[{"index":0,"delta":{"reasoning":"1234","reasoning_content":"1234","reasoning_details":[{"text":"1234"}]}}]}`,
		`{"choices":[{"index":0,"delta":{"content":"12345"}}]}`,
		`{"choices":[{"index":0,"delta":{"content":[{"type":"text","text":"123"}]}}]}`,
		`{"choices":[{"index":0,"delta":{"refusal":"12"}}]}`,
		`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}}]}`,
		`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
	} {
		if _, err := st.Walk([]byte(payload)); err != nil {
			t.Fatal(err)
		}
	}
	if want := int64(4 + 5 + 3 + 2 + len(`"{}"`)); st.Said != want {
		t.Errorf("%d bytes in a stream, want %d", st.Said, want)
	}
	answer, err := scannedFor(llm.Chat).ParseAnswer([]byte(`{"choices":[{"index":0,"message":{"role":"assistant","content":"12345","reasoning":"1","reasoning_content":"12"},"finish_reason":"stop"}]}`), dialect.Stand{})
	if err != nil || answer.Said != 7 {
		t.Errorf("%d bytes in an answer, want 7: %v", answer.Said, err)
	}
	legacy, err := scannedFor(llm.Completions).ParseAnswer([]byte(`{"choices":[{"index":0,"text":"12345","finish_reason":"stop"}]}`), dialect.Stand{})
	if err != nil || legacy.Said != int64(len(`"12345"`)) {
		t.Errorf("%d bytes in a completion: %v", legacy.Said, err)
	}
}

func scannedFor(e llm.Endpoint) *Request { return &Request{Scanned: dialect.Scanned{Endpoint: e}} }
