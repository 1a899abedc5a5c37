package responses

import (
	"bytes"
	"slices"
	"strings"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/incoming"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Encode implements dialect.Passing.
func (r *Request) Encode(c dialect.Changes) (dialect.Body, dialect.Applied) {
	e := r.editing(&c)
	edits, applied := r.Edits(&e.changes, &e.terms)
	if !r.Names("model") { // it is in the path
		model := `,"model":` + string(llm.Quote(c.Model))
		if !r.Keeps(&e.changes, &e.terms) {
			model = model[1:]
		}
		edits = append(edits, jsonwalk.Edit{Span: r.End(), New: model})
	}
	edits = e.nested.Rest(edits, r.End(), false)
	applied.Ignored = append(applied.Ignored, e.nested.Left...)
	return r.Splice(edits), applied
}

// Loses implements dialect.Passing.
func (r *Request) Loses(c dialect.Changes) string {
	e := r.editing(&c)
	edits, applied := r.Edits(&e.changes, &e.terms)
	_ = edits
	if left := append(applied.Ignored, e.nested.Left...); len(left) > 0 {
		return left[0]
	}
	return ""
}

// perEdit is about what an edit takes, with the pieces of the body around it.
const perEdit = 128

// Places implements dialect.Passing. Each object may be an item that is edited.
func (r *Request) Places(c dialect.Changes) int {
	if r.foreign || c.OmitEncrypted {
		return perEdit * bytes.Count(r.Raw, []byte{'{'})
	}
	return 0
}

// editing is the state of one Encode.
type editing struct {
	r       *Request
	changes dialect.Changes // with the names of this API
	terms   incoming.Terms
	nested  incoming.Nested
}

// editing works out what changes for a target. What a config names has the names of OpenAI's chats.
func (r *Request) editing(c *dialect.Changes) *editing {
	e := &editing{r: r, changes: *c}
	e.terms = incoming.Terms{Model: c.Model, Quiet: isDefault, Within: e.within}
	e.changes.Omit = nil
	for _, name := range c.Omit {
		if parent, child := place(name); child == "" {
			e.changes.Omit = append(e.changes.Omit, parent)
		} else {
			e.nested.Cut(parent, child)
		}
	}
	if r.as != "" { // what is stored is stored here
		e.changes.Omit = append(e.changes.Omit, previousMember)
	}
	if r.added != nil {
		e.adds(c)
	}
	if r.stores {
		e.terms.Quiet = isStoredHere
		if !slices.Contains(c.Omit, "store") {
			e.nested.Add("store", "", llm.JSON("false"))
		}
	}
	return e
}

// adds notes what the config adds.
func (e *editing) adds(c *dialect.Changes) {
	r := e.r
	for _, p := range slices.Concat(r.added.Default, r.added.Set) {
		if !slices.Contains(c.Omit, p.Name) {
			e.add(p)
		}
	}
}

// foreignParams are parameters of OpenAI's chats that this API lacks, or has in another form. Sorted.
var foreignParams = []string{
	"audio", "best_of", "echo", "frequency_penalty", "function_call", "functions", "logit_bias", "logprobs", "messages", "modalities", "n", "prediction",
	"presence_penalty", "seed", "stop", "suffix", "tool_choice", "tools", "web_search_options",
}

// compactParams are the parameters that the endpoint for summaries has as well.
var compactParams = [...]string{"prompt_cache_key", "prompt_cache_retention", "prompt_cache_options", "service_tier"}

// add notes a parameter that the config adds.
func (e *editing) add(p llm.Param) {
	if _, foreign := slices.BinarySearch(foreignParams, p.Name); foreign {
		return
	}
	parent, child := place(p.Name)
	if e.r.sums && !slices.Contains(compactParams[:], parent) {
		return
	}
	if parent == "text" && child == "format" {
		p.Value = ownFormat(p.Value)
	}
	if other := e.changes.Rename[parent]; child == "" && other != "" && !e.r.Names(parent) {
		if e.r.Names(other) {
			return // which the caller gives
		}
		parent = other
	}
	e.nested.Add(parent, child, p.Value)
}

// ownFormat is the form of an answer as this API spells it: chats have the schema in an object of its own.
func ownFormat(v llm.JSON) llm.JSON {
	nested := memberOf(v, "json_schema")
	if nested.Kind() != '{' {
		return v
	}
	return append(llm.JSON(`{"type":"json_schema",`), nested[1:]...)
}

// within appends the edits within a member of the caller's.
func (e *editing) within(edits []jsonwalk.Edit, m *incoming.Member) []jsonwalk.Edit {
	if m.Name == "input" && (e.r.foreign || e.changes.OmitEncrypted) {
		return e.input(edits, m.At.Value)
	}
	return e.nested.Within(e.r.Raw, edits, m)
}

// isStoredHere is isDefault for a request whose answer is stored here: its server need not hear of that.
func isStoredHere(name string, value llm.JSON) bool { return name == "store" || isDefault(name, value) }

// isDefault reports whether a member says nothing that the API would not do without it.
func isDefault(name string, value llm.JSON) bool {
	switch name {
	case "temperature", "top_p":
		return value.One()
	case previousMember:
		return true // its items are in the input
	case "service_tier":
		return value.Text() == "auto"
	case "truncation":
		return value.Text() == "disabled"
	}
	return false
}

// input appends the edits that take out of the input what only Weir, or another account, can read: reasoning goes, a summary of Weir's becomes
// a message, and ids lose the signatures behind them.
func (e *editing) input(edits []jsonwalk.Edit, at jsonwalk.Span) []jsonwalk.Edit {
	raw, left := e.r.Raw, false
	var cutter jsonwalk.Cutter
	s := jsonwalk.NewScanner(at.Of(raw), jsonwalk.Options{})
	for ok := s.Kind() == '[' && s.EnterArray(); ok && s.NextElement(); {
		span := incoming.Shifted(s.Skip(), at.Start)
		item := llm.JSON(span.Of(raw))
		typ := ""
		if item.Kind() == '{' {
			typ = memberOf(item, "type").Text()
		}
		if typ == "reasoning" && (e.changes.OmitEncrypted || isWrapped(memberOf(item, "encrypted_content"))) {
			edits, left = cutter.Cut(edits, span), true
			continue
		}
		edits = cutter.Keep(edits, span)
		if typ != "compaction" {
			edits = e.ids(edits, span)
			continue
		}
		if object := unwrap(memberOf(item, "encrypted_content")); memberOf(object, "kind").Text() == wrapsSummary {
			text := inText(llm.Quote(summaryIs), memberOf(object, "text"))
			edits = append(edits, jsonwalk.Edit{Span: span, New: `{"type":"message","role":"user","content":[{"type":"input_text","text":` + string(text) + `}]}`})
		}
	}
	if left {
		e.nested.Left = append(e.nested.Left, "input[].encrypted_content")
	}
	return cutter.End(edits)
}

// ids appends the edits of an item's ids: a call's, or its result's, loses the signature behind it. With the reasoning goes the item's own id, by
// which an upstream would miss that reasoning.
func (e *editing) ids(edits []jsonwalk.Edit, item jsonwalk.Span) []jsonwalk.Edit {
	value := llm.JSON(item.Of(e.r.Raw))
	if value.Kind() != '{' {
		return edits
	}
	bare := e.changes.OmitEncrypted && slices.Contains(withoutIDs[:], memberOf(value, "type").Text())
	var cutter jsonwalk.Cutter
	s := jsonwalk.NewScanner(value, jsonwalk.Options{})
	for ok := s.EnterObject(); ok && s.NextMember(); {
		isID, isCall := string(s.Name()) == "id", string(s.Name()) == "call_id"
		m := jsonwalk.Member{Name: incoming.Shifted(s.NameSpan(), item.Start)}
		m.Value = incoming.Shifted(s.Skip(), item.Start)
		if isID && bare {
			edits = cutter.Cut(edits, m.Span())
			continue
		}
		edits = cutter.Keep(edits, m.Span())
		if isCall {
			if own, signature := splitID(llm.JSON(m.Value.Of(e.r.Raw)).Text()); signature != nil {
				edits = append(edits, jsonwalk.Edit{Span: m.Value, New: string(llm.Quote(own))})
			}
		}
	}
	return cutter.End(edits)
}

// withoutIDs are the items of an answer that may be sent back without their ids.
var withoutIDs = [...]string{"message", "function_call", "custom_tool_call", "web_search_call"}

// isWrapped reports whether Weir wrote an encrypted_content. No vendor can read it.
func isWrapped(v llm.JSON) bool { return strings.HasPrefix(string(v.Inner()), mark) }
