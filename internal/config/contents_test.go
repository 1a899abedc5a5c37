package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatACutFileLacks(t *testing.T) {
	t.Parallel()
	const whole = "providers:\n  a: {kind: sim}\n  b: {kind: sim}\nmodels:\n  m: {targets: [a/x]}\n  n: {targets: [b/x]}\nkeys:\n  - {name: k, digest: \"sha256:" +
		"abababababababababababababababababababababababababababababababab\"}\n"
	parse := func(text string) *Config {
		cfg, err := Loader{}.Parse("weir.yaml", []byte(text))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		return cfg
	}
	before := parse(whole).Contents()
	for kept, want := range map[int]string{ // lines that are kept, and what is missing then
		0: "providers models keys", 3: "models keys", 5: "keys", 6: "keys",
	} {
		text := strings.Join(strings.SplitAfter(whole, "\n")[:kept], "")
		cfg := parse(text)
		err := cfg.Replaces(before, false)
		for _, noun := range []string{"providers", "models", "keys"} {
			missing := err != nil && strings.Contains(err.Error(), "weir.yaml has no "+noun)
			if missing != strings.Contains(want, noun) {
				t.Errorf("%d lines: %v", kept, err)
			}
		}
		if err := cfg.Replaces(before, true); err != nil && strings.Contains(err.Error(), "no keys") {
			t.Errorf("%d lines, with stored keys: %v", kept, err)
		}
		if err := parse("empty: true\n"+text).Replaces(before, false); err != nil {
			t.Errorf("%d lines, meant: %v", kept, err)
		}
	}
	if err := parse(whole).Replaces(before, false); err != nil {
		t.Error(err)
	}
	if err := parse(whole).Replaces(parse("").Contents(), false); err != nil {
		t.Error(err)
	}
	got := before.Without(parse("providers: {b: {kind: sim}}\nmodels: {new: {targets: [b/x]}}\n").Contents())
	if diff := cmp.Diff(Contents{[]string{"a"}, []string{"m", "n"}, []string{}, []string{"k"}}, got); diff != "" || got.IsEmpty() || !before.Without(before).IsEmpty() {
		t.Error(diff)
	}
}

// An empty config that says so is not warned of.
func TestEmptyIsMeantIfTheFileSaysSo(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 1, "empty: true\n": 0, "empty: true\nproviders: {a: {kind: sim}}\n": 0} {
		if cfg, err := (Loader{}).Parse("weir.yaml", []byte(text)); err != nil || len(cfg.Warnings) != want {
			t.Errorf("%q: %v, %v", text, cfg.Warnings, err)
		}
	}
}
