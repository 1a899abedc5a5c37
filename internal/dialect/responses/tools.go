package responses

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/dialect/draft"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// toolKind is what a caller's tool is, and so how a call of it is written.
type toolKind uint8

const (
	aFunction toolKind = iota
	aCustom            // takes a text
	aSearch            // the caller's search for more tools
)

// origin is the caller's tool that a tool of the typed model stands for.
type origin struct {
	kind            toolKind
	namespace, name string
}

// toolbox are all tools of a request: those of the request itself, and those that its history adds.
type toolbox struct {
	list    []llm.Tool
	origins map[string]origin // by their names in list
	at      map[string]int    // their places in list
	left    []builtin         // tools that only their vendor has
	bad     *llm.Error
}

// builtin is a tool that the vendor runs.
type builtin struct {
	path, typ string
	raw       llm.JSON
}

// searchTool is the name that a search for tools has towards the model.
const searchTool = "tool_search"

// longestName is how long the name of a function may be at the strictest of the vendors.
const longestName = 64

// gather reads the tools, and those within the items of the input: a later one of the same name replaces an earlier one.
func gather(tools, input llm.JSON) (*toolbox, *llm.Error) {
	b := &toolbox{origins: map[string]origin{}, at: map[string]int{}}
	searches := false
	for _, t := range jsonwalk.Elements(tools) {
		searches = searches || memberOf(t, "type").Text() == searchTool
	}
	b.tools("tools", "", tools, searches)
	for i, item := range jsonwalk.Elements(input) {
		switch memberOf(item, "type").Text() {
		case "additional_tools", "tool_search_output":
			b.tools(fmt.Sprintf("input[%d].tools", i), "", memberOf(item, "tools"), false)
		}
	}
	return b, b.bad
}

// tools reads a list of tools. Of a request that searches, those whose loading is deferred come with what the search finds.
func (b *toolbox) tools(path, namespace string, list llm.JSON, searches bool) {
	if kind := list.Kind(); kind != '[' && kind != 0 && kind != 'n' {
		b.wrong(llm.InvalidType, path, "must be an array of tools")
	}
	for i, tool := range jsonwalk.Elements(list) {
		if b.bad != nil {
			return
		}
		at := fmt.Sprintf("%s[%d]", path, i)
		if searches && string(memberOf(tool, "defer_loading")) == "true" {
			continue
		}
		switch typ := memberOf(tool, "type").Text(); typ {
		case "function", "custom":
			b.own(at, namespace, typ, tool)
		case "namespace":
			name := memberOf(tool, "name").Text()
			switch {
			case namespace != "":
				b.wrong(llm.InvalidValue, at, "is a namespace within another")
			case name == "":
				b.wrong(llm.MissingParameter, at+".name", "is missing")
			default:
				b.tools(at+".tools", name, memberOf(tool, "tools"), searches)
			}
		case searchTool:
			b.search(at, tool)
		case "":
			b.wrong(llm.MissingParameter, at+".type", "is missing")
		default:
			b.left = append(b.left, builtin{at, llm.Clip(typ), tool})
		}
	}
}

// own reads a tool that the caller runs.
func (b *toolbox) own(path, namespace, typ string, tool llm.JSON) {
	name, description := memberOf(tool, "name"), given(memberOf(tool, "description"))
	if len(name.Inner()) == 0 {
		b.wrong(llm.MissingParameter, path+".name", "is missing")
		return
	}
	if description != nil && description.Kind() != '"' {
		b.wrong(llm.InvalidType, path+".description", "must be a string")
	}
	o := origin{namespace: namespace, name: name.Text()}
	t := llm.Tool{Name: llm.Quote(flat(namespace, o.name)), Description: description, Strict: string(memberOf(tool, "strict")) == "true"}
	if typ == "custom" {
		o.kind = aCustom
		t.Custom, t.Schema = true, llm.JSON(customSchema)
		t.Grammar, t.Description = withGrammar(description, memberOf(tool, "format"))
	} else if t.Schema = given(memberOf(tool, "parameters")); t.Schema != nil && t.Schema.Kind() != '{' {
		b.wrong(llm.InvalidType, path+".parameters", "must be an object")
	}
	b.add(path, o, t)
}

