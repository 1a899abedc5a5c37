package spend

import (
	"bytes"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// mediaTypes begin the types of what is no text, wherever they stand, in the dialects: a part whose form is not known is found all the
// same.
var mediaTypes = [...]string{
	"image", "audio", "video", "document", "file", "input_image", "input_audio", "input_video", "input_file", "item_reference",
}

// mediaNames are the members that have it, where no type says so. Those of Converse are other things elsewhere, so their source has to be
// there.
var (
	mediaNames   = [...]string{`"inlineData"`, `"inline_data"`, `"fileData"`, `"file_data"`}
	sourcedNames = [...]string{`"image"`, `"document"`, `"video"`, `"audio"`}
)

// adders are members at the top of a body by which the vendor adds to the prompt what is not in the body.
var adders = [...]string{
	"web_search_options", "search_parameters", "mcp_servers", "plugins", "container", "conversation", "previous_response_id", "data_sources",
	"cachedcontent", "cached_content", "connectors",
}

// hosted reports whether the model may read more than a body has: there is media, a tool that the vendor runs, or a reference.
func hosted(raw []byte) bool {
	if disguised(raw) || typed(raw) {
		return true
	}
	for _, name := range mediaNames {
		if bytes.Contains(raw, []byte(name)) {
			return true
		}
	}
	for _, name := range sourcedNames {
		if sourced(raw, name) {
			return true
		}
	}
	for name, value := range jsonwalk.Members(raw) {
		if string(value) != "null" && adds(strings.ToLower(string(name)), value) {
			return true
		}
	}
	return false
}

// adds reports whether a member at the top has the vendor add something.
func adds(name string, value llm.JSON) bool {
	for _, member := range adders {
		if name == member {
			return true
		}
	}
	switch name {
	case "prompt":
		return value.Kind() == '{'
	case "tools":
		return !own(value)
	case "toolconfig":
		for name, tools := range jsonwalk.Members(value) {
			if string(name) == "tools" && !own(tools) {
				return true
			}
		}
	}
	return false
}

// typed reports whether a member "type" says that something is media. In a text its quotes are escaped.
func typed(raw []byte) bool {
	for rest := raw; ; {
		value, found := after(rest, `"type"`)
		if !found {
			return false
		}
		rest = value
		for _, word := range mediaTypes {
			if len(value) > len(word) && value[0] == '"' && string(value[1:len(word)+1]) == word {
				return true
			}
		}
	}
}

// sourced reports whether a member of the name has a source.
func sourced(raw []byte, name string) bool {
	for rest := raw; ; {
		value, found := after(rest, name)
		if !found {
			return false
		}
		rest = value
		for member := range jsonwalk.Members(value) {
			if string(member) == "source" {
				return true
			}
		}
	}
}

// after returns what follows the name of a member and its colon. The name may also be a value, which nothing useful follows.
func after(raw []byte, name string) (rest []byte, found bool) {
	at := bytes.Index(raw, []byte(name))
	if at < 0 {
		return nil, false
	}
	rest = bytes.TrimLeft(raw[at+len(name):], " \t\r\n")
	if len(rest) > 0 && rest[0] == ':' {
		rest = bytes.TrimLeft(rest[1:], " \t\r\n")
	}
	return rest, true
}

// disguised reports whether a body spells a letter as an escape, as in "\u0066ile". No encoder does that: it may hide a word that is looked for
// here.
func disguised(raw []byte) bool {
	for rest := raw; ; {
		at := bytes.IndexByte(rest, '\\')
		if at < 0 || at+1 >= len(rest) {
			return false
		}
		if rest = rest[at+1:]; len(rest) >= 5 && string(rest[:3]) == "u00" && rest[3] >= '4' && rest[3] <= '7' {
			return true
		}
		rest = rest[1:] // what a backslash escapes is no beginning of another escape
	}
}

// own reports whether all of a list of tools are functions that the caller runs, in the form of any dialect.
func own(tools []byte) bool {
	if llm.JSON(tools).Kind() != '[' {
		return false
	}
	for _, tool := range jsonwalk.Elements(tools) {
		if llm.JSON(tool).Kind() != '{' {
			return false
		}
		kind, declares, other := "", false, false
		for name, value := range jsonwalk.Members(tool) {
			switch string(name) {
			case "type":
				kind = string(llm.JSON(value).Inner())
			case "functionDeclarations", "function_declarations":
				declares = true
			default:
				other = true
			}
		}
		switch {
		case declares && other, kind != "" && kind != "function" && kind != "custom":
			return false
		case !declares && kind == "" && !named(tool):
			return false
		}
	}
	return true
}

// named reports whether a tool without a type is a function by its name, or no tool but a mark for caches.
func named(tool []byte) bool {
	for name := range jsonwalk.Members(tool) {
		switch string(name) {
		case "name", "toolSpec", "cachePoint":
			return true
		}
	}
	return false
}
