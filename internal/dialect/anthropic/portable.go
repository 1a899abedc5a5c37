package anthropic

import (
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Outside implements dialect.Portable.
func (r *Request) Outside(s *dialect.Subset) (names []string) {
	if s.Members == nil {
		return nil
	}
	for i := range r.Members {
		if name := r.Members[i].Name; !slices.Contains(s.Members, name) {
			names = append(names, name)
		}
	}
	return names
}

// Fits implements dialect.Portable. The first name of structured output is translated too: no host but the vendor knows it. So are turns of the
// system, which depend on the model.
func (r *Request) Fits(s *dialect.Subset) bool {
	if s.Inline && r.elsewhere || s.Members != nil && r.Value("output_format") != nil {
		return false
	}
	if s.Blocks == nil && s.Tools == nil {
		return true
	}
	for _, tool := range jsonwalk.Elements(r.Value("tools")) {
		if !hasTool(s, tool) {
			return false
		}
	}
	if !hasBlocks(s, r.Value("system"), false) {
		return false
	}
	for _, message := range jsonwalk.Elements(r.Value("messages")) {
		if memberOf(message, "role").Text() == "system" || !hasBlocks(s, memberOf(message, "content"), false) {
			return false
		}
	}
	return true
}

// functionMembers are those of a tool that any host of the dialect takes. Sorted.
var functionMembers = []string{"cache_control", "description", "input_schema", "name", "strict", "type"}

// hasTool reports whether a host has a tool of that type, and, of the caller's own, of that form.
func hasTool(s *dialect.Subset, tool llm.JSON) bool {
	if typ := typeOf(tool); typ != "" && typ != "custom" {
		return slices.ContainsFunc(s.Tools, func(begin string) bool { return strings.HasPrefix(typ, begin) })
	}
	for name, v := range jsonwalk.Members(tool) {
		if _, known := slices.BinarySearch(functionMembers, string(name)); !known || string(name) == cacheMember && !isPlainCache(v) {
			return false
		}
	}
	return true
}

const cacheMember = "cache_control"

// isPlainCache reports whether a mark of the cache says only how long.
func isPlainCache(mark llm.JSON) bool {
	for name := range jsonwalk.Members(mark) {
		if string(name) != "type" && string(name) != "ttl" {
			return false
		}
	}
	return true
}

// hasBlocks reports whether a host takes all blocks of a content; what is no list has none. Blocks within another hold no others: walking over what
// lies very deep would take very long.
func hasBlocks(s *dialect.Subset, content llm.JSON, within bool) bool {
	for _, block := range jsonwalk.Elements(content) {
		if !slices.Contains(s.Blocks, typeOf(block)) {
			return false
		}
		for name, v := range jsonwalk.Members(block) {
			switch string(name) {
			case cacheMember:
				if !isPlainCache(v) {
					return false
				}
			case "content":
				if within || !hasBlocks(s, v, true) {
					return false
				}
			}
		}
	}
	return true
}

// isElsewhere reports whether an image or a document is named, and not in the request.
func isElsewhere(source llm.JSON) bool {
	typ := typeOf(source)
	return typ == "url" || typ == "file"
}
