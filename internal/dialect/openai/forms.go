package openai

import "github.com/weirproxy/weir/internal/llm"

// forms turns a call of llm.FormTool into what it means: the text of the answer.
type forms struct {
	open  bool // the current block is such a call
	blank bool // nothing came of it yet
	found bool
	text  llm.Event
}

// plain is an event as the caller sees it.
func (f *forms) plain(ev *llm.Event) *llm.Event {
	if ev.Kind == llm.BlockStart {
		f.open = ev.Part == llm.ToolCall && string(ev.Name.Inner()) == llm.FormTool
		f.blank, f.found = f.open, f.found || f.open
	}
	if !f.open || ev.Part != llm.ToolCall {
		return ev
	}
	f.text = llm.Event{Kind: ev.Kind, Choice: ev.Choice, Block: ev.Block, Part: llm.Text, Text: ev.Text}
	switch {
	case ev.Kind == llm.Delta:
		f.blank = f.blank && len(ev.Text.Inner()) == 0
	case ev.Kind == llm.BlockStop && f.blank: // a call without arguments
		f.text.Kind, f.text.Text = llm.Delta, llm.JSON(`"{}"`)
	}
	return &f.text
}

// finish is why the answer ended, with so many calls of tools in it. Clients go by it to call them.
func (f *forms) finish(ev *llm.Event, tools int) string {
	switch {
	case ev.Finish == "stop" && tools > 0:
		return "tool_calls"
	case ev.Finish == "tool_calls" && tools == 0 && f.found:
		return "stop"
	}
	return ev.Finish
}
