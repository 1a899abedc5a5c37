package llm

// Forms turns calls of FormTool into what they mean: the text of the answer. It is used for one choice of an answer. The zero value is
// ready.
type Forms struct {
	open  bool // the current block is such a call
	blank bool // nothing came of it yet
	found bool
	text  Event
}

// Plain is an event as the caller is to see it, valid until the next call.
func (f *Forms) Plain(ev *Event) *Event {
	if ev.Kind == BlockStart {
		f.open = ev.Part == ToolCall && string(ev.Name.Inner()) == FormTool
		f.blank, f.found = f.open, f.found || f.open
	}
	if !f.open || ev.Part != ToolCall {
		return ev
	}
	f.text = Event{Kind: ev.Kind, Choice: ev.Choice, Block: ev.Block, Part: Text, Text: ev.Text}
	switch {
	case ev.Kind == Delta:
		f.blank = f.blank && len(ev.Text.Inner()) == 0
	case ev.Kind == BlockStop && f.blank: // a call without arguments
		f.text.Kind, f.text.Text = Delta, JSON(`"{}"`)
	}
	return &f.text
}

// Finish is why the answer ended, with so many calls of tools in it. Clients go by it to call them.
func (f *Forms) Finish(ev *Event, tools int) string {
	switch {
	case ev.Finish == "stop" && tools > 0:
		return "tool_calls"
	case ev.Finish == "tool_calls" && tools == 0 && f.found:
		return "stop"
	}
	return ev.Finish
}
