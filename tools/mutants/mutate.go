package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// Mutant is one change to one file.
type Mutant struct {
	File   string // its name in the package
	Line   int
	Func   string // that it is in
	Kind   string
	Before string // the source that is replaced
	After  string

	start, end int // of Before in the file, in bytes
	order      string
}

// swaps are the operators that replace another, by kind.
var swaps = []struct {
	kind string
	of   map[token.Token]token.Token
}{
	{"boundary", map[token.Token]token.Token{token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR}},
	{"comparison", map[token.Token]token.Token{
		token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
	}},
	{"logic", map[token.Token]token.Token{token.LAND: token.LOR, token.LOR: token.LAND}},
	{"arithmetic", map[token.Token]token.Token{
		token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
		token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND, token.SHL: token.SHR, token.SHR: token.SHL,
		token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
		token.OR_ASSIGN: token.AND_ASSIGN, token.AND_ASSIGN: token.OR_ASSIGN, token.INC: token.DEC, token.DEC: token.INC,
	}},
}

// mutate finds all mutants of a file.
func mutate(name string, source []byte) ([]Mutant, error) {
	m := mutator{name: name, source: source, set: token.NewFileSet()}
	file, err := parser.ParseFile(m.set, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil {
			m.within(funcName(f), f.Type, f.Body)
		}
	}
	return m.all, nil
}

func funcName(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	typ := f.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	switch generic := typ.(type) {
	case *ast.IndexExpr:
		typ = generic.X
	case *ast.IndexListExpr:
		typ = generic.X
	}
	if id, ok := typ.(*ast.Ident); ok {
		return id.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

// mutator walks over a file.
type mutator struct {
	name   string
	source []byte
	set    *token.FileSet
	all    []Mutant
	in     string
}

func (m *mutator) offset(p token.Pos) int { return m.set.Position(p).Offset }

func (m *mutator) text(n ast.Node) string {
	return string(m.source[m.offset(n.Pos()):m.offset(n.End())])
}

func (m *mutator) add(kind string, from, to token.Pos, after string) {
	start, end := m.offset(from), m.offset(to)
	m.all = append(m.all, Mutant{
		File: m.name, Line: m.set.Position(from).Line, Func: m.in, Kind: kind, Before: string(m.source[start:end]), After: after, start: start, end: end,
	})
}

// within finds the mutants of a function's body. Functions in it return other types.
func (m *mutator) within(name string, typ *ast.FuncType, body *ast.BlockStmt) {
	m.in = name
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			m.within(name, n.Type, n.Body)
			return false
		case *ast.BinaryExpr:
			m.swap(n.Op, n.OpPos)
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				m.add("logic", n.OpPos, n.X.Pos(), "")
			}
		case *ast.IncDecStmt:
			m.swap(n.Tok, n.TokPos)
		case *ast.AssignStmt:
			m.swap(n.Tok, n.TokPos)
		case *ast.IfStmt:
			m.condition(n.Cond)
		case *ast.ForStmt:
			if n.Cond != nil {
				m.condition(n.Cond)
			}
		case *ast.ReturnStmt:
			m.results(typ, n)
		case *ast.BlockStmt:
			m.statements(n.List)
		case *ast.CaseClause:
			m.statements(n.Body)
		case *ast.CommClause:
			m.statements(n.Body)
		}
		return true
	})
}

func (m *mutator) swap(op token.Token, at token.Pos) {
	for _, s := range swaps {
		if other, ok := s.of[op]; ok {
			m.add(s.kind, at, at+token.Pos(len(op.String())), other.String())
		}
	}
}

// condition negates one that has no operator for a mutant of its own.
func (m *mutator) condition(cond ast.Expr) {
	switch cond.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr:
	default:
		m.add("logic", cond.Pos(), cond.End(), "!("+m.text(cond)+")")
	}
}

// results makes each of the values that are returned a zero one, or a bool the other. The value is computed all the same, so that
// nothing is left unused.
func (m *mutator) results(typ *ast.FuncType, r *ast.ReturnStmt) {
	var types []string
	if typ.Results != nil {
		for _, f := range typ.Results.List {
			for range max(len(f.Names), 1) {
				types = append(types, m.text(f.Type))
			}
		}
	}
	if len(types) != len(r.Results) { // a call that returns them all, or names
		return
	}
	for i, value := range r.Results {
		switch text := m.text(value); {
		case slices.Contains([]string{"nil", "0", `""`}, text) || strings.HasSuffix(text, "{}"):
		case types[i] == "bool":
			m.add("result", value.Pos(), value.End(), "!("+text+")")
		default:
			m.add("result", value.Pos(), value.End(), fmt.Sprintf("func(%s) (zero %s) { return }(%s)", types[i], types[i], text))
		}
	}
}

// statements leaves out each statement for which something is left to compile.
func (m *mutator) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt, *ast.SendStmt, *ast.IncDecStmt, *ast.DeferStmt, *ast.GoStmt, *ast.BranchStmt:
			m.add("statement", s.Pos(), s.End(), "")
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				m.add("statement", s.Pos(), s.End(), "")
			}
		}
	}
}

// sample is the first mutants of those that there are, in an order that depends on the seed and on what a mutant is, and not on what else
// is in the package. 0 is all.
func sample(all []Mutant, seed string, n int) []Mutant {
	seen := map[string]int{}
	for i := range all {
		m := &all[i]
		id := strings.Join([]string{seed, m.File, m.Func, m.Kind, m.Before, m.After}, "\x00")
		seen[id]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", id, seen[id]))
		m.order = hex.EncodeToString(sum[:])
	}
	slices.SortFunc(all, func(a, b Mutant) int { return strings.Compare(a.order, b.order) })
	if n > 0 && n < len(all) {
		all = all[:n]
	}
	return all
}
