package manual

import (
	"bytes"
	"image"
	"image/png"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

const elsewhere = "https://example.com/source/"

// whole is the manual of docs.
func whole(t *testing.T) map[string]string {
	t.Helper()
	files, err := Build(os.DirFS("../../../docs"), elsewhere)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range files {
		all[f.Name] = string(f.Text)
	}
	if len(all) < 200 {
		t.Fatalf("the manual has only %d files", len(all))
	}
	return all
}

var (
	reference = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	loads     = regexp.MustCompile(`<(?:script|img|link)\b[^>]*(?:src|href)="([^"]*)"`)
	anchors   = regexp.MustCompile(`\bid="([^"]*)"`)
	listedRow = regexp.MustCompile(`(?m)^\["(?:page|part)",.*,"([^"]+)"\],$`)
)

// looks are what make web adds, and Weir.
var looks = map[string]bool{"manual.js": true, "manual.css": true, "icon.svg": true}

// Every link of every page leads to a page or an image of the manual, and to an anchor that is there; or to a file of the repository that exists.
func TestLinks(t *testing.T) {
	all := whole(t)
	ids := map[string]map[string]bool{}
	for name, text := range all {
		ids[name] = map[string]bool{}
		for _, m := range anchors.FindAllStringSubmatch(text, -1) {
			if ids[name][m[1]] {
				t.Errorf("%s has the anchor %s twice", name, m[1])
			}
			ids[name][m[1]] = true
		}
	}
	checked := 0
	for name, text := range all {
		if path.Ext(name) != ".html" {
			continue
		}
		for _, m := range reference.FindAllStringSubmatch(text, -1) {
			u, err := url.Parse(strings.ReplaceAll(m[1], "&amp;", "&"))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if file, ok := strings.CutPrefix(m[1], elsewhere); ok {
				if _, err := os.Stat("../../../" + file); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			if u.Scheme != "" {
				continue
			}
			checked++
			to := name
			if u.Path != "" {
				to = path.Join(path.Dir(name), u.Path)
			}
			if _, ok := all[to]; !ok && !looks[to] {
				t.Errorf("%s links to %s, which is not in the manual", name, m[1])
			} else if u.Fragment != "" && !ids[to][u.Fragment] {
				t.Errorf("%s links to %s, but %s has no such anchor", name, m[1], to)
			}
		}
	}
	if checked < 5000 {
		t.Errorf("only %d links were found", checked)
	}
}

// What a page loads is beside it.
func TestNothingIsLoadedFromElsewhere(t *testing.T) {
	for name, text := range whole(t) {
		if path.Ext(name) != ".html" {
			continue
		}
		for _, m := range loads.FindAllStringSubmatch(text, -1) {
			if u, err := url.Parse(m[1]); err != nil || u.Host != "" || u.Scheme != "" || strings.HasPrefix(m[1], "/") {
				t.Errorf("%s loads %s", name, m[1])
			}
		}
		for _, bad := range []string{"style=", "<script>", "<style", " onclick", "javascript:", "raw HTML omitted"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s has %s, which its policy forbids", name, bad)
			}
		}
	}
}

func TestEveryPageIsInTheNavigationOnce(t *testing.T) {
	all := whole(t)
	times := map[string]int{}
	for _, m := range listedRow.FindAllStringSubmatch(all["pages.js"], -1) {
		times[m[1]]++
	}
	for name := range all {
		if path.Ext(name) == ".html" && times[name] != 1 {
			t.Errorf("%s is in the navigation %d times", name, times[name])
		}
		delete(times, name)
	}
	for name := range times {
		t.Errorf("the navigation has %s, which is no page", name)
	}
}

func TestBuildsAreTheSame(t *testing.T) {
	one, other := whole(t), whole(t)
	for name := range one {
		if one[name] != other[name] {
			t.Errorf("%s differs", name)
		}
	}
}

// small is a manual of two pages, the second with this text.
func small(text string) fstest.MapFS {
	return fstest.MapFS{
		"README.md":   {Data: []byte("# All\n\nAll pages.\n\n## Guides: one task each\n\n| page | what |\n|---|---|\n| [guides/a.md](guides/a.md) | a |\n")},
		"guides/a.md": {Data: []byte("# A\n\nIt says.\n\n" + text)},
	}
}

// pageOf is the second page of the small manual.
func pageOf(t *testing.T, text string) string {
	t.Helper()
	return bodyOf(t, small(text))
}

// bodyOf is what a small manual's second page has after its first sentence.
func bodyOf(t *testing.T, docs fstest.MapFS) string {
	t.Helper()
	files, err := Build(docs, elsewhere)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name == "guides/a.html" {
			_, rest, _ := strings.Cut(string(f.Text), "<p>It says.</p>\n")
			body, _, _ := strings.Cut(rest, "</article>")
			return body
		}
	}
	t.Fatal("the page is missing")
	return ""
}

