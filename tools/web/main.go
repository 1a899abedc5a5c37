// Command web builds what browsers get: the console in web/dist from web/src and web/vendor, the manual in web/dist/manual from docs and web/src/manual, and
// web/src/api.gen.ts from the description of the admin API. It needs nothing but Go: esbuild is a module. With -check it writes nothing, and fails if what
// is there is not what it would write.
//
//	cd tools && go run ./web -root ..
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := flag.String("root", ".", "the repository")
	check := flag.Bool("check", false, "compare, and write nothing")
	flag.Parse()
	if err := run(*root, *check); err != nil {
		fmt.Fprintln(os.Stderr, "web:", err)
		os.Exit(1)
	}
}

// file is what is written, by its path from the repository's root.
type file struct {
	name string
	text []byte
}

// run generates the types first: the build reads them.
func run(root string, check bool) error {
	types, err := generated(root)
	if err != nil {
		return err
	}
	if err := put(root, types, check); err != nil {
		return err
	}
	built, err := console(root)
	if err != nil {
		return err
	}
	pages, err := book(root)
	if err != nil {
		return err
	}
	for _, f := range append(built, pages...) {
		if err := put(root, f, check); err != nil {
			return err
		}
	}
	return leftover(root, pages, check)
}

func put(root string, f file, check bool) error {
	path := filepath.Join(root, filepath.FromSlash(f.name))
	old, err := os.ReadFile(path)
	if err == nil && same(old, f.text) {
		return nil
	}
	if check {
		return fmt.Errorf("%s is not what its sources give: run make web, and commit what it writes", f.name)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, f.text, 0o644)
}

// generated is the file of types.
func generated(root string) (file, error) {
	description, err := os.ReadFile(filepath.Join(root, "internal", "admin", "openapi.json"))
	if err != nil {
		return file{}, err
	}
	text, err := typesOf(description)
	return file{"web/src/api.gen.ts", text}, err
}
