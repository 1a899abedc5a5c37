package spend

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Letters that are spelled as escapes do not hide what a strict budget has to hold for.
func TestDisguised(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`{"messages":[{"content":[{"type":"\u0066ile","file":{"file_id":"f"}}]}]}`:       true,
		`{"messages":[{"content":[{"t\u0079pe":"input_\u0061udio","input_audio":{}}]}]}`: true,
		`{"messages":[{"content":[{"inline\u0044ata":{}}]}]}`:                            true,
		`{"messages":[{"content":[{"d\u006fcument":{"s\u006furce":{}}}]}]}`:              true,
		`{"t\u006fols":[{"t\u0079pe":"web_search"}]}`:                                    true,
		`{"messages":[{"content":"in code: \\u0066ile"}]}`:                               false,
		`{"messages":[{"content":"\u003ctag\u003e \u0026 \u00e9 \ud83d\ude00 \n \\"}]}`:  false,
		`{"messages":[{"content":"a text: \u0066ile"}]}`:                                 false,
		`{"messages":[{"content":"plain"}]}`:                                             false,
		`\`:                                                                              true,
	} {
		if opaque(body) != want {
			t.Errorf("%s: %v", body, !want)
		}
	}
}

// The time that a cache is to keep a part costs the same however it is spelled.
func TestADisguisedHour(t *testing.T) {
	t.Parallel()
	for ttl, want := range map[string]bool{"1h": true, `1\u0068`: true, `\u0031\u0068`: true, "5m": false, `5\u006d`: false, `\\u0031h`: false} {
		var p budget.Prompt
		read(fmt.Appendf(nil, `{"max_tokens":7,"system":[{"cache_control":{"type":"ephemeral","ttl":"%s"}}]}`, ttl), llm.Anthropic, &p, new(budget.Answer))
		if p.Hour != want {
			t.Errorf("%s: %v", ttl, !want)
		}
	}
}

// A number in a text bounds the hold only where all of it was read: an outline has the beginning of a long one.
func TestNumbersInTexts(t *testing.T) {
	t.Parallel()
	const any = math.MaxInt32
	zeros := strings.Repeat("0", 3000)
	for body, want := range map[string]budget.Answer{
		`{"max_tokens":"10"}`:                                                {Most: 10, N: 1},
		`{"max_tokens":"1\u0030","n":"\u0032"}`:                              {Most: 10, N: 2},
		`{"max_tokens":10,"max_completion_tokens":"\u0039\u0039"}`:           {Most: 99, N: 1},
		`{"max_tokens":10,"max_completion_tokens":"9_000"}`:                  {Most: 9000, N: 1},
		`{"max_completion_tokens":"many","max_tokens":10}`:                   {N: 1},
		`{"max_tokens":10,"n":"` + zeros + `4"}`:                             {Most: 10, N: any},
		`{"max_tokens":10,"n":"1.` + zeros + `e2"}`:                          {Most: 10, N: any},
		`{"max_tokens":"1.` + zeros + `e3"}`:                                 {N: 1},
		`{"max_tokens":10,"max_completion_tokens":"1.` + zeros + `e3"}`:      {N: 1},
		`{"max_tokens":10,"max_completion_tokens":0}`:                        {Most: 10, N: 1},
		`{"max_tokens":10,"max_completion_tokens":null,"x":"` + zeros + `"}`: {Most: 10, N: 1},
	} {
		var texts jsonwalk.Texts
		if err := jsonwalk.Valid([]byte(body), jsonwalk.Options{Note: &texts}); err != nil {
			t.Fatal(err)
		}
		var got budget.Answer
		read(texts.AppendOutline(nil, []byte(body), 0), llm.OpenAI, new(budget.Prompt), &got)
		if got != want {
			t.Errorf("%.60s: %+v, want %+v", body, got, want)
		}
	}
}
