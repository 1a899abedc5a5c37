// Package install finds the interpreters that the client suites need, and installs the clients once for all runs,
// outside git. It is test support.
package install

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// patience bounds a step of an installation: compilers and package registries take their time.
const patience = 10 * time.Minute

// Program finds a program of at least that version, which flag makes it print. Without it the test is skipped, but
// fails where CI is set.
func Program(t *testing.T, name, flag string, major, minor int) string {
	t.Helper()
	missing := t.Skipf
	if os.Getenv("CI") != "" {
		missing = t.Fatalf
	}
	path, err := exec.LookPath(name)
	if err != nil {
		missing("%s needs %s, which is not installed", t.Name(), name)
	}
	out, err := exec.CommandContext(t.Context(), path, flag).CombinedOutput()
	if err != nil {
		missing("%s needs %s, which does not work: %v\n%s", t.Name(), name, err, out)
	}
	if m := regexp.MustCompile(`(\d+)\.(\d+)`).FindStringSubmatch(string(out)); m != nil {
		have := [2]int{number(t, m[1]), number(t, m[2])}
		if have[0] < major || have[0] == major && have[1] < minor {
			missing("%s needs %s %d.%d or later; found %s", t.Name(), name, major, minor, bytes.TrimSpace(out))
		}
	}
	return path
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Step runs one command of an installation in dir, with env added to the environment.
func Step(t *testing.T, dir string, env []string, name string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s failed; is the package registry reachable? %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
}

// Once runs install unless it was run to its end before, which the file path.complete says. If several run at once, one
// installs and the others wait.
func Once(t *testing.T, path string, install func()) {
	t.Helper()
	stamp := path + ".complete"
	if exists(stamp) {
		return
	}
	lock, err := os.OpenFile(Cache(t, filepath.Base(path)+".lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := exclusive(lock); err != nil {
		t.Fatal(err)
	}
	if exists(stamp) {
		return
	}
	install()
	if err := os.WriteFile(stamp, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Cache is the path of that name in the checkout's .cache, which exists.
func Cache(t *testing.T, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for !exists(filepath.Join(dir, "go.mod")) {
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	dir = filepath.Join(dir, ".cache")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, name)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Digest names what an installation depends on: the interpreter, which has --version, and the file of pinned versions.
func Digest(t *testing.T, program, file string) string {
	t.Helper()
	pins, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	version, err := exec.CommandContext(t.Context(), program, "--version").CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(bytes.Join([][]byte{[]byte(program), version, pins}, nil))
	return hex.EncodeToString(sum[:6])
}

// Venv is the Python of a virtual environment that holds the packages that the file requirements pins.
func Venv(t *testing.T, name, requirements string) string {
	t.Helper()
	python := Program(t, "python3", "--version", 3, 11)
	venv := Cache(t, name+"-"+Digest(t, python, requirements))
	bin := filepath.Join(venv, "bin", "python")
	Once(t, venv, func() {
		Step(t, ".", nil, python, "-m", "venv", "--clear", venv)
		Step(t, ".", nil, bin, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements)
	})
	return bin
}

// Programs is the folder with the programs that package.json in dir pins. They are installed next to it, without a lock file: npm writes none that it
// accepts again if programs for other systems are left out.
func Programs(t *testing.T, dir string) string {
	t.Helper()
	node := Program(t, "node", "--version", 20, 0)
	npm := Program(t, "npm", "--version", 8, 0)
	stamp := filepath.Join(dir, "node_modules", "installed-"+Digest(t, node, filepath.Join(dir, "package.json")))
	Once(t, stamp, func() { Step(t, dir, nil, npm, "install", "--no-package-lock", "--no-audit", "--no-fund") })
	bin, err := filepath.Abs(filepath.Join(dir, "node_modules", ".bin"))
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// Node is the node that can import the packages that the lock file in dir pins. They are installed next to it,
// where node looks for them; a stamp names the lock file.
func Node(t *testing.T, dir string) string {
	t.Helper()
	node := Program(t, "node", "--version", 20, 0)
	npm := Program(t, "npm", "--version", 8, 0)
	stamp := filepath.Join(dir, "node_modules", "installed-"+Digest(t, node, filepath.Join(dir, "package-lock.json")))
	Once(t, stamp, func() { Step(t, dir, nil, npm, "ci", "--no-audit", "--no-fund") })
	return node
}
