package responses

import (
	"fmt"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// ReadAnswer reads a complete response. It calls tell with all events but the last, and returns that one.
func ReadAnswer(body []byte, tell func(*llm.Event)) (end llm.Event, err error) {
	if err := jsonwalk.Valid(body, jsonwalk.Options{}); err != nil {
		return end, err
	}
	r := reader{tell: tell}
	var answer response
	answer.read(body)
	end.Usage = answer.usage.usage()
	switch {
	case answer.failed():
		return end, llm.ErrError
	case answer.output == nil:
		return end, fmt.Errorf("%w: it has no output", llm.ErrNoAnswer)
	}
	r.start(answer.id, answer.model)
	for _, item := range jsonwalk.Elements(answer.output) {
		if err := r.item(item); err != nil {
			return end, err
		}
	}
	return r.end(&answer)
}

// Stream reads the events of one streamed response. The zero value is ready.
type Stream struct {
	reader
	used counts
	s    jsonwalk.Scanner
	ev   payload
}

// Used implements dialect.Counter.
func (st *Stream) Used() llm.Usage { return st.used.usage() }

// Held implements dialect.Holder.
func (st *Stream) Held() (n int) {
	n = cap(st.refusal) + 16*len(st.pending)
	for _, item := range st.waiting {
		n += cap(item)
	}
	return n
}

// payload is what one event says. Everything in it aliases the event's bytes.
type payload struct {
	typ                               []byte
	response, item, delta, annotation llm.JSON
	logprobs, err                     llm.JSON
	output, content, summary          int64 // indexes, -1 without one
}

// read walks over the event's data once.
func (p *payload) read(s *jsonwalk.Scanner, data []byte) error {
	*p = payload{output: -1, content: -1, summary: -1}
	s.Reset(data, jsonwalk.Options{})
	if s.Kind() != '{' {
		s.Skip()
		return s.End()
	}
	var typ, output, content, summary llm.JSON
	for ok := s.EnterObject(); ok && s.NextMember(); {
		var ignored llm.JSON
		to := &ignored
		switch string(s.Name()) {
		case "type":
			to = &typ
		case "response":
			to = &p.response
		case "item":
			to = &p.item
		case "delta":
			to = &p.delta
		case "annotation":
			to = &p.annotation
		case "logprobs":
			to = &p.logprobs
		case "error":
			to = &p.err
		case "output_index":
			to = &output
		case "content_index":
			to = &content
		case "summary_index":
			to = &summary
		}
		*to = s.Skip().Of(data)
	}
	p.typ, p.err = typ.Inner(), given(p.err)
	p.output, p.content, p.summary = indexOf(output), indexOf(content), indexOf(summary)
	return s.End()
}

// indexOf is a whole number, -1 for anything else.
func indexOf(v llm.JSON) int64 {
	if v == nil {
		return -1
	}
	if n, ok := v.Count(); ok {
		return n
	}
	return -1
}

// Read takes the data of one event. The event End comes with the last one, so that a stream without it is one that was cut short.
func (st *Stream) Read(data []byte, tell func(*llm.Event)) error {
	st.tell = tell
	ev := &st.ev
	if err := ev.read(&st.s, data); err != nil {
		return err
	}
	switch string(ev.typ) {
	case "response.created", "response.in_progress", "response.queued":
		if answer := responseOf(ev.response); !st.started && answer.id != nil {
			st.start(answer.id, answer.model)
		}
	case "response.completed", "response.incomplete":
		return st.finish(ev.response)
	case "response.failed":
		answer := responseOf(ev.response)
		st.used = answer.usage
		return llm.ErrError
	case "error", "response.error":
		return llm.ErrError
	case "":
		if ev.err != nil {
			return llm.ErrError
		}
	default:
		return st.event(ev)
	}
	return nil
}

// finish ends the answer with its last event, which has all of it: what was announced and not said yet is there.
func (st *Stream) finish(v llm.JSON) error {
	answer := responseOf(v)
	st.used = answer.usage
	if answer.failed() {
		return llm.ErrError
	}
	if !st.started {
		st.start(answer.id, answer.model)
	}
	silent := st.block == 0 && !st.open && len(st.refusal) == 0 && len(st.waiting) == 0
	for i, item := range jsonwalk.Elements(answer.output) {
		switch index := int64(i); {
		case st.live && index == st.index:
			if err := st.done(index, item); err != nil {
				return err
			}
		case silent, st.awaits(index):
			if err := st.item(item); err != nil {
				return err
			}
		}
	}
	if st.live {
		if err := st.leave(); err != nil {
			return err
		}
	}
	end, err := st.end(&answer)
	if err != nil {
		return err
	}
	st.emit(end)
	return nil
}

// response is what is read of a response object.
type response struct {
	id, model, output, err llm.JSON
	status, reason         string
	tier                   string
	usage                  counts
}

func responseOf(v llm.JSON) (r response) {
	r.read(v)
	return r
}

func (r *response) read(object llm.JSON) {
	for name, v := range jsonwalk.Members(object) {
		v := llm.JSON(v)
		switch string(name) {
		case "id":
			r.id = stringOf(v)
		case "model":
			r.model = stringOf(v)
		case "status":
			r.status = v.Text()
		case "error":
			r.err = given(v)
		case "incomplete_details":
			r.reason = memberOf(v, "reason").Text()
		case "service_tier":
			if r.tier = v.Tier(); r.tier == "auto" { // which is what was asked for
				r.tier = ""
			}
		case "usage":
			r.usage = countsOf(v)
		case "output":
			if v.Kind() == '[' {
				r.output = v
			}
		}
	}
	r.usage.tier = r.tier
}

// stringOf is a string, nil for anything else.
func stringOf(v llm.JSON) llm.JSON {
	if v.Kind() != '"' {
		return nil
	}
	return v
}

// failed reports whether there is an error in place of an answer.
func (r *response) failed() bool { return r.err != nil || r.status == "failed" }

// end is the last event of an answer that was read.
func (r *reader) end(answer *response) (end llm.Event, err error) {
	answer.usage.searches = r.searches
	if answer.output != nil { // which has each once more
		answer.usage.searches = searchesIn(answer.output)
	}
	end = llm.Event{Kind: llm.End, Usage: answer.usage.usage(), Uncounted: !answer.usage.told}
	switch answer.status {
	case "incomplete":
		end.Finish = "length"
		if answer.reason == "content_filter" {
			end.Finish = answer.reason
		}
	case "completed", "":
		end.Finish = "stop"
		if r.calls > 0 {
			end.Finish = "tool_calls"
		}
	default: // queued, cancelled
		return end, &llm.EndedError{Reason: llm.Clip(answer.status)}
	}
	if len(r.refusal) > 0 {
		end.Refusal = append(append(llm.JSON{'"'}, r.refusal...), '"')
	}
	return end, nil
}
