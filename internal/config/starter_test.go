package config

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// offer is what a config offers: its providers and each model with its targets.
func offer(c *Config) (providers, models []string) {
	for _, p := range c.Providers {
		providers = append(providers, p.Name+" "+p.Kind)
	}
	for _, m := range c.Models {
		line := m.Name + ":"
		for _, t := range m.Targets {
			line += " " + t.Provider + "/" + t.Model
		}
		models = append(models, line)
	}
	return providers, models
}

func TestDefault(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name              string
		env               []string
		found             []string
		providers, models []string
	}{
		{"nothing", nil, nil, []string{"sim sim"}, []string{"sim/chat: sim/chat", "sim/embed: sim/embed"}},
		{
			"keys, in the table's order",
			[]string{"GROQ_API_KEY", "g", "OPENAI_API_KEY", "o"},
			nil,
			[]string{"openai openai", "groq groq"},
			[]string{"openai/*: openai/*", "groq/*: groq/*"},
		},
		{"an empty key is none", []string{"OPENAI_API_KEY", ""}, nil, []string{"sim sim"}, []string{"sim/chat: sim/chat", "sim/embed: sim/embed"}},
		{"white space is no key", []string{"OPENAI_API_KEY", " \t\n"}, nil, []string{"sim sim"}, []string{"sim/chat: sim/chat", "sim/embed: sim/embed"}},
		{"a general token is no offer", []string{"HF_TOKEN", "x"}, nil, []string{"sim sim"}, []string{"sim/chat: sim/chat", "sim/embed: sim/embed"}},
		{
			"an address needs no key",
			[]string{"OPENAI_BASE_URL", "http://127.0.0.1:9/v1"},
			nil,
			[]string{"openai openai"},
			[]string{"openai/*: openai/*"},
		},
		{"a local server", nil, []string{"ollama"}, []string{"ollama ollama"}, []string{"ollama/*: ollama/*"}},
	} {
		cfg, err := Loader{Kinds: testKinds(), Env: environment(c.env...)}.Default(c.found...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		providers, models := offer(cfg)
		if diff := cmp.Diff([][]string{c.providers, c.models}, [][]string{providers, models}); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if cfg.Path != "" || len(cfg.Files) != 0 {
			t.Errorf("%s: path %q, files %q", c.name, cfg.Path, cfg.Files)
		}
	}
}

func TestDefaultWithAnUnusableKey(t *testing.T) {
	t.Parallel()
	_, err := Loader{Kinds: testKinds(), Env: environment("GROQ_API_KEY", "secret\nvalue")}.Default()
	var list Errors
	want := `provider "groq": api_key holds a line break or another control character: check where it comes from`
	if !errors.As(err, &list) || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

// TestStarter: the file is accepted as written and offers what Default does. With all its comments switched on it
// is accepted too.
func TestStarter(t *testing.T) {
	t.Parallel()
	for name, env := range map[string][]string{
		"none": nil, "address": {"OPENAI_BASE_URL", "http://127.0.0.1:9/v1"}, "some": {"OPENAI_API_KEY", "sk-secret", "HF_TOKEN", "hf-secret"},
	} {
		loader := Loader{Kinds: testKinds(), Env: environment(env...)}
		text := string(loader.Starter("./weir.schema.json"))
		golden(t, "testdata/starter-"+name+".yaml", text)
		if !strings.HasPrefix(text, "# yaml-language-server: $schema=./weir.schema.json\n") || strings.Contains(text, "secret") {
			t.Errorf("%s: %s", name, text)
		}
		cfg, err := loader.Parse("weir.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		byDefault, err := loader.Default()
		if err != nil {
			t.Fatal(err)
		}
		p, m := offer(cfg)
		wantP, wantM := offer(byDefault)
		if diff := cmp.Diff([][]string{wantP, wantM}, [][]string{p, m}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	// What is commented out starts with a word and a colon, or a list item below one.
	comment := regexp.MustCompile(`(?m)^( *)# (( *)(?:- \{)?[a-z0-9._]+:( .*)?)$`)
	loader := Loader{Kinds: testKinds(), Env: environment("OPENAI_API_KEY", "x", "GROQ_API_KEY", "y", "REGIONAL_API_KEY", "z", "SIGNED_API_KEY", "s")}
	text := comment.ReplaceAllString(string(loader.Starter("./weir.schema.json")), "$1$2")
	text = strings.NewReplacer("sha256:…", "sha256:"+strings.Repeat("0", 64), "https://…", "https://example.com", `"${HF_TOKEN}"`, "x", `"${AZURE_API_KEY}"`, "x").Replace(text)
	cfg, err := loader.Parse("weir.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if len(cfg.Providers) != len(testKinds()) || // without sim, with local
		len(cfg.Keys) != 1 || len(cfg.CORS.Origins) != 1 || cfg.Models[len(cfg.Models)-1].Name != "smart" {
		t.Errorf("some of it is still commented out:\n%s", text)
	}
}
