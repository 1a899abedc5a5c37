package manual

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// look writes the nodes that have another form here than everywhere: headings can be linked to, tables scroll in a box of their own, code can be copied.
type look struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (look) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, writeHeading)
	r.Register(ast.KindFencedCodeBlock, writeCode)
	r.Register(ast.KindHTMLBlock, skip)
	r.Register(extast.KindTable, writeTable)
	r.Register(extast.KindTableHeader, writeTableHeader)
	r.Register(extast.KindTableCell, writeTableCell)
	r.Register(ast.KindImage, writeImage)
	r.Register(ast.KindCodeSpan, writeCodeSpan)
}

func skip(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
	return ast.WalkSkipChildren, nil
}

func writeHeading(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Heading)
	tag := "h" + string(rune('0'+n.Level))
	id, _ := n.AttributeString("id")
	anchor, _ := id.([]byte)
	switch {
	case n.Level == 1 && entering:
		_, _ = w.WriteString("<h1>")
	case n.Level == 1:
		_, _ = w.WriteString("</h1>\n")
	case entering:
		_, _ = w.WriteString("<" + tag + ` id="` + string(anchor) + `">`)
	default: // what the link shows is in the style sheet, so that it is no part of the heading's text
		_, _ = w.WriteString(` <a class="anchor" href="#` + string(anchor) + `" aria-label="Link to: ` + html.EscapeString(plain(n, source)) + `"></a></` + tag + ">\n")
	}
	return ast.WalkContinue, nil
}

func writeTable(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>\n")
	} else {
		_, _ = w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}

// writeTableHeader leaves out a header without a word: GitHub's tables need one.
func writeTableHeader(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	empty := plain(node, source) == ""
	switch {
	case entering && empty:
		return ast.WalkSkipChildren, nil
	case entering:
		_, _ = w.WriteString("<thead><tr>\n")
	case empty:
		_, _ = w.WriteString("<tbody>\n")
	default:
		_, _ = w.WriteString("</tr></thead>\n<tbody>\n")
	}
	return ast.WalkContinue, nil
}

// writeTableCell has no style in an attribute, which the policy of the pages forbids. A header without a word is none.
func writeTableCell(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*extast.TableCell)
	tag := "td"
	if n.Parent().Kind() == extast.KindTableHeader && plain(n, source) != "" {
		tag = "th"
	}
	switch {
	case !entering:
		_, _ = w.WriteString("</" + tag + ">\n")
	case n.Alignment == extast.AlignNone:
		_, _ = w.WriteString("<" + tag + ">")
	default:
		_, _ = w.WriteString("<" + tag + ` class="` + n.Alignment.String() + `">`)
	}
	return ast.WalkContinue, nil
}

// writeCodeSpan keeps short code on one line: browsers break after each dash of an option.
func writeCodeSpan(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	text := plain(node, source)
	if len(text) <= 32 {
		_, _ = w.WriteString(`<code class="short">`)
	} else {
		_, _ = w.WriteString("<code>")
	}
	_, _ = w.WriteString(html.EscapeString(text) + "</code>")
	return ast.WalkSkipChildren, nil
}

// writeImage writes a picture, and the one for the dark scheme if there is one: the style sheet shows one of them, and browsers get only that. With their size, what is
// below them does not move when they come.
func writeImage(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkSkipChildren, nil
	}
	n := node.(*ast.Image)
	size, _ := n.AttributeString(sizeOfPicture)
	dark, both := n.AttributeString(darkPicture)
	write := func(class, destination string) {
		_, _ = fmt.Fprintf(w, `<img%s loading="lazy" src="%s"%s alt="%s">`, class, html.EscapeString(destination), size, html.EscapeString(plain(n, source)))
	}
	if size == nil {
		size = ""
	}
	if !both {
		write("", string(n.Destination))
		return ast.WalkSkipChildren, nil
	}
	write(` class="light"`, string(n.Destination))
	write(` class="dark"`, dark.(string))
	return ast.WalkSkipChildren, nil
}

func writeCode(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.FencedCodeBlock)
	language, text := string(n.Language(source)), string(bytes.TrimRight(n.Lines().Value(source), "\n"))
	_, _ = w.WriteString(`<div class="code"><pre tabindex="0"><code>`)
	if language == "console" {
		_, _ = w.WriteString(console(text))
	} else {
		for i, line := range strings.Split(text, "\n") {
			if i > 0 {
				_ = w.WriteByte('\n')
			}
			_, _ = w.WriteString(remarked(language, line))
		}
	}
	_, _ = w.WriteString("</code></pre></div>\n")
	return ast.WalkSkipChildren, nil
}

// console marks what is typed. A line that begins with a prompt is, and those that it goes on in: after a backslash, or up to the end of a here-document.
// What is copied is only that.
func console(text string) string {
	var out strings.Builder
	more, until := false, ""
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			out.WriteByte('\n')
		}
		prompt := prompts.FindString(line)
		switch {
		case prompt != "":
			out.WriteString(`<i>` + prompt + `</i>`)
			line = line[len(prompt):]
		case !more && until == "":
			out.WriteString(`<samp>` + html.EscapeString(line) + `</samp>`)
			continue
		}
		out.WriteString(`<kbd>` + remarked("sh", line) + `</kbd>`)
		more = strings.HasSuffix(line, `\`)
		if opened := hereDocument.FindStringSubmatch(line); opened != nil {
			until = opened[1]
		} else if line == until {
			until = ""
		}
	}
	return out.String()
}

var (
	prompts      = regexp.MustCompile(`^(?:\$|#|>>>) `)
	hereDocument = regexp.MustCompile(`<<-?\s*'?(\w+)'?`)
	remark       = regexp.MustCompile(`(?:^|\s)#(?:\s|$)`)
	withRemarks  = map[string]bool{"sh": true, "yaml": true, "toml": true, "nginx": true, "python": true, "ini": true, "caddyfile": true, "conf": true}
)

// remarked is a line in which the comment at its end is marked, if the language has such comments. What stands between quotation marks is none.
func remarked(language, line string) string {
	if withRemarks[language] {
		for _, at := range remark.FindAllStringIndex(line, -1) {
			before := line[:at[0]]
			if strings.Count(before, `"`)%2 == 0 && strings.Count(before, `'`)%2 == 0 {
				return html.EscapeString(before) + `<em>` + html.EscapeString(line[at[0]:]) + `</em>`
			}
		}
	}
	return html.EscapeString(line)
}
