package openai

import (
	"cmp"
	"strconv"

	"github.com/weirproxy/weir/internal/llm"
)

// maxAnnotations bounds what is told of the sources of one answer.
const maxAnnotations = 1000

// annotate appends a citation as an element of annotations.
func annotate(dst []byte, c *llm.Citation) []byte {
	dst = strconv.AppendInt(append(dst, `{"type":"url_citation","url_citation":{"start_index":`...), c.Start, 10)
	dst = strconv.AppendInt(append(dst, `,"end_index":`...), c.End, 10)
	dst = append(append(dst, `,"title":`...), cmp.Or(string(c.Title), `""`)...)
	return append(append(append(dst, `,"url":`...), c.URL...), "}}"...)
}
