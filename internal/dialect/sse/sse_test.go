package sse

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// event is Event with its data copied, so that it outlives the next call.
type event struct{ Type, Data string }

const testMax = 1 << 20

// parse reads all events of src and the error that ended them, nil for io.EOF.
func parse(src io.Reader, max int) ([]event, error) {
	r := NewReader(src, max)
	var events []event
	for {
		ev, err := r.Next()
		if err != nil {
			if _, again := r.Next(); again != err {
				panic("the error did not stick")
			}
			if err == io.EOF {
				err = nil
			}
			return events, err
		}
		if ev.Data == nil {
			panic("nil data")
		}
		events = append(events, event{ev.Type, string(ev.Data)})
	}
}

// reference is the slow and obvious reader: whole input, line by line.
func reference(input []byte, max int) ([]event, error) {
	var events []event
	text := strings.TrimPrefix(string(input), byteOrderMark)
	text = strings.ReplaceAll(text, "\r\n", "\n")
	lines := strings.Split(strings.ReplaceAll(text, "\r", "\n"), "\n")
	bom := len(input) >= 3 && string(input[:3]) == byteOrderMark
	var typ string
	var data []string
	for i, line := range append(lines, "") {
		n := len(line) + len(strings.Join(data, "\n"))
		if n > max || i == 0 && bom && n+3 > max {
			return events, ErrEventTooLarge
		}
		if line == "" {
			if i == len(lines)-1 {
				continue // what follows the last line end is no line
			}
			if data != nil {
				events = append(events, event{typ, strings.Join(data, "\n")})
			}
			typ, data = "", nil
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "data":
			data = append(data, value)
		case "event":
			typ = value[:min(len(value), 64)]
		}
	}
	return events, nil
}

var inputs = map[string]struct {
	in   string
	want []event
}{
	"empty":                  {"", nil},
	"one":                    {"data: a\n\n", []event{{"", "a"}}},
	"two":                    {"data: a\n\ndata: b\n\n", []event{{"", "a"}, {"", "b"}}},
	"crlf":                   {"data: a\r\n\r\ndata: b\r\n\r\n", []event{{"", "a"}, {"", "b"}}},
	"cr":                     {"data: a\r\rdata: b\r\r", []event{{"", "a"}, {"", "b"}}},
	"mixed":                  {"data: a\r\n\ndata: b\n\rdata: c\r\r\ndata: d", []event{{"", "a"}, {"", "b"}, {"", "c"}, {"", "d"}}},
	"byte order mark":        {byteOrderMark + "data: a\n\n" + byteOrderMark + "data: b\n\n", []event{{"", "a"}}},
	"half a byte order mark": {"\xef\xbbdata: a\n\ndata: b\n\n", []event{{"", "b"}}},
	"only a byte order mark": {byteOrderMark, nil},
	"no space":               {"data:a\n\ndata:  b\n\ndata:\tc\n\n", []event{{"", "a"}, {"", " b"}, {"", "\tc"}}},
	"comments":               {": hello\n:\ndata: a\n: in between\n\n: ping\n\ndata: b\n\n", []event{{"", "a"}, {"", "b"}}},
	"several lines":          {"data: a\ndata: b\ndata:\ndata:c\n\n", []event{{"", "a\nb\n\nc"}}},
	"several lines, between": {"data: a\nid: 1\n: x\nevent: t\ndata: b\r\n\n", []event{{"t", "a\nb"}}},
	"empty data":             {"data:\n\ndata\n\ndata: \n\n", []event{{"", ""}, {"", ""}, {"", ""}}},
	"types":                  {"event: a\ndata: 1\n\nevent:b\ndata: 2\n\ndata: 3\n\n", []event{{"a", "1"}, {"b", "2"}, {"", "3"}}},
	"last type counts":       {"event: a\nevent: b\ndata: 1\n\nevent: a\nevent\ndata: 2\n\n", []event{{"b", "1"}, {"", "2"}}},
	"type without data":      {"event: ping\n\ndata: 1\n\n", []event{{"", "1"}}},
	"other fields":           {"id: 7\nretry: 1000\nfoo: bar\nfoo\n\nid: 8\ndata: a\n\n", []event{{"", "a"}}},
	"field names are exact":  {"Data: a\n\n data: b\n\ndata : c\n\ndatax: d\n\n", nil},
	"blank lines":            {"\n\n\r\n\rdata: a\n\n\n\n\ndata: b\n\n\n", []event{{"", "a"}, {"", "b"}}},
	"open at the end":        {"data: a\n\ndata: b\n", []event{{"", "a"}, {"", "b"}}},
	"line open at the end":   {"data: a\n\nevent: x\ndata: b\ndata: c", []event{{"", "a"}, {"x", "b\nc"}}},
	"type open at the end":   {"data: a\n\nevent: x", []event{{"", "a"}}},
	"colons in the value":    {"data: {\"a\": \"b:c\"}\n\n", []event{{"", `{"a": "b:c"}`}}},
	"any byte":               {"data: \x00\xff\u2028\u0085\n\n", []event{{"", "\x00\xff\u2028\u0085"}}},
	"long":                   {"data: " + strings.Repeat("x", 20_000) + "\n\ndata: b\n\n", []event{{"", strings.Repeat("x", 20_000)}, {"", "b"}}},
	"many long lines":        {strings.Repeat("data: "+strings.Repeat("y", 100)+"\n", 100) + "\n", []event{{"", strings.Repeat(strings.Repeat("y", 100)+"\n", 99) + strings.Repeat("y", 100)}}},
}

