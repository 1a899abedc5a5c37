package manual

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"image/png"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// shell is what stands around a page. Navigation, search and version are added by the script, from files that all pages share: a page changes only
// with its text.
var shell = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en" data-root="{{.Root}}" data-page="{{.Page}}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="{{.Lead}}">
<title>{{.Title}} · Weir</title>
<link rel="icon" href="{{.Root}}icon.svg">
<link rel="stylesheet" href="{{.Root}}manual.css">
<script src="{{.Root}}pages.js"></script>
</head>
<body>
<a class="skip" href="#page">To the page</a>
<header class="top"><a class="brand" href="{{.Root}}index.html"><img src="{{.Root}}icon.svg" width="20" height="20" alt="">Weir <span>manual</span></a></header>
<div class="shell">
<nav class="side" aria-label="Manual"><noscript><a href="{{.Root}}index.html">All pages</a></noscript></nav>
<script src="{{.Root}}manual.js"></script>
<main id="page" tabindex="-1">
<article>
{{.Body}}</article>
<nav class="turn" aria-label="Before and after">{{with .Before}}<a rel="prev" href="{{.Href}}"><span>Before</span>{{.Title}}</a>{{end}}{{with .After}}<a rel="next" href="{{.Href}}"><span>Next</span>{{.Title}}</a>{{end}}</nav>
<footer><span id="version"></span><a href="{{.Source}}">Source of this page</a></footer>
</main>
{{if .Headings}}<nav class="here" aria-label="On this page"><p>On this page</p><ul>{{range .Headings}}<li{{if eq .Level 3}} class="deep"{{end}}><a href="#{{.ID}}">{{.Title}}</a></li>{{end}}</ul></nav>
{{end}}</div>
</body>
</html>
`))

// rendered is what shell writes.
type rendered struct {
	Root, Page, Lead, Title, Source string
	Body                            template.HTML
	Before, After                   *link
	Headings                        []listed
}

type link struct{ Href, Title string }

type listed struct {
	Level     int
	ID, Title string
}

// render writes a page.
func (b *book) render(name string) ([]byte, error) {
	p := b.pages[name]
	if err := b.lead(p, name); err != nil {
		return nil, err
	}
	var body bytes.Buffer
	if err := markdown().Renderer().Render(&body, p.source, p.root); err != nil {
		return nil, err
	}
	root := strings.Repeat("../", strings.Count(name, "/"))
	before, after := b.neighbours(name)
	r := rendered{
		Root: root, Page: built(name), Lead: p.lead, Title: p.title, Source: b.source + "docs/" + name, Body: template.HTML(body.String()), //nolint:gosec // it is made of our own pages, and their HTML was refused
		Before: b.to(root, before), After: b.to(root, after),
	}
	if len(p.headings) > 1 {
		for _, h := range p.headings {
			r.Headings = append(r.Headings, listed{h.level, h.id, h.title})
		}
	}
	var out bytes.Buffer
	err := shell.Execute(&out, r)
	return out.Bytes(), err
}

// to is a link to a page, nil for none.
func (b *book) to(root, name string) *link {
	if name == "" {
		return nil
	}
	return &link{root + built(name), b.pages[name].title}
}

// lead has the links of a page lead to pages of the manual, and to the repository where what they name is no part of it.
func (b *book) lead(p *parsed, name string) error {
	return ast.Walk(p.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			to, err := b.follow(name, string(n.Destination))
			if err != nil {
				return ast.WalkStop, err
			}
			b.name(p, name, n)
			n.Destination = []byte(to)
		case *ast.Image:
			if err := b.picture(path.Dir(name), n); err != nil {
				return ast.WalkStop, fmt.Errorf("the image %s: %w", n.Destination, err)
			}
		}
		return ast.WalkContinue, nil
	})
}

// What picture notes of an image.
const (
	sizeOfPicture = "size"
	darkPicture   = "dark"
)

// picture notes the size of an image of a page in a folder, and its dark form: name-dark.png beside name.png.
func (b *book) picture(dir string, n *ast.Image) error {
	text, err := fs.ReadFile(b.docs, path.Join(dir, string(n.Destination)))
	if err != nil || path.Ext(string(n.Destination)) != ".png" {
		return err
	}
	size, err := png.DecodeConfig(bytes.NewReader(text))
	if err != nil {
		return err
	}
	n.SetAttributeString(sizeOfPicture, fmt.Sprintf(` width="%d" height="%d"`, size.Width, size.Height))
	dark := strings.TrimSuffix(string(n.Destination), ".png") + "-dark.png"
	if _, err := fs.Stat(b.docs, path.Join(dir, dark)); err == nil {
		n.SetAttributeString(darkPicture, dark)
	}
	return nil
}

// name has a link that shows a file's name show the title of the page.
func (b *book) name(p *parsed, from string, n *ast.Link) {
	file, _, _ := strings.Cut(string(n.Destination), "#")
	to := b.pages[path.Join(path.Dir(from), file)]
	shown := plain(n, p.source)
	if to == nil || strings.Contains(shown, " ") || path.Ext(shown) != ".md" && !strings.HasSuffix(shown, "/") {
		return
	}
	n.RemoveChildren(n)
	n.AppendChild(n, ast.NewString([]byte(html.EscapeString(to.title))))
}

// follow is where a link of a page leads to in the manual.
func (b *book) follow(from, destination string) (string, error) {
	u, err := url.Parse(destination)
	if err != nil || u.Scheme != "" || u.Path == "" {
		return destination, err
	}
	to := path.Join(path.Dir(from), u.Path)
	if info, err := fs.Stat(b.docs, to); err == nil && info.IsDir() {
		to = path.Join(to, index)
	}
	if b.pages[to] == nil {
		outside := path.Join("docs", path.Dir(from), u.Path)
		if !strings.HasPrefix(outside, "docs/") {
			return b.source + outside, nil
		}
		if _, err := fs.Stat(b.docs, to); err != nil {
			return "", fmt.Errorf("a link leads to %s, which does not exist", destination)
		}
		return u.Path, nil // an image
	}
	u.Path = relative(path.Dir(built(from)), built(to))
	return u.String(), nil
}

// relative is the path of a file as seen from a folder.
func relative(dir, file string) string {
	if dir == "." {
		return file
	}
	from, to := strings.Split(dir, "/"), strings.Split(file, "/")
	for len(from) > 0 && len(to) > 1 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	return strings.Repeat("../", len(from)) + strings.Join(to, "/")
}

// list is the navigation for the script, a row in each line, so that two changes of it can be merged.
func (b *book) list() []byte {
	var out bytes.Buffer
	out.WriteString("// The pages in their order. Generated by make web.\nconst pages = [\n")
	for _, r := range b.rows {
		words := []string{string(r.kind), r.title}
		if r.name != "" {
			words = append(words, built(r.name))
		}
		text, err := json.Marshal(words)
		if err != nil {
			panic(err) // strings are always written
		}
		out.Write(text)
		out.WriteString(",\n")
	}
	out.WriteString("];\n")
	return out.Bytes()
}
