package gateway

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/weirproxy/weir/internal/listener"
	"github.com/weirproxy/weir/internal/llm"
	"github.com/weirproxy/weir/internal/memory"
)

const (
	// A body must arrive within bodyGrace plus the time that its bytes take at bodyRate, the slowest that is
	// not an attack.
	bodyGrace = 30 * time.Second
	bodyRate  = 4 << 10 // bytes a second

	maxZstdWindow = 8 << 20 // RFC 8878 recommends support for that much
)

// readBody reads the whole body, decompressed, if there is room for it in memory. It may have limit bytes as it is sent, and as many
// decompressed. What a refused body took is free again before the rest of it is read on, which may take long.
func readBody(w http.ResponseWriter, r *http.Request, limit int64, hold *memory.Hold) ([]byte, *llm.Error) {
	had := hold.Bytes()
	body, early, err := receiveBody(w, r, limit, hold)
	if early {
		hold.ShrinkTo(had + memory.PerRequest)
		return nil, refuseEarly(w, r, err)
	}
	return body, err
}

// receiveBody is readBody without the sending of refusals. early says that a refused body may have more to come.
func receiveBody(w http.ResponseWriter, r *http.Request, limit int64, hold *memory.Hold) (body []byte, early bool, _ *llm.Error) {
	if err := checkType(r); err != nil {
		return nil, true, err
	}
	encoding := strings.ToLower(strings.TrimSpace(strings.Join(r.Header["Content-Encoding"], ",")))
	plain := encoding == "" || encoding == "identity"
	if r.ContentLength > limit {
		return nil, true, tooLarge(limit)
	}
	if r.ContentLength == 0 {
		return nil, false, nil
	}
	size := int64(0)
	if plain {
		size = max(r.ContentLength, 0)
	}
	if !hold.Take(memory.PerRequest + roomFor(size+1)) { // as much as readAll takes
		return nil, true, overloaded()
	}
	paced := pacedReaders.Get().(*pacedReader)
	*paced = pacedReader{body: r.Body, most: limit, control: *http.NewResponseController(w), started: time.Now()}
	defer paced.done()
	source, done, err := decoder(paced, encoding, hold)
	if err != nil {
		return nil, true, err
	}
	defer done()
	body, readErr := readAll(source, size, limit, hold)
	if readErr == nil {
		if plain { // it was read to its end: net/http need not look for more
			_ = r.Body.Close()
		}
		return body, false, nil
	}
	err, early = unread(r, encoding, limit, readErr, paced.err)
	return nil, early, err
}

// unread is why a body could not be read, and whether more of it may come. broken is the connection's own error.
func unread(r *http.Request, encoding string, limit int64, err, broken error) (_ *llm.Error, early bool) {
	switch {
	case errors.Is(err, errOverLimit), errors.Is(broken, errOverLimit):
		return tooLarge(limit), true
	case errors.Is(err, errNoRoom):
		return overloaded(), true
	case errors.Is(err, os.ErrDeadlineExceeded):
		listener.CloseAfter(r)
		return &llm.Error{Kind: llm.RequestTimeout, Message: "The request body was sent too slowly. Send it again.", Cause: err}, false
	case garbled(r, broken):
		listener.CloseAfter(r)
		return &llm.Error{Kind: llm.InvalidJSON, Message: "The request body cannot be read: its chunked encoding is broken.", Cause: err}, false
	case broken != nil && !errors.Is(broken, io.EOF):
		return &llm.Error{Kind: llm.Canceled, Message: "The client closed the connection before the request body was complete.", Cause: err}, false
	default:
		return &llm.Error{Kind: llm.InvalidJSON, Message: fmt.Sprintf("The request body is not valid %s data, as its Content-Encoding says.", encoding), Cause: err}, broken == nil
	}
}

// garbled distinguishes a body whose chunks cannot be read from one whose sender is gone.
func garbled(r *http.Request, err error) bool {
	var broken net.Error
	switch {
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &broken):
		return false
	default:
		return r.ProtoMajor == 1 && len(r.TransferEncoding) > 0
	}
}

func tooLarge(limit int64) *llm.Error {
	return &llm.Error{Kind: llm.TooLarge, Message: fmt.Sprintf("The request body is larger than %d bytes, the most that this Weir takes (limits.body).", limit)}
}

