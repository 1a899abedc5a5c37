// Package deploy has the files with which Weir is deployed, and tests that check each with the tool that reads it. It has no code but tests.
package deploy

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
)

// installed is where scripts/deploy-tools puts what the system's packages lack.
const installed = "../.cache/deploy-tools"

// tool finds a program: one that scripts/deploy-tools installed, or else the system's. Without it the test is skipped.
func tool(t *testing.T, name string) string {
	t.Helper()
	for _, path := range []string{filepath.Join(installed, "bin", name), filepath.Join(installed, "python", "bin", name), name, filepath.Join("/usr/sbin", name)} {
		found, err := exec.LookPath(path)
		if err != nil {
			continue
		}
		if found, err = filepath.Abs(found); err != nil {
			t.Fatal(err)
		}
		return found
	}
	t.Skipf("%s is not installed; scripts/deploy-tools installs it where it can be had", name)
	return ""
}

// run runs a program and returns what it says; the test fails if its exit status is not 0.
func run(t *testing.T, program string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", filepath.Base(program), args, err, out)
	}
	return string(out)
}

// refused runs a program that must fail, and returns what it says.
func refused(t *testing.T, program string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
	if err == nil {
		t.Fatalf("%s %q accepts what is wrong\n%s", filepath.Base(program), args, out)
	}
	return string(out)
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// write puts text into a file of that name in a new folder, and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// folder is for the program that weir builds. It goes with the process.
var folder string

func TestMain(m *testing.M) {
	made, err := os.MkdirTemp("", "weir-deploy-")
	if err != nil {
		panic(err)
	}
	folder = made
	code := m.Run()
	_ = os.RemoveAll(made)
	os.Exit(code)
}

// weir builds the program, once for all tests.
func weir(t *testing.T) string {
	t.Helper()
	binary, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

var built = sync.OnceValues(func() (string, error) {
	binary := filepath.Join(folder, "weir")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "../cmd/weir")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	return binary, cmd.Run()
})

var (
	shellFunction = regexp.MustCompile(`(?m)^(\w+)\(\) \{`)
	lookedFor     = regexp.MustCompile(`command -v ([\w-]+)`)
)

// TestScriptsFindPrograms: no script has a function of the name of a program that it looks for. command -v would find the function, and the program
// would never be installed.
func TestScriptsFindPrograms(t *testing.T) {
	t.Parallel()
	scripts, err := filepath.Glob("../scripts/*")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("%d scripts: %v", len(scripts), err)
	}
	found := 0
	for _, script := range scripts {
		text := read(t, script)
		functions := map[string]bool{}
		for _, m := range shellFunction.FindAllStringSubmatch(text, -1) {
			functions[m[1]] = true
		}
		for _, m := range lookedFor.FindAllStringSubmatch(text, -1) {
			found++
			if functions[m[1]] {
				t.Errorf("%s: %s is a function and a program", script, m[1])
			}
		}
	}
	if found < 5 {
		t.Errorf("found only %d programs", found)
	}
}
