package llm

import "slices"

// reminder marks what the system says between two turns where only the user can say it. Claude is trained on the mark, and others read it as
// what it says.
const reminderBegin, reminderEnd = `<system-reminder>\n`, `\n</system-reminder>`

// Interjected returns the request as a dialect takes it whose conversations have no turns of the system: what the system says after the first
// turn is said by the user, marked, in its place. It is r itself if there is nothing of the kind.
func (r *Request) Interjected() *Request {
	settled := r.Settled()
	if !slices.ContainsFunc(settled.Messages, func(m Message) bool { return m.Role == System }) {
		return settled
	}
	with := *settled
	with.Messages = slices.Clone(settled.Messages)
	for i := range with.Messages {
		if m := &with.Messages[i]; m.Role == System {
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

// Settled returns the request with turns of the system moved after the results of tools, where they stand between these and the calls: APIs want
// results right after calls. It is r itself if none stands there.
func (r *Request) Settled() *Request {
	isResult := func(m *Message) bool {
		return m.Role == User && slices.ContainsFunc(m.Parts, func(p Part) bool { return p.Kind == Result })
	}
	with := r
	for i := 0; i+1 < len(with.Messages); i++ {
		if with.Messages[i].Role != System || !isResult(&with.Messages[i+1]) {
			continue
		}
		if with == r {
			clone := *r
			clone.Messages = slices.Clone(r.Messages)
			with = &clone
		}
		for j := i; j+1 < len(with.Messages) && isResult(&with.Messages[j+1]); j++ {
			with.Messages[j], with.Messages[j+1] = with.Messages[j+1], with.Messages[j]
		}
		i = max(i-2, -1) // another one may stand before it
	}
	return with
}
