// Command release makes what is published of one version: programs for all systems, archives, packages, an image, the source, a bill of materials, and the
// sums of all of it. The same commit gives the same bytes, whatever machine and day it is: times are those of the commit, and nothing is taken from the
// machine but Go and git.
//
//	cd tools/release && go run . -root ../.. -version v0.1.0 -out ../../release
//	cd tools/release && go run . -root ../.. -version v0.1.0 -notes
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

func main() {
	r := &release{}
	flag.StringVar(&r.root, "root", ".", "the repository")
	flag.StringVar(&r.version, "version", "", "the version, such as v0.1.0")
	flag.StringVar(&r.out, "out", "release", "the folder to write to; it must be empty or missing")
	only := flag.String("only", "", "make this system alone, such as linux/amd64")
	notes := flag.Bool("notes", false, "print what CHANGELOG.md says of the version, and make nothing")
	flag.Parse()
	if *only != "" {
		r.systems = []string{*only}
	}
	step := r.make
	if *notes {
		step = r.printNotes
	}
	if err := step(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// allSystems are those that programs are made for, by the names that Go has for them.
var allSystems = []string{
	"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64", "freebsd/amd64", "freebsd/arm64",
}

// release is one version as it is made.
type release struct {
	root, version, out string
	systems            []string // all of them if none are named

	time     time.Time // of the commit
	commit   string
	scratch  string            // a folder for what is not published
	programs map[string]string // the file of each system's program
	extras   []entry           // what every archive has beside the program
	parts    []part            // what the programs consist of
}

// number is the version as the program has it.
func (r *release) number() string { return strings.TrimPrefix(r.version, "v") }

// versions are those that may be released: https://semver.org, with a v in front, as Go's modules have them.
var versions = regexp.MustCompile(`^v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?$`)

func (r *release) make() (err error) {
	if r.scratch, err = os.MkdirTemp("", "weir-release-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(r.scratch)) }()
	for _, step := range []func() error{r.check, r.compile, r.describe, r.archives, r.packages, r.image, r.source, r.materials, r.sums} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// check refuses what should not be published.
func (r *release) check() error {
	if !versions.MatchString(r.version) {
		return fmt.Errorf("%q is no version: give one such as v0.1.0", r.version)
	}
	changed, err := r.git("status", "--porcelain")
	if err != nil {
		return err
	}
	if changed != "" {
		return fmt.Errorf("the tree differs from its commit, so the same could not be made again: commit or remove\n%s", changed)
	}
	if _, err := r.notes(); err != nil {
		return err
	}
	if r.commit, err = r.git("rev-parse", "HEAD"); err != nil {
		return err
	}
	seconds, err := r.git("log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	at, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return err
	}
	r.time = time.Unix(at, 0).UTC()
	if len(r.systems) == 0 {
		r.systems = allSystems
	}
	if files, err := os.ReadDir(r.out); err == nil && len(files) > 0 {
		return fmt.Errorf("%s is not empty: what lies there would be taken for a part of the release", r.out)
	}
	return os.MkdirAll(r.out, 0o755)
}

// mostNotes is how many characters GitHub takes as the notes of a release.
const mostNotes = 125_000

// notes are the section of CHANGELOG.md with the version's name and its date, without that heading.
func (r *release) notes() (string, error) {
	changelog, err := os.ReadFile(filepath.Join(r.root, "CHANGELOG.md"))
	if err != nil {
		return "", err
	}
	heading := regexp.MustCompile(`(?m)^## ` + regexp.QuoteMeta(r.number()) + ` - \d{4}-\d\d-\d\d\n`)
	at := heading.FindIndex(changelog)
	if at == nil {
		return "", fmt.Errorf("CHANGELOG.md has no section ## %s - with the day of the release, such as ## %s - 2026-01-31: give Unreleased that heading, and put an empty Unreleased above it", r.number(), r.number())
	}
	section, _, _ := strings.Cut(string(changelog[at[1]:]), "\n## ")
	if section = strings.TrimSpace(section); section == "" {
		return "", fmt.Errorf("CHANGELOG.md says nothing of %s", r.number())
	}
	if n := utf8.RuneCountInString(section); n > mostNotes {
		return "", fmt.Errorf("CHANGELOG.md has %d characters on %s, and GitHub takes %d as the notes of a release: shorten it", n, r.number(), mostNotes)
	}
	return section + "\n", nil
}

func (r *release) printNotes() error {
	text, err := r.notes()
	if err == nil {
		_, err = fmt.Print(text)
	}
	return err
}

func (r *release) git(args ...string) (string, error) {
	out, err := r.command(nil, "git", args...)
	return strings.TrimSpace(string(out)), err
}

// command runs a program in the repository, and returns what it writes.
func (r *release) command(environment []string, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), environment...)
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, &failure)
	}
	return out, nil
}

// write writes a file of the release.
func (r *release) write(name string, text []byte) error {
	return os.WriteFile(filepath.Join(r.out, name), text, 0o644)
}
