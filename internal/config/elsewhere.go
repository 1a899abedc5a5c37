package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/secret"
)

// Scheme says what a reference refers to.
type Scheme string

// The schemes there are.
const (
	SchemeFile  Scheme = "file"  // the content of a file
	SchemeVault Scheme = "vault" // a field of a secret in Vault
	SchemeExec  Scheme = "exec"  // what a program prints
)

// Schemes are all of them.
func Schemes() []Scheme { return []Scheme{SchemeFile, SchemeVault, SchemeExec} }

// Reference is what a config has in place of a value, such as ${vault:secret/data/openai#key}. References are comparable.
type Reference struct {
	Scheme Scheme
	Name   string // of a file its absolute path; else what is written after the colon
	Dir    string // the folder that a program runs in
}

// String is the reference as errors and the log show it: of a program without its arguments, which may hold anything.
func (r Reference) String() string {
	if r.Scheme == SchemeExec {
		if argv, err := r.Command(); err == nil && len(argv) > 1 {
			return fmt.Sprintf("${exec:%s …}", argv[0])
		} else if err != nil {
			return "${exec:…}"
		}
	}
	return fmt.Sprintf("${%s:%s}", r.Scheme, r.Name)
}

// Reading is what a reference stands for now, or why that cannot be said. Its error never holds a secret.
type Reading struct {
	Value secret.Text
	Err   error
}

// check reports a reference that cannot be read, whatever is there.
func (r Reference) check() error {
	switch r.Scheme {
	case SchemeVault:
		_, _, err := r.Field()
		return err
	case SchemeExec:
		_, err := r.Command()
		return err
	}
	return nil
}

// Field is the path of a secret in Vault, as its API has it, and the field there.
func (r Reference) Field() (path, field string, err error) {
	path, field, _ = strings.Cut(r.Name, "#")
	switch parts := strings.Split(path, "/"); {
	case field == "" || path == "":
		return "", "", errors.New("it names no path, or no field: write ${vault:PATH#FIELD}, such as ${vault:secret/data/openai#api_key}")
	case !printable(r.Name):
		return "", "", fmt.Errorf("path and field must be printable, and together at most %d bytes", maxName)
	case strings.Contains(path, "?"):
		return "", "", errors.New("the path has a ?, and no version can be chosen: the newest is read")
	case badPath(path):
		return "", "", errors.New("the path must be like secret/data/openai: without a slash at either end, and without parts that are empty or only dots")
	case !slices.Contains(parts[min(1, len(parts)-1):len(parts)-1], "data"):
		return "", "", fmt.Errorf("the path must be that of Vault's API, with data after the name of the engine: such as ${vault:%s}", withData(parts, field))
	}
	return path, field, nil
}

// withData is what was probably meant by a path without data.
func withData(parts []string, field string) string {
	switch {
	case parts[len(parts)-1] == "data":
		return strings.Join(parts, "/") + "/NAME#" + field
	case len(parts) == 1:
		return "secret/data/" + parts[0] + "#" + field
	}
	return parts[0] + "/data/" + strings.Join(parts[1:], "/") + "#" + field
}

// badPath reports whether a path of Vault has parts that lead elsewhere.
func badPath(path string) bool {
	return !printable(path) || slices.ContainsFunc(strings.Split(path, "/"), func(part string) bool { return part == "" || part == "." || part == ".." })
}

// Command is the program and its arguments. They are separated by spaces; quotes of either sort hold one together, and nothing else has a
// meaning. No shell is between.
func (r Reference) Command() ([]string, error) {
	var argv []string
	rest := r.Name
	for {
		rest = strings.TrimLeft(rest, " \t\r\n")
		if rest == "" {
			break
		}
		word, after, err := firstWord(rest)
		if err != nil {
			return nil, err
		}
		argv, rest = append(argv, word), after
	}
	if len(argv) == 0 || argv[0] == "" {
		return nil, errors.New("it names no program: write ${exec:PROGRAM ARGUMENTS}")
	}
	for _, word := range argv {
		if strings.ContainsRune(word, 0) {
			return nil, errors.New("it holds a NUL, which no argument can have")
		}
	}
	if i := slices.IndexFunc(argv, func(word string) bool { return slices.Contains(operators(), word) }); i >= 0 {
		return nil, fmt.Errorf("%s means something to a shell, and none is used: write ${exec:sh -c '…'} if one is meant", argv[i])
	}
	return argv, nil
}

