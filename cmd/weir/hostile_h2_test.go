package main

import (
	"bufio"
	"crypto/tls"
	"encoding/binary"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// Frames of HTTP/2 (RFC 9113 § 6), and what their flags mean.
const (
	frameData, frameHeaders, framePriority, frameReset, frameSettings, framePush = 0, 1, 2, 3, 4, 5
	framePing, frameGoaway, frameWindow, frameContinuation                       = 6, 7, 8, 9

	endStream, endHeaders, padded = 1, 4, 8
)

// frame is one frame, whatever it says.
func frame(typ, flags byte, stream uint32, payload string) string {
	head := []byte{byte(len(payload) >> 16), byte(len(payload) >> 8), byte(len(payload)), typ, flags}
	return string(binary.BigEndian.AppendUint32(head, stream)) + payload
}

// field is a header that is not indexed (RFC 7541 § 6.2.2), both parts shorter than 127 bytes.
func field(name, value string) string {
	return "\x00" + string(rune(len(name))) + name + string(rune(len(value))) + value
}

// The statuses of the static table.
const ok200, status400 = "\x88", "\x8c"

// number is a payload of 32 bits.
func number(n uint32) string { return string(binary.BigEndian.AppendUint32(nil, n)) }

// listen2 starts an upstream that speaks HTTP/2 by hand, and returns its certificate's file.
func (a *attack) listen2(t *testing.T) (addr, caFile string) {
	t.Helper()
	certificates := httptest.NewUnstartedServer(nil)
	certificates.StartTLS()
	t.Cleanup(certificates.Close)
	caFile = filepath.Join(t.TempDir(), "ca.pem")
	writeTest(t, caFile, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificates.Certificate().Raw})))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	secure := &tls.Config{Certificates: certificates.TLS.Certificates, NextProtos: []string{"h2"}}
	go a.accept(l, func(c net.Conn) { a.serve2(tls.Server(c, secure)) })
	return l.Addr().String(), caFile
}

// serve2 answers the first call of a connection, which is stream 1, and says that it serves no others.
func (a *attack) serve2(c *tls.Conn) {
	defer c.Close()
	if c.Handshake() != nil || c.ConnectionState().NegotiatedProtocol == "" {
		return // a program built with an older Go does not speak HTTP/2
	}
	r := bufio.NewReader(c)
	if _, err := r.Discard(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")); err != nil {
		return
	}
	w := &wire{Conn: c, trap: a.trap}
	w.text(frame(frameSettings, 0, 0, ""))
	stream, body, err := readCall2(r)
	switch {
	case err != nil:
	case stream != 1: // the first was given up before it was whole
		w.part(r, 0)
	case len(body) == 0: // Weir asks for the list of models
		w.text(frame(frameHeaders, endHeaders, 1, ok200), frame(frameData, endStream, 1, modelList))
		w.part(r, 1)
	default:
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			if _, _, err := readCall2(r); err == nil { // another call
				w.part(r, 1)
			}
		}()
		a.answer(w, body)
		select {
		case <-w.over: // no call comes any more
			w.goodbye(1)
		case <-ended:
		}
		<-ended
	}
}

// goodbye is the frame that says which was the last stream that is served.
func goodbye(last uint32) string { return frame(frameGoaway, 0, 0, number(last)+number(0)) }

// goodbye names the last stream and says that no other will be answered. Without it, a client whose calls had all ended
// would keep the connection until a ping fails.
func (w *wire) goodbye(last uint32) {
	w.text(goodbye(last))
	if secured, ok := w.Conn.(*tls.Conn); ok {
		_ = secured.CloseWrite()
	}
}

// part says goodbye and waits until the other side hangs up.
func (w *wire) part(r io.Reader, last uint32) {
	w.goodbye(last)
	_, _ = io.Copy(io.Discard, r)
}

// readCall2 reads the frames of one call and returns its stream and its body.
func readCall2(r io.Reader) (stream uint32, body []byte, err error) {
	for {
		head := make([]byte, 9)
		if _, err := io.ReadFull(r, head); err != nil {
			return 0, nil, err
		}
		payload := make([]byte, int(head[0])<<16|int(head[1])<<8|int(head[2]))
		if _, err := io.ReadFull(r, payload); err != nil {
			return 0, nil, err
		}
		if head[3] == frameData {
			body = append(body, payload...)
		}
		if (head[3] == frameData || head[3] == frameHeaders) && head[4]&endStream != 0 {
			return binary.BigEndian.Uint32(head[5:]), body, nil
		}
	}
}

