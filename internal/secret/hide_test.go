package secret_test

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/weirproxy/weir/internal/secret"
)

const (
	aKey   = "sk-weir-0aB9zZ12cdEF-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0KLMNO"
	aToken = "weir-admin-0123456789abcdefghijklmnopqrstuvwxyzABC-_FG"
)

// Texts with the form of a key or a token are hidden everywhere, even mistyped or cut. The id of a key alone is not hidden.
func TestHide(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		aKey: "[hidden]", aToken: "[hidden]", "/v1/models/" + aKey: "/v1/models/[hidden]", `{"a":"` + aKey + `","b":"` + aToken + `"}`: `{"a":"[hidden]","b":"[hidden]"}`,
		"x" + aKey + "." + aKey + " ": "x[hidden].[hidden] ", aKey + aToken: "[hidden]", aKey[:50] + "…": "[hidden]…", "sk-weir-" + aKey: "[hidden]",
		"sk-weir-0aB9zZ12cdEF": "sk-weir-0aB9zZ12cdEF", "http://weir-admin-internal.example.com:8931": "http://weir-admin-internal.example.com:8931",
		"": "", "weir-": "weir-", "sk-weir-": "sk-weir-", "weir-admin-": "weir-admin-", "wweir-weir-": "wweir-weir-", "plain": "plain",
	} {
		if got := secret.Hide(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		if got := string(secret.Hide([]byte(text))); got != want {
			t.Errorf("%s as bytes: %s, want %s", text, got, want)
		}
	}
}

// What Weir mints is known by its form as a whole, and nothing else is.
func TestMinted(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{aKey: true, aToken: true, "x" + aKey: false, aKey + " ": false, "operators-own-token": false, "my-weir-token": false, "": false} {
		if secret.Minted(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
	if got := secret.HideOne("a own-secret, own-secret", "own-secret") + secret.HideOne(" null", "null"); got != "a [hidden], [hidden] null" {
		t.Error(got)
	}
}

// What Mask hides of a credential: itself, its end, and both in base64 and hex.
func TestMask(t *testing.T) {
	t.Parallel()
	const credential = "cred/Zq8+Xw3Lk5Tn7"
	m := secret.NewMask([]string{credential, "sk-no-key-required", "short", "periodic"}, []string{"upstream.example:8443", "x"})
	for text, want := range map[string]string{
		"a " + credential + " b": "a [hidden] b", "key ***Xw3Lk5Tn7": "key ***[hidden]", "…3Lk5Tn7": "…3Lk5Tn7", "ending in 8+Xw3Lk5Tn7.": "ending in [hidden].",
		credential + credential: "[hidden][hidden]", `cred\/Zq8+Xw3Lk5Tn7`: "[hidden]", "cred%2FZq8%2BXw3Lk5Tn7": "[hidden]",
		hex.EncodeToString([]byte(credential)): "[hidden]", "0x" + strings.ToUpper(hex.EncodeToString([]byte(credential))): "0x[hidden]",
		"the model is required": "the model is required", "Bearer sk-no-key-required": "Bearer [hidden]", "Bearer ****equired": "Bearer ****equired", "key-required": "[hidden]",
		"is short": "is short", "https://upstream.example:8443/v1": "https://[hidden]/v1", "other.example:8443": "other.example:8443",
		"": "", "x": "x", "Lk5Tn7": "Lk5Tn7",
	} {
		if got := secret.HideKnown(m, text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		for _, around := range [][2]string{{"", ""}, {"user:", ""}, {"Bearer ", "\n"}, {"ab", "cd"}} {
			text := encoding.EncodeToString([]byte(around[0] + credential + around[1]))
			got := secret.HideKnown(m, text)
			left := strings.ReplaceAll(got, "[hidden]", "")
			if !strings.Contains(got, "[hidden]") || len(left) > len(encoding.EncodeToString([]byte(around[0]+around[1])))+8 {
				t.Errorf("%q in base64 becomes %s", around, got)
			}
		}
	}
	if got := secret.HideKnown(nil, credential); got != credential {
		t.Errorf("without a mask it becomes %s", got)
	}
}

// Texts without secrets cost no memory: every request has some looked at.
func TestHidingNothingAllocatesNothing(t *testing.T) {
	m := secret.NewMask([]string{"cred/Zq8+Xw3Lk5Tn7"}, nil)
	if n := testing.AllocsPerRun(100, func() {
		secret.Hide("/v1/chat/completions of a weir-like path")
		secret.HideKnown(m, "req_0123456789abcdefghijklmnopqrstuvwxyz")
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// No text keeps eight bytes of a credential's end, wherever they came from, and what is between secrets stays.
func TestMaskLeavesNoEnd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]string{"a1", "ab1"}).Draw(t, "letters")
		credential := rapid.StringMatching(`[`+letters+`]{8,14}`).Draw(t, "credential")
		text := rapid.StringMatching(`[`+letters+`]{0,40}`).Draw(t, "text")
		got := secret.HideKnown(secret.NewMask([]string{credential}, nil), text)
		for _, piece := range strings.Split(got, "[hidden]") {
			if strings.Contains(piece, credential[len(credential)-8:]) {
				t.Fatalf("%q of %q keeps the end of %q", got, text, credential)
			}
		}
		if !strings.Contains(text, credential[len(credential)-8:]) && got != text {
			t.Fatalf("%q becomes %q, but holds nothing of %q", text, got, credential)
		}
	})
}

// Secrets that overlap are hidden together, as a key of one repeated character is in a longer row of it.
func TestSecretsThatOverlap(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		credentials []string
		text, want  string
	}{
		{[]string{"xxxxxxxx"}, "your key is xxxxxxxxx", "your key is [hidden]"},
		{[]string{"xxxxxxxx"}, strings.Repeat("x", 1000) + " is no key", "[hidden] is no key"},
		{[]string{"abababab1"}, "abababab1ababab1bababab1", "[hidden]ababab1[hidden]"},
		{[]string{"first-key-1", "key-1-second"}, "first-key-1-second", "[hidden]"},
		{[]string{"12345678", "34567890"}, "1234567890.", "[hidden]."},
		{[]string{"12345678", "34567890"}, "1234567890 and 12345678", "[hidden] and [hidden]"},
	} {
		if got := secret.HideKnown(secret.NewMask(tt.credentials, nil), tt.text); got != tt.want {
			t.Errorf("%q in %q becomes %q, want %q", tt.credentials, tt.text, got, tt.want)
		}
	}
}

// A mask reads a long text once, even if all of it looks like the end of a secret.
func BenchmarkMask(b *testing.B) {
	credentials := make([]string, 20)
	for i := range credentials {
		credentials[i] = strings.Repeat("ab", 20) + string(rune('a'+i))
	}
	m := secret.NewMask(credentials, nil)
	text := []byte(strings.Repeat("ab", 1<<19))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		secret.HideKnown(m, text)
	}
}
