package web

import (
	"html"
	"strings"
)

// sectionsOf are a page's title and its sections: anchor, heading and text, the first without a heading. The page is one that make web wrote: its attributes have
// no angle brackets.
func sectionsOf(page string) (title string, sections [][3]string) {
	_, page, _ = strings.Cut(page, "<article>")
	page, _, _ = strings.Cut(page, "</article>")
	heading, page, _ := strings.Cut(page, "</h1>")
	parts := strings.Split(page, `<h2 id="`)
	sections = append(sections, [3]string{"", "", textOf(parts[0])})
	for _, part := range parts[1:] {
		anchor, part, _ := strings.Cut(part, `"`)
		_, part, _ = strings.Cut(part, ">")
		heading, part, _ := strings.Cut(part, "</h2>")
		sections = append(sections, [3]string{anchor, textOf(heading), textOf(part)})
	}
	return textOf(heading), sections
}

// textOf is markup without its tags, with one space between words.
func textOf(markup string) string {
	var out strings.Builder
	for {
		text, rest, found := strings.Cut(markup, "<")
		out.WriteString(text)
		if !found {
			break
		}
		tag, after, _ := strings.Cut(rest, ">")
		if !inline(tag) {
			out.WriteByte(' ')
		}
		markup = after
	}
	return strings.Join(strings.Fields(html.UnescapeString(out.String())), " ")
}

// inline reports whether a tag stands within a word or a line.
func inline(tag string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(tag, "/"), " ")
	switch name {
	case "code", "a", "em", "strong", "kbd", "samp", "i":
		return true
	}
	return false
}