// whole2 is an answer with its header and body in a frame each.
func whole2(header, body string) func(*wire) {
	return says(frame(frameHeaders, endHeaders, 1, ok200+header), frame(frameData, endStream, 1, body))
}

// hangsUp answers and closes the connection.
func hangsUp(parts ...string) func(*wire) {
	return func(w *wire) {
		w.text(parts...)
		_ = w.Conn.Close()
	}
}

// hostiles2 are ways to answer over HTTP/2.
func hostiles2() []hostile {
	head := frame(frameHeaders, endHeaders, 1, ok200)
	length := func(n int) string { return field("content-length", fmt.Sprint(n)) }
	jsonField := field("content-type", "application/json")
	const aRefusal = `{"error":{"message":"x","type":"x","param":null,"code":null}}`
	const mebibyte = 1 << 20
	return []hostile{
		{name: "an answer", answer: whole2(length(len(goodAnswer)), goodAnswer), whole: "ok"},
		{name: "shorter than its length", answer: whole2(length(4000), goodAnswer), whole: failed},
		{name: "longer than its length", answer: whole2(length(50), goodAnswer), whole: failed},
		{name: "no status", answer: says(frame(frameHeaders, endHeaders, 1, field("a", "b")), frame(frameData, endStream, 1, goodAnswer)), whole: failed},
		{name: "a status that is none", answer: says(frame(frameHeaders, endHeaders, 1, field(":status", "abc")), frame(frameData, endStream, 1, goodAnswer)), whole: failed},
		{name: "two statuses", answer: whole2(ok200, goodAnswer), whole: failed},
		{name: "a name in upper case", answer: whole2(field("X-Request-Id", "a"), goodAnswer), whole: failed},
		{name: "a line end in a header", answer: whole2(field("x-request-id", "a\r\nset-cookie: b"), goodAnswer), whole: failed},
		{name: "a header of HTTP/1", answer: whole2(field("transfer-encoding", "chunked"), goodAnswer), whole: "ok"},
		{name: "reset before the header", answer: says(frame(frameReset, 0, 1, number(2))), whole: failed},
		{name: "refused again and again", answer: says(frame(frameReset, 0, 1, number(7))), whole: failed},
		{name: "reset behind the header", answer: says(head, frame(frameReset, 0, 1, number(0))), whole: failed},
		{name: "reset within the body", answer: says(head, frame(frameData, 0, 1, goodAnswer[:50]), frame(frameReset, 0, 1, number(8))), whole: failed},
		{name: "a stream that is reset", answer: says(head, frame(frameData, 0, 1, someChunk), frame(frameReset, 0, 1, number(2))), stream: cutShort},
		{name: "going away with words", answer: says(frame(frameGoaway, 0, 0, number(0)+number(2)+wordOfAnswer)), whole: failed},
		{name: "going away again and again", answer: says(frame(frameGoaway, 0, 0, number(0)+number(0))), whole: failed},
		{name: "going away within the body", answer: hangsUp(head, frame(frameData, 0, 1, goodAnswer[:50]), frame(frameGoaway, 0, 0, number(1)+number(0))), whole: failed},
		{name: "going away before the rest", answer: says(frame(frameGoaway, 0, 0, number(1)+number(0)), head, frame(frameData, endStream, 1, goodAnswer)), whole: "ok"},
		{name: "the end of the connection", answer: hangsUp(head), whole: failed},
		{name: "half a frame", answer: hangsUp(head, frame(frameData, 0, 1, goodAnswer)[:40]), whole: failed},
		{name: "HTTP/1", answer: whole(jsonType, goodAnswer), whole: failed},
		{name: "a frame larger than is allowed", answer: says(head, frame(frameData, endStream, 1, strings.Repeat(" ", mebibyte))), whole: failed},
		{name: "more than the window has", answer: func(w *wire) {
			w.text(head)
			w.flood(frame(frameData, 0, 1, strings.Repeat(" ", 16<<10)), endless)
		}, whole: failed},
		{name: "data without a header", answer: says(frame(frameData, endStream, 1, goodAnswer)), whole: failed},
		{name: "data of another stream", answer: says(frame(frameData, endStream, 7, goodAnswer)), whole: failed},
		{name: "data of no stream", answer: says(head, frame(frameData, endStream, 0, goodAnswer)), whole: failed},
		{name: "a window without bounds", answer: says(frame(frameWindow, 0, 1, number(1<<31-1)), frame(frameWindow, 0, 1, number(1<<31-1)), head), whole: failed},
		{name: "a window of nothing", answer: says(frame(frameWindow, 0, 0, number(0))), whole: failed},
		{name: "settings that are none", answer: says(frame(frameSettings, 0, 0, "\x00\x04"+number(1<<31))), whole: failed},
		{name: "a pushed answer", answer: says(frame(framePush, endHeaders, 1, number(2)+ok200)), whole: failed},
		{name: "a broken header block", answer: says(frame(frameHeaders, endHeaders, 1, "\xff\xff\xff\xff\xff\xff\xff")), whole: failed},
		{name: "another frame within a header", answer: says(frame(frameHeaders, 0, 1, ok200), frame(framePing, 0, 0, "01234567")), whole: failed},
		{name: "trailers", answer: says(head, frame(frameData, 0, 1, goodAnswer), frame(frameHeaders, endHeaders|endStream, 1, field("x-request-id", "a"))), whole: "ok"},
		{name: "trailers that do not end the stream", answer: says(head, frame(frameData, 0, 1, goodAnswer), frame(frameHeaders, endHeaders, 1, field("a", "b"))), whole: failed},
		{name: "all of its length and no end", answer: says(frame(frameHeaders, endHeaders, 1, ok200+jsonField+length(len(goodAnswer))), frame(frameData, 0, 1, goodAnswer)), whole: "ok"},
		{name: "a refusal of all its length and no end", answer: says(frame(frameHeaders, endHeaders, 1, status400+length(len(aRefusal))), frame(frameData, 0, 1, aRefusal)), whole: asUpstream},
		{name: "padding", answer: says(head, frame(frameData, endStream|padded, 1, "\x05"+goodAnswer+"\x00\x00\x00\x00\x00")), whole: "ok"},
		{name: "padding longer than the frame", answer: says(head, frame(frameData, endStream|padded, 1, "\xff"+goodAnswer[:20])), whole: failed},
	}
}