// search reads the tool that searches for tools. One that the vendor runs is a built-in tool.
func (b *toolbox) search(path string, tool llm.JSON) {
	if memberOf(tool, "execution").Text() != "client" {
		b.left = append(b.left, builtin{path, searchTool, tool})
		return
	}
	t := llm.Tool{Name: llm.Quote(searchTool), Description: given(memberOf(tool, "description")), Schema: given(memberOf(tool, "parameters"))}
	if t.Description == nil {
		t.Description = llm.Quote("Searches for tools that are not listed yet. What it finds can be called afterwards.")
	}
	if t.Schema == nil {
		t.Schema = llm.JSON(`{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer"}},"required":["query"]}`)
	}
	b.add(path, origin{kind: aSearch, name: searchTool}, t)
}

func (b *toolbox) add(path string, o origin, t llm.Tool) {
	name := t.Name.Text()
	known, there := b.origins[name]
	switch {
	case there && (known.name != o.name || known.namespace != o.namespace):
		b.wrong(llm.InvalidValue, path, fmt.Sprintf("is %s, which this model's provider cannot tell from %s; rename one of the two", o, known))
	case there:
		b.list[b.at[name]] = t
	default:
		b.at[name] = len(b.list)
		b.list = append(b.list, t)
	}
	b.origins[name] = o
}

func (b *toolbox) wrong(kind llm.Kind, param, what string) {
	if b.bad == nil {
		b.bad = &llm.Error{Kind: kind, Param: param, Message: "'" + param + "' " + what + "."}
	}
}

// String is the tool's name as a user knows it.
func (o origin) String() string {
	if o.namespace == "" {
		return fmt.Sprintf("the tool %q", o.name)
	}
	return fmt.Sprintf("the tool %q of the namespace %q", o.name, o.namespace)
}

