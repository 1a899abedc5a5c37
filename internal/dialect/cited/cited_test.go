package cited_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/dialect/cited"
	"github.com/weirproxy/weir/internal/llm"
)

// spellings are ways to spell characters in JSON, halves of pairs among them.
var spellings = []string{"a", "b c", `\n`, `\"`, `\\`, `\/`, "é", `\u00e9`, "漢", `\u6F22`, "😀", `\ud83d\ude00`, `\ud83d`, `\uDE00`, `\u0041`, "\u2028"}

// However a text is spelled and cut into pieces, its length is that of the decoded text, and its bytes belong to the right
// characters.
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

// Only the beginning of a text is remembered: later places are not reported, earlier ones are.
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

// The citations of a block are sent when it ends, up to a number. Those in a block without a text are about the text before it.
func TestBlock(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		hear func(b *cited.Block, tell func(*llm.Event))
		want []string
	}{
		"before and behind the text": {
			func(b *cited.Block, tell func(*llm.Event)) {
				b.Cite(1, llm.JSON(`"a"`), llm.JSON(`"A"`))
				b.Begin(1)
				b.Cite(1, llm.JSON(`"b"`), nil)
				b.Say(llm.JSON(`"jà"`))
				b.Cite(1, llm.JSON(`"c"`), nil)
				b.End(1, tell)
			},
			[]string{`2-4 "a" "A"`, `2-4 "b" `, `2-4 "c" `},
		},
		"in blocks of their own": {
			func(b *cited.Block, tell func(*llm.Event)) {
				b.Begin(1)
				b.Say(llm.JSON(`"jà"`))
				b.End(1, tell)
				b.Cite(2, llm.JSON(`"a"`), nil)
				b.End(2, tell)
				b.Cite(3, llm.JSON(`"b"`), nil)
				b.End(3, tell)
			},
			[]string{`2-4 "a" `, `2-4 "b" `},
		},
		"of nothing": {
			func(b *cited.Block, tell func(*llm.Event)) {
				b.Begin(1)
				b.Cite(1, llm.JSON(`"a"`), nil)
				b.End(1, tell)
			},
			nil,
		},
		"without an address": {
			func(b *cited.Block, tell func(*llm.Event)) {
				b.Begin(1)
				b.Say(llm.JSON(`"jà"`))
				b.Cite(1, llm.JSON(`""`), nil)
				b.Cite(1, nil, llm.JSON(`"A"`))
				b.End(1, tell)
			},
			nil,
		},
		"of a block that never ends": {
			func(b *cited.Block, tell func(*llm.Event)) {
				b.Cite(1, llm.JSON(`"a"`), nil)
				b.Begin(2)
				b.Say(llm.JSON(`"jà"`))
				b.End(2, tell)
			},
			nil,
		},
		"too long": {
			func(b *cited.Block, tell func(*llm.Event)) {
				b.Begin(1)
				b.Say(llm.JSON(`"jà"`))
				b.Cite(1, llm.JSON(`"`+strings.Repeat("b", 256<<10)+`"`), nil)
				b.Cite(1, llm.JSON(`"a"`), nil)
				b.End(1, tell)
			},
			[]string{`2-4 "a" `},
		},
	} {
		var b cited.Block
		b.Begin(0)
		b.Say(llm.JSON(`"dé"`))
		b.End(0, nil)
		var told []string
		tt.hear(&b, func(ev *llm.Event) {
			if c := ev.Citation; b.Is(c) {
				told = append(told, fmt.Sprintf("%d-%d %s %s", c.Start, c.End, c.URL, c.Title))
			}
		})
		if diff := cmp.Diff(tt.want, told); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What a block can make us remember has an end.
func TestBlocksHaveAnEnd(t *testing.T) {
	t.Parallel()
	var b cited.Block
	b.Begin(0)
	b.Say(llm.JSON(`"a"`))
	for range 2000 {
		b.Cite(0, llm.JSON(`"b"`), nil)
	}
	told := 0
	b.End(0, func(*llm.Event) { told++ })
	if told != 1000 {
		t.Errorf("%d citations", told)
	}
}

// A writer has to know whether a citation is about the whole of the block that is open.
func TestIs(t *testing.T) {
	t.Parallel()
	var b cited.Block
	if _, ok := b.Open(); ok {
		t.Error("a block is open that has not begun")
	}
	b.Begin(3)
	b.Say(llm.JSON(`"ab"`))
	if n, ok := b.Open(); n != 3 || !ok {
		t.Errorf("block %d is open, %v", n, ok)
	}
	for place, want := range map[[2]int64]bool{{0, 2}: true, {0, 1}: false, {1, 2}: false, {0, 3}: false, {0, 0}: false} {
		if b.Is(&llm.Citation{Start: place[0], End: place[1]}) != want {
			t.Errorf("%v is all of it: %v", place, !want)
		}
	}
	b.End(3, nil)
	if _, ok := b.Open(); ok {
		t.Error("a block is open that has ended")
	}
}
