package relay

import (
	"slices"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/capability"
	"github.com/weirproxy/weir/internal/dialect/openai/passthrough"
	"github.com/weirproxy/weir/internal/llm"
)

// What dialects know of families of models agrees with the table, as far as both know it. It compares whether they reason, up to
// which effort or budget, and whether they take a temperature; for Gemini's models also a schema. Gemini's image models are left
// out: the data says that some of them reason, but not that the amount can be set.
func TestFamiliesAgreeWithTheTable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		dialect llm.Dialect
		vendor  string
		models  []string
	}{
		{llm.Anthropic, "anthropic", []string{
			"claude-3-5-sonnet-20241022", "claude-3-7-sonnet-20250219", "claude-3-haiku-20240307", "claude-opus-4-0", "claude-opus-4-1", "claude-opus-4-5", "claude-opus-4-6",
			"claude-opus-4-7", "claude-opus-4-8", "claude-sonnet-4-0", "claude-sonnet-4-5", "claude-sonnet-4-6", "claude-sonnet-5", "claude-haiku-4-5", "claude-fable-5",
		}},
		{llm.Converse, "amazon-bedrock", []string{
			"anthropic.claude-haiku-4-5-20251001-v1:0", "anthropic.claude-opus-4-1-20250805-v1:0", "anthropic.claude-opus-4-7", "us.anthropic.claude-sonnet-5", "eu.anthropic.claude-opus-4-6-v1",
		}},
		{llm.Gemini, "google", []string{
			"gemini-2.0-flash", "gemini-2.5-flash", "gemini-2.5-flash-lite", "gemini-2.5-pro", "gemini-3-flash-preview", "gemini-3-pro-preview", "gemini-3.1-flash-lite", "gemini-3.1-pro-preview",
			"gemini-3.5-flash",
		}},
	} {
		for _, model := range tt.models {
			row, ok := capability.Find(tt.vendor, model)
			if !ok || row.Family {
				t.Errorf("%s has no row", model)
				continue
			}
			high, left := written(t, tt.dialect, model, `"reasoning_effort":"high"`)
			if reasons := !slices.Contains(left, "reasoning_effort"); reasons != row.Can(capability.Reasons) {
				t.Errorf("%s: the dialect has it reason: %v; the table: %v", model, reasons, row.Can(capability.Reasons))
			}
			if budgets := strings.Contains(high, `udget`); budgets && row.MaxBudget > 0 {
				most, _ := written(t, tt.dialect, model, `"reasoning_effort":"max"`)
				if !strings.Contains(most, `"thinkingBudget":`) || number(most, `"thinkingBudget":`) > row.MaxBudget {
					t.Errorf("%s: a budget beyond %d: %s", model, row.MaxBudget, most)
				}
			}
			if len(row.Efforts) > 0 && tt.dialect == llm.Gemini {
				for _, effort := range []string{"minimal", "low", "medium", "high"} {
					body, _ := written(t, tt.dialect, model, `"reasoning_effort":"`+effort+`"`)
					if known := strings.Contains(body, `"thinkingLevel":"`+strings.ToUpper(effort)+`"`); known != slices.Contains(row.Efforts, effort) {
						t.Errorf("%s knows %s: %v by the dialect; the table has %v", model, effort, known, row.Efforts)
					}
				}
			}
			if body, _ := written(t, tt.dialect, model, `"reasoning_effort":"xhigh"`); strings.Contains(body, `"effort":"`) &&
				strings.Contains(body, `"effort":"xhigh"`) != slices.Contains(row.Efforts, "xhigh") {
				t.Errorf("%s: xhigh becomes %s; the table has %v", model, body, row.Efforts)
			}
			_, left = written(t, tt.dialect, model, `"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}}`)
			if schema := !slices.Contains(left, "response_format"); tt.dialect == llm.Gemini && schema != row.Can(capability.Schema) {
				t.Errorf("%s takes a schema: %v by the dialect, %v by the table", model, schema, row.Can(capability.Schema))
			}
			_, left = written(t, tt.dialect, model, `"temperature":0.5`)
			if warm := !slices.Contains(left, "temperature"); warm != row.Can(capability.Temperature) {
				t.Errorf("%s takes a temperature: %v by the dialect, %v by the table", model, warm, row.Can(capability.Temperature))
			}
		}
	}
}

// written is a request as a dialect writes it, and what it leaves out.
func written(t *testing.T, dialect llm.Dialect, model, members string) (body string, left []string) {
	t.Helper()
	call, bad := passthrough.ParseRequest(llm.Chat, []byte(`{"model":"m","messages":[{"role":"user","content":"hi"}],`+members+`}`), 100)
	if bad != nil {
		t.Fatal(bad)
	}
	request, bad := call.Decode(nil)
	if bad != nil {
		t.Fatal(bad)
	}
	request.Model = model
	out, left, bad := codecs[dialect].Encode(request)
	if bad != nil {
		t.Fatal(bad)
	}
	return string(out), left
}

// number is the number that follows a text.
func number(body, before string) (n int) {
	_, rest, _ := strings.Cut(body, before)
	for _, c := range rest {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + int(c-'0')
	}
	return n
}
