package eventstream_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/weirproxy/weir/internal/dialect/eventstream"
	"github.com/weirproxy/weir/internal/recorded"
)

// all reads a stream to its end.
func all(src io.Reader, most int) (frames []recorded.Frame, err error) {
	r := eventstream.NewReader(src, most)
	for {
		f, err := r.Next()
		if err != nil {
			return frames, err
		}
		headers := map[string]string{}
		for name, value := range map[string][]byte{
			":message-type": f.Message, ":event-type": f.Event, ":exception-type": f.Exception, ":error-code": f.Code, ":error-message": f.Text,
		} {
			if value != nil {
				headers[name] = string(value)
			}
		}
		frames = append(frames, recorded.Frame{Headers: headers, Payload: string(f.Payload)})
	}
}

// Every recorded stream has the frames that another reader found in it, however it arrives; and they can be written again
// to the byte.
func TestRecordings(t *testing.T) {
	t.Parallel()
	recorded.Chats(t, "bedrock", 31, func(t *testing.T, r recorded.Interaction) {
		t.Parallel()
		body, want := r.Response.Body.Base64, r.Response.Body.Events
		if body == nil {
			return
		}
		for _, src := range []io.Reader{bytes.NewReader(body), iotest.OneByteReader(bytes.NewReader(body)), iotest.HalfReader(bytes.NewReader(body))} {
			frames, err := all(src, 1<<20)
			if err != io.EOF || len(frames) != len(want) {
				t.Fatalf("%d frames, not %d: %v", len(frames), len(want), err)
			}
			for i, f := range frames {
				if f.Payload != want[i].Payload || f.Headers[":event-type"] != want[i].Headers[":event-type"] || f.Headers[":message-type"] != want[i].Headers[":message-type"] {
					t.Errorf("frame %d is %v, not %v", i, f, want[i])
				}
			}
		}
		var again []byte
		for _, f := range want {
			var headers []eventstream.Header
			for _, name := range []string{":event-type", ":content-type", ":message-type"} {
				headers = append(headers, eventstream.Header{Name: name, Value: f.Headers[name]})
			}
			again = eventstream.Append(again, []byte(f.Payload), headers...)
		}
		if !bytes.Equal(again, body) {
			t.Error("written again it is another stream")
		}
	})
}

var event = eventstream.Header{Name: ":message-type", Value: "event"}

// sealed puts right the checksums of a frame that was tampered with.
func sealed(frame []byte) []byte {
	binary.BigEndian.PutUint32(frame[8:], crc32.ChecksumIEEE(frame[:8]))
	end := len(frame) - 4
	binary.BigEndian.PutUint32(frame[end:], crc32.ChecksumIEEE(frame[:end]))
	return frame
}

