// Package web is what browsers get: the console, whose pages read and change nothing but through the admin API, and the manual. dist is built from src, vendor and
// docs by make web.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed dist/index.html dist/app.js dist/app.css
var dist embed.FS

// Pages are the paths that show the console; the script decides by the path what is shown.
func Pages() []string {
	return []string{"/", "/usage", "/requests", "/models", "/providers", "/explain", "/playground", "/keys", "/teams", "/settings"}
}

// Parts are those of the pages that have another page for each thing that they list, at PATH/NAME.
func Parts() []string {
	return []string{"/keys", "/teams"}
}

// isPage reports whether a path shows the console.
func isPage(path string) bool {
	if slices.Contains(Pages(), path) {
		return true
	}
	at := strings.LastIndexByte(path, '/')
	return at > 0 && at < len(path)-1 && slices.Contains(Parts(), path[:at])
}

// Policy is what the pages may load and do: their own script and style, and calls to where they came from. Nothing makes markup of text.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; " +
	"frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// asset is a file as it is served.
type asset struct {
	content  string // its media type
	lasting  bool   // its name changes with it
	policy   string // of a page; "" for what is no page
	plain    func() []byte
	squeezed func() []byte // the same in gzip; nil for what gzip does not make smaller
}

// Handler serves the pages and what they load. What is neither goes to unknown.
func Handler(unknown http.Handler) http.Handler {
	page, assets := read()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := assets[r.URL.Path]
		if a == nil && isPage(r.URL.Path) {
			a = page
		}
		if a == nil || r.Method != http.MethodGet && r.Method != http.MethodHead {
			unknown.ServeHTTP(w, r)
			return
		}
		a.serve(w, r)
	})
}

// read names the script and the style sheet by what they hold, and has the page load them by these names.
func read() (page *asset, assets map[string]*asset) {
	assets = map[string]*asset{}
	index := mustRead("index.html")
	for name, content := range map[string]string{"app.js": "text/javascript; charset=utf-8", "app.css": "text/css; charset=utf-8"} {
		text := mustRead(name)
		digest := sha256.Sum256(text)
		ext := path.Ext(name)
		served := "/assets/" + strings.TrimSuffix(name, ext) + "-" + hex.EncodeToString(digest[:6]) + ext
		assets[served] = newAsset(content, true, text)
		index = bytes.Replace(index, []byte("/assets/"+name), []byte(served), 1)
	}
	return newAsset("text/html; charset=utf-8", false, index), assets
}

// mustRead reads a file that the program was compiled with.
func mustRead(name string) []byte {
	text, err := dist.ReadFile("dist/" + name)
	if err != nil {
		panic(err)
	}
	return text
}

func newAsset(content string, lasting bool, text []byte) *asset {
	a := &asset{content: content, lasting: lasting, plain: func() []byte { return text }, squeezed: sync.OnceValue(func() []byte { return squeeze(text) })}
	if !lasting {
		a.policy = Policy
	}
	return a
}

// squeeze compresses once what is then served often.
func squeeze(text []byte) []byte {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // the level is one, and a buffer takes everything
	}
	return out.Bytes()
}

func (a *asset) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", a.content)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Vary", "Accept-Encoding")
	if a.policy != "" {
		header.Set("Content-Security-Policy", a.policy)
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
	}
	read := a.plain
	if a.squeezed != nil && takesGzip(r) {
		header.Set("Content-Encoding", "gzip")
		read = a.squeezed
	}
	body := read()
	if a.lasting {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		digest := sha256.Sum256(body)
		tag := `"` + hex.EncodeToString(digest[:8]) + `"`
		header.Set("Cache-Control", "no-cache")
		header.Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			header.Del("Content-Encoding")
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // a reader that has gone has no use for the error
	}
}

// takesGzip is about browsers, which all name it without a weight.
func takesGzip(r *http.Request) bool {
	for _, accepted := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		if strings.TrimSpace(accepted) == "gzip" {
			return true
		}
	}
	return false
}
