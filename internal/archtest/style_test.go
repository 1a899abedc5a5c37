package archtest

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Limits of what can be read in one sitting.
const (
	fileLines     = 500
	testLines     = 700 // tables are long, but read by the row
	functionLines = 60
	parameters    = 6
)

// longer may exceed a limit, each for a reason. Keys are a file, or a file and a function.
var longer = map[string]string{
	"internal/app/app.go New": "one straight function on purpose: the order of its steps is the order of the dependencies",
}

func TestSizes(t *testing.T) {
	t.Parallel()
	tr := load(t)
	used := map[string]bool{}
	over := func(key string, have, most int, what string) {
		if have <= most {
			return
		}
		used[key] = true
		if longer[key] == "" {
			t.Errorf("%s has %d %s, more than %d: split it, or give a reason in this test", key, have, what, most)
		}
	}
	for _, r := range tr.rooms {
		for _, f := range r.files {
			most := fileLines
			if f.test {
				most = testLines
			}
			over(f.name, f.lines, most, "lines")
			for _, d := range f.syntax.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Body == nil {
					continue
				}
				key := f.name + " " + fn.Name.Name
				over(key, fn.Type.Params.NumFields(), parameters, "parameters")
				if !f.test {
					over(key, tr.line(fn.End())-tr.line(fn.Pos())+1, functionLines, "lines")
				}
			}
		}
	}
	for key := range longer {
		if !used[key] {
			t.Errorf("%s needs no exception any more: remove it", key)
		}
	}
}

func (tr *tree) line(p token.Pos) int { return tr.fset.Position(p).Line }

// TestNoHiddenState: what a package does must follow from its calls, not from init functions or variables that
// code changes.
func TestNoHiddenState(t *testing.T) {
	t.Parallel()
	tr := load(t)
	for _, r := range tr.rooms {
		for _, f := range r.files {
			for _, d := range f.syntax.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
					t.Errorf("%s: init() runs without being called", tr.fset.Position(fn.Pos()))
				}
			}
		}
		for _, p := range tr.assignments(r) {
			t.Errorf("%s: a package variable is changed; pass a value instead", tr.fset.Position(p))
		}
	}
}

// assignments finds what changes the room's package variables: assignments to them, to their elements or members, and
// counting. Imports are not resolved, which identifiers of the package itself do not need.
func (tr *tree) assignments(r *room) []token.Pos {
	byPackage := map[string][]*ast.File{}
	for _, f := range r.code() {
		byPackage[f.syntax.Name.Name] = append(byPackage[f.syntax.Name.Name], f.syntax)
	}
	var found []token.Pos
	for name, parsed := range byPackage {
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
		conf := types.Config{Importer: noImports{}, Error: func(error) {}}
		pkg, _ := conf.Check(name, tr.fset, parsed, info) // errors are about imports
		shared := func(e ast.Expr) {
			id := base(e)
			if id == nil {
				return
			}
			if v, ok := info.Uses[id].(*types.Var); ok && v.Parent() == pkg.Scope() {
				found = append(found, e.Pos())
			}
		}
		for _, f := range parsed {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.AssignStmt:
					for _, e := range n.Lhs {
						shared(e)
					}
				case *ast.IncDecStmt:
					shared(n.X)
				case *ast.RangeStmt:
					if n.Tok == token.ASSIGN {
						shared(n.Key)
						shared(n.Value)
					}
				}
				return true
			})
		}
	}
	return found
}

// base is the variable that an expression such as v.a[i].b begins with, or nil.
func base(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// noImports makes every import an empty package.
type noImports struct{}

func (noImports) Import(name string) (*types.Package, error) {
	p := types.NewPackage(name, path.Base(name))
	p.MarkComplete()
	return p, nil
}

// TestNoUntypedMaps: values that are text to one part and a number to another are how gateways lose data.
func TestNoUntypedMaps(t *testing.T) {
	t.Parallel()
	tr := load(t)
	for _, r := range tr.rooms {
		for _, f := range r.code() {
			ast.Inspect(f.syntax, func(n ast.Node) bool {
				if m, ok := n.(*ast.MapType); ok && isAny(m.Value) {
					if key, ok := m.Key.(*ast.Ident); ok && key.Name == "string" {
						t.Errorf("%s: map[string]any: give the value a type, or keep its JSON", tr.fset.Position(m.Pos()))
					}
				}
				return true
			})
		}
	}
}

func isAny(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "any"
	case *ast.InterfaceType:
		return len(e.Methods.List) == 0
	}
	return false
}

