package config

import (
	_ "embed"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// The structs' own source, so that their comments are the one manual that schema and editors show.
//
//go:embed types.go
var typesSource string

//go:embed types_keys.go
var keysSource string

//go:embed provider.go
var providerSource string

//go:embed cloud.go
var cloudSource string

//go:embed capabilities.go
var capabilitiesSource string

//go:embed admin.go
var adminSource string

//go:embed ledger.go
var ledgerSource string

//go:embed alerts.go
var alertsSource string

//go:embed traces.go
var tracesSource string

//go:embed secrets.go
var secretsSource string

// comments are the doc comments of this package's structs and their fields: "Type" and "Type.Field".
type comments map[string]string

func parseComments() (comments, error) {
	c := comments{}
	for _, source := range []string{typesSource, keysSource, providerSource, cloudSource, capabilitiesSource, adminSource, ledgerSource, alertsSource, tracesSource, secretsSource} {
		file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, decl := range file.Decls {
			general, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range general.Specs {
				c.addType(general, spec)
			}
		}
	}
	return c, nil
}

func (c comments) addType(decl *ast.GenDecl, spec ast.Spec) {
	t, ok := spec.(*ast.TypeSpec)
	if !ok {
		return
	}
	c[t.Name.Name] = prose(decl.Doc)
	s, ok := t.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range s.Fields.List {
		for _, name := range f.Names {
			c[t.Name.Name+"."+name.Name] = prose(f.Doc)
		}
	}
}

// prose is a comment's text with its lines joined; a blank line stays one.
func prose(group *ast.CommentGroup) string {
	paragraphs := strings.Split(strings.TrimSpace(group.Text()), "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = strings.Join(strings.Fields(p), " ")
	}
	return strings.Join(paragraphs, "\n\n")
}
