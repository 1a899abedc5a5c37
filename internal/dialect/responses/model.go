package responses

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// made says what is known of a model by its name: who made it, as llm.Part has it, and whether it encrypts its reasoning. What one maker
// encrypted no other can read.
type made struct {
	by       string
	encrypts bool
}

// searches reports whether the maker's API searches the web.
func (m made) searches() bool { return m.by == "openai" || m.by == "grok" }

// madeBy is what is known of a model. Names may have the vendor's in front, and the date behind.
func madeBy(model string) made {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	name = strings.TrimPrefix(name, "openai.") // Amazon Bedrock's
	switch {
	case strings.HasPrefix(name, "grok"):
		return made{"grok", true}
	case strings.HasPrefix(name, "gpt-oss"):
		return made{"gpt-oss", false}
	case strings.HasPrefix(name, "gpt-5") && strings.Contains(name, "-chat"), strings.HasPrefix(name, "gpt-4"), strings.HasPrefix(name, "gpt-3"):
		return made{"openai", false}
	case strings.HasPrefix(name, "gpt-"), strings.HasPrefix(name, "codex"), strings.HasPrefix(name, "computer-use"),
		len(name) > 1 && name[0] == 'o' && '0' < name[1] && name[1] <= '9':
		return made{"openai", true}
	}
	end := strings.IndexFunc(name, func(r rune) bool { return r < 'a' || r > 'z' })
	if end < 0 {
		end = len(name)
	}
	return made{name[:end], false}
}

// Maker is who made a model, as llm.Part has it. What it encrypted only the account can read that it answered, so that is a part of the name.
func Maker(model, account string) string {
	m := madeBy(model)
	if !m.encrypts || account == "" {
		return m.by
	}
	sum := sha256.Sum256([]byte(account))
	return m.by + "-" + hex.EncodeToString(sum[:4])
}
