package manual

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// parsed is a page.
type parsed struct {
	source   []byte
	root     ast.Node
	title    string
	lead     string    // its first paragraph
	headings []heading // those of level 2 and 3
	entries  []entry
}

// heading is one of a page.
type heading struct {
	level     int
	id, title string
}

// entry is what an index has in order: a heading, with its level, or a page that a row or an item begins with, with level 0.
type entry struct {
	level int
	title string
	name  string
}

// markdown reads what GitHub reads of the forms that docs use.
func markdown() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.Linkify),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(look{}, 10))),
	)
}

// parse reads a page, and gives its headings the anchors that GitHub gives them.
func (b *book) parse(name string) (*parsed, error) {
	source, err := fs.ReadFile(b.docs, name)
	if err != nil {
		return nil, err
	}
	p := &parsed{source: source, root: markdown().Parser().Parse(text.NewReader(source))}
	taken := map[string]int{}
	err = ast.Walk(p.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		return ast.WalkContinue, p.note(n, path.Dir(name), taken)
	})
	if err == nil && p.title == "" {
		err = fmt.Errorf("it does not begin with a title")
	}
	if err != nil {
		return nil, fmt.Errorf("docs/%s: %w", name, err)
	}
	return p, nil
}

// note remembers what a node says of its page.
func (p *parsed) note(n ast.Node, dir string, taken map[string]int) error {
	switch n := n.(type) {
	case *ast.Heading:
		title := plain(n, p.source)
		id := slug(title)
		taken[id]++
		if again := taken[id] - 1; again > 0 {
			id = fmt.Sprintf("%s-%d", id, again)
		}
		n.SetAttributeString("id", []byte(id))
		switch {
		case n.Level == 1 && p.title == "":
			p.title = title
		case n.Level == 1:
			return fmt.Errorf("a second title: %s", title)
		case n.Level <= 3:
			p.headings = append(p.headings, heading{n.Level, id, title})
			p.entries = append(p.entries, entry{level: n.Level, title: short(title)})
		}
	case *ast.Paragraph:
		if p.lead == "" {
			p.lead = plain(n, p.source)
		}
	case *ast.Link:
		if first(n) {
			p.entries = append(p.entries, entry{name: path.Join(dir, string(n.Destination))})
		}
	case *ast.HTMLBlock:
		if !comment.Match(n.Lines().Value(p.source)) {
			return fmt.Errorf("HTML, which the manual leaves out: %s", n.Lines().Value(p.source))
		}
	case *ast.RawHTML:
		return fmt.Errorf("HTML, which the manual leaves out: %s", n.Segments.Value(p.source))
	}
	return nil
}

var comment = regexp.MustCompile(`^\s*<!--[^>]*-->\s*$`)

// first reports whether a link begins a paragraph, an item or the first cell of a row.
func first(n *ast.Link) bool {
	if n.PreviousSibling() != nil {
		return false
	}
	switch up := n.Parent().(type) {
	case *extast.TableCell:
		return up.PreviousSibling() == nil
	case *ast.Paragraph, *ast.TextBlock:
		return true
	}
	return false
}

// short is a heading without what explains it, as in "Guides: one task each".
func short(title string) string {
	before, _, _ := strings.Cut(title, ":")
	return before
}

// plain is the text of a node, without any form.
func plain(n ast.Node, source []byte) string {
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			out.Write(t.Value(source))
			if t.SoftLineBreak() {
				out.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}

var notInSlug = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)

// slug is the anchor that GitHub gives a heading.
func slug(title string) string {
	return strings.ReplaceAll(notInSlug.ReplaceAllString(strings.ToLower(title), ""), " ", "-")
}
