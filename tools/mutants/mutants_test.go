package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// What is changed, in a function that has some of everything.
func TestMutate(t *testing.T) {
	t.Parallel()
	const source = `package p

func (s *S[T]) f(a int, ok bool) (int, bool, error) {
	if ok && a < 1 {
		s.call()
	}
	if ok {
		a += 2
	}
	for !ok {
		a++
		continue
	}
	b := a
	b = 3
	g := func() string { return "x" }
	return b - len(g()), ok, nil
}
`
	found, err := mutate("f.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range found {
		if m.Func != "S.f" || m.File != "f.go" || source[m.start:m.end] != m.Before {
			t.Errorf("%+v", m)
		}
		got = append(got, fmt.Sprintf("%d %s: %s > %s", m.Line, m.Kind, m.Before, m.After))
	}
	want := []string{
		"4 logic: && > ||", "4 boundary: < > <=", "4 comparison: < > >=", "5 statement: s.call() > ",
		"7 logic: ok > !(ok)", "8 arithmetic: += > -=", "8 statement: a += 2 > ",
		"10 logic: ! > ", "11 arithmetic: ++ > --", "11 statement: a++ > ", "12 statement: continue > ", "15 statement: b = 3 > ",
		`16 result: "x" > func(string) (zero string) { return }("x")`,
		"17 arithmetic: - > +", "17 result: b - len(g()) > func(int) (zero int) { return }(b - len(g()))", "17 result: ok > !(ok)",
	}
	slices.Sort(got)
	slices.Sort(want)
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The same seed gives the same sample; a smaller one is the beginning of a larger one, and code elsewhere in the package changes nothing.
func TestSample(t *testing.T) {
	t.Parallel()
	mutants := func(functions int) (all []Mutant) {
		for i := range functions {
			for line := range 3 {
				all = append(all, Mutant{File: "f.go", Func: fmt.Sprint("f", i), Line: line, Kind: "logic", Before: "&&", After: "||"})
			}
		}
		return all
	}
	order := func(all []Mutant) (names []string) {
		for _, m := range all {
			names = append(names, fmt.Sprint(m.Func, m.Line))
		}
		return names
	}
	few, many := order(sample(mutants(5), "1", 4)), order(sample(mutants(5), "1", 0))
	if len(few) != 4 || len(many) != 15 || !slices.Equal(few, many[:4]) {
		t.Errorf("%v of %v", few, many)
	}
	more := slices.DeleteFunc(order(sample(mutants(9), "1", 0)), func(name string) bool { return !slices.Contains(many, name) })
	if !slices.Equal(more, many) {
		t.Errorf("%v, with more code %v", many, more)
	}
	if slices.Equal(many, order(sample(mutants(5), "2", 0))) {
		t.Error("another seed gives the same sample")
	}
}

// A mutant is killed if a test fails or hangs, survives if none does, and does not count if it does not compile. The tree stays as it is.
func TestTry(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	files := map[string]string{
		"go.mod":        "module example.test/m\n\ngo 1.26\n",
		"p/p.go":        "package p\n\nfunc Add(a, b int) int { return a + b }\n\nfunc Unseen(a int) bool { return a > 1 }\n\nfunc Text(a string) string { return a + \"x\" }\n",
		"p/p_test.go":   "package p\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal()\n\t}\n}\n",
		"other/none.go": "package other\n",
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := open(t.Context(), root, "./p")
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.try(t.Context(), plan{seed: "1", in: regexp.MustCompile(""), budget: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	// Killed: the sum and its result. Survivors: both comparisons and the result of Unseen, the result of Text. Its - does not compile.
	if r.Mutants != 7 || r.Killed != 2 || len(r.Survivors) != 4 || r.Invalid != 1 || r.Tried() != 6 || int(r.Share()) != 33 {
		t.Errorf("%+v", r)
	}
	var printed strings.Builder
	r.print(&printed)
	if !strings.Contains(printed.String(), "p.go:5 Unseen, boundary: > becomes >=") || !strings.Contains(printed.String(), "33.3 % killed: 2 of 6 tried, of 7 mutants") {
		t.Error(printed.String())
	}
	if text, _ := os.ReadFile(filepath.Join(root, "p/p.go")); string(text) != files["p/p.go"] {
		t.Errorf("the tree was changed:\n%s", text)
	}
	if r, err := p.try(t.Context(), plan{seed: "1", in: regexp.MustCompile("^Add$"), most: 1}); err != nil || r.Mutants != 2 || r.Tried() != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := open(t.Context(), root, "./nothing"); err == nil {
		t.Error("a package that does not exist is no error")
	}
}
