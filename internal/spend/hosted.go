package spend

import (
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// adders are members at the top of a body by which the vendor adds to the prompt what is not in the body.
var adders = [...]string{
	"web_search_options", "search_parameters", "mcp_servers", "plugins", "container", "conversation", "previous_response_id", "data_sources",
	"cachedcontent", "cached_content", "connectors",
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
