package main

import (
	"fmt"
	"io"
	"strings"
)

func bodiesWithoutEnd() []hostile {
	head := status200 + jsonType + "\r\n"
	return []hostile{
		{name: "a length of 10 GB", answer: without(fmt.Sprintf("%s%sContent-Length: %d\r\n\r\n", status200, jsonType, int64(endless))+answerHead, "a"), whole: failed},
		{name: "lists without end", answer: without(status200+jsonType+"\r\n", "["), whole: failed},
		{name: "objects without end", answer: without(status200+jsonType+"\r\n", `{"choices":`), whole: failed},
		{name: "an answer without end", answer: without(head+answerHead, "a"), whole: failed},
		{name: "an answer without end, in chunks", answer: without(status200+jsonType+chunked+"\r\n4000\r\n"+answerHead+strings.Repeat("a", 0x4000-len(answerHead))+"\r\n", "4000\r\n"+strings.Repeat("a", 0x4000)+"\r\n"), whole: failed},
		{name: "white space without end", answer: without(head, " "), whole: failed},
		{name: "white space behind an answer", answer: without(head+goodAnswer, " "), whole: failed},
		{name: "zeros without end", answer: without(head, "\x00"), whole: failed},
		{name: "members without end", answer: without(head+"{", `"a":1,`), whole: failed},
		{name: "choices without end", answer: without(head+`{"choices":[`, `{},`), whole: failed},
		{name: "numbers without end", answer: without(head+`{"data":[{"index":0,"embedding":[`, "0.1,"), whole: failed, path: "/v1/embeddings"},
		{name: "vectors without end", answer: without(head+`{"data":[`, `{},`), whole: failed, path: "/v1/embeddings"},
	}
}

func streamsWithoutEnd() []hostile {
	head := status200 + streamType + "\r\n"
	return []hostile{
		{name: "one event without end", answer: without(head+"data: "+chunkHead+`{"content":"`, "a"), stream: failed},
		{name: "one event without end behind content", answer: without(head+someChunk+"data: "+chunkHead+`{"content":"`, "a"), stream: cutShort},
		{name: "data lines without end", answer: without(head, "data: [\n"), stream: failed},
		{name: "empty data lines without end", answer: without(head, "data:\n"), stream: failed},
		{name: "data lines that could be whole without end", answer: without(head+"data: [{}\n", "data: ,{}\n"), stream: failed},
		{name: "a comment without end", answer: without(head, ":"), stream: failed},
		{name: "comments without end", answer: without(head, ": hello\n\n"), stream: failed},
		{name: "an event's name without end", answer: without(head+"event: ", "a"), stream: failed},
		{name: "names of events without end", answer: func(w *wire) {
			w.text(head)
			for i := 0; i < 1<<30; i++ {
				if _, err := fmt.Fprintf(w.Conn, "event: %0*d\n\n", 1<<20, i); err != nil {
					return
				}
			}
		}, stream: failed},
		{name: "fields without end", answer: without(head, "x: hello\n"), stream: failed},
		{name: "blank lines without end", answer: without(head, "\n"), stream: failed},
		{name: "blank lines of all kinds without end", answer: without(head, "\r\r\n\n"), stream: failed},
		{name: "pings without end", answer: without(head, "event: ping\ndata: {}\n\n"), stream: failed},
		{name: "empty objects without end", answer: without(head, "data: {}\n\n"), stream: failed},
		{name: "roles without end", answer: without(head, "data: "+chunkHead+`{"role":"assistant"},"finish_reason":null}]}`+"\n\n"), stream: goesOn},
		{name: "usage without end", answer: without(head, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1}}\n\n"), stream: failed},
	}
}

// hidden is what a stream that goes on hides among its events.
func hidden(events func(w io.Writer) error) func(*wire) {
	return func(w *wire) {
		w.text(status200, streamType, "\r\n", someChunk)
		if events(w.Conn) == nil {
			w.text(finalChunk, doneEvent)
		}
	}
}

// each writes an event for every number below n.
func each(n int, format string) func(io.Writer) error {
	return func(w io.Writer) error {
		for i := range n {
			if _, err := fmt.Fprintf(w, "data: "+format+"\n\n", i); err != nil {
				return err
			}
		}
		return nil
	}
}

