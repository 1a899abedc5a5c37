package responses

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/incoming"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// previousMember is the member of requests and responses that names the response gone on from.
const previousMember = "previous_response_id"

var stored = dialect.Stored{
	Path: "responses/", History: history, Items: itemsOf,
	Of: func(asked dialect.Request) dialect.Storable {
		if r, ok := asked.(*Request); ok {
			return r
		}
		return nil
	},
	Deleted: func(id string) []byte {
		return []byte(`{"id":` + string(llm.Quote(id)) + `,"object":"response","deleted":true}`)
	},
}

// Stores implements dialect.Storable.
func (r *Request) Stores() bool { return r.stores }

// AnswerID implements dialect.Storable.
func (r *Request) AnswerID() string { return r.as }

// Previous implements dialect.Storable.
func (r *Request) Previous() string { return r.Body.Text(previousMember) }

// Input implements dialect.Storable.
func (r *Request) Input() llm.JSON { return r.Value("input") }

// Continue implements dialect.Storable. The body still names the response that it goes on from: the answer repeats the name.
func (r *Request) Continue(items []llm.JSON) []byte {
	list := listOf(slices.Concat(items, inputItems(r.Input())))
	for i := range r.Members {
		if m := &r.Members[i]; m.Name == "input" {
			return jsonwalk.Apply(make([]byte, 0, len(r.Raw)+len(list)), r.Raw, []jsonwalk.Edit{{Span: m.At.Value, New: list}})
		}
	}
	return jsonwalk.Apply(nil, r.Raw, []jsonwalk.Edit{{Span: r.End(), New: `,"input":` + list}})
}

// listOf is a list of items, which may be long.
func listOf(items []llm.JSON) string {
	size := len("[]")
	for _, item := range items {
		size += len(item) + 1
	}
	var list strings.Builder
	list.Grow(size)
	list.WriteByte('[')
	for i, item := range items {
		if i > 0 {
			list.WriteByte(',')
		}
		list.Write(item)
	}
	list.WriteByte(']')
	return list.String()
}

// inputItems are the items of an input. A text is a message of the user's.
func inputItems(input llm.JSON) []llm.JSON {
	if input.Kind() == '"' {
		return []llm.JSON{llm.JSON(`{"type":"message","role":"user","content":[{"type":"input_text","text":` + string(input) + `}]}`)}
	}
	return elements(input)
}

// Ended implements dialect.Storable.
func (r *Request) Ended(payload []byte) (at jsonwalk.Span) {
	switch string(eventOf(payload)) {
	case "response.completed", "response.incomplete":
	default:
		return at
	}
	s := jsonwalk.NewScanner(payload, jsonwalk.Options{})
	for ok := s.Kind() == '{' && s.EnterObject(); ok && s.NextMember(); {
		name := string(s.Name())
		if span := s.Skip(); name == "response" {
			at = span
		}
	}
	return at
}

// Unstored implements dialect.Storable.
func (r *Request) Unstored(answer []byte) []byte {
	var has walked
	has.scan(jsonwalk.NewScanner(answer, jsonwalk.Options{}), answer)
	if has.store.Len() == 0 {
		return answer
	}
	return jsonwalk.Apply(nil, answer, []jsonwalk.Edit{{Span: has.store, New: "false"}})
}

// owned is what a response that passes has from Weir.
type owned struct {
	echo     string   // the model's name to answer with, "" for the upstream's own
	id       llm.JSON // the id by which it is stored, nil if it is not
	previous llm.JSON // the id of the response that it goes on from
}

func ownership(r *Request, echo string) owned {
	own := owned{echo: echo}
	if r.stores {
		own.id = llm.Quote(r.as)
	}
	if r.as != "" && r.Previous() != "" && !r.sums { // a summary names none
		own.previous = bytes.Clone(r.Value(previousMember))
	}
	return own
}

// edits appends the edits of a response, whose data begins at a place, in order.
func (o *owned) edits(edits []jsonwalk.Edit, has *walked, data []byte, start int) []jsonwalk.Edit {
	put := func(name string, at jsonwalk.Span, value string) {
		if at.Len() == 0 {
			brace := bytes.IndexByte(data, '{') + 1
			at, value = jsonwalk.Span{Start: brace, End: brace}, `"`+name+`":`+value+","
		}
		edits = append(edits, jsonwalk.Edit{Span: incoming.Shifted(at, start), New: value})
	}
	if o.echo != "" && has.model.Len() > 0 {
		put("model", has.model, string(llm.Quote(o.echo)))
	}
	if o.id != nil && has.some {
		put("id", has.id, string(o.id))
		put("store", has.store, "true")
	}
	if o.previous != nil && has.some {
		put(previousMember, has.previous, string(o.previous))
	}
	slices.SortStableFunc(edits, func(a, b jsonwalk.Edit) int { return a.Start - b.Start })
	return edits
}

// history are the items of stored responses as they are sent again.
func history(turns []dialect.Turn) (items []llm.JSON) {
	for _, t := range turns {
		items = append(items, inputItems(t.Input)...)
		for _, item := range outputOf(t.Answer) {
			if item = sentAgain(item); item != nil {
				items = append(items, item)
			}
		}
	}
	return items
}

func outputOf(answer llm.JSON) []llm.JSON { return elements(memberOf(answer, "output")) }

// sentAgain is an item of an answer as a server takes it that has not stored it: without the ids by which it would look for that. Reasoning that cannot be
// read without the server's own memory is left out, and the result is nil. Servers of open models insist on the id of what they reasoned openly.
func sentAgain(item llm.JSON) llm.JSON {
	typ := memberOf(item, "type").Text()
	bare := slices.Contains(withoutIDs[:], typ)
	if typ == "reasoning" {
		bare = len(memberOf(item, "encrypted_content").Inner()) > 0
		if !bare && len(elements(memberOf(item, "content"))) == 0 {
			return nil
		}
	}
	if !bare {
		return item
	}
	return cutMember(item, "id")
}

