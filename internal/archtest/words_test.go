package archtest

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// banned are words that have no place in the repository. They are written with a gap here, or this file would be
// found.
var banned = map[string]string{
	"/wo" + "rk/":      "a path of one machine",
	"/ro" + "ot/":      "a path of one machine",
	"/ho" + "me/":      "a path of one machine",
	"../sha" + "red":   "the product stands alone",
	"CONTR" + "ACT.md": "the product stands alone",
	"DES" + "IGN.md":   "the product stands alone",
	"mile" + "stone":   "what is here is described as it is, not by when it came",
	"TO" + "DO":        "what is missing is an issue, or is not missing",
	"FIX" + "ME":       "what is missing is an issue, or is not missing",
}

// machine are files that tools write: what they hold is not prose.
var machine = []string{".sum", ".png", ".svg", ".ico", ".woff2", ".gz", "package-lock.json", "LICENSE"}

func TestWords(t *testing.T) {
	t.Parallel()
	files(t, func(name string) {
		if slices.ContainsFunc(machine, func(end string) bool { return strings.HasSuffix(name, end) }) || strings.Contains(name, "/testdata/fuzz/") {
			return
		}
		text := read(t, name)
		for word, why := range banned {
			if i := strings.Index(text, word); i >= 0 {
				t.Errorf("%s:%d: %q: %s", name, 1+strings.Count(text[:i], "\n"), word, why)
			}
		}
	})
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	quoted = regexp.MustCompile("`([^`\n]+)`")
	link   = regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)]*)?\)`)
	// pathlike is what is meant as a file or folder of this repository.
	pathlike = regexp.MustCompile(`^(?:\./)?(?:cmd|docs|internal|scripts|sdktest|tools|\.ci|\.github)/[\w./-]+$|^[A-Z]{5,}\.md$|^(?:Makefile|Dockerfile|LICENSE)$|^[\w/-]+\.go$`)
)

// TestPathsInDocs: a path that a page names exists, seen from the repository's root, from the page's own folder or from
// internal. A Go file may be named alone.
func TestPathsInDocs(t *testing.T) {
	t.Parallel()
	goFiles := map[string]bool{}
	files(t, func(name string) { goFiles[path.Base(name)] = strings.HasSuffix(name, ".go") })
	files(t, func(name string) {
		if !strings.HasSuffix(name, ".md") || foreign(name) {
			return
		}
		text := read(t, name)
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			if pathlike.MatchString(m[1]) && !exists(name, m[1]) && !goFiles[m[1]] {
				t.Errorf("%s names %s, which does not exist", name, m[1])
			}
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if u, err := url.Parse(m[1]); err == nil && u.Scheme == "" && !exists(name, u.Path) {
				t.Errorf("%s links to %s, which does not exist", name, m[1])
			}
		}
	})
}

func exists(page, name string) bool {
	for _, from := range []string{".", path.Dir(page), "internal"} {
		if _, err := os.Stat(filepath.Join(root, from, name)); err == nil {
			return true
		}
	}
	return false
}
