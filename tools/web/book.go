package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/weirproxy/weir/tools/web/manual"
)

// sources is where links of the manual lead that are about other files of the repository.
const sources = "https://github.com/weirproxy/weir/blob/main/"

// pagesFolder has the manual. Each page is a file of its own, compressed: a change of one is a small change, and the program gets no larger than it must.
const pagesFolder = "web/dist/manual"

// plainly are the files that are not compressed: images are, in their way, and the list of pages is text so that two changes of it can be merged.
func plainly(name string) bool { return name == "pages.js" || path.Ext(name) == ".png" }

// book is the manual.
func book(root string) ([]file, error) {
	pages, err := manual.Build(os.DirFS(filepath.Join(root, "docs")), sources)
	if err != nil {
		return nil, err
	}
	looks, err := bundle(root, api.FormatIIFE, api.EntryPoint{InputPath: "src/manual/manual.ts", OutputPath: "manual"}, api.EntryPoint{InputPath: "src/manual/manual.css", OutputPath: "manual"})
	if err != nil {
		return nil, err
	}
	icon, err := os.ReadFile(filepath.Join(root, "web", "src", "manual", "icon.svg"))
	if err != nil {
		return nil, err
	}
	files := append(looks, file{"icon.svg", icon})
	for _, p := range pages {
		files = append(files, file{p.Name, p.Text})
	}
	for i, f := range files {
		if !plainly(f.name) {
			if f.text, err = compressed(f.text); err != nil {
				return nil, err
			}
			f.name += ".gz"
		}
		files[i] = file{path.Join(pagesFolder, f.name), f.text}
	}
	return files, nil
}

// leftover removes pages whose sources are gone.
func leftover(root string, pages []file, check bool) error {
	wanted := map[string]bool{}
	for _, f := range pages {
		wanted[f.name] = true
	}
	return fs.WalkDir(os.DirFS(root), pagesFolder, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir() || wanted[name]:
			return err
		case check:
			return fmt.Errorf("%s is made of nothing that is there: run make web, and commit what it removes", name)
		}
		return os.Remove(filepath.Join(root, filepath.FromSlash(name)))
	})
}

func compressed(text []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	return out.Bytes(), err
}

// same compares what is compressed by what it holds: another release of Go may compress otherwise.
func same(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	first, err := uncompressed(a)
	if err != nil {
		return false
	}
	second, err := uncompressed(b)
	return err == nil && bytes.Equal(first, second)
}

func uncompressed(text []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