// endlessAnswers2 are those over HTTP/2 that have no end.
func endlessAnswers2() []hostile {
	head := frame(frameHeaders, endHeaders, 1, ok200)
	block := strings.Repeat("a", 16<<10)
	many := strings.Repeat(field("a", strings.Repeat("b", 100)), 150)
	// A header of 4 KB put into the table, then named with one byte.
	entry := "\x40\x01a\x7f\x81\x1f" + strings.Repeat("b", 4096)
	return []hostile{
		{name: "an answer", answer: without(head+frame(frameData, 0, 1, answerHead), frame(frameData, 0, 1, block)), whole: failed},
		{name: "an event", answer: without(head+frame(frameData, 0, 1, "data: "+chunkHead+`{"content":"`), frame(frameData, 0, 1, block)), stream: failed},
		{name: "empty frames", answer: without(head, frame(frameData, 0, 1, "")), whole: late},
		{name: "padding", answer: without(head, frame(frameData, padded, 1, "\xff"+strings.Repeat("\x00", 255))), whole: late},
		{name: "a header", answer: without(frame(frameHeaders, 0, 1, ok200), frame(frameContinuation, 0, 1, many)), whole: failed},
		{name: "a header of nothing", answer: without(frame(frameHeaders, 0, 1, ok200), frame(frameContinuation, 0, 1, "")), whole: late},
		{name: "a bomb of a header", answer: without(frame(frameHeaders, 0, 1, ok200+entry), frame(frameContinuation, 0, 1, strings.Repeat("\xbe", 16<<10))), whole: failed},
		{name: "early hints", answer: without("", frame(frameHeaders, endHeaders, 1, field(":status", "103")+field("link", strings.Repeat("x", 100)))), whole: failed},
		{name: "settings", answer: without("", frame(frameSettings, 0, 0, "\x00\x03"+number(100))), whole: late},
		{name: "pings", answer: without("", frame(framePing, 0, 0, "01234567")), whole: late},
		{name: "windows", answer: without("", frame(frameWindow, 0, 0, number(1))), whole: late},
		{name: "priorities", answer: without("", frame(framePriority, 0, 3, number(0)+"\x00")), whole: late},
		{name: "unknown frames", answer: without("", frame(0xee, 0, 0, block)), whole: late},
		{name: "resets of other streams", answer: without("", frame(frameReset, 0, 3, number(8))), whole: late},
		{name: "trailers", answer: without(head+frame(frameData, 0, 1, goodAnswer)+frame(frameHeaders, endStream, 1, field("a", "b")), frame(frameContinuation, 0, 1, many)), whole: failed},
	}
}
