package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/weirproxy/weir/internal/sim"
)

// serveUpstream answers as cheaply as Go can. Every answer is made beforehand. Of a request it reads only the first
// line, the length, and whether it asks for usage. The path says what to answer:
//
//	/json/…                   one complete answer
//	/stream/N/INTERVAL/…      N events, each written by itself, one each INTERVAL
//	/message/…                one complete answer of Anthropic's API
//	/messages/N/INTERVAL/…    N events of one
//	/response/…               one complete answer of OpenAI's Responses API
//	/responses/N/INTERVAL/…   N events of one
func serveUpstream(listen string) error {
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	up := newUpstream()
	for {
		nc, err := listener.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer nc.Close()
			_ = up.serve(nc) // the end of a connection is no news
		}()
	}
}

const completion = `{"id":"chatcmpl-bench","object":"chat.completion","created":1700000000,"model":"bench-1","choices":[{"index":0,"message":{"role":"assistant","content":"This answer is the same for every request. It is about as long as a short answer of a real provider, so that what a proxy does with it costs about as much.","refusal":null,"annotations":[]},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":50,"completion_tokens":36,"total_tokens":86,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}},"service_tier":"default","system_fingerprint":"fp_bench"}`

const message = `{"id":"msg_bench","type":"message","role":"assistant","model":"bench-1","content":[{"type":"text","text":"This answer is the same for every request. It is about as long as a short answer of a real provider, so that what a proxy does with it costs about as much."}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":50,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"output_tokens":36,"service_tier":"standard"}}`

const response = `{"id":"resp_bench","object":"response","created_at":1700000000,"status":"completed","background":false,"error":null,"incomplete_details":null,"instructions":null,"max_output_tokens":null,"metadata":{},"model":"bench-1","output":[{"id":"msg_bench","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","annotations":[],"text":"This answer is the same for every request. It is about as long as a short answer of a real provider, so that what a proxy does with it costs about as much."}]}],"parallel_tool_calls":true,"previous_response_id":null,"reasoning":{"effort":null,"summary":null},"store":false,"temperature":1.0,"text":{"format":{"type":"text"}},"tool_choice":"auto","tools":[],"top_p":1.0,"truncation":"disabled","user":null,"usage":{"input_tokens":50,"input_tokens_details":{"cached_tokens":0},"output_tokens":36,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":86},"service_tier":"default"}`

type upstream struct {
	json, message, response []byte
	buffers                 sync.Pool // for long bodies
}

func newUpstream() *upstream {
	return &upstream{
		json: complete(completion), message: complete(message), response: complete(response),
		buffers: sync.Pool{New: func() any { b := make([]byte, 128<<10); return &b }},
	}
}

// complete is an answer of JSON.
func complete(body string) []byte {
	return fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// request is what the upstream knows of one.
type request struct {
	path      string
	wantUsage bool
}

func (up *upstream) serve(nc net.Conn) error {
	br := bufio.NewReaderSize(nc, 4<<10)
	for {
		req, err := up.read(br)
		if err != nil {
			return err
		}
		parts := strings.Split(req.path, "/")
		switch {
		case len(parts) > 3 && (parts[1] == "stream" || parts[1] == "messages" || parts[1] == "responses"):
			n, _ := strconv.Atoi(parts[2])
			interval, _ := time.ParseDuration(parts[3])
			var event func(int) []byte
			switch parts[1] {
			case "stream":
				event = completionEvents(n, req.wantUsage)
			case "messages":
				event = messageEvents(n)
			default:
				event = responseEvents(n)
			}
			err = stream(nc, n, interval, event)
		case parts[1] == "message":
			_, err = nc.Write(up.message)
		case parts[1] == "response":
			_, err = nc.Write(up.response)
		default:
			_, err = nc.Write(up.json)
		}
		if err != nil {
			return err
		}
	}
}

var errNoLength = errors.New("a request without Content-Length")

func (up *upstream) read(br *bufio.Reader) (request, error) {
	line, err := br.ReadSlice('\n')
	if err != nil {
		return request{}, err
	}
	_, rest, _ := bytes.Cut(line, []byte(" "))
	path, _, _ := bytes.Cut(rest, []byte(" "))
	req := request{path: string(path)}
	streams := strings.HasPrefix(req.path, "/stream/")
	length := -1
	for {
		line, err := br.ReadSlice('\n')
		if err != nil {
			return request{}, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		if len(name) == len("content-length") && bytes.EqualFold(name, []byte("content-length")) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return request{}, err
			}
		}
	}
	if length < 0 {
		return request{}, errNoLength
	}
	buffer := up.buffers.Get().(*[]byte)
	defer up.buffers.Put(buffer)
	for length > 0 {
		n, err := io.ReadAtLeast(br, (*buffer)[:min(length, len(*buffer))], 1)
		if err != nil {
			return request{}, err
		}
		length -= n
		if streams { // their bodies are short
			req.wantUsage = req.wantUsage || bytes.Contains((*buffer)[:n], []byte(`"include_usage":true`))
		}
	}
	return req, nil
}

