package main

import (
	"bytes"
	"cmp"
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// part is something that the programs consist of, beside Weir itself.
type part struct {
	name, version string
	home          string // a package URL: https://github.com/package-url/purl-spec
	licence       string // an expression of SPDX, or unknown
	text          []byte // all its licences and notices
}

// consistsOf finds the parts: Go itself, the modules that are in any of the programs, and what the console has in web/vendor.
func (r *release) consistsOf() ([]part, error) {
	modules := map[string]string{}
	var compiler string
	for _, file := range r.programs {
		info, err := buildinfo.ReadFile(file)
		if err != nil {
			return nil, err
		}
		compiler = strings.TrimPrefix(info.GoVersion, "go")
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			modules[m.Path] = m.Version
		}
	}
	folder, err := r.command(nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	golang, err := newPart("go", compiler, "pkg:golang/std@"+compiler, strings.TrimSpace(string(folder)))
	if err != nil {
		return nil, err
	}
	parts := []part{golang}
	for path, version := range modules {
		folder, err := r.command(nil, "go", "list", "-m", "-f", "{{.Dir}}", path)
		if err != nil {
			return nil, err
		}
		p, err := newPart(path, version, "pkg:golang/"+path+"@"+version, strings.TrimSpace(string(folder)))
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	vendored, err := r.vendored()
	if err != nil {
		return nil, err
	}
	parts = append(parts, vendored...)
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.name, b.name) })
	return parts, nil
}

// packageVersion is where a package of npm says which it is.
var packageVersion = regexp.MustCompile(`(?m)^\s*"version":\s*"([^"]+)"`)

func (r *release) vendored() (parts []part, err error) {
	folders, err := filepath.Glob(filepath.Join(r.root, "web", "vendor", "*", "package.json"))
	if err != nil {
		return nil, err
	}
	for _, file := range folders {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		name, version := filepath.Base(filepath.Dir(file)), packageVersion.FindSubmatch(text)
		if version == nil {
			return nil, fmt.Errorf("%s has no version", file)
		}
		p, err := newPart(name, string(version[1]), "pkg:npm/"+name+"@"+string(version[1]), filepath.Dir(file))
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// licenceFile is the name of a file that must go with a part.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|unlicense)`)

// newPart reads the licences in a folder. A part without one may not be given away.
func newPart(name, version, home, folder string) (part, error) {
	p := part{name: name, version: version, home: home}
	files, err := os.ReadDir(folder)
	if err != nil {
		return p, err
	}
	for _, f := range files {
		if !licenceFile.MatchString(f.Name()) || f.IsDir() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			return p, err
		}
		p.text = append(p.text, bytes.TrimSpace(text)...)
		p.text = append(p.text, "\n\n"...)
	}
	if len(p.text) == 0 {
		return p, fmt.Errorf("%s %s has no licence in %s", name, version, filepath.Base(folder))
	}
	p.licence = licenceOf(p.text)
	return p, nil
}

// marks are words by which a licence is known.
var marks = []struct{ id, words string }{
	{"Apache-2.0", "Apache License Version 2.0"},
	{"MPL-2.0", "Mozilla Public License Version 2.0"},
	{"BSD-3-Clause", "Neither the name of"},
	{"BSD-3-Clause", "The name of the author may not be used"},
	{"BSD-2-Clause", "Redistributions in binary form must reproduce"},
	{"ISC", "Permission to use, copy, modify, and/or distribute this software"},
	{"MIT", "Permission is hereby granted, free of charge, to any person obtaining"},
}

// licenceOf names all licences that a text has, as an expression of SPDX: a module may hold code of several makers.
func licenceOf(text []byte) string {
	plain := strings.Join(strings.Fields(string(text)), " ")
	var ids []string
	for _, m := range marks {
		has := strings.Contains(plain, m.words) && !slices.Contains(ids, m.id)
		if m.id == "BSD-2-Clause" && slices.Contains(ids, "BSD-3-Clause") {
			has = false // whose words are among those of the longer one
		}
		if has {
			ids = append(ids, m.id)
		}
	}
	if len(ids) == 0 {
		return unknown
	}
	return strings.Join(ids, " AND ")
}

// licences is the file that goes with the program.
func licences(parts []part) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "The program weir consists of its own code (see LICENSE) and of the following.\n\n")
	for _, p := range parts {
		fmt.Fprintf(&out, "%s\n%s %s (%s)\n%s\n\n%s", strings.Repeat("=", 80), p.name, p.version, p.licence, strings.Repeat("=", 80), p.text)
	}
	return out.Bytes()
}

// host is this system, whose program describes itself.
const host = runtime.GOOS + "/" + runtime.GOARCH
