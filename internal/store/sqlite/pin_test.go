package sqlite

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// modernc.org/sqlite is C translated to Go against one version of modernc.org/libc; with another it may misbehave
// without failing to compile. So both must be updated together.
func TestLibcIsTheOneThatSQLiteAsksFor(t *testing.T) {
	t.Parallel()
	sqlite, libc := module(t, "modernc.org/sqlite"), module(t, "modernc.org/libc")
	text, err := os.ReadFile(sqlite.GoMod)
	if err != nil {
		t.Skipf("sqlite's go.mod is not readable here: %v", err)
	}
	match := regexp.MustCompile(`modernc\.org/libc (v\S+)`).FindSubmatch(text)
	if match == nil {
		t.Fatalf("%s names no libc", sqlite.GoMod)
	}
	if want := string(match[1]); libc.Version != want {
		t.Errorf("go.mod has modernc.org/libc %s, but modernc.org/sqlite %s was made for %s: run go get modernc.org/libc@%[3]s", libc.Version, sqlite.Version, want)
	}
}

type moduleInfo struct{ Version, GoMod string }

func module(t *testing.T, path string) moduleInfo {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-json", path).Output()
	if err != nil {
		t.Skipf("go list -m %s does not work here: %v", path, err)
	}
	var info moduleInfo
	if err := json.Unmarshal(out, &info); err != nil {
		t.Fatal(err)
	}
	return info
}
