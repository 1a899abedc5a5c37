package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	answerHead = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"`
	answerTail = `"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`
	goodAnswer = answerHead + wordOfAnswer + answerTail

	chunkHead  = `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":`
	someChunk  = "data: " + chunkHead + `{"role":"assistant","content":"` + wordOfAnswer + `"},"finish_reason":null}]}` + "\n\n"
	finalChunk = "data: " + chunkHead + `{},"finish_reason":"stop"}]}` + "\n\n"
	doneEvent  = "data: [DONE]\n\n"
	goodStream = someChunk + finalChunk + doneEvent

	jsonType   = "Content-Type: application/json\r\n"
	streamType = "Content-Type: text/event-stream\r\n"
	chunked    = "Transfer-Encoding: chunked\r\n"
	status200  = "HTTP/1.1 200 OK\r\n"
)

// says answers with these bytes and no others.
func says(parts ...string) func(*wire) {
	return func(w *wire) { w.text(parts...) }
}

// whole is an answer of the usual framing.
func whole(header, body string) func(*wire) {
	return says(status200, header, fmt.Sprintf("Connection: close\r\nContent-Length: %d\r\n\r\n", len(body)), body)
}

// untilClosed is an answer whose end is the connection's.
func untilClosed(header, body string) func(*wire) { return says(status200, header, "\r\n", body) }

// without an end: the head, then the unit again and again.
func without(head, unit string) func(*wire) {
	return func(w *wire) {
		w.text(head)
		w.flood(unit, endless)
	}
}

// gzipped is an answer that is compressed.
func gzipped(header string, layers int, body string) func(*wire) {
	var out bytes.Buffer
	out.WriteString(body)
	for range layers {
		var next bytes.Buffer
		z := gzip.NewWriter(&next)
		_, _ = z.Write(out.Bytes()) // memory takes it
		_ = z.Close()
		out = next
	}
	return whole(header, out.String())
}

// bomb is a compressed answer without an end.
func bomb(header, head, unit string) func(*wire) {
	return func(w *wire) {
		w.text(status200, "Content-Encoding: gzip\r\n", header, "\r\n")
		z := gzip.NewWriter(w.Conn)
		_, _ = io.WriteString(z, head)
		block := []byte(strings.Repeat(unit, 1<<20/len(unit)))
		for range endless >> 20 {
			if _, err := z.Write(block); err != nil {
				return
			}
		}
	}
}

// hostiles are ways to answer that are small, or that end with their header.
func hostiles() []hostile {
	return slices.Concat(notAnswers(), framings(), statusLines(), headers(), compressions(), values(), refusals())
}

// endlessAnswers are ways to answer that are large.
func endlessAnswers() []hostile {
	return slices.Concat(bombs(), bodiesWithoutEnd(), streamsWithoutEnd(), multitudes(), errorsWithoutEnd())
}

