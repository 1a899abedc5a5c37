package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/weirproxy/weir/internal/config"
)

// pages calls f for each page of docs, with its blocks of code in a language.
func pages(t *testing.T, language string, f func(page, block string)) {
	t.Helper()
	fence := regexp.MustCompile("(?ms)^```" + language + "\n(.*?)^```$")
	found := 0
	for _, pattern := range []string{"../../README.md", "../../docs/*.md", "../../docs/*/*.md", "../../docs/*/*/*.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
				found++
				f(strings.TrimPrefix(filepath.ToSlash(name), "../../"), m[1])
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d blocks of %s were found", found, language)
	}
}

func noEnvironment(string) (string, bool) { return "", false }

// elsewhere are references that a piece of a config has to what the page leaves out.
var elsewhere = map[string]*regexp.Regexp{
	"providers": regexp.MustCompile(`unknown provider`),
	"models":    regexp.MustCompile(`unknown model|no model`),
	"teams":     regexp.MustCompile(`unknown team`),
}

// TestConfigsOfPages: each config of the documentation, and each piece of one, is one that Weir takes.
func TestConfigsOfPages(t *testing.T) {
	t.Parallel()
	oneAfterAnother(t)
	var schema struct{ Properties map[string]json.RawMessage }
	var printed bytes.Buffer
	code := run(t.Context(), []string{"schema"}, &system{stdout: &printed, stderr: &printed, env: noEnvironment})
	if err := json.Unmarshal(printed.Bytes(), &schema); code != 0 || err != nil || len(schema.Properties) < 10 {
		t.Fatal(code, err)
	}
	top := regexp.MustCompile(`(?m)^"?([\w*/-]+)"?:`)
	checked := 0
	pages(t, "yaml", func(page, block string) {
		sections := map[string]bool{}
		for _, m := range top.FindAllStringSubmatch(block, -1) {
			if schema.Properties[m[1]] == nil {
				return // it is another program's
			}
			sections[m[1]] = true
		}
		checked++
		block = strings.ReplaceAll(block, "sha256:…", "sha256:"+strings.Repeat("ab", 32))
		loader := configLoader(&system{env: noEnvironment})
		loader.WithoutSecrets = true
		_, err := loader.Parse(page, []byte(block))
		var wrong config.Errors
		if err != nil && !errors.As(err, &wrong) {
			t.Errorf("%s: %v", page, err)
		}
		for _, one := range wrong {
			missing := false
			for section, reference := range elsewhere {
				missing = missing || !sections[section] && reference.MatchString(one.Error())
			}
			if !missing {
				t.Errorf("%v, in\n%s", one, block)
			}
		}
	})
	if checked < 20 {
		t.Errorf("only %d configs were found", checked)
	}
}

var (
	command    = regexp.MustCompile(`^(?:\$|#) (.*)$`)
	invocation = regexp.MustCompile(`(?:^|[(|&;] ?|\$\(|/usr/local/bin/|^\./)weir ((?:[^|&;)#<>\n]|'[^']*'|"[^"]*")*)`)
	argument   = regexp.MustCompile(`"[^"]*"|'[^']*'|[^\s"']+`)
)

// TestCommandsOfPages: each command of the documentation is one that Weir has, with such flags.
func TestCommandsOfPages(t *testing.T) {
	t.Parallel()
	oneAfterAnother(t)
	checked := 0
	parser := newParser(t)
	pages(t, "console", func(page, block string) {
		for _, line := range strings.Split(strings.ReplaceAll(block, "\\\n", " "), "\n") {
			typed := command.FindStringSubmatch(line)
			if typed == nil {
				continue
			}
			for _, m := range invocation.FindAllStringSubmatch(typed[1], -1) {
				var args []string
				for _, w := range argument.FindAllString(m[1], -1) {
					args = append(args, strings.Trim(w, `"'`))
				}
				checked++
				if err := parses(parser, args); err != nil {
					t.Errorf("%s: weir %q: %v", page, args, err)
				}
			}
		}
	})
	if checked < 60 {
		t.Errorf("only %d commands were found", checked)
	}
}

func newParser(t *testing.T) *kong.Kong {
	t.Helper()
	var c cli
	var said strings.Builder
	parser, err := kong.New(&c, kong.Name("weir"), kong.Exit(func(int) { panic("exit") }), kong.Bind(&system{stdout: &said, stderr: &said, env: noEnvironment}), kong.Writers(&said, &said))
	if err != nil {
		t.Fatal(err)
	}
	return parser
}

// parses reads a command line, and runs nothing. Help and the version end the program while they are read.
func parses(parser *kong.Kong, args []string) (err error) {
	defer func() {
		if r := recover(); r != nil && r != "exit" {
			panic(r)
		}
	}()
	_, err = parser.Parse(args)
	return err
}
