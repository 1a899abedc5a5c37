package gateway

import (
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/table"
)

// What a vendor may add to a prompt is recognised in every dialect, and the caller's own functions are not taken for it.
func TestWhatAVendorMayAdd(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`{"messages":[{"role":"user","content":"an \"type\":\"image\" in words"}]}`:                    false,
		`{"tools":[{"type":"function","function":{"name":"f"}},{"type":"custom","name":"g"}]}`:         false,
		`{"tools":[{"name":"f","input_schema":{"type":"object"}}]}`:                                    false,
		`{"tools":[{"functionDeclarations":[{"name":"f"}]}]}`:                                          false,
		`{"tools":null,"web_search_options":null,"plugins":null}`:                                      false,
		`{"prompt":"a legacy prompt"}`:                                                                 false,
		`{"tools":[{"type":"web_search"}]}`:                                                            true,
		`{"tools":[{"type":"web_search_20250305","name":"web_search"}]}`:                               true,
		`{"tools":[{"googleSearch":{}}]}`:                                                              true,
		`{"tools":[{"functionDeclarations":[],"urlContext":{}}]}`:                                      true,
		`{"tools":{"googleSearch":{}}}`:                                                                true,
		`{"tools":["web"]}`:                                                                            true,
		`{"web_search_options":{}}`:                                                                    true,
		`{"search_parameters":{"mode":"on"}}`:                                                          true,
		`{"mcp_servers":[{}]}`:                                                                         true,
		`{"plugins":[{"id":"web"}]}`:                                                                   true,
		`{"cachedContent":"cachedContents/1"}`:                                                         true,
		`{"prompt":{"id":"pmpt_1"}}`:                                                                   true,
		`{"conversation":"conv_1"}`:                                                                    true,
		`{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:,"}}]}]}`: true,
		`{"messages":[{"role":"user","content":[{"type": "document","source":{}}]}]}`:                  true,
		`{"input":[{"type":"item_reference","id":"i"}]}`:                                               true,
		`{"input":[{"role":"user","content":[{"type":"input_file","file_id":"f"}]}]}`:                  true,
		`{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":""}}]}]}`:                 true,
	} {
		if got := hosted([]byte(body)); got != want {
			t.Errorf("%v: %s", got, body)
		}
	}
}

// What is known of a prompt is at least what the model reads of it, and what the caller allows is read in each dialect.
func TestWhatIsKnownOfAPrompt(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("word ", 100)
	for body, want := range map[string]budget.Prompt{
		`{"model":"m","max_tokens":7,"messages":[{"role":"user","content":"` + text + `"}]}`:                                                                                       {},
		`{"model":"m","max_tokens":7,"service_tier":"flex","tools":[{"type":"function","function":{"name":"f"}}],"messages":[{"role":"user","content":"` + text + `"}]}`:           {Tools: true, Tier: "flex"},
		`{"model":"m","max_tokens":7,"web_search_options":{},"messages":[{"role":"user","content":"` + text + `"}]}`:                                                               {Opaque: true},
		`{"model":"m","max_tokens":7,"system":[{"type":"text","text":"x","cache_control":{"type":"ephemeral","ttl":"1h"}}],"messages":[{"role":"user","content":"` + text + `"}]}`: {Hour: true},
	} {
		asked, err := table.Of([]byte(body)).Parse([]byte(body), dialect.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		p, a := promptOf(asked)
		if p.Bytes < int64(len(text)) || p.Tools != want.Tools || p.Opaque != want.Opaque || p.Hour != want.Hour || p.Tier != want.Tier || a.Most != 7 || a.None {
			t.Errorf("%+v, %+v: %.60s", p, a, body)
		}
	}
}
