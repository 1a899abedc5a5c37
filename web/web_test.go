package web_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/weirproxy/weir/web"
)

// largest is how many bytes script and style sheet may have together, compressed.
const largest = 80 << 10

func get(t *testing.T, path string, header ...string) *http.Response {
	t.Helper()
	unknown := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) })
	r := httptest.NewRequest("GET", path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	web.Handler(unknown).ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, r io.Reader) string {
	t.Helper()
	all, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

var loaded = regexp.MustCompile(`(?:href|src)="(/assets/[^"]+)"`)

func TestPagesAndWhatTheyLoad(t *testing.T) {
	t.Parallel()
	page := text(t, get(t, "/").Body)
	for _, path := range append(web.Pages(), "/keys/k7Qw2xRtY9bN", "/teams/cfg-%C3%BC") {
		r := get(t, path)
		if r.StatusCode != http.StatusOK || text(t, r.Body) != page || r.Header.Get("Cache-Control") != "no-cache" || r.Header.Get("Content-Security-Policy") != web.Policy {
			t.Errorf("%s: %d, %v", path, r.StatusCode, r.Header)
		}
	}
	assets := loaded.FindAllStringSubmatch(page, -1)
	if len(assets) != 2 {
		t.Fatalf("the page loads %q", assets)
	}
	sum := 0
	for _, found := range assets {
		plain := get(t, found[1])
		if plain.StatusCode != http.StatusOK || !strings.Contains(plain.Header.Get("Cache-Control"), "immutable") || !regexp.MustCompile(`-[0-9a-f]{12}\.`).MatchString(found[1]) {
			t.Errorf("%s: %d, %v", found[1], plain.StatusCode, plain.Header)
		}
		small := get(t, found[1], "Accept-Encoding", "br, gzip")
		squeezed := text(t, small.Body)
		sum += len(squeezed)
		reader, err := gzip.NewReader(bytes.NewReader([]byte(squeezed)))
		if err != nil || small.Header.Get("Content-Encoding") != "gzip" {
			t.Fatal(err, small.Header)
		}
		if text(t, reader) != text(t, plain.Body) {
			t.Errorf("%s differs when it is compressed", found[1])
		}
	}
	if sum > largest {
		t.Errorf("script and style sheet have %d bytes, compressed, more than %d", sum, largest)
	}
}

func TestWhatIsNoPageIsLeft(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/nothing", "/assets/app.js", "/assets/", "/index.html", "/usage/", "/keys/", "/keys/a/b", "/usage/a", "/admin/v1/keys", "/dist/app.js"} {
		if r := get(t, path); r.StatusCode != http.StatusTeapot {
			t.Errorf("%s is answered with %d", path, r.StatusCode)
		}
	}
}

// The server and the script know the same pages.
func TestPagesAreThoseOfTheScript(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("src/pages.ts")
	if err != nil {
		t.Fatal(err)
	}
	var paths, parts []string
	for _, found := range regexp.MustCompile(`path: "([^"]+)".*page: \w+(, one: )?`).FindAllStringSubmatch(string(source), -1) {
		paths = append(paths, found[1])
		if found[2] != "" {
			parts = append(parts, found[1])
		}
	}
	if !slices.Equal(paths, web.Pages()) || !slices.Equal(parts, web.Parts()) {
		t.Errorf("pages.ts has %q and one of %q, the server %q and %q", paths, parts, web.Pages(), web.Parts())
	}
}

// Nothing makes markup of text, and nothing is asked for elsewhere.
func TestSourcesAreCareful(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"src", "src/ui", "src/pages", "src/access", "src/manual"} {
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if f.IsDir() {
				continue
			}
			source, err := os.ReadFile(dir + "/" + f.Name())
			if err != nil {
				t.Fatal(err)
			}
			for _, bad := range []string{"innerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "<any>", ": any;", ": any,", ": any)", "as any", "//cdn", "@ts-ignore"} {
				if bytes.Contains(source, []byte(bad)) {
					t.Errorf("%s/%s has %q", dir, f.Name(), bad)
				}
			}
			if lines := bytes.Count(source, []byte("\n")); lines > 500 && !strings.HasSuffix(f.Name(), ".gen.ts") {
				t.Errorf("%s/%s has %d lines: split it", dir, f.Name(), lines)
			}
		}
	}
}
