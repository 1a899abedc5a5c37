package config

import (
	"strings"
	"testing"
)

func TestReferencesOfOtherToolsAreErrorsThatShowOurs(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"$OPENAI_API_KEY":               `write "${OPENAI_API_KEY}"`,
		"$(OPENAI_API_KEY)":             `write "${OPENAI_API_KEY}"`,
		"$env:OPENAI_API_KEY":           `write "${OPENAI_API_KEY}"`,
		"%OPENAI_API_KEY%":              `write "${OPENAI_API_KEY}"`,
		"os.environ/OPENAI_API_KEY":     `write "${OPENAI_API_KEY}"`,
		`os.environ["OPENAI_API_KEY"]`:  `write "${OPENAI_API_KEY}"`,
		`os.getenv("OPENAI_API_KEY")`:   `write "${OPENAI_API_KEY}"`,
		"process.env.OPENAI_API_KEY":    `write "${OPENAI_API_KEY}"`,
		"env.OPENAI_API_KEY":            `write "${OPENAI_API_KEY}"`,
		"env:OPENAI_API_KEY":            `write "${OPENAI_API_KEY}"`,
		"env/OPENAI_API_KEY":            `write "${OPENAI_API_KEY}"`,
		"{env:OPENAI_API_KEY}":          `write "${OPENAI_API_KEY}"`,
		"{{ .Values.OPENAI }}":          `write "${OPENAI}"`,
		"{{ .Env.OPENAI_API_KEY }}":     `write "${OPENAI_API_KEY}"`,
		`{{ env "OPENAI_API_KEY" }}`:    `write "${OPENAI_API_KEY}"`,
		"{{- .Values.a.KEY | quote -}}": `write "${KEY}"`,
		"{{ secrets.OPENAI_API_KEY }}":  `write "${OPENAI_API_KEY}"`,
		" ":                             `is empty`,
		"OPENAI_API_KEY":                `write "${OPENAI_API_KEY}"`,
		"GROQ_KEY_2":                    `write "${GROQ_KEY_2}"`,
		"Bearer $OPENAI_API_KEY":        `write "${OPENAI_API_KEY}"`,
		"YOUR_KEY":                      `write "${VAR}"`,
		"YOUR_API_KEY":                  `write "${VAR}"`,
		"your-openai-api-key":           `write "${VAR}"`,
		"<your key>":                    `write "${VAR}"`,
		"sk-your-key-here":              `write "${VAR}"`,
		"sk-...":                        `write "${VAR}"`,
		"sk-…":                          `write "${VAR}"`,
		"sk-xxxxxxxxxxxx":               `write "${VAR}"`,
		"changeme":                      `write "${VAR}"`,
		"REPLACE_ME":                    `write "${VAR}"`,
		"insert your key here":          `write "${VAR}"`,
		"api-key-here":                  `write "${VAR}"`,
	} {
		_, err := testLoader().Parse("weir.yaml", []byte("providers:\n  groq:\n    kind: groq\n    api_key: '"+written+"'\n"))
		if err == nil || !strings.HasPrefix(err.Error(), "weir.yaml:4:14: api_key ") || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", written, err)
		}
		_, err = testLoader().Parse("weir.yaml", []byte("providers:\n  groq:\n    kind: groq\n    api_keys: ['"+written+"']\n    headers: {X-Token: '"+written+"'}\nadmin: {token: '"+written+"'}\n"))
		if err == nil || strings.Count(err.Error(), want) != 3 {
			t.Errorf("%s: %v", written, err)
		}
	}
}

func TestWhatMayBeASecretIsNone(t *testing.T) {
	t.Parallel()
	for _, written := range []string{
		"${OPENAI_API_KEY}", "Bearer ${OPENAI_API_KEY}", "${UNSET:-x}", "$${OPENAI_API_KEY}", "$$OPENAI",
		"none", "null-key", "EMPTY", "ollama", "lm-studio", "sk-no-key-required", "dummy", "test", "secret", "password", "weir", "admin-token",
		"sk-proj-4f9aYOURx8K", "sk-or-v1-0123456789abcdef", "gsk_0aB", "AIzaSyA-0", "ghp_0aB", "hf_xxK", "0123456789abcdef", "a$b", "my-admin-token-4711x", "KEY",
	} {
		_, err := testLoader().Parse("weir.yaml", []byte("admin: {token: '"+written+"'}\n"))
		if err != nil {
			t.Errorf("%s: %v", written, err)
		}
	}
}
