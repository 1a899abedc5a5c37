package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// TestAssignmentsAreFound proves the one rule whose finding is not a plain search.
func TestAssignmentsAreFound(t *testing.T) {
	t.Parallel()
	const prelude = `package p
import "fmt"
var table = []int{1}
var state struct{ n int }
var byName = map[string]int{"a": 1}
`
	for _, c := range []struct {
		name, code string
		want       int
	}{
		{"reads", "func f() int { x := table[0]; x++; return x + state.n }", 0},
		{"a local of the same name", "func f() { table := []int{1}; table[0] = 2; fmt.Println(table) }", 0},
		{"a parameter of the same name", "func f(state *struct{ n int }) { state.n = 1 }", 0},
		{"an assignment", "func f() { table = nil }", 1},
		{"an element", "func f() { table[0] = 2; byName[\"b\"] = 1 }", 2},
		{"a member, counted", "func f() { state.n++ }", 1},
		{"a range", "func f() { for state.n = range 3 { } }", 1},
		{"in a closure", "func f() func() { return func() { (table)[0] += 1 } }", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tr := &tree{fset: token.NewFileSet()}
			syntax, err := parser.ParseFile(tr.fset, "p.go", prelude+c.code, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			r := &room{files: []*goFile{{syntax: syntax}}}
			if got := tr.assignments(r); len(got) != c.want {
				t.Errorf("found %d assignments, not %d", len(got), c.want)
			}
		})
	}
}

func TestUndocumented(t *testing.T) {
	t.Parallel()
	const code = `package p
// Said says.
func Said() {}
func Unsaid() {}
func own() {}
type hidden struct{}
func (hidden) Method() {}
type Seen struct{}
func (Seen) Method() {}
func (*Seen) String() string { return "" }
// Two things.
const ( A = 1; B = 2 )
var (
	C = 1 // says what it is
	D = 2
)
`
	syntax, err := parser.ParseFile(token.NewFileSet(), "p.go", code, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range syntax.Decls {
		got = append(got, undocumented(d)...)
	}
	want := []string{"Unsaid", "Seen", "Method", "D"}
	if len(got) != len(want) {
		t.Fatalf("found %v, not %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("found %v, not %v", got, want)
		}
	}
}

func TestAny(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{"any": true, "interface{}": true, "string": false, "interface{ M() }": false} {
		e, err := parser.ParseExpr("map[string]" + code + "{}")
		if err != nil {
			t.Fatal(err)
		}
		if got := isAny(e.(*ast.CompositeLit).Type.(*ast.MapType).Value); got != want {
			t.Errorf("%s: %v", code, got)
		}
	}
}
