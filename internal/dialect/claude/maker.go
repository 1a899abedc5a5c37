package claude

import (
	"strings"

	"github.com/weirproxy/weir/internal/llm"
)

// Maker is the maker of a model that answers in the API of Claude's vendor, as llm.Part has it. Other vendors' models speak it too,
// and one vendor's signatures mean nothing to another. Their models are recognised by the first word of their names.
func Maker(model string) string {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	if strings.Contains(name, "claude") {
		return ""
	}
	if end := strings.IndexFunc(name, func(r rune) bool { return r < 'a' || r > 'z' }); end > 0 {
		name = name[:end]
	}
	return name
}

// Reads reports whether a part is reasoning that the model can read: its own maker's.
func (p *Plan) Reads(part *llm.Part) bool { return part.Thought() && part.Maker == p.maker }