// cutMember is an object without a member.
func cutMember(object llm.JSON, name string) llm.JSON {
	var cuts jsonwalk.Cutter
	var edits []jsonwalk.Edit
	s := jsonwalk.NewScanner(object, jsonwalk.Options{})
	for ok := s.Kind() == '{' && s.EnterObject(); ok && s.NextMember(); {
		cut := string(s.Name()) == name
		m := jsonwalk.Member{Name: s.NameSpan(), Value: s.Skip()}
		if cut {
			edits = cuts.Cut(edits, m.Span())
		} else {
			edits = cuts.Keep(edits, m.Span())
		}
	}
	if edits = cuts.End(edits); len(edits) == 0 {
		return object
	}
	return jsonwalk.Apply(nil, object, edits)
}

// elements are those of an array.
func elements(array llm.JSON) (list []llm.JSON) {
	for _, v := range jsonwalk.Elements(array) {
		list = append(list, v)
	}
	return list
}

// Bounds on a page of items.
const (
	usualPage   = 20
	longestPage = 100
)

// itemsOf is the page of input items that a query asks for: what the last of the turns was asked, and all turns before it.
func itemsOf(turns []dialect.Turn, query url.Values) ([]byte, *llm.Error) {
	limit, order, err := paging(query)
	if err != nil {
		return nil, err
	}
	all := listed(turns)
	if order == "desc" {
		slices.Reverse(all)
	}
	if after := query.Get("after"); after != "" {
		i := slices.IndexFunc(all, func(item listedItem) bool { return item.id == after })
		if i < 0 {
			return nil, &llm.Error{Kind: llm.InvalidValue, Param: "after", Message: "'after' must be the id of one of the items."}
		}
		all = all[i+1:]
	}
	more := len(all) > limit
	all = all[:min(limit, len(all))]
	out, first, last := []byte(`{"object":"list","data":[`), "null", "null"
	for i, item := range all {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, item.json...)
	}
	if len(all) > 0 {
		first, last = string(llm.Quote(all[0].id)), string(llm.Quote(all[len(all)-1].id))
	}
	return fmt.Appendf(out, `],"first_id":%s,"last_id":%s,"has_more":%t}`, first, last, more), nil
}

func paging(query url.Values) (limit int, order string, err *llm.Error) {
	limit, order = usualPage, "desc"
	if text := query.Get("limit"); text != "" {
		n, bad := strconv.Atoi(text)
		if bad != nil || n < 1 || n > longestPage {
			return 0, "", &llm.Error{Kind: llm.InvalidValue, Param: "limit", Message: "'limit' must be a number from 1 to 100."}
		}
		limit = n
	}
	switch text := query.Get("order"); text {
	case "":
	case "asc", "desc":
		order = text
	default:
		return 0, "", &llm.Error{Kind: llm.InvalidValue, Param: "order", Message: "'order' must be asc or desc."}
	}
	return limit, order, nil
}

// listedItem is an item with an id.
type listedItem struct {
	id   string
	json llm.JSON
}

// listed are all items that the last of the turns was asked with.
func listed(turns []dialect.Turn) (all []listedItem) {
	add := func(of string, items []llm.JSON) {
		for i, item := range items {
			if item.Kind() == '{' {
				all = append(all, itemOf(of, i, item))
			}
		}
	}
	for n, t := range turns {
		add(t.ID, inputItems(t.Input))
		if n < len(turns)-1 {
			add(t.ID+" output", outputOf(t.Answer))
		}
	}
	return all
}

// itemOf is an item as the API lists it. One without an id is given one, always the same.
func itemOf(of string, i int, v llm.JSON) listedItem {
	typ, front := memberOf(v, "type").Text(), ""
	if typ == "" {
		typ, front = "message", `"type":"message",`
		v = cutMember(v, "type") // it may be null
	}
	id := memberOf(v, "id").Text()
	if id == "" {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", of, i))
		id = prefixOf(typ) + hex.EncodeToString(sum[:16])
		v, front = cutMember(v, "id"), `"id":"`+id+`",`+front
	}
	if typ == "message" {
		v = spelledOut(v)
		if memberOf(v, "status") == nil {
			front += `"status":"completed",`
		}
	}
	if rest := bytes.TrimLeft(v[1:], " \t\r\n"); front != "" && rest[0] == '}' {
		front = front[:len(front)-1]
	}
	return listedItem{id, append(append(llm.JSON{'{'}, front...), v[1:]...)}
}

func prefixOf(typ string) string {
	switch typ {
	case "message":
		return "msg_"
	case "function_call":
		return "fc_"
	case "reasoning":
		return "rs_"
	}
	return "item_"
}

// spelledOut is a message whose content is a list of parts.
func spelledOut(message llm.JSON) llm.JSON {
	content := memberOf(message, "content")
	if content.Kind() != '"' {
		return message
	}
	part := `[{"type":"input_text","text":` + string(content) + `}]`
	if memberOf(message, "role").Text() == "assistant" {
		part = `[{"type":"output_text","annotations":[],"text":` + string(content) + `}]`
	}
	s := jsonwalk.NewScanner(message, jsonwalk.Options{})
	for ok := s.EnterObject(); ok && s.NextMember(); {
		name := string(s.Name())
		if span := s.Skip(); name == "content" {
			return jsonwalk.Apply(nil, message, []jsonwalk.Edit{{Span: span, New: part}})
		}
	}
	return message
}