// A malformed frame is reported before any of its values is used.
func TestBadFrames(t *testing.T) {
	t.Parallel()
	good := func() []byte { return eventstream.Append(nil, []byte(`{"a":1}`), event) }
	change := func(at int, to byte) []byte {
		b := good()
		b[at] = to
		return b
	}
	long := eventstream.Append(nil, []byte(strings.Repeat("x", 2000)), event)
	for name, tt := range map[string]struct {
		stream []byte
		want   error
	}{
		"whole":                         {good(), io.EOF},
		"nothing":                       {nil, io.EOF},
		"cut in the head":               {good()[:7], io.ErrUnexpectedEOF},
		"cut in the payload":            {good()[:20], io.ErrUnexpectedEOF},
		"cut before its last byte":      {good()[:len(good())-1], io.ErrUnexpectedEOF},
		"another head":                  {change(3, 99), eventstream.ErrFrame},
		"another payload":               {change(len(good())-6, 'x'), eventstream.ErrFrame},
		"another checksum":              {change(len(good())-1, 'x'), eventstream.ErrFrame},
		"text":                          {[]byte("data: {\"a\":1}\n\n"), eventstream.ErrFrame},
		"too short a frame":             {sealed(append([]byte{0, 0, 0, 15, 0, 0, 0, 0}, make([]byte, 8)...)), eventstream.ErrFrame},
		"headers longer than the frame": {sealed(change(7, 200)), eventstream.ErrFrame},
		"a header without a name":       {sealed(change(12, 0)), eventstream.ErrFrame},
		"a header longer than all":      {sealed(change(12, 250)), eventstream.ErrFrame},
		"a header of an unknown type":   {sealed(change(26, 12)), eventstream.ErrFrame},
		"a value longer than all":       {sealed(change(27, 250)), eventstream.ErrFrame},
		"larger than is taken":          {long, eventstream.ErrTooLarge},
	} {
		_, err := all(bytes.NewReader(tt.stream), 1500)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// What came before is still read, and nothing after it.
	frames, err := all(bytes.NewReader(append(append(good(), change(9, 1)...), good()...)), 1500)
	if len(frames) != 1 || !errors.Is(err, eventstream.ErrFrame) {
		t.Errorf("%d frames, %v", len(frames), err)
	}
}

// Values of all types are stepped over.
func TestHeaders(t *testing.T) {
	t.Parallel()
	var headers []byte
	for typ, value := range []string{"", "", "a", "ab", "abcd", "abcdefgh", "\x00\x03abc", "\x00\x05event", "abcdefgh", "abcdefghijklmnop"} {
		name := "other"
		if typ == 7 {
			name = ":message-type"
		}
		headers = append(append(append(headers, byte(len(name))), name...), byte(typ))
		headers = append(headers, value...)
	}
	frame := make([]byte, 12, 200)
	frame = append(append(append(frame, headers...), "{}"...), 0, 0, 0, 0)
	binary.BigEndian.PutUint32(frame, uint32(len(frame)))
	binary.BigEndian.PutUint32(frame[4:], uint32(len(headers)))
	frames, err := all(bytes.NewReader(sealed(frame)), 1000)
	if err != io.EOF || len(frames) != 1 || frames[0].Headers[":message-type"] != "event" || frames[0].Payload != "{}" {
		t.Errorf("%v %v", frames, err)
	}
}

// account is a Room of some size.
type account struct{ size, held, most int }

func (a *account) Grow(n int) bool {
	if a.held+n > a.size {
		return false
	}
	a.held += n
	a.most = max(a.most, a.held)
	return true
}

// A large frame takes its room while it is read and gives it back; one that only says that it is large takes none.
func TestRoom(t *testing.T) {
	t.Parallel()
	small, large := eventstream.Append(nil, []byte("{}"), event), eventstream.Append(nil, make([]byte, 100_000), event)
	read := func(room *account, stream []byte) error {
		r := eventstream.NewReader(bytes.NewReader(stream), 1<<20)
		r.Room = room
		for {
			if _, err := r.Next(); err != nil {
				return err
			}
		}
	}
	room := &account{size: 1 << 20}
	if err := read(room, append(append(append([]byte(nil), small...), large...), bytes.Repeat(small, 500)...)); err != io.EOF || room.held != 0 || room.most < 100_000 || room.most > 250_000 {
		t.Errorf("%v, holds %d, held %d", err, room.held, room.most)
	}
	if err := read(&account{size: 50_000}, large); !errors.Is(err, eventstream.ErrNoRoom) {
		t.Errorf("without room: %v", err)
	}
	room = &account{size: 1 << 20}
	if err := read(room, large[:100]); err != io.ErrUnexpectedEOF || room.most != 0 {
		t.Errorf("%v, held %d for a frame that did not come", err, room.most)
	}
}

// A source that never gives anything does not hang the reader, and its own error comes out as it is.
func TestSources(t *testing.T) {
	t.Parallel()
	if _, err := all(iotest.ErrReader(errors.New("mine")), 100); err == nil || err.Error() != "mine" {
		t.Error(err)
	}
	if _, err := all(idle{}, 100); err != io.ErrNoProgress {
		t.Error(err)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// FuzzReader: for every input, the frames are the same however it arrives, and none is larger than allowed.
func FuzzReader(f *testing.F) {
	f.Add(eventstream.Append(nil, []byte(`{"a":1}`), event), 1000)
	f.Add(eventstream.Append(eventstream.Append(nil, nil), []byte("x"), event, eventstream.Header{Name: "a"}), 50)
	f.Add([]byte("data: x\n\n"), 50)
	f.Fuzz(func(t *testing.T, stream []byte, most int) {
		whole, err := all(bytes.NewReader(stream), most)
		bytewise, again := all(iotest.OneByteReader(bytes.NewReader(stream)), most)
		if len(whole) != len(bytewise) || err.Error() != again.Error() {
			t.Fatalf("%d frames and %v, or %d and %v", len(whole), err, len(bytewise), again)
		}
		for i := range whole {
			if whole[i].Payload != bytewise[i].Payload || len(whole[i].Payload) > most {
				t.Fatalf("%q and %q", whole[i].Payload, bytewise[i].Payload)
			}
		}
	})
}

// FuzzAppend: what is written is read.
func FuzzAppend(f *testing.F) {
	f.Add([]byte("{}"), "messageStart")
	f.Fuzz(func(t *testing.T, payload []byte, typ string) {
		if len(typ) > 65535 {
			return
		}
		frames, err := all(bytes.NewReader(eventstream.Append(nil, payload, eventstream.Header{Name: ":event-type", Value: typ})), 1<<20)
		if err != io.EOF || len(frames) != 1 || frames[0].Payload != string(payload) || frames[0].Headers[":event-type"] != typ {
			t.Fatalf("%v %v", frames, err)
		}
	})
}
