package refusal

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// masked is the law of what Mask hides.
var masked = regexp.MustCompile(`(^|\W|\\[bfnrt]|\\u[0-9A-Fa-f]{4})(org-[A-Za-z0-9_-]{4,}|proj_[A-Za-z0-9_-]{4,}|(?:sk|gsk|xai|pplx|nvapi|hf|fw|csk)[-_][A-Za-z0-9*_.-]{6,}|AIza[A-Za-z0-9*_-]{6,}|key[-_][A-Za-z_.-]*[0-9*][A-Za-z0-9*_.-]{4,})`)

func maskedByLaw(text []byte) string { return string(masked.ReplaceAll(text, []byte("${1}[hidden]"))) }

func TestMaskKeepsItsLaw(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{
		"org-", "proj_", "sk-", "gsk_", "xai-", "pplx-", "nvapi-", "hf_", "fw_", "csk-", "AIza", "key_", "key-", "keys", "a", "ab12", "*", "**", ".", "-", "_", "7", " ", "\"",
		`\`, `\n`, `\u00e4`, `\u00g4`, "u00e4", "ä", "\xff", "abcd", "abcdefgh",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), ""))
		if got, want := string(Mask(text)), maskedByLaw(text); got != want {
			t.Fatalf("%q becomes %q, not %q", text, got, want)
		}
	})
}

func FuzzMask(f *testing.F) {
	f.Add([]byte(`{"error":{"message":"key sk-proj-abc***def of org-1234abcd\nkey_live_4242abcd"}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if got, want := string(Mask(text)), maskedByLaw(text); got != want {
			t.Fatalf("%q becomes %q, not %q", text, got, want)
		}
	})
}

// What is hidden, by examples; the law above draws its texts at random.
func TestMaskExamples(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`org-1234`:                     `[hidden]`,
		`org-123`:                      `org-123`,
		`morg-1234`:                    `morg-1234`,
		`\norg-1234`:                   `\n[hidden]`,
		`\u00e4org-1234`:               `\u00e4[hidden]`,
		`\u00g4org-1234`:               `\u00g4org-1234`,
		`\xorg-1234`:                   `\xorg-1234`,
		`a proj_abcd, b`:               `a [hidden], b`,
		`sk-abcdef.`:                   `[hidden]`,
		`sk-abcde`:                     `sk-abcde`,
		`key_live_4242abcd and key_is`: `[hidden] and key_is`,
		`key-4abc`:                     `key-4abc`,
		`keys`:                         `keys`,
		``:                             ``,
	} {
		if got := string(Mask([]byte(text))); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}

func TestMask(t *testing.T) {
	t.Parallel()
	in := `Rate limit for org-AbC123xyz in proj_9f8e7d, key sk-proj-abc***WXYZ; task-force stays.`
	want := `Rate limit for [hidden] in [hidden], key [hidden]; task-force stays.`
	if got := string(Mask([]byte(in))); got != want {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
	for in, want := range map[string]string{
		`"a\norg-AbC123\tproj_9f8e7d"`: `"a\n[hidden]\t[hidden]"`,
		`"\u003csk-proj-abcdef\u003e"`: `"\u003c[hidden]\u003e"`,
		`org-AbC123 org-AbC124`:        `[hidden] [hidden]`,
		`'key_phrases'`:                `'key_phrases'`,
		`key-12345678`:                 `[hidden]`,
	} {
		if got := string(Mask([]byte(in))); got != want {
			t.Errorf("%s became %s", in, got)
		}
	}
}
