// Package install finds the interpreters that the client suites need, and installs the clients once for all runs,
// outside git. It is test support.
package install

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// patience bounds a step of an installation: compilers and package registries take their time, most of all on a busy machine.
const patience = 30 * time.Minute

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
	if err := step(t.Context(), dir, env, name, args...); err != nil {
		t.Fatal(err)
	}
}

func step(ctx context.Context, dir string, env []string, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s failed; is the package registry reachable? %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return nil
}

// Once runs install unless it was run to its end before, which the file path.complete says. If several run at once, one
// installs and the others wait.
func Once(t *testing.T, path string, install func()) {
	t.Helper()
	if err := once(t, path, func() error { install(); return nil }); err != nil {
		t.Fatal(err)
	}
}

// once is Once for an installation that may fail: nothing says then that it was run.
func once(t *testing.T, path string, install func() error) error {
	t.Helper()
	stamp := path + ".complete"
	if exists(stamp) {
		return nil
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
		return nil
	}
	if err := install(); err != nil {
		return err
	}
	return os.WriteFile(stamp, nil, 0o600)
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

// digestOf names what an installation depends on: the interpreter, which has --version, and the file of pinned versions.
func digestOf(t *testing.T, program, file string) string {
	t.Helper()
	pins, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return digest(t, program, pins)
}

func digest(t *testing.T, program string, pins []byte) string {
	t.Helper()
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
	venv := Cache(t, name+"-"+digestOf(t, python, requirements))
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
	stamp := filepath.Join(dir, "node_modules", "installed-"+digestOf(t, node, filepath.Join(dir, "package.json")))
	Once(t, stamp, func() { Step(t, dir, nil, npm, "install", "--no-package-lock", "--no-audit", "--no-fund") })
	bin, err := filepath.Abs(filepath.Join(dir, "node_modules", ".bin"))
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// Package is the folder with the programs of one npm package, such as cline@3.0.65, which is installed in a folder of its own: npm installs all that a folder
// has or nothing, and a package that cannot be had must not take others with it. The program has to start, too: what npm cannot download of a package's
// parts for one system, it leaves out without a word.
func Package(t *testing.T, spec, program string) (bin string, err error) {
	t.Helper()
	node := Program(t, "node", "--version", 20, 0)
	npm := Program(t, "npm", "--version", 8, 0)
	dir := Cache(t, "npm-"+program+"-"+digest(t, node, []byte(spec)))
	bin = filepath.Join(dir, "node_modules", ".bin")
	err = once(t, dir, func() error {
		if err := os.RemoveAll(dir); err != nil { // npm does not try again what it left out
			return err
		}
		if err := step(t.Context(), ".", nil, npm, "install", "--prefix", dir, "--no-package-lock", "--no-audit", "--no-fund", spec); err != nil {
			return err
		}
		return step(t.Context(), ".", []string{"HOME=" + t.TempDir()}, filepath.Join(bin, program), "--version")
	})
	if err != nil {
		return "", fmt.Errorf("%s cannot be installed: %w", spec, err)
	}
	return bin, nil
}

// Node is the node that can import the packages that the lock file in dir pins. They are installed next to it,
// where node looks for them; a stamp names the lock file.
func Node(t *testing.T, dir string) string {
	t.Helper()
	node := Program(t, "node", "--version", 20, 0)
	npm := Program(t, "npm", "--version", 8, 0)
	stamp := filepath.Join(dir, "node_modules", "installed-"+digestOf(t, node, filepath.Join(dir, "package-lock.json")))
	Once(t, stamp, func() { Step(t, dir, nil, npm, "ci", "--no-audit", "--no-fund") })
	return node
}
