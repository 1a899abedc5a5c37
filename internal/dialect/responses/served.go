package responses

import (
	"bytes"
	"fmt"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/llm"
)

// Decode is a body of POST /v1/responses in the typed model, as a server of the API itself reads it: what Encode writes, read again.
// Request.Decode reads the bodies of Weir's callers, for servers of other APIs.
func Decode(body []byte) (*llm.Request, *llm.Error) {
	r, err := Parse(body, dialect.ParseOptions{})
	if err != nil {
		return nil, err
	}
	return r.Served()
}

// Served is the request as a server of the API itself reads it.
func (r *Request) Served() (*llm.Request, *llm.Error) { return r.decode(nil, true) }

// Serve returns a Writer for a server of the API itself: ids and what is encrypted are the events' own. now is the time of the answer in
// seconds.
func (r *Request) Serve(now int64) *Writer {
	w := r.Writer(dialect.Writing{Stand: dialect.Stand{Name: "0", Asked: r.Model, Now: now}}).(*Writer)
	if w.own = true; w.shows == asContent { // the API shows a summary, or nothing
		w.shows = hidden
	}
	return w
}

// Keep repeats what the user said in the answer to a request for a summary alone, as the API does: the summary stands for all else.
func (w *Writer) Keep(r *llm.Request) {
	for i := range r.Messages {
		for _, p := range r.Messages[i].Parts {
			if r.Messages[i].Role != llm.User || p.Kind != llm.Text {
				continue
			}
			if w.items++; len(w.output) > 0 {
				w.output = append(w.output, ',')
			}
			w.output = fmt.Appendf(w.output, `{"id":"msg_%s_%d","type":"message","role":"user","status":"completed","content":[{"type":"input_text","text":%s}]}`, w.Name, w.items, p.Text)
		}
	}
}

// Payloads calls send with each payload that an event becomes.
func (w *Writer) Payloads(ev *llm.Event, send func(payload []byte)) {
	for payload := range bytes.SplitSeq(w.Chunk(nil, ev), []byte{'\n'}) {
		if len(payload) > 0 {
			send(payload)
		}
	}
}
