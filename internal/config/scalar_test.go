package config

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestSize(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Size{
		"0": 0, "1": 1, "100B": 100, "512KB": 512_000, "64MiB": 64 << 20, "64 MiB": 64 << 20, "1GB": 1e9, "2GiB": 2 << 30, "1KiB": 1024,
	} {
		var got Size
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q = %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "-1", "1.5MB", "1mb", "1Mi", "MiB", "1MiBi", "1KKB", "99999999999GiB", "9223372036854775808", "1  KB", "0x10", "+1"} {
		var got Size
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is accepted as %d", text, got)
		}
	}
}

// TestScalarsReadWhatTheyWrite also holds for the words that errors and schema show.
func TestScalarsReadWhatTheyWrite(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		size, d := Size(rapid.Int64Min(0).Draw(t, "size")), Duration(rapid.Int64Min(0).Draw(t, "duration"))
		var digest Digest
		copy(digest[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "digest"))
		var size2 Size
		var d2 Duration
		var digest2 Digest
		for _, err := range []error{
			size2.UnmarshalText([]byte(size.String())), d2.UnmarshalText([]byte(d.String())), digest2.UnmarshalText([]byte(digest.String())),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if size != size2 || d != d2 || digest != digest2 {
			t.Fatal(size, size2, d, d2, digest, digest2)
		}
	})
}

func TestTime(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Time{
		"2027-01-31":                time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC),
		"2027-01-31T12:30:00Z":      time.Date(2027, 1, 31, 12, 30, 0, 0, time.UTC),
		"2027-01-31T12:30:00+02:00": time.Date(2027, 1, 31, 10, 30, 0, 0, time.UTC),
	} {
		if got, err := parseTime(text); err != nil || !got.Equal(want) {
			t.Errorf("%s = %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "2027-02-30", "2027-1-1", "31.1.2027", "2027-01-31 12:00:00", "90d"} {
		if got, err := parseTime(text); err == nil {
			t.Errorf("%q is accepted as %v", text, got)
		}
	}
}

func TestDigestErrorsDoNotShowTheKey(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"sk-weir-abc-def", "sha256:sk-weir-abc-def", "abc-def"} {
		var d Digest
		if err := d.UnmarshalText([]byte(text)); err == nil || strings.Contains(err.Error(), "abc-def") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestClosest(t *testing.T) {
	t.Parallel()
	known := []string{"listen", "limits", "targets", "api_key", "api_keys", "base_url", "a"}
	for name, want := range map[string]string{
		"lisen": "listen", "Listen": "listen", "limit": "limits", "tragets": "targets", "apikey": "api_key", "api_kyes": "api_keys",
		"baseurl": "base_url", "policy": "", "xyz": "", "": "", "b": "", strings.Repeat("x", 100): "",
	} {
		if got := closest(name, known); got != want {
			t.Errorf("closest(%q) = %q, want %q", name, got, want)
		}
	}
}