// stream writes n events. The first goes out at once.
func stream(nc net.Conn, n int, interval time.Duration, event func(int) []byte) error {
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n"
	if _, err := io.WriteString(nc, head); err != nil {
		return err
	}
	start := time.Now()
	for i := range n {
		if interval > 0 && i > 0 {
			time.Sleep(time.Until(start.Add(time.Duration(i) * interval)))
		}
		if _, err := nc.Write(event(i)); err != nil {
			return err
		}
	}
	_, err := nc.Write(append(event(n), "0\r\n\r\n"...))
	return err
}

// completionEvents are n events of OpenAI's, by their numbers, and what ends them.
func completionEvents(n int, usage bool) func(int) []byte {
	null := ""
	if usage {
		null = `,"usage":null`
	}
	event := func(delta, finish string) []byte {
		return chunk(fmt.Sprintf(`{"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"bench-1","service_tier":"default","system_fingerprint":"fp_bench","choices":[{"index":0,"delta":%s,"logprobs":null,"finish_reason":%s}]%s}`, delta, finish, null))
	}
	token := event(`{"content":" word"}`, "null")
	return func(i int) []byte {
		switch i {
		case 0:
			return event(`{"role":"assistant","content":"A","refusal":null}`, "null")
		case n - 1:
			return event(`{}`, `"stop"`)
		case n:
			var last []byte
			if usage {
				last = chunk(`{"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"bench-1","service_tier":"default","system_fingerprint":"fp_bench","choices":[],"usage":{"prompt_tokens":50,"completion_tokens":100,"total_tokens":150}}`)
			}
			return append(last, chunk("[DONE]")...)
		}
		return token
	}
}

// messageEvents are n events of Anthropic's: what begins and ends them is the same for any number.
func messageEvents(n int) func(int) []byte {
	event := func(typ, more string) []byte {
		return framed("event: " + typ + "\ndata: {\"type\":\"" + typ + "\"" + more + "}\n\n")
	}
	token := event("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":" word"}`)
	return func(i int) []byte {
		switch i {
		case 0:
			return event("message_start", `,"message":{"id":"msg_bench","type":"message","role":"assistant","model":"bench-1","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":50,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1,"service_tier":"standard"}}`)
		case 1:
			return event("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`)
		case n - 3:
			return event("content_block_stop", `,"index":0`)
		case n - 2:
			return event("message_delta", `,"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":100}`)
		case n - 1:
			return event("message_stop", "")
		case n:
			return nil
		}
		return token
	}
}

// responseEvents are n events of OpenAI's Responses API: what begins and ends them is the same for any number.
func responseEvents(n int) func(int) []byte {
	event := func(i int, typ, more string) []byte {
		return framed("event: response." + typ + "\ndata: {\"type\":\"response." + typ + "\",\"sequence_number\":" + strconv.Itoa(i) + more + "}\n\n")
	}
	const item, part = `{"id":"msg_bench","type":"message","status":"in_progress","role":"assistant","content":[]}`, `,"item_id":"msg_bench","output_index":0,"content_index":0`
	begun := strings.NewReplacer(`"status":"completed","background"`, `"status":"in_progress","background"`).Replace(response)
	return func(i int) []byte {
		switch i {
		case 0:
			return event(i, "created", `,"response":`+begun)
		case 1:
			return event(i, "in_progress", `,"response":`+begun)
		case 2:
			return event(i, "output_item.added", `,"output_index":0,"item":`+item)
		case 3:
			return event(i, "content_part.added", part+`,"part":{"type":"output_text","annotations":[],"text":""}`)
		case n - 3:
			return event(i, "content_part.done", part+`,"part":{"type":"output_text","annotations":[],"text":"A word."}`)
		case n - 2:
			return event(i, "output_item.done", `,"output_index":0,"item":`+item)
		case n - 1:
			return event(i, "completed", `,"response":`+response)
		case n:
			return nil
		}
		return event(i, "output_text.delta", part+`,"delta":" word"`)
	}
}

// chunk is an event, framed.
func chunk(data string) []byte { return framed("data: " + data + "\n\n") }

// framed is a chunk of HTTP.
func framed(text string) []byte { return fmt.Appendf(nil, "%x\r\n%s\r\n", len(text), text) }

// serveSim is the simulated provider as the upstream.
func serveSim(listen string) error {
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	interval := func(d time.Duration) *sim.Duration { return new(sim.Duration(d)) }
	script := sim.Script{Keep: 1, Tokens: 36, Rules: []sim.Rule{
		{Match: sim.Match{Model: "stream*"}, Tokens: streamEvents - 2, Interval: interval(streamInterval)},
		{Match: sim.Match{Model: "held*"}, Tokens: heldEvents - 2, Interval: interval(heldInterval)},
	}}
	return (&http.Server{Handler: sim.New(script)}).Serve(listener)
}
