package llm

import "slices"

// reminder marks what the system says between two turns where only the user can say it. Claude is trained on the mark, and others read it as
// what it says.
const reminderBegin, reminderEnd = `<system-reminder>\n`, `\n</system-reminder>`

// Interjected returns the request for a dialect whose conversations have no system turns. What the system says after the first turn
// becomes a marked text of the user, in the same place. It is r itself if there is nothing of the kind.
func (r *Request) Interjected() *Request {
	return r.interjected(func(int) bool { return false })
}

// Placed is Interjected for Claude. Claude accepts a system turn after a user turn, if an assistant turn or none follows. Those
// stay.
func (r *Request) Placed() *Request {
	settled := r.Settled()
	last := make([]bool, len(settled.Messages)) // whether the assistant speaks next, or the conversation ends
	next := true
	for i := range slices.Backward(settled.Messages) {
		if last[i] = next; settled.Messages[i].Role != System {
			next = settled.Messages[i].speaks(Assistant)
		}
	}
	after, at := false, 0 // whether the user spoke last before at
	return settled.interjected(func(i int) bool {
		for ; at < i; at++ {
			if m := &settled.Messages[at]; m.Role != System {
				after = m.speaks(User)
			}
		}
		return after && last[i]
	})
}

// speaks reports whether a message is of a role, and something of it is sent in any case.
func (m *Message) speaks(role Role) bool {
	return m.Role == role && slices.ContainsFunc(m.Parts, func(p Part) bool { return !p.Thought() && (p.Kind != Text || !p.Text.Blank()) })
}

// interjected has the user say what the system says after the first turn, but for the turns that stay. These are asked for in their order.
func (r *Request) interjected(stays func(i int) bool) *Request {
	settled := r.Settled()
	if !slices.ContainsFunc(settled.Messages, func(m Message) bool { return m.Role == System }) {
		return settled
	}
	with := *settled
	with.Messages = slices.Clone(settled.Messages)
	for i := range with.Messages {
		if m := &with.Messages[i]; m.Role == System && !stays(i) {
			m.Role, m.Parts = User, reminders(m.Parts)
		}
	}
	return &with
}

// reminders are the parts of a turn of the system as the user says them.
func reminders(parts []Part) []Part {
	marked := slices.Clone(parts)
	for i := range marked {
		p := &marked[i]
		if p.Kind != Text || p.Text.Blank() {
			continue
		}
		text := make(JSON, 0, len(p.Text)+len(reminderBegin)+len(reminderEnd))
		text = append(append(text, '"'), reminderBegin...)
		text = append(append(text, p.Text.Inner()...), reminderEnd...)
		p.Text = append(text, '"')
	}
	return marked
}

// Settled returns the request with system turns between tool calls and their results moved after the results, because APIs want
// results right after calls. Without such turns it is r itself.
func (r *Request) Settled() *Request {
	with := r
	for from := 0; from < len(r.Messages); from++ {
		end, moves := from, false
		for ; end < len(r.Messages) && (r.Messages[end].Role == System || r.Messages[end].answers()); end++ {
			moves = moves || end > from && r.Messages[end-1].Role == System && r.Messages[end].Role != System
		}
		if moves {
			if with == r {
				clone := *r
				clone.Messages = slices.Clone(r.Messages)
				with = &clone
			}
			slices.SortStableFunc(with.Messages[from:end], func(a, b Message) int { return systemLast(&a) - systemLast(&b) })
		}
		from = max(from, end-1)
	}
	return with
}

func systemLast(m *Message) int {
	if m.Role == System {
		return 1
	}
	return 0
}

// answers reports whether a message has the result of a tool.
func (m *Message) answers() bool {
	return m.Role == User && slices.ContainsFunc(m.Parts, func(p Part) bool { return p.Kind == Result })
}