// TestDocComments: everything exported says what it is.
func TestDocComments(t *testing.T) {
	t.Parallel()
	tr := load(t)
	for _, r := range tr.rooms {
		for _, f := range r.code() {
			for _, d := range f.syntax.Decls {
				for _, name := range undocumented(d) {
					t.Errorf("%s: %s has no doc comment", tr.fset.Position(d.Pos()), name)
				}
			}
		}
		if !slices.ContainsFunc(r.files, func(f *goFile) bool { return f.syntax.Doc != nil }) {
			t.Errorf("%s has no package comment", r.name)
		}
	}
}

func undocumented(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && d.Name.IsExported() && !onUnexported(d) && !obvious(d) {
			return []string{d.Name.Name}
		}
	case *ast.GenDecl:
		var names []string
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if d.Doc == nil && s.Doc == nil && s.Name.IsExported() {
					names = append(names, s.Name.Name)
				}
			case *ast.ValueSpec:
				exported := slices.ContainsFunc(s.Names, (*ast.Ident).IsExported)
				if d.Doc == nil && s.Doc == nil && s.Comment == nil && exported {
					names = append(names, s.Names[0].Name)
				}
			}
		}
		return names
	}
	return nil
}

// onUnexported reports whether the function is a method of a type that only its own room sees.
func onUnexported(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return false
	}
	e := d.Recv.List[0].Type
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	id := base(e)
	return id == nil || !id.IsExported()
}

// obvious are methods whose meaning the interface fixes that they are for.
func obvious(d *ast.FuncDecl) bool {
	return d.Recv != nil && slices.Contains([]string{"Error", "Unwrap", "String", "Help", "Len", "Less", "Swap"}, d.Name.Name)
}

// TestTests: no sleeping, but where time is simulated, and no skipping without a word.
func TestTests(t *testing.T) {
	t.Parallel()
	tr := load(t)
	for _, r := range tr.rooms {
		for _, f := range r.files {
			if !f.test && !r.support() {
				continue
			}
			simulated := slices.Contains(f.imports, "testing/synctest")
			selectors(f, func(s *ast.SelectorExpr, pkg string) {
				if pkg == "time" && s.Sel.Name == "Sleep" && !simulated {
					t.Errorf("%s: time.Sleep in a test: wait for what you wait for", tr.fset.Position(s.Pos()))
				}
			})
			ast.Inspect(f.syntax, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 0 && isSkip(call.Fun) {
					t.Errorf("%s: a skip must say why", tr.fset.Position(call.Pos()))
				}
				return true
			})
		}
	}
}

// isSkip knows the skips of testing by the names that its values usually have.
func isSkip(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Skip" && s.Sel.Name != "SkipNow" {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && slices.Contains([]string{"t", "b", "f", "tb"}, x.Name)
}

var nolint = regexp.MustCompile(`^//\s*(?:nolint|lint:)`)

// TestSilencedLinters: a linter is silenced only for a reason, as in "//nolint:name // why" and "//lint:ignore name why".
func TestSilencedLinters(t *testing.T) {
	t.Parallel()
	tr := load(t)
	for _, r := range tr.rooms {
		for _, f := range r.files {
			for _, group := range f.syntax.Comments {
				for _, c := range group.List {
					_, reason, _ := strings.Cut(strings.TrimPrefix(c.Text, "//"), "//")
					if nolint.MatchString(c.Text) && reason == "" && len(strings.Fields(c.Text)) < 3 {
						t.Errorf("%s: say why the linter is wrong here", tr.fset.Position(c.Pos()))
					}
				}
			}
		}
	}
}
