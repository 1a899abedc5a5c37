package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/llm"
)

// unwrapped is the text of arguments that come in pieces, each cut before one of the places.
func unwrapped(t interface{ Fatalf(string, ...any) }, args string, cuts map[int]bool) string {
	var f freeform
	var text strings.Builder
	take := func(inner []byte) {
		var piece string
		if err := json.Unmarshal(append(append([]byte{'"'}, inner...), '"'), &piece); err != nil {
			t.Fatalf("%s: the piece %q is no text: %v", args, inner, err)
		}
		text.WriteString(piece)
	}
	from := 0
	for at := range len(args) + 1 {
		if at == len(args) || cuts[at] {
			take(f.unwrap(nil, llm.Quote(args[from:at])))
			from = at
		}
	}
	take(f.rest(nil))
	return text.String()
}

// A custom tool gets the text in the arguments of its function, wherever these are cut.
func TestFreeform(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		`{"input":"a\n\"b\" \u00e9\ud83d\ude00"}`:      "a\n\"b\" é😀",
		` { "input" : "x" , "y" : "z" } `:              "x",
		`{"y":{"input":["}",1]},"z":[{}],"input":"x"}`: "x",
		`{"y":"\"input\":\"y\"","input":"x"}`:          "x",
		`{"input":""}`:                                 "",
		`{}`:                                           "",
		``:                                             "",
		"{\"input\":\"a\nb\tc\"}":                      "a\nb\tc",
		`{"input":"\d+\u12 \"}`:                        `\d+\u12 "}`,
		`{"input":"a\ud83d"}`:                          "a\uFFFD",
		`{"input":"\ud83dx\ud83d\n\ud83d\u1x"}`:        "\uFFFDx\uFFFD\n\uFFFD" + `\u1x`,
		`{"input":"cut sh`:                             "cut sh",
		`{"input":"half \ud83d`:                        "half \uFFFD",
		`{"text":"x"}`:                                 `{"text":"x"}`,
		`{"input":{"a":1}}`:                            `{"input":{"a":1}}`,
		`["input","x"]`:                                `["input","x"]`,
		`no object`:                                    `no object`,
	} {
		for at := range len(args) + 1 {
			if got := unwrapped(t, args, map[int]bool{at: true}); got != want {
				t.Fatalf("%s cut at %d is %q, not %q", args, at, got, want)
			}
		}
	}
}

func TestFreeformAtAnySplit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.String().Draw(t, "text")
		args, err := json.Marshal(map[string]string{"input": want, "another": rapid.String().Draw(t, "another")})
		if err != nil {
			t.Fatalf("%v", err)
		}
		cuts := map[int]bool{}
		for _, at := range rapid.SliceOf(rapid.IntRange(0, len(args))).Draw(t, "cuts") {
			if at < len(args) && args[at]&0xC0 != 0x80 { // pieces are whole characters
				cuts[at] = true
			}
		}
		if got := unwrapped(t, string(args), cuts); got != want {
			t.Fatalf("%s is %q, not %q", args, got, want)
		}
	})
}

// Some servers cut texts between the halves of a character, which only together are one.
func TestFreeformInHalves(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pieces []string // as they are spelled
		want   string
	}{
		{[]string{`{\"input\":\"a\ud83d`, `\ude00b\"}`}, "a😀b"},
		{[]string{`{\"input\":\"\ud83d`, `\ude00\uD83D`, ``, `\uDE00\"}`}, "😀😀"},
		{[]string{`{\"input\":\"\\\\ud83d`, `\"}`}, `\ud83d`},
		{[]string{`{\"input\":\"\\ud83d`, `\\ude00\"}`}, "😀"},
		{[]string{`{\"input\":\"a\ud83d`, `b\"}`}, "a\uFFFDb"},
		{[]string{`{\"input\":\"a\ud83d`}, "a\uFFFD"},
		{[]string{`no object\ud83d`, `\ude00`}, "no object😀"},
	} {
		var f freeform
		said := []byte{'"'}
		for _, piece := range tt.pieces {
			said = f.unwrap(said, llm.JSON(`"`+piece+`"`))
		}
		var got string
		if err := json.Unmarshal(append(f.rest(said), '"'), &got); err != nil || got != tt.want {
			t.Errorf("%q is %q, not %q (%v)", tt.pieces, got, tt.want, err)
		}
	}
}

// The one member of a custom tool's input is found by its name, whatever other members there are, even with names of the
// same length.
func TestInputAmongOthers(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		`{"input":"x"}`: "x",
		`{"inpu":"no","inputs":"no","input":"x"}`: "x",
		`{"tupni":"no","input":"x"}`:              "x",
		`{"a":{"input":"no"},"input":"x"}`:        "x",
		`{"a":["input"],"input":"x","b":"no"}`:    "x",
		`{"a\"":"input","input":"x"}`:             "x",
		`{ "input" : "x" }`:                       "x",
	} {
		for cut := range len(args) {
			if got := unwrapped(t, args, map[int]bool{cut: true}); got != want {
				t.Errorf("%s, cut at %d: %q", args, cut, got)
			}
		}
	}
}