func notAnswers() []hostile {
	return []hostile{
		{name: "a web page", answer: whole("Content-Type: text/html\r\n", "<!DOCTYPE html><title>Welcome</title>"), whole: misplaced},
		{name: "a web page as a stream", answer: whole(streamType, "\n<html></html>"), whole: misplaced},
		{name: "a web page without end", answer: without(status200+streamType+"\r\n", "<html>"), whole: misplaced},
		{name: "an answer as a web page", answer: whole("Content-Type: text/html\r\n", goodAnswer), whole: "ok"},
		{name: "an answer as a picture", answer: whole("Content-Type: image/png; charset=\"\r\n", goodAnswer), whole: "ok"},
		{name: "nothing", answer: whole(jsonType, ""), whole: failed},
		{name: "nothing, in chunks", answer: says(status200, streamType, chunked, "\r\n0\r\n\r\n"), whole: failed},
		{name: "white space", answer: whole(streamType, " \r\n\t\n"), whole: failed},
		{name: "no content", answer: says("HTTP/1.1 204 No Content\r\n\r\n"), whole: failed},
		{name: "a part of the content", answer: says("HTTP/1.1 206 Partial Content\r\nContent-Length: 2\r\n\r\n{}"), whole: failed},
		{name: "not modified", answer: says("HTTP/1.1 304 Not Modified\r\n\r\n"), whole: misplaced},
		{name: "another list", answer: whole(jsonType, `[`+goodAnswer+`]`), whole: failed},
		{name: "a number", answer: whole(jsonType, `1`), whole: failed},
		{name: "null", answer: whole(jsonType, `null`), whole: failed},
		{name: "a stream", answer: whole(streamType, goodStream), whole: failed, stream: "ok"},
		{name: "a stream that has only its end", answer: whole(streamType, doneEvent), whole: failed},
		{name: "a stream that is not JSON", answer: whole(streamType, "data: hello\n\n"+goodStream), whole: failed},
		{name: "a stream that is not JSON behind content", answer: whole(streamType, someChunk+"data: {\"choices\":[\n\n"+finalChunk), stream: cutShort},
		{name: "a stream cut short", answer: untilClosed(streamType, someChunk), stream: cutShort},
		{name: "a stream cut in an event", answer: untilClosed(streamType, someChunk+finalChunk[:40]), stream: cutShort},
		{name: "a stream cut before content", answer: untilClosed(streamType, someChunk[:40]), whole: failed},
		{name: "a stream without its end", answer: whole(streamType, someChunk+finalChunk), stream: "ok"},
		{name: "a stream with two ends", answer: whole(streamType, someChunk+finalChunk+finalChunk+doneEvent+doneEvent), stream: "ok"},
		{name: "content behind the end", answer: whole(streamType, someChunk+finalChunk+someChunk+doneEvent+someChunk), stream: "ok"},
		{name: "an error behind the end", answer: whole(streamType, goodStream+"data: {\"error\":{\"message\":\"x\"}}\n\n"), stream: "ok"},
		{name: "an error behind content", answer: whole(streamType, someChunk+"data: {\"error\":{\"message\":\"x\"}}\n\n"+finalChunk+doneEvent), stream: cutShort},
	}
}

func framings() []hostile {
	length := func(n string) string { return status200 + jsonType + "Content-Length: " + n + "\r\n\r\n" }
	inChunks := status200 + jsonType + chunked + "\r\n"
	size := fmt.Sprintf("%x\r\n", len(goodAnswer))
	return []hostile{
		{name: "half an answer", answer: says(length("4000"), goodAnswer[:50]), whole: failed},
		{name: "half an answer, to the end of the connection", answer: untilClosed(jsonType, goodAnswer[:50]), whole: failed},
		{name: "half an answer, in chunks", answer: says(inChunks, size, goodAnswer[:50]), whole: failed},
		{name: "chunks without the last", answer: says(inChunks, size, goodAnswer, "\r\n"), whole: failed},
		{name: "shorter than its length", answer: says(length("4000"), goodAnswer), whole: failed},
		{name: "longer than its length", answer: says(length("50"), goodAnswer), whole: failed},
		{name: "two lengths", answer: says(status200, "Content-Length: 5\r\n", length("50")[len(status200):], goodAnswer), whole: failed},
		{name: "a negative length", answer: says(length("-1"), goodAnswer), whole: failed},
		{name: "a list of lengths", answer: says(length("5, 5"), goodAnswer), whole: failed},
		{name: "a length beyond 64 bits", answer: says(length("99999999999999999999"), goodAnswer), whole: failed},
		{name: "a length of 10 GB that does not come", answer: says(length(fmt.Sprint(int64(endless))), goodAnswer), whole: failed},
		{name: "a length and chunks", answer: says(status200, "Content-Length: 5\r\n", inChunks[len(status200):], size, goodAnswer, "\r\n0\r\n\r\n"), whole: "ok"},
		{name: "an unknown transfer encoding", answer: says(status200, "Transfer-Encoding: gzip, chunked\r\n\r\n", size, goodAnswer, "\r\n0\r\n\r\n"), whole: failed},
		{name: "a second answer behind the first", answer: says(length(fmt.Sprint(len(goodAnswer))), goodAnswer, length("2"), "{}"), whole: "ok"},
		{name: "something behind the JSON", answer: whole(jsonType, goodAnswer+"x"), whole: failed},
		{name: "two answers in one body", answer: whole(jsonType, goodAnswer+goodAnswer), whole: failed},
		{name: "a chunk size beyond 64 bits", answer: says(inChunks, "fffffffffffffffff\r\n", goodAnswer), whole: failed},
		{name: "a chunk size of 64 bits", answer: says(inChunks, "ffffffffffffffff\r\n", goodAnswer), whole: failed},
		{name: "a negative chunk size", answer: says(inChunks, "-5\r\n", goodAnswer), whole: failed},
		{name: "a chunk size that is no number", answer: says(inChunks, "hello\r\n", goodAnswer), whole: failed},
		{name: "a chunk without its end", answer: says(inChunks, "2\r\n{}{}\r\n0\r\n\r\n"), whole: failed},
		{name: "a chunk size without end", answer: without(inChunks, "0"), whole: failed},
		{name: "a chunk extension without end", answer: without(inChunks+"5;", "a"), whole: failed},
		{name: "chunk extensions", answer: func(w *wire) {
			w.text(inChunks)
			for i := range goodAnswer {
				w.text("1;" + strings.Repeat("x", 4000) + "\r\n" + goodAnswer[i:i+1] + "\r\n")
			}
			w.text("0\r\n\r\n")
		}, whole: failed},
		{name: "a trailer without end", answer: without(inChunks+size+goodAnswer+"\r\n0\r\n", "X: y\r\n"), whole: failed},
		{name: "a trailer line without end", answer: without(inChunks+size+goodAnswer+"\r\n0\r\nX: ", "y"), whole: failed},
		{name: "a trailer that names a length", answer: says(inChunks, size, goodAnswer, "\r\n0\r\nContent-Length: 1\r\n\r\n"), whole: "ok"},
	}
}

