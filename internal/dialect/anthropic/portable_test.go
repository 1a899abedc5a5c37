package anthropic_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	faces "github.com/weirproxy/weir/internal/dialect"
)

// What a host does not take of the API is either left out, which names it, or makes the request one to translate.
func TestSubsets(t *testing.T) {
	t.Parallel()
	few := &faces.Subset{
		Members: []string{"model", "messages", "tools", "system", "anthropic_beta"}, Blocks: []string{"text", "image", "document", "tool_result"},
		Tools: []string{"bash_"}, Inline: true,
	}
	const hi = `"messages":[{"role":"user","content":"hi"}]`
	blocks := func(text string) string { return `"messages":[{"role":"user","content":[` + text + `]}]` }
	for body, want := range map[string]struct {
		fits    bool
		inline  bool // fits a host that only wants images in the request
		outside []string
	}{
		hi: {fits: true, inline: true},
		hi + `,"context_management":{},"speed":"fast"`:             {fits: true, inline: true, outside: []string{"context_management", "speed"}},
		hi + `,"output_format":{"type":"json_schema","schema":{}}`: {inline: true, outside: []string{"output_format"}},
		hi + `,"output_format":null`:                               {fits: true, inline: true, outside: []string{"output_format"}},
		hi + `,"tools":[{"name":"f","input_schema":{}},{"type":"custom","name":"g"},{"type":"bash_20250124","name":"bash"}]`: {fits: true, inline: true},
		hi + `,"tools":[{"type":"web_search_20250305","name":"web_search"}]`:                                                 {inline: true},
		hi + `,"tools":[{"name":"f","defer_loading":true}]`:                                                                  {inline: true},
		hi + `,"tools":[{"name":"f","cache_control":{"type":"ephemeral","scope":"global"}}]`:                                 {inline: true},
		hi + `,"tools":[{"name":"f","cache_control":{"type":"ephemeral","ttl":"1h"}}]`:                                       {fits: true, inline: true},
		hi + `,"system":[{"type":"text","text":"a","cache_control":{"type":"ephemeral","scope":"global"}}]`:                  {inline: true},
		hi + `,"system":"a"`: {fits: true, inline: true},
		`"messages":[{"role":"user","content":"hi"},{"role":"system","content":"a"}]`:                                        {inline: true},
		blocks(`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}}`):                         {fits: true, inline: true},
		blocks(`{"type":"image","source":{"media_type":"x","type":"url","url":"https://a.example"}}`):                        {},
		blocks(`{"type":"document","source":{"type":"file","file_id":"f"}}`):                                                 {},
		blocks(`{"type":"tool_result","tool_use_id":"a","content":[{"type":"image","source":{"type":"url"}}]}`):              {},
		blocks(`{"type":"tool_result","tool_use_id":"a","content":[{"type":"tool_reference","tool_name":"b"}]}`):             {inline: true},
		blocks(`{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"a"}]}`):                            {fits: true, inline: true},
		blocks(`{"type":"tool_result","tool_use_id":"a","content":[{"type":"tool_result","tool_use_id":"b","content":[]}]}`): {inline: true},
		blocks(`{"type":"server_tool_use","id":"s","name":"web_search","input":{"source":{"type":"url","url":""}}}`):         {inline: true},
		blocks(`"text"`): {inline: true},
	} {
		r := parsed(t, `{"model":"m",`+body+`}`)
		if got := r.Fits(few); got != want.fits {
			t.Errorf("%s: %v", body, got)
		}
		if got := r.Fits(&faces.Subset{Inline: true}); got != want.inline {
			t.Errorf("%s: images in the request: %v", body, got)
		}
		if !r.Fits(&faces.Subset{}) {
			t.Errorf("%s does not fit a host that takes anything", body)
		}
		if diff := cmp.Diff(want.outside, r.Outside(few)); diff != "" {
			t.Errorf("%s:\n%s", body, diff)
		}
	}
}

// Experimental parts that a header asks for join those that the body has.
func TestBetasInTheBody(t *testing.T) {
	t.Parallel()
	const rest = `,"messages":[{"role":"user","content":"hi"}]`
	for body, want := range map[string]string{
		`{"model":"m"` + rest + `}`:                           `{"messages":[{"role":"user","content":"hi"}],"anthropic_version":"v","anthropic_beta":["a","b"]}`,
		`{"model":"m","anthropic_beta":["c"]` + rest + `}`:    `{"anthropic_beta":["c","a","b"]` + rest + `,"anthropic_version":"v"}`,
		`{"model":"m","anthropic_beta":[ ]` + rest + `}`:      `{"anthropic_beta":["a","b"]` + rest + `,"anthropic_version":"v"}`,
		`{"model":"m","anthropic_beta":null` + rest + `}`:     `{"anthropic_beta":["a","b"]` + rest + `,"anthropic_version":"v"}`,
		`{"stream":true,"anthropic_version":"w"` + rest + `}`: `{"anthropic_version":"v"` + rest + `,"anthropic_beta":["a","b"]}`,
	} {
		if body[2] == 's' {
			body = `{"model":"m",` + body[1:]
		}
		out, applied := parsed(t, body).Encode(faces.Changes{Model: "up", Hosted: "v", Betas: []string{"a", "b"}, Omit: []string{"stream"}})
		if got := string(out.Bytes()); got != want || applied.Ignored != nil {
			t.Errorf("%s becomes %s, without %v", body, got, applied.Ignored)
		}
	}
}
