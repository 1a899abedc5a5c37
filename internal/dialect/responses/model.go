package responses

import "strings"

// made says what is known of a model by its name: who made it, as llm.Part has it, and whether it encrypts its reasoning. What one maker
// encrypted no other can read.
type made struct {
	by       string
	encrypts bool
}

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

// Maker is who made a model, as llm.Part has it.
func Maker(model string) string { return madeBy(model).by }
