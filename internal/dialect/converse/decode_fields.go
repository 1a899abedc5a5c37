package converse

import (
	"slices"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// additional is the member for what only some models take.
const additional = "additionalModelRequestFields"

// toolChoice is a member of it, named as in Claude's own API.
const toolChoice = "tool_choice"

// additional reads what only some models take: what the families know, as Encode spells it and if it is said once. All else is kept.
func (d *decoder) additional(path string, v llm.JSON) {
	efforts, tops := 0, 0
	for name := range jsonwalk.Members(v) {
		switch string(name) {
		case "thinking", "output_config", "reasoning_effort", "reasoning_config", "reasoningConfig":
			efforts++
		case "top_k", "inferenceConfig":
			tops++
		}
	}
	adaptive := efforts == 2 && d.adaptive(v)
	d.each(path, v, func(path, name string, v llm.JSON) {
		taken := false
		switch name {
		case "thinking", "output_config":
			taken = adaptive || efforts == 1 && d.thinking(path, v)
		case "reasoning_effort":
			taken = efforts == 1 && d.effort(v, "low", "medium", "high")
		case "reasoning_config":
			taken = efforts == 1 && d.effort(v, "low", "high")
		case "reasoningConfig":
			taken = efforts == 1 && d.nova(v)
		case "top_k":
			taken = tops == 1 && d.topK(v)
		case "inferenceConfig":
			taken = tops == 1 && d.topK(only(v, "topK"))
		case toolChoice: // it must agree with members that may come later
			taken, d.choosing = true, v
		}
		if !taken {
			d.extra(additional+".", name, v)
		}
	})
}

func (d *decoder) topK(v llm.JSON) bool {
	if v.Kind() != '0' {
		return false
	}
	d.Param("top_k", v)
	return true
}

// adaptive reads that Claude is to think as much as an effort says.
func (d *decoder) adaptive(fields llm.JSON) bool {
	thinking := member(fields, "thinking")
	return count(thinking) == 2 && member(thinking, "type").Text() == "adaptive" && member(thinking, "display").Text() == "summarized" &&
		d.effort(only(member(fields, "output_config"), "effort"), "low", "medium", "high", "xhigh", "max")
}

// count is how many members an object has.
func count(object llm.JSON) (n int) {
	for range jsonwalk.Members(object) {
		n++
	}
	return n
}

// thinking reads how much Claude is to think, as a number, or that it is not to think.
func (d *decoder) thinking(path string, v llm.JSON) bool {
	switch typ, budget := member(v, "type").Text(), member(v, "budget_tokens"); {
	case typ == "enabled" && budget != nil && count(v) == 2:
		d.Out.Budget = d.Whole(budget, path+".budget_tokens")
		d.Out.Effort = llm.EffortOf(d.Out.Budget)
	case typ == "disabled" && count(v) == 1:
		d.Out.Effort = "none"
	default:
		return false
	}
	return true
}

// effort takes an effort if it is one of the words for it.
func (d *decoder) effort(v llm.JSON, words ...string) bool {
	word := v.Text()
	if !slices.Contains(words, word) {
		return false
	}
	d.Out.Effort = word
	return true
}

// nova reads how much the models of Amazon are to reason.
func (d *decoder) nova(v llm.JSON) bool {
	switch typ := member(v, "type").Text(); {
	case typ == "disabled" && count(v) == 1:
		d.Out.Effort = "none"
		return true
	case typ == "enabled" && count(v) == 2:
		return d.effort(member(v, "maxReasoningEffort"), "low", "medium", "high")
	}
	return false
}

// serial reads that Claude is to call no more than one tool at a time. toolConfig's choice is repeated there.
func (d *decoder) serial(v llm.JSON) bool {
	kind, members := "auto", 2
	switch d.Out.Choice.Kind {
	case llm.ChoiceAny:
		kind = "any"
	case llm.ChoiceTool:
		kind, members = "tool", 3
	}
	named := member(v, "name").Text() == d.Out.Choice.Name.Text()
	if string(member(v, "disable_parallel_tool_use")) != "true" || member(v, "type").Text() != kind || count(v) != members || !named {
		return false
	}
	d.Out.Serial = true
	return true
}
