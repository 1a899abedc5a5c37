package sim

import (
	"bytes"
	"slices"

	"github.com/weirproxy/weir/internal/dialect/sse"
)

// doneMarker is the payload that ends a stream of the OpenAI dialect.
const doneMarker = "[DONE]"

// framer writes the events of one stream in a script's framing.
type framer struct {
	plain, noDone                                        bool
	noSpace, comments, eventLines, idLines, retry, multi bool
	lineEnd, blank                                       string
	prefix                                               string // goes before the next event, once

	name  func(payload []byte) string      // of an event, nil in a dialect whose events have none
	frame func(dst, payload []byte) []byte // that of a dialect with frames of its own, else nil

	// late holds back the ends of each event until the next one comes: the last event never gets them.
	late bool
}

func newFramer(list []Framing) framer {
	has := func(f Framing) bool { return slices.Contains(list, f) }
	f := framer{
		plain: len(list) == 0, noDone: has(NoDone),
		noSpace: has(NoSpace), comments: has(Comments), eventLines: has(EventLines), idLines: has(IDLines),
		retry: has(RetryLines), multi: has(MultiLine), late: has(NoFinalBlank), lineEnd: "\n",
	}
	switch {
	case has(CRLF):
		f.lineEnd = "\r\n"
	case has(CR):
		f.lineEnd = "\r"
	}
	f.blank = f.lineEnd
	if has(SingleNewline) {
		f.blank = ""
	}
	if has(BOM) {
		f.prefix = "\xef\xbb\xbf"
	}
	return f
}

// append appends one event.
func (f *framer) append(dst, payload []byte) []byte {
	if f.frame != nil {
		return f.frame(dst, payload)
	}
	if f.plain {
		return sse.AppendEvent(dst, payload)
	}
	dst = append(dst, f.prefix...)
	f.prefix = ""
	if f.comments {
		dst = append(dst, ": ping"+f.lineEnd+f.lineEnd+": simulated comment"+f.lineEnd...)
	}
	if f.retry {
		dst = append(dst, "retry: 1000"+f.lineEnd+f.lineEnd...)
	}
	if f.idLines {
		dst = append(dst, "id: 7"+f.lineEnd...)
	}
	if f.name != nil {
		if name := f.name(payload); name != "" {
			dst = append(dst, "event: "+name+f.lineEnd...)
		}
	} else if f.eventLines {
		dst = append(dst, "event: message"+f.lineEnd...)
	}
	for i, line := range f.lines(payload) {
		if i > 0 {
			dst = append(dst, f.lineEnd...)
		}
		dst = append(dst, "data:"...)
		if !f.noSpace {
			dst = append(dst, ' ')
		}
		dst = append(dst, line...)
	}
	if f.late {
		f.prefix = f.lineEnd + f.blank
		return dst
	}
	return append(dst, f.lineEnd+f.blank...)
}

// lines are the payload's lines. JSON allows them to be split between tokens.
func (f *framer) lines(payload []byte) [][]byte {
	if end := len(payload) - 1; f.multi && end > 1 && payload[0] == '{' && payload[end] == '}' {
		return [][]byte{payload[:1], payload[1:end], payload[end:]}
	}
	return bytes.Split(payload, []byte("\n")) // a script's own payload may have line ends
}