// operators are words that only a shell understands.
func operators() []string {
	return []string{"|", "||", "&&", "&", ";", ">", ">>", "<", "2>&1", "2>/dev/null"}
}

// firstWord cuts the first word off a text that begins with one.
func firstWord(text string) (word, rest string, err error) {
	var b strings.Builder
	for text != "" {
		switch c := text[0]; c {
		case ' ', '\t', '\r', '\n':
			return b.String(), text, nil
		case '\'', '"':
			quoted, after, closed := strings.Cut(text[1:], string(c))
			if !closed {
				return "", "", fmt.Errorf("a quote %c is not closed (a } ends the reference, also within quotes)", c)
			}
			b.WriteString(quoted)
			text = after
		default:
			b.WriteByte(c)
			text = text[1:]
		}
	}
	return b.String(), "", nil
}

// wanted is a reference that the config refers to, and the place where it does first.
type wanted struct {
	reference Reference
	at        place
}

// elsewhere returns the value of a reference. Files are read at once. Other values are asked for together, when the rest of the config is known to
// be right: until then they are unknown.
func (d *decoder) elsewhere(scheme Scheme, name string, at place) (string, error) {
	ref := Reference{Scheme: scheme, Name: name}
	switch scheme {
	case SchemeFile:
		ref.Name = d.path(name)
	case SchemeExec:
		ref.Dir = d.dir
	}
	if err := ref.check(); err != nil {
		return "", fmt.Errorf("%v cannot be read: %w", ref, err)
	}
	if d.inSecrets && scheme != SchemeFile {
		return "", fmt.Errorf("%v cannot be used here, because secrets says how it is read: use a variable or a file", ref)
	}
	seen := slices.Contains(d.references, ref)
	if !seen {
		d.references = append(d.references, ref)
	}
	if d.loader.WithoutSecrets {
		return "", errUnknown
	}
	if scheme == SchemeFile {
		d.noteFile(ref.Name)
	}
	reading, known := d.readings[ref]
	switch {
	case known:
	case scheme == SchemeFile:
		reading = d.readFile(ref)
		d.readings[ref] = reading
	default:
		if !seen {
			d.wanted = append(d.wanted, wanted{ref, at})
		}
		return "", errUnknown
	}
	if reading.Err != nil {
		shown := ref.String()
		if scheme == SchemeFile {
			shown = "${file:" + name + "}"
		}
		return "", fmt.Errorf("cannot read %s: %w", shown, reading.Err)
	}
	return reading.Value.Reveal(), nil
}

// readFile reads ${file:…}.
func (d *decoder) readFile(ref Reference) Reading {
	if d.loader.Sources != nil {
		return d.loader.Sources(nil, []Reference{ref})[0]
	}
	return ReadingOf(d.loader.readFile(ref.Name))
}

// ReadingOf is the content of a file, as ${file:…} stands for it: without a line break at its end.
func ReadingOf(data []byte, err error) Reading {
	if err != nil {
		return Reading{Err: errors.New(reason(err))}
	}
	return Reading{Value: secret.New(strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r"))}
}

// ask reads what the config refers to, other than files. It returns nil if there is nothing to read, or if something is missing for it, which
// is then among the errors.
func (d *decoder) ask(s *Secrets) map[Reference]Reading {
	if d.loader.Sources == nil {
		d.errorf(d.wanted[0].at, "%v cannot be read by this program", d.wanted[0].reference)
		return nil
	}
	refs := make([]Reference, len(d.wanted))
	for i, w := range d.wanted {
		refs[i] = w.reference
	}
	if i := slices.IndexFunc(d.wanted, func(w wanted) bool { return w.reference.Scheme == SchemeVault }); i >= 0 {
		d.findVault(&s.Vault, d.wanted[i].at)
	}
	if len(d.errs) > 0 {
		return nil
	}
	for i, reading := range d.loader.Sources(s, refs) {
		d.readings[refs[i]] = reading
	}
	return d.readings
}
