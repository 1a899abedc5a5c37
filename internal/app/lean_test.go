package app_test

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"math"
	"net"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/weirproxy/weir/internal/app/apptest"
)

// These tests hold what a request costs in memory, which does not vary as times do. Client and upstream are written so
// that they allocate nothing themselves. The bounds are what was measured, with some room: a change that passes them
// adds something to every request, and should know why. The race detector makes pools forget, so they are run without.
const (
	mostPerEvent = 0.5  // net/http allocates for each piece that is flushed, which holds several events here
	mostPerBody  = 0.25 // of a large body's length, in new memory
)

func skipWithRaceDetector(t *testing.T) {
	t.Helper()
	if raceDetector {
		t.Skip("the race detector changes what is allocated; make test runs this without it, too")
	}
}

// leanUpstream answers each request with the same bytes.
func leanUpstream(t testing.TB, answer []byte) (base string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				r := bufio.NewReaderSize(c, 64<<10)
				for skipMessage(r) {
					if _, err := c.Write(answer); err != nil {
						return
					}
				}
			}()
		}
	}()
	return "http://" + l.Addr().String() + "/v1"
}

// skipMessage reads a message with a Content-Length, or of chunks, and throws it away.
func skipMessage(r *bufio.Reader) bool {
	length := -1
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return false
		}
		if len(line) <= 2 {
			break
		}
		if number, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			length = 0
			for _, c := range bytes.TrimSpace(number) {
				length = 10*length + int(c-'0')
			}
		}
	}
	if length < 0 { // chunks
		for {
			line, err := r.ReadSlice('\n')
			if err != nil {
				return false
			}
			size := 0
			for _, c := range bytes.TrimSpace(line) {
				size = 16*size + strings.IndexByte("0123456789abcdef", c)
			}
			if n, err := r.Discard(size + 2); n < size+2 || err != nil {
				return false
			}
			if size == 0 {
				return true
			}
		}
	}
	n, err := r.Discard(length)
	return n == length && err == nil
}

// leanDialect is a caller's dialect, at a provider that speaks it, so that bytes pass.
type leanDialect struct {
	name, provider, path, body, answer, header string

	most   float64 // allocations of a request
	limits string  // of the key, for the admin API; "" for none
}