func statusLines() []hostile {
	rest := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(goodAnswer), goodAnswer)
	return []hostile{
		{name: "no status line", answer: says(goodAnswer), whole: failed},
		{name: "no status line but a stream", answer: says(goodStream), whole: failed},
		{name: "another protocol", answer: says("SSH-2.0-OpenSSH_9.6\r\n"), whole: failed},
		{name: "another protocol's alert", answer: says("\x15\x03\x01\x00\x02\x02\x16"), whole: failed},
		{name: "HTTP/2 that nobody asked for", answer: says("\x00\x00\x00\x04\x00\x00\x00\x00\x00"), whole: failed},
		{name: "nothing at all", answer: says(), whole: failed},
		{name: "a line end", answer: says("\r\n\r\n"), whole: failed},
		{name: "a status that is no number", answer: says("HTTP/1.1 abc OK\r\n", rest), whole: failed},
		{name: "a status of two digits", answer: says("HTTP/1.1 20 OK\r\n", rest), whole: failed},
		{name: "a status of five digits", answer: says("HTTP/1.1 20000 OK\r\n", rest), whole: failed},
		{name: "a status of zero", answer: says("HTTP/1.1 000 OK\r\n", rest), whole: failed},
		{name: "a negative status", answer: says("HTTP/1.1 -20 OK\r\n", rest), whole: failed},
		{name: "a status that does not exist", answer: says("HTTP/1.1 999 What\r\n", rest), whole: failed},
		{name: "a version that does not exist", answer: says("HTTP/9.9 200 OK\r\n", rest), whole: "ok"},
		{name: "a version that is none", answer: says("HTTP/x 200 OK\r\n", rest), whole: failed},
		{name: "zeros in the status line", answer: says("HTTP/1.1\x00200 OK\r\n", rest), whole: failed},
		{name: "a status line without end", answer: without("HTTP/1.1 200 ", "O"), whole: failed},
		{name: "line ends without end", answer: without("", "\r\n"), whole: failed},
		{name: "switching protocols", answer: without("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", "x"), whole: failed},
		{name: "early hints without end", answer: without("", "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"), whole: failed},
		{name: "continue without end", answer: without("", "HTTP/1.1 100 Continue\r\n\r\n"), whole: failed},
		{name: "early hints", answer: says(strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n", 3), status200, rest), whole: "ok"},
	}
}

func headers() []hostile {
	rest := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(goodAnswer), goodAnswer)
	redirect := func(status, location string) func(*wire) {
		return func(w *wire) {
			w.text("HTTP/1.1 ", status, " Elsewhere\r\nLocation: ", strings.ReplaceAll(location, "TRAP", w.trap), "\r\nContent-Length: 0\r\n\r\n")
		}
	}
	return []hostile{
		{name: "headers without end", answer: without(status200, "X-A: b\r\n"), whole: failed},
		{name: "names without end", answer: func(w *wire) {
			w.text(status200)
			for i := 0; i < 1<<26; i++ {
				if _, err := fmt.Fprintf(w.Conn, "X-%x: \r\n", i); err != nil {
					return
				}
			}
		}, whole: failed},
		{name: "a header without end", answer: without(status200+"X-A: ", "b"), whole: failed},
		{name: "a name without end", answer: without(status200, "X"), whole: failed},
		{name: "a folded header without end", answer: without(status200+"X-A: b\r\n", " b\r\n"), whole: failed},
		{name: "a header that is none", answer: says(status200, "hello\r\n", rest), whole: failed},
		{name: "a header without a name", answer: says(status200, ": b\r\n", rest), whole: failed},
		{name: "a zero in a header", answer: says(status200, "X-Request-Id: a\x00b\r\n", rest), whole: failed},
		{name: "a line end in a header", answer: says(status200, "X-Request-Id: a\rSet-Cookie: b\r\n", rest), whole: failed},
		{name: "a name with a space", answer: says(status200, "X-Request-Id : a\r\n", rest), whole: "ok"},
		{name: "a folded header", answer: says(status200, "X-Request-Id: a\r\n Set-Cookie: b\r\n", rest), whole: "ok"},
		{name: "an id that cannot be printed", answer: says(status200, "X-Request-Id: a\xff\u202e\r\n", rest), whole: "ok"},
		{name: "an id with a control character", answer: says(status200, "X-Request-Id: a\x1b[31m\r\n", rest), whole: failed},
		{name: "an id of 60 KB", answer: says(status200, "X-Request-Id: ", strings.Repeat("a", 60<<10), "\r\n", rest), whole: "ok"},
		{name: "headers that are our own", answer: says(status200, "Weir-Provider: x\r\nSet-Cookie: x\r\nX-Ratelimit-Limit-Requests: 1\r\nConnection: close, x-request-id\r\nTrailer: content-length\r\n", rest), whole: "ok"},
		{name: "a redirect, 301", answer: redirect("301", "TRAP/v1/chat/completions"), whole: misplaced},
		{name: "a redirect, 302", answer: redirect("302", "TRAP/v1/chat/completions"), whole: misplaced},
		{name: "a redirect, 303", answer: redirect("303", "TRAP/"), whole: misplaced},
		{name: "a redirect, 305", answer: redirect("305", "TRAP/"), whole: misplaced},
		{name: "a redirect, 307", answer: redirect("307", "TRAP/v1/chat/completions"), whole: misplaced},
		{name: "a redirect, 308", answer: redirect("308", "TRAP/v1/chat/completions"), whole: misplaced},
		{name: "a redirect to nowhere", answer: redirect("307", "::"), whole: misplaced},
		{name: "a redirect in other headers", answer: func(w *wire) {
			w.text(status200, "Location: ", w.trap, "\r\nRefresh: 0; url=", w.trap, "\r\nAlt-Svc: h2=\"", strings.TrimPrefix(w.trap, "http://"), "\"\r\nLink: <", w.trap, ">; rel=preload\r\n", rest)
		}, whole: "ok"},
	}
}

