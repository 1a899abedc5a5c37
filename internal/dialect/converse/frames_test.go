package converse_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/dialect/converse"
	"github.com/weirproxy/weir/internal/dialect/eventstream"
)

// Payloads say what they are, whatever their frame and they themselves look like.
func TestFrames(t *testing.T) {
	t.Parallel()
	header := func(pairs ...string) (list []eventstream.Header) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, eventstream.Header{Name: pairs[i], Value: pairs[i+1]})
		}
		return list
	}
	event := func(typ string) []eventstream.Header { return header(":message-type", "event", ":event-type", typ) }
	var stream []byte
	for _, f := range []struct {
		payload string
		headers []eventstream.Header
	}{
		{`{"a":1}`, event("x")},
		{` { } `, event("x")},
		{``, event("x")},
		{`[1]`, event("x")},
		{`{"a":1}`, event(`x","y":"`)},
		{`{"a":1}`, event(strings.Repeat("x", 65))},
		{`{"message":"m"}`, header(":message-type", "exception", ":exception-type", "throttlingException")},
		{``, header(":message-type", "error", ":error-code", "InternalError", ":error-message", "a \"b\"\n")},
		{`{}`, nil},
	} {
		stream = eventstream.Append(stream, []byte(f.payload), f.headers...)
	}
	var got []string
	frames := converse.NewFrames(bytes.NewReader(stream), 1000, nil)
	for {
		payload, err := frames.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(payload))
	}
	want := []string{
		`{"type":"x","a":1}`, `{"type":"x" }`, `{"type":"x"}`, `[1]`, `{"type":"unknown","a":1}`, `{"type":"unknown","a":1}`,
		`{"type":"error","error":{"type":"throttlingException","message":"m"}}`,
		`{"type":"error","error":{"type":"InternalError","message":"a \"b\"\n"}}`, `{"type":"error","error":{"type":"unknown","message":""}}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// account is a Room of some size.
type account struct{ size, held int }

func (a *account) Grow(n int) bool {
	if a.held+n > a.size {
		return false
	}
	a.held += n
	return true
}

// A large payload is counted while it is there.
func TestRoomOfPayloads(t *testing.T) {
	t.Parallel()
	large := `{"a":"` + strings.Repeat("x", 50_000) + `"}`
	stream := framed("x " + large + "\nx {}\nx {}\n" + strings.Repeat("x {}\n", 200))
	room := &account{size: 1 << 20}
	frames := converse.NewFrames(bytes.NewReader(stream), 1<<20, room)
	if _, err := frames.Next(); err != nil || room.held < 100_000 {
		t.Errorf("%v, held %d", err, room.held)
	}
	for {
		if _, err := frames.Next(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if room.held != 0 {
		t.Errorf("holds %d", room.held)
	}
	if _, err := converse.NewFrames(bytes.NewReader(stream), 1<<20, &account{size: 80_000}).Next(); !errors.Is(err, eventstream.ErrNoRoom) {
		t.Errorf("without room: %v", err)
	}
}

// What errors mean, by what their header says and by what an event says.
func TestErrors(t *testing.T) {
	t.Parallel()
	for typ, want := range map[string]int{
		"ValidationException:http://internal.amazon.com/coral/com.amazon.bedrock/": 400,
		"ExpiredTokenException:http://internal.amazon.com/coral/":                  401,
		"UnrecognizedClientException":                                              401,
		"AccessDeniedException":                                                    403,
		"ResourceNotFoundException":                                                404,
		"ServiceQuotaExceededException":                                            429,
		"throttlingException":                                                      429,
		"modelStreamErrorException":                                                502,
		"serviceUnavailableException":                                              503,
		"modelTimeoutException":                                                    504,
		"internalServerException":                                                  500,
		"SomethingNewException":                                                    0,
		"":                                                                         0,
	} {
		if got := converse.Status(typ); got != want {
			t.Errorf("%s is %d, not %d", typ, got, want)
		}
	}
	for message, want := range map[string]string{
		"Input Tokens Exceeded: Number of input tokens exceeds maximum length.": "context_length_exceeded", "No.": "",
	} {
		if got := converse.Code(message); got != want {
			t.Errorf("%s: %q", message, got)
		}
	}
}

// A chunk is the payload within it, of any length; what is no chunk, or holds nothing, cannot be read. An exception is an error event.
func TestChunks(t *testing.T) {
	t.Parallel()
	long := `{"type":"x","text":"` + strings.Repeat("é", 9000) + `"}`
	for name, tt := range map[string]struct {
		payload, typ string
		want         string
		err          error
	}{
		"a chunk":         {payload: `{"bytes":"` + base64.StdEncoding.EncodeToString([]byte(`{"type":"ping"}`)) + `","p":"abc"}`, typ: "chunk", want: `{"type":"ping"}`},
		"padding first":   {payload: `{"p":"abc","bytes":"e30="}`, typ: "chunk", want: `{}`},
		"a long one":      {payload: `{"bytes":"` + base64.StdEncoding.EncodeToString([]byte(long)) + `"}`, typ: "chunk", want: long},
		"no base64":       {payload: `{"bytes":"%%%"}`, typ: "chunk", err: eventstream.ErrFrame},
		"no bytes":        {payload: `{"p":"abc"}`, typ: "chunk", err: eventstream.ErrFrame},
		"no text":         {payload: `{"bytes":7}`, typ: "chunk", err: eventstream.ErrFrame},
		"no object":       {payload: `[]`, typ: "chunk", want: `[]`},
		"another event":   {payload: `{"a":1}`, typ: "metadata", want: `{"type":"metadata","a":1}`},
		"an escaped text": {payload: `{"bytes":"e\u00330="}`, typ: "chunk", err: eventstream.ErrFrame},
	} {
		stream := eventstream.Append(nil, []byte(tt.payload), eventstream.Header{Name: ":message-type", Value: "event"}, eventstream.Header{Name: ":event-type", Value: tt.typ})
		got, err := converse.NewChunks(bytes.NewReader(stream), 1<<20, nil).Next()
		if !errors.Is(err, tt.err) || string(got) != tt.want {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	stream := eventstream.Append(nil, []byte(`{"message":"m"}`), eventstream.Header{Name: ":message-type", Value: "exception"}, eventstream.Header{Name: ":exception-type", Value: "throttlingException"})
	if got, err := converse.NewChunks(bytes.NewReader(stream), 1<<20, nil).Next(); err != nil || string(got) != `{"type":"error","error":{"type":"throttlingException","message":"m"}}` {
		t.Errorf("%s %v", got, err)
	}
}
