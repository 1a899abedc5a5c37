package transcript_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weirproxy/weir/internal/transcript"
)

var update = flag.Bool("update", false, "write what the failing stories say into their files")

func TestPassing(t *testing.T) {
	t.Parallel()
	transcript.Run(t, transcript.Files(t, "testdata/passing/*.txt"), fake{})
}

// catcher is a testing.TB that keeps what a story fails with.
type catcher struct {
	testing.TB
	text string
}

func (c *catcher) Helper() {}

func (c *catcher) Fatal(args ...any) {
	c.text = fmt.Sprint(args...)
	runtime.Goexit()
}

func (c *catcher) Fatalf(format string, args ...any) { c.Fatal(fmt.Sprintf(format, args...)) }

// TestFailing runs stories that must fail. Their reports are in the section "want" of each; <any> matches what
// changes from run to run.
func TestFailing(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/failing/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no stories", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			story, want, ok := strings.Cut(string(data), "-- want --\n")
			if !ok {
				t.Fatal("no section want")
			}
			got := strings.TrimSpace(mask(fails(t, file))) + "\n"
			if *update {
				if err := os.WriteFile(file, []byte(story+"-- want --\n"+got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("after a change that is meant, run: go test ./internal/transcript -update\n%s", diff)
			}
		})
	}
}

// fails runs a story and returns what it fails with.
func fails(t *testing.T, file string) string {
	t.Helper()
	c := &catcher{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		transcript.RunFile(c, file, fake{})
	}()
	<-done
	if c.text == "" {
		t.Fatal("the story passed")
	}
	return c.text
}

var changing = regexp.MustCompile(`((?:date|x-request-id|seen-connection): |"(?:time|request_id)":)(?:"[^"]*"|[^\n"]+)`)

// mask hides what changes from run to run.
func mask(s string) string { return changing.ReplaceAllString(s, "$1<any>") }

func TestWrongStories(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"no title", "-- story --\n> GET /\n", "a story begins with a comment"},
		{"no story", "# Title\n-- weir.yaml --\n", "the section -- story -- is missing"},
		{"text before sections", "# Title\nhello\n", "x.txt:2: expected a comment"},
		{"no target", "# T\n-- story --\n> GET\n", "x.txt:3: a request begins with METHOD TARGET"},
		{"no header", "# T\n-- story --\n> GET /\n> {}\n", "x.txt:4: \"{}\" is not a header"},
		{"unknown directive", "# T\n-- story --\n> GET /\n> @brotli\n", "unknown directive @brotli"},
		{"body lines alone", "# T\n-- story --\n> GET /\n<| a\n", "x.txt:4: <| lines follow"},
		{"unknown statement", "# T\n-- story --\nsleep 5\n", "cannot read \"sleep 5\""},
		{"unknown placeholder", "# T\n-- story --\n> GET /{{nope}}\n", "nothing is known as {{nope}}"},
		{"unknown upstream", "# T\n-- story --\nupstream sim9 calls 0\n", "no section of the story mentions {{sim9}}"},
		{"response first", "# T\n-- story --\n< 200\n", "no request comes before this"},
		{"unknown line", "# T\n-- story --\n> GET /echo\n< what is this\n", "cannot read \"what is this\""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "x.txt")
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := fails(t, file); !strings.Contains(got, c.want) {
				t.Errorf("it fails with %q, not with %q", got, c.want)
			}
		})
	}
}