func TestLooks(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"headings with the anchors that GitHub gives", "## `a` b, c\n\n## A b c\n", "<h2 id=\"a-b-c\"><code class=\"short\">a</code> b, c <a class=\"anchor\" href=\"#a-b-c\" aria-label=\"Link to: a b, c\"></a></h2>\n<h2 id=\"a-b-c-1\">A b c <a class=\"anchor\" href=\"#a-b-c-1\" aria-label=\"Link to: A b c\"></a></h2>\n"},
		{"what is typed", "```console\n$ a <b \\\n  c    # why\nd\n```\n", "<div class=\"code\"><pre tabindex=\"0\"><code><i>$ </i><kbd>a &lt;b \\</kbd>\n<kbd>  c   <em> # why</em></kbd>\n<samp>d</samp></code></pre></div>\n"},
		{"a here-document", "```console\n$ cat <<EOF\n$x\nEOF\nd\n```\n", "<div class=\"code\"><pre tabindex=\"0\"><code><i>$ </i><kbd>cat &lt;&lt;EOF</kbd>\n<kbd>$x</kbd>\n<kbd>EOF</kbd>\n<samp>d</samp></code></pre></div>\n"},
		{"comments of a config", "```yaml\na: \"#b # c\"   # d\n```\n", "<div class=\"code\"><pre tabindex=\"0\"><code>a: &#34;#b # c&#34;  <em> # d</em></code></pre></div>\n"},
		{"a table without a header", "| | |\n|---|--:|\n| a | 1 |\n", "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>\n<tbody>\n<tr>\n<td>a</td>\n<td class=\"right\">1</td>\n</tr>\n</tbody>\n</table></div>\n"},
		{"links to files, pages and folders", "[x](../../deploy/a.yaml) [README.md](../README.md#guides-one-task-each) [b](https://b.example/)\n", "<p><a href=\"" + elsewhere + "deploy/a.yaml\">x</a> <a href=\"../index.html#guides-one-task-each\">All</a> <a href=\"https://b.example/\">b</a></p>\n"},
		{"notes of those who generate", "<!-- written by x: begin -->\na\n", "<p>a</p>\n"},
		{"what looks like markup", "`<b>` &lt;i&gt;\n", "<p><code class=\"short\">&lt;b&gt;</code> &lt;i&gt;</p>\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "notes of those who generate" {
				c.text = strings.Replace(c.text, "-->\n", "-->\n\n", 1)
			}
			if got := pageOf(t, c.text); got != c.want {
				t.Errorf("it is\n%s\nand not\n%s", got, c.want)
			}
		})
	}
}

// A picture has its size, and the dark one beside it.
func TestPictures(t *testing.T) {
	var drawn bytes.Buffer
	if err := png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 4, 3))); err != nil {
		t.Fatal(err)
	}
	docs := small("![one](b.png) ![other](c.png)\n")
	for _, name := range []string{"guides/b.png", "guides/b-dark.png", "guides/c.png"} {
		docs[name] = &fstest.MapFile{Data: drawn.Bytes()}
	}
	const want = `<img class="light" loading="lazy" src="b.png" width="4" height="3" alt="one"><img class="dark" loading="lazy" src="b-dark.png" width="4" height="3" alt="one"> ` +
		`<img loading="lazy" src="c.png" width="4" height="3" alt="other">`
	if got := bodyOf(t, docs); got != "<p>"+want+"</p>\n" {
		t.Errorf("it is\n%s\nand not\n%s", got, want)
	}
}

func TestWhatIsRefused(t *testing.T) {
	lost := small("")
	lost["guides/lost.md"] = &fstest.MapFile{Data: []byte("# Lost\n\nNo list has it.\n")}
	twice := small("")
	twice["README.md"].Data = append(bytes.Clone(twice["README.md"].Data), "| [guides/a.md](guides/a.md) | again |\n"...)
	odd := small("")
	odd["guides/a.pdf"] = &fstest.MapFile{}
	untitled := small("")
	untitled["guides/a.md"].Data = []byte("It has no title.\n")
	broken := small("![a](a.png)\n")
	broken["guides/a.png"] = &fstest.MapFile{Data: []byte("no picture at all")}
	for _, c := range []struct {
		name, want string
		docs       fstest.MapFS
	}{
		{"a page that no list has", "docs/guides/lost.md is in no list", lost},
		{"a page in two lists", "docs/guides/a.md is listed twice", twice},
		{"a file of another sort", "docs/guides/a.pdf is neither", odd},
		{"a page without a title", "does not begin with a title", untitled},
		{"no list", "docs/README.md, which lists all pages, is missing", fstest.MapFS{"a.md": {Data: []byte("# A\n")}}},
		{"a link to nothing", "docs/guides/a.md: a link leads to b.md", small("[b](b.md)\n")},
		{"an image that is none", "the image a.png: png: invalid format", broken},
		{"an image that is not there", "the image b.png", small("![b](b.png)\n")},
		{"markup", "HTML, which the manual leaves out: <b>", small("a <b>b</b>\n")},
		{"a block of markup", "HTML, which the manual leaves out: <div>", small("<div>\n")},
		{"two titles", "a second title: B", small("# B\n")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Build(c.docs, elsewhere); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func TestRelative(t *testing.T) {
	for _, c := range [][3]string{{".", "a.html", "a.html"}, {"a", "a/b.html", "b.html"}, {"a", "b/c.html", "../b/c.html"}, {"a/b", "a/c/d.html", "../c/d.html"}, {"a/b", "e.html", "../../e.html"}} {
		if got := relative(c[0], c[1]); got != c[2] {
			t.Errorf("from %s to %s is %s", c[0], c[1], got)
		}
	}
}
