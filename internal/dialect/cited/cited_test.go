package cited_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/dialect/cited"
	"github.com/weirproxy/weir/internal/llm"
)

// spellings are ways to spell characters in JSON, halves of pairs among them.
var spellings = []string{"a", "b c", `\n`, `\"`, `\\`, `\/`, "é", `\u00e9`, "漢", `\u6F22`, "😀", `\ud83d\ude00`, `\ud83d`, `\uDE00`, `\u0041`, "\u2028"}

// However a text is spelled and cut into pieces, it is as long as it is when it is read, and its bytes belong to the characters that
// they belong to.
func TestPlaces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOf(rapid.SliceOf(rapid.SampledFrom(spellings))).Draw(t, "pieces")
		var whole string
		var length cited.Length
		var places cited.Places
		for _, p := range pieces {
			piece := strings.Join(p, "")
			whole += piece
			length.Add(llm.JSON(`"` + piece + `"`))
			places.Add(llm.JSON(`"` + piece + `"`))
		}
		text := llm.JSON(`"` + whole + `"`).Text()
		if n := int64(utf8.RuneCountInString(text)); length.Characters != n || length.Bytes != int64(len(text)) {
			t.Fatalf("%d characters and %d bytes, not %d and %d", length.Characters, length.Bytes, n, len(text))
		}
		for at := 0; at <= len(text); at++ {
			want := int64(utf8.RuneCountInString(text[:at]))
			if at < len(text) && !utf8.RuneStart(text[at]) {
				want = int64(utf8.RuneCountInString(text[:start(text, at)]))
			}
			if n, ok := places.Character(int64(at)); !ok || n != want {
				t.Fatalf("byte %d is of character %d, %v, not %d", at, n, ok, want)
			}
		}
		for _, at := range []int64{-1, int64(len(text)) + 1} {
			if n, ok := places.Character(at); ok {
				t.Fatalf("byte %d is of character %d", at, n)
			}
		}
	})
}

// start is where the character begins that a byte belongs to.
func start(text string, at int) int {
	for !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// What is remembered of a text has an end: places behind it are not told, those before it are.
func TestPlacesHaveAnEnd(t *testing.T) {
	t.Parallel()
	var places cited.Places
	const pairs = 10_000
	for range pairs {
		places.Add(llm.JSON(`"aé"`))
	}
	for at, want := range map[int64]int64{0: 0, 1: 1, 3: 2, 24_573: 16_382, 24_576: 16_384} {
		if n, ok := places.Character(at); !ok || n != want {
			t.Errorf("byte %d is of character %d, %v, not %d", at, n, ok, want)
		}
	}
	if n, ok := places.Character(24_577); ok {
		t.Errorf("the place of character %d is told", n)
	}
}

// The citations of a block are told when it ends, as long as they are not too many.
func TestBlock(t *testing.T) {
	t.Parallel()
	var b cited.Block
	var told []llm.Citation
	tell := func(ev *llm.Event) { told = append(told, *ev.Citation) }
	b.Cite(0, llm.JSON(`"https://a"`), nil) // before it begins
	b.Begin(0)
	b.Say(llm.JSON(`"dé"`))
	b.Cite(1, llm.JSON(`"https://a"`), nil) // of another
	b.Cite(0, llm.JSON(`""`), nil)
	b.Cite(0, nil, llm.JSON(`"no address"`))
	b.End(0, tell)
	b.Begin(2)
	b.Cite(2, llm.JSON(`"https://a"`), nil) // of nothing
	b.End(2, tell)
	if len(told) > 0 {
		t.Fatalf("%+v", told)
	}
	b.Begin(3)
	b.Cite(3, llm.JSON(`"https://a"`), llm.JSON(`"A"`))
	b.Say(llm.JSON(`"jà"`))
	if n, ok := b.Open(&llm.Citation{Start: 2, End: 4}); n != 3 || !ok {
		t.Errorf("%d is open, %v", n, ok)
	}
	if _, ok := b.Open(&llm.Citation{Start: 0, End: 4}); ok {
		t.Error("what begins before the block is cited by it")
	}
	b.Cite(3, llm.JSON(`"https://`+strings.Repeat("b", 256<<10)+`"`), nil)
	b.End(3, tell)
	if c := told[0]; len(told) != 1 || c.Start != 2 || c.End != 4 || string(c.URL) != `"https://a"` || string(c.Title) != `"A"` {
		t.Errorf("%d citations: %+v", len(told), c)
	}
	if _, ok := b.Open(&llm.Citation{Start: 2, End: 4}); ok {
		t.Error("it is open still")
	}
}