// flat is the name of a tool towards a vendor that has no namespaces.
func flat(namespace, name string) string {
	if namespace != "" {
		name = namespace + "__" + name
	}
	if len(name) <= longestName {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return name[:longestName-9] + "_" + hex.EncodeToString(sum[:4])
}

// given is a value, nil if it is null.
func given(v llm.JSON) llm.JSON {
	if v.Kind() == 'n' {
		return nil
	}
	return v
}

// Custom tools take a text. Other dialects know no such tools: each is a function whose one parameter is that text.
const (
	customInput  = "input"
	customSchema = `{"type":"object","properties":{"` + customInput + `":{"type":"string"}},"required":["` + customInput + `"],"additionalProperties":false}`
)

// withGrammar is the grammar that the input of a custom tool has to follow, nil if it is any text, and the tool's description with it: most
// models are given it as text.
func withGrammar(description, format llm.JSON) (*llm.Grammar, llm.JSON) {
	g := llm.Grammar{Syntax: memberOf(format, "syntax"), Definition: memberOf(format, "definition"), Description: description}
	if memberOf(format, "type").Text() != "grammar" || len(g.Definition.Inner()) == 0 || len(g.Syntax.Inner()) == 0 {
		return nil, description
	}
	gap := llm.JSON(`""`)
	if len(description.Inner()) > 0 {
		gap = llm.JSON(`"\n\n"`)
	}
	return &g, inText(description, gap, llm.JSON(`"The input has to follow this grammar ("`), g.Syntax, llm.JSON(`"):\n"`), g.Definition)
}

// choice reads how free the model is to call tools.
func (d *decoder) choice(v llm.JSON) {
	const name = "tool_choice"
	switch v.Text() {
	case "auto":
		d.Out.Choice.Kind = llm.ChoiceAuto
		return
	case "none":
		d.Out.Choice.Kind = llm.ChoiceNone
		return
	case "required":
		d.Out.Choice.Kind = llm.ChoiceAny
		return
	}
	if v.Kind() != '{' {
		d.Wrong(llm.InvalidValue, name, "'tool_choice' must be none, auto, required or an object that names a tool.")
		return
	}
	switch typ := memberOf(v, "type").Text(); typ {
	case "function", "custom", searchTool:
		d.Out.Choice = llm.Choice{Kind: llm.ChoiceTool, Name: llm.Quote(d.named(v))}
	case "allowed_tools":
		d.allowed(v)
	default:
		if d.searches = strings.HasPrefix(typ, webSearch); d.searches {
			return
		}
		d.Wrong(llm.UnsupportedParameter, name, "Unsupported parameter: 'tool_choice' asks for a tool that this model's provider does not have. Remove it, or use another model.")
	}
}

// named is the name towards the model of the tool that an object names.
func (d *decoder) named(v llm.JSON) string {
	return flat(memberOf(v, "namespace").Text(), cmp.Or(memberOf(v, "name").Text(), memberOf(v, "type").Text()))
}

// allowed reads a choice among some of the tools, which alone are offered then.
func (d *decoder) allowed(v llm.JSON) {
	switch memberOf(v, "mode").Text() {
	case "auto":
		d.Out.Choice.Kind = llm.ChoiceAuto
	case "required":
		d.Out.Choice.Kind = llm.ChoiceAny
	default:
		d.Wrong(llm.InvalidValue, "tool_choice.mode", "'tool_choice.mode' must be auto or required.")
	}
	d.only = map[string]bool{}
	for i, tool := range jsonwalk.Elements(memberOf(v, "tools")) {
		name := d.named(tool)
		if _, known := d.box.origins[name]; known {
			d.only[name] = true
			continue
		}
		if typ := memberOf(tool, "type").Text(); typ == "function" || typ == "custom" {
			at := fmt.Sprintf("tool_choice.tools[%d]", i)
			d.Wrong(llm.InvalidValue, at, "'"+at+"' names a tool that is not among the tools.")
		}
	}
	if len(d.only) == 0 {
		d.Wrong(llm.InvalidValue, "tool_choice.tools", "'tool_choice.tools' must name at least one of the tools.")
	}
}

// offer gives the model the tools that it may choose among. Built-in tools are left out where others remain: clients that have many
// always send some.
func (d *decoder) offer() {
	d.Out.Tools = slices.Clone(d.box.list)
	if d.only != nil {
		d.Out.Tools = slices.DeleteFunc(d.Out.Tools, func(t llm.Tool) bool { return !d.only[t.Name.Text()] })
	}
	if c := d.Out.Choice; c.Kind == llm.ChoiceTool && !slices.ContainsFunc(d.Out.Tools, func(t llm.Tool) bool { return string(t.Name) == string(c.Name) }) {
		d.Wrong(llm.InvalidValue, "tool_choice", "'tool_choice' names a tool that is not among the tools.")
	}
	left := d.search()
	if d.searches && d.Out.Search == nil {
		d.Wrong(llm.UnsupportedParameter, "tool_choice", "Unsupported parameter: 'tool_choice' asks for a tool that this model's provider does not have. Remove it, or use another model.")
	}
	if len(left) > 0 && len(d.Out.Tools) == 0 && d.Out.Search == nil {
		alone := left[0]
		d.Wrong(llm.UnsupportedParameter, alone.path, fmt.Sprintf(
			"Unsupported parameter: '%s' is the built-in tool %q, which this model's provider does not have. Remove it, or use another model.", alone.path, alone.typ))
	}
	for _, tool := range left {
		d.Leave(tool.path + "." + tool.typ)
	}
}

// webSearch begins the types of the tool that searches the web.
const webSearch = "web_search"

// search takes the search of the web, which other vendors have, too, and returns the built-in tools besides it. One that must not reach the web
// is the vendor's alone.
func (d *decoder) search() (left []builtin) {
	for _, tool := range d.box.left {
		live := string(memberOf(tool.raw, "external_web_access")) != "false"
		if d.Out.Search != nil || d.only != nil || !live || !strings.HasPrefix(tool.typ, webSearch) {
			left = append(left, tool)
			continue
		}
		s := llm.Search{Path: tool.path, Type: tool.typ, Raw: tool.raw, Of: llm.Responses, Place: placeOf(given(memberOf(tool.raw, "user_location")))}
		for name, v := range draft.Given(tool.raw) {
			switch string(name) {
			case "type", "user_location", "external_web_access":
			case "filters":
				s.Domains, s.Blocked = given(memberOf(v, "allowed_domains")), given(memberOf(v, "blocked_domains"))
			default:
				s.Lost = append(s.Lost, string(name))
			}
		}
		choice := &d.Out.Choice
		if s.Forced = d.searches || choice.Kind == llm.ChoiceAny && len(d.Out.Tools) == 0; s.Forced {
			*choice = llm.Choice{}
		}
		d.Out.Search = &s
	}
	return left
}

// placeOf is where the user is, with the type that others insist on.
func placeOf(v llm.JSON) llm.JSON {
	if v.Kind() != '{' || memberOf(v, "type") != nil {
		return v
	}
	if jsonwalk.Empty(v) {
		return nil
	}
	return append(llm.JSON(`{"type":"approximate",`), v[1:]...)
}
