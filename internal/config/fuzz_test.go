package config

import (
	"errors"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// planted is in the environment and in every file that a fuzzed config names; no error may show it.
const planted = "pl4nted-s3cret"

func fuzzLoader() Loader {
	return Loader{
		Kinds: testKinds(),
		Env: func(name string) (string, bool) {
			switch {
			case strings.HasPrefix(name, "UNSET"):
				return "", false
			case name == "TEN":
				return "10", true
			}
			return planted, true
		},
		ReadFile: func(path string) ([]byte, error) {
			if strings.Contains(path, "none") {
				return nil, fs.ErrNotExist
			}
			return []byte(planted), nil
		},
	}
}

// FuzzLoad: no input panics. Every error has a place inside the file and shows no secret. An accepted config is
// accepted again, unchanged, and keeps what the rest of the program relies on.
func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"testdata/bad/*.yaml", "testdata/good/*.yaml", "testdata/starter-*.yaml"} {
		for _, path := range files(f, pattern) {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		loader := fuzzLoader()
		cfg, err := loader.Parse("/etc/weir/weir.yaml", data)
		if err != nil {
			checkErrors(t, data, err)
			return
		}
		again, err := loader.Parse("/etc/weir/weir.yaml", data)
		if err != nil || !reflect.DeepEqual(cfg, again) {
			t.Fatalf("the second reading differs: %v", err)
		}
		if err := cfg.Override(Overrides{Data: "/elsewhere"}); err != nil {
			t.Fatalf("an accepted config cannot be overridden: %v", err)
		}
		checkInvariants(t, cfg)
	})
}

func checkErrors(t *testing.T, data []byte, err error) {
	t.Helper()
	var list Errors
	if !errors.As(err, &list) || len(list) == 0 {
		t.Fatalf("%T: %v", err, err)
	}
	lines := strings.Split(lineBreaks.Replace(string(data)), "\n")
	for _, e := range list {
		if e.Line < 1 || e.Line > len(lines) || e.Column < 1 || e.Column > utf8.RuneCountInString(lines[e.Line-1])+1 {
			t.Errorf("%d:%d is not in the file: %s", e.Line, e.Column, e.Message)
		}
		if strings.Contains(e.Message, planted) && !strings.Contains(string(data), planted) {
			t.Errorf("shows a secret: %s", e.Message)
		}
		if strings.ContainsAny(e.Message, "\n\r\x1b\x00") {
			t.Errorf("not one printable line: %q", e.Message)
		}
	}
}

func checkInvariants(t *testing.T, cfg *Config) {
	t.Helper()
	var providers []string
	for _, p := range cfg.Providers {
		providers = append(providers, p.Name)
		if p.Kind == "" || strings.HasSuffix(p.BaseURL, "/") {
			t.Errorf("provider %+v", p)
		}
	}
	for _, m := range cfg.Models {
		if len(m.Targets) == 0 || m.Retries.MaxAttempts < 1 || m.Timeouts.Total <= 0 || strings.Count(m.Name, "*") > 1 {
			t.Errorf("model %+v", m)
		}
		for _, target := range m.Targets {
			if !slices.Contains(providers, target.Provider) || target.Model == "" ||
				strings.HasSuffix(target.Model, "*") && !strings.HasSuffix(m.Name, "*") {
				t.Errorf("model %s: target %+v", m.Name, target)
			}
		}
	}
	for _, k := range cfg.Keys {
		if k.Name == "" || k.Digest == (Digest{}) && !strings.Contains(k.Digest.String(), "00") {
			t.Errorf("key %+v", k)
		}
	}
}
