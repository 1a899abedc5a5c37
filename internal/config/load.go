// Package config reads Weir's config file: strictly, reporting every error at once with its line and
// column. The structs' field comments are the manual, which `weir schema` prints.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// maxFile bounds the config file and every file that it names, in bytes.
const maxFile = 4 << 20

// Loader reads config files. It holds what a file may refer to; it is not changed by use and may be used
// from many goroutines.
type Loader struct {
	// Kinds are the kinds of provider there are.
	Kinds []Kind
	// Known reports whether anything is known of a kind's model, which `like` may then name; nil does not
	// check it.
	Known func(kind, model string) bool
	// Env looks up an environment variable; nil knows none.
	Env func(name string) (value string, set bool)
	// Own is host:port where this Weir itself listens, "" if it is not known. Variables that clients use to find it, and their
	// keys, do not count as providers.
	Own string
	// OurKey reports whether a value is an API key of Weir's, which no vendor is to see; nil knows none.
	OurKey func(value string) bool
	// ReadFile reads the config file and the files it names; nil reads from disk.
	ReadFile func(path string) ([]byte, error)
	// WithoutSecrets neither looks up variables nor reads the files that the config names. Their contents are not checked, and a
	// value with a ${…} in it keeps its default. The Config is then good for looking at, not for use.
	WithoutSecrets bool
	// Sources reads what references stand for, one Reading for each of wanted, in their order; it is called with files alone, one at a time
	// and without settings, and with all others together. nil reads files from disk, and nothing else.
	Sources func(settings *Secrets, wanted []Reference) []Reading
	// WithoutCalls asks no Vault and runs no program: values that come from there are not checked. The Config is then
	// good for looking at, as that of WithoutSecrets.
	WithoutCalls bool
	// Only names the top-level fields to read, for programs that need few of them and may lack the variables and files
	// of the rest. nil reads and checks all.
	Only []string
}

// Load reads and checks the file at path. Its error is an Errors.
func (l Loader) Load(path string) (*Config, error) {
	data, err := l.readFile(path)
	if err != nil {
		return nil, Errors{{File: path, Message: "cannot read the config file: " + reason(err)}}
	}
	return l.Parse(path, data)
}

// Parse checks data as the content of the file called name, "-" for standard input. Relative paths in it
// start from name's folder, for "-" from the working directory. Its error is an Errors.
//
// A config that refers to Vault or to programs is read twice: without these values first, so that a mistake in it makes no call.
func (l Loader) Parse(name string, data []byte) (*Config, error) {
	d, cfg, err := l.parse(name, data, map[Reference]Reading{})
	if err != nil || len(d.wanted) == 0 || l.WithoutCalls {
		return cfg, err
	}
	if l.Only != nil && !slices.Contains(l.Only, "secrets") { // it says how to read what is wanted
		l.Only = append(slices.Clone(l.Only), "secrets")
		if d, cfg, err = l.parse(name, data, d.readings); err != nil {
			return nil, err
		}
	}
	readings := d.ask(&cfg.Secrets)
	if len(d.errs) > 0 {
		return nil, d.errs.sorted()
	}
	_, cfg, err = l.parse(name, data, readings)
	return cfg, err
}

// parse is Parse with the values that are known. What else is wanted is in the decoder.
func (l Loader) parse(name string, data []byte, readings map[Reference]Reading) (*decoder, *Config, error) {
	d := &decoder{
		file: name, loader: &l, readings: readings,
		at: map[any]place{}, key: map[any]place{}, failed: map[any]bool{}, source: map[any]string{}, written: map[any]string{},
	}
	cfg := &Config{Path: name}
	origin := "."
	if name == "-" {
		d.file = "stdin"
	} else {
		origin = filepath.Dir(name)
	}
	dir, err := filepath.Abs(origin)
	if err != nil {
		return nil, nil, Errors{{File: d.file, Message: "cannot find the folder that relative paths start from: " + reason(err)}}
	}
	d.dir = dir
	if name != "-" {
		d.files = append(d.files, d.path(filepath.Base(name)))
	}
	cfg.setDefaults()
	root := d.syntax(data)
	if root != nil {
		l.keepOnly(root)
		d.value(root, reflect.ValueOf(cfg).Elem(), "the config")
	}
	// What YAML could not read has nothing left to check; an empty file has no root and is fine.
	if d.usable(cfg) && (root != nil || len(d.errs) == 0) {
		d.check(cfg)
	}
	if len(d.errs) > 0 {
		return nil, nil, d.errs.sorted()
	}
	if l.Only == nil {
		d.warn(cfg)
		cfg.Warnings = d.warnings.sorted()
	}
	cfg.Files, cfg.References = d.files, d.references
	d.remember(cfg)
	return d, cfg, nil
}

