// Package manual makes the pages of the manual from the Markdown of docs. It knows nothing of how they are stored or served.
package manual

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// index is the page that lists all others. Its tables are the order of the manual.
const index = "README.md"

// records are the decisions: they are parts of their own index.
const records = "decisions/"

// kind says what a row of the navigation is.
type kind string

const (
	section kind = "section" // a heading, such as Guides
	group   kind = "group"   // a heading below a section
	page    kind = "page"
	part    kind = "part" // a page below the page before; it is shown while one of them is read
	below   kind = "of"   // a heading among parts
)

// row is one of the navigation.
type row struct {
	kind  kind
	title string
	name  string // of the Markdown file, "" for headings
}

// book is the manual while it is made.
type book struct {
	docs   fs.FS
	source string             // the URL of the repository's files
	pages  map[string]*parsed // by the name of the Markdown file
	rows   []row
}

// File is one of the manual: a page, an image, or the list of pages.
type File struct {
	Name string
	Text []byte
}

// Build makes the manual of the folder docs. Links to other files of the repository lead to source, a URL that ends in a slash. The files are
// sorted by name.
func Build(docs fs.FS, source string) ([]File, error) {
	b := &book{docs: docs, source: source, pages: map[string]*parsed{}}
	var images []string
	err := fs.WalkDir(docs, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case path.Ext(name) == ".md":
			b.pages[name], err = b.parse(name)
		case slices.Contains([]string{".png", ".svg"}, path.Ext(name)):
			images = append(images, name)
		default:
			err = fmt.Errorf("docs/%s is neither a page nor an image: the manual has no place for it", name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := b.order(); err != nil {
		return nil, err
	}
	files := []File{{"pages.js", b.list()}}
	for _, name := range images {
		text, err := fs.ReadFile(docs, name)
		if err != nil {
			return nil, err
		}
		files = append(files, File{name, text})
	}
	for name := range b.pages {
		text, err := b.render(name)
		if err != nil {
			return nil, fmt.Errorf("docs/%s: %w", name, err)
		}
		files = append(files, File{built(name), text})
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return files, nil
}

// built is the name of a page as a file of the manual.
func built(name string) string {
	dir, file := path.Split(name)
	if file == index {
		return dir + "index.html"
	}
	return dir + strings.TrimSuffix(file, ".md") + ".html"
}

// order reads the navigation from the index, and from those of folders that the index links. Every page is in it once.
func (b *book) order() error {
	front := b.pages[index]
	if front == nil {
		return fmt.Errorf("docs/%s, which lists all pages, is missing", index)
	}
	b.rows = []row{{page, "All pages", index}}
	for _, e := range front.entries {
		switch {
		case e.level == 2:
			b.rows = append(b.rows, row{section, e.title, ""})
		case e.level == 3:
			b.rows = append(b.rows, row{group, e.title, ""})
		default:
			b.add(e.name)
		}
	}
	listed := map[string]bool{}
	for _, r := range b.rows {
		if r.name != "" && listed[r.name] {
			return fmt.Errorf("docs/%s is listed twice", r.name)
		}
		listed[r.name] = true
	}
	for name := range b.pages {
		if !listed[name] {
			return fmt.Errorf("docs/%s is in no list: add it to docs/%s, or to the README.md of its folder", name, index)
		}
	}
	return nil
}

// add adds a page, and the pages that it lists if it is the index of a folder.
func (b *book) add(name string) {
	p := b.pages[name]
	if p == nil {
		return // a link that leads nowhere is found when the page is written
	}
	title := p.title
	if strings.HasPrefix(name, records) {
		b.rows = append(b.rows, row{section, title, ""})
		title = "All records"
	}
	b.rows = append(b.rows, row{page, title, name})
	if path.Base(name) != index {
		return
	}
	for _, e := range p.entries {
		switch {
		case e.level == 2 && strings.HasPrefix(name, records):
			b.rows = append(b.rows, row{below, e.title, ""})
		case e.level == 0 && path.Dir(e.name) == path.Dir(name) && b.pages[e.name] != nil:
			b.rows = append(b.rows, row{part, b.pages[e.name].title, e.name})
		}
	}
}

// neighbours are the pages before and after one; "" at an end.
func (b *book) neighbours(name string) (before, after string) {
	var all []string
	for _, r := range b.rows {
		if r.name != "" {
			all = append(all, r.name)
		}
	}
	at := slices.Index(all, name)
	if at > 0 {
		before = all[at-1]
	}
	if at+1 < len(all) {
		after = all[at+1]
	}
	return before, after
}
