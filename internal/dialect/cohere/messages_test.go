package cohere_test

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/dialect/cohere"
	"github.com/weirproxy/weir/internal/llm"
)

// An image that was fetched goes out as its bytes; the API need not fetch it again.
func TestFetchedImage(t *testing.T) {
	t.Parallel()
	body, left, err := cohere.Encode(&llm.Request{Model: "command-a-vision-07-2025", Messages: []llm.Message{{Parts: []llm.Part{
		{Kind: llm.Text, Text: llm.Quote("what is it?")},
		{Kind: llm.Image, URL: llm.Quote("https://example.com/a.png"), Media: "image/png", Data: []byte("iVBORw0KGgo=")},
	}}}})
	if err != nil || len(left) > 0 {
		t.Fatal(left, err)
	}
	if !strings.Contains(string(body), `"url":"data:image/png;base64,iVBORw0KGgo="`) {
		t.Errorf("%s", body)
	}
}
