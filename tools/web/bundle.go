package main

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// bundle is what browsers get: one script, one style sheet and the page that loads them. Their names do not change with their content, so that a change is seen as one;
// the names under which they are served do.
func bundle(root string) ([]file, error) {
	dir, err := filepath.Abs(filepath.Join(root, "web"))
	if err != nil {
		return nil, err
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir:       dir,
		EntryPointsAdvanced: []api.EntryPoint{{InputPath: "src/main.tsx", OutputPath: "app"}},
		Outdir:              "dist",
		NodePaths:           []string{filepath.Join(dir, "vendor")},
		Bundle:              true,
		MinifyWhitespace:    true,
		MinifyIdentifiers:   true,
		MinifySyntax:        true,
		Format:              api.FormatESModule,
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
	page, err := os.ReadFile(filepath.Join(dir, "src", "index.html"))
	if err != nil {
		return nil, err
	}
	built := []file{{"web/dist/index.html", page}}
	for _, out := range result.OutputFiles {
		built = append(built, file{path.Join("web/dist", filepath.Base(out.Path)), out.Contents})
	}
	return built, nil
}