func multitudes() []hostile {
	many := func(unit string, size int) string {
		return strings.TrimSuffix(strings.Repeat(unit, size/len(unit)), ",")
	}
	long := strings.Repeat("x", 1<<20)
	const tools = `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"id":"`
	return []hostile{
		{name: "events by the hundred thousand", answer: hidden(each(300_000, `{"choices":[{"index":0,"delta":{"content":"%d"}}]}`)), stream: "ok"},
		{name: "choices by the million", answer: hidden(each(300_000, `{"choices":[{"index":%d,"delta":{"content":"a"}}]}`)), stream: "ok"},
		{name: "choices in one event", answer: whole(streamType, someChunk+`data: {"choices":[`+many("{},", 8<<20)+"]}\n\n"+finalChunk), stream: cutShort, most: largeRise},
		{name: "numbers for choices in one event", answer: whole(streamType, someChunk+`data: {"choices":[`+many("1,", 8<<20)+"]}\n\n"+finalChunk), stream: cutShort, most: largeRise},
		{name: "members in one event", answer: whole(streamType, someChunk+`data: {`+many(`"":1,`, 8<<20)+"}\n\n"+finalChunk), stream: cutShort, most: largeRise},
		{name: "tool calls by the million", answer: hidden(each(300_000, tools+`a"}]}}]}`)), stream: "ok"},
		{name: "tool calls with long ids", answer: hidden(each(40, tools+long+`%[1]d"}]}}]}`)), stream: "ok"},
		{name: "tool calls in one event", answer: whole(streamType, someChunk+`data: {"choices":[{"index":0,"delta":{"tool_calls":[`+many("{},", 8<<20)+"]}}]}\n\n"+finalChunk), stream: cutShort, most: largeRise},
		{name: "ids of a megabyte", answer: hidden(each(64, `{"id":"`+long+`%d","model":"`+long+`","choices":[{"index":0,"delta":{"content":"a"}}]}`)), stream: "ok", most: largeRise},
		{name: "a first id of a megabyte", answer: func(w *wire) {
			w.text(status200, streamType, "\r\n", `data: {"id":"`, long, `","choices":[]}`, "\n\n")
			for range 2000 {
				w.text(`data: {"choices":[{"index":0,"delta":{"content":"a"}}]}`, "\n\n")
			}
			w.text(finalChunk, doneEvent)
		}, stream: "ok"},
		{name: "content in parts", answer: whole(streamType, someChunk+`data: {"choices":[{"index":0,"delta":{`+many(`"content":[{"type":"thinking","thinking":"a"}],`, 4<<20)+"}}]}\n\n"+finalChunk), stream: cutShort, most: largeRise},
		{name: "choices in one answer", answer: whole(jsonType, `{"choices":[`+many("{},", 8<<20)+"]}"), whole: failed, most: largeRise},
		{name: "tool calls in one answer", answer: whole(jsonType, `{"choices":[{"message":{"tool_calls":[`+many("{},", 8<<20)+"]}}]}"), whole: failed, most: largeRise},
		{name: "members in one answer", answer: whole(jsonType, `{`+many(`"":1,`, 8<<20)+`,`+goodAnswer[1:]), whole: failed, most: largeRise},
		{name: "choices and a megabyte beside them", answer: whole(jsonType, `{"x":"`+long+`","choices":[`+many("{},", 10_000)+"]}"), whole: "ok", stream: failed, most: largeRise},
		{name: "vectors in one answer", answer: whole(jsonType, `{"data":[`+many("{},", 8<<20)+"]}"), whole: failed, path: "/v1/embeddings", most: largeRise},
	}
}

// status is an answer that is no 200.
func status(status, body string) func(*wire) {
	return says("HTTP/1.1 ", status, " No\r\nConnection: close\r\n", jsonType, fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body)), body)
}

func refusals() []hostile {
	secrets := func(answer func(body string) func(*wire)) func(*wire) {
		return func(w *wire) {
			answer(`{"error":{"message":"Incorrect API key provided: the-upstream-credential. See http://` + w.LocalAddr().String() + `/v1","type":"x","param":null,"code":"the-upstream-credential"}}`)(w)
		}
	}
	return []hostile{
		{name: "a failure with secrets", answer: secrets(func(body string) func(*wire) { return status("500", body) }), whole: failed},
		{name: "a refusal with secrets", answer: secrets(func(body string) func(*wire) { return status("400", body) }), whole: asUpstream},
		{name: "an error with secrets in a 200", answer: secrets(func(body string) func(*wire) { return whole(jsonType, body) }), whole: failed},
		{name: "an error event with secrets", answer: secrets(func(body string) func(*wire) { return whole(streamType, someChunk+"data: "+body+"\n\n") }), stream: cutShort},
	}
}

func errorsWithoutEnd() []hostile {
	long := strings.Repeat("x", 4<<20)
	many := func(unit string) string { return strings.TrimSuffix(strings.Repeat(unit, (8<<20)/len(unit)), ",") }
	return []hostile{
		{name: "a refusal without end", answer: without("HTTP/1.1 400 No\r\n"+jsonType+"\r\n{\"error\":{\"message\":\"", "x"), whole: asUpstream},
		{name: "a failure without end", answer: without("HTTP/1.1 500 No\r\n"+jsonType+"\r\n{\"error\":{\"message\":\"", "x"), whole: failed},
		{name: "a failure of megabytes", answer: status("500", `{"error":{"message":"`+long+`"}}`), whole: failed},
		{name: "a refusal of megabytes", answer: status("400", `{"error":{"message":"`+long+`","type":"x","param":null,"code":null}}`), whole: asUpstream},
		{name: "a refusal of lists", answer: status("422", `{"detail":[`+many("{},")[:1<<20]+`]}`), whole: asUpstream},
		{name: "an error of megabytes in a 200", answer: whole(jsonType, `{"error":{"message":"`+long+`"}}`), whole: failed},
		{name: "an error of lists in a 200", answer: whole(jsonType, `{"error":true,"detail":[`+many("{},")+`]}`), whole: failed, most: largeRise},
		{name: "an error of places in a 200", answer: whole(jsonType, `{"error":true,"detail":[{"loc":[`+many("1,")+`]}]}`), whole: failed, most: largeRise},
		{name: "an error event of megabytes", answer: whole(streamType, "data: {\"error\":{\"message\":\""+long+"\"}}\n\n"), stream: failed},
		{name: "an error event of lists", answer: whole(streamType, someChunk+"data: {\"error\":true,\"errors\":["+many("{},")+"]}\n\n"), stream: cutShort, most: largeRise},
	}
}
