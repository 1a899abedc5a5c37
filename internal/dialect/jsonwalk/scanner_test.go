package jsonwalk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

var strict = Options{MaxDepth: 64, Unique: true}

func TestValid(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, wantErr string }{
		{"object", `{"a":1,"b":[true,false,null],"c":{"d":"e"}}`, ""},
		{"white space everywhere", " \n{ \"a\" :\t1 ,\r\"b\" : [ ] } ", ""},
		{"any value", `"x"`, ""},
		{"numbers of any size", `[0,-0,1e400,123456789012345678901234567890,1.5E-7]`, ""},
		{"lone surrogate escape", `{"a":"\ud83d"}`, ""},
		{"NUL escape", `"\u0000"`, ""},
		{"non-ASCII", `"grüße 世界 😀"`, ""},
		{"empty", ``, "unexpected end"},
		{"only space", `  `, "unexpected end"},
		{"trailing garbage", `{} x`, "unexpected data"},
		{"two values", `{}{}`, "unexpected data"},
		{"byte order mark", "\ufeff{}", "unexpected"},
		{"duplicate", `{"a":1,"a":2}`, `duplicate member name "a"`},
		{"duplicate by escape", `{"model":1,"mod\u0065l":2}`, `duplicate member name "model"`},
		{"duplicate below", `{"x":[{"a":1,"b":2,"a":3}]}`, `duplicate member name "a"`},
		{"same name in two objects", `[{"a":1},{"a":2},{"a":{"a":3}}]`, ""},
		{"raw invalid UTF-8", "{\"a\":\"\xff\"}", "invalid UTF-8"},
		{"cut rune", "\"\xe4\xb8\"", "invalid UTF-8"},
		{"surrogate as UTF-8", "\"\xed\xa0\x80\"", "invalid UTF-8"},
		{"raw control character", "\"a\nb\"", "control character"},
		{"control character after eight bytes", "\"12345678\x01\"", "control character"},
		{"bad escape", `"\x41"`, "invalid escape"},
		{"cut escape", `"\u12"`, "invalid escape"},
		{"leading zero", `[01]`, `"," or "]"`},
		{"plus", `+1`, "expected a value"},
		{"bare point", `1.`, "a digit"},
		{"bare exponent", `1e`, "a digit"},
		{"lone minus", `-`, "a digit"},
		{"NaN", `NaN`, "expected a value"},
		{"word with more", `nullx`, "unexpected data"},
		{"trailing comma", `[1,]`, "expected a value"},
		{"trailing comma in object", `{"a":1,}`, "a member name"},
		{"leading comma", `[,1]`, "expected a value"},
		{"single quotes", `{'a':1}`, "a member name"},
		{"missing colon", `{"a" 1}`, `":"`},
		{"unclosed", `{"a":[1`, "unexpected end"},
		{"mismatched", `[1}`, `"," or "]"`},
		{"depth at the limit", strings.Repeat("[", 64) + strings.Repeat("]", 64), ""},
		{"depth over the limit", strings.Repeat("[", 65) + strings.Repeat("]", 65), "nested deeper than 64"},
		{"depth bomb", strings.Repeat(`{"a":`, 1_000_000), "nested deeper than 64"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := Valid([]byte(tt.in), strict)
			if tt.wantErr == "" && err != nil {
				t.Fatalf("refused: %v", err)
			}
			if tt.wantErr != "" && (err == nil || !strings.Contains(err.Error(), tt.wantErr)) {
				t.Fatalf("error = %v, want one with %q", err, tt.wantErr)
			}
		})
	}
}

// A large object goes through the set; a duplicate must still be found at any distance, and forgotten after.
func TestLargeObjects(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&b, `,"name-%d":{"x":%d}`, i, i)
	}
	members := b.String()[1:]
	if err := Valid([]byte(`[{`+members+`},{`+members+`}]`), strict); err != nil {
		t.Fatalf("refused: %v", err)
	}
	if err := Valid([]byte(`{`+members+`,"name-7":1}`), strict); err == nil {
		t.Fatal("a duplicate among 10,000 names passed")
	}
	if err := Valid([]byte(`{`+members+`,"name-7":1}`), Options{}); err != nil {
		t.Fatalf("duplicates allowed, yet refused: %v", err)
	}
}

