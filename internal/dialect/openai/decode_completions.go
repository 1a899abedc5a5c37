package openai

import (
	"fmt"
	"iter"
	"slices"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// maxPrompts is how many prompts of one call can be made chats of. It bounds as many choices as a stream remembers.
const maxPrompts = MaxChoices

// DecodeCompletion is a call of /completions with the members in the typed model: a chat without messages, and the prompts. Each prompt
// becomes a user message. The members named in omit are left out, and listed as such.
func DecodeCompletion(members iter.Seq2[string, llm.JSON], omit []string) (*llm.Request, []llm.JSON, *llm.Error) {
	d := completion{decoder: decoder{Reading: draft.Reading{Out: new(llm.Request)}}}
	for name, value := range members {
		if slices.Contains(omit, name) && name != "prompt" {
			d.Leave(name)
		} else {
			d.completionMember(name, value)
		}
	}
	if d.Bad != nil {
		return nil, nil, d.Bad
	}
	return d.Out, d.prompts, nil
}

// completion is the state of one DecodeCompletion.
type completion struct {
	decoder
	prompts []llm.JSON
}

func (d *completion) completionMember(name string, value llm.JSON) {
	switch name {
	case "prompt":
		d.prompt(value)
	case "echo":
		if value[0] != 'f' {
			d.noChat(name, "the prompt is not repeated by a chat")
		}
	case "suffix":
		if string(value) != `""` {
			d.noChat(name, "a chat has no text after its answer")
		}
	case "best_of", "n":
		if string(value) != "1" {
			d.noChat(name, "a chat has one answer")
		}
	case "logprobs":
		d.noChat(name, "/completions has no form for them")
	case "messages", "tools", "tool_choice", "parallel_tool_calls":
		d.noChat(name, "it belongs to /chat/completions")
	default:
		d.member(name, value)
	}
}

// noChat refuses what a chat cannot give.
func (d *completion) noChat(name, why string) {
	d.Wrong(llm.UnsupportedParameter, name, fmt.Sprintf("Unsupported parameter: '%s' is not supported with this model, which is one for chats: %s. Remove it, or use another model.", name, why))
}

// prompt takes one prompt or a list of them. Lists of tokens mean nothing to another vendor's model.
func (d *completion) prompt(value llm.JSON) {
	const name = "prompt"
	if value.Kind() == '"' {
		d.prompts = []llm.JSON{value}
		return
	}
	if !d.Is(value, '[', name) {
		return
	}
	for i, prompt := range jsonwalk.Elements(value) {
		switch prompt := llm.JSON(prompt); prompt.Kind() {
		case '0', '[':
			d.noChat(name, "it takes texts, not tokens")
			return
		default:
			d.Is(prompt, '"', fmt.Sprintf("%s[%d]", name, i))
			d.prompts = append(d.prompts, prompt)
		}
	}
	if n := len(d.prompts); n == 0 || n > maxPrompts {
		d.Wrong(llm.InvalidValue, name, fmt.Sprintf("'prompt' has %d prompts, but must have 1 to %d with this model. Send a string, or a list of strings.", n, maxPrompts))
	}
}
