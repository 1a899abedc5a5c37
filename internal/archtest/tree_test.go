// Package archtest holds the rules of ARCHITECTURE.md as tests, each with its reason. It has no code but tests.
package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// module is the path of the product's module.
const module = "github.com/weirproxy/weir/"

// root is the repository's, seen from here.
const root = "../.."

// goFile is one parsed Go file of the product's module.
type goFile struct {
	name    string // from the repository's root
	test    bool
	lines   int
	syntax  *ast.File
	imports []string
}

// room is one package: a folder of Go files.
type room struct {
	name  string // from the repository's root, such as internal/llm
	files []*goFile
}

// support reports whether the room exists for tests only: it imports testing outside of its tests.
func (r *room) support() bool { return slices.Contains(r.imports(), "testing") }

// imports are what the room's code imports, tests left out, sorted.
func (r *room) imports() []string {
	var all []string
	for _, f := range r.files {
		if !f.test {
			all = append(all, f.imports...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// code are the room's files without its tests.
func (r *room) code() []*goFile {
	return slices.DeleteFunc(slices.Clone(r.files), func(f *goFile) bool { return f.test })
}

// tree is the product's module, parsed.
type tree struct {
	fset  *token.FileSet
	rooms []*room // sorted by name
}

// files calls f for each file in the repository, with its path from the root. Folders that hold what was installed or
// built are left out.
func files(t *testing.T, f func(name string)) {
	t.Helper()
	skipped := []string{".git", ".cache", "bin", "node_modules", "weir-data", "__pycache__", ".venv"}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains(skipped, d.Name()) || filepath.ToSlash(name) == root+"/web/vendor" { // what is there is others', as they publish it
				return fs.SkipDir
			}
			return nil
		}
		if d.Name() == ".git" { // a worktree's, which points to the repository that it belongs to
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err == nil {
			f(filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// load parses the Go files of the product's module. Folders with a go.mod of their own are other modules; files that
// are never built are not code.
func load(t *testing.T) *tree {
	t.Helper()
	tr := &tree{fset: token.NewFileSet()}
	byName := map[string]*room{}
	files(t, func(name string) {
		if !strings.HasSuffix(name, ".go") || foreign(name) {
			return
		}
		f := parse(t, tr.fset, name)
		if f == nil {
			return
		}
		dir := path.Dir(name)
		if byName[dir] == nil {
			byName[dir] = &room{name: dir}
			tr.rooms = append(tr.rooms, byName[dir])
		}
		byName[dir].files = append(byName[dir].files, f)
	})
	slices.SortFunc(tr.rooms, func(a, b *room) int { return strings.Compare(a.name, b.name) })
	if len(tr.rooms) < 5 {
		t.Fatalf("found only %d packages: is %s the repository's root?", len(tr.rooms), root)
	}
	return tr
}

// foreign reports whether the file belongs to another module.
func foreign(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if _, err := os.Stat(filepath.Join(root, dir, "go.mod")); err == nil {
			return true
		}
	}
	return false
}

func parse(t *testing.T, fset *token.FileSet, name string) *goFile {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	syntax, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(src[:fset.Position(syntax.Package).Offset]), "//go:build never") {
		return nil
	}
	f := &goFile{
		name: name, test: strings.HasSuffix(name, "_test.go"), syntax: syntax,
		lines: strings.Count(string(src), "\n"),
	}
	for _, spec := range syntax.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		f.imports = append(f.imports, imported)
	}
	return f
}

// matches reports whether a package's name is the pattern's, or below it if that ends in /... .
func matches(pattern, name string) bool {
	dir, below := strings.CutSuffix(pattern, "/...")
	return name == dir || below && strings.HasPrefix(name, dir+"/")
}

func anyMatches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, name) })
}

// ours turns an import path into a room's name; ok is false for other modules and the standard library.
func ours(imported string) (name string, ok bool) { return strings.CutPrefix(imported, module) }

// standard reports whether the import path is the standard library's.
func standard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".")
}
