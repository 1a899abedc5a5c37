package gemini

import (
	"strconv"

	"github.com/weirproxy/weir/internal/dialect/cited"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// cite sends the pages that the current candidate's text comes from. The parts that came with it have their beginnings.
func (st *Stream) cite(grounding llm.JSON, parts []int64) {
	var supports llm.JSON
	var pages []llm.Citation
	for name, v := range jsonwalk.Members(grounding) {
		switch string(name) {
		case "groundingChunks":
			pages = pagesOf(v)
		case "groundingSupports":
			supports = v
		}
	}
	for _, support := range jsonwalk.Elements(supports) {
		var c llm.Citation
		var indices llm.JSON
		for name, v := range jsonwalk.Members(support) {
			switch string(name) {
			case "segment":
				c.Start, c.End = st.segment(v, parts)
			case "groundingChunkIndices":
				indices = v
			}
		}
		for _, index := range jsonwalk.Elements(indices) {
			i := number(index)
			if c.End <= c.Start || i < 0 || i >= int64(len(pages)) || len(pages[i].URL.Inner()) == 0 {
				continue
			}
			c.URL, c.Title = pages[i].URL, pages[i].Title
			st.event(llm.Event{Kind: llm.Cited, Citation: &c})
		}
	}
}

// pagesOf are the addresses and titles of chunks; chunks that are not web pages have neither.
func pagesOf(chunks llm.JSON) (pages []llm.Citation) {
	for _, chunk := range jsonwalk.Elements(chunks) {
		var page llm.Citation
		for name, v := range jsonwalk.Members(chunk) {
			if string(name) == "web" {
				page.URL, page.Title = pageOf(v)
			}
		}
		pages = append(pages, page)
	}
	return pages
}

func pageOf(web llm.JSON) (url, title llm.JSON) {
	for name, v := range jsonwalk.Members(web) {
		switch string(name) {
		case "uri":
			url = str(v)
		case "title":
			title = str(v)
		}
	}
	return url, title
}

// segment is a piece of the text in characters. It is empty if the value is not a segment, or if the text there has other words. The
// API counts the bytes of a part, which in a stream goes on from piece to piece: the first is the whole text then.
func (st *Stream) segment(segment llm.JSON, parts []int64) (start, end int64) {
	var from, to, part int64
	var words string
	for name, v := range jsonwalk.Members(segment) {
		switch string(name) {
		case "startIndex":
			from = number(v)
		case "endIndex":
			to = number(v)
		case "partIndex":
			part = number(v)
		case "text":
			words = llm.JSON(v).Text()
		}
	}
	if from < 0 || to <= from {
		return 0, 0
	}
	base := int64(0)
	if part > 0 && part < int64(len(parts)) {
		base = parts[part]
	}
	places := &st.candidates[st.now].places
	from, to, found := places.Find(words, base+from, base+to)
	start, began := places.Character(from)
	end, ended := places.Character(to)
	if !found || !began || !ended {
		return 0, 0
	}
	return start, end
}

// beginnings are the byte offsets in the text at which the parts begin, after what was already said.
func beginnings(parts llm.JSON, said cited.Length) (bytes []int64) {
	for _, value := range jsonwalk.Elements(parts) {
		bytes = append(bytes, said.Bytes)
		if p := readPart(value); p.kind == llm.Text {
			said.Add(p.text)
		}
	}
	return bytes
}

// number is a whole number, -1 for any other value.
func number(v llm.JSON) int64 {
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// sources are where an answer's text stems from, as they are written: lists without brackets.
type sources struct {
	chunks, supports []byte
	n                int
}

// add adds a citation of a text.
func (s *sources) add(c *llm.Citation, text []byte) {
	from := cited.Offset(text, c.Start)
	to := max(from, cited.Offset(text, c.End))
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

// append appends them as a member after others, or nothing.
func (s *sources) append(dst []byte) []byte {
	if s.n == 0 {
		return dst
	}
	dst = append(append(dst, `,"groundingMetadata":{"groundingChunks":[`...), s.chunks...)
	return append(append(append(dst, `],"groundingSupports":[`...), s.supports...), "]}"...)
}
