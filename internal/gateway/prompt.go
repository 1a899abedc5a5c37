package gateway

import (
	"bytes"
	"strings"

	"github.com/weirproxy/weir/internal/budget"
	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// promptOf is what budgets are to know of a request. Where nothing cheaper is known, it is taken for more than it is: the bytes are those of the
// whole body, and any tool that is not the caller's own may read as much as the model can.
func promptOf(asked dialect.Request) (p budget.Prompt, a budget.Answer) {
	scan := asked.Scan()
	of := asked.Profile(llm.Wants{Needs: media, Tokens: true})
	p = budget.Prompt{
		Bytes: int64(len(scan.Raw)), Tools: asked.OffersTools() || asked.AsksSchema(), Opaque: of.Needs&media != 0 || hosted(scan.Raw),
		Hour: bytes.Contains(scan.Raw, []byte(`"1h"`)), Tier: asked.Text("service_tier"), Estimate: int64(of.Prompt),
	}
	a = budget.Answer{None: scan.Endpoint == llm.Embeddings, Most: int64(of.Output), N: int64(of.Answers), Media: true}
	return p, a
}

// media is what of a prompt is no text.
const media = llm.TakesImages | llm.TakesAudio | llm.TakesFiles

// mediaWords are the words for what is no text, wherever they stand, in the dialects: a part whose form is not known is found all the same.
var mediaWords = [...]string{
	"image", "audio", "video", "document", "file", "input_image", "input_audio", "input_file", "item_reference",
}

// mediaNames are the members that have it, where no type says so.
var mediaNames = [...]string{`"inlineData"`, `"inline_data"`, `"fileData"`, `"file_data"`}

// adders are members at the top of a body by which the vendor adds to the prompt what is not in the body.
var adders = [...]string{
	"web_search_options", "search_parameters", "mcp_servers", "plugins", "container", "conversation", "previous_response_id", "data_sources",
	"cachedcontent", "cached_content", "connectors",
}

// hosted reports whether a body may have the vendor add what it does not hold: by a tool that the vendor runs, or by a reference.
func hosted(raw []byte) bool {
	if disguised(raw) {
		return true
	}
	for _, word := range mediaWords {
		if bytes.Contains(raw, []byte(`"type":"`+word)) || bytes.Contains(raw, []byte(`"type": "`+word)) {
			return true
		}
	}
	for _, name := range mediaNames {
		if bytes.Contains(raw, []byte(name)) {
			return true
		}
	}
	for name, value := range jsonwalk.Members(raw) {
		given := string(value) != "null"
		lower := strings.ToLower(string(name))
		for _, member := range adders {
			if given && lower == member {
				return true
			}
		}
		if given && (lower == "prompt" && llm.JSON(value).Kind() == '{' || lower == "tools" && !own(value)) {
			return true
		}
	}
	return false
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

// named reports whether a tool without a type is a function by its name.
func named(tool []byte) bool {
	for name := range jsonwalk.Members(tool) {
		if string(name) == "name" || string(name) == "toolSpec" {
			return true
		}
	}
	return false
}
