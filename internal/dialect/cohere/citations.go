package cohere

import (
	"strconv"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// cite tells a citation of the first text, which is the element said of the content, once for each source that has an
// address: OpenAI's API knows no others.
func cite(value llm.JSON, said int64, tell func(*llm.Event)) {
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
		case "content_index":
			at = place(v)
		case "type":
			if typ := v.Text(); typ != "" && typ != "TEXT_CONTENT" { // of a plan, or of a thought
				return
			}
		case "sources":
			sources = v
		}
	}
	if at != said || said < 0 || c.Start < 0 || c.End <= c.Start { // nothing is cited
		return
	}
	for _, source := range jsonwalk.Elements(sources) {
		if c.URL, c.Title = address(source); c.URL != nil {
			cited := c
			tell(&llm.Event{Kind: llm.Cited, Citation: &cited})
		}
	}
}

// place is a whole number, -1 for what is none.
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
