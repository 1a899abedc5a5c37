package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

//go:embed dist/manual
var manual embed.FS

// ManualPath is where the manual is served. Its first page is there.
const ManualPath = "/docs/"

// ManualPolicy is what the pages of the manual may load and do. They are as bound as those of the console, but for one thing: their script may name another script
// of theirs, which has what is searched.
var ManualPolicy = strings.Replace(Policy, "trusted-types 'none'", "trusted-types manual", 1)

// imagePolicy lets the pictures style themselves.
const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Manual serves the manual of this version below ManualPath. What is elsewhere, or is no page of it, goes to unknown.
func Manual(version string, unknown http.Handler) http.Handler {
	assets := manualAssets(version, "/")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, ok := strings.CutPrefix(r.URL.Path, ManualPath)
		if name == "" || strings.HasSuffix(name, "/") {
			name += "index.html"
		}
		a := assets[name]
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			unknown.ServeHTTP(w, r)
		case r.URL.Path+"/" == ManualPath:
			http.Redirect(w, r, ManualPath, http.StatusPermanentRedirect)
		case !ok || a == nil:
			unknown.ServeHTTP(w, r)
		default:
			a.serve(w, r)
		}
	})
}

// WriteManual writes the manual into a folder, which must be empty or missing. Its pages work from there without a server, and wherever the folder is
// published.
func WriteManual(dir, version string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	there, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(there) > 0 {
		return fmt.Errorf("%s is not empty: name a folder that is, or one that does not exist", dir)
	}
	for name, a := range manualAssets(version, "") {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, a.plain(), 0o644); err != nil { //nolint:gosec // everyone may read it
			return err
		}
	}
	return nil
}

// manualAssets are the files of the manual by name. console is where its pages link to the console, "" for nowhere.
func manualAssets(version, console string) map[string]*asset {
	assets := map[string]*asset{}
	each(func(name string) {
		served, isSqueezed := strings.CutSuffix(name, ".gz")
		a := &asset{content: mediaType(served), plain: func() []byte { return embedded(name) }}
		if isSqueezed {
			a.squeezed = a.plain
			a.plain = func() []byte { return unsqueeze(embedded(name)) }
		}
		switch path.Ext(served) {
		case ".html":
			a.policy = ManualPolicy
		case ".svg":
			a.policy = imagePolicy
		}
		assets[served] = a
	})
	assets["pages.js"] = newAsset(mediaType(".js"), false, append(served(version, console), assets["pages.js"].plain()...))
	assets["pages.js"].policy = ""
	squeezed := sync.OnceValue(func() []byte { return squeeze(searched(assets)) })
	assets["search.js"] = &asset{content: mediaType(".js"), plain: func() []byte { return unsqueeze(squeezed()) }, squeezed: squeezed}
	return assets
}

// each calls f for every embedded file of the manual.
func each(f func(name string)) {
	err := fs.WalkDir(manual, "dist/manual", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			f(strings.TrimPrefix(name, "dist/manual/"))
		}
		return err
	})
	if err != nil {
		panic(err) // the program was compiled with it
	}
}

func embedded(name string) []byte {
	text, err := manual.ReadFile("dist/manual/" + name)
	if err != nil {
		panic(err) // the program was compiled with it
	}
	return text
}

func mediaType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	}
	return "text/javascript; charset=utf-8"
}

// served says to the script which version this is, and where the console is.
func served(version, console string) []byte {
	said, err := json.Marshal(struct {
		Version string `json:"version"`
		Console string `json:"console"`
	}{version, console})
	if err != nil {
		panic(err) // two texts are always written
	}
	return append(append([]byte("const served = "), said...), ";\n"...)
}

// searched is the script that has what can be searched: for each page its path, its title, and its sections with anchor, heading and text. It is made of the
// pages, so that it cannot differ from them.
func searched(assets map[string]*asset) []byte {
	var out bytes.Buffer
	out.WriteString("window.searched = [\n")
	for _, name := range slices.Sorted(maps.Keys(assets)) {
		if path.Ext(name) != ".html" {
			continue
		}
		title, sections := sectionsOf(string(assets[name].plain()))
		line, err := json.Marshal([]any{name, title, sections})
		if err != nil {
			panic(err) // texts are always written
		}
		out.Write(line)
		out.WriteString(",\n")
	}
	out.WriteString("];\n")
	return out.Bytes()
}

// unsqueeze is the opposite of squeeze.
func unsqueeze(squeezed []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(squeezed))
	if err != nil {
		panic(err) // it was compressed here, or by make web
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return text
}
