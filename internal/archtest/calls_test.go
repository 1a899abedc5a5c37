package archtest

import (
	"go/ast"
	"slices"
	"testing"
)

// callers are the functions that may call an upstream for a request, each for a reason. A call that is made elsewhere would be in no account.
var callers = []string{
	"internal/relay send", // the one way: a Call is opened before, and settled after it
	"internal/relay ask",  // counts tokens, for which no vendor takes money
}

// TestCallsAreAccounted: upstreams are called where the account sees it.
func TestCallsAreAccounted(t *testing.T) {
	t.Parallel()
	var found []string
	for _, r := range load(t).rooms {
		if r.support() {
			continue
		}
		for _, f := range r.code() {
			if !slices.Contains(f.imports, module+"internal/provider") {
				continue
			}
			for _, decl := range f.syntax.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if !ok || fn.Body == nil {
					continue
				}
				ast.Inspect(fn.Body, func(n ast.Node) bool {
					if call, ok := n.(*ast.CallExpr); ok {
						if s, ok := call.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Do" {
							found = append(found, r.name+" "+fn.Name.Name)
						}
					}
					return true
				})
			}
		}
	}
	for _, place := range found {
		if !slices.Contains(callers, place) {
			t.Errorf("%s calls an upstream: let relay's send do it, so that the call is in the account", place)
		}
	}
	for _, place := range callers {
		if !slices.Contains(found, place) {
			t.Errorf("%s calls no upstream any more: take it out of the list", place)
		}
	}
}
