package openai

import (
	"cmp"
	"strconv"

	"github.com/weirproxy/weir/internal/llm"
)

// maxAnnotations bounds how many sources of one answer are reported, and maxAnnotated the bytes of their addresses and titles. A
// dialect may name a long one once and cite it again and again.
const (
	maxAnnotations = 1000
	maxAnnotated   = 1 << 20
)

// cite remembers a citation, to be sent at the end.
func (c *production) cite(source *llm.Citation) {
	n := c.annotated + len(source.URL) + len(source.Title)
	if c.cited == maxAnnotations || n > maxAnnotated {
		return
	}
	if c.cited, c.annotated = c.cited+1, n; c.cited > 1 {
		c.annotations = append(c.annotations, ',')
	}
	c.annotations = annotate(c.annotations, source)
}

// annotate appends a citation as an element of annotations.
func annotate(dst []byte, c *llm.Citation) []byte {
	dst = strconv.AppendInt(append(dst, `{"type":"url_citation","url_citation":{"start_index":`...), c.Start, 10)
	dst = strconv.AppendInt(append(dst, `,"end_index":`...), c.End, 10)
	dst = append(append(dst, `,"title":`...), cmp.Or(string(c.Title), `""`)...)
	return append(append(append(dst, `,"url":`...), c.URL...), "}}"...)
}