func compressions() []hostile {
	const gz = "Content-Encoding: gzip\r\n"
	return []hostile{
		{name: "gzip", answer: gzipped(gz, 1, goodAnswer), whole: "ok"},
		{name: "gzip that is none", answer: whole(gz, goodAnswer), whole: failed},
		{name: "half of gzip", answer: whole(gz, "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\xaa\x56"), whole: failed},
		{name: "gzip that is broken", answer: whole(gz, "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xffhello hello hello"), whole: failed},
		{name: "gzip twice", answer: gzipped("Content-Encoding: gzip, gzip\r\n", 2, goodAnswer), whole: failed},
		{name: "gzip twice, told once", answer: gzipped(gz, 2, goodAnswer), whole: failed},
		{name: "brotli", answer: whole("Content-Encoding: br\r\n", goodAnswer), whole: failed},
		{name: "an encoding of 60 KB", answer: whole("Content-Encoding: "+strings.Repeat("a", 60<<10)+"\r\n", goodAnswer), whole: failed},
	}
}

func values() []hostile {
	usage := func(u string) func(*wire) {
		return whole(jsonType, strings.Replace(goodAnswer, `{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}`, u, 1))
	}
	deep := func(n int) string { return strings.Repeat(`{"a":[`, n) + strings.Repeat("]}", n) }
	const most = `9223372036854775807`
	return []hostile{
		{name: "usage of all there is", answer: usage(`{"prompt_tokens":` + most + `,"completion_tokens":` + most + `,"total_tokens":` + most +
			`,"prompt_tokens_details":{"cached_tokens":` + most + `,"cache_write_tokens":` + most + `},"completion_tokens_details":{"reasoning_tokens":` + most + `}}`), whole: "ok"},
		{name: "usage beyond 64 bits", answer: usage(`{"prompt_tokens":99999999999999999999,"completion_tokens":1e400,"total_tokens":1e-400}`), whole: "ok"},
		{name: "negative usage", answer: usage(`{"prompt_tokens":-5,"completion_tokens":-` + most + `,"prompt_tokens_details":{"cached_tokens":-1}}`), whole: "ok"},
		{name: "usage in fractions", answer: usage(`{"prompt_tokens":1.5,"completion_tokens":0.1,"total_tokens":-0.0}`), whole: "ok"},
		{name: "usage of other types", answer: usage(`{"prompt_tokens":"1","completion_tokens":[],"total_tokens":{},"prompt_tokens_details":7}`), whole: "ok"},
		{name: "usage that is a list", answer: usage(`[1]`), whole: "ok"},
		{name: "a number of a million digits", answer: usage(`{"prompt_tokens":` + strings.Repeat("1", 1<<20) + `}`), whole: "ok"},
		{name: "a wrong number", answer: usage(`{"prompt_tokens":01}`), whole: failed},
		{name: "deep", answer: whole(jsonType, `{"x":`+deep(4_000)+`,`+goodAnswer[1:]), whole: "ok"},
		{name: "too deep", answer: whole(jsonType, `{"x":`+deep(50_000)+`,`+goodAnswer[1:]), whole: failed},
		{name: "members named twice", answer: whole(jsonType, `{"choices":[{}],"usage":{"prompt_tokens":9},"model":"x","id":"y",`+goodAnswer[1:]), whole: "ok"},
		{name: "no UTF-8", answer: whole(jsonType, answerHead+"\xff\xfe"+answerTail), whole: failed},
		{name: "a zero in the JSON", answer: whole(jsonType, answerHead+"\x00"+answerTail), whole: failed},
		{name: "a zero before the JSON", answer: whole(jsonType, "\x00"+goodAnswer), whole: failed},
		{name: "half of a character", answer: whole(jsonType, answerHead+`\ud800`+answerTail), whole: "ok"},
		{name: "an event with a line end in it", answer: whole(streamType, "data: {\"a\":\r\ndata: 1,\r\ndata: "+chunkHead[1:]+"{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\n"), stream: "ok"},
	}
}

func bombs() []hostile {
	const gz = "Content-Encoding: gzip\r\n"
	return []hostile{
		{name: "a bomb of zeros", answer: bomb(jsonType, "", "\x00"), whole: failed},
		{name: "a bomb of white space", answer: bomb(streamType, "", " "), whole: failed},
		{name: "a bomb of line ends", answer: bomb(streamType, "", "\n"), whole: failed},
		{name: "a bomb of an answer", answer: bomb(jsonType, answerHead, "a"), whole: failed},
		{name: "a bomb of one event", answer: bomb(streamType, "data: "+chunkHead+`{"content":"`, "a"), whole: failed},
		{name: "a bomb of comments", answer: bomb(streamType, "", ": hello\n\n"), whole: failed},
		{name: "a bomb of bombs", answer: gzipped(gz, 3, strings.Repeat("\x00", 64<<20)), whole: failed},
		{name: "a gzip name without end", answer: without(status200+gz+"\r\n\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\xff", "a"), whole: failed},
		{name: "gzip members of nothing without end", answer: without(status200+gz+"\r\n", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x01\x00\x00\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00"), whole: failed},
	}
}
