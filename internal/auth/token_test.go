package auth_test

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/weirproxy/weir/internal/auth"
)

func mint(t testing.TB, id string) (string, string) {
	t.Helper()
	id, key, err := auth.Mint(rand.Reader, id)
	if err != nil {
		t.Fatal(err)
	}
	return id, key.Reveal()
}

func TestMintedKeyHasTheDocumentedForm(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^sk-weir-[0-9a-zA-Z]{12}-[0-9a-zA-Z]{49}$`)
	seen := map[string]bool{}
	for range 500 {
		id, key := mint(t, "")
		parsed, ok := auth.ParseKey(key)
		if !form.MatchString(key) || !ok || parsed != id || key[8:20] != id {
			t.Fatalf("key %q, id %q, parsed %q %v", key, id, parsed, ok)
		}
		if seen[key] || seen[id] {
			t.Fatal("minted twice")
		}
		seen[key], seen[id] = true, true
	}
}

// A secret that begins with zero bits keeps its length.
func TestMintPadsSmallSecrets(t *testing.T) {
	t.Parallel()
	id, key, err := auth.Mint(bytes.NewReader(make([]byte, 44)), "")
	if err != nil {
		t.Fatal(err)
	}
	want := "sk-weir-000000000000-" + strings.Repeat("0", 43)
	if id != "000000000000" || !strings.HasPrefix(key.Reveal(), want) {
		t.Errorf("id %q, key %q", id, key.Reveal())
	}
	if _, ok := auth.ParseKey(key.Reveal()); !ok {
		t.Error("a minted key does not parse")
	}
}

// No character of an id is likelier than another: bytes beyond the last whole round of 62 are drawn again.
func TestMintDrawsIDsFairly(t *testing.T) {
	t.Parallel()
	drawn := append([]byte{248, 255, 0, 247, 61, 62}, make([]byte, 44)...)
	id, _, err := auth.Mint(bytes.NewReader(drawn), "")
	if err != nil || id != "0ZZ000000000" {
		t.Errorf("id %q, %v", id, err)
	}
}

func TestMintKeepsAGivenID(t *testing.T) {
	t.Parallel()
	id, first := mint(t, "")
	same, second := mint(t, id)
	if same != id || first == second || first[:20] != second[:20] {
		t.Errorf("%q and %q", first, second)
	}
	for _, bad := range []string{"short", "cfg-whatever", "thirteenchars", "twelve-chars"} {
		if _, _, err := auth.Mint(rand.Reader, bad); err == nil {
			t.Errorf("id %q was accepted", bad)
		}
	}
}

func TestMintFailsWithoutRandomBits(t *testing.T) {
	t.Parallel()
	broken := errors.New("no entropy")
	for _, id := range []string{"", "abcdefghijkl"} {
		if _, key, err := auth.Mint(iotest.ErrReader(broken), id); !errors.Is(err, broken) || !key.IsZero() {
			t.Errorf("id %q: %v", id, err)
		}
	}
}

// Secret scanners and the keys of one release depend on this: the form never changes.
func TestParseKeyPinned(t *testing.T) {
	t.Parallel()
	_, key, err := auth.Mint(bytes.NewReader([]byte("0123456789ab0123456789abcdef0123456789abcdef")), "")
	if err != nil {
		t.Fatal(err)
	}
	const pinned = "sk-weir-MNOPQRSTUVzA-bqwEeNKTnxFUbYh0YgSVgxehvKGtx4EkQg7J1S9LLU22TBD48"
	if key.Reveal() != pinned {
		t.Errorf("got  %s\nwant %s", key.Reveal(), pinned)
	}
}

func TestEverySingleCharacterChangeIsNoticed(t *testing.T) {
	t.Parallel()
	_, key := mint(t, "")
	for i := range len(key) {
		for c := range 256 {
			if byte(c) == key[i] {
				continue
			}
			changed := key[:i] + string([]byte{byte(c)}) + key[i+1:]
			if _, ok := auth.ParseKey(changed); ok {
				t.Fatalf("character %d changed to %#x: still a key", i, c)
			}
		}
	}
	for _, wrong := range []string{"", key[:69], key + "0", " " + key, key[1:], strings.ToUpper(key), "sk-weir-"} {
		if _, ok := auth.ParseKey(wrong); ok {
			t.Errorf("%q is taken for a key", wrong)
		}
	}
}

func FuzzParseKey(f *testing.F) {
	_, key := mint(f, "")
	for _, seed := range []string{"", "sk-", "sk-weir-", key, key[:60], key + key, strings.Repeat("\xff", 70), "sk-weir-" + strings.Repeat("é", 31)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, ok := auth.ParseKey(s)
		if !ok {
			return
		}
		if len(s) != 70 || s[8:20] != id {
			t.Fatalf("%q parsed as a key of %q", s, id)
		}
		for i := range len(s) {
			changed := s[:i] + string([]byte{s[i] ^ 1}) + s[i+1:]
			if _, ok := auth.ParseKey(changed); ok {
				t.Fatalf("both %q and %q are keys", s, changed)
			}
		}
	})
}

func TestDigestText(t *testing.T) {
	t.Parallel()
	d := auth.DigestOf("a key, with spaces")
	want := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("a key, with spaces")))
	if d.String() != want {
		t.Errorf("got %s, want %s", d, want)
	}
	back, err := auth.ParseDigest(want)
	if err != nil || back != d {
		t.Errorf("parsed %s: %v", back, err)
	}
	upper, err := auth.ParseDigest("sha256:" + strings.ToUpper(hex.EncodeToString(d[:])))
	if err != nil || upper != d {
		t.Errorf("parsed %s: %v", upper, err)
	}
	for _, bad := range []string{"", "sha256:", want[7:], want + "0", want[:70] + "g", "sha1:" + want[7:], "md5:" + want[7:]} {
		if _, err := auth.ParseDigest(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}
