package claude

import "testing"

func TestMaker(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]string{
		"claude-sonnet-4-5": "", "claude-3-7-sonnet@20250219": "", "anthropic/claude-opus-4.5": "", "prod-Claude": "", "": "",
		"MiniMax-M2": "minimax", "minimax/minimax-m2.5": "minimax", "deepseek-chat": "deepseek", "deepseek-v4": "deepseek",
		"glm-4.6": "glm", "kimi-k2-thinking": "kimi", "qwen3-max": "qwen", "4o": "4o",
	} {
		if got := Maker(model); got != want {
			t.Errorf("%s is of %q, not %q", model, got, want)
		}
	}
}
