package archtest

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// kindTable is the file whose rows say what is known of each vendor.
const kindTable = "internal/catalog/kinds.go"

// programs is the file that lists agents, one of which has the name of a kind.
const programs = "cmd/weir/agents.go"

// importers is the room whose tables say what other gateways call the vendors.
const importers = "internal/importer/"

// TestVendorsAreRows: what is special about a vendor is data in its row. Code elsewhere that names one would be a second
// place to look.
func TestVendorsAreRows(t *testing.T) {
	t.Parallel()
	tr := load(t)
	var code []*goFile
	for _, r := range tr.rooms {
		if !r.support() {
			code = append(code, r.code()...)
		}
	}
	table := slices.IndexFunc(code, func(f *goFile) bool { return f.name == kindTable })
	vendors := rowNames(code[table])
	if len(vendors) < 10 {
		t.Fatalf("%s names %v only", kindTable, vendors)
	}
	for _, f := range slices.Delete(code, table, table+1) {
		if f.name == programs || strings.HasPrefix(f.name, importers) {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if name, ok := quotedText(n); ok && slices.Contains(vendors, name) {
				t.Errorf("%s: %q belongs into a row of %s", tr.fset.Position(n.Pos()), name, kindTable)
			}
			return true
		})
	}
}

// rowNames are the names in a table of kinds, without openai, which is a dialect's too.
func rowNames(f *goFile) []string {
	var names []string
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if pair, ok := n.(*ast.KeyValueExpr); ok {
			key, isName := pair.Key.(*ast.Ident)
			if name, ok := quotedText(pair.Value); ok && isName && key.Name == "Name" && name != "openai" {
				names = append(names, name)
			}
		}
		return true
	})
	return names
}

// quotedText is the text of a string literal.
func quotedText(n ast.Node) (string, bool) {
	lit, ok := n.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}
