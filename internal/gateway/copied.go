package gateway

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/weirproxy/weir/internal/idempotency"
	"github.com/weirproxy/weir/internal/memory"
)

// copied is a copy of an answer as it goes out. Its methods do nothing if it is nil. They are called as the answer is written, never
// from two goroutines at once.
type copied struct {
	status      int
	header      http.Header
	body        []byte
	hold        memory.Hold // for body
	lost        Idempotency // why there is no copy of the body; "" if there is one
	interrupted bool        // a write failed, and more may be missing
}

// copiedHeaders are those of an answer that a repeat needs. What it cost is not among them, because a repeat costs nothing.
var copiedHeaders = [...]string{
	"Content-Type", "Content-Encoding", "Content-Length", "Cache-Control", "X-Accel-Buffering", "X-Should-Retry",
	"Weir-Provider", "Weir-Model", "Weir-Attempts", "Weir-Upstream-Request-Id", "Weir-Ignored-Params", "Weir-Renamed-Params",
}

// begin copies the head.
func (c *copied) begin(status int, h http.Header) {
	if c == nil {
		return
	}
	c.status, c.header = status, http.Header{}
	for _, name := range copiedHeaders {
		if values := h[name]; len(values) > 0 {
			c.header[name] = slices.Clone(values)
		}
	}
	if slices.Contains(h["Vary"], "Accept-Encoding") {
		c.header["Vary"] = []string{"Accept-Encoding"}
	}
}

// firstCopied is the least memory of a copy.
const firstCopied = 4 << 10

// add copies a piece of the body.
func (c *copied) add(p []byte) {
	if c == nil || c.lost != "" {
		return
	}
	need := len(c.body) + len(p)
	if need > idempotency.MaxAnswer {
		c.lose(TooLarge)
		return
	}
	if need > cap(c.body) {
		size := min(max(need, 2*cap(c.body), firstCopied), idempotency.MaxAnswer)
		if !c.hold.Grow(size - cap(c.body)) {
			c.lose(NoMemory)
			return
		}
		c.body = append(make([]byte, 0, size), c.body...)
	}
	c.body = append(c.body, p...)
}

// lose lets go of the body.
func (c *copied) lose(why Idempotency) {
	c.lost, c.body = why, nil
	c.hold.End()
}

// interrupt notes that a write failed.
func (c *copied) interrupt() {
	if c != nil {
		c.interrupted = true
	}
}

// whole reports whether the copy is complete, which it may be though its client has left.
func (c *copied) whole() bool {
	if length := c.header["Content-Length"]; len(length) > 0 {
		return length[0] == strconv.Itoa(len(c.body))
	}
	return c.status != 0 && !c.interrupted
}
