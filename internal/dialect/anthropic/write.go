package anthropic

import (
	"cmp"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect/cited"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Writer words an answer as the API does: all its events as one body, or each as the payloads of a stream. It is used for one
// answer. The API cites only whole blocks of text. It has no members for log probabilities, nor for the state by which other
// vendors' models recognise a text or a call.
type Writer struct {
	Asked string // the model's name, if the answer does not say it
	Name  string // the answer's, if its dialect has no names for answers

	places []int // the numbers of the written blocks, by the numbers that they have in the events
	blocks int   // begun
	said   cited.Block
	shown  bool // the data of the redacted block that is open went out

	// For a caller of Weir, whose answer another vendor's model gave:
	foreign bool
	echo    string // the model's name to answer with, "" for the upstream's own
	maker   string // the model's, as llm.Part has it
	heard   int64  // bytes of the prompt
	spoken  int64  // bytes of the answer so far

	out []byte // a payload, or the blocks of a complete answer, a list without brackets

	id, model    llm.JSON // of a complete answer
	text, opaque []byte   // of its open block: without quotes, and with them
	citations    []byte   // citations of that block, a list without brackets
}

// Collect takes an event of a complete answer; Answer makes one body of all.
func (w *Writer) Collect(ev *llm.Event) {
	w.said.Hear(ev)
	w.spoken += int64(len(ev.Text.Inner()))
	switch ev.Kind {
	case llm.Start:
		w.id, w.model = append(llm.JSON(nil), ev.ID...), append(llm.JSON(nil), ev.Name...)
	case llm.BlockStart:
		if w.blocks++; w.blocks > 1 {
			w.add(",")
		}
		w.add(`{"type":"`, typeOfPart(ev.Part), `"`)
		if ev.Part == llm.ToolCall {
			w.call(ev)
		}
		w.text, w.opaque, w.citations = w.text[:0], append(w.opaque[:0], ev.Opaque...), w.citations[:0]
	case llm.Delta:
		w.text = append(w.text, ev.Text.Inner()...)
		if ev.Opaque != nil {
			w.opaque = append(w.opaque[:0], ev.Opaque...)
		}
	case llm.Cited:
		if _, ok := w.said.Open(); ok && w.said.Is(ev.Citation) {
			if len(w.citations) > 0 {
				w.citations = append(w.citations, ',')
			}
			w.citations = appendCitation(w.citations, ev.Citation)
		}
	case llm.BlockStop:
		w.collected(ev.Part)
		w.add("}")
	}
}

// appendCitation appends a citation. The cited text and the vendor's index of the source are unknown.
func appendCitation(dst []byte, c *llm.Citation) []byte {
	title := c.Title
	if title == nil {
		title = llm.JSON("null")
	}
	dst = append(append(dst, `{"type":"web_search_result_location","url":`...), c.URL...)
	return append(append(append(dst, `,"title":`...), title...), `,"encrypted_index":"","cited_text":""}`...)
}

// collected writes what a block said.
func (w *Writer) collected(part llm.PartKind) {
	w.opaque = w.signed(w.opaque)
	switch part {
	case llm.ToolCall:
		w.add(`,"input":`, inputOf(w.text))
	case llm.Redacted:
		w.add(`,"data":`, string(w.opaque))
	case llm.Reasoning:
		w.add(`,"thinking":"`, string(w.text), `","signature":`, string(w.opaque))
	default:
		w.add(`,"text":"`, string(w.text), `"`)
		if len(w.citations) > 0 {
			w.add(`,"citations":[`, string(w.citations), "]")
		}
	}
}

// signed is a signature as a block has it. That of another maker says whose it is, and so does the lack of one.
func (w *Writer) signed(opaque llm.JSON) llm.JSON {
	switch none := len(opaque.Inner()) == 0; {
	case !w.foreign && none:
		return llm.JSON(`""`)
	case w.foreign && (none || w.maker != ""):
		return appendWrapped(nil, cmp.Or(w.maker, llm.UnsaidMaker), opaque)
	}
	return opaque
}

// took is what an answer took. Clients want figures, so that of another vendor is estimated where it gives none.
func (w *Writer) took(ev *llm.Event) llm.Usage {
	u := ev.Usage
	if w.foreign && (u.Input() == 0 || ev.Uncounted) {
		u.Fresh = (w.heard + 3) / 4
	}
	if w.foreign && ev.Uncounted {
		u.Text = (w.spoken + 3) / 4
	}
	return u
}

// inputOf is what a tool is called with, of a string without its quotes: an object, empty if the answer ended in its midst.
func inputOf(text []byte) string {
	input := llm.JSON(append(append([]byte{'"'}, text...), '"')).Text()
	if s := []byte(input); jsonwalk.Valid(s, jsonwalk.Options{}) != nil || jsonwalk.NewScanner(s, jsonwalk.Options{}).Kind() != '{' {
		return "{}"
	}
	return input
}

// Answer is the complete answer that was collected; end is its last event.
func (w *Writer) Answer(end *llm.Event) []byte {
	blocks := w.out
	w.out = make([]byte, 0, len(blocks)+512)
	w.message(w.id, w.model)
	w.add(string(blocks), "],")
	w.stopReason(end)
	w.add(`,"usage":`)
	w.usage(w.took(end))
	w.add("}")
	return w.out
}

func (w *Writer) add(texts ...string) {
	for _, s := range texts {
		w.out = append(w.out, s...)
	}
}

// message begins a message, up to its blocks.
func (w *Writer) message(id, model llm.JSON) {
	if len(id.Inner()) == 0 || w.foreign {
		id = llm.Quote(w.Name)
	}
	if w.echo != "" {
		model = llm.Quote(w.echo)
	}
	if len(model.Inner()) == 0 {
		model = llm.Quote(w.Asked)
	}
	w.add(`{"id":`, string(id), `,"type":"message","role":"assistant","model":`, string(model), `,"content":[`)
}

// call writes which tool is called.
func (w *Writer) call(ev *llm.Event) {
	if w.add(`,"id":`); w.foreign {
		w.out = appendID(w.out, ev.ID, ev.Opaque)
	} else {
		w.out = append(w.out, ev.ID...)
	}
	w.add(`,"name":`, string(ev.Name))
}

// stopReason writes why the answer ended.
func (w *Writer) stopReason(end *llm.Event) {
	w.add(`"stop_reason":"`, reasonOf(end.Finish), `","stop_sequence":null,"stop_details":`)
	if end.Refusal == nil {
		w.add("null")
		return
	}
	w.add(`{"type":"refusal","category":null,"explanation":`, string(end.Refusal), "}")
}

// reasonOf is the stop_reason for OpenAI's word.
func reasonOf(finish string) string {
	switch finish {
	case "length":
		return "max_tokens"
	case "tool_calls":
		return "tool_use"
	case "content_filter":
		return "refusal"
	}
	return "end_turn"
}

func (w *Writer) usage(u llm.Usage) {
	w.out = strconv.AppendInt(append(w.out, `{"input_tokens":`...), u.Fresh, 10)
	w.out = strconv.AppendInt(append(w.out, `,"cache_creation_input_tokens":`...), u.CacheWrites(), 10)
	w.out = strconv.AppendInt(append(w.out, `,"cache_read_input_tokens":`...), u.CacheRead, 10)
	w.out = strconv.AppendInt(append(w.out, `,"output_tokens":`...), u.Output(), 10)
	if u.CacheWrite1h > 0 {
		w.out = strconv.AppendInt(append(w.out, `,"cache_creation":{"ephemeral_5m_input_tokens":`...), u.CacheWrite, 10)
		w.out = strconv.AppendInt(append(w.out, `,"ephemeral_1h_input_tokens":`...), u.CacheWrite1h, 10)
		w.add("}")
	}
	if u.Reasoning > 0 {
		w.out = strconv.AppendInt(append(w.out, `,"output_tokens_details":{"thinking_tokens":`...), u.Reasoning, 10)
		w.add("}")
	}
	if u.Searches > 0 {
		w.out = strconv.AppendInt(append(w.out, `,"server_tool_use":{"web_search_requests":`...), u.Searches, 10)
		w.add("}")
	}
	switch u.Tier { // others, which other vendors have, are no values of the API
	case "default":
		w.add(`,"service_tier":"standard"`)
	case "standard", "priority", "batch":
		w.add(`,"service_tier":"`, u.Tier, `"`)
	}
	w.add("}")
}

// typeOfPart is the type of the block that a part is.
func typeOfPart(kind llm.PartKind) string {
	switch kind {
	case llm.ToolCall:
		return "tool_use"
	case llm.Reasoning:
		return "thinking"
	case llm.Redacted:
		return "redacted_thinking"
	}
	return "text"
}
