package responses

import (
	"strconv"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// begin begins an item. Texts and reasoning are announced when they say something.
func (w *Writer) begin(ev *llm.Event) {
	w.open = item{kind: ev.Part, there: true, text: w.open.text[:0], logprobs: w.open.logprobs[:0], opaque: append(w.open.opaque[:0], ev.Opaque...), from: w.said.Characters}
	if ev.Part != llm.ToolCall {
		return
	}
	w.calls++
	w.open.tool = origin{name: ev.Name.Text()}
	if own, known := w.tools[w.open.tool.name]; known {
		w.open.tool = own
	}
	w.open.call = appendID(nil, ev.ID, ev.Opaque)
	w.announce()
}

// prefix is what the id of an item begins with.
func (i *item) prefix() string {
	switch {
	case i.kind == llm.Text:
		return "msg_"
	case i.kind != llm.ToolCall:
		return "rs_"
	case i.tool.kind == aCustom:
		return "ctc_"
	case i.tool.kind == aSearch:
		return "tsc_"
	}
	return "fc_"
}

// announce sends the beginning of the open item.
func (w *Writer) announce() {
	o := &w.open
	o.started = true
	o.id = llm.Quote(o.prefix() + w.Name + "_" + strconv.Itoa(w.items))
	w.items++
	if w.whole {
		return
	}
	w.event("output_item.added")
	w.at(`,"item":`)
	w.out = w.appendItem(w.out, "in_progress")
	w.add("}")
	switch {
	case o.kind == llm.Text:
		w.event("content_part.added")
		w.within(`,"content_index":0,"part":{"type":"output_text","text":"","annotations":[],"logprobs":[]}}`)
	case o.kind == llm.ToolCall || !w.reasons():
	case w.shows == asSummary:
		w.event("reasoning_summary_part.added")
		w.within(`,"summary_index":0,"part":{"type":"summary_text","text":""}}`)
	default:
		w.event("content_part.added")
		w.within(`,"content_index":0,"part":{"type":"reasoning_text","text":""}}`)
	}
}

// reasons reports whether the open item is reasoning that the caller is shown: more than what brings it back.
func (w *Writer) reasons() bool {
	return w.shows != hidden && w.open.kind == llm.Reasoning && len(w.open.text) > 0
}

// at writes the place of the item in the output, and what follows.
func (w *Writer) at(texts ...string) {
	w.out = strconv.AppendInt(append(w.out, `,"output_index":`...), int64(w.items-1), 10)
	w.add(texts...)
}

// within is at for an event about something within the item.
func (w *Writer) within(texts ...string) {
	w.add(`,"item_id":`, string(w.open.id))
	w.at(texts...)
}

// delta takes a piece of what the open item says.
func (w *Writer) delta(ev *llm.Event) {
	o := &w.open
	if ev.Opaque != nil && o.kind != llm.Text && o.kind != llm.ToolCall {
		o.opaque = append(o.opaque[:0], ev.Opaque...)
	}
	if !o.there || len(ev.Text.Inner()) == 0 {
		return
	}
	o.text = append(o.text, ev.Text.Inner()...)
	if o.kind == llm.Text {
		w.said.Add(ev.Text)
	}
	if o.kind != llm.Text && o.kind != llm.ToolCall && w.shows == hidden {
		return
	}
	if !o.started {
		w.announce()
	}
	if w.whole {
		return
	}
	switch {
	case o.kind == llm.Text:
		w.event("output_text.delta")
		w.within(`,"content_index":0,"delta":`, string(ev.Text), `,"logprobs":[]}`)
	case o.kind != llm.ToolCall && w.shows == asSummary:
		w.event("reasoning_summary_text.delta")
		w.within(`,"summary_index":0,"delta":`, string(ev.Text), "}")
	case o.kind != llm.ToolCall:
		w.event("reasoning_text.delta")
		w.within(`,"content_index":0,"delta":`, string(ev.Text), "}")
	case o.tool.kind == aFunction:
		w.event("function_call_arguments.delta")
		w.within(`,"delta":`, string(ev.Text), "}")
	}
}

// maxCited bounds how many sources of one text are named.
const maxCited = 1000

// cite names a source of the open text.
func (w *Writer) cite(c *llm.Citation) {
	o := &w.open
	if !o.started || o.kind != llm.Text || o.cited == maxCited {
		return
	}
	title := c.Title
	if title == nil {
		title = llm.JSON(`""`)
	}
	one := strconv.AppendInt([]byte(`{"type":"url_citation","start_index":`), max(c.Start-o.from, 0), 10)
	one = strconv.AppendInt(append(one, `,"end_index":`...), max(c.End-o.from, 0), 10)
	one = append(append(append(append(append(one, `,"url":`...), c.URL...), `,"title":`...), title...), '}')
	if !w.whole {
		w.event("output_text.annotation.added")
		w.within(`,"content_index":0,"annotation_index":`, strconv.Itoa(o.cited), `,"annotation":`, string(one), "}")
	}
	if o.cited++; o.cited > 1 {
		o.annotations = append(o.annotations, ',')
	}
	o.annotations = append(o.annotations, one...)
}

// close ends the open item, if there is one.
func (w *Writer) close() {
	o := &w.open
	if !o.there {
		return
	}
	if o.kind == llm.ToolCall && len(o.text) == 0 { // clients put the arguments together of their pieces
		w.delta(&llm.Event{Part: llm.ToolCall, Text: llm.JSON(`"{}"`)})
	}
	o.there = false
	if !o.started && w.encrypts && len(llm.JSON(o.opaque).Inner()) > 0 {
		w.announce()
	}
	if !o.started {
		return
	}
	if !w.whole {
		w.told()
	}
	status := "completed"
	if o.kind == llm.ToolCall && !o.callable() {
		status = "incomplete"
	}
	w.finished(status)
}

// finished adds the open item to the output.
func (w *Writer) finished(status string) {
	if len(w.output) > 0 {
		w.output = append(w.output, ',')
	}
	start := len(w.output)
	w.output = w.appendItem(w.output, status)
	if !w.whole {
		w.event("output_item.done")
		w.at(`,"item":`, string(w.output[start:]), "}")
	}
}

// told sends that the parts of the open item are whole.
func (w *Writer) told() {
	o := &w.open
	text := `"` + string(o.text) + `"`
	switch {
	case o.kind == llm.Text:
		w.event("output_text.done")
		w.within(`,"content_index":0,"text":`, text, `,"logprobs":[]}`)
		w.event("content_part.done")
		w.within(`,"content_index":0,"part":`, string(o.appendText(nil)), "}")
	case o.kind != llm.ToolCall && !w.reasons():
	case o.kind != llm.ToolCall && w.shows == asSummary:
		w.event("reasoning_summary_text.done")
		w.within(`,"summary_index":0,"text":`, text, "}")
		w.event("reasoning_summary_part.done")
		w.within(`,"summary_index":0,"part":{"type":"summary_text","text":`, text, "}}")
	case o.kind != llm.ToolCall:
		w.event("reasoning_text.done")
		w.within(`,"content_index":0,"text":`, text, "}")
		w.event("content_part.done")
		w.within(`,"content_index":0,"part":{"type":"reasoning_text","text":`, text, "}}")
	case o.tool.kind == aFunction:
		w.event("function_call_arguments.done")
		w.within(`,"name":`, string(llm.Quote(o.tool.name)), `,"arguments":`, text, "}")
	case o.tool.kind == aCustom:
		input := string(o.input())
		w.event("custom_tool_call_input.delta")
		w.within(`,"delta":`, input, "}")
		w.event("custom_tool_call_input.done")
		w.within(`,"input":`, input, "}")
	}
}

// appendText appends a text as a part of a message.
func (i *item) appendText(dst []byte) []byte {
	dst = append(append(dst, `{"type":"output_text","text":"`...), i.text...)
	dst = append(append(append(dst, `","annotations":[`...), i.annotations...), `],"logprobs":[`...)
	return append(append(dst, i.logprobs...), "]}"...)
}

// arguments are those of a call: JSON, if the answer did not end in their midst.
func (i *item) arguments() llm.JSON {
	return llm.JSON(llm.JSON(append(append([]byte{'"'}, i.text...), '"')).Text())
}

// callable reports whether the arguments of a call are whole.
func (i *item) callable() bool { return jsonwalk.Valid(i.arguments(), jsonwalk.Options{}) == nil }

// input is the text that a custom tool is called with.
func (i *item) input() llm.JSON {
	if i.callable() {
		if input := memberOf(i.arguments(), customInput); input.Kind() == '"' {
			return input
		}
	}
	return append(append(llm.JSON{'"'}, i.text...), '"')
}

// appendItem appends the open item, as far as it is known by then.
func (w *Writer) appendItem(dst []byte, status string) []byte {
	o := &w.open
	running := status == "in_progress"
	dst = append(append(dst, `{"id":`...), o.id...)
	dst = append(append(append(dst, `,"type":"`...), o.typ()...), '"')
	if o.kind != llm.Reasoning && o.kind != llm.Redacted {
		dst = append(append(append(dst, `,"status":"`...), status...), '"')
	}
	switch {
	case o.kind == llm.Text && running:
		return append(dst, `,"role":"assistant","content":[]}`...)
	case o.kind == llm.Text:
		return append(o.appendText(append(dst, `,"role":"assistant","content":[`...)), "]}"...)
	case o.kind != llm.ToolCall:
		return w.appendThought(dst, running)
	}
	dst = append(append(dst, `,"call_id":`...), o.call...)
	if o.tool.kind == aSearch {
		args := llm.JSON("{}")
		if !running && o.callable() {
			args = onOneLine(o.arguments())
		}
		return append(append(append(dst, `,"execution":"client","arguments":`...), args...), '}')
	}
	if dst = llm.AppendQuote(append(dst, `,"name":`...), o.tool.name); o.tool.namespace != "" {
		dst = llm.AppendQuote(append(dst, `,"namespace":`...), o.tool.namespace)
	}
	name, value := `,"arguments":`, llm.JSON(`""`)
	if o.tool.kind == aCustom {
		name = `,"input":`
	}
	switch {
	case running:
	case o.tool.kind == aCustom:
		value = o.input()
	default:
		value = append(append(llm.JSON{'"'}, o.text...), '"')
	}
	return append(append(append(dst, name...), value...), '}')
}

// appendThought appends what follows the type of reasoning.
func (w *Writer) appendThought(dst []byte, running bool) []byte {
	o := &w.open
	text := append(append(llm.JSON{'"'}, o.text...), '"')
	shown := !running && w.reasons()
	dst = append(dst, `,"summary":[`...)
	if shown && w.shows == asSummary {
		dst = append(append(append(dst, `{"type":"summary_text","text":`...), text...), '}')
	}
	dst = append(dst, ']')
	if shown && w.shows == asContent {
		dst = append(append(append(dst, `,"content":[{"type":"reasoning_text","text":`...), text...), "}]"...)
	}
	if w.encrypts && !running && len(llm.JSON(o.opaque).Inner()) > 0 {
		kind := wrapsThinking
		if o.kind == llm.Redacted {
			kind, text = wrapsRedacted, nil
		}
		dst = append(append(dst, `,"encrypted_content":`...), w.carry(kind, text, o.opaque)...)
	}
	return append(dst, '}')
}

// carry is what brings reasoning back: the maker's own where the answer is, else wrapped.
func (w *Writer) carry(kind string, text, opaque llm.JSON) llm.JSON {
	if w.own {
		return opaque
	}
	return wrap(kind, w.Maker, text, opaque)
}

// score adds log probabilities to the open text.
func (w *Writer) score(tokens []llm.Token) {
	o := &w.open
	if !w.scores || !o.started || o.kind != llm.Text {
		return
	}
	if len(o.logprobs) > 0 {
		o.logprobs = append(o.logprobs, ',')
	}
	o.logprobs = dialect.AppendTokens(o.logprobs, tokens, `[]`)
}

// typ is the type of the item.
func (i *item) typ() string {
	switch {
	case i.kind == llm.Text:
		return "message"
	case i.kind != llm.ToolCall:
		return "reasoning"
	case i.tool.kind == aCustom:
		return "custom_tool_call"
	case i.tool.kind == aSearch:
		return "tool_search_call"
	}
	return "function_call"
}

// refuse writes why the model refused, as a message.
func (w *Writer) refuse(why llm.JSON) {
	id := llm.Quote("msg_" + w.Name + "_" + strconv.Itoa(w.items))
	part := func(text llm.JSON) string { return `{"type":"refusal","refusal":` + string(text) + "}" }
	begun := `{"id":` + string(id) + `,"type":"message","status":"in_progress","role":"assistant","content":[]}`
	done := `{"id":` + string(id) + `,"type":"message","status":"completed","role":"assistant","content":[` + part(why) + "]}"
	w.items++
	if len(w.output) > 0 {
		w.output = append(w.output, ',')
	}
	w.output = append(w.output, done...)
	if w.whole {
		return
	}
	w.open.id = id
	w.event("output_item.added")
	w.at(`,"item":`, begun, "}")
	w.event("content_part.added")
	w.within(`,"content_index":0,"part":`, part(llm.JSON(`""`)), "}")
	w.event("refusal.delta")
	w.within(`,"content_index":0,"delta":`, string(why), "}")
	w.event("refusal.done")
	w.within(`,"content_index":0,"refusal":`, string(why), "}")
	w.event("content_part.done")
	w.within(`,"content_index":0,"part":`, part(why), "}")
	w.event("output_item.done")
	w.at(`,"item":`, done, "}")
}

// compact writes the summary as a compaction, which takes the place of the conversation.
func (w *Writer) compact() {
	text := append(append(llm.JSON{'"'}, w.summary...), '"')
	sealed := wrap(wrapsSummary, "", text, nil)
	if w.Seal != nil {
		sealed = llm.Quote(w.Seal(text.Text()))
	}
	one := `{"id":"cmp_` + w.Name + `","type":"compaction","encrypted_content":` + string(sealed) + "}"
	if w.items++; len(w.output) > 0 {
		w.output = append(w.output, ',')
	}
	w.output = append(w.output, one...)
	if w.whole {
		return
	}
	for _, typ := range [...]string{"output_item.added", "output_item.done"} {
		w.event(typ)
		w.at(`,"item":`, one, "}")
	}
}