func TestReader(t *testing.T) {
	t.Parallel()
	for name, test := range inputs {
		got, err := parse(strings.NewReader(test.in), testMax)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if ref, _ := reference([]byte(test.in), testMax); !cmp.Equal(test.want, ref) {
			t.Errorf("%s: the test's own reference is wrong: %q", name, ref)
		}
	}
}

// However the network cuts a stream, the events are the same.
func TestReaderAnySplit(t *testing.T) {
	t.Parallel()
	for name, test := range inputs {
		if len(test.in) < 1000 {
			for i := range test.in {
				src := io.MultiReader(strings.NewReader(test.in[:i]), strings.NewReader(test.in[i:]))
				if got, err := parse(src, testMax); err != nil || !cmp.Equal(test.want, got) {
					t.Errorf("%s, split at %d: %q, %v", name, i, got, err)
				}
			}
		}
		for wrapped, src := range map[string]io.Reader{
			"one byte": iotest.OneByteReader(strings.NewReader(test.in)),
			"half":     iotest.HalfReader(strings.NewReader(test.in)),
			"data err": iotest.DataErrReader(strings.NewReader(test.in)),
		} {
			if got, err := parse(src, testMax); err != nil || !cmp.Equal(test.want, got) {
				t.Errorf("%s, %s: %d events, %v", name, wrapped, len(got), err)
			}
		}
	}
}

func TestReaderTooLarge(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		in   string
		want []event
	}{
		"line":             {"data: a\n\ndata: 4567890\n\n", []event{{"", "a"}}},
		"unfinished line":  {"data: a\n\ndata: 4567890", []event{{"", "a"}}},
		"comment":          {"data: a\n\n:234567890123\n\n", []event{{"", "a"}}},
		"joined data":      {"data:123\ndata:1\ndata:123\n\n", nil},
		"data and comment": {"data:1234\n:23456789\n\n", nil},
		"after the mark":   {byteOrderMark + "data:12345\n\n", nil},
	} {
		for _, src := range []io.Reader{strings.NewReader(test.in), iotest.OneByteReader(strings.NewReader(test.in))} {
			got, err := parse(src, 12)
			if !errors.Is(err, ErrEventTooLarge) || !cmp.Equal(test.want, got) {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	}
	for _, in := range []string{"data: 456789\n\n", "data:1234\ndata:123\n\n", strings.Repeat(":2345678\n", 100) + "data:1\n\n"} {
		if got, err := parse(strings.NewReader(in), 12); err != nil || len(got) != 1 {
			t.Errorf("%q fits but gave %q, %v", in, got, err)
		}
	}
}

// endless yields its text for ever, and counts what it gave.
type endless struct {
	text  string
	given int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.text[e.given%len(e.text):])
	e.given += n
	return n, nil
}

