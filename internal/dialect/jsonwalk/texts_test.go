package jsonwalk

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// noted walks over a text that is JSON, and returns the long strings that it has.
func noted(t interface{ Fatal(...any) }, body string) (texts Texts) {
	if err := Valid([]byte(body), Options{Note: &texts}); err != nil {
		t.Fatal(err)
	}
	return texts
}

// countsOf are the counts of a string, byte by byte.
func countsOf(text string) (c Counts) {
	for i := 0; i < len(text); {
		if n := escapeLength([]byte(text[i:])); text[i] == '\\' {
			c.Escapes++
			c.Coded += n / len(`\u0000`)
			i += n
			continue
		}
		_, n := utf8.DecodeRuneInString(text[i:])
		c.Wide += n / 3 % 2 * (4 - n)
		i += n
	}
	return c
}

// bodies draws a JSON text with strings of any length, and their parts of any kind.
func bodies(t *rapid.T) string {
	piece := rapid.SampledFrom([]string{"a", "word ", strings.Repeat("x", 61), "é", "日", "😀", `\n`, `\\`, `\"`, `\u65e5`, `\ud83d\ude00`})
	var b strings.Builder
	b.WriteString(`{"first":1`)
	for range rapid.IntRange(0, 4).Draw(t, "strings") {
		text := strings.Join(rapid.SliceOfN(piece, 1, 70).Draw(t, "pieces"), "")
		b.WriteString(` , "content" :["` + strings.Repeat(text, rapid.IntRange(1, 60).Draw(t, "times")) + `",{"type":"text"}]`)
	}
	b.WriteString("}")
	return b.String()
}

// A walk notes the long strings among the values, and what is in them; names are not noted.
func TestTexts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		body := bodies(t)
		texts := noted(t, body)
		last := 0
		for _, long := range texts {
			text := long.Of([]byte(body))
			if long.Start < last || len(text) < longText || !json.Valid(text) || text[0] != '"' {
				t.Fatalf("%v in %s", long, body)
			}
			if got, want := long.Counts, countsOf(string(text)); got != want {
				t.Fatalf("%s: %+v, want %+v", text, got, want)
			}
			if found, ok := texts.Starts(long.Start); !ok || found != long {
				t.Fatalf("%v is not found", long)
			}
			last = long.End
		}
		if _, ok := texts.Starts(1); ok {
			t.Fatal("no string starts there")
		}
	})
	if name := `{"` + strings.Repeat("n", 2*longText) + `":1}`; len(noted(t, name)) > 0 {
		t.Error("a name was noted")
	}
	for _, invalid := range []string{`"` + strings.Repeat("x", longText), `"` + strings.Repeat("x", longText) + `\x"`, `"` + strings.Repeat("x", longText) + "\xff\""} {
		var texts Texts
		if Valid([]byte(invalid), Options{Note: &texts}) == nil || len(texts) > 0 {
			t.Errorf("%q", invalid)
		}
	}
}

// A walk that knows the long strings finds what one finds that does not, wherever in the text it begins.
func TestKnownTextsArePassedOver(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		body := []byte(bodies(t))
		texts := noted(t, string(body))
		s, known := NewScanner(body, Options{}), NewScanner(body, Options{Known: texts})
		for ok := s.EnterObject() && known.EnterObject(); ok && s.NextMember(); {
			if !known.NextMember() || string(known.Name()) != string(s.Name()) {
				t.Fatalf("%q in place of %q", known.Name(), s.Name())
			}
			at, same := s.Skip(), known.Skip()
			if at != same {
				t.Fatalf("%v in place of %v", same, at)
			}
			part := NewScanner(at.Of(body), Options{Known: texts, At: at.Start})
			if got := part.Skip(); got.Len() != at.Len() || part.End() != nil {
				t.Fatalf("a part alone: %v in place of %v", got, at)
			}
		}
		if known.NextMember() || known.End() != nil {
			t.Fatal(known.Err())
		}
	})
	// It is not looked into again.
	long := `"` + strings.Repeat("x", longText) + `"`
	texts := noted(t, long)
	broken := []byte(strings.Replace(long, "xx", "x\n", 1))
	if Valid(broken, Options{Known: texts}) != nil || Valid(broken, Options{}) == nil {
		t.Error("a known string was read")
	}
}

// An outline is JSON, has everything short as it was, and of each long string the beginning. Pieces that cut a string in two keep it.
func TestOutlines(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		body := bodies(t)
		texts := noted(t, body)
		outline := string(texts.AppendOutline(nil, []byte(body), 0))
		if !json.Valid([]byte(outline)) {
			t.Fatalf("%s became %s", body, outline)
		}
		if most := len(body) - texts.Omitted([]byte(body), 0); len(outline) > most {
			t.Fatalf("%d bytes, and at most %d were told", len(outline), most)
		}
		want := body
		for i := len(texts) - 1; i >= 0; i-- {
			text := texts[i].Of([]byte(body))
			want = want[:texts[i].Start] + string(text[:beginning(text)]) + want[texts[i].End-1:]
			if n := beginning(text); n > outlined || n < outlined-len(`\ud83d`) {
				t.Fatalf("%d bytes of %s", n, text)
			}
		}
		if outline != want {
			t.Fatalf("%s became %s", body, outline)
		}
		at := rapid.IntRange(0, len(body)).Draw(t, "at")
		halves := append(texts.AppendOutline(nil, []byte(body[:at]), 0), texts.AppendOutline(nil, []byte(body[at:]), at)...)
		if !json.Valid(halves) {
			t.Fatalf("%s became %s", body, halves)
		}
	})
}
