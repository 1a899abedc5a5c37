package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

// places are where packages put what archives have. The completion of zsh has a place that all distributions read.
var places = map[string]string{
	"man/weir.1":               "/usr/share/man/man1/weir.1",
	"completion/weir.bash":     "/usr/share/bash-completion/completions/weir",
	"completion/_weir":         "/usr/share/zsh/site-functions/_weir",
	"completion/weir.fish":     "/usr/share/fish/vendor_completions.d/weir.fish",
	"systemd/weir.service":     "/usr/lib/systemd/system/weir.service",
	"systemd/weir.socket":      "/usr/lib/systemd/system/weir.socket",
	"LICENSE":                  "/usr/share/doc/weir/LICENSE",
	"README.md":                "/usr/share/doc/weir/README.md",
	"CHANGELOG.md":             "/usr/share/doc/weir/CHANGELOG.md",
	"THIRD-PARTY-LICENSES.txt": "/usr/share/doc/weir/THIRD-PARTY-LICENSES.txt",
}

// packages makes a package of each kind for each Linux. They start nothing: the operator writes a config first.
func (r *release) packages() error {
	for _, system := range r.systems {
		goarch, isLinux := strings.CutPrefix(system, "linux/")
		if !isLinux {
			continue
		}
		contents, err := r.contents(system)
		if err != nil {
			return err
		}
		for _, kind := range []string{"deb", "rpm"} {
			if err := r.pack(kind, goarch, contents); err != nil {
				return fmt.Errorf("%s for %s: %w", kind, system, err)
			}
		}
	}
	return nil
}

// contents are the files of a package, which nfpm reads from a folder.
func (r *release) contents(system string) (files.Contents, error) {
	folder, err := os.MkdirTemp(r.scratch, "package-")
	if err != nil {
		return nil, err
	}
	at := func(mode os.FileMode) *files.ContentFileInfo {
		return &files.ContentFileInfo{Owner: "root", Group: "root", Mode: mode, MTime: r.time}
	}
	all := files.Contents{
		{Source: r.programs[system], Destination: "/usr/bin/weir", FileInfo: at(0o755)},
		{Destination: "/etc/weir", Type: files.TypeDir, FileInfo: at(0o755)},
	}
	for _, e := range r.extras {
		place, known := places[e.name]
		if !known {
			return nil, fmt.Errorf("%s has no place in a package", e.name)
		}
		text := e.text
		if e.name == "systemd/weir.service" {
			text = []byte(strings.ReplaceAll(string(text), "/usr/local/bin/weir", "/usr/bin/weir")) // where packages may put it
		}
		file := filepath.Join(folder, strings.ReplaceAll(e.name, "/", "-"))
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return nil, err
		}
		all = append(all, &files.Content{Source: file, Destination: place, FileInfo: at(0o644)})
	}
	return all, nil
}

func (r *release) pack(kind, goarch string, contents files.Contents) error {
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "weir", Arch: goarch, Platform: "linux", Version: r.number(), Release: "1", Section: "net", Priority: "optional",
		Maintainer: "The Weir developers <weir@users.noreply.github.com>", Vendor: "Weir", Homepage: "https://github.com/weirproxy/weir",
		Description: "A self-hosted proxy for language models\nOne OpenAI-compatible endpoint in front of many providers, with keys, limits,\nbudgets and an exact account.",
		License:     "Apache-2.0", MTime: r.time, DisableGlobbing: true,
		Overridables: nfpm.Overridables{Contents: contents, RPM: nfpm.RPM{BuildHost: "localhost", Summary: "A self-hosted proxy for language models"}, Deb: nfpm.Deb{Compression: "gzip"}},
	})
	packager, err := nfpm.Get(kind)
	if err != nil {
		return err
	}
	if err := nfpm.PrepareForPackager(info, kind); err != nil {
		return err
	}
	out, err := os.Create(filepath.Join(r.out, packager.ConventionalFileName(info)))
	if err != nil {
		return err
	}
	if err := packager.Package(info, out); err != nil {
		_ = out.Close()
		return err
	}
	return out.Close()
}