var (
	leanChat = leanDialect{"chat", "kind: openai", "/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Hello?"}]}`, leanAnswer, "", 55, ""}

	leanDialects = []leanDialect{
		leanChat,
		{
			"chat with limits and budgets", leanChat.provider, leanChat.path, leanChat.body, leanChat.answer, "", 68,
			`{"rpm":1000000000,"tpm":1000000000,"budgets":["1000000usd/month","1000000Mtok/day"]}`,
		},
		{"messages", "kind: anthropic", "/v1/messages", `{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"Hello?"}]}`, leanMessage, "Anthropic-Version: 2023-06-01\r\n", 63, ""},
		{"responses", "kind: openai, speaks: [responses]", "/v1/responses", `{"model":"m","input":[{"role":"user","content":"Hello?"}]}`, leanResponse, "", 64, ""},
	}
)

// client returns a function that makes one call of Weir and reads its answer, and one after which the store cannot be written until the
// test ends: rows of the ledger then stay in the journal, so that shipping them is not in what is measured.
func (d leanDialect) client(t testing.TB, base, body string) (call, hold func()) {
	t.Helper()
	store, price := filepath.Join(t.TempDir(), "weir.db"), ""
	if d.limits != "" { // budgets in dollars need it
		price = ", price: {input: 1, output: 4}"
	}
	w := apptest.StartBare(t, fmt.Sprintf("store: sqlite:"+store+"\nproviders:\n  up: {%s, base_url: %q, api_key: upstream-credential}\nmodels:\n  m: {targets: [{provider: up, model: model%s}]}\n", d.provider, base, price))
	c, err := net.Dial("tcp", w.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	key := w.NewKey(t, "key")
	if d.limits != "" {
		if a := manage(t, w, "PATCH", "/admin/v1/keys/key", d.limits); a.status != 200 {
			t.Fatal(a.body)
		}
	}
	request := []byte("POST " + d.path + " HTTP/1.1\r\nHost: weir\r\nAuthorization: Bearer " + key +
		"\r\nContent-Type: application/json\r\n" + d.header + "Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body)
	r := bufio.NewReaderSize(c, 64<<10)
	return func() {
		if _, err := c.Write(request); err != nil {
			t.Fatal(err)
		}
		if status, err := r.Peek(len("HTTP/1.1 200")); err != nil || string(status) != "HTTP/1.1 200" {
			rest, _ := io.ReadAll(r)
			t.Fatalf("%v: %s", err, rest)
		}
		if !skipMessage(r) {
			t.Fatal("the answer broke off")
		}
	}, func() { lockStore(t, store) }
}

// lockStore keeps a store from being written until it is unlocked, or the test ends.
func lockStore(t testing.TB, path string) (unlock func()) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate&_busy_timeout=5000")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	tx, err := db.BeginTx(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	unlock = func() { _ = tx.Rollback() }
	t.Cleanup(unlock)
	return unlock
}

const leanAnswer = `{"id":"c","object":"chat.completion","created":1700000000,"model":"model","choices":[{"index":0,"message":` +
	`{"role":"assistant","content":"Hello.","refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`

const leanMessage = `{"id":"m","type":"message","role":"assistant","model":"model","content":[{"type":"text","text":"Hello."}],"stop_reason":"end_turn","stop_sequence":null,` +
	`"usage":{"input_tokens":1,"output_tokens":2}}`

const leanResponse = `{"id":"r","object":"response","created_at":1700000000,"status":"completed","error":null,"incomplete_details":null,"model":"model","output":[{"id":"m","type":"message",` +
	`"status":"completed","role":"assistant","content":[{"type":"output_text","annotations":[],"text":"Hello."}]}],"usage":{"input_tokens":1,"output_tokens":2,"total_tokens":3}}`

func withHead(answer string) []byte {
	return fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(answer), answer)
}

func TestAllocationsOfARequest(t *testing.T) { //nolint:paralleltest // it counts the process's allocations
	skipWithRaceDetector(t)
	for _, d := range leanDialects {
		call, hold := d.client(t, leanUpstream(t, withHead(d.answer)), d.body)
		hold()
		for range 20 {
			call()
		}
		n := math.Inf(1) // what the background allocates only adds to it
		for range 5 {
			n = min(n, testing.AllocsPerRun(50, call))
		}
		if n > d.most {
			t.Errorf("%s: %v allocations, of which %v are accepted", d.name, n, d.most)
		} else {
			t.Logf("%s: %v allocations", d.name, n)
		}
	}
}

func BenchmarkRequest(b *testing.B) {
	for _, d := range leanDialects {
		b.Run(d.name, func(b *testing.B) {
			call, _ := d.client(b, leanUpstream(b, withHead(d.answer)), d.body)
			b.ReportAllocs()
			for b.Loop() {
				call()
			}
		})
	}
}

// Two streams that differ by a thousand events differ by what these cost.
func TestAllocationsOfAnEvent(t *testing.T) { //nolint:paralleltest // as above
	skipWithRaceDetector(t)
	const more = 1000
	cost := func(events int) float64 {
		var answer bytes.Buffer
		answer.WriteString("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
		event := func(data string) { fmt.Fprintf(&answer, "%x\r\ndata: %s\n\n\r\n", len(data)+8, data) }
		for range events { // each needs an edit: the role is repeated, and the usage was not asked for by the caller
			event(`{"id":"c","object":"chat.completion.chunk","created":1700000000,"model":"model","choices":[{"index":0,"delta":{"role":"assistant","content":" word"},"finish_reason":null}],"usage":null}`)
		}
		event(`{"id":"c","object":"chat.completion.chunk","created":1700000000,"model":"model","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}`)
		event(`{"id":"c","object":"chat.completion.chunk","created":1700000000,"model":"model","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`)
		event("[DONE]")
		answer.WriteString("0\r\n\r\n")
		call, _ := leanChat.client(t, leanUpstream(t, answer.Bytes()), `{"model":"m","stream":true,"messages":[{"role":"user","content":"Hello?"}]}`)
		for range 5 {
			call()
		}
		return testing.AllocsPerRun(20, call)
	}
	if n := (cost(100+more) - cost(100)) / more; n > mostPerEvent {
		t.Errorf("%v allocations an event", n)
	}
}

// A large prompt is read into memory that is used again, and goes upstream from there.
func TestMemoryOfALargeBody(t *testing.T) { //nolint:paralleltest // as above
	skipWithRaceDetector(t)
	body := `{"model":"m","messages":[{"role":"user","content":"` + strings.Repeat(`\tfmt.Println(\"x\")\n`, 20_000) + `"}]}`
	call, _ := leanChat.client(t, leanUpstream(t, withHead(leanAnswer)), body)
	for range 10 {
		call()
	}
	const calls = 50
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		call()
	}
	runtime.ReadMemStats(&after)
	each := float64(after.TotalAlloc-before.TotalAlloc) / calls
	if share := each / float64(len(body)); share > mostPerBody {
		t.Errorf("a body of %d bytes takes %.0f bytes of new memory", len(body), each)
	} else {
		t.Logf("a body of %d bytes takes %.0f bytes of new memory", len(body), each)
	}
}
