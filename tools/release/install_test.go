package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// TestGoInstall: what the module proxy would serve of this commit is a module that go install takes into an empty GOPATH, with all that the program has inside.
func TestGoInstall(t *testing.T) {
	const path, version = "github.com/weirproxy/weir", "v0.9.8"
	root := copyOf(t, when)
	proxy := t.TempDir()
	folder := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	packed, err := os.Create(filepath.Join(folder, version+".zip"))
	if err == nil {
		err = zip.CreateFromVCS(packed, module.Version{Path: path, Version: version}, root, "HEAD", "") // refuses names and sizes that no module may have
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{version, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{version + ".mod": mod, version + ".info": info, "list": []byte(version + "\n")} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	gopath := t.TempDir()
	cache := strings.TrimSpace(do(t, root, "go", "env", "GOMODCACHE"))
	do(t, root, "go", "mod", "download")
	cmd := exec.Command("go", "install", "-trimpath", path+"/cmd/weir@latest")
	cmd.Dir = gopath
	cmd.Env = append(os.Environ(), "GOPATH="+gopath, "GOMODCACHE="+filepath.Join(gopath, "mod"), "GOBIN="+filepath.Join(gopath, "bin"), "GOFLAGS=-modcacherw", "GONOSUMDB="+path,
		"GOSUMDB=off", "GOPROXY=file://"+filepath.ToSlash(proxy)+",file://"+filepath.ToSlash(cache)+"/cache/download", "CGO_ENABLED=0", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	weir := filepath.Join(gopath, "bin", "weir")
	if got := do(t, gopath, weir, "version"); !strings.Contains(got, version) {
		t.Errorf("weir version: %s", got)
	}
	manual := filepath.Join(gopath, "manual")
	do(t, gopath, weir, "manual", manual)
	if text, err := os.ReadFile(filepath.Join(manual, "index.html")); err != nil || len(text) < 1000 {
		t.Errorf("the manual is not in the program: %v", err)
	}
	size, err := os.Stat(packed.Name())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the module has %d KiB", size.Size()>>10)
}
