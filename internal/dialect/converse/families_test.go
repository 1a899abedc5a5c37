package converse

import "testing"

// Reasoning is identified by the model's maker, wherever the model is called. What Claude signed in one region it can read in
// another, and at Anthropic's own API.
func TestMaker(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]string{
		"anthropic.claude-opus-4-6-v1":              "",
		"us.anthropic.claude-sonnet-4-5-20250929":   "",
		"global.anthropic.claude-3-haiku":           "",
		"amazon.nova-2-lite-v1:0":                   "amazon",
		"eu.amazon.nova-lite-v1:0":                  "amazon",
		"openai.gpt-oss-120b-1:0":                   "openai",
		"zai.glm-4.7":                               "zai",
		"us.meta.llama4-scout-17b-instruct-v1:0":    "meta",
		"us.deepseek.r1-v1:0":                       "us.deepseek.r1-v1:0",
		"minimax.minimax-m2.1":                      "minimax.minimax-m2.1",
		"arn:aws:bedrock:us-east-1:1:x-profile/a1b": "a1b",
		"arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-1": "",
	} {
		if got := Maker(model); got != want {
			t.Errorf("%s: %q, not %q", model, got, want)
		}
	}
}
