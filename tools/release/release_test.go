package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// A release is made of a copy of this commit, with a changelog that has the version.
func copyOf(t *testing.T, when string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "weir")
	do(t, "", "git", "clone", "-q", "../..", folder)
	changelog := filepath.Join(folder, "CHANGELOG.md")
	text, err := os.ReadFile(changelog)
	if err == nil {
		err = os.WriteFile(changelog, append(text, "\n## 9.8.7 - 2026-01-02\n\n- [FEATURE] All of it.\n\n## 9.8.6 - 2026-01-01\n\n- Less.\n"...), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_COMMITTER_DATE", when)
	do(t, folder, "git", "-c", "user.name=Tests", "-c", "user.email=tests@example.com", "commit", "-qam", "9.8.7", "--date="+when)
	return folder
}

func do(t *testing.T, folder, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

const when = "2026-01-02T03:04:05Z"

// TestRelease makes a release twice, in two folders, and uses what it made.
func TestRelease(t *testing.T) {
	var made [2]string
	for i := range made {
		r := &release{root: copyOf(t, when), version: "v9.8.7", out: filepath.Join(t.TempDir(), "out"), systems: []string{host, "windows/arm64"}}
		if err := r.make(); err != nil {
			t.Fatal(err)
		}
		made[i] = r.out
	}
	sums, err := os.ReadFile(filepath.Join(made[0], "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(filepath.Join(made[1], "SHA256SUMS")); err != nil || !bytes.Equal(sums, again) {
		t.Errorf("the same commit gives other bytes (%v):\n%s\n%s", err, sums, again)
	}
	if lines := bytes.Count(sums, []byte("\n")); lines != 7 {
		t.Errorf("%d files:\n%s", lines, sums)
	}
	t.Run("archive", func(t *testing.T) { archiveRuns(t, made[0]) })
	t.Run("bill", func(t *testing.T) { billIsWhole(t, made[0]) })
	if runtime.GOOS == "linux" {
		t.Run("packages", func(t *testing.T) { packagesInstall(t, made[0]) })
		t.Run("image", func(t *testing.T) { imageRuns(t, made[0]) })
		t.Run("first hour", func(t *testing.T) { firstHour(t, made[0]) })
	}
}

// one is the only file that fits.
func one(t *testing.T, folder, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %v %v", pattern, found, err)
	}
	return found[0]
}

func wantVersion(t *testing.T, program string) {
	t.Helper()
	if got := do(t, "", program, "version"); !strings.Contains(got, "9.8.7") {
		t.Errorf("weir version: %s", got)
	}
}

func archiveRuns(t *testing.T, out string) {
	folder := t.TempDir()
	do(t, folder, "tar", "xzf", one(t, out, "weir_9.8.7_"+strings.ReplaceAll(host, "/", "_")+".tar.gz"))
	inside := one(t, folder, "*")
	wantVersion(t, filepath.Join(inside, "weir"))
	manual, err := os.ReadFile(filepath.Join(inside, "man", "weir.1"))
	if err != nil || !bytes.Contains(manual, []byte(`.SH "WEIR KEYS CREATE"`)) {
		t.Errorf("the manual page: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(inside, "THIRD-PARTY-LICENSES.txt"))
	for _, name := range []string{"\ngo 1.", "\nmodernc.org/sqlite v", "\npreact "} {
		if err != nil || !bytes.Contains(text, []byte(name)) {
			t.Errorf("%q is not among the licences (%v)", name, err)
		}
	}
}

func billIsWhole(t *testing.T, out string) {
	text, err := os.ReadFile(one(t, out, "*.spdx.json"))
	var b bill
	if err == nil {
		err = json.Unmarshal(text, &b)
	}
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{b.ID}
	for _, p := range b.Packages {
		if ids = append(ids, p.ID); p.Declared == unknown {
			t.Errorf("%s has no licence that is known", p.Name)
		}
	}
	for _, f := range b.Files {
		ids = append(ids, f.ID)
	}
	for _, r := range b.Relationships {
		if !slices.Contains(ids, r.From) || !slices.Contains(ids, r.To) {
			t.Errorf("%v names what is not there", r)
		}
	}
	if unique := slices.Compact(slices.Sorted(slices.Values(ids))); len(unique) != len(ids) {
		t.Error("an id is there twice")
	}
}

// imageRuns unpacks the image's layer, and runs the program in it as its user.
func imageRuns(t *testing.T, out string) {
	folder, root := t.TempDir(), t.TempDir()
	do(t, folder, "tar", "xf", one(t, out, "*_image.tar"))
	blobs, err := filepath.Glob(filepath.Join(folder, "blobs", "sha256", "*"))
	if err != nil {
		t.Fatal(err)
	}
	layers := 0
	for _, blob := range blobs {
		if unpackLayer(t, blob, root) {
			layers++
		}
	}
	if layers != 1 {
		t.Fatalf("%d layers", layers)
	}
	wantVersion(t, filepath.Join(root, "usr/local/bin/weir"))
	servesAlone(t, root)
	certificates, err := os.ReadFile(filepath.Join(root, "etc/ssl/certs/ca-certificates.crt"))
	if n := bytes.Count(certificates, []byte("BEGIN CERTIFICATE")); err != nil || n < 100 {
		t.Errorf("%d authorities: %v", n, err)
	}
}

// unpackLayer unpacks a blob if it is a layer, and looks at whose its files are.
func unpackLayer(t *testing.T, blob, root string) bool {
	t.Helper()
	f, err := os.Open(blob)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	plain, err := gzip.NewReader(f)
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, io.EOF) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(plain); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			return true
		}
		if err != nil {
			t.Fatal(err)
		}
		if own := head.Name == "data/"; own != (head.Uid == user) || !head.ModTime.Equal(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)) {
			t.Errorf("%s is of %d, %v", head.Name, head.Uid, head.ModTime)
		}
		path := filepath.Join(root, filepath.FromSlash(head.Name))
		if head.Typeflag == tar.TypeDir {
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		text, err := io.ReadAll(r)
		if err == nil {
			err = os.WriteFile(path, text, os.FileMode(head.Mode))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The image is configured as the one that deploy/Dockerfile makes.
func TestTheImageIsThatOfTheDockerfile(t *testing.T) {
	text, err := os.ReadFile("../../deploy/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	_, image, _ := strings.Cut(string(text), "FROM scratch\n")
	c := (&release{}).imageConfig()
	list := func(words []string) string { return `["` + strings.Join(words, `", "`) + `"]` }
	h := c.Healthcheck
	for _, want := range []string{
		"USER " + c.User, "ENV " + strings.Join(c.Env, " "), "WORKDIR " + c.WorkingDir, "EXPOSE 8930", "VOLUME /data", "STOPSIGNAL " + c.StopSignal,
		"HEALTHCHECK --interval=" + h.Interval.String() + " --timeout=" + h.Timeout.String() + " --start-period=" + h.StartPeriod.String() + " CMD " + list(h.Test[1:]),
		"ENTRYPOINT " + list(c.Entrypoint), "CMD " + list(c.Cmd),
	} {
		if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(want) + `$`).MatchString(image) {
			t.Errorf("deploy/Dockerfile lacks %s", want)
		}
	}
}

// What should not be published is refused, with what to do.
func TestWhatIsNoRelease(t *testing.T) {
	folder := copyOf(t, when)
	for version, want := range map[string]string{"9.8.7": "is no version", "v1": "is no version", "v9.8": "is no version", "v9.8.5": "CHANGELOG.md has no section ## 9.8.5 - "} {
		r := &release{root: folder, version: version, out: filepath.Join(t.TempDir(), "out")}
		if err := r.make(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", version, err)
		}
	}
	if got, err := (&release{root: folder, version: "v9.8.7"}).notes(); err != nil || got != "- [FEATURE] All of it.\n" {
		t.Errorf("the notes are %q, %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(folder, "left"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	r := &release{root: folder, version: "v9.8.7", out: filepath.Join(t.TempDir(), "out")}
	if err := r.make(); err == nil || !strings.Contains(err.Error(), "differs from its commit") {
		t.Error(err)
	}
}

// TestTheChangelog: the changelog of this tree has its first version, and a place above it for what comes after.
func TestTheChangelog(t *testing.T) {
	if _, err := (&release{root: "../..", version: "v0.1.0"}).notes(); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	if headings := regexp.MustCompile(`(?m)^## .*$`).FindAllString(string(text), 2); len(headings) != 2 || headings[0] != "## Unreleased" {
		t.Errorf("its headings begin %q", headings)
	}
}

// TestNotesThatDoNotFit: a section of nothing, and one that GitHub would refuse after everything else is made and signed, are refused before.
func TestNotesThatDoNotFit(t *testing.T) {
	for section, want := range map[string]string{"": "says nothing of 9.8.7", strings.Repeat("ü", mostNotes+1): "shorten it"} {
		root := t.TempDir()
		if err := os.WriteFile(filepath.Join(root, "CHANGELOG.md"), []byte("# Changelog\n\n## 9.8.7 - 2026-01-02\n\n"+section+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := (&release{root: root, version: "v9.8.7"}).notes(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d characters: %v", len(section), err)
		}
	}
}
