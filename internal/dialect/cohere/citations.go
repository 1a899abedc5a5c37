package cohere

import (
	"strconv"

	"github.com/weirproxy/weir/internal/dialect/cited"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// spoken is the first text of an answer, the only one that citations refer to.
type spoken struct {
	cited.Text
	number int64 // index of the text in the list of contents, plus one; 0 if none came yet
}

// hear takes a piece of an element of the content.
func (s *spoken) hear(index int64, piece llm.JSON) {
	if s.number == 0 {
		s.number = index + 1
	}
	if s.number == index+1 {
		s.Add(piece)
	}
}

// cite sends a citation, once for each source with an address: OpenAI's API has no others. The API counts characters. If the text
// has other words at that place, the citation's words are searched for.
func (s *spoken) cite(value llm.JSON, tell func(*llm.Event)) {
	said := s.number - 1
	var words string
	c := llm.Citation{Start: -1, End: -1}
	var sources llm.JSON
	at := said
	for name, v := range jsonwalk.Members(value) {
		v := llm.JSON(v)
		switch string(name) {
		case "start":
			c.Start = place(v)
		case "end":
			c.End = place(v)
		case "text":
			words = llm.JSON(v).Text()
		case "content_index":
			at = place(v)
		case "type":
			if typ := v.Text(); typ != "" && typ != "TEXT_CONTENT" { // it cites a plan or a thought
				return
			}
		case "sources":
			sources = v
		}
	}
	if at != said || s.Bytes == 0 || c.Start < 0 || c.End <= c.Start { // nothing is cited
		return
	}
	var found bool
	if c.Start, c.End, found = s.FindCharacters(words, c.Start, c.End); !found {
		return
	}
	for _, source := range jsonwalk.Elements(sources) {
		if c.URL, c.Title = address(source); c.URL != nil {
			one := c
			tell(&llm.Event{Kind: llm.Cited, Citation: &one})
		}
	}
}

// place is a whole number, -1 for any other value.
func place(v llm.JSON) int64 {
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// address is where a source can be found, nil if it does not say, and its title.
func address(source llm.JSON) (url, title llm.JSON) {
	for name, v := range jsonwalk.Members(source) {
		if string(name) != "document" && string(name) != "tool_output" {
			continue
		}
		for name, v := range jsonwalk.Members(v) {
			switch string(name) {
			case "url":
				url = str(v)
			case "title":
				title = str(v)
			}
		}
	}
	if len(url.Inner()) == 0 {
		return nil, nil
	}
	return url, title
}
