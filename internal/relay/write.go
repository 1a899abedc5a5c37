package relay

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/weirproxy/weir/internal/dialect"
	"github.com/weirproxy/weir/internal/secret"
)

// compressFrom is the size from which an answer is worth compressing for a caller that accepts it. Embeddings and
// long texts are, the usual answer of a few kilobytes is not.
const compressFrom = 16 << 10

var compressors = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed)
	if err != nil { // the level is a constant
		panic(err)
	}
	return w
}}

// mostAnnounced bounds the names of parameters that are reported. A header and the log must hold them, and callers may name as many
// as they like.
const mostAnnounced = 2000

// announced are the names of what was left out: the first of very many, and how many more there are.
func announced(names []string) []string {
	size := 0
	for i, name := range names {
		if shown := secret.Hide(name); shown != name {
			names = slices.Clone(names)
			names[i] = shown
		}
		if size += len(name) + len(", "); size > mostAnnounced {
			return append(names[:i:i], fmt.Sprintf("and %d more", len(names)-i))
		}
	}
	return names
}

// setIgnored announces what a target could not be sent.
func setIgnored(h http.Header, applied dialect.Applied) {
	if len(applied.Ignored) > 0 {
		h["Weir-Ignored-Params"] = []string{inHeader(applied.Ignored)}
	}
	if len(applied.Renamed) > 0 {
		h["Weir-Renamed-Params"] = []string{inHeader(applied.Renamed)}
	}
}

// inHeader joins names, which are the caller's, for the value of a header, which allows fewer characters than a name does (RFC 9110
// § 5.5).
func inHeader(names []string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, strings.Join(names, ", "))
}

// Values of headers that all answers share. They are never changed.
var (
	typeJSON   = []string{"application/json"}
	typeEvents = []string{"text/event-stream"}
	noCache    = []string{"no-cache"}
	no         = []string{"no"}
)

// writeJSON sends a complete answer and returns the bytes that went out. A failed write means that the client is
// gone, which its context shows too.
func (r *run) writeJSON(body []byte) int64 {
	w := r.w
	h := w.Header()
	h["Content-Type"] = typeJSON
	if len(body) >= compressFrom {
		h["Vary"] = append(h["Vary"], "Accept-Encoding")
		if AcceptsGzip(r.Caller) {
			return writeGzip(w, body)
		}
	}
	r.length[0] = strconv.Itoa(len(body))
	h["Content-Length"] = r.length[:]
	w.WriteHeader(http.StatusOK)
	n, _ := w.Write(body)
	return int64(n)
}

// writeGzip compresses the whole answer before it sends it: a compressor takes a megabyte, and must not wait for a client.
func writeGzip(w http.ResponseWriter, body []byte) int64 {
	packed := getBuffer()
	defer packed.release()
	z := compressors.Get().(*gzip.Writer)
	z.Reset(packed)
	_, _ = z.Write(body) // a buffer takes everything
	_ = z.Close()
	compressors.Put(z)
	h := w.Header()
	h["Content-Encoding"] = []string{"gzip"}
	h["Content-Length"] = []string{strconv.Itoa(len(packed.data))}
	w.WriteHeader(http.StatusOK)
	n, _ := w.Write(packed.data) // the error of a client that is gone
	return int64(n)
}

// AcceptsGzip reports whether a caller takes gzip. It reads Accept-Encoding: gzip or * named with a quality that is not zero.
func AcceptsGzip(h http.Header) bool {
	accepted := false
	for _, line := range h["Accept-Encoding"] {
		for part := range strings.SplitSeq(line, ",") {
			name, params, _ := strings.Cut(part, ";")
			name = strings.ToLower(strings.TrimSpace(name))
			if name != "gzip" && name != "*" {
				continue
			}
			q := 1.0
			if value, ok := strings.CutPrefix(strings.TrimSpace(params), "q="); ok {
				q, _ = strconv.ParseFloat(value, 64)
			}
			if name == "gzip" {
				return q > 0
			}
			accepted = q > 0
		}
	}
	return accepted
}
