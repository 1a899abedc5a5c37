package gemini

import (
	"strconv"
	"unicode/utf8"

	"github.com/weirproxy/weir/internal/llm"
)

// sources are where an answer's text stems from, as they are written: lists without brackets.
type sources struct {
	chunks, supports []byte
	n                int
}

// add adds a citation of a text.
func (s *sources) add(c *llm.Citation, text []byte) {
	from := offset(text, c.Start)
	to := max(from, offset(text, c.End))
	if s.n > 0 {
		s.chunks, s.supports = append(s.chunks, ','), append(s.supports, ',')
	}
	s.chunks = append(append(s.chunks, `{"web":{"uri":`...), c.URL...)
	if c.Title != nil {
		s.chunks = append(append(s.chunks, `,"title":`...), c.Title...)
	}
	s.chunks = append(s.chunks, "}}"...)
	s.supports = strconv.AppendInt(append(s.supports, `{"segment":{"startIndex":`...), int64(from), 10)
	s.supports = strconv.AppendInt(append(s.supports, `,"endIndex":`...), int64(to), 10)
	s.supports = llm.AppendQuote(append(s.supports, `,"text":`...), text[from:to])
	s.supports = strconv.AppendInt(append(s.supports, `},"groundingChunkIndices":[`...), int64(s.n), 10)
	s.supports = append(s.supports, "]}"...)
	s.n++
}

// offset is where a character of a text begins: the API counts bytes.
func offset(text []byte, character int64) int {
	at := 0
	for ; character > 0 && at < len(text); character-- {
		_, n := utf8.DecodeRune(text[at:])
		at += n
	}
	return at
}

// append appends them as a member behind others, nothing if there are none.
func (s *sources) append(dst []byte) []byte {
	if s.n == 0 {
		return dst
	}
	dst = append(append(dst, `,"groundingMetadata":{"groundingChunks":[`...), s.chunks...)
	return append(append(append(dst, `],"groundingSupports":[`...), s.supports...), "]}"...)
}