// checkType refuses forms. Any other type is taken: clients forget it, and the body is JSON or it is not.
func checkType(r *http.Request) *llm.Error {
	header := r.Header.Get("Content-Type")
	if header == "" || header == "application/json" {
		return nil
	}
	media, _, err := mime.ParseMediaType(header)
	if err != nil {
		media, _, _ = strings.Cut(strings.ToLower(header), ";")
		media = strings.TrimSpace(media)
	}
	if media == "application/x-www-form-urlencoded" || strings.HasPrefix(media, "multipart/") {
		return &llm.Error{Kind: llm.UnsupportedMediaType, Message: "The request body is a form. Send JSON, with Content-Type: application/json."}
	}
	return nil
}

// decoder undoes the request's compression.
func decoder(r io.Reader, encoding string, hold *memory.Hold) (io.Reader, func(), *llm.Error) {
	switch encoding {
	case "", "identity":
		return r, func() {}, nil
	case "gzip", "x-gzip":
		return &lazyGzip{source: r}, func() {}, nil
	case "zstd":
		if !hold.Take(maxZstdWindow) {
			return nil, nil, overloaded()
		}
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxZstdWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, nil, llm.AsError(err)
		}
		return z, func() {
			z.Close()
			hold.Grow(-maxZstdWindow)
		}, nil
	default:
		return nil, nil, &llm.Error{Kind: llm.UnsupportedMediaType, Message: fmt.Sprintf("The request body is encoded as %q; Weir takes gzip, zstd or none.", shown(encoding))}
	}
}

// lazyGzip reads the header of the stream with the first read, so that its error is one of reading.
type lazyGzip struct {
	source io.Reader
	z      *gzip.Reader
}

// Read implements io.Reader.
func (l *lazyGzip) Read(p []byte) (int, error) {
	if l.z == nil {
		z, err := gzip.NewReader(l.source)
		if err != nil {
			return 0, err
		}
		l.z = z
	}
	return l.z.Read(p)
}

var (
	errOverLimit = errors.New("over the limit")
	errNoRoom    = errors.New("no room in memory")
)

// firstRead is the memory reserved when the length is unknown. mostTrusted is the most that a declared length may
// reserve before any byte has come.
const (
	firstRead   = 8 << 10
	mostTrusted = 1 << 20
)

// readAll reads r to its end. size is its length, whose memory is reserved, or 0 if unknown.
func readAll(r io.Reader, size, limit int64, hold *memory.Hold) ([]byte, error) {
	room := int64(firstRead)
	if size > 0 {
		room = min(size+1, mostTrusted) // one more, so that the end is seen without growing
	}
	body := newRoom(room)
	for {
		if len(body) == cap(body) {
			have := int64(cap(body))
			next := 2 * have
			switch {
			case have <= size:
				next = size + 1 // its memory is reserved
			case !hold.Take(next - have):
				return nil, errNoRoom
			}
			larger := append(newRoom(next), body...)
			recycle(body)
			body = larger
		}
		n, err := r.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case int64(len(body)) > limit:
			return nil, errOverLimit
		case errors.Is(err, io.EOF):
			return body, nil
		case err != nil:
			return nil, err
		}
	}
}

// pacedReader holds a body to a least rate: the time to send it grows with what has arrived. It also bounds the bytes that are sent,
// because compressed data without end may decompress to nothing.
type pacedReader struct {
	body    io.Reader
	most    int64 // bytes
	control http.ResponseController
	started time.Time
	read    int64
	set     bool  // a deadline is set
	err     error // error of the connection, as opposed to the decoder's
}

// Read implements io.Reader.
func (r *pacedReader) Read(p []byte) (int, error) {
	allowed := bodyGrace + time.Duration(r.read/bodyRate)*time.Second
	r.set = r.control.SetReadDeadline(r.started.Add(allowed)) == nil
	n, err := r.body.Read(p)
	r.read += int64(n)
	if r.read > r.most {
		n, err = 0, errOverLimit
	}
	if err != nil {
		r.err = err
	}
	return n, err
}

// pacedReaders are used again.
var pacedReaders = sync.Pool{New: func() any { return new(pacedReader) }}

// done takes the deadline off: the server goes on reading, to see the client hang up. The reader is not used any more.
func (r *pacedReader) done() {
	if r.set {
		_ = r.control.SetReadDeadline(time.Time{}) // it could be set, so it can be taken off
	}
	*r = pacedReader{}
	pacedReaders.Put(r)
}

// boundBody limits how long an unread body may take. net/http reads what a handler leaves, before it sends a short
// answer and before it takes the next request, and would wait for ever. A handler that reads the body sets its own
// limit.
func boundBody(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(listener.DiscardIdle)) // a writer without deadlines is a test's
	}
}
