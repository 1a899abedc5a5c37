package responses

import (
	"strings"

	"github.com/weirproxy/weir/internal/llm"
)

// nameOf is the name here of a parameter that is named as in OpenAI's chats, or of something within it.
func nameOf(name string) string {
	end := strings.IndexAny(name, ".[")
	if end < 0 {
		end = len(name)
	}
	if here, ok := places[name[:end]]; ok {
		rest := strings.ReplaceAll(name[end:], ".thinking_blocks", ".encrypted_content")
		return here + strings.Replace(rest, ".image_url.detail", ".detail", 1)
	}
	return name
}

// place is where a parameter stands that is named as in OpenAI's chats: a member, and if that is an object the member of it.
func place(name string) (parent, child string) {
	parent, child, _ = strings.Cut(nameOf(name), ".")
	return parent, child
}

// inText puts what is between the quotes of several JSON strings into one.
func inText(pieces ...llm.JSON) llm.JSON {
	out := llm.JSON{'"'}
	for _, p := range pieces {
		out = append(out, p.Inner()...)
	}
	return append(out, '"')
}
