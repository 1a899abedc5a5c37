package install

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// local is an npm package in a folder, with a program that runs those lines of a shell.
func local(t *testing.T, program, lines string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"package.json": `{"name": "` + program + `", "version": "1.0.0", "bin": {"` + program + `": "program.sh"}}`,
		"program.sh":   "#!/bin/sh\n" + lines + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return "file:" + dir
}

// TestPackagesAreInstalledOneByOne: a package that is not there, and one whose program does not start, are named, and tried again the next time; the one beside
// them works.
func TestPackagesAreInstalledOneByOne(t *testing.T) {
	t.Chdir(t.TempDir()) // its .cache is for this test alone
	if err := os.WriteFile("go.mod", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	absent, broken := "file:"+filepath.Join(t.TempDir(), "absent"), local(t, "broken", "echo no binary here; exit 1")
	for range 2 {
		if _, err := Package(t, absent, "absent"); err == nil || !strings.Contains(err.Error(), absent+" cannot be installed") {
			t.Errorf("of a package that is not there: %v", err)
		}
		if _, err := Package(t, broken, "broken"); err == nil || !strings.Contains(err.Error(), broken+" cannot be installed") || !strings.Contains(err.Error(), "no binary here") {
			t.Errorf("of a program that does not start: %v", err)
		}
	}
	bin, err := Package(t, local(t, "good", "echo 1.0.0"), "good")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(bin, "good")).Output()
	if err != nil || strings.TrimSpace(string(out)) != "1.0.0" {
		t.Errorf("the package beside them: %v %q", err, out)
	}
}
