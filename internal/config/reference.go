package config

import (
	"fmt"
	"regexp"
	"strings"
)

// foreign matches how other tools refer to a variable. Weir replaces none of them, so a provider would be sent the text
// itself.
var foreign = regexp.MustCompile(`(?i)^(?:` + strings.Join([]string{
	`\$\(?([a-z_]\w*)\)?`,                      // shells, Kubernetes
	`\$env:([a-z_]\w*)`,                        // PowerShell
	`%([a-z_]\w*)%`,                            // Windows
	`os\.environ/([a-z_]\w*)`,                  // LiteLLM
	`os\.environ\[["']([a-z_]\w*)["']\]`,       // Python
	`os\.(?:environ\.get|getenv)\(["'](\w+).*`, // Python
	`(?:process\.)?env[./:]([a-z_]\w*)`,        // JavaScript, and several gateways
	`\{\s*env[.:]([a-z_]\w*)\s*\}`,             // Caddy, opencode
	`\{\{[^|}]*?(\w+)[^\w|}]*(?:\|.*)?\}\}`,    // templates that were not rendered; the last name before a filter is the variable's
}, "|") + `)$`)

// bare matches the name of a variable written alone, where its value is meant.
var bare = regexp.MustCompile(`^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET|PASSWORD|KEY_[0-9]+|TOKEN_[0-9]+)$`)

// placeholder is what documentation and examples have in place of a secret.
var placeholder = regexp.MustCompile(`(?i)^(?:` + strings.Join([]string{
	`(?:sk-)?<.*>`,
	`(?:[a-z]{1,8}[-_])?(?:your|insert|enter|add|put|paste|replace)[-_ ].*(?:key|token|secret|password|here|me)\b.*`,
	`(?:replace|change)[-_ ]?(?:me|this|it)`,
	`[a-z]{0,8}[-_]?(?:\.{3,}|…|x{4,}|\*{3,})`,
	`(?:api[-_ ]?key|secret|token)[-_ ]?here`,
}, "|") + `)$`)

// scheme precedes the credential in a header's value.
var scheme = regexp.MustCompile(`(?i)^(?:bearer|basic|token)\s+`)

// notSecret says why the text of a secret, as written in the file, cannot be a real one, and what to write; "" if it may be.
// No real key looks like these, and a provider would refuse each request without naming the cause.
func notSecret(text string) string {
	text = scheme.ReplaceAllString(strings.TrimSpace(text), "")
	for i, name := range foreign.FindStringSubmatch(text) {
		if i > 0 && name != "" {
			return fmt.Sprintf("refers to a variable as another tool does: write \"${%s}\"", name)
		}
	}
	switch {
	case placeholder.MatchString(text):
		return "is a placeholder: write \"${VAR}\" with the name of the variable that holds the secret, or \"${file:PATH}\""
	case bare.MatchString(text):
		return fmt.Sprintf("is the name of a variable: write \"${%s}\"", text)
	}
	return ""
}
