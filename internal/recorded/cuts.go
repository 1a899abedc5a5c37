package recorded

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
)

// Cut is the beginning of a stream.
type Cut struct {
	Body  []byte
	where string
}

// String says where it was cut.
func (c Cut) String() string { return c.where }

// Cuts are the beginnings of a recorded stream: one after each event, and two within each, in its middle and before
// its last byte. end is the part of an event that makes the stream complete, such as `"message_stop"`. No beginning
// has the whole of the last such event, so that none may count as the whole. With an empty end only the stream as
// it is is left out.
func Cuts(body []byte, end string) iter.Seq[Cut] {
	return func(yield func(Cut) bool) {
		most := len(body)
		if end != "" {
			most = bytes.LastIndex(body, []byte(end)) + len(end)
		}
		at := 0
		for n, event := range split(body) {
			size := len(trimmed(event))
			if end != "" && at+len(event) >= most { // the last one: all but its last byte
				most = at + size
			}
			where := fmt.Sprintf(" event %d, at byte %d of %d", n+1, at, len(body))
			for _, cut := range [...]struct {
				size int
				how  string
			}{{size / 2, "in the middle of"}, {size - 1, "before the last byte of"}, {len(event), "behind"}} {
				if cut.size > 0 && at+cut.size < most && !yield(Cut{body[:at+cut.size], cut.how + where}) {
					return
				}
			}
			if at += len(event); at >= most {
				return
			}
		}
	}
}

// split returns the events of a stream with their framing: server-sent ones, or those of AWS, which begin with their
// length.
func split(body []byte) (events [][]byte) {
	for len(body) > 0 {
		size := len(body)
		if body[0] == 0 && len(body) > 4 {
			size = min(size, max(4, int(binary.BigEndian.Uint32(body))))
		} else {
			for _, blank := range []string{"\n\n", "\r\n\r\n"} {
				if i := bytes.Index(body, []byte(blank)); i >= 0 {
					size = min(size, i+len(blank))
				}
			}
		}
		events, body = append(events, body[:size]), body[size:]
	}
	return events
}

// trimmed is an event without the line ends after it. A frame of AWS ends in a checksum, which may look like one.
func trimmed(event []byte) []byte {
	if event[0] == 0 {
		return event
	}
	return bytes.TrimRight(event, " \r\n")
}
