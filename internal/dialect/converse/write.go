package converse

import (
	"bytes"
	"strconv"

	"github.com/weirproxy/weir/internal/dialect/cited"
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Writer words an answer as the API does: all its events as one body, or each as the payloads of a stream. It is used for one
// answer. The API names no answers, cites whole blocks of text alone, and has no word for why it refused.
type Writer struct {
	Took int64 // milliseconds

	blocks int    // begun
	silent bool   // nothing came yet of the block that is open
	out    []byte // a payload
	said   cited.Block

	content, text, opaque []byte // for a complete answer: the list without brackets, and the text of the open block
	citations             []byte // citations of that block, a list without brackets
	broken                bool   // a tool was called with what is no object
}

// Collect takes an event of a complete answer; Answer makes one body of all.
func (w *Writer) Collect(ev *llm.Event) {
	w.said.Hear(ev)
	switch ev.Kind {
	case llm.BlockStart:
		w.text, w.opaque, w.citations = w.text[:0], append(w.opaque[:0], ev.Opaque...), w.citations[:0]
		if ev.Part == llm.ToolCall {
			w.next()
			w.content = append(appendCall(append(w.content, `{"toolUse":{`...), ev), `,"input":`...)
		}
	case llm.Delta:
		w.text = append(w.text, ev.Text.Inner()...)
		if len(ev.Opaque) > 0 {
			w.opaque = append(w.opaque[:0], ev.Opaque...)
		}
	case llm.Cited:
		w.cite(ev.Citation)
	case llm.BlockStop:
		w.block(ev.Part)
	}
}

// cite collects a citation: with the open text, or in a block of its own after one.
func (w *Writer) cite(c *llm.Citation) {
	_, open := w.said.Open()
	switch {
	case !w.said.Is(c):
	case !open:
		w.next()
		w.content = append(appendCitation(append(w.content, `{"citationsContent":{"citations":[`...), c), "]}}"...)
	case len(w.citations) > 0:
		w.citations = appendCitation(append(w.citations, ','), c)
	default:
		w.citations = appendCitation(w.citations, c)
	}
}

// appendCitation appends a citation of a page of the web.
func appendCitation(dst []byte, c *llm.Citation) []byte {
	dst = append(append(append(dst, `{"location":{"web":{"url":`...), c.URL...), "}}"...)
	if c.Title != nil {
		dst = append(append(dst, `,"title":`...), c.Title...)
	}
	return append(dst, '}')
}

// next makes the list ready for one more.
func (w *Writer) next() {
	if len(w.content) > 0 {
		w.content = append(w.content, ',')
	}
}

// block ends the block that is open.
func (w *Writer) block(part llm.PartKind) {
	if part == llm.ToolCall {
		w.content = append(append(w.content, w.input()...), "}}"...)
		return
	}
	w.next()
	switch {
	case part == llm.Text && len(w.citations) > 0:
		w.content = append(append(append(w.content, `{"citationsContent":{"content":[{"text":"`...), w.text...), `"}],"citations":[`...)
		w.content = append(append(w.content, w.citations...), "]}}"...)
	case part == llm.Text:
		w.content = append(append(append(w.content, `{"text":"`...), w.text...), `"}`...)
	case part == llm.Reasoning:
		w.content = append(append(append(w.content, `{"reasoningContent":{"reasoningText":{"text":"`...), w.text...), '"')
		if len(w.opaque) > 0 {
			w.content = append(append(w.content, `,"signature":`...), w.opaque...)
		}
		w.content = append(w.content, "}}}"...)
	default:
		if len(w.opaque) == 0 {
			w.opaque = append(w.opaque, `""`...)
		}
		w.content = append(append(append(w.content, `{"reasoningContent":{"redactedContent":`...), w.opaque...), "}}"...)
	}
}

// input is what the tool is called with, which has to be an object.
func (w *Writer) input() []byte {
	args := bytes.TrimSpace([]byte(llm.JSON(`"` + string(w.text) + `"`).Text()))
	if len(args) > 0 && args[0] == '{' && jsonwalk.Valid(args, jsonwalk.Options{}) == nil {
		return args
	}
	w.broken = w.broken || len(args) > 0
	return []byte("{}")
}

// appendCall appends what begins a call of a tool.
func appendCall(dst []byte, ev *llm.Event) []byte {
	dst = append(append(dst, `"toolUseId":`...), ev.ID...)
	return append(append(dst, `,"name":`...), ev.Name...)
}

// Answer is the complete answer that was collected; end is its last event.
func (w *Writer) Answer(end *llm.Event) []byte {
	dst := make([]byte, 0, 512+len(w.content))
	dst = append(w.appendMetrics(append(dst, '{')), `,"output":{"message":{"role":"assistant","content":[`...)
	dst = append(append(append(dst, w.content...), `]}},"stopReason":"`...), w.reason(end.Finish)...)
	return append(appendUsage(append(dst, `",`...), end.Usage), '}')
}

func (w *Writer) appendMetrics(dst []byte) []byte {
	return append(strconv.AppendInt(append(dst, `"metrics":{"latencyMs":`...), w.Took, 10), '}')
}

// reason is the API's word for why an answer ended.
func (w *Writer) reason(finish string) string {
	switch {
	case finish == "length":
		return "max_tokens"
	case finish == "content_filter":
		return "content_filtered"
	case w.broken:
		return "malformed_tool_use"
	case finish == "tool_calls":
		return "tool_use"
	default:
		return "end_turn"
	}
}

// appendUsage appends what an answer took. Uncached usage has no cache members.
func appendUsage(dst []byte, u llm.Usage) []byte {
	dst = strconv.AppendInt(append(dst, `"usage":{"inputTokens":`...), u.Fresh, 10)
	dst = strconv.AppendInt(append(dst, `,"outputTokens":`...), u.Output(), 10)
	dst = strconv.AppendInt(append(dst, `,"totalTokens":`...), u.Input()+u.Output(), 10)
	if u.CacheRead+u.CacheWrites() > 0 {
		dst = strconv.AppendInt(append(dst, `,"cacheReadInputTokens":`...), u.CacheRead, 10)
		dst = strconv.AppendInt(append(dst, `,"cacheWriteInputTokens":`...), u.CacheWrites(), 10)
	}
	if u.CacheWrite1h > 0 {
		dst = strconv.AppendInt(append(dst, `,"cacheDetails":[{"ttl":"5m","inputTokens":`...), u.CacheWrite, 10)
		dst = strconv.AppendInt(append(dst, `},{"ttl":"1h","inputTokens":`...), u.CacheWrite1h, 10)
		dst = append(dst, "}]"...)
	}
	return append(dst, '}')
}