// keepOnly takes the fields out of the root that are not to be read.
func (l Loader) keepOnly(root *yaml.Node) {
	if l.Only == nil || root.Kind != yaml.MappingNode {
		return
	}
	var kept []*yaml.Node
	for i := 0; i+1 < len(root.Content); i += 2 {
		if slices.Contains(l.Only, root.Content[i].Value) {
			kept = append(kept, root.Content[i], root.Content[i+1])
		}
	}
	root.Content = kept
}

// syntax parses the file into one node; nil if it is empty or not YAML.
func (d *decoder) syntax(data []byte) *yaml.Node {
	if len(data) > maxFile {
		d.errorf(place{1, 1}, "the config file is larger than %s: is it the right file?", Size(maxFile))
		return nil
	}
	loader, err := yaml.NewLoader(bytes.NewReader(data))
	if err != nil {
		d.syntaxError(data, err)
		return nil
	}
	var document, second yaml.Node
	if err := loader.Load(&document); errors.Is(err, io.EOF) {
		return nil
	} else if err != nil {
		d.syntaxError(data, err)
		return nil
	}
	switch err := loader.Load(&second); {
	case err == nil:
		d.errorf(placeOf(&second), "a second document begins here: a config file has one, so remove the --- line")
		return nil
	case !errors.Is(err, io.EOF):
		d.syntaxError(data, err)
		return nil
	}
	if len(document.Content) == 0 {
		return nil
	}
	return document.Content[0]
}

// syntaxError reports that data is not YAML, with a hint where the usual mistakes show.
func (d *decoder) syntaxError(data []byte, err error) {
	at, message := unreadable(data), err.Error()
	var e *yaml.LoadError
	if errors.As(err, &e) {
		message = e.Message
		if e.ContextMsg != "" && e.ContextMark.Line > 0 {
			message += fmt.Sprintf(" (%s that begins on line %d)", e.ContextMsg, e.ContextMark.Line)
		}
		if e.Mark.Line > 0 {
			at = place{e.Mark.Line, max(e.Mark.Column, 1)}
		}
	}
	lines := strings.Split(lineBreaks.Replace(string(data)), "\n")
	if at.line > len(lines) { // the parser noticed it after the end
		at = place{len(lines), maxFile}
	}
	line := lines[at.line-1]
	at.column = min(at.column, utf8.RuneCountInString(line)+1)
	switch {
	case strings.HasPrefix(strings.TrimLeft(line, " "), "\t"):
		message += ": indent with spaces, not tabs"
	case strings.Contains(line, "${"):
		message += `: put values with ${…} in quotes, "${VAR}"`
	case strings.Contains(line, "*"):
		message += `: put names that begin with * in quotes, "*"`
	}
	d.errorf(at, "not valid YAML: %s", message)
}

// lineBreaks turns all that ends a line in YAML into a newline.
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// unreadable is the place of the first character that YAML does not allow, for errors that do not say.
func unreadable(data []byte) place {
	at := place{1, 1}
	for i, r := range string(data) {
		switch {
		case r == '\n':
			at = place{at.line + 1, 1}
			continue
		case r < ' ' && r != '\t' && r != '\r', r >= 0x7f && r < 0xa0 && r != 0x85, r == 0xfffe, r == 0xffff:
			return at
		case r == '\uFFFD' && !bytes.HasPrefix(data[i:], []byte("\uFFFD")):
			return at
		}
		at.column++
	}
	return place{1, 1}
}

// path makes a path of the file absolute.
func (d *decoder) path(p string) string { return absoluteFrom(d.dir, p) }

func absoluteFrom(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// read reads a file that the config names, and remembers that it did. An error says why in a few words.
func (d *decoder) read(path string) ([]byte, error) {
	d.noteFile(path)
	data, err := d.loader.readFile(path)
	if err != nil {
		return nil, errors.New(reason(err))
	}
	return data, nil
}

// noteFile remembers a file that the config names.
func (d *decoder) noteFile(path string) {
	if !slices.Contains(d.files, path) {
		d.files = append(d.files, path)
	}
}

func (l *Loader) readFile(path string) ([]byte, error) {
	if l.ReadFile != nil {
		return l.ReadFile(path)
	}
	return ReadFile(path)
}

// ReadFile reads a config file, or one that it names, from disk.
func ReadFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // only read, so its error does not matter
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("it is larger than %s", Size(maxFile))
	}
	return data, err
}

// reason is the cause of a file error alone; the message around it names the file already.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
