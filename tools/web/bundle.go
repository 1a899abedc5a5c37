package main

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// console is what browsers get of the console: one script, one style sheet and the page that loads them. Their names do not change with their content, so that
// a change is seen as one; the names under which they are served do.
func console(root string) ([]file, error) {
	page, err := os.ReadFile(filepath.Join(root, "web", "src", "index.html"))
	if err != nil {
		return nil, err
	}
	built, err := bundle(root, api.FormatESModule, api.EntryPoint{InputPath: "src/main.tsx", OutputPath: "app"})
	if err != nil {
		return nil, err
	}
	files := []file{{"web/dist/index.html", page}}
	for _, out := range built {
		files = append(files, file{path.Join("web/dist", out.name), out.text})
	}
	return files, nil
}

// bundle has esbuild make scripts and style sheets of web/src.
func bundle(root string, format api.Format, entries ...api.EntryPoint) (files []file, err error) {
	dir, err := filepath.Abs(filepath.Join(root, "web"))
	if err != nil {
		return nil, err
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir:       dir,
		EntryPointsAdvanced: entries,
		Outdir:              "dist",
		NodePaths:           []string{filepath.Join(dir, "vendor")},
		Bundle:              true,
		MinifyWhitespace:    true,
		MinifyIdentifiers:   true,
		MinifySyntax:        true,
		Format:              format,
		Target:              api.ES2022,
		TsconfigRaw:         "{}", // the one beside the sources is for checking types
		JSX:                 api.JSXAutomatic,
		JSXImportSource:     "preact",
		LegalComments:       api.LegalCommentsNone,
		Charset:             api.CharsetUTF8,
		Define:              map[string]string{"process.env.NODE_ENV": `"production"`},
	})
	if len(result.Errors) > 0 {
		return nil, errors.New(strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), ""))
	}
	if len(result.Warnings) > 0 {
		return nil, errors.New(strings.Join(api.FormatMessages(result.Warnings, api.FormatMessagesOptions{Kind: api.WarningMessage}), ""))
	}
	for _, out := range result.OutputFiles {
		files = append(files, file{filepath.Base(out.Path), out.Contents})
	}
	return files, nil
}