func TestReaderBoundsMemoryOfEndlessInput(t *testing.T) {
	t.Parallel()
	const bound = 100_000
	for _, text := range []string{"x", "data: x\n", "data:\n", ": comment\ndata: abc\r\n"} {
		src := &endless{text: text}
		r := NewReader(src, bound)
		if _, err := r.Next(); !errors.Is(err, ErrEventTooLarge) {
			t.Errorf("%q: %v", text, err)
		}
		if len(r.buf) > 4*bound {
			t.Errorf("%q: buffer of %d bytes for a bound of %d", text, len(r.buf), bound)
		}
	}
}

// shared is a Room that has so many bytes.
type shared struct{ most, used, peak int }

func (s *shared) Grow(n int) bool {
	if s.used+n > s.most {
		return false
	}
	s.used += n
	s.peak = max(s.peak, s.used)
	return true
}

// Memory for large events is asked for before the reader uses it, and given back afterwards; small events ask for
// none.
func TestReaderAsksForRoom(t *testing.T) {
	t.Parallel()
	small, large := strings.Repeat("data: "+strings.Repeat("x", 300)+"\n\n", 100), "data: "+strings.Repeat("y", 500_000)+"\n\n"
	read := func(most int, text string) (*shared, int, error) {
		room := &shared{most: most}
		r := NewReader(strings.NewReader(text), 1<<20)
		r.Room = room
		for events := 0; ; events++ {
			if _, err := r.Next(); err != nil {
				if room.used != counted(len(r.buf)) {
					t.Errorf("%d bytes are counted, the buffer has %d", room.used, len(r.buf))
				}
				return room, events, err
			}
		}
	}
	if room, events, err := read(0, small); err != io.EOF || events != 100 || room.peak != 0 {
		t.Errorf("small events: %d, %v, %d bytes", events, err, room.peak)
	}
	room, events, err := read(1<<30, strings.Repeat(large+small, 3))
	if err != io.EOF || events != 303 || room.used != 0 || room.peak < 500_000 || room.peak > 2_000_000 {
		t.Errorf("large events: %d, %v, %+v", events, err, room)
	}
	if _, events, err := read(room.peak-1, small+large); err != ErrNoRoom || events != 100 {
		t.Errorf("without room: %d, %v", events, err)
	}
}

