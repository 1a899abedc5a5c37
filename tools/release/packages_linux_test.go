package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// installer is what installs a kind of package into a root in which nothing else is, not even a shell.
type installer struct {
	pattern, program string
	begin            func(t *testing.T, root string)
	sound            []string // holds the package's own sums to what it has
	install, remove  []string // the package, or its name, comes last
	owned            []string // lists the files of the package by its name, and fails if it is not installed
	altered          []string // lists those of its files that are not as it brought them
}

func installers(root string) []installer {
	rpm := []string{"--root", root, "--dbpath", "/var/lib/rpm"}
	with := func(all []string, more ...string) []string { return append(append([]string{}, all...), more...) }
	dpkg := []string{"--root=" + root, "--log=" + filepath.Join(root, "dpkg.log"), "--force-not-root", "--force-script-chrootless"}
	installRPM := with(rpm, "-U")
	if _, err := os.Stat("/etc/debian_version"); err == nil {
		installRPM = append(installRPM, "--force-debian") // or else it refuses, because dpkg is what installs there
	}
	return []installer{
		{
			pattern: "*.deb", program: "dpkg", begin: emptyDpkg, sound: []string{"--info"},
			install: with(dpkg, "--install"), remove: with(dpkg, "--purge"), owned: with(dpkg, "--listfiles"), altered: with(dpkg, "--verify"),
		},
		{
			pattern: "*.rpm", program: "rpm", begin: func(t *testing.T, _ string) { do(t, "", "rpm", with(rpm, "--initdb")...) },
			sound: []string{"--checksig", "--nosignature"}, install: installRPM, remove: with(rpm, "-e"), owned: with(rpm, "-ql"), altered: with(rpm, "-V"),
		},
	}
}

func emptyDpkg(t *testing.T, root string) {
	t.Helper()
	for _, folder := range []string{"info", "updates", "triggers"} {
		if err := os.MkdirAll(filepath.Join(root, "var/lib/dpkg", folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
}

// packagesInstall installs the packages, runs what they have, brings them to a later version, and removes them.
func packagesInstall(t *testing.T, out string) {
	later := laterPackages(t)
	for n := range installers("") {
		root := t.TempDir()
		i := installers(root)[n]
		t.Run(i.pattern, func(t *testing.T) {
			if _, err := exec.LookPath(i.program); err != nil {
				t.Skipf("%s is not installed: apt install %s", i.program, i.program)
			}
			if os.Getuid() != 0 {
				t.Skip("only root may change to another root: run it as root")
			}
			i.begin(t, root)
			i.lives(t, root, one(t, out, i.pattern), one(t, later, i.pattern))
		})
	}
}

// laterPackages are those of the next version.
func laterPackages(t *testing.T) string {
	t.Helper()
	r := &release{root: copyOf(t, when), version: "v9.9.0", out: t.TempDir(), systems: []string{host}, scratch: t.TempDir()}
	for _, step := range []func() error{r.compile, r.describe, r.packages} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	return r.out
}

func (i *installer) do(t *testing.T, args []string, last string) string {
	t.Helper()
	return do(t, "", i.program, append(append([]string{}, args...), last)...)
}

func (i *installer) lives(t *testing.T, root, first, later string) {
	i.do(t, i.sound, first)
	i.do(t, i.install, first)
	version := func(want string) {
		t.Helper()
		if got := do(t, "/", "chroot", root, "/usr/bin/weir", "version"); !strings.Contains(got, want) {
			t.Errorf("in a root of its own weir version says %s", got)
		}
	}
	version("9.8.7")
	unit, err := os.ReadFile(filepath.Join(root, "usr/lib/systemd/system/weir.service"))
	if err != nil || !bytes.Contains(unit, []byte("\nExecStart=/usr/bin/weir serve\n")) {
		t.Errorf("the unit does not start what the package has: %v", err)
	}
	owned := i.do(t, i.owned, "weir")
	for _, place := range places {
		if !strings.Contains(owned, place+"\n") {
			t.Errorf("the package does not own %s", place)
		}
	}
	if altered := i.do(t, i.altered, "weir"); altered != "" {
		t.Errorf("files are not as the package has them: %s", altered)
	}
	config := filepath.Join(root, "etc/weir/weir.yaml") // the operator's own
	if err := os.WriteFile(config, []byte("providers: {sim: {kind: sim}}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	i.do(t, i.install, later)
	version("9.9.0")
	i.do(t, i.remove, "weir")
	if _, err := os.Stat(filepath.Join(root, "usr/bin/weir")); !os.IsNotExist(err) {
		t.Errorf("the program stays: %v", err)
	}
	if _, err := os.Stat(config); err != nil {
		t.Errorf("the operator's config goes with the package: %v", err)
	}
	if out, err := exec.Command(i.program, append(append([]string{}, i.owned...), "weir")...).CombinedOutput(); err == nil {
		t.Errorf("it is still installed: %s", out)
	}
}