// counted is a Room that has so many bytes.
type counted struct{ most, used, peak int }

func (c *counted) Grow(n int) bool {
	if c.used+n > c.most {
		return false
	}
	c.used += n
	c.peak = max(c.peak, c.used)
	return true
}

// Memory for the names of a large object is asked for before the walk uses it, and given back afterwards.
func TestRoomForNames(t *testing.T) {
	t.Parallel()
	object := func(members int) string {
		var b strings.Builder
		for i := range members {
			fmt.Fprintf(&b, `,"%d":0`, i)
		}
		return "{" + b.String()[1:] + "}"
	}
	walk := func(most int, text string) (*counted, error) {
		room := &counted{most: most}
		return room, Valid([]byte(text), Options{Unique: true, Room: room})
	}
	if room, err := walk(0, `[`+strings.Repeat(object(100)+",", 1000)+`{"a":`+object(100)+`}]`); err != nil {
		t.Errorf("ordinary objects ask for %d bytes: %v", room.used, err)
	}
	const many = 100_000
	room, err := walk(1<<30, `[`+strings.Repeat(object(many)+",", 3)+`0]`)
	if err != nil || room.used != 0 {
		t.Errorf("%v; %d bytes were not given back", err, room.used)
	}
	if least := many * (16 + 16); room.peak < least || room.peak > 10*least { // a place in the list and two slots for each
		t.Errorf("it asked for %d bytes, which is not what it takes", room.peak)
	}
	if _, err := walk(room.peak-1, object(many)); !errors.Is(err, ErrNoRoom) {
		t.Errorf("without room: %v", err)
	}
}

func TestPull(t *testing.T) {
	t.Parallel()
	data := []byte(` {"mod\u0065l":"gpt","list":[1,[2],"x"],"empty":{},"n":-1.5} `)
	s := NewScanner(data, strict)
	var got []string
	for ok := s.EnterObject(); ok && s.NextMember(); {
		name := string(s.Name())
		switch name {
		case "list":
			for ok := s.EnterArray(); ok && s.NextElement(); {
				got = append(got, fmt.Sprintf("%c:%s", s.Kind(), s.Skip().Of(data)))
			}
		default:
			got = append(got, fmt.Sprintf("%s=%c:%s", name, s.Kind(), s.Skip().Of(data)))
		}
	}
	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	want := `model=":"gpt" 0:1 [:[2] ":"x" empty={:{} n=0:-1.5`
	if strings.Join(got, " ") != want {
		t.Fatalf("walked %s\nwant   %s", strings.Join(got, " "), want)
	}
}

func TestPullFindsDuplicates(t *testing.T) {
	t.Parallel()
	s := NewScanner([]byte(`{"a":{"x":1},"b":2,"a":3}`), strict)
	for ok := s.EnterObject(); ok && s.NextMember(); {
		s.Skip()
	}
	if err := s.End(); err == nil || !strings.Contains(err.Error(), "duplicate") {
		t.Fatalf("err = %v", err)
	}
}

func TestScanAllocatesNothing(t *testing.T) {
	body := []byte(`{"model":"m","messages":[{"role":"user","content":"hello \"world\""}],"stream":true}`)
	s := NewScanner(body, strict)
	if n := testing.AllocsPerRun(100, func() {
		s.Reset(body, strict)
		s.Skip()
		if s.End() != nil {
			t.Fatal("refused")
		}
	}); n != 0 {
		t.Fatalf("%v allocations per scan", n)
	}
}

