package claude

import (
	"strings"

	"github.com/weirproxy/weir/internal/llm"
)

// Maker is whose a model is that answers in the API of Claude's vendor, as llm.Part has it: other vendors have their models speak it too,
// and what the one's sign no other's can read. Theirs are known by the word with which their names begin.
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