func TestReaderErrors(t *testing.T) {
	t.Parallel()
	reset := errors.New("connection reset")
	for _, cause := range []error{reset, io.ErrUnexpectedEOF} {
		src := io.MultiReader(strings.NewReader("data: a\n\ndata: b\n\ndata: lost\n"), iotest.ErrReader(cause))
		got, err := parse(src, testMax)
		if err != cause || !cmp.Equal(got, []event{{"", "a"}, {"", "b"}}) {
			t.Errorf("%v: %q, %v", cause, got, err)
		}
	}
	if _, err := parse(stuck{}, testMax); err != io.ErrNoProgress {
		t.Errorf("a source that gives nothing: %v", err)
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestBuffered(t *testing.T) {
	t.Parallel()
	const first, rest = "data: a\n\ndata: b\ndata: c\n\n: comment\n\n", "data: d\n\n"
	r := NewReader(io.MultiReader(strings.NewReader(first), strings.NewReader(rest)), testMax)
	if r.Buffered() {
		t.Error("nothing is read yet")
	}
	a, err := r.Next()
	if err != nil || !r.Buffered() || !r.Buffered() {
		t.Errorf("the second event is there already (%v)", err)
	}
	if string(a.Data) != "a" {
		t.Errorf("looking ahead changed the event before to %q", a.Data)
	}
	b, err := r.Next()
	if err != nil || r.Buffered() {
		t.Errorf("a comment is no event (%v)", err)
	}
	if string(b.Data) != "b\nc" {
		t.Errorf("second event: %q", b.Data)
	}
	if d, err := r.Next(); err != nil || string(d.Data) != "d" {
		t.Errorf("third event: %q, %v", d.Data, err)
	}
}

func TestDataIsNotCopied(t *testing.T) {
	t.Parallel()
	r := NewReader(strings.NewReader("data: abc\n\ndata: def\n\n"), testMax)
	ev, err := r.Next()
	if err != nil || &ev.Data[0] != &r.buf[len("data: ")] {
		t.Errorf("the data is a copy (%v)", err)
	}
	if _ = append(ev.Data, "overwritten!"...); !r.Buffered() {
		t.Error("appending to the data changed what follows")
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	chunk := "event: message\r\ndata: {\"choices\":[{\"delta\":{\"content\":\"" + strings.Repeat("w", 200) + "\"}}]}\r\n\r\ndata: a\ndata: b\n\n"
	r := NewReader(&endless{text: chunk}, testMax)
	if n := testing.AllocsPerRun(2000, func() {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations an event", n)
	}
}

// Every byte is searched once for each of the two line ends, even if they come one by one.
func TestSearchIsLinear(t *testing.T) {
	t.Parallel()
	long := "data: " + strings.Repeat("x", 300_000) + "\n\n"
	short := strings.Repeat("data: {}\r", 10_000) + "\r"
	for _, in := range []string{long, short, long + short, strings.Repeat("\n", 50_000)} {
		for _, src := range []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in))} {
			r := NewReader(src, testMax)
			for err := error(nil); err == nil; {
				_, err = r.Next()
			}
			if r.lf.looked > len(in) || r.cr.looked > len(in) {
				t.Errorf("%d bytes: searched %d for LF and %d for CR", len(in), r.lf.looked, r.cr.looked)
			}
		}
	}
}

// watch notes how large a buffer the reader holds whenever it may have to wait.
type watch struct {
	io.Reader
	r    *Reader
	held []int
}

func (w *watch) Read(p []byte) (int, error) {
	held := len(w.r.buf)
	if len(w.r.small) > 0 && &w.r.small[0] != &w.r.buf[0] {
		held += len(w.r.small)
	}
	w.held = append(w.held, held)
	return w.Reader.Read(p)
}

func TestBufferShrinks(t *testing.T) {
	t.Parallel()
	for _, size := range []int{100, 5000, 9000, 500_000} {
		large := "data: " + strings.Repeat("x", size) + "\n\n"
		src := &watch{Reader: io.MultiReader(strings.NewReader(large), strings.NewReader("data: a\n\n"))}
		r := NewReader(src, testMax)
		src.r = r
		for err := error(nil); err == nil; {
			_, err = r.Next()
		}
		if last := src.held[len(src.held)-1]; last > keepSize {
			t.Errorf("after an event of %d bytes a waiting reader holds %d", size, last)
		}
	}
}

func TestReset(t *testing.T) {
	t.Parallel()
	r := NewReader(strings.NewReader("data: a\ndata: open\r"), testMax)
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	before := &r.buf[0]
	r.Reset(strings.NewReader(byteOrderMark + "\ndata: b\n\n"))
	ev, err := r.Next()
	if err != nil || string(ev.Data) != "b" || ev.Type != "" {
		t.Errorf("%q, %v", ev, err)
	}
	if &r.buf[0] != before {
		t.Error("the buffer was not used again")
	}
}

func TestAppendEvent(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"a":1}`:                    "data: {\"a\":1}\n\n",
		"{\n\t\"a\":\r\n1\r}\n":      "data: { \t\"a\":  1 } \n\n",
		"":                           "data: \n\n",
		`{"a":"\n\r"}`:               "data: {\"a\":\"\\n\\r\"}\n\n",
		strings.Repeat("\r\n", 1000): "data: " + strings.Repeat("  ", 1000) + "\n\n",
	} {
		src := []byte(in)
		if got := string(AppendEvent([]byte("before"), src)); got != "before"+want {
			t.Errorf("%q became %q", in, got)
		}
		if string(src) != in {
			t.Errorf("%q was changed in place", in)
		}
	}
}

func FuzzReader(f *testing.F) {
	for _, test := range inputs {
		if len(test.in) < 1000 {
			f.Add([]byte(test.in), 1, 1000)
			f.Add([]byte(test.in), 5, 9)
		}
	}
	f.Fuzz(func(t *testing.T, in []byte, chunk, max int) {
		if max < 1 || chunk < 1 {
			return
		}
		want, wantErr := reference(in, max)
		for _, size := range []int{chunk, len(in) + 1} {
			got, err := parse(&chunks{in, size}, max)
			if err != wantErr || !cmp.Equal(want, got) {
				t.Errorf("in pieces of %d: %q, %v; want %q, %v", size, got, err, want, wantErr)
			}
		}
		for _, ev := range want { // what is written again is read again
			got, err := parse(bytes.NewReader(AppendEvent(nil, []byte(ev.Data))), testMax)
			one := strings.NewReplacer("\n", " ", "\r", " ").Replace(ev.Data)
			if err != nil || !cmp.Equal([]event{{"", one}}, got) {
				t.Errorf("%q written is read as %q, %v", ev.Data, got, err)
			}
		}
	})
}

// chunks gives its bytes in pieces of one size.
type chunks struct {
	b    []byte
	size int
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), c.size)], c.b)
	c.b = c.b[n:]
	return n, nil
}

func BenchmarkReader(b *testing.B) {
	chunk := "data: {\"choices\":[{\"delta\":{\"content\":\"" + strings.Repeat("w", 200) + "\"}}]}\n\n"
	r := NewReader(&endless{text: chunk}, testMax)
	b.SetBytes(int64(len(chunk)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Next(); err != nil {
			b.Fatal(err)
		}
	}
}

// However large an event is, the buffer takes little more than the bound, and what is read is the same.
func TestReaderLargeEvents(t *testing.T) {
	t.Parallel()
	const bound = 12 << 20
	body := strings.Repeat("é", 4<<20)
	in := "data: " + body + "\n\ndata: a\n\n" + strings.Repeat("data: "+body[:len(body)/8]+"\n", 7) + "\ndata: b\n\n"
	src := &pieces{left: in, sizes: []int{1, 4095, 3, 70_000, 1 << 20}}
	r := NewReader(src, bound)
	var got []int
	for {
		e, err := r.Next()
		if err != nil {
			break
		}
		got = append(got, len(e.Data))
		if len(r.buf) > bound+readAhead {
			t.Errorf("a buffer of %d bytes", len(r.buf))
		}
	}
	if want := []int{8 << 20, 1, 7<<20 + 6, 1}; !cmp.Equal(want, got) {
		t.Errorf("%d", got)
	}
	for _, text := range []string{"x", "data: x\n", "data: " + body[:100] + "\n"} {
		r := NewReader(&endless{text: text}, bound)
		if _, err := r.Next(); !errors.Is(err, ErrEventTooLarge) || len(r.buf) > bound+readAhead {
			t.Errorf("%.10q: a buffer of %d bytes, %v", text, len(r.buf), err)
		}
	}
}

// pieces returns a text in pieces of these sizes, repeated.
type pieces struct {
	left  string
	sizes []int
	turn  int
}

func (s *pieces) Read(p []byte) (int, error) {
	if s.left == "" {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), s.sizes[s.turn%len(s.sizes)])], s.left)
	s.left = s.left[n:]
	s.turn++
	return n, nil
}

// Whole is asked a bounded number of times, because each call looks at all of the event. The type of an event is kept
// only up to a bound.
func TestReaderBoundsItsWork(t *testing.T) {
	t.Parallel()
	asked := 0
	r := NewReader(strings.NewReader(strings.Repeat("data: x\n", 10_000)+"event: "+strings.Repeat("y", 10_000)+"\n\n"), testMax)
	r.Whole = func([]byte) bool {
		asked++
		return false
	}
	e, err := r.Next()
	if err != nil || len(e.Data) != 2*10_000-1 || asked != maxAsked {
		t.Errorf("%d bytes, asked %d times, %v", len(e.Data), asked, err)
	}
	if e.Type != strings.Repeat("y", maxType) {
		t.Errorf("type %q", e.Type)
	}
}

// Some vendors end events with a single line end; what is whole then must not wait for a blank line.
func TestReaderSplitsWholeLines(t *testing.T) {
	t.Parallel()
	const in = "data: {1}\ndata: {2}\r\ndata: [3\ndata: 4]\ndata: {5}\revent: x\ndata: {6}\n\ndata: {7}\n\n"
	for _, split := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader} {
		r := NewReader(split(strings.NewReader(in)), 100)
		r.Whole = func(data []byte) bool { return len(data) > 0 && data[len(data)-1] != '3' }
		var got []string
		for {
			e, err := r.Next()
			if err != nil {
				break
			}
			got = append(got, string(e.Data))
		}
		if want := "{1} {2} [3\n4] {5} {6} {7}"; strings.Join(got, " ") != want {
			t.Errorf("%q", got)
		}
	}
	r := NewReader(strings.NewReader("data: {1}\ndata: {2}\n"), 100)
	r.Whole = func([]byte) bool { return true }
	if e, err := r.Next(); err != nil || string(e.Data) != "{1}" || r.Buffered() {
		t.Errorf("%q %v: an event still open counts as buffered", e.Data, err)
	}
}

// hasty is a source that has all there is to read at hand, up to a place, and counts how often it is read.
type hasty struct {
	text  string
	pause int // where a read ends, be there room for more
	at    int
	reads int
}

// Read implements io.Reader.
func (h *hasty) Read(p []byte) (int, error) {
	h.reads++
	end := len(h.text)
	if h.at < h.pause {
		end = h.pause
	}
	if h.at == end {
		return 0, io.EOF
	}
	n := copy(p, h.text[h.at:end])
	h.at += n
	return n, nil
}

// In a burst one read brings many events. Once it is over the large buffer is given back, before the next event is waited for.
func TestBurst(t *testing.T) {
	t.Parallel()
	event := "data: " + strings.Repeat("a", 200) + "\n\n"
	const many = 1000
	room := &shared{most: 1 << 20}
	source := &hasty{text: strings.Repeat(event, many+3), pause: many * len(event)}
	r := NewReader(source, 1<<20)
	r.Room = room
	for n := range many {
		if ev, err := r.Next(); err != nil || len(ev.Data) != 200 {
			t.Fatalf("event %d: %d bytes, %v", n, len(ev.Data), err)
		}
	}
	if most := many*len(event)/burstSize + 10; source.reads > most || room.peak > burstSize {
		t.Errorf("%d reads of %d events, and %d bytes of memory", source.reads, many, room.peak)
	}
	for range 3 {
		if ev, err := r.Next(); err != nil || len(ev.Data) != 200 {
			t.Fatalf("%d bytes, %v", len(ev.Data), err)
		}
	}
	if _, err := r.Next(); err != io.EOF || r.lent != nil || len(r.buf) > keepSize || room.used != 0 {
		t.Errorf("%v, %d bytes of buffer and %d of memory stay", err, len(r.buf), room.used)
	}
}

// Without room for it a burst is read with what there is.
func TestBurstWithoutRoom(t *testing.T) {
	t.Parallel()
	event := "data: " + strings.Repeat("a", 200) + "\n\n"
	r := NewReader(&hasty{text: strings.Repeat(event, 100)}, 1<<20)
	r.Room = &shared{most: burstSize - 1}
	for n := range 100 {
		if ev, err := r.Next(); err != nil || len(ev.Data) != 200 || r.lent != nil {
			t.Fatalf("event %d: %d bytes, %v", n, len(ev.Data), err)
		}
	}
}
