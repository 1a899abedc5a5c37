package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A page of the documentation is run as its reader would: its commands in their order, in one shell, in an empty folder and a network of its own, which
// has nothing but loopback. So the pages' own ports are free, and no command reaches a real provider.

// step is a command of a page, or a file that the page has its reader write.
type step struct {
	command string
	shown   []string // lines of its output that the page has

	file, text string
}

var (
	fenced   = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")
	prompt   = regexp.MustCompile(`^[$#] `)
	starting = regexp.MustCompile(`^(?:\w+=\S+ )*(?:\./\S+/)?weir (serve|sim)\b`)
	listens  = regexp.MustCompile(`--listen (\S+)`)
)

// steps reads a page. files names those of its blocks that are files, as "yaml 1" for the first one in YAML.
func steps(page string, files map[string]string) []step {
	var all []step
	seen := map[string]int{}
	for _, m := range fenced.FindAllStringSubmatch(page, -1) {
		seen[m[1]]++
		if file := files[fmt.Sprint(m[1], " ", seen[m[1]])]; file != "" {
			all = append(all, step{file: file, text: m[2]})
		}
		if m[1] != "console" {
			continue
		}
		more := false // the command goes on
		for _, line := range strings.Split(strings.TrimSuffix(m[2], "\n"), "\n") {
			last := len(all) - 1
			switch {
			case more:
				all[last].command += "\n" + line
			case prompt.MatchString(line):
				all = append(all, step{command: line[2:]})
			case last >= 0 && line != "":
				all[last].shown = append(all[last].shown, line)
				continue
			}
			more = strings.HasSuffix(line, `\`)
		}
	}
	return all
}

// shell begins each script. A Weir that is started takes the place of the one that runs. Simulated providers go on.
const shell = `exec 2>&1 </dev/null
ip link set lo up || exit 1
serving= starting=
leave() {
	[ -n "$serving" ] || return 0
	while kill $serving; do sleep 0.02; done
	serving=
} 2>/dev/null
curl() { command curl --fail-with-body "$@"; } # what is refused is noticed
ready() { # URL, pid
	until command curl -s -o /dev/null "$1"; do
		kill -0 $2 2>/dev/null || { echo "it has ended"; return 1; }
		sleep 0.02
	done
}
trap leave EXIT
set -o pipefail
`

// script is all that a shell does for a page, with a mark before each step and one with its status after it.
func (s *story) script(all []step) string {
	var out strings.Builder
	out.WriteString(shell + "cd reader || exit 1\n")
	number := func(n int, text string) {
		fmt.Fprintf(&out, "printf '\\n@@ %d\\n'\n%s\nprintf '\\n@@ = %%d\\n' $?\n", n, text)
	}
	number(-1, "{\n"+s.before+"\n}")
	for n, one := range all {
		if one.file != "" {
			number(n, fmt.Sprintf("cat >%s <<'@@'\n%s@@", one.file, one.text))
			continue
		}
		if reason, _ := s.leftOut(one.command); reason != "" {
			continue
		}
		number(n, launched(one.command))
	}
	return out.String()
}

// launched is a command, in the background if it serves.
func launched(command string) string {
	m := starting.FindStringSubmatch(command)
	bare, _, _ := strings.Cut(command, " #")
	switch {
	case m == nil:
		return "{ " + command + "\n}"
	case m[1] == "serve":
		return "leave; " + bare + " &\nserving=$!; ready http://127.0.0.1:8930/readyz $serving"
	}
	return bare + " &\nready http://" + listens.FindStringSubmatch(command)[1] + "/v1/models $!"
}

// leftOut says why a command is not run, and what names it: its beginning, or a program.
func (s *story) leftOut(command string) (reason, name string) {
	for beginning, reason := range s.left {
		if begins(command, beginning) {
			return reason, beginning
		}
	}
	for _, word := range strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" \n;&|()$", r) }) {
		if reason := elsewhereRun[word]; reason != "" {
			return reason, word
		}
	}
	return "", ""
}

// begins reports whether a command begins so, or, where that ends in $, whether it is all of it.
func begins(command, beginning string) bool {
	if whole, exact := strings.CutSuffix(beginning, "$"); exact {
		bare, _, _ := strings.Cut(command, " #")
		return strings.TrimSpace(bare) == whole
	}
	return command != "" && strings.HasPrefix(command, beginning)
}

// program is the one that pages are run with: that of WEIR_PROGRAM, such as a released one, or else what is built here.
func program(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("WEIR_PROGRAM"); path != "" {
		return path
	}
	binary, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// alone runs a script in a new folder and network, and returns what it writes. env has names and values. The script is done within the limit.
func alone(t *testing.T, limit time.Duration, script string, env ...string) string {
	t.Helper()
	for _, needed := range []string{"unshare", "ip", "bash", "curl"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("%s is not installed", needed)
		}
	}
	if out, err := exec.CommandContext(t.Context(), "unshare", "-rn", "curl", "--json", "x", "--version").CombinedOutput(); err != nil {
		t.Skipf("a network namespace and a curl that knows --json are needed: %v %s", err, out)
	}
	folder := t.TempDir()
	for _, inner := range []string{"bin", "home", "reader"} {
		if err := os.Mkdir(filepath.Join(folder, inner), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(program(t), filepath.Join(folder, "bin", "weir")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "unshare", "-rn", "bash", "-c", script)
	cmd.Dir = folder
	cmd.Env = append([]string{"PATH=" + filepath.Join(folder, "bin") + ":" + os.Getenv("PATH"), "HOME=" + filepath.Join(folder, "home"), "LC_ALL=C.UTF-8"}, env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	end := func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // with all that it started
	cmd.Cancel = end
	out, err := os.Create(filepath.Join(folder, "output")) // a pipe would be open as long as a server that is left
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout = out
	err = cmd.Run()
	_ = end()
	output, readErr := os.ReadFile(out.Name())
	if err != nil && ctx.Err() != nil || readErr != nil {
		t.Fatalf("it was not done within %s (%v):\n%s", limit, readErr, output)
	}
	return string(output)
}

// result is what a step wrote, and its exit status.
type result struct {
	status int
	output string
}

var mark = regexp.MustCompile(`(?s)\n@@ (-?\d+)\n(.*?)\n@@ = (\d+)\n`)

// results are those of all steps that ended.
func results(output string) map[int]result {
	all := map[int]result{}
	for _, m := range mark.FindAllStringSubmatch(output, -1) {
		n, _ := strconv.Atoi(m[1])
		status, _ := strconv.Atoi(m[3])
		all[n] = result{status, m[2]}
	}
	return all
}

// TestPagesRun runs each page of docs/start and docs/guides, and the README. Programs of docs/callers run in sdktest.
func TestPagesRun(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds the program, which -short leaves out")
	}
	names := []string{"README.md"}
	for _, folder := range []string{"start", "guides"} {
		found, err := filepath.Glob("../../docs/" + folder + "/*.md")
		if err != nil || len(found) == 0 {
			t.Fatalf("%d pages: %v", len(found), err)
		}
		for _, name := range found {
			names = append(names, filepath.ToSlash(strings.TrimPrefix(name, "../../docs/")))
		}
	}
	for name := range stories {
		if !slices.Contains(names, name) {
			t.Errorf("%s has a story, and is no page", name)
		}
	}
	left := map[string]bool{} // programs that commands are left out for
	var ran, notRun int
	t.Run("each", func(t *testing.T) {
		for _, name := range names {
			s, all := storyOf(t, name)
			for _, one := range all {
				if reason, because := s.leftOut(one.command); reason != "" {
					left[because] = true
					notRun++
				} else if one.command != "" {
					ran++
				}
			}
			if !slices.ContainsFunc(all, func(one step) bool { reason, _ := s.leftOut(one.command); return one.command != "" && reason == "" }) {
				continue
			}
			t.Run(name, func(t *testing.T) { t.Parallel(); s.run(t, all) })
		}
	})
	for program := range elsewhereRun {
		if !left[program] {
			t.Errorf("no page has %s any more", program)
		}
	}
	t.Logf("%d commands of pages, and %d that run elsewhere", ran, notRun)
}

// storyOf is a page's story and its steps. Everything that the story names is on the page.
func storyOf(t *testing.T, name string) (*story, []step) {
	t.Helper()
	path := "../../docs/" + name
	if name == "README.md" {
		path = "../../README.md"
	}
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := stories[name]
	if s == nil {
		s = &story{before: house}
	}
	all := steps(strings.NewReplacer(s.instead...).Replace(string(page)), s.files)
	for _, beginning := range slices.Concat(slices.Collect(maps.Keys(s.left)), slices.Collect(maps.Keys(s.fails))) {
		if !slices.ContainsFunc(all, func(one step) bool { return begins(one.command, beginning) }) {
			t.Errorf("%s: no command begins with %s any more", name, beginning)
		}
	}
	for block, file := range s.files {
		if !slices.ContainsFunc(all, func(one step) bool { return one.file == file }) {
			t.Errorf("%s: there is no %s", name, block)
		}
	}
	return s, all
}

// run runs the steps of a page, and looks at what each did.
func (s *story) run(t *testing.T, all []step) {
	output := alone(t, 5*time.Minute, s.script(all), "WEIR=http://127.0.0.1:8930")
	got := results(output)
	if before, ok := got[-1]; !ok || before.status != 0 {
		t.Fatalf("what comes before the page failed:\n%s", output)
	}
	for n, one := range all {
		if reason, _ := s.leftOut(one.command); reason != "" {
			continue
		}
		r, ok := got[n]
		if want := s.status(one.command); !ok || r.status != want {
			t.Errorf("%s\nended with %d (%v), and wrote:\n%s", one.command+one.file, r.status, ok, r.output)
			continue
		}
		if s.shows && !starting.MatchString(one.command) { // which writes other lines where its output is no terminal
			for _, line := range one.shown {
				if !strings.Contains(loosely(r.output), loosely(line)) {
					t.Errorf("%s\ndoes not write %q, but:\n%s", one.command, line, r.output)
				}
			}
		}
	}
}

// status is that with which a command has to end.
func (s *story) status(command string) int {
	for beginning, status := range s.fails {
		if begins(command, beginning) {
			return status
		}
	}
	return 0
}

var (
	secrets = regexp.MustCompile(`sk-weir-[\w-]+…?`)
	numbers = regexp.MustCompile(`\d+`)
)

// loosely is a text without what differs from run to run: keys, numbers and the widths of columns.
func loosely(text string) string {
	text = secrets.ReplaceAllString(text, "sk-weir")
	return strings.Join(strings.Fields(numbers.ReplaceAllString(text, "0")), " ")
}