func TestApplyAndCut(t *testing.T) {
	t.Parallel()
	src := []byte(`{ "a":1, "b":2 ,"c":3,"d":4 }`)
	s := NewScanner(src, strict)
	var members []Member
	for ok := s.EnterObject(); ok && s.NextMember(); {
		name := s.NameSpan()
		members = append(members, Member{name, s.Skip()})
	}
	for mask := range 16 {
		cut := func(i int) bool { return mask&(1<<i) != 0 }
		var edits []Edit
		want := map[string]int{}
		var cutter Cutter
		for i, m := range members {
			if cut(i) {
				edits = cutter.Cut(edits, m.Span())
			} else {
				edits = cutter.Keep(edits, m.Span())
				want[string(rune('a'+i))] = i + 1
			}
		}
		edits = cutter.End(edits)
		got := Apply(nil, src, edits)
		var decoded map[string]int
		if err := json.Unmarshal(got, &decoded); err != nil || fmt.Sprint(decoded) != fmt.Sprint(want) {
			t.Fatalf("cut %04b: %s (%v), want %v", mask, got, err, want)
		}
	}
}

// FuzzValid compares the verdict with the experimental standard parser, which is as strict. It also checks that
// encoding/json accepts what the scanner accepts, and that a splice keeps all other bytes.
func FuzzValid(f *testing.F) {
	for _, seed := range []string{
		`{"a":1,"b":[true,null]}`, `{"a":"\ud83d\ude00","a\u0000":"ü"}`, `{"a":1,"a":2}`, `[1e5,-0.1]`, "\"\xff\"", `{"x":{"y":{"z":[[]]}}}`, ` "\\" `,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		err := Valid(data, Options{Unique: true})
		want := referenceValid(data)
		if (err == nil) != (want == nil) {
			t.Fatalf("%q: got %v, the reference says %v", data, err, want)
		}
		if err == nil && !json.Valid(data) {
			t.Fatalf("%q: accepted, but encoding/json refuses it", data)
		}
		if err != nil {
			return
		}
		s := NewScanner(data, Options{Unique: true})
		if s.Kind() != '{' {
			return
		}
		var members []Member
		for ok := s.EnterObject(); ok && s.NextMember(); {
			name := s.NameSpan()
			members = append(members, Member{name, s.Skip()})
		}
		for i, m := range members {
			out := Apply(nil, data, []Edit{{Span: m.Value, New: `"spliced"`}})
			if !bytes.Equal(out[:m.Value.Start], data[:m.Value.Start]) || !bytes.Equal(out[m.Value.Start+9:], data[m.Value.End:]) {
				t.Fatalf("%q: splicing member %d changed other bytes: %q", data, i, out)
			}
			var cutter Cutter
			var cut []Edit
			for j, other := range members {
				if j == i {
					cut = cutter.Cut(cut, other.Span())
				} else {
					cut = cutter.Keep(cut, other.Span())
				}
			}
			if out := Apply(nil, data, cutter.End(cut)); !json.Valid(out) {
				t.Fatalf("%q: cutting member %d left %q", data, i, out)
			}
		}
	})
}

// referenceValid states the same rule with jsontext. That parser also refuses lone surrogate escapes, so it must
// accept bad UTF-8 here, and the raw bytes are checked separately.
func referenceValid(data []byte) error {
	if !utf8.Valid(data) {
		return fmt.Errorf("not UTF-8")
	}
	v := jsontext.Value(data)
	if !v.IsValid(jsontext.AllowInvalidUTF8(true)) {
		return fmt.Errorf("not JSON, or a duplicate name")
	}
	return nil
}

// The worst object for the search for duplicates: very many distinct short names.
func BenchmarkManyNames(b *testing.B) {
	var text strings.Builder
	text.WriteByte('{')
	for i := range 1_000_000 {
		fmt.Fprintf(&text, `"%x":0,`, i)
	}
	text.WriteString(`"last":0}`)
	body := []byte(text.String())
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if err := Valid(body, strict); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkValid(b *testing.B) {
	line := `func main() {\n\tfmt.Println(\"hello, world\")\n\treturn // a comment of some length\n}\n`
	for _, size := range []int{200, 8 << 10, 400 << 10} {
		body := []byte(`{"model":"m","messages":[{"role":"user","content":"` + strings.Repeat(line, size/len(line)+1) + `"}]}`)
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			s := NewScanner(nil, strict)
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				s.Reset(body, strict)
				s.Skip()
			}
		})
	}
}
