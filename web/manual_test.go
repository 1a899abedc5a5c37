package web_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/weirproxy/weir/web"
)

// largestManual is how many bytes of the program the manual may take.
const largestManual = 1400 << 10

func ask(t *testing.T, method, path string, header ...string) *http.Response {
	t.Helper()
	unknown := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) })
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	web.Manual("v1.2.3", unknown).ServeHTTP(w, r)
	return w.Result()
}

func TestManualIsServed(t *testing.T) {
	t.Parallel()
	for path, content := range map[string]string{
		"/docs/": "text/html; charset=utf-8", "/docs/index.html": "text/html; charset=utf-8", "/docs/decisions/": "text/html; charset=utf-8", "/docs/guides/keys.html": "text/html; charset=utf-8",
		"/docs/manual.css": "text/css; charset=utf-8", "/docs/manual.js": "text/javascript; charset=utf-8", "/docs/search.js": "text/javascript; charset=utf-8",
		"/docs/pages.js": "text/javascript; charset=utf-8", "/docs/icon.svg": "image/svg+xml", "/docs/console/overview.png": "image/png",
	} {
		plain, squeezed := ask(t, "GET", path), ask(t, "GET", path, "Accept-Encoding", "gzip")
		if plain.StatusCode != http.StatusOK || plain.Header.Get("Content-Type") != content || plain.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: %d, %v", path, plain.StatusCode, plain.Header)
		}
		if squeezed.StatusCode != http.StatusOK || (squeezed.Header.Get("Content-Encoding") == "gzip") != (content != "image/png") {
			t.Errorf("%s compressed: %d, %v", path, squeezed.StatusCode, squeezed.Header)
		}
		if isPage := strings.HasPrefix(content, "text/html"); isPage != (plain.Header.Get("Content-Security-Policy") == web.ManualPolicy) {
			t.Errorf("%s has the policy %q", path, plain.Header.Get("Content-Security-Policy"))
		}
		if text(t, plain.Body) == "" {
			t.Errorf("%s is empty", path)
		}
		if again := ask(t, "GET", path, "If-None-Match", plain.Header.Get("ETag")); again.StatusCode != http.StatusNotModified || text(t, again.Body) != "" {
			t.Errorf("%s, which has not changed, is answered with %d", path, again.StatusCode)
		}
		if head := ask(t, "HEAD", path); head.StatusCode != http.StatusOK || text(t, head.Body) != "" {
			t.Errorf("HEAD %s: %d", path, head.StatusCode)
		}
	}
	if r := ask(t, "GET", "/docs"); r.StatusCode != http.StatusPermanentRedirect || r.Header.Get("Location") != web.ManualPath {
		t.Errorf("%d, %v", r.StatusCode, r.Header)
	}
}

func TestWhatIsNotOfTheManualIsLeft(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/", "/docsx", "/docs/none.html", "/docs/guides/keys", "/docs/guides/keys.html.gz", "/docs/dist/manual/index.html", "/docs//", "/guides/keys.html"} {
		if r := ask(t, "GET", path); r.StatusCode != http.StatusTeapot {
			t.Errorf("%s is answered with %d", path, r.StatusCode)
		}
	}
	for _, path := range []string{"/docs", "/docs/", "/docs/index.html"} {
		if r := ask(t, "POST", path); r.StatusCode != http.StatusTeapot {
			t.Errorf("POST %s is answered with %d", path, r.StatusCode)
		}
	}
}

// The policy is that of the console but for the script that has what is searched.
func TestPolicyOfTheManual(t *testing.T) {
	t.Parallel()
	if got := strings.Replace(web.ManualPolicy, "trusted-types manual", "trusted-types 'none'", 1); got != web.Policy || got == web.ManualPolicy {
		t.Error(web.ManualPolicy)
	}
}

func TestVersionIsSaid(t *testing.T) {
	t.Parallel()
	if list := text(t, ask(t, "GET", "/docs/pages.js").Body); !strings.HasPrefix(list, `const served = {"version":"v1.2.3","console":"/"};`+"\n") {
		t.Errorf("%.100s", list)
	}
}

// What is searched has every page, its sections with their anchors, and their text without markup.
func TestSearch(t *testing.T) {
	t.Parallel()
	script := text(t, ask(t, "GET", "/docs/search.js").Body)
	list, ok := strings.CutPrefix(script, "window.searched = ")
	if !ok {
		t.Fatalf("%.100s", script)
	}
	list = strings.Replace(strings.TrimSuffix(list, ";\n"), ",\n]", "\n]", 1)
	var pages []json.RawMessage
	if err := json.Unmarshal([]byte(list), &pages); err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\["(?:page|part)"`).FindAllString(text(t, ask(t, "GET", "/docs/pages.js").Body), -1)
	if len(pages) != len(rows) {
		t.Errorf("%d pages are searched, and %d are in the navigation", len(pages), len(rows))
	}
	for _, want := range []string{
		`["guides/back-up.html","Back up and restore",[["","","This page says how to copy what Weir keeps, while it serves, and how to start on the copy."],["make-a-copy","Make a copy","$ weir backup weir-backup.db weir-backup.db has the store, `,
	} {
		if !strings.Contains(script, want) {
			t.Errorf("it lacks %s", want)
		}
	}
}

func TestManualIsWritten(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "manual")
	if err := web.WriteManual(dir, "v1.2.3"); err != nil {
		t.Fatal(err)
	}
	files, total := 0, int64(0)
	err := filepath.Walk(dir, func(name string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		written, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		files, total = files+1, total+info.Size()
		path := web.ManualPath + filepath.ToSlash(strings.TrimPrefix(name, dir+string(filepath.Separator)))
		if served := text(t, ask(t, "GET", path).Body); served != string(written) && !strings.HasSuffix(name, "pages.js") {
			t.Errorf("%s differs from what is served", path)
		}
		return nil
	})
	if err != nil || files < 200 {
		t.Fatal(files, err)
	}
	if list, _ := os.ReadFile(filepath.Join(dir, "pages.js")); !strings.HasPrefix(string(list), `const served = {"version":"v1.2.3","console":""};`) {
		t.Errorf("%.100s", list)
	}
	if err := web.WriteManual(dir, "v1.2.3"); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("over another: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := web.WriteManual(file, ""); err == nil {
		t.Error("a file is taken for a folder")
	}
}

func TestManualIsSmall(t *testing.T) {
	t.Parallel()
	var sum int64
	err := filepath.Walk("dist/manual", func(_ string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			sum += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if sum > largestManual || sum < largestManual/4 {
		t.Errorf("the manual has %d bytes in the program, and may have %d", sum, largestManual)
	}
}
