package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// compile makes the program for each system, and for this one, which then describes itself.
func (r *release) compile() error {
	r.programs = map[string]string{}
	for _, system := range append(slices.Clone(r.systems), host) {
		if r.programs[system] != "" {
			continue
		}
		goos, goarch, ok := strings.Cut(system, "/")
		if !ok {
			return fmt.Errorf("%q is no system: give one such as linux/amd64", system)
		}
		file := filepath.Join(r.scratch, "weir-"+goos+"-"+goarch)
		// The Go release that go.mod names, and none of the caller's settings for building.
		environment := []string{"CGO_ENABLED=0", "GOOS=" + goos, "GOARCH=" + goarch, "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=", "GOEXPERIMENT=", "GOWORK=off"}
		flags := "-s -w -buildid= -X github.com/weirproxy/weir/internal/version.number=" + r.number()
		if _, err := r.command(environment, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", file, "./cmd/weir"); err != nil {
			return err
		}
		r.programs[system] = file
	}
	return nil
}

// describe has the program write its manual page and the completion of shells, which go beside it.
func (r *release) describe() error {
	program := r.programs[host]
	manual, err := r.manual(program)
	if err != nil {
		return err
	}
	r.extras = []entry{{name: "man/weir.1", text: manual}}
	for shell, name := range map[string]string{"bash": "completion/weir.bash", "zsh": "completion/_weir", "fish": "completion/weir.fish"} {
		text, err := r.command(nil, program, "completion", shell)
		if err != nil {
			return err
		}
		r.extras = append(r.extras, entry{name: name, text: text})
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "deploy/systemd/weir.service", "deploy/systemd/weir.socket"} {
		text, err := os.ReadFile(filepath.Join(r.root, name))
		if err != nil {
			return err
		}
		if strings.HasPrefix(name, "deploy/") {
			name = strings.TrimPrefix(name, "deploy/")
		}
		r.extras = append(r.extras, entry{name: name, text: text})
	}
	if r.parts, err = r.consistsOf(); err != nil {
		return err
	}
	r.extras = append(r.extras, entry{name: "THIRD-PARTY-LICENSES.txt", text: licences(r.parts)})
	return nil
}

// commandLine is a line of the help that lists a command.
var commandLine = regexp.MustCompile(`(?m)^  ([a-z][a-z -]*[a-z])(?:  .*)?$`)

// manual is the manual page: the help of every command, word for word.
func (r *release) manual(program string) ([]byte, error) {
	var page strings.Builder
	fmt.Fprintf(&page, ".TH WEIR 1 %s \"weir %s\"\n.SH NAME\nweir \\- a self-hosted proxy for language models\n", r.time.Format("2006-01-02"), r.number())
	var add func(command []string) error
	add = func(command []string) error {
		text, err := r.command([]string{"COLUMNS=80"}, program, append([]string{"help"}, command...)...)
		if len(command) == 0 {
			text, err = r.command([]string{"COLUMNS=80"}, program, "--help")
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(&page, ".SH \"%s\"\n.nf\n%s.fi\n", strings.ToUpper(strings.Join(append([]string{"weir"}, command...), " ")), roff(string(text)))
		_, list, below := strings.Cut(string(text), "\nCommands:\n")
		if !below {
			return nil
		}
		for _, found := range commandLine.FindAllStringSubmatch(list, -1) {
			if name := strings.Fields(found[1]); len(name) == len(command)+1 {
				if err := add(name); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := add(nil); err != nil {
		return nil, err
	}
	return []byte(page.String()), nil
}

// roff has troff show a text as it is.
func roff(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		line = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(line)
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line
		}
		out.WriteString(line)
	}
	return out.String()
}
